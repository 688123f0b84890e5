//! Solves the fifty-move rule (O4): the plies to the next capture, pawn move or mate.
//!
//! It begins once the depths say who wins.
//!
//! The rule changes no winner, only whether a win counts, so draws remain draws, and all
//! other positions are open at first. Here captures and pawn moves are conversions, and
//! quiet moves are those of pieces. The loop is the one that counts plies to mate, and it
//! runs twice:
//!
//! * *real* results, up to the limit: conversions are zeroing moves to real
//!   results;
//! * *cursed* ones, from 1 again, for what is left: conversions are zeroing
//!   moves to cursed results. A quiet move to a position that needs all of the
//!   limit falls due a ply after it.
//!
//! A pawn move leads to a position of the same material, of which it must be known whether
//! its result is real. At first all are assumed to be. If all positions are then decided
//! within the limit, the assumption was right, by induction over the steps that pawns have
//! made. Otherwise the material is solved again, beginning with the positions with the most
//! steps made.

mod answers;
mod levels;
mod prepare;
mod rights;
mod successors;

use retrograde_rules::Colour;

use super::depth::Depth;
use super::depth::TooDeep;
use super::iterate::{Plies, iterate};
use super::layout::Layout;
use super::movement::Between;
use super::moves::{Mover, Movers};
use super::parallel::each;
use super::plane::Plane;
use super::side::{CursedConversions, Side};
use super::word::Word;
pub use answers::Zeroing;
pub(super) use answers::{Outcomes, of_distances, solve, wdl};
use levels::Levels;
use prepare::ZeroingPhase;
pub(super) use successors::look_up;

/// The results of the positions with one side to move, besides the number of plies. Positions with
/// an e.p. right are included.
pub(crate) struct Results<W> {
    pub(crate) drawn: Vec<W>,
    /// Won and lost, the fifty-move rule aside.
    pub(crate) won: Plane<W>,
    pub(crate) lost: Plane<W>,
    /// The ones that the fifty-move rule turns into draws.
    pub(crate) cursed: Vec<W>,
    /// Positions with an e.p. right, if the material has any.
    pub(crate) rights: Option<Plane<W>>,
    /// Positions with a move that leaves the material and really wins.
    pub(crate) converts: Vec<W>,
    /// Positions with a move that leaves the material and wins, but is cursed.
    pub(crate) converts_cursed: Vec<W>,
    /// Positions with a move that leaves the material and loses, but is blessed.
    pub(crate) blessed: Vec<W>,
}

impl<W: Word> Results<W> {
    /// The results of a side, by its depths. Leaves the positions in its cells in which the game
    /// is over, and nothing in its planes that is needed again.
    pub(crate) fn of_depths<D: Depth>(layout: &Layout, side: &mut Side<W, D>) -> Results<W> {
        let results = Results::of_distances(layout, side);
        let blocks = side.depth.chunks_mut(layout.block_positions());
        let drawn = results.drawn.chunks(layout.block_words());
        each(blocks.zip(drawn), |(cells, drawn)| {
            for (cells, drawn) in cells.chunks_exact_mut(layout.squares).zip(drawn) {
                for (bit, cell) in cells.iter_mut().enumerate() {
                    if *cell != D::of(0) || drawn.has(bit) {
                        *cell = D::NONE;
                    }
                }
            }
        });
        results
    }

    /// The results of a side, by the distances in its cells, which are left as they are.
    pub(crate) fn of_distances<D: Depth>(layout: &Layout, side: &mut Side<W, D>) -> Results<W> {
        let drawn = std::mem::replace(&mut side.open, Plane::new(layout));
        let winning = vec![W::ZERO; layout.words()];
        let winning = std::mem::replace(&mut side.winning, winning);
        let mut lost = vec![W::ZERO; layout.words()];
        let words = layout.block_words();
        let blocks = side.depth.chunks(layout.block_positions());
        let blocks = blocks.zip(lost.chunks_mut(words));
        let decided = drawn.words.chunks(words).zip(winning.chunks(words));
        each(blocks.zip(decided), |((cells, lost), (drawn, won))| {
            let cells = cells.chunks_exact(layout.squares);
            for ((cells, lost), (drawn, won)) in cells.zip(lost).zip(drawn.iter().zip(won)) {
                for (bit, cell) in cells.iter().enumerate() {
                    if *cell != D::NONE {
                        *lost |= W::of(bit);
                    }
                }
                *lost &= !(*drawn | *won);
            }
        });
        let cursed = side.cursed.take();
        let cursed = cursed.unwrap_or_else(|| CursedConversions::new(layout));
        Results {
            drawn: drawn.words,
            won: Plane::of_words(layout, winning),
            lost: Plane::of_words(layout, lost),
            cursed: vec![W::ZERO; layout.words()],
            rights: side.en_passant.take(),
            converts: std::mem::take(&mut side.converts),
            converts_cursed: cursed.wins,
            blessed: cursed.losses,
        }
    }

    /// The positions of a plane whose result is cursed, or real.
    fn those(&self, layout: &Layout, plane: &Plane<W>, cursed: bool) -> Plane<W> {
        let mut words = plane.words.clone();
        let blocks = words.chunks_mut(layout.block_words());
        let not_real = self.cursed.chunks(layout.block_words());
        each(blocks.zip(not_real), |(words, not_real)| {
            for (word, not_real) in words.iter_mut().zip(not_real) {
                *word &= match cursed {
                    true => *not_real,
                    false => !*not_real,
                };
            }
        });
        Plane::of_words(layout, words)
    }
}

