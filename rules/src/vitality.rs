//! Vitality, the counters of High Chess, and their rules: who is High, and what a turn costs
//! (H1-H7).

use std::fmt;

use crate::board::Board;
use crate::fen::{FenError, FenErrorKind};
use crate::geometry::Geometry;
pub use crate::keys::Restores;
use crate::keys::{Ties, VitalityKeys};
use crate::moves::Move;
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::shortened::shortened;
use crate::square::Square;

/// The rules of vitality of a game.
#[derive(Clone, Debug)]
pub struct VitalityRules {
    full: u8,
    restores: Restores,
    ties: Colour,
    /// The distance of each square from the centre (H1).
    distances: Vec<u8>,
}

/// The effect of a turn on the mover's vitality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Toll {
    /// A vital move (H7): the counter is full again (H4).
    Vital,
    /// Not vital, and the mover is High after it: nothing changes.
    Free,
    /// Not vital, and the mover is Low after it: one point is lost (H5).
    Paid,
}

impl VitalityRules {
    /// The greatest full counter that tables have room for (H3).
    pub const MOST: u8 = 50;

    pub(crate) fn new(board: Geometry, keys: &VitalityKeys) -> VitalityRules {
        let away = |a: Square, b: Square| {
            let files = board.file(a).abs_diff(board.file(b));
            files.max(board.rank(a).abs_diff(board.rank(b)))
        };
        let distance = |square| keys.centre.map(|centre| away(square, centre)).min();
        VitalityRules {
            full: keys.full[0],
            restores: keys.restores,
            ties: match keys.ties {
                Ties::Black => Colour::Black,
                Ties::White => Colour::White,
            },
            distances: board
                .all()
                .map(|square| distance(square).unwrap_or(0))
                .collect(),
        }
    }

    /// The counter that both sides start with and that a vital move restores
    /// (H3, H4): 1 to [`VitalityRules::MOST`].
    #[inline]
    pub fn full(&self) -> u8 {
        self.full
    }

    /// The side that is High when both kings are equally far from the centre (H1).
    #[inline]
    pub fn ties(&self) -> Colour {
        self.ties
    }

    /// Whose counter a vital move restores (H4).
    #[inline]
    pub fn restores(&self) -> Restores {
        self.restores
    }

    /// The number of king steps, on an empty board, from a square to the nearest one of the
    /// centre (H1); 0 for squares off the board.
    #[inline]
    pub fn distance(&self, square: Square) -> u8 {
        self.distances.get(square.index()).copied().unwrap_or(0)
    }

    /// The side that is High with the kings on these squares; the other is Low (H1).
    #[inline]
    pub fn high_by_kings(&self, white: Square, black: Square) -> Colour {
        let (white, black) = (self.distance(white), self.distance(black));
        match white.cmp(&black) {
            std::cmp::Ordering::Less => Colour::White,
            std::cmp::Ordering::Equal => self.ties,
            std::cmp::Ordering::Greater => Colour::Black,
        }
    }

    /// The side that is High (H1). For a turn, what counts is who is High in the position
    /// *after* it (H3).
    #[inline]
    pub fn high(&self, board: &Board) -> Colour {
        let [white, black] = Colour::BOTH.map(|colour| king(board, colour));
        self.high_by_kings(white, black)
    }

    /// Whether a side is High; if not, it is Low (H1).
    #[inline]
    pub fn is_high(&self, board: &Board, colour: Colour) -> bool {
        self.high(board) == colour
    }

    /// Whether a legal move of a position is vital (H7): a capture, a pawn move, a move
    /// that ends a right to castle, or any move, a pass included, while a pawn of the
    /// mover stands so as to capture en passant, pinned or not. The presence of such a
    /// pawn is what makes an e.p. square count here (O2).
    #[inline]
    pub fn is_vital(&self, position: &Position, mv: Move) -> bool {
        let ends_a_right = || {
            let castling = position.game.record().castling.as_ref();
            let geometry = position.game.geometry();
            castling.is_some_and(|castling| castling.is_ended_by(geometry, position, mv))
        };
        mv.is_zeroing() || position.ep.is_some() || ends_a_right()
    }

