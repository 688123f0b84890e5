//! Castling rights of positions: which are held and which lost (X1-X3); tables have none.
//!
//! A right is stored as the pieces that give it: the kings and rooks of the array
//! that have never moved. A move removes those that no longer stand at home; a right
//! whose pieces are not at home is refused when a diagram is read.

use crate::board::Board;
use crate::fault::CastlingFault;
use crate::geometry::Geometry;
use crate::keys::{CastlingRule, Keys, Sides};
use crate::moves::{Move, MoveKind};
use crate::piece::{Colour, Piece, PieceType};
use crate::square::{Square, SquareSet};

/// The kings and rooks that have never moved, as far as a right to castle depends on
/// them: a king without such a rook, or a rook without such a king, does not count.
/// The game's array tells which squares are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CastlingRights(pub(crate) u8);

/// The bits of one side: two rooks, then two kings, each from left to right.
const SIDE: u8 = 0b1111;
const ROOKS: u8 = 0b0011;
const KINGS: u8 = 0b1100;
const FIRST_ROOK: u8 = 0b0001;
const FIRST_KING: u8 = 0b0100;

impl CastlingRights {
    /// The rights of a position in which no side may ever castle.
    pub const NONE: CastlingRights = CastlingRights(0);

    /// Whether no side may ever castle.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rights of one side alone.
    #[inline]
    pub const fn of(self, colour: Colour) -> CastlingRights {
        CastlingRights(self.0 & side(colour, SIDE))
    }

    /// The rights with the colours swapped.
    pub(crate) const fn swapped(self) -> CastlingRights {
        CastlingRights(self.0.rotate_left(4))
    }

    /// Kings without rooks and rooks without kings give no right (X2).
    pub(crate) const fn paired(self) -> CastlingRights {
        let mut kept = 0;
        let mut colour = 0;
        while colour < 2 {
            let bits = self.0 & side(Colour::BOTH[colour], SIDE);
            let folded = bits | bits >> 4;
            if folded & ROOKS != 0 && folded & KINGS != 0 {
                kept |= bits;
            }
            colour += 1;
        }
        CastlingRights(kept)
    }
}

/// The bits of a side at their place in the byte.
pub(crate) const fn side(colour: Colour, bits: u8) -> u8 {
    match colour {
        Colour::White => bits,
        Colour::Black => bits << 4,
    }
}

/// The squares on which an attack prevents castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CastlingSafety {
    /// No attack prevents it: check forbids nothing (E6).
    Free,
    /// The squares that the king leaves, crosses and arrives on (X1).
    Guarded,
    /// The squares that the king leaves and crosses; and only the royal king castles (X2).
    Royal,
}

/// The form of the castling field of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// Rights named by the side that the one king castles to: `KQkq`.
    Sides,
    /// Rights named by the files of kings and rooks: `ADEHadeh` (X2).
    Files,
}

/// Castling in a game, according to its array.
#[derive(Clone, Debug)]
pub(crate) struct Castling {
    /// The rank of kings and rooks as their owner counts it, the first being 0.
    pub(crate) rank: u8,
    /// The files of the kings that may castle, at most two, ascending.
    pub(crate) kings: Vec<u8>,
    /// The rooks, or whatever pieces they castle with, at most two, and their files, ascending.
    pub(crate) rooks: Vec<(PieceType, u8)>,
    /// The destination of the king.
    pub(crate) goes: Goes,
    /// The squares on which an attack prevents it.
    pub(crate) safety: CastlingSafety,
    /// The form of the rights in a FEN.
    pub(crate) field: Field,
    /// Whether it is written `O-O` and `O-O-O`, rather than as a king's move (X2).
    pub(crate) writes_o_o: bool,
    /// The files of all kings of the array, if the first move of any of them
    /// ends the rights of its side (X3).
    pub(crate) all_kings: Option<Vec<u8>>,
    /// Whether the sides castle to opposite sides of the board: who castles ends the right of the
    /// other to castle to the same side (X5).
    pub(crate) opposite: bool,
}

