//! Which stored helpmates are reached from a mate, by taking moves back.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use rayon::prelude::*;
use retrograde_probe::{Helpmate, Index};
use retrograde_rules::{Board, Colour, End, Game, Material, PieceType, Position, Square};

use super::super::VerifyObserver;
use super::super::retract::{Images, each_origin};
use super::super::traversal::{Found, position_of};
use super::stored::StoredHelpmates;
use super::{words, wrong};

/// Two bits for each index, by side to move, that several threads change: see
/// [`Helpmate::to_value`].
type Bits = [Vec<AtomicU8>; 2];

/// The search for what is reached.
pub(super) struct Reach<'a> {
    game: Game,
    own: &'a StoredHelpmates,
    images: Images,
    /// Stored, and not yet reached.
    pending: Bits,
    /// Just reached.
    fresh: Bits,
    next: Bits,
}

impl<'a> Reach<'a> {
    pub(super) fn new(game: Game, own: &'a StoredHelpmates) -> Reach<'a> {
        let len = own.index.len();
        let bits = || [(); 2].map(|()| (0..len).map(|_| AtomicU8::new(0)).collect());
        Reach {
            game,
            own,
            images: Images::new(&own.index),
            pending: bits(),
            fresh: bits(),
            next: bits(),
        }
    }

    /// The bytes that it takes.
    pub(super) fn bytes(index: &Index) -> u64 {
        3 * 2 * index.len()
    }

    /// Records what is stored of a position, and what of it is reached at once.
    #[inline]
    pub(super) fn note(&self, turn: Colour, index: u64, stored: Helpmate, at_once: Helpmate) {
        let [stored, at_once] = [stored, at_once].map(|helpmate| helpmate.to_value() as u8);
        let (side, index) = (turn.index(), index as usize);
        self.fresh[side][index].store(stored & at_once, Ordering::Relaxed);
        self.pending[side][index].store(stored & !at_once, Ordering::Relaxed);
    }

    /// Takes moves back until nothing is added; `false` if the observer stopped it.
    pub(super) fn settle(&self, observer: &dyn VerifyObserver) -> bool {
        let (mut fresh, mut next) = (&self.fresh, &self.next);
        loop {
            let any = AtomicBool::new(false);
            for turn in Colour::BOTH {
                if observer.interrupted() {
                    return false;
                }
                let cells = fresh[turn.index()].par_iter().enumerate();
                cells.with_min_len(1 << 12).for_each(|(index, cell)| {
                    let bits = cell.load(Ordering::Relaxed);
                    if bits != 0 {
                        cell.store(0, Ordering::Relaxed);
                        any.store(true, Ordering::Relaxed);
                        self.take_back(turn, index as u64, bits, next);
                    }
                });
            }
            if !any.into_inner() {
                return true;
            }
            (fresh, next) = (next, fresh);
        }
    }

    /// Adds to `next` what the positions before this one reach by it.
    fn take_back(&self, turn: Colour, index: u64, bits: u8, next: &Bits) {
        let mover = turn.other();
        let (pending, next) = (&self.pending[mover.index()], &next[mover.index()]);
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.own.pieces.len()];
        self.own.index.decode(index, squares);
        self.each_before(squares, turn, |before| {
            let indices = self.images.indices(&self.own.index, before);
            for before in indices.into_iter().flatten() {
                let pending = &pending[before as usize];
                if pending.load(Ordering::Relaxed) & bits != 0 {
                    let new = pending.fetch_and(!bits, Ordering::Relaxed) & bits;
                    next[before as usize].fetch_or(new, Ordering::Relaxed);
                }
            }
        });
    }

    /// All placements from which the side that has just moved reaches this one, `turn` being
    /// to move, by a move within the material. Some may not be positions.
    fn each_before(&self, squares: &mut [Square], turn: Colour, mut visit: impl FnMut(&[Square])) {
        let geometry = self.own.index.shape().geometry;
        let mut board = Board::empty();
        for (&piece, &square) in self.own.pieces.iter().zip(squares.iter()) {
            board.set(square, Some(piece));
        }
        let occupied = board.occupied();
        for (place, &piece) in self.own.pieces.iter().enumerate() {
            if piece.colour == turn {
                continue;
            }
            let start = squares[place];
            if piece.piece_type == PieceType::Pawn {
                let back: i8 = if piece.colour == Colour::White { -1 } else { 1 };
                let free = |ranks: i8| {
                    let square = geometry.offset(start, 0, ranks * back)?;
                    (!occupied.contains(square)).then_some(square)
                };
                let rank = |square| match piece.colour {
                    Colour::White => geometry.rank(square),
                    Colour::Black => geometry.ranks - 1 - geometry.rank(square),
                };
                let steps_twice = |rank| self.game.double_step_ranks().any(|from| from == rank);
                if let Some(one) = free(1).filter(|&square| rank(square) >= self.game.pawn_home()) {
                    squares[place] = one;
                    visit(squares);
                    if let Some(two) = free(2).filter(|&square| steps_twice(rank(square))) {
                        squares[place] = two;
                        if self.keeps_value(squares, (two, start), turn) {
                            visit(squares);
                        }
                    }
                }
            } else {
                each_origin(
                    geometry,
                    self.game.mover(piece.piece_type),
                    start,
                    occupied,
                    |from| {
                        squares[place] = from;
                        visit(squares);
                    },
                );
            }
            squares[place] = start;
        }
    }

    /// Whether what holds of the placement after a double step holds of the position that
    /// the step leads to: not if the placement is mate but for a capture en passant (O2).
    fn keeps_value(&self, before: &[Square], step: (Square, Square), turn: Colour) -> bool {
        let Some(position) = position_of(self.game, &self.own.pieces, before, turn.other()) else {
            return false;
        };
        let moves = position.legal_moves();
        let Some(&mv) = moves.iter().find(|mv| (mv.from, mv.to) == step) else {
            return false;
        };
        let after = position.play(mv);
        if after.ep().is_none() {
            return true;
        }
        let pieces = after.board().pieces();
        let without = Position::from_pieces(self.game, pieces, turn);
        without.is_some_and(|without| without.end() != Some(End::Checkmate))
    }

    /// The positions that are not reached, after [`Reach::settle`].
    pub(super) fn without(&self) -> Found {
        let mut found = Found::default();
        let mut squares = vec![Square(0); self.own.pieces.len()];
        for turn in Colour::BOTH {
            for (index, pending) in self.pending[turn.index()].iter().enumerate() {
                let pending = pending.load(Ordering::Relaxed);
                if pending == 0 {
                    continue;
                }
                self.own.index.decode(index as u64, &mut squares);
                let pieces = &self.own.pieces;
                let Some(position) = position_of(self.game, pieces, &squares, turn) else {
                    continue;
                };
                let stored = self.own.get(turn, &squares).unwrap_or_default();
                let reached = stored.to_value() & !i16::from(pending);
                found.push(|| {
                    let derived = words(Helpmate::from_value(reached));
                    wrong(&position, stored, format!("{derived}: no mate is reached"))
                });
            }
        }
        found
    }
}
