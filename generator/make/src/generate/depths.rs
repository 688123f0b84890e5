//! Making the files of a material: games with WDL and DTM, without the fifty-move
//! rule.

use retrograde_probe::Metric;

use super::fifty_moves::values;
use super::make::Job;
use super::{GenerateError, TableOutcome};

impl Job<'_> {
    /// Makes the files.
    pub(super) fn depths(&self) -> Result<TableOutcome, GenerateError> {
        let material = self.planned.material;
        let solution = self.solve()?;
        let depths = values(|index| solution.depths(index));
        let order = self.ordered(Metric::Dtm, |plan| plan, &depths)?;
        let depths = self.write(&order, depths)?;
        let winners = values(|index| solution.winners(index));
        let wdl = self.write(&self.in_order(Metric::Wdl, &order)?, winners)?;
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
