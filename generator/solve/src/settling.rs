//! What the moves that leave a material are worth, for all of its positions at once: finding
//! the side to move that a small table lacks takes it.

use retrograde_index::{Index, Wdl};
use retrograde_rules::{Colour, Game, Material};

use super::convert::Conversions;
use super::goal::keep_unfinished;
use super::grid::GridMap;
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::parallel::each;
use super::score::{self, Score, Verdict};
use super::solution::{FindSuccessor, Smaller, SolveError, find_all};
use super::squares::members;
use super::start::legal;
use super::word::{BoardShape, Word};
use super::words::with_word;

/// Cursed wins and blessed losses pass for wins and losses that take this many plies, so
/// that they come between the real ones and draws.
const CURSED: i16 = 1000;

/// The depth that a stored WDL value passes for in a [`Successor`](super::Successor) of
/// [`settling`].
pub fn depth_of_result(value: i16) -> i16 {
    match Wdl::from_value(value) {
        Wdl::Win => 1,
        Wdl::CursedWin => CURSED,
        Wdl::Draw => 0,
        Wdl::BlessedLoss => -CURSED - 1,
        Wdl::Loss => -2,
    }
}

/// The result of a move.
fn result(score: Score) -> Option<Wdl> {
    const LATE: usize = CURSED as usize;
    match score::verdict(score) {
        Verdict::None => None,
        Verdict::Loss(..LATE) => Some(Wdl::Loss),
        Verdict::Loss(_) => Some(Wdl::BlessedLoss),
        Verdict::Draw => Some(Wdl::Draw),
        Verdict::Win(..LATE) => Some(Wdl::Win),
        Verdict::Win(_) => Some(Wdl::CursedWin),
    }
}

/// The best move that leaves the material, for each side to move and each index of `index`,
/// as `number` makes it a number: that of `Some(None)` if there is no such move, and that of
/// `None` for an index that stands for no position, or not for the first of those that are
/// the same. `find` gives the successors, made of depths as [`depth_of_result`] says. Runs in
/// the current rayon pool.
///
/// # Errors
/// See [`SolveError`].
pub fn settling(
    game: Game,
    index: &Index,
    find: &FindSuccessor<'_>,
    number: impl Fn(Option<Option<Wdl>>) -> u8 + Sync,
) -> Result<[Vec<u8>; 2], SolveError> {
    let smaller = find_all(game, index.material(), find)?;
    numbers(game, index, Some(&smaller), &number)
}

/// Which positions are legal: for each side to move and each index of `index` 1 if it stands
/// for a position, and is the first of those that are the same, else 0. Runs in the current
/// rayon pool.
///
/// # Errors
/// See [`SolveError`].
pub fn legal_positions(game: Game, index: &Index) -> Result<[Vec<u8>; 2], SolveError> {
    numbers(game, index, None, &|result| u8::from(result.is_some()))
}

/// Gives the number of a result.
type Number<'a> = dyn Fn(Option<Option<Wdl>>) -> u8 + Sync + 'a;

/// Without successors every position has the number of `Some(None)`.
fn numbers(
    game: Game,
    index: &Index,
    smaller: Option<&Smaller>,
    number: &Number<'_>,
) -> Result<[Vec<u8>; 2], SolveError> {
    let layout = Layout::to_solve(game, index.material())?;
    let map = GridMap::with_index(&layout, index);
    with_word!(game, W => {
        let between = &Between::<W>::new(layout.board::<W>());
        Ok(Colour::BOTH.map(|turn| {
            let conversions = smaller.map(|smaller| {
                Conversions::new(&layout, turn, |material: &Material| &*smaller[material])
            });
            let side = Side {
                layout: &layout,
                between,
                conversions: conversions.as_ref(),
                turn,
                number,
            };
            side.numbers(index, &map)
        }))
    })
}

