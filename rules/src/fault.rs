//! Reasons why a diagram is not a position of a game, and the messages that name them.

use std::fmt;
use std::ops::BitOr;

use crate::geometry::Geometry;
use crate::piece::{Colour, Piece};
use crate::square::{Square, SquareSet};

/// A reason why a diagram is not a position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// Pieces on squares off the board.
    OffBoard,
    /// A piece that the game does not have.
    ForeignPiece {
        /// The piece.
        piece: Piece,
        /// The square of the piece.
        square: Square,
    },
    /// A side without pieces, in games that need no king (E1).
    NoPieces(Colour),
    /// A side without a king.
    NoKing(Colour),
    /// A side without a piece of a type that may be royal (E2).
    NoRoyal(Colour),
    /// A side with more kings than the game allows.
    ManyKings {
        /// The side.
        colour: Colour,
        /// The squares of its kings.
        squares: SquareSet,
    },
    /// Pawns on a rank where no pawn can stand.
    PawnRank(SquareSet),
    /// Pawns between their own first rank and the rank that they start on
    /// (K7).
    PawnBehind(SquareSet),
    /// Pawns on ranks where they would have become other pieces as they arrived.
    PawnBeyond(SquareSet),
    /// Pawns on their own first rank, in a game where they may stand on their
    /// last (C7).
    PawnHome(SquareSet),
    /// The side not to move is in check: its king could be captured (O6).
    OppositeCheck {
        /// The side in check.
        colour: Colour,
        /// The royal pieces that are attacked.
        royals: SquareSet,
    },
    /// A check, in a game in which no move may give one (R1).
    ForbiddenCheck {
        /// The side in check, which is to move.
        colour: Colour,
        /// Its attacked royal pieces.
        royals: SquareSet,
    },
    /// A piece of the side to move stands where it has won, so the game was over
    /// before the last move (T2).
    OverBefore(Square),
    /// An impossible e.p. square (O2).
    EnPassant {
        /// The e.p. square.
        square: Square,
        /// The fault of the e.p. square.
        fault: EpFault,
    },
    /// An impossible castling right (X).
    Castling(CastlingFault),
    /// A vitality that no side can have while the game goes on (H3).
    Vitality {
        /// The side.
        colour: Colour,
        /// The vitality found.
        found: u8,
        /// The least counter with which a game goes on.
        least: u8,
        /// The full counter.
        most: u8,
    },
    /// A number of checks still to be given that no side can have while the game goes on (V1).
    ChecksLeft {
        /// The side.
        colour: Colour,
        /// The number found.
        found: u8,
        /// The number at the start of a game.
        most: u8,
    },
    /// Counters in a game that has none.
    ForeignVitality,
}

/// The fault of an impossible castling right (X).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CastlingFault {
    /// The king or rook that the right is for does not stand at home.
    Missing(Piece, Square),
    /// This king has moved, which ended the right (X3).
    Moved(Piece, Square),
    /// Castling needs no rights in this game, or does not exist (C7).
    Foreign,
}

impl CastlingFault {
    /// The fault in words: a sentence without a full stop.
    pub fn describe(self, geometry: Geometry) -> String {
        let name = |piece: Piece| format!("{} {}", piece.colour.name(), piece.piece_type.name());
        match self {
            CastlingFault::Missing(piece, square) => {
                format!("no {} stands on {}", name(piece), geometry.name(square))
            }
            CastlingFault::Moved(piece, square) => {
                format!("the {} on {} has moved", name(piece), geometry.name(square))
            }
            CastlingFault::Foreign => "this game has no castling rights".to_owned(),
        }
    }
}

/// The fault of an impossible e.p. square (O2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EpFault {
    /// No double step passes over a square of this rank.
    Rank,
    /// A piece stands on the square.
    Occupied,
    /// A piece stands on the square that the pawn would have come from.
    Origin(Square),
    /// No pawn stands where the double step would have ended.
    NoPusher(Square),
    /// The pawn that could be captured is the only one of its side, which may not
    /// step to where it is attacked (E3).
    OnlyPawn(Square),
    /// No pawn and no piece that it may have become stands on the last rank,
    /// where the double step would have ended (C6).
    NoArrival(Square),
    /// Several pawns may have passed over the square, and it is not told which has (D9).
    Several,
    /// A pawn that has passed over the square would not be on the one that is told (D9).
    Elsewhere(Square),
}

