//! Making the files of a class of orthodox chess.

use std::path::Path;

use retrograde_probe::{Category, Index, Metric};
use retrograde_rules::{Game, Material};

use super::load::{load_smaller, open};
use super::make::Job;
use super::{GenerateError, Outcome, Phase};
use crate::solve::{self, Reader};

impl Job<'_> {
    /// Makes all files. `limit` is the fifty-move rule's number of plies, if
    /// it is not that of the game.
    pub(super) fn orthodox(&self, limit: Option<u32>) -> Result<Outcome, GenerateError> {
        let (game, planned) = (self.game, self.planned);
        self.observer.phase(Phase::Reading);
        let exits = solve::exits(game, &planned.material);
        let load = |metric| load_smaller(game, &planned.needs, &exits, self.folders, metric);
        let smaller = load(Metric::Depth)?;
        self.observer.phase(Phase::Solving);
        let solution = solve::solve(game, &planned.material, &smaller)
            .map_err(|error| self.solve_error(error))?;
        drop(smaller);
        let deepest = solution.deepest();
        let mut bytes = self.write_read(Metric::Depth, |index| solution.depths(index))?;

        self.observer.phase(Phase::Zeroing);
        let limit = limit.or(game.zeroing_limit()).unwrap_or(u32::MAX);
        let smaller = match any_cursed(game, &planned.needs, self.folders)? {
            true => Some(load(Metric::Result)?),
            false => None,
        };
        let zeroing = solution
            .zeroing(smaller.as_ref(), limit)
            .map_err(|error| self.solve_error(error))?;
        drop(smaller);
        bytes += self.write_read(Metric::Result, |index| zeroing.results(index))?;
        bytes += self.write_read(Metric::Dtz, |index| zeroing.distances(index))?;
        Ok(Outcome {
            material: planned.material,
            kept: false,
            bytes,
            deepest: Some(deepest),
            longest: Some(zeroing.longest()),
        })
    }

    /// Packs and writes one metric; returns the bytes of the file.
    fn write_read<'s>(
        &self,
        metric: Metric,
        reader: impl Fn(&Index) -> Reader<'s>,
    ) -> Result<u64, GenerateError> {
        let values = |index: &Index| {
            let reader = reader(index);
            move |turn, range, values: &mut [i16]| reader.fill(turn, range, values)
        };
        self.write(metric, |plan| plan, values)
    }
}

/// Whether any of some classes has results that the fifty-move rule turns into
/// draws.
fn any_cursed(game: Game, needs: &[Material], folders: &[&Path]) -> Result<bool, GenerateError> {
    for material in needs {
        let table = open(game, material, Metric::Result, folders.iter().copied())?
            .ok_or_else(|| GenerateError::Missing(*material, game.id()))?;
        let mut palettes = table.header().sections.iter().flat_map(|s| &s.palette);
        if palettes.any(|&value| Category::of_result(value).is_cursed()) {
            return Ok(true);
        }
    }
    Ok(false)
}
