//! The rules of High Chess, one state at a time, by the letter of
//! docs/RULES.md.

use super::super::board::{board, en_passant, in_check, moves, parse, stands};
use super::super::state::{Side, State, piece, piece_type, side};

/// Whose counter a vital move fills (H4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    Mover,
    Both,
}

/// The options of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The full counter (H3), at most 50.
    pub(crate) full: u8,
    pub(crate) reading: Reading,
}

/// Points of vitality (H3). One of them is 0 where its owner has just used up
/// the last (H6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) white: u8,
    pub(crate) black: u8,
}

impl Counters {
    fn of(&mut self, side: Side) -> &mut u8 {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }
}

/// How many king steps a square is from the nearest of d4, e4, d5, e5 (H1).
pub(crate) fn distance(square: u8) -> u8 {
    let centre = [27u8, 28, 35, 36];
    let steps = |to: u8| {
        (to % 8)
            .abs_diff(square % 8)
            .max((to / 8).abs_diff(square / 8))
    };
    centre.into_iter().map(steps).min().expect("four squares")
}

/// Which side is High with the kings on these squares (H1).
pub(crate) fn high(white: u8, black: u8) -> Side {
    if distance(white) < distance(black) {
        Side::White
    } else {
        Side::Black
    }
}

/// Where a side's king stands.
fn king(state: &State, side: Side) -> u8 {
    let mut pieces = state.iter();
    let king = pieces.find(|&(_, m, _)| m == piece(b'K', side));
    king.expect("a king on both sides").2
}

/// Whether the pawn of `extra` can be one that has just passed an enemy pawn
/// which stands so as to take it, legally or not (O2, H7).
fn right_counts(state: &State) -> bool {
    let mut captures = Vec::new();
    let taken = state.extra as usize - 1;
    en_passant(state, &board(state), taken, &mut captures);
    !captures.is_empty()
}

/// Whether the state is one of the game.
pub(crate) fn legal(state: &State) -> bool {
    stands(state) && (state.extra == 0 || right_counts(state))
}

/// Whether the legal state is a checkmate (H2).
pub(crate) fn mated(state: &State) -> bool {
    let mut moves = 0;
    if in_check(state, state.turn) {
        each_move(state, |next| moves += u32::from(legal(&next)));
    } else {
        moves = 1;
    }
    moves == 0
}

/// The side that is High (H1).
pub(crate) fn high_in(state: &State) -> Side {
    high(king(state, Side::White), king(state, Side::Black))
}

/// Visits the state after every move, the pass included. A move that leads to
/// a state that is not [`legal`] does not count; so there is no pass in check,
/// where the king would stay in check (H2).
pub(crate) fn each_move(state: &State, mut visit: impl FnMut(State)) {
    moves(state, right_counts, &mut visit);
    visit(State {
        turn: state.turn.other(),
        extra: 0,
        ..*state
    });
}

/// Whether the move between two states is vital (H7): something was captured,
/// a pawn of the mover moved, or one stood so as to take en passant.
pub(crate) fn vital(before: &State, after: &State) -> bool {
    let pawn_moved = |(slot, piece, square): (usize, u8, u8)| {
        piece_type(piece) == b'P' && side(piece) == before.turn && after.squares[slot] != square
    };
    before.extra != 0 || before.pieces != after.pieces || before.iter().any(pawn_moved)
}

/// The state of the first four fields of a FEN. An e.p. square that does not
/// count is dropped.
pub(crate) fn read(fen: &str) -> State {
    let mut state = parse(fen);
    if !legal(&state) {
        state.extra = 0;
    }
    state
}

impl Rules {
    /// The counters after a move (H4, H5).
    pub(crate) fn charge(&self, before: &State, after: &State, counters: Counters) -> Counters {
        let mut counters = counters;
        let mover = before.turn;
        if vital(before, after) {
            *counters.of(mover) = self.full;
            if self.reading == Reading::Both {
                *counters.of(mover.other()) = self.full;
            }
        } else if high_in(after) != mover {
            *counters.of(mover) -= 1;
        }
        counters
    }

    /// How many lines of play there are. A finished game has none.
    pub(crate) fn perft(&self, state: &State, mut counters: Counters, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        // The side that has just moved has no points left (H6).
        if *counters.of(state.turn.other()) == 0 {
            return 0;
        }
        let mut nodes = 0;
        each_move(state, |next| {
            if legal(&next) {
                nodes += self.perft(&next, self.charge(state, &next, counters), depth - 1);
            }
        });
        nodes
    }
}
