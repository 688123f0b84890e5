//! The 8x8 board: a mailbox, how pieces move on it, and its FEN.
//!
//! `extra` says which pawn may be taken en passant: 1 + its slot.

use super::state::{Side, State, piece, piece_type, side};

pub(crate) type Board = [u8; 64];

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

pub(crate) fn file(square: u8) -> i8 {
    (square % 8) as i8
}

pub(crate) fn rank(square: u8) -> i8 {
    (square / 8) as i8
}

/// The square so many files and ranks away.
pub(crate) fn step(square: u8, files: i8, ranks: i8) -> Option<u8> {
    let (file, rank) = (file(square) + files, rank(square) + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as u8)
}

/// The direction in which a side's pawns move.
pub(crate) fn ahead(side: Side) -> i8 {
    match side {
        Side::White => 1,
        Side::Black => -1,
    }
}

/// The rank on which a side's pawns start, counted from 0.
pub(crate) fn home(side: Side) -> i8 {
    match side {
        Side::White => 1,
        Side::Black => 6,
    }
}

pub(crate) fn board(state: &State) -> Board {
    let mut board = [0; 64];
    for (_, piece, square) in state.iter() {
        board[square as usize] = piece;
    }
    board
}

/// The directions and the range of a piece other than a pawn.
pub(crate) fn reach(piece_type: u8) -> (&'static [&'static [(i8, i8)]], bool) {
    match piece_type {
        b'K' => (&[&STRAIGHT, &DIAGONAL], false),
        b'Q' => (&[&STRAIGHT, &DIAGONAL], true),
        b'R' => (&[&STRAIGHT], true),
        b'B' => (&[&DIAGONAL], true),
        b'N' => (&[&LEAPS], false),
        _ => (&[], false),
    }
}

/// The squares that a piece can go to, up to and including the first piece in its way.
pub(crate) fn targets(board: &Board, piece_type: u8, from: u8, mut visit: impl FnMut(u8)) {
    let (directions, far) = reach(piece_type);
    for &(files, ranks) in directions.iter().copied().flatten() {
        let mut at = from;
        while let Some(to) = step(at, files, ranks) {
            visit(to);
            if !far || board[to as usize] != 0 {
                break;
            }
            at = to;
        }
    }
}

/// Whether a side attacks a square.
pub(crate) fn attacked(state: &State, board: &Board, target: u8, by: Side) -> bool {
    state
        .iter()
        .filter(|&(_, piece, _)| side(piece) == by)
        .any(|(_, piece, from)| {
            if piece_type(piece) == b'P' {
                return rank(target) == rank(from) + ahead(by)
                    && (file(target) - file(from)).abs() == 1;
            }
            let mut hit = false;
            targets(board, piece_type(piece), from, |to| hit |= to == target);
            hit
        })
}

/// Whether a side's king is attacked.
pub(crate) fn in_check(state: &State, side: Side) -> bool {
    let king = state.iter().find(|&(_, m, _)| m == piece(b'K', side));
    king.is_some_and(|(_, _, square)| attacked(state, &board(state), square, side.other()))
}

/// The captures of the pawn in slot `taken` en passant by pawns of the side to move, legal
/// or not. None if the pawn cannot just have made a double step.
pub(crate) fn en_passant(state: &State, board: &Board, taken: usize, out: &mut Vec<State>) {
    let at = state.squares[taken];
    let pusher = side(state.pieces[taken]);
    let back = -ahead(pusher);
    if piece_type(state.pieces[taken]) != b'P'
        || pusher == state.turn
        || rank(at) != home(pusher) - 2 * back
    {
        return;
    }
    let (Some(passed), Some(origin)) = (step(at, 0, back), step(at, 0, 2 * back)) else {
        return;
    };
    if board[passed as usize] != 0 || board[origin as usize] != 0 {
        return;
    }
    for (slot, taker, from) in state.iter() {
        if taker == piece(b'P', state.turn)
            && rank(from) == rank(at)
            && (file(from) - file(at)).abs() == 1
        {
            out.push(state.moved(slot, passed, Some(taken), None));
        }
    }
}

