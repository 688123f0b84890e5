//! Solves a material with pawns in slices, of which only one is in memory at a time.
//!
//! Pawns only go forward, so the rows of a grid are divided by the steps that the outer
//! pawns have made in all ([`Layout::slices`]). Those with the most steps are solved first,
//! and a move of an outer pawn is a conversion: it leads to a slice that is finished. What
//! is finished is [`kept`] in a file. The values are the same as those of the whole grid.

mod finished;
mod scores;
mod zeroing;

use std::io;
use std::path::{Path, PathBuf};

use retrograde_rules::{Colour, Game, Material};

use super::attack::legal_in_row;
use super::depth::Depth;
use super::error::SolveError;
use super::gather::Values;
use super::goal::keep_unfinished;
use super::iterate::{Plies, iterate};
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::moves::{Mover, Movers};
use super::parallel::each;
use super::plane::Plane;
use super::read::{FromGrid, GridValues};
use super::score::{self, Score, scored};
use super::side::{CursedConversions, Side};
use super::solution::{Answers, Count, Solution, depths, signs};
use super::start::{Exits, start};
use super::successor::FindSuccessor;
use super::word::{BoardShape, Word};
use super::words::with_word;
use super::zeroing::{Longest, Outcomes};
use finished::{Kept, KeptCells, KeptPlane, Writer};
use scores::{Finished, PawnMoves, conversions};

/// Solves a material as [`solve`](super::solve) does, but in slices; `None` if the material cannot
/// be divided, because it has no pawns, or because its pawns do not only go forward. Finished
/// slices are kept in unnamed files in `folder`.
///
/// # Errors
///
/// See [`SolveError`].
pub fn solve_in_slices(
    game: Game,
    material: &Material,
    count: Count,
    find: &FindSuccessor<'_>,
    folder: &Path,
) -> Result<Option<Solution>, SolveError> {
    match Layout::to_divide(game, material)? {
        Some(layout) => {
            with_word!(game, W => solve_with::<W, u8>(layout, count, find, folder)).map(Some)
        }
        None => Ok(None),
    }
}

/// Solves in slices, trying cells of type `D` first.
pub(super) fn solve_with<W: Word, D: Depth>(
    layout: Layout,
    count: Count,
    find: &FindSuccessor<'_>,
    folder: &Path,
) -> Result<Solution, SolveError> {
    let slices = layout.slices::<W>();
    let mut solved = Sliced::<W> {
        board: layout.board::<W>(),
        places: Places::new(&layout, &slices),
        finished: Vec::new(),
        slices,
        count,
        folder: folder.to_owned(),
    };
    let mut longest_depth = 0;
    for number in 0..solved.slices.len() {
        let (slice, longest) = match solved.solve::<D>(number, find) {
            Err(SolveError::TooDeep) => solved.solve::<u16>(number, find)?,
            other => other?,
        };
        solved.finished.push(slice);
        longest_depth = longest.max(longest_depth);
    }
    Ok(Solution {
        layout,
        count,
        answers: vec![Box::new(solved)],
        longest_depth,
    })
}

/// The places in slices of the rows of the undivided grid.
pub(super) struct Places {
    /// The slice of each of these rows, and its row in that.
    rows: Vec<(u32, u32)>,
    /// The number of rows of each slice.
    counts: Vec<usize>,
    lanes: usize,
}

impl Places {
    fn new(layout: &Layout, slices: &[Layout]) -> Places {
        let mut rows = vec![(0, 0); layout.rows];
        for (number, slice) in (0..).zip(slices) {
            for (place, undivided) in (0..).zip(slice.undivided_rows()) {
                rows[*undivided as usize] = (number, place);
            }
        }
        Places {
            rows,
            counts: slices.iter().map(|slice| slice.rows).collect(),
            lanes: layout.lanes,
        }
    }

    /// The slice of a row of the undivided grid, the row in it, and how many rows it has.
    fn row(&self, undivided: usize) -> (usize, usize, usize) {
        let (slice, row) = self.rows[undivided];
        (slice as usize, row as usize, self.counts[slice as usize])
    }

    /// The slice of a word of the undivided grid, and the word in it.
    #[inline(always)]
    fn word(&self, undivided: usize) -> (usize, usize) {
        let (row, lane) = (undivided / self.lanes, undivided % self.lanes);
        let (block, row) = (row / self.rows.len(), row % self.rows.len());
        let (slice, row, rows) = self.row(row);
        (slice, (block * rows + row) * self.lanes + lane)
    }
}

