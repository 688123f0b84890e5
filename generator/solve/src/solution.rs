//! Solves a material for the depth of every position, in wider cells if need be.
//!
//! It holds the solved material, and the way there.

use retrograde_index::{Index, score};
use retrograde_rules::{Colour, Game, Material, PieceType};

use super::conversion_kinds::Leaving;
use super::convert::Conversions;
use super::depth::Depth;
use super::depth::TooDeep;
use super::ep_beside_grid::Pushed;
use super::error::SolveError;
use super::forced_passes::find_stuck;
use super::gather::{Values, plies, select};
use super::iterate::{Plies, iterate};
use super::layout::{Layout, Passes};
use super::movement::Between;
use super::moves::{Mover, Movers};
use super::parallel::each;
use super::preset::Preset;
use super::read::{FromGrid, GridReader, GridValues, UNUSED};
use super::side::{CursedConversions, Side};
use super::start::{Exits, start};
use super::successor::{FindSuccessor, Smaller, Successor, find_all};
use super::word::{BoardShape, Word};
use super::words::with_word;
use super::zeroing::{self, Longest, Outcomes, Zeroing};

/// The meaning of the plies of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Plies to mate, or to whatever else ends the game: DTM. Successors are made of their DTM.
    ToMate,
    /// Plies to the next conversion, or to the end of the game if that comes before. Successors are
    /// made of their WDL. That is enough to tell who wins, and takes fewer plies to solve.
    ToConversion {
        /// Whether any successor has results that the fifty-move rule spoils.
        cursed: bool,
    },
}

impl Count {
    /// Whether conversions may have cursed results, and tell.
    pub(super) fn has_cursed(self) -> bool {
        self == Count::ToConversion { cursed: true }
    }
}

/// The depths of every position of a material, without e.p. rights: how many plies
/// [count](Count).
pub struct Solution {
    pub(super) layout: Layout,
    pub(super) count: Count,
    /// The depths of each layer of the index.
    pub(super) answers: Vec<Box<dyn Answers>>,
    pub(super) longest_depth: usize,
}

/// The depths that are kept of a solved material, whatever its types of word and cell.
pub(super) trait Answers: Send + Sync {
    /// Reads depths, as tables store them.
    fn values(&self) -> Box<dyn GridValues + '_>;

    /// Reads the signs of depths.
    fn winners(&self) -> Box<dyn GridValues + '_>;

    /// Goes on to the fifty-move rule, unless the depths are `distances` to the next zeroing
    /// move already.
    fn zeroing(
        self: Box<Self>,
        layout: &Layout,
        find: Option<&FindSuccessor<'_>>,
        limit: usize,
        distances: Option<Longest>,
    ) -> Result<(Box<dyn Outcomes>, Longest), SolveError>;
}

/// The grids of both sides to move after the last ply.
pub(super) struct Solved<W: Word, D> {
    board: W::Board,
    sides: [Side<W, D>; 2],
}

impl<W: Word, D: Depth> Solved<W, D> {
    pub(super) fn of(layout: &Layout, sides: [Side<W, D>; 2]) -> Solved<W, D> {
        let board = layout.board::<W>();
        Solved { board, sides }
    }

    #[inline(always)]
    fn depths(&self, turn: Colour, word: usize, n: usize) -> Values {
        let side = &self.sides[turn.index()];
        let first = word * self.board.squares() + 8 * n;
        let plies = plies(&side.depth, first, UNUSED);
        let (won, open) = (side.winning[word].byte(n), side.open.words[word].byte(n));
        depths(plies, won, open)
    }
}

/// Eight depths, given the cells, and which positions are won and which are still open.
#[inline(always)]
pub(super) fn depths(plies: Values, won: u8, open: u8) -> Values {
    let lost = plies.map(|plies| if plies == UNUSED { UNUSED } else { !plies });
    let won_in = plies.map(|plies| if plies == 0 { score::WON } else { plies });
    // A draw's cell may hold the ply of a conversion that loses.
    select(open, [0; 8], select(won, won_in, lost))
}