/// The longest distances found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// Among real results: at most the limit.
    pub real: usize,
    /// Among cursed ones; `None` if there are none.
    pub cursed: Option<usize>,
}

/// Counts the plies to the next zeroing move into the cells of the sides. `limit` is the
/// most that a real result may take.
///
/// The game is over where a cell is 0. May be called again, with wider
/// cells, after it has failed.
pub(crate) fn zeroing<W: Word, D: Depth>(
    layout: &Layout,
    between: &Between<W>,
    results: &mut [Results<W>; 2],
    sides: &mut [Side<W, D>; 2],
    limit: usize,
) -> Result<Longest, TooDeep> {
    if limit >= D::MOST {
        return Err(TooDeep);
    }
    let levels = Levels::<W>::new(layout);
    let mut mover = Mover::new(layout, between);
    mover.stuck = sides.each_ref().map(|side| side.stuck.clone());
    mover.forced = sides.each_ref().map(|side| side.forced.clone());
    let mut task = Task {
        layout,
        mover,
        results,
        sides,
        limit,
        levels: &levels,
        level: None,
    };
    task.forget_cursed();
    let real = task.real()?;
    if levels.count() == 1 {
        let cursed = task.cursed(real)?;
        task.settle_rights();
        return Ok(Longest { real, cursed });
    }
    if task.is_done() && !task.settle_rights() {
        return Ok(Longest { real, cursed: None });
    }
    task.forget_cursed();
    let mut longest = Longest::default();
    for level in (0..levels.count()).rev() {
        task.level = Some(level);
        let real = task.real()?;
        longest.real = longest.real.max(real);
        longest.cursed = longest.cursed.max(task.cursed(real)?);
        task.settle_rights();
    }
    Ok(longest)
}

/// A run over the whole material, or over the positions of one level.
struct Task<'a, W: Word, D> {
    layout: &'a Layout,
    mover: Mover<'a, W>,
    results: &'a mut [Results<W>; 2],
    sides: &'a mut [Side<W, D>; 2],
    limit: usize,
    levels: &'a Levels<W>,
    /// The level; `None` for all levels.
    level: Option<usize>,
}

impl<W: Word, D: Depth> Task<'_, W, D> {
    /// Takes all results for real. Most materials have no others, so memory that has not
    /// been written to yet, and takes no place, is left alone.
    fn forget_cursed(&mut self) {
        for results in self.results.iter_mut() {
            let blocks = results.cursed.chunks_mut(self.mover.layout.block_words());
            each(blocks, |words| {
                let cursed = words.iter_mut().filter(|word| !word.is_empty());
                cursed.for_each(|word| *word = W::ZERO);
            });
        }
    }

    /// Opens the positions of the run and finds those with a real result.
    /// Returns the plies of the longest.
    fn real(&mut self) -> Result<usize, TooDeep> {
        for side in Colour::BOTH {
            self.prepare(side, &ZeroingPhase::Real);
        }
        let plies = Plies {
            first: 0,
            last: self.limit,
            last_due: 1,
            movers: Movers::Pieces,
        };
        iterate(&self.mover, self.sides, &plies)
    }

    /// Finds the cursed results among the positions that the real ones, the longest of which
    /// took `real` plies, have left open. Returns the plies of the longest, `None` if there
    /// are none.
    fn cursed(&mut self, real: usize) -> Result<Option<usize>, TooDeep> {
        if self.is_done() {
            return Ok(None);
        }
        for (results, side) in self.results.iter_mut().zip(&*self.sides) {
            let words = self.mover.layout.block_words();
            let open = side.open.words.chunks(words);
            each(
                results.cursed.chunks_mut(words).zip(open),
                |(cursed, open)| {
                    for (cursed, open) in cursed.iter_mut().zip(open) {
                        *cursed |= *open;
                    }
                },
            );
        }
        let mut last_due = 1;
        // The positions that took all of the limit; none if no position did.
        let late = self.sides.each_mut().map(|side| {
            let parity = self.limit % 2;
            (real == self.limit).then(|| {
                last_due = self.limit + 1;
                [&mut side.won, &mut side.lost].map(|plane| std::mem::take(&mut plane[parity]))
            })
        });
        for side in Colour::BOTH {
            let late = late[side.other().index()].as_ref();
            self.prepare(side, &ZeroingPhase::Cursed { late });
        }
        for (side, late) in self.sides.iter_mut().zip(late) {
            if let Some([won, lost]) = late {
                let parity = self.limit % 2;
                (side.won[parity], side.lost[parity]) = (won, lost);
            }
        }
        let plies = Plies {
            first: 1,
            last: usize::MAX,
            last_due,
            movers: Movers::Pieces,
        };
        let longest = iterate(&self.mover, self.sides, &plies)?;
        debug_assert!(self.is_done(), "every won or lost position has a distance");
        Ok(Some(longest))
    }

    /// Whether no position of the run is open.
    fn is_done(&self) -> bool {
        let mut rows = self.sides.iter().flat_map(|side| &side.open.any);
        rows.all(|lanes| lanes.is_empty())
    }
}
