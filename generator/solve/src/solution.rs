//! A solved material, and the way there.

use std::collections::HashMap;

use retrograde_index::{Index, IndexError};
use retrograde_rules::{Colour, Game, Goal, Material, PieceType};
use thiserror::Error;

use super::chess99::Pushed;
use super::convert::{AnyConversions, turns_after};
use super::depth::Depth;
use super::eight::{Values, plies, select};
use super::iterate::{Plies, iterate};
use super::layout::Layout;
use super::movement::Between;
use super::moves::{Mover, Movers};
use super::read::{FromGrid, GridReader, GridValues, UNUSED};
use super::side::Side;
use super::start::{TooDeep, start};
use super::successor::{Successor, promoted};
use super::word::{BoardShape, Word};
use super::words::with_word;
use super::zeroing::{self, Longest, Outcomes, Zeroing};

/// Why a material cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// There is no solver for the game's board yet.
    #[error("tables of {0} cannot be made yet")]
    Game(String),
    /// The material has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A successor was not given.
    #[error("the successor {0} is needed first")]
    Missing(Material),
    /// Some win takes more plies than a table can hold.
    #[error(
        "a win takes more than {0} plies, which is more than tables can hold",
        u16::MOST
    )]
    TooDeep,
    /// The positions have more different threshold curves than a table can hold.
    #[error(
        "its positions have {0} different threshold curves, which is more than a table can hold"
    )]
    TooManyCurves(usize),
}

/// The depths of every position of a material, without e.p. rights.
pub struct Solution {
    layout: Layout,
    answers: Box<dyn Answers>,
    longest_win: usize,
}

/// What is kept of a solved material, whatever its types of word and cell.
trait Answers: Send + Sync {
    /// Reads depths, as tables store them.
    fn values(&self) -> Box<dyn GridValues + '_>;

    /// Reads the signs of depths.
    fn winners(&self) -> Box<dyn GridValues + '_>;

    /// Goes on to the fifty-move rule.
    fn zeroing(
        self: Box<Self>,
        layout: &Layout,
        smaller: Option<&HashMap<Material, Successor>>,
        limit: usize,
    ) -> Result<(Box<dyn Outcomes>, Longest), TooDeep>;
}

/// Both sides to move after the last ply.
struct Solved<W: Word, D> {
    board: W::Board,
    sides: [Side<W, D>; 2],
}

impl<W: Word, D: Depth> Solved<W, D> {
    #[inline(always)]
    fn depths(&self, turn: Colour, word: usize, n: usize) -> Values {
        let side = &self.sides[turn.index()];
        let first = word * self.board.squares() + 8 * n;
        let won = plies(&side.depth, first, UNUSED);
        let lost = won.map(|plies| if plies == UNUSED { UNUSED } else { !plies });
        let values = select(side.winning[word].byte(n), won, lost);
        // A draw's cell may hold the ply of a conversion that loses.
        select(side.open.words[word].byte(n), [0; 8], values)
    }
}

impl<W: Word, D: Depth> Answers for Solved<W, D> {
    fn values(&self) -> Box<dyn GridValues + '_> {
        let depths = |turn, word, n| self.depths(turn, word, n);
        Box::new(FromGrid::new(self.board.squares(), depths))
    }

    fn winners(&self) -> Box<dyn GridValues + '_> {
        let winners = |turn, word, n| {
            self.depths(turn, word, n).map(|depth| match depth {
                UNUSED => UNUSED,
                depth => depth.signum(),
            })
        };
        Box::new(FromGrid::new(self.board.squares(), winners))
    }

    fn zeroing(
        self: Box<Self>,
        layout: &Layout,
        smaller: Option<&HashMap<Material, Successor>>,
        limit: usize,
    ) -> Result<(Box<dyn Outcomes>, Longest), TooDeep> {
        zeroing::solve(layout, self.sides, smaller, limit)
    }
}

/// Solves a material. `smaller` holds every material of [`successors`](super::successors).
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: Game,
    material: &Material,
    smaller: &HashMap<Material, Successor>,
) -> Result<Solution, SolveError> {
    all_there(game, material, smaller)?;
    with_word!(game, W => solve_with::<W, u8>(game, material, smaller))
}

/// Checks that every material that the conversions of a material lead to is given.
fn all_there(
    game: Game,
    material: &Material,
    smaller: &HashMap<Material, Successor>,
) -> Result<(), SolveError> {
    let successors = super::successors(game, material);
    match successors.iter().find(|m| !smaller.contains_key(m)) {
        Some(missing) => Err(SolveError::Missing(*missing)),
        None => Ok(()),
    }
}

/// As [`solve`], trying cells of type `D` first; all successors are there.
fn solve_with<W: Word, D: Depth>(
    game: Game,
    material: &Material,
    smaller: &HashMap<Material, Successor>,
) -> Result<Solution, SolveError> {
    let layout = Layout::to_solve(game, material)?;
    let (answers, longest_win) = run::<W, D>(&layout, smaller)
        .or_else(|TooDeep| run::<W, u16>(&layout, smaller))
        .map_err(|TooDeep| SolveError::TooDeep)?;
    Ok(Solution {
        layout,
        answers,
        longest_win,
    })
}

