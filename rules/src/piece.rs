//! Colours and piece types of the pieces, with their names and letters.

use std::fmt;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// The side that moves first in a game.
    White,
    /// The other side.
    Black,
}

/// [`Colour::name`].
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
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

/// A piece type, in the order in which material is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PieceType {
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
    /// `D`: the first of five types that no built-in game has; other games say how each moves.
    Own1,
    /// `E`: the second type that no built-in game has.
    Own2,
    /// `F`: the third type that no built-in game has.
    Own3,
    /// `G`: the fourth type that no built-in game has.
    Own4,
    /// `H`: the fifth type that no built-in game has.
    Own5,
    /// `P`
    Pawn,
}

impl PieceType {
    /// The number of piece types.
    pub const COUNT: usize = 13;

    /// All piece types in the order of material names.
    pub const ALL: [PieceType; PieceType::COUNT] = [
        PieceType::King,
        PieceType::Queen,
        PieceType::Paladin,
        PieceType::Chancellor,
        PieceType::Rook,
        PieceType::Bishop,
        PieceType::Knight,
        PieceType::Own1,
        PieceType::Own2,
        PieceType::Own3,
        PieceType::Own4,
        PieceType::Own5,
        PieceType::Pawn,
    ];

    /// The place in [`PieceType::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether no built-in game has the piece type.
    pub const fn is_own(self) -> bool {
        matches!(
            self,
            PieceType::Own1 | PieceType::Own2 | PieceType::Own3 | PieceType::Own4 | PieceType::Own5
        )
    }

    /// The letter of the piece type in upper case, as in FEN for White.
    pub const fn letter(self) -> char {
        match self {
            PieceType::King => 'K',
            PieceType::Queen => 'Q',
            PieceType::Paladin => 'A',
            PieceType::Chancellor => 'C',
            PieceType::Rook => 'R',
            PieceType::Bishop => 'B',
            PieceType::Knight => 'N',
            PieceType::Own1 => 'D',
            PieceType::Own2 => 'E',
            PieceType::Own3 => 'F',
            PieceType::Own4 => 'G',
            PieceType::Own5 => 'H',
            PieceType::Pawn => 'P',
        }
    }

    /// `"king"`, `"rook"` and so on; the letter of a type that no built-in game has.
    pub const fn name(self) -> &'static str {
        match self {
            PieceType::King => "king",
            PieceType::Queen => "queen",
            PieceType::Paladin => "paladin",
            PieceType::Chancellor => "chancellor",
            PieceType::Rook => "rook",
            PieceType::Bishop => "bishop",
            PieceType::Knight => "knight",
            PieceType::Own1 => "D",
            PieceType::Own2 => "E",
            PieceType::Own3 => "F",
            PieceType::Own4 => "G",
            PieceType::Own5 => "H",
            PieceType::Pawn => "pawn",
        }
    }

    /// The piece type of a letter in either case.
    pub fn from_letter(letter: char) -> Option<PieceType> {
        let capital = letter.to_ascii_uppercase();
        PieceType::ALL.into_iter().find(|k| k.letter() == capital)
    }
}

/// A piece: colour and piece type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    /// The side that the piece belongs to.
    pub colour: Colour,
    /// The type of the piece.
    pub piece_type: PieceType,
}

impl Piece {
    /// A piece of the given colour and piece type.
    pub const fn new(colour: Colour, piece_type: PieceType) -> Piece {
        Piece { colour, piece_type }
    }

    /// The FEN letter: upper case for White, lower case for Black.
    pub const fn letter(self) -> char {
        match self.colour {
            Colour::White => self.piece_type.letter(),
            Colour::Black => self.piece_type.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let piece_type = PieceType::from_letter(letter)?;
        let colour = if letter.is_ascii_uppercase() {
            Colour::White
        } else {
            Colour::Black
        };
        Some(Piece { colour, piece_type })
    }
}
