//! Works out DTZ of a material, slice by slice, once its depths to mate are known.

use std::io;
use std::path::Path;

use retrograde_rules::Colour;

use super::super::depth::Depth;
use super::super::depth::TooDeep;
use super::super::error::SolveError;
use super::super::gather::{Values, select};
use super::super::layout::Layout;
use super::super::movement::Between;
use super::super::read::{GridValues, UNUSED};
use super::super::score;
use super::super::side::Side;
use super::super::start::Exits;
use super::super::successor::FindSuccessor;
use super::super::word::{BoardShape, Word};
use super::super::zeroing::{Longest, Outcomes, Results, look_up, wdl, zeroing};
use super::finished::{Kept, KeptCells, KeptPlane, Writer};
use super::scores::{Finished, PawnMoves, conversions};
use super::{FinishedDepths, Places, Sliced, undivided};

/// Continues from solved depths.
pub(super) fn solve<W: Word>(
    solved: Sliced<W>,
    find: Option<&FindSuccessor<'_>>,
    limit: usize,
) -> Result<(Box<dyn Outcomes>, Longest), SolveError> {
    let Sliced {
        board,
        places,
        slices,
        finished: depths,
        folder,
        ..
    } = solved;
    let mut task = Task {
        between: Between::<W>::new(board),
        places: &places,
        finished: Vec::new(),
        find,
        limit,
        folder: &folder,
    };
    let mut longest = Longest::default();
    for (layout, depths) in slices.iter().zip(depths) {
        let (slice, found) = match depths.wide {
            false => task.solve::<u8>(layout, &depths)?,
            true => task.solve::<u16>(layout, &depths)?,
        };
        task.finished.push(slice);
        longest.real = longest.real.max(found.real);
        longest.cursed = longest.cursed.max(found.cursed);
    }
    let finished = task.finished;
    let outcomes = SlicedOutcomes {
        board,
        places,
        finished,
    };
    Ok((Box::new(outcomes), longest))
}

/// The material, as far as it is solved.
struct Task<'a, W: Word> {
    between: Between<W>,
    places: &'a Places,
    finished: Vec<FinishedResults<W>>,
    find: Option<&'a FindSuccessor<'a>>,
    limit: usize,
    folder: &'a Path,
}

impl<W: Word> Task<'_, W> {
    /// Solves a slice, the first that is not finished.
    fn solve<D: Depth>(
        &self,
        layout: &Layout,
        depths: &FinishedDepths<W>,
    ) -> Result<(FinishedResults<W>, Longest), SolveError> {
        let mut sides = Colour::BOTH.map(|side| depths.side::<D>(layout, side));
        let mut results = sides
            .each_mut()
            .map(|side| Results::of_depths(layout, side));
        for (mover, results) in Colour::BOTH.into_iter().zip(&mut results) {
            self.look_up(layout, mover, results)?;
        }
        let between = &self.between;
        match zeroing(layout, between, &mut results, &mut sides, self.limit) {
            Ok(longest) => self.keep(&results, &sides).map(|kept| (kept, longest)),
            Err(TooDeep) => {
                let mut sides = sides.map(Side::widened);
                let longest = zeroing(layout, between, &mut results, &mut sides, self.limit)?;
                self.keep(&results, &sides).map(|kept| (kept, longest))
            }
        }
    }

    /// Looks up the moves of the outer pawns of a side, and its conversions if some
    /// successors have cursed results.
    fn look_up(
        &self,
        layout: &Layout,
        mover: Colour,
        results: &mut Results<W>,
    ) -> Result<(), SolveError> {
        let scores = match self.find {
            Some(find) => {
                results.converts.fill(W::ZERO);
                let rights = results.rights.as_ref().map(|plane| &plane.words);
                let decided = results.won.words.iter().zip(&results.lost.words);
                let placed = decided.enumerate().map(|(word, (won, lost))| {
                    (*won | *lost) & !rights.map_or(W::ZERO, |rights| rights[word])
                });
                let placed: Vec<W> = placed.collect();
                conversions(layout, &self.between, (mover, &placed), find)?
            }
            None => Vec::new(),
        };
        let exits = Exits::Slice {
            scores: &scores,
            moves: &PawnMoves {
                places: self.places,
                layout,
                mover,
                finished: &self.finished,
                score: score::of_wdl,
            },
        };
        look_up(layout, &self.between, &exits, results);
        Ok(())
    }

    fn keep<D: Depth>(
        &self,
        results: &[Results<W>; 2],
        sides: &[Side<W, D>; 2],
    ) -> Result<FinishedResults<W>, SolveError> {
        FinishedResults::keep(self.folder, results, sides)
            .map_err(|error| SolveError::keep(self.folder, &error))
    }
}

