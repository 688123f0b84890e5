//! One class and the smaller ones that its moves lead to.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bitvec::vec::BitVec;
use rayon::prelude::*;
use retrograde_probe::{Category, Metric, TableError, needs_no_table};
use retrograde_rules::{Colour, Game, Kind, Man, Material, Move, MoveList, Position, Square};

use super::derive::{Derived, derive};
use super::journal::State;
use super::values::Values;
use super::{Observer, Options, VerifyError, Wrong};

/// Numbers a task where values are unpacked, and where each is looked up.
const CHUNK: u64 = 1 << 14;
const SLOW_CHUNK: u64 = 1 << 6;
/// Tasks between two looks at the observer.
const BATCH: u64 = 64;
/// How often progress is kept.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// A class to verify.
pub(super) struct Class {
    game: Game,
    /// The fifty-move rule's number of plies, where there is one.
    limit: Option<i16>,
    own: Values,
    smaller: Vec<Values>,
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
        options: &Options,
    ) -> Result<Class, VerifyError> {
        let mut own = Values::open(game, material, folders)?;
        let mut smaller = successors(game, material)
            .iter()
            .filter(|m| !needs_no_table(game, m))
            .map(|m| Values::open(game, m, folders))
            .collect::<Result<Vec<_>, _>>()?;
        // A position has some dozens of successors, each in another block:
        // unpacking all blocks once soon costs less than one a look.
        if options.sample.is_none_or(|n| n >= own.blocks() / 64) {
            own.unpack()?;
            for smaller in &mut smaller {
                smaller.unpack()?;
            }
        }
        let limit = options.limit.or(game.zeroing_limit());
        Ok(Class {
            game,
            limit: limit.map(|limit| i16::try_from(limit).unwrap_or(i16::MAX)),
            own,
            smaller,
        })
    }

    /// The checksums of all files that the verdict rests on.
    pub(super) fn checksums(&self) -> Vec<u64> {
        let smaller = self.smaller.iter().flat_map(Values::checksums);
        self.own.checksums().chain(smaller).collect()
    }

    /// Goes on from `state`; returns it and whether the class is finished.
    pub(super) fn verify(
        &self,
        mut state: State,
        sample: Option<u64>,
        observer: &dyn Observer,
        save: &mut dyn FnMut(&State),
    ) -> Result<(State, bool), VerifyError> {
        let numbers = self.own.index.len();
        // The numbers of both sides, White's first; or so many picks of them.
        let all = 2 * numbers;
        let picks = sample
            .filter(|&sample| sample < all)
            .map(|sample| pick(sample, all));
        let picks = picks.as_deref();
        let total = picks.map_or(all, |picks| picks.len() as u64);
        let size = if self.own.is_unpacked() {
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
        let index = &self.own.index;
        let numbers = index.len();
        let mut found = Found::default();
        let mut squares = vec![Square(0); index.men()];
        let mut moves = MoveList::new();
        for pick in picks {
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
            let derived = derive(
                self.game,
                self.limit,
                &position,
                &mut moves,
                &mut |mv, after| self.lookup(&squares, mv, after),
            )?;
            let stored = self.own.get(turn, &squares)?;
            for &metric in Metric::of(self.game) {
                let stored = stored.get(metric);
                let derived = match metric {
                    Metric::Result if self.limit.is_none() => derived.depth.signum(),
                    Metric::Result => derived.category.result(),
                    // For draws these tables may say anything.
                    Metric::Dtz if derived.category == Category::Draw => stored,
                    Metric::Dtz => derived.dtz,
                    _ => derived.depth,
                };
                if stored != derived {
                    found.wrong += 1;
                    if found.examples.len() < super::MOST_EXAMPLES {
                        found.examples.push(Wrong {
                            fen: position.fen(self.game),
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

    /// The stored values of a successor; `squares` are those of the men before
    /// the move, if that is known.
    #[inline]
    fn lookup(
        &self,
        squares: &[Square],
        mv: Option<Move>,
        after: &Position,
    ) -> Result<Derived, TableError> {
        let mut buffer = [Square(0); Material::MOST_MEN];
        // Most moves are quiet: nothing needs to be looked for on the board.
        if let Some(mv) = mv.filter(|mv| mv.captured.is_none() && mv.promotion.is_none()) {
            let child = &mut buffer[..squares.len()];
            child.copy_from_slice(squares);
            if let Some(mover) = child.iter_mut().find(|s| **s == mv.from) {
                *mover = mv.to;
            }
            return Ok(Derived::of_stored(self.own.get(after.turn(), child)?));
        }
        let (material, swapped) = after.material().normal(self.game);
        if needs_no_table(self.game, &material) {
            return Ok(Derived::DRAW);
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
        Ok(Derived::of_stored(smaller.get(turn, child)?))
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
