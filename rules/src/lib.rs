//! Rules of the games that Retrograde makes tables for: moves, endings, FEN and notation.
//!
//! They cover boards, pieces, moves, check, endings, FEN and notation. There is no input or output,
//! and there are no tables.
//!
//! Rulings carry tags (`O2`, `H4`, `C6`, ...); `docs/RULES.md` lists them all.
//!
//! A [`Setup`] is any diagram, a [`Position`] one that the rules of a [`Game`]
//! allow. A position knows its game and follows its rules:
//!
//! ```
//! use retrograde_rules::{End, Game, Position};
//!
//! let game = Game::default();
//! let position = Position::from_fen(game, "k7/8/1K6/8/8/8/8/7R w - -")?;
//! let mv = position.parse_san("Rh8")?;
//! assert_eq!(position.uci(mv), "h1h8");
//! assert_eq!(position.san(mv), "Rh8#");
//! let next = position.play(mv);
//! assert_eq!(next.end(), Some(End::Checkmate));
//! assert_eq!(next.material().to_string(), "KRvK");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod betza;
mod bitboards;
mod board;
mod castling;
mod catalogue;
mod definition;
mod epd;
mod fault;
mod features;
mod fen;
mod game;
mod geometry;
mod history;
mod keys;
mod material;
mod moves;
mod piece;
mod play;
mod position;
mod powers;
mod pseudo;
mod reach;
mod record;
mod rules;
mod san;
mod shortened;
mod square;
mod symmetry;
mod table;
mod uci;
mod validity;
mod vitality;

pub use betza::{Mover, Parts, Ray, Step};
pub use bitboards::{Bitboards, BitboardsError};
pub use board::Board;
pub use castling::CastlingRights;
pub use catalogue::GameError;
pub use definition::{GameOption, OptionValues, Resolve};
pub use epd::{Epd, Operand, Operation};
pub use fault::{CastlingFault, EpFault, Fault, Forgive, PositionError};
pub use features::{
    BareKings, CaptureInCheck, Destination, DoubleStep, End, Goal, KingOrder, LastOfType, Pawns,
    Royalty,
};
pub use fen::{FenError, FenErrorKind, Setup};
pub use game::Game;
pub use geometry::{Geometry, Transform};
pub use history::History;
pub use keys::{Bare, EnPassant, Pass, is_usual};
pub use material::{Material, MaterialError};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Colour, Piece, PieceType};
pub use position::Position;
pub use shortened::{nearest, shortened};
pub use square::{Square, SquareSet};
pub use symmetry::{Interchange, Symmetry};
pub use table::{DefinitionError, Place};
pub use uci::{MoveError, MoveName};
pub use validity::ReadError;
pub use vitality::{Counters, Restores, Toll, Vitality, VitalityRules};
