//! Men: colours and kinds.

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// The side that moves first in a game.
    White,
    /// The other side.
    Black,
}

impl Colour {
    /// White, then Black.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    pub const fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// `"white"` or `"black"`.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Black => "black",
        }
    }
}

/// A kind of man, in the order in which material is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `K`
    King,
    /// `Q`
    Queen,
    /// `A`: Chess 99's paladin, bishop or knight (C1).
    Paladin,
    /// `C`: the chancellor of kings on ten files, rook or knight (K7).
    Chancellor,
    /// `R`
    Rook,
    /// `B`
    Bishop,
    /// `N`
    Knight,
    /// `P`
    Pawn,
}

impl Kind {
    /// How many kinds there are.
    pub const COUNT: usize = 8;

    /// All kinds in the order of material names.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::King,
        Kind::Queen,
        Kind::Paladin,
        Kind::Chancellor,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
        Kind::Pawn,
    ];

    /// The place in [`Kind::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter of the kind, as in FEN for White.
    pub const fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Paladin => 'A',
            Kind::Chancellor => 'C',
            Kind::Rook => 'R',
            Kind::Bishop => 'B',
            Kind::Knight => 'N',
            Kind::Pawn => 'P',
        }
    }

    /// `"king"`, `"rook"` and so on.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::King => "king",
            Kind::Queen => "queen",
            Kind::Paladin => "paladin",
            Kind::Chancellor => "chancellor",
            Kind::Rook => "rook",
            Kind::Bishop => "bishop",
            Kind::Knight => "knight",
            Kind::Pawn => "pawn",
        }
    }

    /// The kind of a letter, capital or small.
    pub fn from_letter(letter: char) -> Option<Kind> {
        let capital = letter.to_ascii_uppercase();
        Kind::ALL.into_iter().find(|k| k.letter() == capital)
    }
}

/// A man: colour and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man {
    /// Whose man it is.
    pub colour: Colour,
    /// What kind of man it is.
    pub kind: Kind,
}

impl Man {
    /// A man of the given colour and kind.
    pub const fn new(colour: Colour, kind: Kind) -> Man {
        Man { colour, kind }
    }

    /// The FEN letter: capital for White, small for Black.
    pub const fn letter(self) -> char {
        match self.colour {
            Colour::White => self.kind.letter(),
            Colour::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The man of a FEN letter.
    pub fn from_letter(letter: char) -> Option<Man> {
        let kind = Kind::from_letter(letter)?;
        let colour = if letter.is_ascii_uppercase() {
            Colour::White
        } else {
            Colour::Black
        };
        Some(Man { colour, kind })
    }
}
