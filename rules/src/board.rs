//! Which man stands on which square.

use crate::geometry::Geometry;
use crate::man::{Colour, Kind, Man};
use crate::material::Material;
use crate::square::{Square, SquareSet};

/// Men on squares, as one set a colour and one set a kind. A board does not
/// know its [`Geometry`]; the game does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    colours: [SquareSet; 2],
    kinds: [SquareSet; Kind::COUNT],
}

impl Board {
    /// A board without men.
    #[inline]
    pub const fn empty() -> Board {
        Board {
            colours: [SquareSet::EMPTY; 2],
            kinds: [SquareSet::EMPTY; Kind::COUNT],
        }
    }

    /// Puts a man on a square, or takes away what stands there (`None`).
    /// The square must be one of the 128 that a [`SquareSet`] holds.
    pub fn set(&mut self, square: Square, man: Option<Man>) {
        self.take(square);
        if let Some(man) = man {
            self.put(square, man);
        }
    }

    /// Puts a man on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, square: Square, man: Man) {
        self.colours[man.colour.index()].insert(square);
        self.kinds[man.kind.index()].insert(square);
    }

    /// Takes a man off a square where it stands.
    #[inline]
    pub(crate) fn lift(&mut self, square: Square, man: Man) {
        self.colours[man.colour.index()].remove(square);
        self.kinds[man.kind.index()].remove(square);
    }

    /// Moves a man from where it stands to an empty square.
    #[inline]
    pub(crate) fn shift(&mut self, man: Man, from: Square, to: Square) {
        let both = SquareSet::of(from) ^ SquareSet::of(to);
        for set in [
            &mut self.colours[man.colour.index()],
            &mut self.kinds[man.kind.index()],
        ] {
            *set = *set ^ both;
        }
    }

    /// The king on `king` goes one square towards its partner on the same
    /// rank, who goes to where the king stood (C7).
    pub(crate) fn castle(&mut self, colour: Colour, king: Square, partner: Square) {
        let Some(kind) = self.kind_at(partner) else {
            return;
        };
        let beside = if partner > king {
            Square(king.0 + 1)
        } else {
            Square(king.0 - 1)
        };
        // Off the board first: with a neighbour the two swap.
        self.take(partner);
        self.shift(Man::new(colour, Kind::King), king, beside);
        self.put(king, Man::new(colour, kind));
    }

    /// The king goes from `king` to `to`, and the next man beyond that, its
    /// rook, to the square beside it on the side that it came from (X1-X3).
    pub(crate) fn castle_by_right(&mut self, colour: Colour, king: Square, to: Square) {
        let after = SquareSet(u128::MAX << to.0) - SquareSet::of(to);
        let (rook, beside) = if to > king {
            ((self.occupied() & after).first(), to.0.wrapping_sub(1))
        } else {
            let before = !after - SquareSet::of(to);
            ((self.occupied() & before).last(), to.0.wrapping_add(1))
        };
        let Some(rook) = rook else { return };
        self.shift(Man::new(colour, Kind::King), king, to);
        self.shift(Man::new(colour, Kind::Rook), rook, Square(beside));
    }

    /// Empties a square.
    #[inline]
    pub(crate) fn take(&mut self, square: Square) {
        let rest = !SquareSet::of(square);
        for set in self.colours.iter_mut().chain(&mut self.kinds) {
            *set &= rest;
        }
    }

    /// The man on a square.
    #[inline]
    pub fn man_at(&self, square: Square) -> Option<Man> {
        let colour = if self.by(Colour::White).contains(square) {
            Colour::White
        } else if self.by(Colour::Black).contains(square) {
            Colour::Black
        } else {
            return None;
        };
        Some(Man::new(colour, self.kind_at(square)?))
    }

    /// The kind of the man on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL
            .into_iter()
            .find(|kind| self.kinds[kind.index()].contains(square))
    }

    /// The squares of all men.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.colours[0] | self.colours[1]
    }

    /// The squares of one side's men.
    #[inline]
    pub fn by(&self, colour: Colour) -> SquareSet {
        self.colours[colour.index()]
    }

    /// The squares of both sides' men of one kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> SquareSet {
        self.kinds[kind.index()]
    }

    /// The squares of the men of one colour and kind.
    #[inline]
    pub fn of(&self, man: Man) -> SquareSet {
        self.by(man.colour) & self.kind(man.kind)
    }

    /// Every man with its square, in the order of [`Material::men`], equal
    /// men by ascending square.
    pub fn men(&self) -> impl Iterator<Item = (Man, Square)> + '_ {
        Colour::BOTH.into_iter().flat_map(move |colour| {
            Kind::ALL.into_iter().flat_map(move |kind| {
                let man = Man::new(colour, kind);
                self.of(man).map(move |square| (man, square))
            })
        })
    }

    /// The men on the board.
    pub fn material(&self) -> Material {
        Material::counted(|man| self.of(man).len() as u8)
    }

    /// The same men with the colours swapped and the ranks mirrored.
    pub fn mirrored(&self, geometry: Geometry) -> Board {
        let mut board = Board::empty();
        for (man, square) in self.men() {
            let square = geometry.apply(crate::Transform::FLIP_RANKS, square);
            board.put(square, Man::new(man.colour.other(), man.kind));
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_are_put_moved_and_counted() {
        let mut board = Board::empty();
        let king = Man::new(Colour::White, Kind::King);
        let rook = Man::new(Colour::Black, Kind::Rook);
        board.set(Square(80), Some(rook));
        board.set(Square(3), Some(rook));
        board.set(Square(3), Some(king));
        assert_eq!(board.man_at(Square(3)), Some(king));
        assert_eq!(board.man_at(Square(80)), Some(rook));
        assert_eq!(board.man_at(Square(4)), None);
        assert_eq!(board.occupied().len(), 2);
        assert_eq!(board.material().to_string(), "KvR");
        let men: Vec<_> = board.men().collect();
        assert_eq!(men, [(king, Square(3)), (rook, Square(80))]);
        board.set(Square(3), None);
        board.set(Square(80), None);
        assert_eq!(board, Board::empty());
    }
}