/// Solves with the given words and cells; returns the answers and the plies of the
/// longest win.
fn run<W: Word, D: Depth>(
    layout: &Layout,
    smaller: &HashMap<Material, Successor>,
) -> Result<(Box<dyn Answers>, usize), TooDeep> {
    let between = Between::<W>::new(layout.board::<W>());
    let mut sides = [Side::<W, D>::new(layout), Side::<W, D>::new(layout)];
    let mut last_due = 0;
    for (mover, side) in Colour::BOTH.into_iter().zip(&mut sides) {
        let conversions = AnyConversions::new(layout, mover, |material| &smaller[material]);
        last_due = last_due.max(start(layout, &between, &conversions, mover, side)?);
        if layout.game.zeroing_limit().is_some() {
            side.converts = side.winning.clone();
        }
        if let AnyConversions::Chess99(conversions) = &conversions {
            let (pushed, due) = Pushed::start(layout, conversions, mover)?;
            side.pushed = pushed;
            last_due = last_due.max(due);
        }
    }
    let plies = Plies {
        first: 0,
        last: usize::MAX,
        last_due,
        movers: Movers::All,
    };
    let longest_win = iterate(&Mover::new(layout, &between), &mut sides, &plies)?;
    let board = layout.board::<W>();
    Ok((Box::new(Solved { board, sides }), longest_win))
}

impl Solution {
    /// The material's index in its default order of groups.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// The plies of the longest win or loss.
    pub fn longest_win(&self) -> usize {
        self.longest_win
    }

    /// Reads the depths by the indices of `index`, an index of the same material
    /// in any order of groups: 0 draw, n won in n plies, -(n + 1) lost in n
    /// plies for the side to move; [`UNUSED`] for an index without a position.
    pub fn depths<'a>(&'a self, index: &Index) -> GridReader<'a> {
        GridReader::new(&self.layout, index, self.answers.values())
    }

    /// Likewise who wins: the signs of the depths, which are the values of
    /// wdl tables in games without the fifty-move rule.
    pub fn winners<'a>(&'a self, index: &Index) -> GridReader<'a> {
        GridReader::new(&self.layout, index, self.answers.winners())
    }

    /// Goes on to results and distances with the fifty-move rule counted (O4).
    /// `limit` is the number of plies that a real win may take to its next
    /// zeroing move: [`Game::zeroing_limit`], or less in a test.
    ///
    /// `smaller` holds every material of [`successors`](super::successors), as made by
    /// [`Successor::of_wdl`], if any of them has cursed results; `None`
    /// says that none has.
    ///
    /// # Errors
    /// See [`SolveError`].
    pub fn zeroing(
        self,
        smaller: Option<&HashMap<Material, Successor>>,
        limit: u32,
    ) -> Result<Zeroing, SolveError> {
        let Solution {
            layout, answers, ..
        } = self;
        if let Some(smaller) = smaller {
            let material = Material::of(layout.pieces.iter().copied());
            all_there(layout.game, &material, smaller)?;
        }
        let (outcomes, longest) = answers
            .zeroing(&layout, smaller, limit as usize)
            .map_err(|TooDeep| SolveError::TooDeep)?;
        Ok(Zeroing {
            layout,
            outcomes,
            longest,
        })
    }
}

/// The bytes that solving a material takes at its peak, including the
/// successors.
///
/// # Errors
/// If the material has no index.
pub fn estimate_bytes(game: Game, material: &Material) -> Result<u64, IndexError> {
    if let Some(rules) = game.counters() {
        return super::high_chess::estimate_bytes(game, rules, material);
    }
    match game.goal() {
        Goal::KingCapture(_) => return super::chess99::estimate_bytes(game, material),
        Goal::Mate | Goal::Hill(_) | Goal::Extinction => {}
    }
    let layout = Layout::to_solve(game, material)?;
    let positions = (layout.words() * layout.squares) as u64;
    let rights = if layout.en_passant { 2 } else { 0 };
    // Two sides with a byte and some planes each.
    let plane = (layout.words() * with_word!(game, W => size_of::<W>())) as u64;
    let grid = |planes: u64| 2 * (positions + (planes + rights) * plane);
    let (mut smaller, mut unpacked) = (0, 0);
    for exit in super::successors(game, material) {
        let turns = turns_after(game, material, &exit);
        let exit = Layout::of_successor(game, &exit, promoted(game, material, &exit))?;
        // Two bytes per position and side to move; while one with equal leaders is read,
        // also an index.
        let sides = turns.into_iter().filter(|&turn| turn).count() as u64;
        smaller += 2 * sides * (exit.words() * exit.squares) as u64;
        if exit.index.has_equal_leaders() {
            unpacked = unpacked.max(2 * sides * exit.index.len());
        }
    }
    // The successors are in memory while conversions are looked up. Depths need
    // fewer planes than cursed results, but whether the latter are needed is
    // known only once the depths are.
    let conversions = grid(10) + smaller + unpacked;
    let later = match game.zeroing_limit() {
        // Nor are all of them written to where no pawn moves are followed.
        Some(_)
            if layout
                .pieces
                .iter()
                .any(|m| m.piece_type == PieceType::Pawn) =>
        {
            grid(14)
        }
        Some(_) => grid(13),
        // Depths may outgrow a byte, which is noticed late.
        None => grid(10) + 2 * positions,
    };
    Ok(later.max(conversions) + (16 << 20))
}

#[cfg(test)]
mod tests;
