//! Makes the WDL and DTM files of a material, in games without the fifty-move rule.

use retrograde_probe::Metric;
use retrograde_probe::write::Pending;
use retrograde_solve::Solution;

use super::fifty_moves::values;
use super::material::Job;
use super::{GenerateError, TableOutcome};

impl Job<'_> {
    /// Makes the files.
    pub(super) fn depths(&self) -> Result<TableOutcome, GenerateError> {
        let material = self.planned.material;
        let solution = self.solve()?;
        let winners = values(|index| solution.winners(index));
        let depths = self.write_depths(&solution)?;
        // An order of its own: a file is the same whatever else is made.
        let order = self.ordered(Metric::Wdl, |plan| plan, &winners)?;
        let wdl = self.write(&order, winners)?;
        let bytes = self.publish([wdl, depths])?;
        Ok(TableOutcome {
            material,
            kept: false,
            bytes,
            longest_depth: self.longest_depth(&solution),
            longest: None,
        })
    }

    /// Packs and writes DTM, to be published later, if it is wanted.
    pub(super) fn write_depths(
        &self,
        solution: &Solution,
    ) -> Result<Option<Pending>, GenerateError> {
        if !self.wants(Metric::Dtm) {
            return Ok(None);
        }
        let depths = values(|index| solution.depths(index));
        let order = self.ordered(Metric::Dtm, |plan| plan, &depths)?;
        self.write(&order, depths)
    }

    /// The plies of the longest win or loss, if plies to mate were counted.
    pub(super) fn longest_depth(&self, solution: &Solution) -> Option<usize> {
        self.wants(Metric::Dtm).then(|| solution.longest_depth())
    }
}
