//! One class and the smaller ones that its moves lead to.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bitvec::vec::BitVec;
use rayon::prelude::*;
use retrograde_probe::{Metric, Table, TableError, needs_no_table, score};
use retrograde_rules::{Colour, Game, Kind, Man, Material, Move, MoveList, Position, Square};

use super::derive::derive;
use super::journal::State;
use super::{Observer, VerifyError, Wrong};
use crate::generate::{open, read_side};

/// Numbers a task where values are unpacked, and where each is looked up.
const CHUNK: u64 = 1 << 14;
const SLOW_CHUNK: u64 = 1 << 6;
/// Tasks between two looks at the observer.
const BATCH: u64 = 64;
/// How often progress is kept.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// The depths of a class.
struct Depths {
    material: Material,
    men: Vec<Man>,
    table: Table,
    /// All values by side to move, if they were unpacked beforehand.
    values: Option<[Vec<i16>; 2]>,
}

impl Depths {
    fn open(
        game: Game,
        material: &Material,
        folders: &[&Path],
        unpack: bool,
    ) -> Result<Depths, VerifyError> {
        let table = find(game, material, Metric::Depth, folders)?;
        let values = if unpack {
            let [white, black] = Colour::BOTH.map(|turn| read_side(&table, turn));
            Some([white?, black?])
        } else {
            None
        };
        Ok(Depths {
            material: *material,
            men: material.men().collect(),
            table,
            values,
        })
    }

    fn get(&self, turn: Colour, number: u64) -> Result<i16, TableError> {
        match &self.values {
            Some(values) => Ok(values[turn.index()][number as usize]),
            None => self.table.get(turn, number),
        }
    }
}

fn find(
    game: Game,
    material: &Material,
    metric: Metric,
    folders: &[&Path],
) -> Result<Table, VerifyError> {
    open(game, material, metric, folders.iter().copied())?.ok_or_else(|| VerifyError::Missing {
        game: game.id(),
        material: *material,
        metric,
    })
}

/// A class to verify.
pub(super) struct Class {
    game: Game,
    own: Depths,
    results: Table,
    smaller: Vec<Depths>,
}

/// What a task found.
#[derive(Default)]
struct Found {
    positions: u64,
    wrong: u64,
    examples: Vec<Wrong>,
}

impl Class {
    /// Opens the tables of a class and of its successors, to look at all
    /// positions or at a sample.
    pub(super) fn open(
        game: Game,
        material: &Material,
        folders: &[&Path],
        sample: Option<u64>,
    ) -> Result<Class, VerifyError> {
        let results = find(game, material, Metric::Result, folders)?;
        // A position has some dozens of successors, each in another block:
        // unpacking all blocks once soon costs less than one a look.
        let blocks = find(game, material, Metric::Depth, folders)?
            .header()
            .blocks();
        let unpack = sample.is_none_or(|sample| sample >= blocks / 32);
        let smaller = successors(game, material)
            .iter()
            .filter(|m| !needs_no_table(game, m))
            .map(|m| Depths::open(game, m, folders, unpack))
            .collect::<Result<_, _>>()?;
        Ok(Class {
            game,
            own: Depths::open(game, material, folders, unpack)?,
            results,
            smaller,
        })
    }

    /// The checksums of all files that the verdict rests on.
    pub(super) fn checksums(&self) -> Vec<u64> {
        let own = [self.own.table.checksum(), self.results.checksum()];
        own.into_iter()
            .chain(self.smaller.iter().map(|s| s.table.checksum()))
            .collect()
    }

