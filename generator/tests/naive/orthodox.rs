//! Orthodox chess without castling.
//!
//! `extra` says which pawn may be taken en passant: 1 + its slot. Such a
//! state exists only if the capture is legal (O2).

use super::board::{board, diagram, en_passant, file, home, in_check, moves, parse, rank, stands};
use super::rules::{Next, Rules};
use super::state::{MOST, Men, Side, State, Value, kind, man, side};

pub(crate) struct Orthodox;

impl Orthodox {
    /// FEN, with the counters at `0 1`. No two men share a square.
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
    fn squares(&self, men: &Men, slot: usize, folded: bool) -> Vec<u8> {
        let pawns = men.iter().any(|&m| kind(m) == b'P');
        let fits = |&square: &u8| match kind(men[slot]) {
            b'P' => (1..7).contains(&rank(square)),
            _ if slot > 0 || !folded => true,
            _ if pawns => file(square) < 4,
            _ => file(square) < 4 && rank(square) <= file(square),
        };
        (0..64).filter(fits).collect()
    }

    fn extras(&self, men: &Men, turn: Side) -> Vec<u32> {
        let pawn = |side: Side| men.contains(&man(b'P', side));
        let mut extras = vec![0];
        if pawn(turn) {
            let theirs = (0..MOST).filter(|&slot| men[slot] == man(b'P', turn.other()));
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
        // Men of the same class have not changed their slots.
        let pawn_moved = || {
            from.iter()
                .any(|(slot, man, square)| kind(man) == b'P' && to.squares[slot] != square)
        };
        from.men != to.men || pawn_moved()
    }

    fn pawn_steps(&self, state: &State) -> usize {
        let steps = |(_, man, square): (usize, u8, u8)| match kind(man) {
            b'P' => (rank(square) - home(side(man))).unsigned_abs().into(),
            _ => 0,
        };
        state.iter().map(steps).sum()
    }

    /// White has the more men, or the better ones; his king stands on files
    /// a to d, without pawns in the triangle a1-d1-d4. Swapped colours lose
    /// no e.p. state: `extra` follows its pawn.
    fn fold(&self, state: &State) -> State {
        let mut folded = *state;
        if black_is_better(&state.men) {
            // Black's men come first then: the slots turn round.
            let len = state.len();
            let white = state
                .iter()
                .filter(|&(_, m, _)| side(m) == Side::White)
                .count();
            folded.men[..len].rotate_left(white);
            folded.squares[..len].rotate_left(white);
            folded.men[..len].iter_mut().for_each(|m| *m ^= 0x20);
            folded.squares[..len].iter_mut().for_each(|s| *s ^= 56);
            folded.turn = state.turn.other();
            if state.extra != 0 {
                folded.extra = 1 + (state.extra - 1 + (len - white) as u32) % len as u32;
            }
        }
        // White's king comes first in every class.
        let king = folded.squares[0];
        let pawns = folded.men.iter().any(|&m| kind(m) == b'P');
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

/// Whether Black's men name the class: more men, or as many but better ones,
/// the first difference counting.
fn black_is_better(men: &Men) -> bool {
    let mut worth = [0u32; 2];
    for &man in men.iter().take_while(|&&m| m != 0) {
        let digit = match kind(man) {
            b'K' => 7,
            b'Q' => 6,
            b'R' => 5,
            b'B' => 4,
            b'N' => 3,
            _ => 2,
        };
        let worth = &mut worth[side(man) as usize];
        *worth = *worth * 8 + digit;
    }
    worth[1] > worth[0]
}
