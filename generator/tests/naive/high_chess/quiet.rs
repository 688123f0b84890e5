//! The moves within a place, and what the vital ones are worth.

use super::super::state::Side;
use super::place::PlaceIndexing;
use super::rules::high;

/// What is known of a state before the first layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Illegal,
    Mated,
    Open,
}

/// What the vital moves of a state come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vital {
    /// White to move: one of them wins if Black has at most so many points.
    /// Black to move: none of them avoids that White wins if White has at
    /// least so many.
    pub(crate) wins: u8,
    /// By side: the least points with which it forces mate if it is its turn
    /// and it makes the best of them; the least with which none of them
    /// avoids the mate if it is the other's.
    pub(crate) mates: [u8; 2],
}

/// The states of a place and their moves.
pub(crate) struct Quiet {
    pub(crate) status: Vec<Status>,
    pub(crate) vital: Vec<Vital>,
    /// For each state as many sets as a side has pieces that are no pawns, at
    /// most: where they can go without a vital move. A king that can go to
    /// where it stands can pass.
    sets: Vec<u64>,
    stride: usize,
    /// By side: how far to the left its pieces stand in an index, its king first.
    shifts: [Vec<usize>; 2],
    turn_bit: usize,
    /// By side and the other side's king: where one's king is High.
    heights: [[u64; 64]; 2],
}

/// Where one piece can go without a vital move.
#[derive(Clone, Copy)]
pub(crate) struct Targets {
    /// The index after the move but for the square of the piece.
    rest: usize,
    shift: usize,
    /// The squares that cost nothing, and those that cost a point.
    pub(crate) free: u64,
    pub(crate) paid: u64,
}

impl Targets {
    /// The indices of the states that a set of squares leads to.
    pub(crate) fn to(self, mut squares: u64) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let square = squares.trailing_zeros() as usize;
            squares &= squares.wrapping_sub(1);
            (square < 64).then_some(self.rest | square << self.shift)
        })
    }
}

impl Quiet {
    pub(crate) fn new(indexing: &PlaceIndexing) -> Quiet {
        let shifts = Side::BOTH.map(|side| {
            let pieces = indexing.of_side(side);
            pieces.iter().map(|&nth| indexing.shift(nth)).collect()
        });
        let stride = shifts.iter().map(Vec::len).max().unwrap_or(0);
        let height = |side: Side, other: u8| {
            let is_high = |&own: &u8| match side {
                Side::White => high(own, other) == side,
                Side::Black => high(other, own) == side,
            };
            let squares = (0..64u8).filter(is_high);
            squares.fold(0, |set, square| set | 1 << square)
        };
        let none = Vital {
            wins: 0,
            mates: [0; 2],
        };
        Quiet {
            status: vec![Status::Illegal; indexing.len()],
            vital: vec![none; indexing.len()],
            sets: vec![0; indexing.len() * stride],
            stride,
            shifts,
            turn_bit: indexing.turn_bit(),
            heights: Side::BOTH.map(|side| std::array::from_fn(|other| height(side, other as u8))),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.status.len()
    }

    /// The side to move.
    pub(crate) fn turn(&self, index: usize) -> Side {
        if index & self.turn_bit == 0 {
            Side::White
        } else {
            Side::Black
        }
    }

    fn square(&self, index: usize, side: Side, piece: usize) -> u8 {
        (index >> self.shifts[side as usize][piece] & 63) as u8
    }

    /// Adds a move: one of the mover's pieces, its king being the first, goes to
    /// a square.
    pub(crate) fn add(&mut self, index: usize, piece: usize, to: u8) {
        self.sets[index * self.stride + piece] |= 1 << to;
    }

    /// The moves of each of the mover's pieces.
    pub(crate) fn targets(&self, index: usize) -> impl Iterator<Item = Targets> {
        let mover = self.turn(index);
        let high = self.high(index);
        let at = index * self.stride;
        let shifts = &self.shifts[mover as usize];
        let sets = &self.sets[at..at + shifts.len()];
        let king = 1 << self.square(index, mover, 0);
        let turned = index ^ self.turn_bit;
        (0..)
            .zip(shifts)
            .zip(sets)
            .map(move |((piece, &shift), &set)| {
                // Heights are judged after the move (H3).
                let free = match piece {
                    0 => set & high,
                    _ if high & king != 0 => set,
                    _ => 0,
                };
                Targets {
                    rest: turned & !(63 << shift),
                    shift,
                    free,
                    paid: set & !free,
                }
            })
    }

    /// The squares on which the mover's king is High.
    fn high(&self, index: usize) -> u64 {
        let mover = self.turn(index);
        let other = self.square(index, mover.other(), 0);
        self.heights[mover as usize][usize::from(other)]
    }

    /// The kings' squares, White's first.
    pub(crate) fn kings(&self, index: usize) -> [u8; 2] {
        Side::BOTH.map(|side| self.square(index, side, 0))
    }
}
