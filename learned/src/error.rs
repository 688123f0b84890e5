//! What can be wrong.

use std::fmt;

/// Why a section, or an answer, cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LearnedError {
    /// The material is not one that the codec can describe; the text says why.
    Material(&'static str),
    /// The bytes of the model are damaged; the text says what is wrong.
    Model(&'static str),
    /// The directory of lines is damaged; the text says what is wrong.
    Directory(&'static str),
    /// A line is damaged; the text says what is wrong.
    Line(&'static str),
    /// The question is none that the section answers: an index that does not
    /// exist, a square off the board, a context out of its range.
    Question(&'static str),
}

impl fmt::Display for LearnedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnedError::Material(why) => write!(f, "the material has no features: {why}"),
            LearnedError::Model(why) => write!(f, "the model is damaged: {why}"),
            LearnedError::Directory(why) => write!(f, "the directory of lines is damaged: {why}"),
            LearnedError::Line(why) => write!(f, "a line is damaged: {why}"),
            LearnedError::Question(why) => write!(f, "not a question for this section: {why}"),
        }
    }
}

impl std::error::Error for LearnedError {}
