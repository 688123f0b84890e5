//! How men move, as steps; and what they attack on a given board.

use retrograde_rules::{Colour, Kind, Man, Square};

use super::word::Word;

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
pub(crate) fn attacks<W: Word>(man: Man, square: usize, occupied: W) -> W {
    reach(man.kind, forward(man.colour), square, occupied)
}

/// The squares from which such a man attacks `square`.
#[inline(always)]
pub(crate) fn attackers<W: Word>(man: Man, square: usize, occupied: W) -> W {
    reach(man.kind, -forward(man.colour), square, occupied)
}

#[inline(always)]
fn reach<W: Word>(kind: Kind, forward: i32, square: usize, occupied: W) -> W {
    let from = W::of(square);
    if kind == Kind::Pawn {
        return from.shift(1, forward) | from.shift(-1, forward);
    }
    let mut reached = W::ZERO;
    for &(files, ranks) in leaps(kind) {
        reached |= from.shift(files, ranks);
    }
    for &(files, ranks) in slides(kind) {
        reached |= from.slide(!occupied, files, ranks);
    }
    reached
}

/// The squares strictly between two squares on a common line, for all pairs;
/// empty where there is no common line.
pub(crate) struct Between<W>(Vec<W>);

impl<W: Word> Between<W> {
    pub(crate) fn new() -> Between<W> {
        let mut table = vec![W::ZERO; W::SQUARES * W::SQUARES];
        for from in 0..W::SQUARES {
            for (files, ranks) in ALL_WAYS {
                let mut between = W::ZERO;
                let mut square = Square(from as u8);
                while let Some(next) = W::BOARD.offset(square, files as i8, ranks as i8) {
                    table[from * W::SQUARES + next.index()] = between;
                    between |= W::of(next.index());
                    square = next;
                }
            }
        }
        Between(table)
    }

    #[inline(always)]
    pub(crate) fn get(&self, from: usize, to: usize) -> W {
        self.0[from * W::SQUARES + to]
    }
}
