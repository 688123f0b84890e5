//! Orthodox chess without castling.
//!
//! `extra` says which pawn may be taken en passant: 1 + its slot. Such a
//! state exists only if the capture is legal (O2).

use super::board::{board, diagram, en_passant, file, home, in_check, moves, parse, rank, stands};
use super::rules::{Next, Rules};
use super::state::{MOST, Pieces, Side, State, Value, piece, piece_type, side};

pub(crate) struct Orthodox;

impl Orthodox {
    /// FEN, with the counters at `0 1`. No two pieces share a square.
    pub(crate) fn fen(state: &State) -> String {
        format!("{} 0 1", diagram(state))
    }

    /// The state of the first four fields of a FEN. An e.p. square that no
    /// legal capture uses is dropped.
    pub(crate) fn parse(fen: &str) -> State {
        let mut state = parse(fen);
        if !Orthodox.legal(&state) {
            state.extra = 0;
        }
        state
    }
}

impl Rules for Orthodox {
    fn squares(&self, pieces: &Pieces, slot: usize, folded: bool) -> Vec<u8> {
        let pawns = pieces.iter().any(|&m| piece_type(m) == b'P');
        let fits = |&square: &u8| match piece_type(pieces[slot]) {
            b'P' => (1..7).contains(&rank(square)),
            _ if slot > 0 || !folded => true,
            _ if pawns => file(square) < 4,
            _ => file(square) < 4 && rank(square) <= file(square),
        };
        (0..64).filter(fits).collect()
    }

    fn extras(&self, pieces: &Pieces, turn: Side) -> Vec<u32> {
        let pawn = |side: Side| pieces.contains(&piece(b'P', side));
        let mut extras = vec![0];
        if pawn(turn) {
            let theirs = (0..MOST).filter(|&slot| pieces[slot] == piece(b'P', turn.other()));
            extras.extend(theirs.map(|slot| 1 + slot as u32));
        }
        extras
    }

    fn legal(&self, state: &State) -> bool {
        if !stands(state) {
            return false;
        }
        if state.extra == 0 {
            return true;
        }
        let mut captures = Vec::new();
        en_passant(
            state,
            &board(state),
            state.extra as usize - 1,
            &mut captures,
        );
        captures.iter().any(|next| self.legal(next))
    }

    fn moves(&self, state: &State, out: &mut Vec<Next>) {
        moves(
            state,
            |open| self.legal(open),
            |next| out.push(Next::State(next)),
        );
    }

    fn stuck(&self, state: &State) -> Value {
        if in_check(state, state.turn) {
            Value::Loss(0)
        } else {
            Value::Draw
        }
    }

    fn is_zeroing(&self, from: &State, to: &State) -> bool {
        // Pieces of the same material have not changed their slots.
        let pawn_moved = || {
            from.iter().any(|(slot, piece, square)| {
                piece_type(piece) == b'P' && to.squares[slot] != square
            })
        };
        from.pieces != to.pieces || pawn_moved()
    }

    fn pawn_steps(&self, state: &State) -> usize {
        let steps = |(_, piece, square): (usize, u8, u8)| match piece_type(piece) {
            b'P' => (rank(square) - home(side(piece))).unsigned_abs().into(),
            _ => 0,
        };
        state.iter().map(steps).sum()
    }

    /// White gets more pieces, or better ones; White's king goes to files a to d, and
    /// without pawns into the triangle a1-d1-d4. Swapping the colours keeps e.p. states:
    /// `extra` follows its pawn.
    fn fold(&self, state: &State) -> State {
        let mut folded = *state;
        if black_is_better(&state.pieces) {
            // Black's pieces come first then: the slots are rotated.
            let len = state.len();
            let white = state
                .iter()
                .filter(|&(_, m, _)| side(m) == Side::White)
                .count();
            folded.pieces[..len].rotate_left(white);
            folded.squares[..len].rotate_left(white);
            folded.pieces[..len].iter_mut().for_each(|m| *m ^= 0x20);
            folded.squares[..len].iter_mut().for_each(|s| *s ^= 56);
            folded.turn = state.turn.other();
            if state.extra != 0 {
                folded.extra = 1 + (state.extra - 1 + (len - white) as u32) % len as u32;
            }
        }
        // White's king comes first in every material.
        let king = folded.squares[0];
        let pawns = folded.pieces.iter().any(|&m| piece_type(m) == b'P');
        let mut flip = if file(king) > 3 { 7 } else { 0 };
        if rank(king) > 3 && !pawns {
            flip |= 56;
        }
        let corner = king ^ flip;
        let diagonal = !pawns && rank(corner) > file(corner);
        if flip == 0 && !diagonal {
            return folded;
        }
        for square in &mut folded.squares[..state.len()] {
            *square ^= flip;
            if diagonal {
                *square = *square % 8 * 8 + *square / 8;
            }
        }
        folded
    }
}

/// Whether Black's pieces come first in the name of the material: more pieces, or as many
/// but better ones at the first difference.
fn black_is_better(pieces: &Pieces) -> bool {
    let mut value = [0u32; 2];
    for &piece in pieces.iter().take_while(|&&m| m != 0) {
        let digit = match piece_type(piece) {
            b'K' => 7,
            b'Q' => 6,
            b'R' => 5,
            b'B' => 4,
            b'N' => 3,
            _ => 2,
        };
        let value = &mut value[side(piece) as usize];
        *value = *value * 8 + digit;
    }
    value[1] > value[0]
}
