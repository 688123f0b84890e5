//! Compares WDL and DTZ under the fifty-move rule, in every position of every published material.
//!
//! A published file has one side to move. The distances of the other side, and those
//! of wins by a zeroing move, follow from the positions one ply further on, by moves
//! and rules that are not Retrograde's.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use retrograde_probe::{Dtz, Metric};
use retrograde_rules::{Colour, Game, Square};

use crate::diagram::Diagram;
use crate::ours::Endgame;
use crate::play::successors;
use crate::rtbz::{Distance, RTBZ, Rtbz};
use crate::sweep::{Findings, each};
use crate::syzygy::Syzygy;

/// Indices handled by one task.
const BATCH: u64 = 1 << 14;

/// The values of a position in Syzygy's tables.
#[derive(Clone, Copy, Default)]
struct Theirs {
    legal: bool,
    /// -2 to 2.
    wdl: i8,
    /// `None` until it is known.
    distance: Option<Distance>,
}

/// Compares WDL and DTZ: see [`each`].
pub fn run(folder: &Path, tables: &Path, which: (usize, &[String])) -> Result<bool> {
    each(folder, which, ["DTZ", "rounded"], |syzygy, name| {
        let sweep = Sweep {
            endgame: Endgame::open(Game::default(), tables, name, &[Metric::Wdl, Metric::Dtz])?,
            syzygy,
            file: Rtbz::open(folder, name, RTBZ)?,
        };
        sweep.run()
    })
}

/// The sweep over one material.
struct Sweep<'a> {
    endgame: Endgame,
    syzygy: &'a Syzygy,
    file: Rtbz,
}

