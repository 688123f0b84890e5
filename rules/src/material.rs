//! Materials: the pieces that each side has, and names of these such as `KRvK`.

use std::fmt;
use std::hash::{Hash, Hasher};

use thiserror::Error;

use crate::board::Board;
use crate::features::End;
use crate::game::Game;
use crate::piece::{Colour, Piece, PieceType};
use crate::shortened::shortened;
use crate::square::SquareSet;

/// The pieces of both sides. The pieces have an order: White's before Black's,
/// each side by [`PieceType::ALL`]; "the pieces of a material" always means that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material {
    /// The number of pieces of each type for each side, four bits each and sixteen for pawns, of
    /// which there may be more; the first type is in the highest, so that the numbers are in the
    /// order of the pieces. Every probe begins with these.
    counts: [u64; 2],
}

const _: () = assert!(PieceType::COUNT <= 13);

/// The most pieces of a type but pawns that are counted; no table has as many.
const MOST: usize = 15;

/// The bits that count pawns, which are the lowest.
const PAWNS: u64 = 0xFFFF;

/// The number of bits below those that count a type.
#[inline]
const fn below(piece_type: PieceType) -> u32 {
    match piece_type {
        PieceType::Pawn => 0,
        _ => 4 * (15 - piece_type.index() as u32),
    }
}

// As derived, except that it hashes two numbers, not a slice of them.
impl Hash for Material {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [white, black] = self.counts;
        state.write_u64(white);
        state.write_u64(black);
    }
}

/// The errors of reading a material name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MaterialError {
    /// A letter that is not a piece of the game.
    #[error(
        "\"{}\": {game} has no piece \"{letter}\"; its pieces are {pieces}",
        shortened(.name)
    )]
    UnknownPiece {
        /// The name as given.
        name: String,
        /// The game.
        game: String,
        /// The offending letter.
        letter: char,
        /// The game's letters.
        pieces: String,
    },
    /// Lower-case letters, which mean Black's pieces in a FEN.
    #[error(
        "\"{}\": use capitals for the pieces of both sides: {}",
        shortened(.name), shortened(.capitals)
    )]
    Capitals {
        /// The name as given.
        name: String,
        /// The name that is probably meant.
        capitals: String,
    },
    /// A side has too few or too many kings.
    #[error(
        "\"{}\": {side} needs exactly one king, but has {kings}; write material like {example}",
        shortened(.name)
    )]
    Kings {
        /// The name as given.
        name: String,
        /// The side, in words.
        side: &'static str,
        /// The number of its kings.
        kings: usize,
        /// A material of the game.
        example: String,
    },
    /// A side has a king, where the other side alone has one (B1).
    #[error("\"{}\": {side} has no king in this game; write material like {example}", shortened(.name))]
    ForeignKing {
        /// The name as given.
        name: String,
        /// The side, in words.
        side: &'static str,
        /// A material of the game.
        example: String,
    },
    /// A side has no king, in a game with several kings.
    #[error("\"{}\": {side} needs a king; write material like {example}", shortened(.name))]
    NoKing {
        /// The name as given.
        name: String,
        /// The side, in words.
        side: &'static str,
        /// A material of the game.
        example: String,
    },
    /// A side has no piece of a type that may be royal (E2).
    #[error("\"{}\": {side} needs a royal piece; write material like {example}", shortened(.name))]
    NoRoyal {
        /// The name as given.
        name: String,
        /// The side, in words.
        side: &'static str,
        /// A material of the game.
        example: String,
    },
    /// A side has no pieces.
    #[error("\"{}\": {side} has no pieces; write material like {example}", shortened(.name))]
    NoPieces {
        /// The name as given.
        name: String,
        /// The side, in words.
        side: &'static str,
        /// A material of the game.
        example: String,
    },
    /// The sides are separated by something else than a small v.
    #[error("\"{}\": write a small v and nothing else between the sides, as in KQvKR", shortened(.0))]
    Between(String),
    /// The two sides cannot be told apart.
    #[error("\"{}\" does not name two sides; write material like {example}", shortened(.name))]
    Sides {
        /// The name as given.
        name: String,
        /// A material of the game.
        example: String,
    },
    /// The material has more pieces than a table can have.
    #[error("\"{}\" has {pieces} pieces; tables have at most {most}", shortened(.name))]
    TooMany {
        /// The name as given.
        name: String,
        /// The number of pieces.
        pieces: usize,
        /// The limit.
        most: usize,
    },
}

