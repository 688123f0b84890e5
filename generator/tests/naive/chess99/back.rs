//! The states that a newly found value may matter to, found backwards; too many rather than
//! too few. A mark only means that the state is examined.

use std::collections::BTreeMap;

use super::super::state::{State, piece_type, side};
use super::board::{Board, LINES, ahead, beside, rank_of};
use super::rules::Rules;
use super::states::States;

/// The states to examine, by ply.
pub(crate) struct Marks {
    words: usize,
    sets: BTreeMap<u8, Vec<u64>>,
}

impl Marks {
    pub(crate) fn new(states: usize) -> Marks {
        Marks {
            words: states.div_ceil(64),
            sets: BTreeMap::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The states of a ply, one bit each; nothing if there are none.
    pub(crate) fn take(&mut self, ply: u8) -> Vec<u64> {
        self.sets.remove(&ply).unwrap_or_default()
    }

    fn add(&mut self, index: usize, ply: u8) {
        let words = self.words;
        let set = self.sets.entry(ply).or_insert_with(|| vec![0; words]);
        set[index / 64] |= 1 << (index % 64);
    }

    /// Marks what a state that was found at some ply may matter to.
    pub(crate) fn add_before(&mut self, rules: &Rules, states: &States, index: usize, ply: u8) {
        let state = states.state(index);
        let (at, pawns) = (Board::of(&state), has_pawns(&state));
        let mut board = at;
        let mover = state.turn.other();
        let mut before = State {
            turn: mover,
            ..state
        };
        for (slot, piece, to) in state.iter().filter(|&(_, piece, _)| side(piece) == mover) {
            let mut from = |square: u8| {
                before.squares[slot] = square;
                self.add(states.index_of(&before), ply + 1);
                if pawns {
                    board.put(to, 0);
                    board.put(square, piece);
                    self.add_before_steps(states, &before, &mut board, ply + 1);
                    board.put(square, 0);
                    board.put(to, piece);
                }
                before.squares[slot] = to;
            };
            each_origin(&at, to, &mut from);
            if rules.castling && piece_type(piece) == b'K' && rank_of(mover, to) == 0 {
                self.add_before_castling(states, &state, slot, ply);
            }
        }
    }

    /// The value of a state matters to that of the same state with a right to
    /// take en passant, and so to the one that led there.
    fn add_before_steps(&mut self, states: &States, state: &State, board: &mut Board, ply: u8) {
        let pusher = state.turn.other();
        for (slot, piece, arrival) in state.iter() {
            if side(piece) != pusher || piece_type(piece) != b'P' {
                continue;
            }
            let back = |from| ahead(state.turn, from).filter(|&square| board.piece(square) == 0);
            let Some(origin) = back(arrival).and_then(back) else {
                continue;
            };
            if rank_of(pusher, origin) == 0 {
                continue;
            }
            let mut before = State {
                turn: pusher,
                ..*state
            };
            before.squares[slot] = origin;
            self.add(states.index_of(&before), ply + 1);
            board.put(arrival, 0);
            board.put(origin, piece);
            self.add_before_steps(states, &before, board, ply + 1);
            board.put(origin, 0);
            board.put(arrival, piece);
        }
    }

    /// The king in a slot has castled with the piece beside it, which came from
    /// anywhere on the other side of where the king was.
    fn add_before_castling(&mut self, states: &States, state: &State, slot: usize, ply: u8) {
        let (king, mover) = (state.squares[slot], state.turn.other());
        for (partner, piece, beside_king) in state.iter() {
            let towards = match i16::from(king) - i16::from(beside_king) {
                1 => 1,
                -1 => -1,
                _ => continue,
            };
            if side(piece) != mover || rank_of(mover, beside_king) != 0 {
                continue;
            }
            for origin in (1..9).map_while(|n| beside(beside_king, n * towards, 0)) {
                let mut before = State {
                    turn: mover,
                    ..*state
                };
                before.squares[slot] = beside_king;
                before.squares[partner] = origin;
                if !before.overlaps() {
                    self.add(states.index_of(&before), ply + 1);
                }
            }
        }
    }
}

fn has_pawns(state: &State) -> bool {
    state.iter().any(|(_, piece, _)| piece_type(piece) == b'P')
}

/// Calls for each empty square that the piece on `to` may have come from without
/// capturing.
fn each_origin(board: &Board, to: u8, found: &mut impl FnMut(u8)) {
    let piece = board.piece(to);
    let (rays, far, leaps) = match piece_type(piece) {
        b'K' => (0..8, false, false),
        b'Q' => (0..8, true, false),
        b'R' => (0..4, true, false),
        b'B' => (4..8, true, false),
        b'A' => (4..8, true, true),
        b'N' => (0..0, false, true),
        _ => {
            let owner = side(piece);
            let back = |from| ahead(owner.other(), from).filter(|&square| board.piece(square) == 0);
            let one = back(to);
            for square in one.into_iter().chain(one.and_then(back)) {
                if rank_of(owner, square) != 0 {
                    found(square);
                }
            }
            return;
        }
    };
    for ray in &LINES.rays[usize::from(to)][rays] {
        let empty = ray.iter().take_while(|&&square| board.piece(square) == 0);
        for &square in empty.take(if far { 8 } else { 1 }) {
            found(square);
        }
    }
    if leaps {
        for &square in &LINES.leaps[usize::from(to)] {
            if board.piece(square) == 0 {
                found(square);
            }
        }
    }
}
