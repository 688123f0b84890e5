//! Solves a material for WDL and DTZ with the fifty-move rule counted, and reads both by index.

use retrograde_index::Index;
use retrograde_index::Wdl;
use retrograde_rules::Colour;

use super::super::convert::Conversions;
use super::super::depth::Depth;
use super::super::depth::TooDeep;
use super::super::gather::{Values, plies, select};
use super::super::layout::Layout;
use super::super::movement::Between;
use super::super::read::UNUSED;
use super::super::read::{FromGrid, GridReader, GridValues};
use super::super::side::Side;
use super::super::start::Exits;
use super::super::successor::Smaller;
use super::super::word::{BoardShape, Word};
use super::successors::look_up;
use super::{Longest, Results, zeroing};

/// The wdl value and the distance to the next zeroing move of every position of a
/// material, without e.p. rights.
pub struct Zeroing {
    pub(in super::super) layout: Layout,
    pub(in super::super) outcomes: Box<dyn Outcomes>,
    pub(in super::super) longest: Longest,
}

impl Zeroing {
    /// The material's index in its default order of groups.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// The longest distances.
    pub fn longest(&self) -> Longest {
        self.longest
    }

    /// Reads wdl values by the indices of `index`, an index of the same material in
    /// any order of groups: see [`Wdl::from_value`].
    pub fn wdl<'a>(&'a self, index: &Index) -> GridReader<'a> {
        GridReader::new(&self.layout, index, vec![self.outcomes.wdl()])
    }

    /// Reads the plies to the next zeroing move by the indices of `index`; [`UNUSED`] for draws.
    pub fn dtz<'a>(&'a self, index: &Index) -> GridReader<'a> {
        GridReader::new(&self.layout, index, vec![self.outcomes.dtz()])
    }
}

/// The outcomes that are kept of a solved material, whatever its types of word and cell.
pub(in super::super) trait Outcomes: Send + Sync {
    fn wdl(&self) -> Box<dyn GridValues + '_>;
    fn dtz(&self) -> Box<dyn GridValues + '_>;
}

/// The results and distances of a solved material, by side to move.
struct Solved<W: Word, D> {
    board: W::Board,
    results: [Results<W>; 2],
    distances: [Vec<D>; 2],
}

impl<W: Word, D: Depth> Outcomes for Solved<W, D> {
    fn wdl(&self) -> Box<dyn GridValues + '_> {
        let wdl = |turn: Colour, word: usize, n| {
            let results = &self.results[turn.index()];
            let planes = [
                &results.drawn,
                &results.won.words,
                &results.lost.words,
                &results.cursed,
            ];
            wdl(planes.map(|plane| plane[word].byte(n)))
        };
        Box::new(FromGrid::new(self.board.squares(), |word| word, wdl))
    }

    fn dtz(&self) -> Box<dyn GridValues + '_> {
        let dtz = |turn: Colour, word: usize, n| {
            let first = word * self.board.squares() + 8 * n;
            let plies = plies(&self.distances[turn.index()], first, UNUSED);
            let drawn = self.results[turn.index()].drawn[word].byte(n);
            // A draw's cell may hold the ply of a conversion that loses.
            select(drawn, [UNUSED; 8], plies)
        };
        Box::new(FromGrid::new(self.board.squares(), |word| word, dtz))
    }
}

/// Eight wdl values, given which positions are drawn, won, lost, and cursed.
#[inline(always)]
pub(in super::super) fn wdl([drawn, won, lost, cursed]: [u8; 4]) -> Values {
    let all = |wdl: Wdl| [wdl.to_value(); 8];
    let win = select(cursed, all(Wdl::CursedWin), all(Wdl::Win));
    let loss = select(cursed, all(Wdl::BlessedLoss), all(Wdl::Loss));
    let values = select(won, win, select(lost, loss, [UNUSED; 8]));
    select(drawn, all(Wdl::Draw), values)
}

/// The outcomes where the depths are the distances, and all results are real.
pub(in super::super) fn of_distances<W: Word, D: Depth>(
    layout: &Layout,
    mut sides: [Side<W, D>; 2],
) -> Box<dyn Outcomes> {
    let results = sides
        .each_mut()
        .map(|side| Results::of_distances(layout, side));
    Box::new(Solved {
        board: layout.board::<W>(),
        results,
        distances: sides.map(|side| side.depth),
    })
}

/// Continues from solved depths.
pub(in super::super) fn solve<W: Word, D: Depth>(
    layout: &Layout,
    mut sides: [Side<W, D>; 2],
    smaller: Option<Smaller>,
    limit: usize,
) -> Result<(Box<dyn Outcomes>, Longest), TooDeep> {
    let board = layout.board::<W>();
    let between = Between::<W>::new(board);
    let mut results = sides
        .each_mut()
        .map(|side| Results::of_depths(layout, side));
    if let Some(smaller) = &smaller {
        for (mover, results) in Colour::BOTH.into_iter().zip(&mut results) {
            results.converts.fill(W::ZERO);
            let conversions = Conversions::new(layout, mover, |material| &smaller[material]);
            let exits = Exits::Conversions(conversions);
            look_up(layout, &between, &exits, results);
        }
    }
    drop(smaller);
    if let Ok(longest) = zeroing(layout, &between, &mut results, &mut sides, limit) {
        let distances = sides.map(|side| side.depth);
        return Ok((
            Box::new(Solved {
                board,
                results,
                distances,
            }),
            longest,
        ));
    }
    let mut sides = sides.map(Side::widened);
    let longest = zeroing(layout, &between, &mut results, &mut sides, limit)?;
    let distances = sides.map(|side| side.depth);
    Ok((
        Box::new(Solved {
            board,
            results,
            distances,
        }),
        longest,
    ))
}
