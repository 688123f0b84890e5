//! How men move on the 8x8 board. A man's role is said in letters of kinds:
//! `K` for a king, `KN` for a duke.

use super::super::state::{Side, State, kind, side};

/// A man's letter on each square, 0 where there is none.
pub(super) type Board = [u8; 64];

/// The directions of kings and queens.
const AROUND: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

pub(super) fn file(square: u8) -> i8 {
    (square & 7) as i8
}

pub(super) fn rank(square: u8) -> i8 {
    (square >> 3) as i8
}

/// The square so far from another; `None` off the board.
pub(super) fn beside(square: u8, files: i8, ranks: i8) -> Option<u8> {
    let (file, rank) = (file(square) + files, rank(square) + ranks);
    let inside = (0..8).contains(&file) && (0..8).contains(&rank);
    inside.then_some((rank * 8 + file) as u8)
}

/// One rank forward for a side.
pub(super) fn forward(side: Side) -> i8 {
    if side == Side::White { 1 } else { -1 }
}

/// A square's rank as a side counts it, its own first rank being 0.
pub(super) fn rank_of(side: Side, square: u8) -> i8 {
    if side == Side::White {
        rank(square)
    } else {
        7 - rank(square)
    }
}

pub(super) fn board_of(state: &State) -> Board {
    let mut board = [0; 64];
    for (_, man, square) in state.iter() {
        board[usize::from(square)] = man;
    }
    board
}

fn straight(files: i8, ranks: i8) -> bool {
    files == 0 || ranks == 0
}

fn diagonal(files: i8, ranks: i8) -> bool {
    files.abs() == ranks.abs()
}

/// Whether a piece in a role that stands on `from` could capture on `to`.
pub(super) fn strikes(board: &Board, role: &[u8], from: u8, to: u8) -> bool {
    let (files, ranks) = (file(to) - file(from), rank(to) - rank(from));
    if (files, ranks) == (0, 0) {
        return false;
    }
    role.iter().any(|kind| match kind {
        b'K' => files.abs() <= 1 && ranks.abs() <= 1,
        b'N' => files.abs() * ranks.abs() == 2,
        slider => {
            let aims = match slider {
                b'R' => straight(files, ranks),
                b'B' => diagonal(files, ranks),
                _ => straight(files, ranks) || diagonal(files, ranks),
            };
            aims && {
                let step = (files.signum(), ranks.signum());
                let mut at = beside(from, step.0, step.1);
                while let Some(square) = at.filter(|&s| s != to && board[usize::from(s)] == 0) {
                    at = beside(square, step.0, step.1);
                }
                at == Some(to)
            }
        }
    })
}

/// Whether a pawn of a side that stands on `from` attacks `to`.
pub(super) fn pawn_strikes(side: Side, from: u8, to: u8) -> bool {
    rank(to) - rank(from) == forward(side) && (file(to) - file(from)).abs() == 1
}

/// The squares that a piece in a role can go to: empty ones, and those of men
/// that are not on its side.
pub(super) fn goals(board: &Board, role: &[u8], mover: Side, from: u8, mut found: impl FnMut(u8)) {
    let mut go = |to: u8| {
        let there = board[usize::from(to)];
        if there == 0 || side(there) != mover {
            found(to);
        }
        there == 0
    };
    for kind in role {
        match kind {
            b'K' => AROUND.iter().for_each(|&(x, y)| {
                beside(from, x, y).map(&mut go);
            }),
            b'N' => {
                for (x, y) in [1, -1, 2, -2].into_iter().flat_map(|x: i8| {
                    let y = 3 - x.abs();
                    [(x, y), (x, -y)]
                }) {
                    beside(from, x, y).map(&mut go);
                }
            }
            slider => {
                for &(x, y) in &AROUND {
                    let fits = match slider {
                        b'R' => straight(x, y),
                        b'B' => diagonal(x, y),
                        _ => true,
                    };
                    let mut at = if fits { beside(from, x, y) } else { None };
                    while let Some(to) = at {
                        at = if go(to) { beside(to, x, y) } else { None };
                    }
                }
            }
        }
    }
}

/// What a right to take the pawn in a slot en passant needs: the pawn, of the
/// side that has just moved, stands where a double step ends, and the square
/// that it passed and the one it came from are empty. Gives the passed square.
pub(super) fn passed_by(state: &State, board: &Board, slot: usize) -> Option<u8> {
    let (man, at) = (state.men[slot], state.squares[slot]);
    let pusher = state.turn.other();
    if kind(man) != b'P' || side(man) != pusher || rank_of(pusher, at) != 3 {
        return None;
    }
    let passed = beside(at, 0, -forward(pusher))?;
    let origin = beside(passed, 0, -forward(pusher))?;
    let empty = |square: u8| board[usize::from(square)] == 0;
    (empty(passed) && empty(origin)).then_some(passed)
}