/// The results and distances of a slice.
struct FinishedResults<W> {
    kept: Kept,
    squares: usize,
    sides: [KeptResults<W>; 2],
}

/// The results of a slice with one side to move: see [`Results`].
struct KeptResults<W> {
    distance: KeptCells,
    drawn: KeptPlane<W>,
    won: KeptPlane<W>,
    lost: KeptPlane<W>,
    cursed: KeptPlane<W>,
    rights: Option<KeptPlane<W>>,
}

impl<W: Word> FinishedResults<W> {
    fn keep<D: Depth>(
        folder: &Path,
        results: &[Results<W>; 2],
        sides: &[Side<W, D>; 2],
    ) -> io::Result<FinishedResults<W>> {
        let mut writer = Writer::new(folder)?;
        let mut keep = |colour: Colour| -> io::Result<KeptResults<W>> {
            let results = &results[colour.index()];
            let rights = results.rights.as_ref();
            Ok(KeptResults {
                distance: writer.cells(&sides[colour.index()].depth)?,
                drawn: writer.plane(&results.drawn)?,
                won: writer.plane(&results.won.words)?,
                lost: writer.plane(&results.lost.words)?,
                cursed: writer.plane(&results.cursed)?,
                rights: rights.map(|plane| writer.plane(&plane.words)).transpose()?,
            })
        };
        let kept = [keep(Colour::White)?, keep(Colour::Black)?];
        Ok(FinishedResults {
            kept: writer.finish()?,
            squares: sides[0].depth.len() / sides[0].due.len(),
            sides: kept,
        })
    }

    fn distances(&self, turn: Colour, word: usize, n: usize) -> Values {
        let side = &self.sides[turn.index()];
        let plies = self.kept.plies(&side.distance, word * self.squares + 8 * n);
        // A draw's cell may hold the ply of a conversion that loses.
        select(self.kept.byte(&side.drawn, word, n), [UNUSED; 8], plies)
    }
}

impl<W: Word> Finished for FinishedResults<W> {
    fn values(&self, turn: Colour, word: usize, n: usize) -> Values {
        let side = &self.sides[turn.index()];
        let planes = [&side.drawn, &side.won, &side.lost, &side.cursed];
        wdl(planes.map(|plane| self.kept.byte(plane, word, n)))
    }

    fn rights(&self, turn: Colour, word: usize, n: usize) -> u8 {
        let rights = &self.sides[turn.index()].rights;
        let byte = |plane| self.kept.byte(plane, word, n);
        rights.as_ref().map_or(0, byte)
    }
}

/// The results and distances of a material.
struct SlicedOutcomes<W: Word> {
    board: W::Board,
    places: Places,
    finished: Vec<FinishedResults<W>>,
}

impl<W: Word> Outcomes for SlicedOutcomes<W> {
    fn wdl(&self) -> Box<dyn GridValues + '_> {
        let squares = self.board.squares();
        undivided(
            squares,
            &self.places,
            &self.finished,
            FinishedResults::values,
        )
    }

    fn dtz(&self) -> Box<dyn GridValues + '_> {
        let squares = self.board.squares();
        undivided(
            squares,
            &self.places,
            &self.finished,
            FinishedResults::distances,
        )
    }
}