/// The destination of a castling king.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goes {
    /// One of these files: with the left and with the right rook.
    To([u8; 2]),
    /// The square so many steps towards the rook (X2).
    Leap(u8),
}

impl Castling {
    /// Castling by the rules and the array of a definition; `None` if the array has no rights,
    /// or castling needs none.
    pub(crate) fn new(
        keys: &Keys,
        type_of: impl Fn(char) -> Option<PieceType>,
    ) -> Option<Castling> {
        let by_files = match keys.castling {
            CastlingRule::Chess => false,
            CastlingRule::RoyalKing => true,
            CastlingRule::FirstRank | CastlingRule::Off => return None,
        };
        let mut fields = keys.array.as_deref()?.split_whitespace();
        let (pieces, rights) = (fields.next()?, fields.nth(1)?);
        if rights == "-" {
            return None;
        }
        // White's rank tells for both sides, unless White has no king there (B1, E2).
        let rank = usize::from(keys.castling_rank - 1);
        let white = pieces.rsplit('/').nth(rank)?;
        let row = match white.contains(keys.royal_piece) {
            true => white.to_owned(),
            false => pieces.split('/').nth(rank)?.to_ascii_uppercase(),
        };
        let files = |letters: &[char]| -> Vec<(char, u8)> {
            let (mut file, mut found, mut run) = (0_u8, Vec::new(), 0);
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(digit) => run = run * 10 + digit as u8,
                    None => {
                        file += run;
                        run = 0;
                        if letters.contains(&c) {
                            found.push((c, file));
                        }
                        file += 1;
                    }
                }
            }
            found
        };
        let all_kings: Vec<u8> = files(&[keys.royal_piece])
            .iter()
            .map(|king| king.1)
            .collect();
        let rooks: Option<Vec<(PieceType, u8)>> = (files(&keys.castling_with).into_iter())
            .map(|(letter, file)| Some((type_of(letter)?, file)))
            .collect();
        let rooks = rooks?;
        let left_only = keys.castling_sides == Sides::A;
        let (&first, &last) = (rooks.first()?, rooks.last()?);
        let mut kings = all_kings.clone();
        if left_only {
            kings.truncate(1);
        }
        // Two kings and two rooks have room in the rights.
        kings.truncate(2);
        let rooks = match left_only || first == last {
            true => vec![first],
            false => vec![first, last],
        };
        Some(Castling {
            rank: keys.castling_rank - 1,
            kings,
            rooks,
            goes: match by_files {
                true => Goes::Leap(keys.castling_leap),
                false => Goes::To(keys.castling_to),
            },
            safety: match (keys.through_check, by_files) {
                (true, _) => CastlingSafety::Free,
                (false, true) => CastlingSafety::Royal,
                (false, false) => CastlingSafety::Guarded,
            },
            field: match by_files && !left_only {
                true => Field::Files,
                false => Field::Sides,
            },
            writes_o_o: !by_files,
            all_kings: keys.any_king_ends.then_some(all_kings),
            opposite: keys.castling_opposite && !by_files,
        })
    }

    /// The pieces that rights depend on, with their bits and files.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (u8, PieceType, u8)> {
        let rooks = (0..).zip(&self.rooks);
        let kings = (0..).zip(&self.kings);
        kings
            .map(|(n, &file)| (FIRST_KING << n, PieceType::King, file))
            .chain(rooks.map(|(n, &(rook, file))| (FIRST_ROOK << n, rook, file)))
    }

    /// Whether a rook's file is on the right of the kings.
    fn is_right(&self, file: u8) -> bool {
        self.kings.iter().all(|&king| file > king)
    }

    /// The rights without those that a move takes from the side that did not make it (X5).
    pub(crate) fn after(&self, rights: CastlingRights, other: Colour, mv: Move) -> CastlingRights {
        if !self.opposite || mv.kind != MoveKind::CastlingByRight {
            return rights;
        }
        let mut ended = 0;
        for (n, &(_, file)) in (0..).zip(&self.rooks) {
            if self.is_right(file) == (mv.to > mv.from) {
                ended |= FIRST_ROOK << n;
            }
        }
        CastlingRights(rights.0 & !side(other, ended))
    }

    /// The home square of a side's king or rook.
    pub(crate) fn home(&self, geometry: Geometry, colour: Colour, file: u8) -> Square {
        let rank = match colour {
            Colour::White => self.rank,
            Colour::Black => geometry.ranks - 1 - self.rank,
        };
        geometry.square(file, rank)
    }

    /// A king of a side that has moved and so has ended its rights (X3).
    fn moved_king(&self, geometry: Geometry, board: &Board, colour: Colour) -> Option<Square> {
        let files = self.all_kings.as_ref()?;
        let homes: SquareSet = files
            .iter()
            .map(|&file| self.home(geometry, colour, file))
            .collect();
        (board.of(Piece::new(colour, PieceType::King)) - homes).first()
    }

    /// The rights that remain after a move that led to these pieces.
    #[inline(never)]
    pub(crate) fn kept(
        &self,
        geometry: Geometry,
        board: &Board,
        rights: CastlingRights,
    ) -> CastlingRights {
        let mut kept = 0;
        for colour in Colour::BOTH {
            if self.moved_king(geometry, board, colour).is_some() {
                continue;
            }
            for (bit, piece_type, file) in self.pieces() {
                let home = self.home(geometry, colour, file);
                if board.of(Piece::new(colour, piece_type)).contains(home) {
                    kept |= side(colour, bit);
                }
            }
        }
        CastlingRights(rights.0 & kept).paired()
    }

    /// The fault of some rights of a side, if these pieces make them impossible.
    pub(crate) fn fault(
        &self,
        geometry: Geometry,
        board: &Board,
        rights: CastlingRights,
        colour: Colour,
    ) -> Option<CastlingFault> {
        if rights.of(colour).is_empty() {
            return None;
        }
        let missing = self
            .pieces()
            .filter(|&(bit, ..)| rights.0 & side(colour, bit) != 0)
            .map(|(_, piece_type, file)| {
                (
                    Piece::new(colour, piece_type),
                    self.home(geometry, colour, file),
                )
            })
            .find(|&(piece, home)| !board.of(piece).contains(home))
            .map(|(piece, home)| CastlingFault::Missing(piece, home));
        let moved = || {
            let square = self.moved_king(geometry, board, colour)?;
            Some(CastlingFault::Moved(
                Piece::new(colour, PieceType::King),
                square,
            ))
        };
        missing.or_else(moved)
    }

    /// The letters of the FEN field in their order, each with its pieces.
    pub(crate) fn letters(&self) -> Vec<(char, u8)> {
        let mut letters: Vec<(char, u8)> = Vec::new();
        for (bit, _, file) in self.pieces() {
            let (letter, bits) = match self.field {
                Field::Files => (char::from(b'A' + file), bit),
                Field::Sides if bit & ROOKS == 0 => continue,
                Field::Sides => {
                    let letter = if self.is_right(file) { 'K' } else { 'Q' };
                    (letter, bit | FIRST_KING)
                }
            };
            let place = letters.partition_point(|&(known, _)| known < letter);
            letters.insert(place, (letter, bits));
        }
        for n in 0..letters.len() {
            let (letter, bits) = letters[n];
            letters.push((letter.to_ascii_lowercase(), side(Colour::Black, bits)));
        }
        letters
    }

    /// Whether a right is named by the side that the king castles to. Then people
    /// write `O-O-O` even if the game's own notation is a king's move.
    pub(crate) fn is_by_side(&self) -> bool {
        self.field == Field::Sides
    }

    /// The letters that a FEN may have instead: the files of the rooks, where the rights are
    /// named by sides.
    pub(crate) fn other_letters(&self) -> Vec<(char, u8)> {
        let rooks = (0..).zip(&self.rooks);
        let letters =
            rooks.map(|(n, (_, file))| ((b'A' + file) as char, FIRST_ROOK << n | FIRST_KING));
        let both = letters.flat_map(|(letter, bits)| {
            let black = (letter.to_ascii_lowercase(), side(Colour::Black, bits));
            [(letter, bits), black]
        });
        both.filter(|_| self.field == Field::Sides).collect()
    }
}
