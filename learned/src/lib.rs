//! Reads the codec `learned`: gives the symbol of a placement, by a decision tree and a line.
//!
//! From a description of the placement, the tree predicts how likely each symbol is, and the code
//! of the actual symbol is read from one line of 64 bytes.
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

mod board_and_pieces;
mod code;
mod codes;
mod feature;
mod line;
mod model;
mod node;
pub mod node_coding;
mod range_coder;
mod row_features;
mod section;
mod square_relations;
mod tree;

use thiserror::Error;

pub use board_and_pieces::{CodecBoard, CodecPiece, Moves};
pub use code::{Code, CodeShape, LONGEST, Word};
pub use codes::CodesBuilder;
pub use feature::{Domain, Feature, FeatureKind, FeatureRow, Features, Placement};
pub use line::{Directory, Equation, LEVELS, LINE, Line, Region, write_directory};
pub use model::Model;
pub use range_coder::{Chance, Coder, Decoder, Encoder};
pub use row_features::{Row, Rows};
pub use section::{Question, Section, Store};
pub use tree::{Overflow, Pages, Tree, TreeBuilder};

/// The errors of reading a section or answering a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LearnedError {
    /// The codec cannot describe the material; the text says why.
    #[error("the material has no features: {0}")]
    Material(&'static str),
    /// The bytes of the model are damaged; the text says what is wrong.
    #[error("the model is damaged: {0}")]
    Model(&'static str),
    /// A branch of the model, by its number, is damaged; the text says what is wrong.
    #[error("branch {0} of the model is damaged: {1}")]
    Branch(u32, &'static str),
    /// The directory of lines is damaged; the text says what is wrong.
    #[error("the directory of lines is damaged: {0}")]
    Directory(&'static str),
    /// A line is damaged; the text says what is wrong.
    #[error("a line is damaged: {0}")]
    Line(&'static str),
    /// The section cannot answer the question: the index does not exist, a square
    /// is off the board, or a context is out of range.
    #[error("the section cannot answer that: {0}")]
    Question(&'static str),
}
