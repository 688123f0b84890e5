//! Errors.

use thiserror::Error;

/// Why a section cannot be read, or a question not be answered.
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