/// Whether every piece stands on a square of its own where it may stand, and
/// the side that is not to move is not in check.
pub(crate) fn stands(state: &State) -> bool {
    let last = |square: u8| !(1..7).contains(&rank(square));
    let stranded = |(_, piece, square)| piece_type(piece) == b'P' && last(square);
    !state.overlaps() && !state.iter().any(stranded) && !in_check(state, state.turn.other())
}

/// Every pseudo-legal move. A double step gives an e.p. right if that `counts` in the
/// state after it.
pub(crate) fn moves(state: &State, counts: impl Fn(&State) -> bool, mut visit: impl FnMut(State)) {
    let board = board(state);
    let slot_on = |square: u8| {
        state.squares[..state.len()]
            .iter()
            .position(|&s| s == square)
    };
    for (slot, piece, from) in state
        .iter()
        .filter(|&(_, piece, _)| side(piece) == state.turn)
    {
        if piece_type(piece) != b'P' {
            targets(&board, piece_type(piece), from, |to| {
                let there = board[to as usize];
                if there == 0 {
                    visit(state.moved(slot, to, None, None));
                } else if side(there) != state.turn {
                    visit(state.moved(slot, to, slot_on(to), None));
                }
            });
            continue;
        }
        let up = ahead(state.turn);
        let mut arrive = |to: u8, takes: Option<usize>| {
            if (1..7).contains(&rank(to)) {
                visit(state.moved(slot, to, takes, None));
            } else {
                for &becomes in b"QRBN" {
                    visit(state.moved(slot, to, takes, Some(becomes)));
                }
            }
        };
        for files in [-1, 1] {
            if let Some(to) = step(from, files, up) {
                let there = board[to as usize];
                if there != 0 && side(there) != state.turn {
                    arrive(to, slot_on(to));
                }
            }
        }
        let Some(to) = step(from, 0, up).filter(|&to| board[to as usize] == 0) else {
            continue;
        };
        arrive(to, None);
        if rank(from) != home(state.turn) {
            continue;
        }
        if let Some(to) = step(to, 0, up).filter(|&to| board[to as usize] == 0) {
            let quiet = state.moved(slot, to, None, None);
            let open = State {
                extra: 1 + slot as u32,
                ..quiet
            };
            visit(if counts(&open) { open } else { quiet });
        }
    }
    if state.extra != 0 {
        let mut captures = Vec::new();
        en_passant(state, &board, state.extra as usize - 1, &mut captures);
        captures.into_iter().for_each(visit);
    }
}

/// The first four fields of a FEN. No two pieces share a square.
pub(crate) fn diagram(state: &State) -> String {
    let board = board(state);
    let ranks: Vec<String> = board.chunks(8).rev().map(fen_rank).collect();
    let turn = if state.turn == Side::White { 'w' } else { 'b' };
    let ep = match state.extra {
        0 => "-".to_owned(),
        pawn => {
            let at = state.squares[pawn as usize - 1];
            let rank = if state.turn == Side::White { '6' } else { '3' };
            format!("{}{rank}", (b'a' + at % 8) as char)
        }
    };
    format!("{} {turn} - {ep}", ranks.join("/"))
}

fn fen_rank(rank: &[u8]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &piece in rank.iter().chain([&1]) {
        if piece == 0 {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        // The 1 at the end merely flushes the count.
        if piece != 1 {
            text.push(piece as char);
        }
    }
    text
}

/// The state of the first four fields of a FEN. An e.p. square must have a
/// pawn before it.
pub(crate) fn parse(fen: &str) -> State {
    let mut fields = fen.split(' ');
    let mut next = || fields.next().expect("four fields");
    let mut pieces = Vec::new();
    for (line, rank) in next().split('/').zip((0..8u8).rev()) {
        let mut file = 0;
        for letter in line.bytes() {
            if letter.is_ascii_digit() {
                file += letter - b'0';
            } else {
                pieces.push((letter, rank * 8 + file));
                file += 1;
            }
        }
    }
    let turn = if next() == "w" {
        Side::White
    } else {
        Side::Black
    };
    next();
    let mut state = State::new(&pieces, turn, 0);
    if let [file, _] = *next().as_bytes() {
        let rank = if turn == Side::White { 4 } else { 3 };
        let pawn = rank * 8 + file - b'a';
        let slot = state.iter().find(|&(_, _, square)| square == pawn);
        state.extra = 1 + slot.expect("a pawn on that square").0 as u32;
    }
    state
}
