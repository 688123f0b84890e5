//! How pieces move, as steps, and what they attack on a given board.

use retrograde_rules::{Colour, Piece, PieceType};

use super::word::{BoardShape, Word};

/// A step: files, ranks.
pub(crate) type Step = (i32, i32);

const ORTHOGONALS: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONALS: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
pub(crate) const ALL_WAYS: [Step; 8] = [
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, -1),
    (-1, 1),
];
const KNIGHT_LEAPS: [Step; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The directions in which a piece type slides any number of squares.
#[inline(always)]
pub(crate) const fn slides(piece_type: PieceType) -> &'static [Step] {
    match piece_type {
        PieceType::Queen => &ALL_WAYS,
        PieceType::Rook | PieceType::Chancellor => &ORTHOGONALS,
        PieceType::Bishop | PieceType::Paladin => &DIAGONALS,
        PieceType::King | PieceType::Knight | PieceType::Pawn => &[],
    }
}

/// The single steps and leaps of a piece type.
#[inline(always)]
pub(crate) const fn leaps(piece_type: PieceType) -> &'static [Step] {
    match piece_type {
        PieceType::King => &ALL_WAYS,
        PieceType::Knight | PieceType::Paladin | PieceType::Chancellor => &KNIGHT_LEAPS,
        PieceType::Queen | PieceType::Rook | PieceType::Bishop | PieceType::Pawn => &[],
    }
}

/// The direction of pawns: +1 for White, -1 for Black.
#[inline(always)]
pub(crate) const fn forward(colour: Colour) -> i32 {
    match colour {
        Colour::White => 1,
        Colour::Black => -1,
    }
}

/// The squares that a piece on `square` attacks.
#[inline(always)]
pub(crate) fn attacks<W: Word>(board: W::Board, piece: Piece, square: usize, occupied: W) -> W {
    reach(
        board,
        piece.piece_type,
        forward(piece.colour),
        square,
        occupied,
    )
}

/// The squares from which such a piece attacks `square`.
#[inline(always)]
pub(crate) fn attackers<W: Word>(board: W::Board, piece: Piece, square: usize, occupied: W) -> W {
    reach(
        board,
        piece.piece_type,
        -forward(piece.colour),
        square,
        occupied,
    )
}

#[inline(always)]
fn reach<W: Word>(
    board: W::Board,
    piece_type: PieceType,
    forward: i32,
    square: usize,
    occupied: W,
) -> W {
    let from = W::of(square);
    let shift = |(files, ranks): Step| from.shift(W::step(board, files, ranks));
    if piece_type == PieceType::Pawn {
        return shift((1, forward)) | shift((-1, forward));
    }
    let mut reached = W::ZERO;
    for &leap in leaps(piece_type) {
        reached |= shift(leap);
    }
    for &(files, ranks) in slides(piece_type) {
        reached |= from.slide(!occupied, W::step(board, files, ranks));
    }
    reached
}

/// The squares strictly between two squares on a common line, for all pairs;
/// empty where there is no common line.
pub(crate) struct Between<W: Word> {
    table: Vec<W>,
    pub(crate) board: W::Board,
}

impl<W: Word> Between<W> {
    pub(crate) fn new(board: W::Board) -> Between<W> {
        let (geometry, squares) = (board.geometry(), board.squares());
        let mut table = vec![W::ZERO; squares * squares];
        for from in geometry.all() {
            for (files, ranks) in ALL_WAYS {
                let mut between = W::ZERO;
                let mut square = from;
                while let Some(next) = geometry.offset(square, files as i8, ranks as i8) {
                    table[from.index() * squares + next.index()] = between;
                    between |= W::of(next.index());
                    square = next;
                }
            }
        }
        Between { table, board }
    }

    #[inline(always)]
    pub(crate) fn get(&self, from: usize, to: usize) -> W {
        self.table[from * self.board.squares() + to]
    }
}
