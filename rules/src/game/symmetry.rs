//! Which symmetries of the board, and which swaps of colours, keep a game's values.

use crate::geometry::{Geometry, Transform};
use crate::square::Square;

/// Which symmetries of the board keep a game's rules for a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// All eight.
    Full,
    /// The four that keep a rectangle: left and right may be swapped, and
    /// bottom and top.
    Rectangle,
    /// Only left and right may be swapped.
    Files,
    /// None but the identity.
    None,
}

impl Symmetry {
    /// The symmetries of a board on which no direction but the pawns' is
    /// special.
    pub(crate) const fn of_board(geometry: Geometry, has_pawns: bool) -> Symmetry {
        if has_pawns {
            Symmetry::Files
        } else if geometry.is_square() {
            Symmetry::Full
        } else {
            Symmetry::Rectangle
        }
    }

    /// This one and those that keep less, the widest first.
    pub(crate) fn and_smaller(self) -> impl Iterator<Item = Symmetry> {
        let all = [
            Symmetry::Full,
            Symmetry::Rectangle,
            Symmetry::Files,
            Symmetry::None,
        ];
        all.into_iter()
            .skip_while(move |&symmetry| symmetry != self)
    }

    /// These symmetries, the identity first.
    #[inline]
    pub fn transforms(self) -> impl Iterator<Item = Transform> {
        let all = Transform::ALL.into_iter();
        all.filter(move |&transform| self.contains(transform))
    }

    /// Whether a symmetry of the board is one of these.
    pub const fn contains(self, transform: Transform) -> bool {
        match self {
            Symmetry::Full => true,
            Symmetry::Rectangle => !transform.flips_diagonal(),
            Symmetry::Files => !transform.flips_diagonal() && !transform.flips_ranks(),
            Symmetry::None => transform.index() == 0,
        }
    }
}

/// How the colours of a material may be swapped without changing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interchange {
    /// Swap the colours and mirror the ranks.
    MirrorRanks,
    /// Swap the colours and leave every piece where it is.
    Plain,
    /// Swap the colours and mirror the files.
    MirrorFiles,
    /// Swap the colours and rotate the board by a half-turn.
    HalfTurn,
    /// Not at all: both colourings have tables of their own.
    Never,
}

impl Interchange {
    /// Where a piece on a square goes when the colours are swapped this way.
    #[inline]
    pub fn image(self, geometry: Geometry, square: Square) -> Square {
        let flip = |transform, square| geometry.apply(transform, square);
        match self {
            Interchange::Plain | Interchange::Never => square,
            Interchange::MirrorRanks => flip(Transform::FLIP_RANKS, square),
            Interchange::MirrorFiles => flip(Transform::FLIP_FILES, square),
            Interchange::HalfTurn => {
                flip(Transform::FLIP_FILES, flip(Transform::FLIP_RANKS, square))
            }
        }
    }
}
