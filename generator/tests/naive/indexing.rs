//! States of a material as indices: turn and extra, then a digit for each piece.

use super::rules::Rules;
use super::state::{MOST, Pieces, Side, State};

const NOWHERE: u32 = u32::MAX;

pub(crate) struct Indexing {
    pieces: Pieces,
    squares: Vec<Vec<u8>>,
    /// The contribution of a piece on each square to the index, by slot.
    weights: Vec<[u32; 128]>,
    /// By turn.
    extras: [Vec<u32>; 2],
    placements: u32,
}

impl Indexing {
    pub(crate) fn new<R: Rules>(rules: &R, pieces: Pieces, folded: bool) -> Indexing {
        let slots = pieces.iter().filter(|&&m| m != 0).count();
        let squares: Vec<Vec<u8>> = (0..slots)
            .map(|slot| rules.squares(&pieces, slot, folded))
            .collect();
        let mut weights = vec![[NOWHERE; 128]; slots];
        let mut placements = 1u32;
        for (slot, list) in squares.iter().enumerate().rev() {
            for (digit, &square) in (0..).zip(list) {
                weights[slot][square as usize] = placements * digit;
            }
            placements *= list.len() as u32;
        }
        Indexing {
            pieces,
            squares,
            weights,
            extras: Side::BOTH.map(|turn| rules.extras(&pieces, turn)),
            placements,
        }
    }

    /// The number of indices.
    pub(crate) fn len(&self) -> u32 {
        self.placements * (self.extras[0].len() + self.extras[1].len()) as u32
    }

    /// The index of a state of this material; `None` if a piece stands where
    /// none can, or the material does not have this `extra`.
    pub(crate) fn index_of(&self, state: &State) -> Option<u32> {
        let turn = state.turn as usize;
        let extra = self.extras[turn].iter().position(|&e| e == state.extra)?;
        let mut index = (turn * self.extras[0].len() + extra) as u32 * self.placements;
        for (slot, weights) in self.weights.iter().enumerate() {
            match weights[state.squares[slot] as usize] {
                NOWHERE => return None,
                weight => index += weight,
            }
        }
        Some(index)
    }

    /// The state of an index. Pieces may share a square.
    pub(crate) fn state(&self, index: u32) -> State {
        let mut rest = index % self.placements;
        let mut squares = [0; MOST];
        for (slot, list) in self.squares.iter().enumerate().rev() {
            let size = list.len() as u32;
            squares[slot] = list[(rest % size) as usize];
            rest /= size;
        }
        let piece_type = (index / self.placements) as usize;
        let (turn, extra) = match piece_type.checked_sub(self.extras[0].len()) {
            None => (Side::White, self.extras[0][piece_type]),
            Some(piece_type) => (Side::Black, self.extras[1][piece_type]),
        };
        State {
            pieces: self.pieces,
            squares,
            turn,
            extra,
        }
    }
}
