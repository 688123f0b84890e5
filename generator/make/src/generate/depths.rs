//! Making the files of a material: games with WDL and DTM, without the fifty-move
//! rule.

use std::sync::PoisonError;

use retrograde_probe::Metric;

use super::fifty_moves::values;
use super::load::load_successors;
use super::make::Job;
use super::{GenerateError, Phase, TableOutcome};
use retrograde_solve as solve;

impl Job<'_> {
    /// Makes the files.
    pub(super) fn depths(&self) -> Result<TableOutcome, GenerateError> {
        let (game, material) = (self.game, self.planned.material);
        self.observer.phase(Phase::Reading);
        let (smaller, failures) = load_successors(
            game,
            (&material, &self.planned.needs),
            self.folders,
            Metric::Dtm,
            &|| self.observer.interrupted(),
        )?;
        self.observer.phase(Phase::Solving);
        let solution = solve::solve(game, &material, &smaller);
        drop(smaller);
        let failure = failures
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        // A table that could not be read may be the cause of another error.
        if let Some(error) = failure {
            return Err(error.into());
        }
        let solution = solution.map_err(|error| self.solve_error(error))?;
        let depths = values(|index| solution.depths(index));
        let order = self.ordered(Metric::Dtm, |plan| plan, &depths)?;
        let depths = self.write(&order, depths)?;
        let winners = values(|index| solution.winners(index));
        let wdl = self.write_in_order(Metric::Wdl, &order, winners)?;
        let bytes = self.publish([wdl, depths])?;
        Ok(TableOutcome {
            material,
            kept: false,
            bytes,
            longest_win: Some(solution.longest_win()),
            longest: None,
        })
    }
}
