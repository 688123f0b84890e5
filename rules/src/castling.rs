//! Castling with rights (X1-X3), which exists in whole games but not in tables.
//!
//! A right is stored as the pieces that give it: the kings and rooks of the array
//! that have never moved. A move removes those that no longer stand at home; a right
//! whose pieces are not at home is refused when a diagram is read.

use crate::board::Board;
use crate::fault::CastlingFault;
use crate::fen::{FenError, FenErrorKind};
use crate::game::Game;
use crate::geometry::Geometry;
use crate::keys::{CastlingRule, Keys, Sides};
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::pseudo::{View, moved_pieces};
use crate::rules::Rules;
use crate::square::{Square, SquareSet};

/// The kings and rooks that have never moved, as far as a right to castle depends on
/// them: a king without such a rook, or a rook without such a king, does not count.
/// The game's array tells which squares are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CastlingRights(u8);

/// The bits of one side: two rooks, then two kings, each from left to right.
const SIDE: u8 = 0b1111;
const ROOKS: u8 = 0b0011;
const KINGS: u8 = 0b1100;
const FIRST_ROOK: u8 = 0b0001;
const FIRST_KING: u8 = 0b0100;

impl CastlingRights {
    /// No side may ever castle.
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

    /// The same rights with the colours swapped.
    pub(crate) const fn swapped(self) -> CastlingRights {
        CastlingRights(self.0.rotate_left(4))
    }

    /// The castling field of a FEN: `KQkq`, `ADEHadeh`, or `-`.
    pub fn text(self, game: Game) -> String {
        let letters = game.record().castling.as_ref().map(Castling::letters);
        let text: String = letters
            .into_iter()
            .flatten()
            .filter(|&(_, bits)| self.0 & bits == bits)
            .map(|(letter, _)| letter)
            .collect();
        if text.is_empty() {
            "-".to_owned()
        } else {
            text
        }
    }

    /// Kings without rooks and rooks without kings give no right (X2).
    const fn paired(self) -> CastlingRights {
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
const fn side(colour: Colour, bits: u8) -> u8 {
    match colour {
        Colour::White => bits,
        Colour::Black => bits << 4,
    }
}

/// Which attacks prevent castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CastlingSafety {
    /// None: check forbids nothing (E6).
    Free,
    /// Those on the squares that it leaves, crosses and arrives on (X1).
    Guarded,
    /// Those on the squares that it leaves and crosses; and only the royal
    /// king castles (X2).
    Royal,
}

/// How the castling field of a FEN is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// By the side that the one king castles to: `KQkq`.
    Sides,
    /// By the files of kings and rooks: `ADEHadeh` (X2).
    Files,
}

/// Castling in a game, according to its array.
#[derive(Clone, Debug)]
pub(crate) struct Castling {
    /// The type of the pieces of the letter R, with which kings castle.
    pub(crate) rook: PieceType,
    /// The rank of kings and rooks as their owner counts it, the first being 0.
    pub(crate) rank: u8,
    /// The files of the kings that may castle, at most two, ascending.
    pub(crate) kings: Vec<u8>,
    /// The files of the rooks that they castle with, at most two, ascending.
    pub(crate) rooks: Vec<u8>,
    /// Where the king goes.
    pub(crate) goes: Goes,
    /// Which attacks prevent it.
    pub(crate) safety: CastlingSafety,
    /// How a FEN writes the rights.
    pub(crate) field: Field,
    /// Whether it is written `O-O` and `O-O-O`, rather than as a king's move (X2).
    pub(crate) writes_o_o: bool,
    /// The files of all kings of the array, if the first move of any of them
    /// ends the rights of its side (X3).
    pub(crate) all_kings: Option<Vec<u8>>,
}

/// Where a castling king goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goes {
    /// To one of these files: with the left and with the right rook.
    To([u8; 2]),
    /// This many squares towards the rook (X2).
    Leap(u8),
}