/// A material that is solved in slices.
struct Sliced<W: Word> {
    board: W::Board,
    places: Places,
    /// The layouts of the slices, in the order in which they are solved.
    slices: Vec<Layout>,
    finished: Vec<FinishedDepths<W>>,
    count: Count,
    folder: PathBuf,
}

/// The depths of a slice.
struct FinishedDepths<W> {
    kept: Kept,
    squares: usize,
    sides: [KeptSide<W>; 2],
    wide: bool,
}

/// The planes of a slice with one side to move: see [`Side`].
struct KeptSide<W> {
    depth: KeptCells,
    open: KeptPlane<W>,
    winning: KeptPlane<W>,
    converts: Option<KeptPlane<W>>,
    /// Wins and losses.
    cursed: Option<[KeptPlane<W>; 2]>,
    rights: Option<KeptPlane<W>>,
}

impl<W: Word> Sliced<W> {
    /// Solves a slice, the first that is not finished. Returns it and its longest depth in
    /// plies.
    fn solve<D: Depth>(
        &self,
        number: usize,
        find: &FindSuccessor<'_>,
    ) -> Result<(FinishedDepths<W>, usize), SolveError> {
        let layout = &self.slices[number];
        let between = Between::<W>::new(self.board);
        let (white, white_due) = self.start::<D>(layout, &between, Colour::White, find)?;
        let (black, black_due) = self.start::<D>(layout, &between, Colour::Black, find)?;
        let mut sides = [white, black];
        let plies = Plies {
            first: 0,
            last: usize::MAX,
            last_due: white_due.max(black_due),
            movers: Movers::All,
        };
        let longest = iterate(&Mover::new(layout, &between), &mut sides, &plies)?;
        let kept = FinishedDepths::keep(&self.folder, &sides)
            .map_err(|error| SolveError::keep(&self.folder, &error))?;
        Ok((kept, longest))
    }

    /// A side before the first ply, and the ply at which its last conversion falls due.
    fn start<D: Depth>(
        &self,
        layout: &Layout,
        between: &Between<W>,
        mover: Colour,
        find: &FindSuccessor<'_>,
    ) -> Result<(Side<W, D>, usize), SolveError> {
        let legal = placements(layout, between, mover);
        let scores = conversions(layout, between, (mover, &legal), find)?;
        drop(legal);
        let between_scores = |least, most| {
            let mut words = vec![W::ZERO; layout.words()];
            let blocks = words.chunks_mut(layout.block_words());
            each(
                blocks.zip(scores.chunks(layout.block_positions())),
                |(words, scores)| {
                    for (word, scores) in words.iter_mut().zip(scores.chunks_exact(layout.squares))
                    {
                        *word = scored(scores, least, most);
                    }
                },
            );
            words
        };
        let cursed = self.count.has_cursed();
        let least = match cursed {
            true => score::WINS,
            false => score::DRAW + 1,
        };
        let converts = match layout.game.zeroing_limit() {
            Some(_) => between_scores(least, Score::MAX),
            None => Vec::new(),
        };
        let mut side = Side {
            converts,
            cursed: cursed.then(|| CursedConversions {
                wins: between_scores(score::WINS_CURSED, score::WINS_CURSED),
                losses: between_scores(score::LOSES_BLESSED, score::LOSES_BLESSED),
            }),
            ..Side::new(layout)
        };
        let exits = Exits::Slice {
            scores: &scores,
            moves: &PawnMoves {
                places: &self.places,
                layout,
                mover,
                finished: &self.finished,
                score: score::of_child,
            },
        };
        let last_due = start(layout, between, &exits, None, mover, &mut side)?;
        Ok((side, last_due))
    }
}

/// The legal positions of a slice, without those in which the game is over.
fn placements<W: Word>(layout: &Layout, between: &Between<W>, mover: Colour) -> Vec<W> {
    let mut all = vec![W::ZERO; layout.words()];
    each(
        all.chunks_mut(layout.block_words()).enumerate(),
        |(block, words)| {
            for (row, words) in words.chunks_exact_mut(layout.lanes).enumerate() {
                let at = RowAt::<W>::new(layout, block, row);
                words.copy_from_slice(
                    &legal_in_row(layout, between, &at, mover).as_ref()[..words.len()],
                );
                keep_unfinished(layout, between, &at, mover, words);
            }
        },
    );
    all
}

