//! Scores the best move out of a material for each of its positions, and lists the legal ones.
//!
//! It does so for all positions with one side to move at once.

use retrograde_index::Index;
use retrograde_rules::{Colour, Game, Material};

use super::attack::legal_in_row;
use super::convert::Conversions;
use super::error::SolveError;
use super::goal::keep_unfinished;
use super::grid::GridMap;
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::parallel::each;
use super::score::{self, Score};
use super::successor::Smaller;
use super::word::Word;
use super::words::with_word;

/// Stands in [`best_exits`] for an index that is no position, or not the first of those that are
/// the same.
pub(super) const NO_POSITION: Score = Score::MAX;

/// The legal positions of a material by side to move: for each index of `index` 1 if it stands for
/// a position and is canonical, else 0. Runs in the current rayon pool.
///
/// # Errors
///
/// See [`SolveError`].
pub fn legal_positions(game: Game, index: &Index) -> Result<[Vec<u8>; 2], SolveError> {
    let [white, black] = Colour::BOTH.map(|turn| best_exits(game, index, turn, None));
    let is_legal = |exits: Vec<Score>| {
        let exits = exits.into_iter();
        let legal: Vec<u8> = exits.map(|exit| u8::from(exit != NO_POSITION)).collect();
        // It does not depend on the counters.
        legal.repeat(index.layers() as usize)
    };
    Ok([is_legal(white?), is_legal(black?)])
}

/// The value of the best move that leaves the material, for each index of `index`:
/// [`score::NONE`] if there is none, or [`NO_POSITION`]. Without successors no move leaves it.
pub(super) fn best_exits(
    game: Game,
    index: &Index,
    turn: Colour,
    smaller: Option<&Smaller>,
) -> Result<Vec<Score>, SolveError> {
    let layout = Layout::to_solve(game, index.material())?;
    let conversions = smaller
        .map(|smaller| Conversions::new(&layout, turn, |material: &Material| &*smaller[material]));
    with_word!(game, W => {
        let side = Side {
            layout: &layout,
            between: &Between::<W>::new(layout.board::<W>()),
            conversions: conversions.as_ref(),
            turn,
        };
        Ok(side.exits(index))
    })
}

/// A side to move.
struct Side<'a, W: Word> {
    layout: &'a Layout,
    between: &'a Between<W>,
    conversions: Option<&'a Conversions<'a>>,
    turn: Colour,
}

/// The number of indices or rows that a task works on.
const AT_ONCE: usize = 1 << 14;

/// A value for each index of the first layer of `index`; `fill` writes those of some rows of a
/// block, from a given one on, over `empty`.
pub(super) fn by_index<T: Copy + Send + Sync>(
    layout: &Layout,
    index: &Index,
    empty: T,
    fill: &(dyn Fn(usize, usize, &mut [T]) + Sync),
) -> Vec<T> {
    let map = &GridMap::with_index(layout, index);
    let mut values = vec![empty; index.layer_len() as usize];
    if layout.is_led() {
        let indices = index.indices_per_pair() as usize;
        each(values.chunks_mut(indices).enumerate(), |(block, out)| {
            let mut places = vec![empty; layout.block_positions()];
            fill(block, 0, &mut places);
            let first = (block * indices) as u64;
            map.gather_values(block, first..first + indices as u64, &places, out);
        });
        return values;
    }
    // One block, in which indices are anywhere.
    let rows = (AT_ONCE / layout.row_positions()).max(1);
    let mut places = vec![empty; layout.block_positions()];
    let parts = places.chunks_mut(rows * layout.row_positions());
    each(parts.enumerate(), |(part, places)| {
        fill(0, part * rows, places);
    });
    each(values.chunks_mut(AT_ONCE).enumerate(), |(part, out)| {
        let first = (part * AT_ONCE) as u64;
        let mut next = out.iter_mut();
        map.gather(first..first + next.len() as u64, |place| {
            if let Some(out) = next.next() {
                *out = places[place];
            }
        });
    });
    values
}

impl<W: Word> Side<'_, W> {
    fn exits(&self, index: &Index) -> Vec<Score> {
        let fill = |block, first, places: &mut [Score]| self.fill_rows(block, first, places);
        let mut exits = by_index(self.layout, index, score::NONE, &fill);
        if index.has_equal_leaders() {
            let mut next = exits.iter_mut();
            index.each_canonical(0..index.layer_len(), |is_canonical| {
                if let Some(exit) = next.next().filter(|_| !is_canonical) {
                    *exit = NO_POSITION;
                }
            });
        }
        exits
    }

    /// Writes the values of some rows of a block.
    fn fill_rows(&self, block: usize, first: usize, places: &mut [Score]) {
        let layout = self.layout;
        let conversions = self.conversions.map(|all| all.in_block::<W>(block));
        for (row, places) in (first..).zip(places.chunks_exact_mut(layout.row_positions())) {
            let at = RowAt::<W>::new(layout, block, row);
            let legal = legal_in_row(layout, self.between, &at, self.turn);
            let legal = &legal.as_ref()[..layout.lanes];
            if let Some(conversions) = &conversions {
                // A finished game has no moves.
                let mut unfinished = legal.to_vec();
                keep_unfinished(layout, self.between, &at, self.turn, &mut unfinished);
                conversions.raise(self.between, &at, &mut unfinished, places);
            }
            for (places, legal) in places.chunks_exact_mut(layout.squares).zip(legal) {
                for (bit, place) in places.iter_mut().enumerate() {
                    if !legal.has(bit) {
                        *place = NO_POSITION;
                    }
                }
            }
        }
    }
}