    /// Goes on from `state`; returns it and whether the class is finished.
    pub(super) fn verify(
        &self,
        mut state: State,
        sample: Option<u64>,
        observer: &dyn Observer,
        save: &mut dyn FnMut(&State),
    ) -> Result<(State, bool), VerifyError> {
        let numbers = self.own.table.index().len();
        // The numbers of both sides, White's first; or so many picks of them.
        let all = 2 * numbers;
        let picks = sample
            .filter(|&sample| sample < all)
            .map(|sample| pick(sample, all));
        let picks = picks.as_deref();
        let total = picks.map_or(all, |picks| picks.len() as u64);
        let size = if self.own.values.is_some() {
            CHUNK
        } else {
            SLOW_CHUNK
        };
        let mut saved = Instant::now();
        while state.done < total {
            if observer.interrupted() {
                return Ok((state, false));
            }
            let end = total.min(state.done + BATCH * size);
            let chunks: Vec<u64> = (state.done..end).step_by(size as usize).collect();
            let found = Mutex::new(Vec::new());
            chunks.into_par_iter().try_for_each(|first| {
                let part = self.verify_chunk(first..end.min(first + size), picks)?;
                found
                    .lock()
                    .unwrap_or_else(|e| e.into_inner())
                    .push((first, part));
                Ok::<_, TableError>(())
            })?;
            let mut found = found.into_inner().unwrap_or_else(|e| e.into_inner());
            found.sort_by_key(|(first, _)| *first);
            for (_, part) in found {
                state.positions += part.positions;
                state.wrong += part.wrong;
                part.examples.iter().for_each(|wrong| state.push(wrong));
            }
            state.done = end;
            observer.progress(end, total);
            if saved.elapsed() > SAVE_EVERY {
                save(&state);
                saved = Instant::now();
            }
        }
        Ok((state, true))
    }

    fn verify_chunk(
        &self,
        picks: std::ops::Range<u64>,
        sample: Option<&[u64]>,
    ) -> Result<Found, TableError> {
        let index = self.own.table.index();
        let results = self.results.index();
        let same_order = index.groups() == results.groups();
        let numbers = index.len();
        let mut stored_results = vec![
            0;
            if sample.is_none() && same_order {
                CHUNK as usize
            } else {
                0
            }
        ];
        let mut found = Found::default();
        let mut squares = vec![Square(0); index.men()];
        let mut moves = MoveList::new();
        let mut read_at = None;
        for pick in picks.clone() {
            let place = sample.map_or(pick, |sample| sample[pick as usize]);
            let turn = if place < numbers {
                Colour::White
            } else {
                Colour::Black
            };
            let number = place % numbers;
            index.decode(number, &mut squares);
            let men = self.own.men.iter().copied().zip(squares.iter().copied());
            let Some(position) = Position::from_men(self.game, men, turn) else {
                continue;
            };
            found.positions += 1;
            let derived = derive(self.game, &position, &mut moves, &mut |mv, after| {
                self.lookup(&squares, mv, after)
            })?;
            let stored = self.own.get(turn, number)?;
            let result = if stored_results.is_empty() {
                let there = results.encode(&squares).unwrap_or_default();
                self.results.get(turn, there)?
            } else {
                // Read ahead up to the end of the chunk or of the side.
                let start = match read_at {
                    Some((side, start)) if side == turn => start,
                    _ => {
                        let count = (picks.end - pick).min(numbers - number) as usize;
                        self.results
                            .read(turn, number, &mut stored_results[..count])?;
                        read_at = Some((turn, number));
                        number
                    }
                };
                stored_results[(number - start) as usize]
            };
            for (metric, stored, derived) in [
                (Metric::Depth, stored, derived),
                (Metric::Result, result, derived.signum()),
            ] {
                if stored != derived {
                    found.wrong += 1;
                    if found.examples.len() < super::MOST_EXAMPLES {
                        let fen = position.fen(self.game);
                        found.examples.push(Wrong {
                            fen,
                            metric,
                            stored,
                            derived,
                        });
                    }
                }
            }
        }
        Ok(found)
    }