/// Values of the undivided grid, given those of its slices, which are all finished.
fn undivided<'s, S: Sync>(
    squares: usize,
    places: &'s Places,
    finished: &'s [S],
    value: impl Fn(&S, Colour, usize, usize) -> Values + Send + Sync + 's,
) -> Box<dyn GridValues + 's> {
    let locate = |word| places.word(word);
    let value =
        move |turn, (slice, word): (usize, usize), n| value(&finished[slice], turn, word, n);
    Box::new(FromGrid::new(squares, locate, value))
}

impl<W: Word> FinishedDepths<W> {
    fn keep<D: Depth>(folder: &Path, sides: &[Side<W, D>; 2]) -> io::Result<FinishedDepths<W>> {
        let mut writer = Writer::new(folder)?;
        let mut keep = |side: &Side<W, D>| -> io::Result<KeptSide<W>> {
            let converts = Some(&side.converts).filter(|words| !words.is_empty());
            let rights = side.en_passant.as_ref().map(|plane| &plane.words);
            Ok(KeptSide {
                depth: writer.cells(&side.depth)?,
                open: writer.plane(&side.open.words)?,
                winning: writer.plane(&side.winning)?,
                converts: converts.map(|words| writer.plane(words)).transpose()?,
                cursed: match &side.cursed {
                    Some(all) => Some([writer.plane(&all.wins)?, writer.plane(&all.losses)?]),
                    None => None,
                },
                rights: rights.map(|words| writer.plane(words)).transpose()?,
            })
        };
        let [white, black] = sides;
        let sides = [keep(white)?, keep(black)?];
        Ok(FinishedDepths {
            kept: writer.finish()?,
            squares: white.depth.len() / white.due.len(),
            sides,
            wide: size_of::<D>() > 1,
        })
    }

    /// A side as it was after the last ply.
    fn side<D: Depth>(&self, layout: &Layout, colour: Colour) -> Side<W, D> {
        let kept = &self.sides[colour.index()];
        let count = layout.words();
        let words = |plane: &KeptPlane<W>| self.kept.words(plane, count);
        let rights = kept.rights.as_ref().map(words);
        Side {
            open: Plane::of_words(layout, words(&kept.open)),
            winning: words(&kept.winning),
            converts: kept.converts.as_ref().map_or_else(Vec::new, words),
            cursed: kept
                .cursed
                .as_ref()
                .map(|[wins, losses]| CursedConversions {
                    wins: words(wins),
                    losses: words(losses),
                }),
            depth: self.kept.cells(&kept.depth, count * layout.squares),
            en_passant: rights.map(|words| Plane::of_words(layout, words)),
            ..Side::new(layout)
        }
    }
}

impl<W: Word> Finished for FinishedDepths<W> {
    #[inline(always)]
    fn values(&self, turn: Colour, word: usize, n: usize) -> Values {
        let side = &self.sides[turn.index()];
        let plies = self.kept.plies(&side.depth, word * self.squares + 8 * n);
        let won = self.kept.byte(&side.winning, word, n);
        depths(plies, won, self.kept.byte(&side.open, word, n))
    }

    #[inline(always)]
    fn rights(&self, turn: Colour, word: usize, n: usize) -> u8 {
        let rights = &self.sides[turn.index()].rights;
        let byte = |plane| self.kept.byte(plane, word, n);
        rights.as_ref().map_or(0, byte)
    }
}

impl<W: Word> Answers for Sliced<W> {
    fn values(&self) -> Box<dyn GridValues + '_> {
        let squares = self.board.squares();
        undivided(
            squares,
            &self.places,
            &self.finished,
            FinishedDepths::values,
        )
    }

    fn winners(&self) -> Box<dyn GridValues + '_> {
        let squares = self.board.squares();
        undivided(
            squares,
            &self.places,
            &self.finished,
            |slice, turn, word, n| signs(slice.values(turn, word, n)),
        )
    }

    fn zeroing(
        self: Box<Self>,
        _: &Layout,
        find: Option<&FindSuccessor<'_>>,
        limit: usize,
        _: Option<Longest>,
    ) -> Result<(Box<dyn Outcomes>, Longest), SolveError> {
        // What is divided has pawns, so there are no distances yet.
        zeroing::solve(*self, find, limit)
    }
}
