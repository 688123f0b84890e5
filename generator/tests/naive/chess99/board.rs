//! The board: 81 squares, a1 being 0, and the lines on it.

use std::sync::LazyLock;

use super::super::state::{Side, State, side};

/// Files, and ranks.
pub(crate) const EDGE: u8 = 9;

pub(crate) const SQUARES: usize = 81;

/// What stands where: a FEN letter, or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    pub(crate) at: [u8; SQUARES],
    pub(crate) turn: Side,
    /// The square that a pawn has just stepped over, if somebody can take it.
    pub(crate) ep: Option<u8>,
}

/// Lines and leaps from each square.
pub(crate) struct Lines {
    /// Four along ranks and files, then four diagonals, each from near to far.
    pub(crate) rays: Vec<[Vec<u8>; 8]>,
    pub(crate) leaps: Vec<Vec<u8>>,
}

pub(crate) static LINES: LazyLock<Lines> = LazyLock::new(|| {
    const RAYS: [(i8, i8); 8] = [
        (0, 1),
        (0, -1),
        (1, 0),
        (-1, 0),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ];
    let squares = 0..SQUARES as u8;
    let rays = squares.clone().map(|from| {
        RAYS.map(|(x, y)| {
            let line = (1..9).map_while(|n| beside(from, n * x, n * y));
            line.collect()
        })
    });
    let leaps = squares.map(|from| {
        let steps = [-2, -1, 1, 2];
        let pairs = steps.into_iter().flat_map(|x| steps.map(|y| (x, y)));
        pairs
            .filter(|(x, y): &(i8, i8)| x.abs() != y.abs())
            .filter_map(|(x, y)| beside(from, x, y))
            .collect()
    });
    Lines {
        rays: rays.collect(),
        leaps: leaps.collect(),
    }
});

/// The square some files to the right and some ranks up.
pub(crate) fn beside(from: u8, files: i8, ranks: i8) -> Option<u8> {
    let file = (from % EDGE) as i8 + files;
    let rank = (from / EDGE) as i8 + ranks;
    ((0..9).contains(&file) && (0..9).contains(&rank)).then_some((rank * 9 + file) as u8)
}

/// The rank as a side counts it: 0 is its own first, 8 its last.
pub(crate) fn rank_of(side: Side, square: u8) -> u8 {
    match side {
        Side::White => square / EDGE,
        Side::Black => 8 - square / EDGE,
    }
}

/// The square straight ahead of a side's pawn.
pub(crate) fn ahead(side: Side, from: u8) -> Option<u8> {
    match side {
        Side::White => beside(from, 0, 1),
        Side::Black => beside(from, 0, -1),
    }
}

/// The name of a square.
pub(crate) fn name(square: u8) -> String {
    let file = char::from(b'a' + square % EDGE);
    format!("{file}{}", square / EDGE + 1)
}

impl Board {
    /// The board of a state.
    pub(crate) fn of(state: &State) -> Board {
        let mut board = Board {
            at: [0; SQUARES],
            turn: state.turn,
            ep: ep(state),
        };
        for (_, piece, square) in state.iter() {
            board.at[usize::from(square)] = piece;
        }
        board
    }

    /// The state on the board; it has few pieces.
    pub(crate) fn state(&self) -> State {
        let pieces: Vec<(u8, u8)> = (0..SQUARES as u8)
            .filter(|&square| self.piece(square) != 0)
            .map(|square| (self.piece(square), square))
            .collect();
        State::new(&pieces, self.turn, extra(self.ep))
    }

    pub(crate) fn piece(&self, square: u8) -> u8 {
        self.at[usize::from(square)]
    }

    pub(crate) fn put(&mut self, square: u8, piece: u8) {
        self.at[usize::from(square)] = piece;
    }

    /// Whether a piece of this side stands on the square.
    pub(crate) fn has(&self, square: u8, of: Side) -> bool {
        self.piece(square) != 0 && side(self.piece(square)) == of
    }

    /// The squares of a side's pieces.
    pub(crate) fn squares(&self, of: Side) -> Vec<u8> {
        let squares = 0..SQUARES as u8;
        squares.filter(|&square| self.has(square, of)).collect()
    }

    /// The first four fields of the FEN.
    pub(crate) fn fen(&self) -> String {
        let mut text = String::new();
        for rank in (0..EDGE).rev() {
            let mut empty = 0;
            for file in 0..EDGE {
                let piece = self.piece(rank * EDGE + file);
                if piece == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(char::from(piece));
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text += match self.turn {
            Side::White => "w - ",
            Side::Black => "b - ",
        };
        text + &self.ep.map_or("-".to_owned(), name)
    }

    /// Reads a FEN that is known to be sound.
    pub(crate) fn read(fen: &str) -> Board {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = Board {
            at: [0; SQUARES],
            turn: match fields[1] {
                "w" => Side::White,
                _ => Side::Black,
            },
            ep: (fields[3] != "-").then(|| {
                let name = fields[3].as_bytes();
                (name[1] - b'1') * EDGE + name[0] - b'a'
            }),
        };
        for (row, rank) in fields[0].split('/').zip((0..EDGE).rev()) {
            let mut file = 0;
            for letter in row.bytes() {
                if letter.is_ascii_digit() {
                    file += letter - b'0';
                } else {
                    board.put(rank * EDGE + file, letter);
                    file += 1;
                }
            }
        }
        board
    }
}

/// The e.p. square of a state.
pub(crate) fn ep(state: &State) -> Option<u8> {
    state.extra.checked_sub(1).map(|square| square as u8)
}

/// [`State::extra`] of an e.p. square.
pub(crate) fn extra(ep: Option<u8>) -> u32 {
    ep.map_or(0, |square| u32::from(square) + 1)
}
