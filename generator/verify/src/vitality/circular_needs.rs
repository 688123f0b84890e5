//! Proves that no need to force mate rests on itself.
//!
//! A side that needs n points to force mate must eventually make progress. A mate
//! is the end itself; a vital turn leaves the placement of the pawns, or the
//! material, for good; a turn that costs the side a point leads to where n - 1 are
//! enough. All other turns are quiet and lead from one position of the material to
//! another, and those that matter keep the need the same. So needs that rest only
//! on each other rest on quiet turns with the same need, and it remains to show
//! that the side cannot be led round in circles there: starting from the positions
//! whose need rests on something else, those positions are added in which the side
//! has a free turn to one already added, or in which every turn of the other side
//! that keeps the need leads to one. Whatever is left is wrong.
//!
//! Candidates are found by taking turns back. A position with the other side to
//! move waits for one of its turns at a time, and is examined again only when the
//! position after that turn has been added.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use rayon::prelude::*;
use retrograde_probe::Metric;
use retrograde_rules::{
    Colour, CounterRange, Game, Material, MoveList, PieceType, Position, Square, SquareSet, Toll,
    VitalityRules,
};

use super::super::journal::Found;
use super::super::placements::{Images, each_origin, moved, position_of};
use super::super::{VerifyObserver, Wrong};
use super::{Rests, StoredCurves};

/// A set of indices that several threads add to.
struct Bits(Vec<AtomicU64>);

impl Bits {
    fn new(len: u64) -> Bits {
        Bits((0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn get(&self, index: u64) -> bool {
        let word = self.0.get((index / 64) as usize);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (index % 64) & 1 != 0)
    }

    #[inline]
    fn set(&self, index: u64) {
        if let Some(word) = self.0.get((index / 64) as usize) {
            word.fetch_or(1 << (index % 64), Ordering::Relaxed);
        }
    }

    /// Empties the set and returns whether it had any; several threads visit the
    /// indices.
    fn drain(&self, visit: impl Fn(u64) + Sync) -> bool {
        let words = self.0.par_iter().enumerate();
        words
            .map(|(place, word)| {
                let mut bits = word.swap(0, Ordering::Relaxed);
                let any = bits != 0;
                while bits != 0 {
                    visit(place as u64 * 64 + u64::from(bits.trailing_zeros()));
                    bits &= bits - 1;
                }
                any
            })
            .reduce(|| false, |a, b| a | b)
    }

    fn ones(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.0.len() as u64 * 64).filter(|&n| self.get(n))
    }
}

/// The positions from which one side forces mate, by side to move.
struct SideFooting {
    /// Positions whose need has not yet been shown to rest on anything.
    pending: [Bits; 2],
    /// Just shown to rest on something, and those that follow from that.
    fresh: [Bits; 2],
    next: [Bits; 2],
    /// Positions with the other side to move that are to be examined again.
    woken: Bits,
    /// The lowest bits of the index that each of those waits for.
    waits_for: Vec<AtomicU32>,
}

/// The ground of the needs of a material, as far as one turn shows.
pub(super) struct Ground {
    sides: [SideFooting; 2],
}

impl Ground {
    /// The size in bytes for a material with so many indices.
    pub(super) fn bytes(indices: u64) -> u64 {
        const SETS: u64 = 3 * 2 + 1;
        2 * (SETS * indices.div_ceil(8) + indices * size_of::<AtomicU32>() as u64)
    }

    pub(super) fn new(indices: u64) -> Ground {
        let bits = || [Bits::new(indices), Bits::new(indices)];
        let side = || SideFooting {
            pending: bits(),
            fresh: bits(),
            next: bits(),
            woken: Bits::new(indices),
            waits_for: (0..indices).map(|_| AtomicU32::new(0)).collect(),
        };
        Ground {
            sides: [side(), side()],
        }
    }

    /// Records what the needs of a position rest on.
    #[inline]
    pub(super) fn note(&self, counters: CounterRange, turn: Colour, index: u64, rests: &Rests) {
        for side in Colour::BOTH {
            if rests.needs[side.index()] == counters.never(side) {
                continue;
            }
            let there = &self.sides[side.index()];
            let is_shown = match side == turn {
                true => rests.grounded,
                false => rests.same.is_none(),
            };
            if is_shown {
                there.fresh[turn.index()].set(index);
                continue;
            }
            there.pending[turn.index()].set(index);
            if let Some(other) = rests.same.filter(|_| side != turn) {
                there.wait(index, other);
            }
        }
    }
}

impl SideFooting {
    #[inline]
    fn wait(&self, index: u64, other: u64) {
        self.waits_for[index as usize].store(other as u32, Ordering::Relaxed);
    }
}

/// The search for needs that rest on themselves.
pub(super) struct Footing<'a, const N: usize> {
    game: Game,
    rules: &'static VitalityRules,
    own: &'a StoredCurves<N>,
    ground: &'a Ground,
    images: Images,
}

