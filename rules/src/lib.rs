//! The rules of the games that Retrograde makes tables for: boards, men,
//! moves, check, endings, FEN and notation. No input or output, no tables.
//!
//! Rulings carry tags (`O2`, `H4`, `C6`, ...); `docs/RULES.md` lists them all.

mod game;
mod geometry;
mod man;
mod material;
mod square;

pub use game::{Game, GameError, Interchange, Symmetry};
pub use geometry::{Geometry, Transform};
pub use man::{Colour, Kind, Man};
pub use material::{Material, MaterialError};
pub use square::{Square, SquareSet};