/// A material of a game, as messages show how one is written: `KQvKR`, or `PvP` where there is
/// nothing else.
fn example(game: Game) -> String {
    let letters = game.letters();
    let royal = game.letter(PieceType::King);
    let [white, black] = Colour::BOTH.map(|side| match game.kings(side).0 {
        0 => String::new(),
        _ => royal.to_string(),
    });
    let by_type = game
        .record()
        .royal_types
        .iter()
        .map(|&royal| game.letter(royal));
    let mut others = by_type
        .chain(letters.chars())
        .filter(|&letter| letter != royal);
    let first = others.next().unwrap_or(royal);
    let second = others.next().unwrap_or(first);
    format!("{white}{first}v{black}{second}")
}

impl Material {
    /// The most pieces that a material may have.
    pub const MOST_PIECES: usize = 7;

    /// The material without any pieces.
    pub const EMPTY: Material = Material { counts: [0; 2] };

    /// The material of a collection of pieces.
    pub fn of(pieces: impl IntoIterator<Item = Piece>) -> Material {
        let mut material = Material::EMPTY;
        for piece in pieces {
            material.add(piece);
        }
        material
    }

    /// Reads a name such as `KQvKR`; the `v` may be left out in games where
    /// every side has one king. The name need not be in normal form.
    ///
    /// # Errors
    /// See [`MaterialError`]; the message says what to write instead.
    pub fn parse(game: Game, name: &str) -> Result<Material, MaterialError> {
        let is_piece = |letter: char| game.piece_type_of(letter).is_some();
        if name.contains(|c: char| c != 'v' && c.is_ascii_lowercase())
            && name
                .chars()
                .all(|c| c == 'v' || is_piece(c.to_ascii_uppercase()))
        {
            return Err(MaterialError::Capitals {
                name: name.to_owned(),
                capitals: name.to_ascii_uppercase().replace('V', "v"),
            });
        }
        let sides: Vec<&str> = name.split('v').collect();
        let one_king = Colour::BOTH.map(|side| game.kings(side).1) == [1; 2];
        let royal = game.letter(PieceType::King);
        let not_two_sides = || MaterialError::Sides {
            name: name.to_owned(),
            example: example(game),
        };
        let (white, black) = match sides[..] {
            [white, black] => (white, black),
            // Without a `v` the second king starts the second side.
            [both] if one_king => match both.char_indices().filter(|&(_, c)| c == royal).nth(1) {
                Some((at, _)) => both.split_at(at),
                None => return Err(not_two_sides()),
            },
            _ => return Err(not_two_sides()),
        };
        let mut pieces = Vec::new();
        for (colour, side) in [(Colour::White, white), (Colour::Black, black)] {
            for letter in side.chars() {
                if matches!(letter, 'V' | '-' | '_' | ' ' | ':' | '/') {
                    return Err(MaterialError::Between(name.to_owned()));
                }
                let unknown = || MaterialError::UnknownPiece {
                    name: name.to_owned(),
                    game: game.id(),
                    letter,
                    pieces: game.letters(),
                };
                let piece_type = game.piece_type_of(letter).ok_or_else(unknown)?;
                pieces.push(Piece::new(colour, piece_type));
            }
        }
        if pieces.len() > Material::MOST_PIECES {
            return Err(MaterialError::TooMany {
                name: name.to_owned(),
                pieces: pieces.len(),
                most: Material::MOST_PIECES,
            });
        }
        let material = Material::of(pieces);
        for (colour, side) in [
            (Colour::White, "the first side"),
            (Colour::Black, "the second side"),
        ] {
            let kings = material.count(Piece::new(colour, PieceType::King));
            let (fewest, most) = game.kings(colour);
            let side_is_right = match (fewest, most) {
                (1, 1) => kings == 1,
                (0, 0) => kings == 0 && material.side_len(colour) > 0,
                _ => kings >= fewest && material.side_len(colour) > 0,
            };
            let count = |piece_type| material.count(Piece::new(colour, piece_type));
            let lacks_royal = game.record().lacks_royal_type(count);
            if side_is_right && !lacks_royal {
                continue;
            }
            let (name, example) = (name.to_owned(), example(game));
            if side_is_right {
                return Err(MaterialError::NoRoyal {
                    name,
                    side,
                    example,
                });
            }
            if (fewest, most) == (1, 1) && kings != 1 {
                return Err(MaterialError::Kings {
                    name,
                    side,
                    kings,
                    example,
                });
            }
            return Err(match most {
                0 if kings > 0 => MaterialError::ForeignKing {
                    name,
                    side,
                    example,
                },
                _ if kings < fewest => MaterialError::NoKing {
                    name,
                    side,
                    example,
                },
                _ => MaterialError::NoPieces {
                    name,
                    side,
                    example,
                },
            });
        }
        Ok(material)
    }

    /// The number of pieces of this colour and type.
    #[inline]
    pub fn count(&self, piece: Piece) -> usize {
        let counts = self.counts[piece.colour.index()];
        match piece.piece_type {
            PieceType::Pawn => (counts & PAWNS) as usize,
            piece_type => (counts >> below(piece_type)) as usize & MOST,
        }
    }