    /// The cost of a legal move of a position to the mover. It depends neither on the options
    /// nor on the counters.
    #[inline]
    pub fn toll(&self, position: &Position, mv: Move) -> Toll {
        if self.is_vital(position, mv) {
            return Toll::Vital;
        }
        let mover = position.turn;
        let [white, black] = Colour::BOTH.map(|colour| {
            if colour == mover && mv.piece == PieceType::King {
                mv.to
            } else {
                king(&position.board, colour)
            }
        });
        if self.high_by_kings(white, black) == mover {
            Toll::Free
        } else {
            Toll::Paid
        }
    }

    /// The counters after a turn (H4, H5), given those before it. The mover has lost by
    /// exhaustion if its counter reaches 0 and it has not mated (H6).
    #[inline]
    pub fn charge(&self, before: Vitality, mover: Colour, toll: Toll) -> Vitality {
        match (toll, self.restores) {
            (Toll::Vital, Restores::Mover) => before.with(mover, self.full),
            (Toll::Vital, Restores::Both) => Vitality::both(self.full),
            (Toll::Free, _) => before,
            (Toll::Paid, _) => before.with(mover, before.of(mover).saturating_sub(1)),
        }
    }

    /// Whether the side that has just moved has no points left (H6).
    #[inline]
    pub(crate) fn is_exhausted(position: &Position) -> bool {
        let mover = position.turn.other();
        position.vitality.is_some_and(|left| left.of(mover) == 0)
    }
}

/// The square of a side's king. Every position has one; for a board without it the
/// answer is meaningless.
#[inline]
fn king(board: &Board, colour: Colour) -> Square {
    let king = board.of(Piece::new(colour, PieceType::King));
    king.first().unwrap_or_default()
}

/// The vitality of each side. While a game goes on, both are from 1 to the full counter
/// of the game, [`Game::full_vitality`](crate::Game::full_vitality); a side that has
/// lost by exhaustion has 0 (H6).
///
/// It is written White's first: `50+37`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vitality {
    /// White's points.
    pub white: u8,
    /// Black's points.
    pub black: u8,
}

impl Vitality {
    /// The same vitality for both sides.
    #[inline]
    pub const fn both(points: u8) -> Vitality {
        Vitality {
            white: points,
            black: points,
        }
    }

    /// The points of one side.
    #[inline]
    pub const fn of(self, colour: Colour) -> u8 {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// The same, but with `points` for one side.
    #[inline]
    pub const fn with(self, colour: Colour, points: u8) -> Vitality {
        match colour {
            Colour::White => Vitality {
                white: points,
                ..self
            },
            Colour::Black => Vitality {
                black: points,
                ..self
            },
        }
    }

    /// The same points with the colours swapped.
    pub const fn swapped(self) -> Vitality {
        Vitality {
            white: self.black,
            black: self.white,
        }
    }

    /// Reads the vitality field of a FEN, each counter from 1 to `most` (H3); `offset`
    /// is the offset of the field in the text.
    pub(crate) fn read(most: u8, field: &str, offset: usize) -> Result<Vitality, FenError> {
        let fail = |why, offset| FenErrorKind::Vitality { why, most }.at(offset);
        let Some((white, black)) = field.split_once('+') else {
            return Err(fail(
                format!("\"{}\" is not a vitality", shortened(field)),
                offset,
            ));
        };
        let read = |text: &str, offset: usize, colour: Colour| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            // What does not fit a byte is above every full counter.
            let points = text.parse().unwrap_or(u8::MAX);
            let name = colour.name();
            if !digits {
                let why = format!(
                    "\"{}\" is not a number of points for {name}",
                    shortened(text)
                );
                Err(fail(why, offset))
            } else if points == 0 {
                let why = format!("{name} has no vitality left, so the game is over");
                Err(fail(why, offset))
            } else if points > most {
                let why = format!(
                    "{name}'s vitality is {}, above the full {most}",
                    shortened(text)
                );
                Err(fail(why, offset))
            } else {
                Ok(points)
            }
        };
        Ok(Vitality {
            white: read(white, offset, Colour::White)?,
            black: read(black, offset + white.len() + 1, Colour::Black)?,
        })
    }
}

impl fmt::Display for Vitality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}+{}", self.white, self.black))
    }
}