impl Fault {
    /// The fault and its place in words: a sentence without a full stop.
    pub fn describe(self, geometry: Geometry) -> String {
        let names = |squares: SquareSet| -> String {
            let names: Vec<String> = squares.map(|square| geometry.name(square)).collect();
            names.join(", ")
        };
        match self {
            Fault::OffBoard if !geometry.holes.is_empty() => {
                "pieces stand outside the board or in its holes".to_owned()
            }
            Fault::OffBoard => format!(
                "pieces stand outside the board of {} files and {} ranks",
                geometry.files, geometry.ranks
            ),
            Fault::ForeignPiece { piece, square } => format!(
                "the game has no piece {}, which stands on {}",
                piece.letter(),
                geometry.name(square)
            ),
            Fault::NoPieces(colour) => format!("{} has no pieces; place one", colour.name()),
            Fault::NoKing(colour) => format!("{} has no king; place one", colour.name()),
            Fault::NoRoyal(colour) => format!("{} has no royal piece; place one", colour.name()),
            Fault::ManyKings { colour, squares } => format!(
                "{} has {} kings ({}); leave one",
                colour.name(),
                squares.len(),
                names(squares)
            ),
            Fault::PawnRank(squares) => format!(
                "no pawn can stand on the first or the last rank ({})",
                names(squares)
            ),
            Fault::PawnBehind(squares) => format!(
                "no pawn can stand behind its starting rank ({})",
                names(squares)
            ),
            Fault::PawnBeyond(squares) => format!(
                "no pawn can stand where pawns have to promote ({})",
                names(squares)
            ),
            Fault::PawnHome(squares) => format!(
                "no pawn can stand on its own first rank ({})",
                names(squares)
            ),
            Fault::OppositeCheck { colour, royals } => format!(
                "{} is in check ({}) although it is not {0}'s move; \
                 give the move to the other side or move a piece",
                colour.name(),
                names(royals)
            ),
            Fault::ForbiddenCheck { colour, royals } => format!(
                "{} is in check ({}), and no move of this game may give check; move a piece",
                colour.name(),
                names(royals)
            ),
            Fault::OverBefore(square) => format!(
                "the side to move has a piece on {}, where it has won, so the game was over \
                 before the last move; give the move to the other side or move the piece",
                geometry.name(square)
            ),
            Fault::Vitality {
                colour, found: 0, ..
            } => format!(
                "{} has no vitality left, so the game is over; \
                 give the position before the last move",
                colour.name()
            ),
            Fault::Vitality {
                colour,
                found,
                least,
                most,
            } => format!(
                "{} has a vitality of {found}; give a number from {least} to {most}",
                colour.name()
            ),
            Fault::ChecksLeft {
                colour, found: 0, ..
            } => format!(
                "{} has given all its checks, so the game is over; \
                 give the position before the last move",
                colour.name()
            ),
            Fault::ChecksLeft {
                colour,
                found,
                most,
            } => format!(
                "{} has {found} checks to give; give a number from 1 to {most}",
                colour.name()
            ),
            Fault::Castling(fault) => {
                format!(
                    "a castling right is impossible: {}",
                    fault.describe(geometry)
                )
            }
            Fault::ForeignVitality => "the game has no counters; leave them out".to_owned(),
            Fault::EnPassant { square, fault } => {
                let why = match fault {
                    EpFault::Rank => "no pawn of the side that just moved passes over that rank \
                                      with a double step"
                        .to_owned(),
                    EpFault::Occupied => "a piece stands on it".to_owned(),
                    EpFault::Origin(origin) => format!(
                        "the pawn must have come from {}, where a piece stands",
                        geometry.name(origin)
                    ),
                    EpFault::NoPusher(arrival) => format!(
                        "no pawn of the side that just moved stands on {}",
                        geometry.name(arrival)
                    ),
                    EpFault::OnlyPawn(pawn) => format!(
                        "the pawn on {} is the only one of its side, so it may not step to \
                         where it can be taken",
                        geometry.name(pawn)
                    ),
                    EpFault::Several => "several pawns may have passed over it: write the square \
                                         of the one that has behind it, as in f3g4"
                        .to_owned(),
                    EpFault::Elsewhere(told) => format!(
                        "a pawn that has passed over it would not be on {}",
                        geometry.name(told)
                    ),
                    EpFault::NoArrival(arrival) => format!(
                        "no piece that a pawn of the side that just moved may be or become \
                         stands on {}",
                        geometry.name(arrival)
                    ),
                };
                format!(
                    "the e.p. square {} is impossible: {why}; write - if no right is meant",
                    geometry.name(square)
                )
            }
        }
    }
}

/// The faults that [`Position::forgiving`](crate::Position::forgiving) tolerates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Forgive(u8);

impl Forgive {
    /// Forgives nothing: every fault counts.
    pub const NOTHING: Forgive = Forgive(0);
    /// The side not to move may be in check. Such a position has moves, but does not
    /// belong to the game (O6) and is in no table.
    pub const OPPOSITE_CHECK: Forgive = Forgive(1);
    /// An impossible e.p. square is dropped.
    pub const EN_PASSANT: Forgive = Forgive(2);

    /// Whether all flags of `other` are set here.
    pub const fn contains(self, other: Forgive) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether a fault is tolerated.
    pub(crate) const fn forgives(self, fault: Fault) -> bool {
        match fault {
            Fault::OppositeCheck { .. } => self.contains(Forgive::OPPOSITE_CHECK),
            // Of several rights one may well be meant.
            Fault::EnPassant {
                fault: EpFault::Several,
                ..
            } => false,
            Fault::EnPassant { .. } => self.contains(Forgive::EN_PASSANT),
            _ => false,
        }
    }
}

impl BitOr for Forgive {
    type Output = Forgive;
    fn bitor(self, other: Forgive) -> Forgive {
        Forgive(self.0 | other.0)
    }
}

/// The error of a diagram that is not a position of the game: all faults that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    geometry: Geometry,
    faults: Vec<Fault>,
}

impl PositionError {
    pub(crate) fn new(geometry: Geometry, faults: Vec<Fault>) -> PositionError {
        PositionError { geometry, faults }
    }

    /// The faults, at least one.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.faults.iter().enumerate() {
            if number > 0 {
                f.write_str("; also, ")?;
            }
            f.write_str(&fault.describe(self.geometry))?;
        }
        Ok(())
    }
}

impl std::error::Error for PositionError {}