impl Sweep<'_> {
    fn run(&self) -> Result<Findings> {
        // WDL first: pawn moves lead to positions of the same material.
        let results = Colour::BOTH.map(|turn| self.each(turn, |diagram| self.result(diagram)));
        let [white, black] = results;
        let results = [white?, black?];
        let stored = Colour::BOTH.map(|turn| self.stored(turn, &results));
        let [white, black] = stored;
        let stored = [white?, black?];
        let batches = (0..self.endgame.index.len().div_ceil(BATCH)).into_par_iter();
        batches
            .map(|batch| self.compare(&stored, batch * BATCH))
            .try_reduce(Findings::default, |a, b| Ok(a.and(b)))
    }

    /// Computes something for every index with one side to move.
    fn each(
        &self,
        turn: Colour,
        work: impl Fn(&Diagram) -> Result<Theirs> + Sync,
    ) -> Result<Vec<Theirs>> {
        let indices = (0..self.endgame.index.len()).into_par_iter();
        let theirs = indices.map(|index| {
            let diagram = self.endgame.placement(index, turn)?.diagram;
            let diagram = diagram.filter(Diagram::is_legal);
            diagram.map_or(Ok(Theirs::default()), |diagram| work(&diagram))
        });
        theirs.collect()
    }

    fn result(&self, diagram: &Diagram) -> Result<Theirs> {
        Ok(Theirs {
            legal: true,
            wdl: self.syzygy.wdl(diagram)?,
            distance: None,
        })
    }

    /// Adds the distances that are known from a zeroing move or the file.
    fn stored(&self, turn: Colour, results: &[Vec<Theirs>; 2]) -> Result<Vec<Theirs>> {
        let mine = &results[turn.index()];
        let indices = (0..self.endgame.index.len()).into_par_iter();
        let theirs = indices.map(|index| {
            let theirs = mine[index as usize];
            if theirs.wdl == 0 {
                return Ok(theirs);
            }
            let diagram = self.endgame.placement(index, turn)?.diagram;
            let diagram = diagram.filter(Diagram::is_legal);
            let diagram = diagram.context("a position that was legal before")?;
            let mut distance = self.file.distance(&diagram, theirs.wdl)?;
            if self.wins_by_zeroing(&diagram, theirs.wdl, results)? {
                distance = Some(Distance::exactly(1));
            } else if distance.is_some_and(|d| d.plies == 1) && theirs.wdl < 0 {
                // The file says the same of mates and of zeroing moves.
                let mut mated = true;
                successors(&diagram, |_, _| mated = false);
                if mated {
                    distance = Some(Distance::MATED);
                }
            }
            Ok(Theirs { distance, ..theirs })
        });
        theirs.collect()
    }

    /// Whether a capture or pawn move keeps a win.
    fn wins_by_zeroing(
        &self,
        diagram: &Diagram,
        wdl: i8,
        results: &[Vec<Theirs>; 2],
    ) -> Result<bool> {
        if wdl < 0 {
            return Ok(false);
        }
        let mut found = Ok(false);
        successors(diagram, |after, zeroing| {
            if !zeroing || !matches!(found, Ok(false)) {
                return;
            }
            found = self.result_after(after, results).map(|v| -v == wdl);
        });
        found
    }

    fn result_after(&self, after: &Diagram, results: &[Vec<Theirs>; 2]) -> Result<i8> {
        match self.index_of(after) {
            Some(index) if after.ep == 0 => Ok(results[after.turn][index].wdl),
            _ => self.syzygy.wdl(after),
        }
    }

    /// The index of a diagram; `None` if it is of another material.
    fn index_of(&self, diagram: &Diagram) -> Option<usize> {
        let mut squares = [Square(0); 8];
        let squares = &mut squares[..self.endgame.pieces().len()];
        let mut place = 0;
        while place < squares.len() {
            let piece = self.endgame.pieces()[place];
            let letter = piece.letter().to_ascii_uppercase() as u8;
            let mut set = diagram.squares(letter, piece.colour.index());
            if set == 0 {
                return None;
            }
            while set != 0 {
                *squares.get_mut(place)? = Square(set.trailing_zeros() as u8);
                set &= set - 1;
                place += 1;
            }
        }
        let all = diagram.sides[0] | diagram.sides[1];
        if all.count_ones() as usize != squares.len() {
            return None;
        }
        self.endgame
            .index
            .encode(squares)
            .map(|index| index as usize)
    }

    fn compare(&self, stored: &[Vec<Theirs>; 2], first: u64) -> Result<Findings> {
        let mut found = Findings::default();
        let last = self.endgame.index.len().min(first + BATCH);
        for (index, turn) in (first..last).flat_map(|n| Colour::BOTH.map(|turn| (n, turn))) {
            let theirs = stored[turn.index()][index as usize];
            if !theirs.legal {
                continue;
            }
            // Syzygy counts those differently: see O4 in docs/RULES.md.
            ensure!(theirs.wdl.abs() != 1, "cursed distances are not compared");
            let placement = self.endgame.placement(index, turn)?;
            let diagram = placement.diagram.filter(Diagram::is_legal);
            let (Some(position), Some(diagram)) = (placement.position, diagram) else {
                // Covered by the comparison of WDL.
                bail!("{} is illegal for one side only", self.endgame.material);
            };
            let ours = self.endgame.value(&position)?;
            found.compared += 1;
            let pair = index / self.endgame.index.indices_per_pair();
            found.whole += self.endgame.index.pair_weight(pair as usize);
            let agrees = if ours.wdl.number() != theirs.wdl {
                false
            } else if theirs.wdl == 0 {
                ours.dtz.is_none()
            } else {
                let theirs = match theirs.distance {
                    Some(distance) => distance,
                    None => self.search(&diagram, theirs.wdl, stored)?,
                };
                let longer = ours
                    .dtz
                    .map(|Dtz(ours)| i64::from(ours) - i64::from(theirs.plies));
                found.special += u64::from(longer == Some(1) && theirs.rounded);
                longer == Some(0) || longer == Some(1) && theirs.rounded
            };
            if !agrees {
                let (fen, theirs) = (position.fen(), theirs.wdl);
                found.differs(format!("{fen}: Retrograde {ours:?}, Syzygy {theirs}"));
            }
        }
        Ok(found)
    }

    /// The distance of a position that no zeroing move wins, from those after its
    /// quiet moves.
    fn search(&self, diagram: &Diagram, wdl: i8, stored: &[Vec<Theirs>; 2]) -> Result<Distance> {
        let mut best: Option<Distance> = None;
        let mut missing = false;
        successors(diagram, |after, zeroing| {
            let distance = if zeroing {
                // A loss may be by a zeroing move; a win is not.
                (wdl < 0).then_some(Distance::exactly(1))
            } else {
                let after = self.index_of(after).map(|n| stored[after.turn][n]);
                let after = after.filter(|after| after.wdl == -wdl);
                missing |= after.is_some_and(|after| after.distance.is_none());
                after.and_then(|after| after.distance).map(|d| Distance {
                    plies: d.plies + 1,
                    ..d
                })
            };
            if let Some(distance) = distance {
                best = Some(match best {
                    None => distance,
                    Some(best) => {
                        let better = match wdl > 0 {
                            true => distance.plies < best.plies,
                            false => distance.plies > best.plies,
                        };
                        let plies = if better { distance.plies } else { best.plies };
                        let rounded = distance.rounded || best.rounded;
                        let lost = distance.lost || best.lost;
                        Distance {
                            plies,
                            rounded,
                            lost,
                        }
                    }
                });
            }
        });
        ensure!(!missing, "a side to move that the file should have");
        Ok(best.unwrap_or(Distance::MATED))
    }
}
