//! How men move, as steps; and what they attack on a given board.

use retrograde_rules::{Colour, Kind, Man};

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

/// Directions in which a kind slides any number of squares.
#[inline(always)]
pub(crate) const fn slides(kind: Kind) -> &'static [Step] {
    match kind {
        Kind::Queen => &ALL_WAYS,
        Kind::Rook | Kind::Chancellor => &ORTHOGONALS,
        Kind::Bishop | Kind::Paladin => &DIAGONALS,
        Kind::King | Kind::Knight | Kind::Pawn => &[],
    }
}

/// Single steps that a kind makes whatever stands between.
#[inline(always)]
pub(crate) const fn leaps(kind: Kind) -> &'static [Step] {
    match kind {
        Kind::King => &ALL_WAYS,
        Kind::Knight | Kind::Paladin | Kind::Chancellor => &KNIGHT_LEAPS,
        Kind::Queen | Kind::Rook | Kind::Bishop | Kind::Pawn => &[],
    }
}

/// +1 for White, -1 for Black: the way that pawns go.
#[inline(always)]
pub(crate) const fn forward(colour: Colour) -> i32 {
    match colour {
        Colour::White => 1,
        Colour::Black => -1,
    }
}

/// The squares that a man on `square` attacks.
#[inline(always)]
pub(crate) fn attacks<W: Word>(board: W::Board, man: Man, square: usize, occupied: W) -> W {
    reach(board, man.kind, forward(man.colour), square, occupied)
}

/// The squares from which such a man attacks `square`.
#[inline(always)]
pub(crate) fn attackers<W: Word>(board: W::Board, man: Man, square: usize, occupied: W) -> W {
    reach(board, man.kind, -forward(man.colour), square, occupied)
}

#[inline(always)]
fn reach<W: Word>(board: W::Board, kind: Kind, forward: i32, square: usize, occupied: W) -> W {
    let from = W::of(square);
    let shift = |(files, ranks): Step| from.shift(W::step(board, files, ranks));
    if kind == Kind::Pawn {
        return shift((1, forward)) | shift((-1, forward));
    }
    let mut reached = W::ZERO;
    for &leap in leaps(kind) {
        reached |= shift(leap);
    }
    for &(files, ranks) in slides(kind) {
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