/// The signs of depths.
#[inline(always)]
pub(super) fn signs(depths: Values) -> Values {
    depths.map(|depth| match depth {
        UNUSED => UNUSED,
        depth => depth.signum(),
    })
}

impl<W: Word, D: Depth> Answers for Solved<W, D> {
    fn values(&self) -> Box<dyn GridValues + '_> {
        let depths = |turn, word, n| self.depths(turn, word, n);
        Box::new(FromGrid::new(self.board.squares(), |word| word, depths))
    }

    fn winners(&self) -> Box<dyn GridValues + '_> {
        let winners = |turn, word, n| signs(self.depths(turn, word, n));
        Box::new(FromGrid::new(self.board.squares(), |word| word, winners))
    }

    fn zeroing(
        self: Box<Self>,
        layout: &Layout,
        find: Option<&FindSuccessor<'_>>,
        limit: usize,
        distances: Option<Longest>,
    ) -> Result<(Box<dyn Outcomes>, Longest), SolveError> {
        if let Some(longest) = distances {
            return Ok((zeroing::of_distances(layout, self.sides), longest));
        }
        let material = Material::of(layout.pieces.iter().copied());
        let smaller = find.map(|find| find_all(layout.game, &material, find));
        Ok(zeroing::solve(
            layout,
            self.sides,
            smaller.transpose()?,
            limit,
        )?)
    }
}

/// Solves a material; `find` gives the successors, which are made of what `count` says.
///
/// # Errors
/// See [`SolveError`].
pub fn solve(
    game: Game,
    material: &Material,
    count: Count,
    find: &FindSuccessor<'_>,
) -> Result<Solution, SolveError> {
    let smaller = find_all(game, material, find)?;
    with_word!(game, W => solve_with::<W, u8>(game, material, count, &smaller))
}

/// Solves a material of which all successors are given, trying cells of type `D` first.
fn solve_with<W: Word, D: Depth>(
    game: Game,
    material: &Material,
    count: Count,
    smaller: &Smaller,
) -> Result<Solution, SolveError> {
    let layout = Layout::to_solve(game, material)?;
    let (answers, longest_depth) = run::<W, D>(&layout, count, smaller)
        .or_else(|TooDeep| run::<W, u16>(&layout, count, smaller))
        .map_err(|TooDeep| SolveError::TooDeep)?;
    Ok(Solution {
        layout,
        count,
        answers: vec![answers],
        longest_depth,
    })
}

/// Solves with the given words and cells; returns the answers and the longest
/// depth in plies.
fn run<W: Word, D: Depth>(
    layout: &Layout,
    count: Count,
    smaller: &Smaller,
) -> Result<(Box<dyn Answers>, usize), TooDeep> {
    let between = Between::<W>::new(layout.board::<W>());
    let find = |leaving: &Leaving| &*smaller[&leaving.material];
    let (sides, longest_depth) =
        solve_sides::<W, D>(layout, &between, count, &find, &[None, None])?;
    Ok((Box::new(Solved::of(layout, sides)), longest_depth))
}

