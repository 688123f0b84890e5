//! Pieces on squares. A piece is its FEN letter: `b'Q'` a white queen, `b'q'` a
//! black one. A square is `rank * files + file`, a1 being 0.

use std::fmt;

/// The most pieces that a state can hold.
pub(crate) const MOST: usize = 6;

/// The order of piece types in the name of a material.
const LETTERS: &[u8] = b"KQACRBNP";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    White,
    Black,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::White, Side::Black];

    pub(crate) fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// The side of a piece.
pub(crate) fn side(piece: u8) -> Side {
    if piece.is_ascii_uppercase() {
        Side::White
    } else {
        Side::Black
    }
}

/// The type of a piece, in upper case.
pub(crate) fn piece_type(piece: u8) -> u8 {
    piece.to_ascii_uppercase()
}

/// The piece of a type and a side.
pub(crate) fn piece(piece_type: u8, side: Side) -> u8 {
    match side {
        Side::White => piece_type.to_ascii_uppercase(),
        Side::Black => piece_type.to_ascii_lowercase(),
    }
}

/// The value of a state for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    /// Not a state of the game.
    Illegal,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins after so many plies.
    Win(u16),
    /// The side to move loses after so many plies; 0 when it has lost.
    Loss(u16),
}

/// The pieces of a material: White's, then Black's, each side in the order of
/// [`LETTERS`]. Unused places hold 0.
pub(crate) type Pieces = [u8; MOST];

/// Reads the name of a material, such as `KPvKP`.
pub(crate) fn pieces_of(name: &str) -> Pieces {
    let (white, black) = name
        .split_once('v')
        .expect("a material is named like KPvKP");
    let mut pieces = [0; MOST];
    let letters = white
        .bytes()
        .chain(black.bytes().map(|c| piece(c, Side::Black)));
    for (place, letter) in pieces.iter_mut().zip(letters) {
        *place = letter;
    }
    assert_eq!(pieces, sorted(pieces), "{name} is not in order");
    pieces
}

/// The place of each letter in the order of a material; no piece comes last.
const RANK: [u8; 128] = {
    let mut ranks = [u8::MAX; 128];
    let mut at = 0;
    while at < LETTERS.len() {
        ranks[LETTERS[at] as usize] = at as u8;
        ranks[LETTERS[at].to_ascii_lowercase() as usize] = 100 + at as u8;
        at += 1;
    }
    ranks
};

fn rank(piece: u8) -> u8 {
    RANK[piece as usize]
}

fn sorted(mut pieces: Pieces) -> Pieces {
    pieces.sort_by_key(|&m| rank(m));
    pieces
}

/// A state of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// The pieces, in the order of their material.
    pub(crate) pieces: Pieces,
    /// Where each stands. Unused places hold 0.
    pub(crate) squares: [u8; MOST],
    /// The side to move.
    pub(crate) turn: Side,
    /// What the game tracks besides pieces and turn; 0 is "nothing".
    pub(crate) extra: u32,
}

impl State {
    /// A state from pieces in any order. Equal pieces keep their order.
    pub(crate) fn new(pieces: &[(u8, u8)], turn: Side, extra: u32) -> State {
        let mut state = State {
            pieces: [0; MOST],
            squares: [0; MOST],
            turn,
            extra,
        };
        for (slot, &(piece, square)) in pieces.iter().enumerate() {
            (state.pieces[slot], state.squares[slot]) = (piece, square);
        }
        state.sort();
        state
    }

    /// Puts the pieces in order; `extra` must not refer to slots.
    fn sort(&mut self) {
        for end in 1..MOST {
            for slot in (1..=end).rev() {
                if rank(self.pieces[slot - 1]) <= rank(self.pieces[slot]) {
                    break;
                }
                self.pieces.swap(slot - 1, slot);
                self.squares.swap(slot - 1, slot);
            }
        }
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().take_while(|&&m| m != 0).count()
    }

    /// Each piece with its slot and square.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, u8, u8)> + '_ {
        (0..self.len()).map(|slot| (slot, self.pieces[slot], self.squares[slot]))
    }

    /// Whether two pieces share a square.
    pub(crate) fn overlaps(&self) -> bool {
        let squares = &self.squares[..self.len()];
        (1..squares.len()).any(|slot| squares[..slot].contains(&squares[slot]))
    }

    /// The state after the piece in `slot` has gone to `to`, captured the piece in slot
    /// `takes` and become `becomes`, with the other side to move. `extra` is 0.
    pub(crate) fn moved(
        &self,
        slot: usize,
        to: u8,
        takes: Option<usize>,
        becomes: Option<u8>,
    ) -> State {
        let mut next = State {
            turn: self.turn.other(),
            extra: 0,
            ..*self
        };
        next.squares[slot] = to;
        if let Some(taken) = takes {
            (next.pieces[taken], next.squares[taken]) = (0, 0);
        }
        if let Some(piece_type) = becomes {
            next.pieces[slot] = piece(piece_type, self.turn);
        }
        if takes.is_some() || becomes.is_some() {
            next.sort();
        }
        next
    }
}

impl fmt::Display for State {
    /// Pieces and squares in words that fit any board: `Ka1 Pb2 kc3, white`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (_, piece, square) in self.iter() {
            write!(f, "{}@{square} ", piece as char)?;
        }
        write!(f, "{:?} extra {}", self.turn, self.extra)
    }
}