/// A side to move.
struct Side<'a, W: Word> {
    layout: &'a Layout,
    between: &'a Between<W>,
    conversions: Option<&'a Conversions<'a>>,
    turn: Colour,
    number: &'a Number<'a>,
}

/// How many indices or rows are worked on at once.
const AT_ONCE: usize = 1 << 14;

impl<W: Word> Side<'_, W> {
    fn numbers(&self, index: &Index, map: &GridMap) -> Vec<u8> {
        let layout = self.layout;
        let mut numbers = vec![0; index.len() as usize];
        if layout.is_led() {
            let indices = index.indices_per_pair() as usize;
            each(numbers.chunks_mut(indices).enumerate(), |(block, out)| {
                let mut places = vec![0; layout.block_positions()];
                self.fill_rows(block, 0, &mut places);
                let mut values = vec![0; indices];
                let first = (block * indices) as u64;
                map.gather_values(block, first..first + indices as u64, &places, &mut values);
                for (out, value) in out.iter_mut().zip(values) {
                    *out = value as u8;
                }
            });
        } else {
            // One block, in which indices are anywhere.
            let rows = (AT_ONCE / layout.row_positions()).max(1);
            let mut places = vec![0; layout.block_positions()];
            let parts = places.chunks_mut(rows * layout.row_positions());
            each(parts.enumerate(), |(part, places)| {
                self.fill_rows(0, part * rows, places);
            });
            each(numbers.chunks_mut(AT_ONCE).enumerate(), |(part, out)| {
                let first = (part * AT_ONCE) as u64;
                let mut next = out.iter_mut();
                map.gather(first..first + next.len() as u64, |place| {
                    if let Some(out) = next.next() {
                        *out = places[place] as u8;
                    }
                });
            });
        }
        if index.has_equal_leaders() {
            let no_position = (self.number)(None);
            let mut next = numbers.iter_mut();
            index.each_canonical(0..index.len(), |is_canonical| {
                if let Some(number) = next.next().filter(|_| !is_canonical) {
                    *number = no_position;
                }
            });
        }
        numbers
    }

    /// Writes the numbers of some rows of a block.
    fn fill_rows(&self, block: usize, first: usize, places: &mut [i16]) {
        let layout = self.layout;
        let squares = layout.board::<W>().squares();
        let no_position = i16::from((self.number)(None));
        let conversions = self.conversions.map(|all| all.in_block::<W>(block));
        let mut scores = vec![score::NONE; layout.row_positions()];
        for (row, places) in (first..).zip(places.chunks_exact_mut(layout.row_positions())) {
            let at = RowAt::<W>::new(layout, block, row);
            let legal = legal(layout, self.between, &at, self.turn);
            let legal = &legal.as_ref()[..layout.lanes];
            scores.fill(score::NONE);
            if let Some(conversions) = &conversions {
                // A finished game has no moves.
                let mut unfinished = legal.to_vec();
                keep_unfinished(layout, &at, self.turn, &mut unfinished);
                conversions.raise(self.between, &at, &unfinished, &mut scores);
            }
            let lanes = places.chunks_exact_mut(squares);
            for ((places, scores), legal) in lanes.zip(scores.chunks_exact(squares)).zip(legal) {
                places.fill(no_position);
                for bit in members(*legal) {
                    places[bit] = i16::from((self.number)(Some(result(scores[bit]))));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order_as_depths() {
        for wdl in Wdl::ALL {
            let score = score::of_child(depth_of_result(wdl.to_value()));
            assert_eq!(result(score), Some(wdl.reversed()));
        }
        let scores = Wdl::ALL.map(|wdl| score::of_child(depth_of_result(wdl.to_value())));
        assert!(scores.is_sorted(), "the worse it is for them, the better");
        assert_eq!(result(score::NONE), None);
        assert_eq!(result(score::WINS_AT_ONCE), Some(Wdl::Win));
        assert_eq!(result(score::LOST), Some(Wdl::Loss));
        assert_eq!(result(score::LOSES), Some(Wdl::Loss));
    }
}
