//! Errors.

use std::fmt;

/// Why a section cannot be read, or a question not be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnedError {
    /// The codec cannot describe the material; the text says why.
    Material(&'static str),
    /// The bytes of the model are damaged; the text says what is wrong.
    Model(&'static str),
    /// A branch of the model, by its number, is damaged; the text says what is wrong.
    Branch(u32, &'static str),
    /// The directory of lines is damaged; the text says what is wrong.
    Directory(&'static str),
    /// A line is damaged; the text says what is wrong.
    Line(&'static str),
    /// The section cannot answer the question: the index does not exist, a square
    /// is off the board, or a context is out of range.
    Question(&'static str),
}

impl fmt::Display for LearnedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnedError::Material(why) => write!(f, "the material has no features: {why}"),
            LearnedError::Model(why) => write!(f, "the model is damaged: {why}"),
            LearnedError::Branch(number, why) => {
                write!(f, "branch {number} of the model is damaged: {why}")
            }
            LearnedError::Directory(why) => write!(f, "the directory of lines is damaged: {why}"),
            LearnedError::Line(why) => write!(f, "a line is damaged: {why}"),
            LearnedError::Question(why) => write!(f, "the section cannot answer that: {why}"),
        }
    }
}

impl std::error::Error for LearnedError {}
