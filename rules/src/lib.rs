//! The rules of the games that Retrograde makes tables for: boards, men,
//! moves, check, endings, FEN and notation. No input or output, no tables.
//!
//! Rulings carry tags (`O2`, `H4`, `C6`, ...); `docs/RULES.md` lists them all.

mod board;
mod end;
mod epd;
mod fault;
mod fen;
mod game;
mod games;
mod geometry;
mod guard;
mod man;
mod material;
mod moves;
mod play;
mod position;
mod powers;
mod pseudo;
mod reach;
mod san;
mod setup;
mod square;
mod uci;

pub use board::Board;
pub use end::End;
pub use epd::{Epd, Operand, Operation};
pub use fault::{EpFault, Fault, Forgive, PositionError};
pub use fen::{FenError, FenErrorKind};
pub use game::{Game, GameError, Interchange, Symmetry};
pub use geometry::{Geometry, Transform};
pub use man::{Colour, Kind, Man};
pub use material::{Material, MaterialError};
pub use moves::{Move, MoveKind, MoveList};
pub use position::{Position, ReadError};
pub use setup::Setup;
pub use square::{Square, SquareSet};
pub use uci::MoveError;