    /// The number of pieces of a side.
    #[inline]
    pub fn side_len(&self, colour: Colour) -> usize {
        // Pairs of counts are added in bytes, and these in the highest one.
        let (counts, low) = (self.counts[colour.index()], u64::MAX / 0xFF * 0x0F);
        let others = counts & !PAWNS;
        let pairs = (others & low) + (others >> 4 & low);
        (pairs.wrapping_mul(u64::MAX / 0xFF) >> 56) as usize + (counts & PAWNS) as usize
    }

    /// The number of pieces of both sides.
    #[inline]
    pub fn len(&self) -> usize {
        self.side_len(Colour::White) + self.side_len(Colour::Black)
    }

    /// Whether there are no pieces.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether either side has a pawn.
    pub fn has_pawns(&self) -> bool {
        let pawn = |&colour: &Colour| Piece::new(colour, PieceType::Pawn);
        Colour::BOTH
            .iter()
            .any(|colour| self.count(pawn(colour)) > 0)
    }

    /// Adds a piece. More than 15 of a kind, which no table has, count as 15, unless they are
    /// pawns.
    #[inline]
    pub fn add(&mut self, piece: Piece) {
        if piece.piece_type == PieceType::Pawn || self.count(piece) < MOST {
            self.counts[piece.colour.index()] += 1 << below(piece.piece_type);
        }
    }

    /// The material with one piece fewer; `None` if there is no such piece.
    pub fn without(&self, piece: Piece) -> Option<Material> {
        if self.count(piece) == 0 {
            return None;
        }
        let mut rest = *self;
        rest.counts[piece.colour.index()] -= 1 << below(piece.piece_type);
        Some(rest)
    }

    /// The end of a game in which nothing is royal by an explosion that leaves the material `after`
    /// (D11); `None` if the game goes on.
    pub fn end_of_explosion(&self, game: Game, mover: Colour, after: &Material) -> Option<End> {
        let record = game.record();
        let loser =
            record.loser_by_explosion(mover, |piece| self.count(piece), |piece| after.count(piece));
        match loser {
            Some(loser) => Some(End::Extinction {
                winner: loser.other(),
            }),
            None => {
                let men = Colour::BOTH.map(|side| after.side_len(side));
                record.end_without_some(mover.other(), men)
            }
        }
    }

    /// The pieces in order: White's first, each side by [`PieceType::ALL`].
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        Colour::BOTH.into_iter().flat_map(move |colour| {
            PieceType::ALL.into_iter().flat_map(move |piece_type| {
                let piece = Piece::new(colour, piece_type);
                std::iter::repeat_n(piece, self.count(piece))
            })
        })
    }

    /// The material with the colours swapped.
    pub fn swapped(&self) -> Material {
        Material {
            counts: [self.counts[1], self.counts[0]],
        }
    }

    /// The name of the material in a game's letters: `KQvKR`.
    pub fn name(&self, game: Game) -> String {
        self.spelled(|piece_type| game.letter(piece_type))
    }

    pub(crate) fn spelled(&self, letter: impl Fn(PieceType) -> char) -> String {
        let mut name = String::new();
        for colour in Colour::BOTH {
            if colour == Colour::Black {
                name.push('v');
            }
            let pieces = self.pieces().filter(|m| m.colour == colour);
            name.extend(pieces.map(|m| letter(m.piece_type)));
        }
        name
    }
}

/// The name in the letters of the games that are built in; [`Material::name`] has those of the
/// game.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.spelled(PieceType::letter))
    }
}

impl Board {
    /// The pieces on the board, all of which are of these types.
    pub(crate) fn material(&self, types: &[PieceType]) -> Material {
        // One by one: there are few, and where processors may not be asked to count bits
        // that takes longer than all of this. Without a branch on the colour and without memory,
        // which would be read before all that was written has arrived.
        let (mut white, mut black, mut pieces) = (0_u64, 0_u64, 0);
        let blacks = self.by(Colour::Black);
        for &piece_type in types {
            let one = 1u64 << below(piece_type);
            let mut left = self.piece_type(piece_type);
            while !left.is_empty() {
                let lowest = SquareSet(left.0 & left.0.wrapping_neg());
                left -= lowest;
                let is_black = u64::from(!(lowest & blacks).is_empty()).wrapping_neg();
                black = black.wrapping_add(one & is_black);
                white = white.wrapping_add(one & !is_black);
                pieces += 1;
            }
        }
        // With more of a kind than are counted, what has been added up is wrong.
        match pieces > MOST {
            true => Material::of(self.pieces().map(|(piece, _)| piece)),
            false => Material {
                counts: [white, black],
            },
        }
    }
}