impl<'a, const N: usize> Footing<'a, N> {
    pub(super) fn new(
        game: Game,
        rules: &'static VitalityRules,
        own: &'a StoredCurves<N>,
        ground: &'a Ground,
    ) -> Footing<'a, N> {
        Footing {
            game,
            rules,
            own,
            ground,
            images: Images::new(&own.index),
        }
    }

    /// Adds all positions that can be added; `false` if the observer stopped it.
    pub(super) fn settle(&self, observer: &dyn VerifyObserver) -> bool {
        for side in Colour::BOTH {
            let there = &self.ground.sides[side.index()];
            loop {
                if observer.interrupted() {
                    return false;
                }
                let mut any = false;
                for turn in Colour::BOTH {
                    any |= there.fresh[turn.index()].drain(|index| {
                        self.take_back(side, turn, index);
                    });
                }
                if !any {
                    break;
                }
                there.woken.drain(|index| self.look_again(side, index));
                for turn in Colour::BOTH {
                    there.next[turn.index()].drain(|index| {
                        let word = &there.pending[turn.index()].0[(index / 64) as usize];
                        word.fetch_and(!(1 << (index % 64)), Ordering::Relaxed);
                        there.fresh[turn.index()].set(index);
                    });
                }
            }
        }
        true
    }

    /// Finds the positions from which a quiet turn leads to this one, and wakes
    /// those that wait for it.
    fn take_back(&self, side: Colour, turn: Colour, index: u64) {
        let there = &self.ground.sides[side.index()];
        let mover = turn.other();
        let need = self.own.unpacked(turn, index).needs[side.index()];
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.own.pieces.len()];
        self.own.index.decode(index, squares);
        // The side's own turns are free if it is High after them, and does not pay.
        if side == mover && !(self.is_high(side, turn, squares) && self.is_free(need)) {
            return;
        }
        self.each_before(squares, mover, |before| {
            for before in self
                .images
                .indices(&self.own.index, before)
                .into_iter()
                .flatten()
            {
                if !there.pending[mover.index()].get(before) {
                    continue;
                }
                if side == mover {
                    if self.own.unpacked(mover, before).needs[side.index()] == need {
                        there.next[mover.index()].set(before);
                    }
                } else {
                    // Only the turn that is waited for matters.
                    let waits_for = there.waits_for[before as usize].load(Ordering::Relaxed);
                    if waits_for == index as u32 {
                        there.woken.set(before);
                    }
                }
            }
        });
    }

    /// Whether a turn of High costs nothing with so many points.
    fn is_free(&self, points: u8) -> bool {
        self.rules.high_is_free() || points == 0
    }

    fn is_high(&self, side: Colour, turn: Colour, squares: &[Square]) -> bool {
        if self.rules.goes_by_one_king() {
            let [white, black] = self.own.index.leaders().map(|leader| squares[leader]);
            return self.rules.high_by_kings(white, black) == side;
        }
        let position = position_of(self.game, &self.own.pieces, squares, turn);
        position.is_some_and(|position| self.rules.is_high(&position, side))
    }

    /// Visits all placements from which `mover` reaches this one by a pass, or by a move of a piece
    /// other than a pawn that is not a capture. Some may not be positions.
    fn each_before(&self, squares: &mut [Square], mover: Colour, mut visit: impl FnMut(&[Square])) {
        visit(squares);
        let geometry = self.own.index.shape().geometry;
        let order = self.game.king_order();
        let occupied: SquareSet = squares.iter().copied().collect();
        for (place, &piece) in self.own.pieces.iter().enumerate() {
            if piece.colour != mover {
                continue;
            }
            let start = squares[place];
            each_origin(
                geometry,
                self.game.mover(piece.piece_type).of_side(piece.colour),
                start,
                occupied,
                |from| {
                    squares[place] = from;
                    visit(squares);
                },
            );
            // Kings that are not royal may move otherwise (K6).
            if let (PieceType::King, Some(order)) = (piece.piece_type, order) {
                each_origin(
                    geometry,
                    order.spare.of_side(piece.colour),
                    start,
                    occupied,
                    |from| {
                        squares[place] = from;
                        let before = position_of(self.game, &self.own.pieces, squares, mover);
                        if before.is_some_and(|before| !before.royals(mover).contains(from)) {
                            visit(squares);
                        }
                    },
                );
            }
            squares[place] = start;
        }
    }

    /// Looks for a turn of the other side that keeps the need of a position and
    /// leads to a pending one; if there is none, the position is added.
    fn look_again(&self, side: Colour, index: u64) {
        let there = &self.ground.sides[side.index()];
        let turn = side.other();
        if !there.pending[turn.index()].get(index) {
            return;
        }
        let Some((position, squares)) = self.position(turn, index) else {
            return;
        };
        let need = self.own.unpacked(turn, index).needs[side.index()];
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let mut child = squares.clone();
        for &mv in moves.iter() {
            if self.rules.toll(&position, mv) == Toll::Vital {
                continue;
            }
            moved(&squares, mv, &mut child);
            let Some(next) = self.own.index.encode(&child) else {
                continue;
            };
            let same = self.own.unpacked(side, next).needs[side.index()] == need;
            if same && there.pending[side.index()].get(next) {
                return there.wait(index, next);
            }
        }
        there.next[turn.index()].set(index);
    }

    fn position(&self, turn: Colour, index: u64) -> Option<(Position, Vec<Square>)> {
        let mut squares = vec![Square(0); self.own.pieces.len()];
        self.own.index.decode(index, &mut squares);
        let position = position_of(self.game, &self.own.pieces, &squares, turn)?;
        Some((position, squares))
    }

    /// The positions whose needs rest only on each other, after
    /// [`Footing::settle`].
    pub(super) fn without(&self) -> Found {
        let counters = self.rules.counters();
        let mut found = Found::default();
        for turn in Colour::BOTH {
            for side in Colour::BOTH {
                let pending = &self.ground.sides[side.index()].pending[turn.index()];
                for index in pending.ones() {
                    found.push(|| {
                        let stored = self.own.unpacked(turn, index).needs;
                        let position = self.position(turn, index);
                        let fen = position.map(|(p, _)| p.fen());
                        Wrong {
                            fen: fen.unwrap_or_default(),
                            metric: Metric::Mates,
                            stored: super::words(counters, stored),
                            derived: format!(
                                "that {}'s need rests on itself: the other side can go round in \
                                 circles",
                                super::name(side)
                            ),
                        }
                    });
                }
            }
        }
        found
    }
}
