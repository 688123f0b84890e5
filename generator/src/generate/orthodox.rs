//! Making the files of a class of orthodox chess.

use retrograde_probe::{Index, Metric};

use super::load::load_smaller;
use super::make::Job;
use super::{GenerateError, Phase};
use crate::solve::{self, UNUSED};

impl Job<'_> {
    /// Returns the bytes of the files and the ply of the deepest position.
    pub(super) fn orthodox(&self) -> Result<(u64, Option<usize>), GenerateError> {
        let (game, planned) = (self.game, self.planned);
        self.observer.phase(Phase::Reading);
        let exits = solve::exits(game, &planned.material);
        let smaller = load_smaller(game, &planned.needs, &exits, self.folders)?;
        self.observer.phase(Phase::Solving);
        let solution = solve::solve(game, &planned.material, &smaller)
            .map_err(|error| self.solve_error(error))?;
        drop(smaller);
        let mut bytes = 0;
        for &metric in Metric::of(game) {
            let values = |index: &Index| {
                let reader = solution.reader(index);
                move |turn, range, values: &mut [i16]| {
                    reader.fill(turn, range, values);
                    if metric == Metric::Result {
                        for value in values.iter_mut().filter(|v| **v != UNUSED) {
                            *value = value.signum();
                        }
                    }
                }
            };
            bytes += self.write(metric, |plan| plan, values)?;
        }
        Ok((bytes, Some(solution.deepest())))
    }
}
