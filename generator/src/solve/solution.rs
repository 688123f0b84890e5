//! A solved class, and the way there.

use std::collections::HashMap;
use std::ops::Range;

use retrograde_probe::index::{Index, IndexError};
use retrograde_rules::{Colour, Game, Material};
use thiserror::Error;

use super::convert::Conversions;
use super::depth::Depth;
use super::grid::GridMap;
use super::iterate::iterate;
use super::layout::Layout;
use super::movement::Between;
use super::moves::Mover;
use super::side::Side;
use super::smaller::Smaller;
use super::start::{TooDeep, start};
use super::word::Word;

/// Why a class cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// The class has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A smaller class was not given.
    #[error("the smaller class {0} is needed first")]
    Missing(Material),
    /// Some win takes more plies than a table can hold.
    #[error(
        "a win takes more than {0} plies, which is more than tables can hold",
        u16::MOST
    )]
    TooDeep,
    /// Positions have more different thresholds than a table can hold.
    #[error("its positions have more different thresholds than a table can hold")]
    TooMany,
}

/// The answer to every position of a class, without e.p. rights.
pub struct Solution {
    layout: Layout,
    answers: Box<dyn Answers>,
    deepest: usize,
}

/// Marks numbers that stand for no position: a table may hold anything there.
pub const UNUSED: i16 = i16::MIN;

/// What is kept of a solved class, whatever its words and cells.
trait Answers: Send + Sync {
    /// Writes the depths, as tables store them, of a range of numbers.
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]);
}

/// The planes and cells that answers are read from, by side to move.
struct Planes<W, D> {
    drawn: [Vec<W>; 2],
    winning: [Vec<W>; 2],
    depth: [Vec<D>; 2],
}

impl<W: Word, D: Depth> Answers for Planes<W, D> {
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let turn = turn.index();
        let (drawn, winning, depth) = (&self.drawn[turn], &self.winning[turn], &self.depth[turn]);
        let mut out = out.iter_mut();
        map.gather(range, |position| {
            let (word, bit) = (position / W::SQUARES, position % W::SQUARES);
            let cell = depth[position];
            // A draw's cell may hold the ply of a conversion that loses.
            let value = if drawn[word].has(bit) {
                0
            } else if cell == D::NONE {
                UNUSED
            } else if winning[word].has(bit) {
                cell.plies() as i16
            } else {
                -(cell.plies() as i16) - 1
            };
            if let Some(out) = out.next() {
                *out = value;
            }
        });
    }
}

/// Solves a class. `smaller` holds every class of [`exits`](super::exits).
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: Game,
    material: &Material,
    smaller: &HashMap<Material, Smaller>,
) -> Result<Solution, SolveError> {
    solve_starting_with::<u8>(game, material, smaller)
}

/// As [`solve`], the first try being made with cells of type `D`.
fn solve_starting_with<D: Depth>(
    game: Game,
    material: &Material,
    smaller: &HashMap<Material, Smaller>,
) -> Result<Solution, SolveError> {
    if let Some(missing) = super::exits(game, material)
        .iter()
        .find(|m| !smaller.contains_key(m))
    {
        return Err(SolveError::Missing(*missing));
    }
    let layout = Layout::new::<u64>(game, material)?;
    let (answers, deepest) = run::<u64, D>(&layout, smaller)
        .or_else(|TooDeep| run::<u64, u16>(&layout, smaller))
        .map_err(|TooDeep| SolveError::TooDeep)?;
    Ok(Solution {
        layout,
        answers,
        deepest,
    })
}

/// Solves with given words and cells; returns the answers and the ply of the
/// deepest.
fn run<W: Word, D: Depth>(
    layout: &Layout,
    smaller: &HashMap<Material, Smaller>,
) -> Result<(Box<dyn Answers>, usize), TooDeep> {
    let between = Between::<W>::new();
    let mut sides = [Side::<W, D>::new(layout), Side::<W, D>::new(layout)];
    let mut last_due = 0;
    for (mover, side) in Colour::BOTH.into_iter().zip(&mut sides) {
        let conversions = Conversions::new(layout, mover, |material| &smaller[material]);
        last_due = last_due.max(start(layout, &between, &conversions, mover, side)?);
    }
    let deepest = iterate(&Mover::new(layout, &between), &mut sides, last_due)?;
    let [white, black] = sides;
    let planes = Planes {
        drawn: [white.open.words, black.open.words],
        winning: [white.winning, black.winning],
        depth: [white.depth, black.depth],
    };
    Ok((Box::new(planes), deepest))
}

impl Solution {
    /// The class's index in its default order of groups.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// The ply of the deepest decided position.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// A reader of answers by the numbers of `index`, an index of the same
    /// class in any order of groups.
    pub fn reader<'a>(&'a self, index: &Index) -> Reader<'a> {
        Reader {
            solution: self,
            map: GridMap::with_index(&self.layout, index),
        }
    }
}

/// Reads a solution in the order of an index.
pub struct Reader<'a> {
    solution: &'a Solution,
    map: GridMap,
}

impl Reader<'_> {
    /// Writes the depths of a range of numbers as depth tables store them: 0
    /// draw, n won in n plies, -(n + 1) lost in n plies for the side to move;
    /// [`UNUSED`] where a number stands for no position. `out` is as long as
    /// the range.
    pub fn fill(&self, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        self.solution.answers.fill(&self.map, turn, range, out);
    }
}

/// The bytes that solving a class takes at its peak, the smaller classes
/// included.
///
/// # Errors
/// If the class has no index.
pub fn estimate_bytes(game: Game, material: &Material) -> Result<u64, IndexError> {
    if let Game::HighChess(rules) = game {
        return super::vitality::estimate_bytes(rules, material);
    }
    let layout = Layout::new::<u64>(game, material)?;
    let positions = (layout.words() * layout.squares) as u64;
    // Two sides: a byte and seven planes each (two of the four planes of
    // findings are never touched, because wins take an odd number of plies
    // and losses an even one), a word of which en passant doubles.
    let planes = if layout.en_passant { 9 } else { 6 };
    let grid = 2 * (positions + planes * positions / 8);
    let mut smaller = 0;
    for exit in super::exits(game, material) {
        let exit = Layout::new::<u64>(game, &exit)?;
        // Two bytes a position and side.
        smaller += 4 * (exit.words() * exit.squares) as u64;
    }
    Ok(grid + smaller + (16 << 20))
}

#[cfg(test)]
mod tests;
