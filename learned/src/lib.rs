//! The reading side of the codec `learned`: from a description of the placement, a
//! decision tree predicts how likely each symbol is, and the code of the actual
//! symbol is read from one line of 64 bytes.
//!
//! * [`CodecBoard`] and [`CodecPiece`] describe a material; nothing here knows a game.
//! * [`Features`] turns the squares of the pieces into a row of small numbers.
//! * [`Model`] is the tree and the codes of its leaves.
//! * [`Directory`] finds the line of an index; [`Line`] has its bits.
//! * [`Section`] combines all of these: the values of one side to move.
//!
//! Every length and number is checked before it is trusted. Bytes that no packer
//! wrote give a [`LearnedError`] or a wrong symbol, but one that exists, and never a
//! panic. There is no floating point, and no arithmetic that depends on the width of
//! `usize`: the same bytes give the same answers on every machine.

#![forbid(unsafe_code)]

mod board;
mod chance;
mod code;
mod columns;
mod directory;
mod error;
mod feature;
pub mod layout;
mod line;
mod masks;
mod model;
mod placement;
mod rows;
mod section;
mod squares;
mod tree;

pub use board::{CodecBoard, CodecPiece, Moves};
pub use chance::{Chance, Coder, Decoder, Encoder};
pub use code::{Code, CodeShape, CodesBuilder, LONGEST, Word};
pub use columns::Columns;
pub use directory::{Directory, write_directory};
pub use error::LearnedError;
pub use feature::{Domain, Feature, FeatureKind, FeatureRow, Features};
pub use line::{Equation, LEVELS, LINE, Line, Region};
pub use model::Model;
pub use placement::Placement;
pub use rows::{Row, Rows};
pub use section::{Question, Section, Store};
pub use tree::{Overflow, Pages, Tree, TreeBuilder};