/// Solves for both sides to move; `presets` are values that are known beforehand. Returns the
/// longest depth in plies, too.
pub(super) fn solve_sides<'a, W: Word, D: Depth>(
    layout: &'a Layout,
    between: &Between<W>,
    count: Count,
    find: &dyn Fn(&Leaving) -> &'a Successor,
    presets: &[Option<Preset<'_>>; 2],
) -> Result<([Side<W, D>; 2], usize), TooDeep> {
    let mut sides = [Side::<W, D>::new(layout), Side::<W, D>::new(layout)];
    let mut last_due = 0;
    for (mover, side) in Colour::BOTH.into_iter().zip(&mut sides) {
        let find = |leaving: &Leaving| Some(find(leaving));
        let exits = Exits::Conversions(Conversions::by_colours(layout, mover, find));
        let preset = presets[mover.index()].as_ref();
        side.cursed = count.has_cursed().then(|| CursedConversions::new(layout));
        last_due = last_due.max(start(layout, between, &exits, preset, mover, side)?);
        if layout.game.zeroing_limit().is_some() {
            side.converts = side.winning.clone();
        }
        if let Some(cursed) = &side.cursed {
            let words = layout.block_words();
            let both = side
                .converts
                .chunks_mut(words)
                .zip(cursed.wins.chunks(words));
            each(both, |(converts, cursed)| {
                for (converts, cursed) in converts.iter_mut().zip(cursed) {
                    *converts &= !*cursed;
                }
            });
        }
        if let Exits::Conversions(conversions) = &exits
            && layout.beside
        {
            let (pushed, due) = Pushed::start(layout, between, conversions, mover)?;
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
    let mut mover = Mover::new(layout, between);
    mover.forced = sides.each_ref().map(|side| side.forced.clone());
    if layout.passes == Passes::WhenStuck {
        find_stuck(&mut mover, &mut sides);
    }
    let longest_depth = iterate(&mover, &mut sides, &plies)?;
    Ok((sides, longest_depth))
}

impl Solution {
    /// The material's index in its default order of groups.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// The most plies that were counted for a win or a loss.
    pub fn longest_depth(&self) -> usize {
        self.longest_depth
    }

    /// Reads the depths by the indices of `index`, an index of the same material
    /// in any order of groups: 0 draw, n won in n plies, -(n + 1) lost in n
    /// plies for the side to move; [`UNUSED`] for an index without a position. They are the
    /// values of DTM tables if the plies count [to mate](Count::ToMate).
    pub fn depths<'a>(&'a self, index: &Index) -> GridReader<'a> {
        let values = self.answers.iter().map(|answers| answers.values());
        GridReader::new(&self.layout, index, values.collect())
    }

    /// Reads the results by the indices of `index`: the signs of the depths, which are the values
    /// of WDL tables in games without the fifty-move rule.
    pub fn winners<'a>(&'a self, index: &Index) -> GridReader<'a> {
        let winners = self.answers.iter().map(|answers| answers.winners());
        GridReader::new(&self.layout, index, winners.collect())
    }

    /// Goes on to results and distances with the fifty-move rule counted (O4).
    /// `limit` is the number of plies that a real win may take to its next
    /// zeroing move: [`Game::zeroing_limit`], or less in a test.
    ///
    /// If plies count [to mate](Count::ToMate), `find` gives the materials of
    /// [`successors`](super::successors), as made by [`Successor::of_wdl`], if any of them
    /// has cursed results; `None` says that none has. Otherwise it is not asked: what
    /// conversions lead to is known already.
    ///
    /// # Errors
    /// See [`SolveError`].
    pub fn zeroing(
        self,
        find: Option<&FindSuccessor<'_>>,
        limit: u32,
    ) -> Result<Zeroing, SolveError> {
        let limit = limit as usize;
        let find = find.filter(|_| self.count == Count::ToMate);
        let distances = self.distances(limit);
        let Solution {
            layout,
            mut answers,
            ..
        } = self;
        // Where checks are counted there is no such rule.
        let answers = answers.swap_remove(0);
        let (outcomes, longest) = answers.zeroing(&layout, find, limit, distances)?;
        Ok(Zeroing {
            layout,
            outcomes,
            longest,
        })
    }

    /// The longest distances if the plies count those to the next zeroing move and all are
    /// real: without pawns such a move is a conversion.
    fn distances(&self, limit: usize) -> Option<Longest> {
        let mut pieces = self.layout.pieces.iter();
        let counted = self.count == Count::ToConversion { cursed: false }
            && pieces.all(|piece| piece.piece_type != PieceType::Pawn);
        (counted && self.longest_depth <= limit).then_some(Longest {
            real: self.longest_depth,
            cursed: None,
        })
    }
}

#[cfg(test)]
mod tests;