    /// The stored score of a successor; `squares` are those of the men before
    /// the move, if that is known.
    #[inline]
    fn lookup(
        &self,
        squares: &[Square],
        mv: Option<Move>,
        after: &Position,
    ) -> Result<i16, TableError> {
        let mut buffer = [Square(0); Material::MOST_MEN];
        // Most moves are quiet: nothing needs to be looked for on the board.
        if let Some(mv) = mv.filter(|mv| mv.captured.is_none() && mv.promotion.is_none()) {
            let child = &mut buffer[..squares.len()];
            child.copy_from_slice(squares);
            if let Some(mover) = child.iter_mut().find(|s| **s == mv.from) {
                *mover = mv.to;
            }
            let number = self.own.table.index().encode(child).unwrap_or_default();
            return self.own.get(after.turn(), number);
        }
        let (material, swapped) = after.material().normal(self.game);
        if needs_no_table(self.game, &material) {
            return Ok(score::DRAW);
        }
        let mut classes = std::iter::once(&self.own).chain(&self.smaller);
        let Some(smaller) = classes.find(|c| c.material == material) else {
            unreachable!("{material} is neither the class nor among its successors");
        };
        let geometry = self.game.geometry();
        let board = if swapped {
            after.board().mirrored(geometry)
        } else {
            *after.board()
        };
        let child = &mut buffer[..smaller.men.len()];
        let mut place = 0;
        while place < child.len() {
            let man = smaller.men[place];
            for square in board.of(man) {
                child[place] = square;
                place += 1;
            }
        }
        let turn = if swapped {
            after.turn().other()
        } else {
            after.turn()
        };
        let number = smaller.table.index().encode(child).unwrap_or_default();
        smaller.get(turn, number)
    }
}

/// The classes that a capture or promotion can lead to, in normal form; worked
/// out here again rather than asked of the solver.
fn successors(game: Game, material: &Material) -> Vec<Material> {
    let mut list = Vec::new();
    let men: Vec<Man> = material.men().collect();
    let mut taken: Vec<Option<Material>> = men
        .iter()
        .filter(|m| m.kind != Kind::King)
        .map(|&m| material.without(m))
        .collect();
    taken.push(Some(*material));
    for rest in taken.into_iter().flatten() {
        list.push(rest);
        for pawn in rest.men().filter(|m| m.kind == Kind::Pawn) {
            for &kind in game.promotions() {
                if let Some(mut promoted) = rest.without(pawn) {
                    promoted.add(Man::new(pawn.colour, kind));
                    list.push(promoted);
                }
            }
        }
    }
    let mut list: Vec<Material> = list.into_iter().map(|m| m.normal(game).0).collect();
    list.sort_unstable();
    list.dedup();
    list.retain(|m| m != material);
    list
}

/// So many different numbers below `all`, evenly at random but always the
/// same, in ascending order, so that neighbours are in one block.
fn pick(count: u64, all: u64) -> Vec<u64> {
    let mut chosen: BitVec = BitVec::repeat(false, all as usize);
    let mut left = count.min(all);
    for place in (0..).map(|try_number| spread(try_number) % all) {
        if left == 0 {
            break;
        }
        left -= u64::from(!chosen.replace(place as usize, true));
    }
    chosen.iter_ones().map(|place| place as u64).collect()
}

/// A well-spread number for each number: the finaliser of SplitMix64 (Steele,
/// Lea and Flood, 2014).
fn spread(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_as_many_different_numbers_as_asked_for() {
        for (count, all) in [(0, 10), (1, 1), (7, 10), (9, 10), (1000, 100_000)] {
            let picks = pick(count, all);
            assert_eq!(picks.len() as u64, count);
            assert!(picks.windows(2).all(|w| w[0] < w[1]));
            assert!(picks.iter().all(|&p| p < all));
            assert_eq!(picks, pick(count, all));
        }
        // All parts of the table are looked at.
        let tenths = pick(1000, 100_000).into_iter().map(|p| p / 10_000);
        assert_eq!(tenths.collect::<std::collections::BTreeSet<_>>().len(), 10);
    }
}
