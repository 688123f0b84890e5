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
        let winners = values(|index| solution.winners(index));
        let wants_depths = self.wants(Metric::Dtm);
        let depths = match wants_depths {
            true => {
                let depths = values(|index| solution.depths(index));
                let order = self.ordered(Metric::Dtm, |plan| plan, &depths)?;
                self.write(&order, depths)?
            }
            false => None,
        };
        // An order of its own: a file is the same whatever else is made.
        let order = self.ordered(Metric::Wdl, |plan| plan, &winners)?;
        let wdl = self.write(&order, winners)?;
        let bytes = self.publish([wdl, depths])?;
        Ok(TableOutcome {
            material,
            kept: false,
            bytes,
            longest_win: wants_depths.then(|| solution.longest_win()),
            longest: None,
        })
    }
}