impl Castling {
    /// Castling by the rules and the array of a definition; `None` if the array has no rights,
    /// or castling needs none.
    pub(crate) fn new(keys: &Keys, rook: PieceType) -> Option<Castling> {
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
        let row = pieces
            .rsplit('/')
            .nth(usize::from(keys.castling_rank - 1))?;
        let files = |letter: char| -> Vec<u8> {
            let (mut file, mut found, mut run) = (0_u8, Vec::new(), 0);
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(digit) => run = run * 10 + digit as u8,
                    None => {
                        file += run;
                        run = 0;
                        if c == letter {
                            found.push(file);
                        }
                        file += 1;
                    }
                }
            }
            found
        };
        let (all_kings, rooks) = (files(keys.royal_piece), files('R'));
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
            rook,
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
        })
    }

    /// The pieces that rights depend on, with their bits and files.
    fn pieces(&self) -> impl Iterator<Item = (u8, PieceType, u8)> {
        let rooks = (0..).zip(&self.rooks);
        let kings = (0..).zip(&self.kings);
        kings
            .map(|(n, &file)| (FIRST_KING << n, PieceType::King, file))
            .chain(rooks.map(|(n, &file)| (FIRST_ROOK << n, self.rook, file)))
    }

    /// The home square of a side's king or rook.
    fn home(&self, geometry: Geometry, colour: Colour, file: u8) -> Square {
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

    /// What makes some rights of a side impossible with these pieces.
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
    fn letters(&self) -> Vec<(char, u8)> {
        let mut letters: Vec<(char, u8)> = match self.field {
            Field::Sides => self
                .pieces()
                .filter(|&(_, piece_type, _)| piece_type == self.rook)
                .map(|(bit, _, file)| {
                    let right = self.kings.iter().all(|&king| file > king);
                    (if right { 'K' } else { 'Q' }, bit | FIRST_KING)
                })
                .collect(),
            Field::Files => self
                .pieces()
                .map(|(bit, _, file)| ((b'A' + file) as char, bit))
                .collect(),
        };
        letters.sort_unstable();
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
    fn other_letters(&self) -> Vec<(char, u8)> {
        let rooks = (0..).zip(&self.rooks);
        let letters = rooks.map(|(n, file)| ((b'A' + file) as char, FIRST_ROOK << n | FIRST_KING));
        let both = letters.flat_map(|(letter, bits)| {
            let black = (letter.to_ascii_lowercase(), side(Colour::Black, bits));
            [(letter, bits), black]
        });
        both.filter(|_| self.field == Field::Sides).collect()
    }

    /// Reads the castling field of a FEN, which is not `-`; `offset` is its place in
    /// the text. In wild 9 other programs know more rights, which are dropped (X3).
    pub(crate) fn read(
        &self,
        game: Game,
        board: &Board,
        field: &str,
        offset: usize,
    ) -> Result<CastlingRights, FenError> {
        let letters = self.letters();
        let others = self.other_letters();
        let mut rights = CastlingRights::NONE;
        for (place, letter) in field.char_indices() {
            let offset = offset + place;
            let is_foreign = "KQkq".contains(letter) && self.all_kings.is_some();
            let known = letters.iter().chain(&others).find(|&&(l, _)| l == letter);
            if known.is_none() && is_foreign && !field[..place].contains(letter) {
                continue;
            }
            // Rights to castle to either side have the king in common.
            let Some(&(_, bits)) = known.filter(|&&(_, bits)| bits & !rights.0 != 0) else {
                let letters = letters.iter().map(|&(l, _)| l).collect();
                let field = field.to_owned();
                return Err(FenErrorKind::Castling { field, letters }.at(offset));
            };
            let right = CastlingRights(bits);
            let fault = |colour| self.fault(game.geometry(), board, right, colour);
            match Colour::BOTH.into_iter().find_map(fault) {
                None => rights.0 |= bits,
                // That the move of another king ends the right is not known everywhere.
                Some(CastlingFault::Moved(..)) => {}
                Some(fault) => {
                    let why = fault.describe(game.geometry());
                    return Err(FenErrorKind::CastlingRight { letter, why }.at(offset));
                }
            }
        }
        Ok(rights.paired())
    }

    /// Whether a move ends rights of its mover, being the first one of a king or rook
    /// (H7).
    #[inline]
    pub(crate) fn is_ended_by(&self, geometry: Geometry, position: &Position, mv: Move) -> bool {
        !position.castling.is_empty() && self.ends_with(geometry, position, mv)
    }

    /// The same if there are rights, which is rare.
    #[cold]
    #[inline(never)]
    fn ends_with(&self, geometry: Geometry, position: &Position, mv: Move) -> bool {
        let rights = position.castling.of(position.turn);
        let after = moved_pieces(&position.board, position.turn, mv);
        self.kept(geometry, &after, rights) != rights
    }
}

/// Adds the castling moves of the side to move. Attacks are checked as far as
/// [`CastlingSafety`] says; whether a royal piece is left attacked afterwards is tested
/// elsewhere.
#[cold]
#[inline(never)]
pub(crate) fn add_moves(
    rules: impl Rules,
    view: &View,
    rights: CastlingRights,
    list: &mut MoveList,
) {
    let Some(castling) = &rules.record().castling else {
        return;
    };
    let (geometry, reach) = (view.reach.geometry(), view.reach);
    let enemy = rules.powers(view.board, view.turn.other());
    let is_attacked = |square| !enemy.attackers(reach, square, view.occupied).is_empty();
    let homes = |wanted: PieceType| {
        castling
            .pieces()
            .filter(move |&(bit, piece_type, _)| {
                piece_type == wanted && rights.0 & side(view.turn, bit) != 0
            })
            .map(|(.., file)| castling.home(geometry, view.turn, file))
    };
    for king in homes(PieceType::King) {
        if castling.safety == CastlingSafety::Royal
            && !rules.royals(view.board, view.turn).contains(king)
        {
            continue;
        }
        for rook in homes(castling.rook) {
            let right = rook > king;
            let to = match castling.goes {
                Goes::To(files) => {
                    Some(geometry.square(files[usize::from(right)], geometry.rank(king)))
                }
                Goes::Leap(squares) => {
                    let leap = squares as i8;
                    geometry.offset(king, if right { leap } else { -leap }, 0)
                }
            };
            let Some(to) = to.filter(|&to| to != king && (to > king) == right) else {
                continue;
            };
            let mut watched = SquareSet::of(king) | reach.between(king, to);
            match castling.safety {
                CastlingSafety::Free => watched = SquareSet::EMPTY,
                CastlingSafety::Guarded => watched.insert(to),
                CastlingSafety::Royal => {}
            }
            if (reach.between(king, rook) & view.occupied).is_empty() && !watched.any(is_attacked) {
                list.push(Move {
                    from: king,
                    to,
                    piece: PieceType::King,
                    promotion: None,
                    captured: None,
                    kind: MoveKind::CastlingByRight,
                });
            }
        }
    }
}
