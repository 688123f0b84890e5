//! Makes the files of a material in games with the fifty-move rule, DTZ among them.

use std::ops::Range;

use retrograde_probe::{Index, Metric, Wdl};
use retrograde_rules::{Colour, Material};

use super::material::Job;
use super::{GenerateError, Phase, TableOutcome};
use retrograde_solve::GridReader;

impl Job<'_> {
    /// Makes the files. `limit` is that of the fifty-move rule in plies.
    pub(super) fn with_fifty_moves(&self, limit: u32) -> Result<TableOutcome, GenerateError> {
        let planned = self.planned;
        let solution = self.solve()?;
        let longest_depth = self.longest_depth(&solution);
        let depths = self.write_depths(&solution)?;
        let outcome = |bytes, longest| TableOutcome {
            material: planned.material,
            kept: false,
            bytes,
            longest_depth,
            longest,
        };
        if !self.wants(Metric::Wdl) && !self.wants(Metric::Dtz) {
            return Ok(outcome(self.publish([depths])?, None));
        }

        self.observer.phase(Phase::Zeroing);
        let zeroing = match self.wants(Metric::Dtm) && self.any_cursed()? {
            // What has been solved by now is not thrown away.
            true => {
                let successors = self.successors(Metric::Wdl, &|| false)?;
                let find = |material: &Material| successors.find(material);
                let zeroing = solution.zeroing(Some(&find), limit);
                match successors.failure() {
                    Some(error) => return Err(error),
                    None => zeroing,
                }
            }
            false => solution.zeroing(None, limit),
        };
        let zeroing = zeroing.map_err(|error| self.solve_error(error))?;
        let results = values(|index| zeroing.wdl(index));
        let plies = values(|index| zeroing.dtz(index));
        // WDL takes the order of groups of DTZ, which is larger. Neither takes that of DTM: a
        // file is the same whatever else is made.
        let order = self.ordered(Metric::Dtz, |plan| plan, &plies)?;
        let dtz = self.write_with_results(&order, plies, &results)?;
        let wdl = self.write(&self.in_order(Metric::Wdl, &order)?, &results)?;
        let bytes = self.publish([wdl, depths, dtz])?;
        Ok(outcome(bytes, Some(zeroing.longest())))
    }

    /// Whether any successor has wins that the fifty-move rule turns into draws. A side to move
    /// that its table does not have is the other with colours swapped.
    pub(super) fn any_cursed(&self) -> Result<bool, GenerateError> {
        if self.game.zeroing_limit().is_none() {
            return Ok(false);
        }
        for material in &self.planned.needs {
            let table = self.open_needed(material, Metric::Wdl)?;
            let mut palettes = table.header().sections.iter().flat_map(|s| &s.palette);
            if palettes.any(|&value| Wdl::from_value(value).is_cursed()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The function that writes the values of a reader, for each index.
pub(super) fn values<'s>(
    reader: impl Fn(&Index) -> GridReader<'s>,
) -> impl Fn(&Index) -> Box<Fill<'s>> {
    move |index| {
        let reader = reader(index);
        Box::new(move |turn, range, values: &mut [i16]| reader.fill(turn, range, values))
    }
}

/// Writes the values of a range of indices.
pub(super) type Fill<'s> = dyn Fn(Colour, Range<u64>, &mut [i16]) + Sync + 's;
