//! Describes why a FEN has no answer, as an object with the kind of error and a message.

use retrograde_rules::ReadError;
use serde::Serialize;

use crate::advice::Advice;
use crate::error::ProbeError;

/// A FEN that has no answer, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RefusalObject {
    /// The FEN as it was given.
    pub fen: String,
    /// The error.
    pub error: ErrorObject,
}

impl RefusalObject {
    /// Makes the refusal of a FEN.
    pub fn new(fen: &str, error: impl Into<ErrorObject>) -> RefusalObject {
        RefusalObject {
            fen: fen.to_owned(),
            error: error.into(),
        }
    }
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorObject {
    /// A word for what is wrong: `bad-fen`, `illegal-position`, `missing-table`,
    /// `corrupt-table`, `unreadable-table`, `unsupported` or `stopped`.
    pub kind: &'static str,
    /// The fault, and maybe what to do about it.
    pub message: String,
    /// The place in the FEN, in bytes.
    pub offset: Option<usize>,
}

impl From<&ReadError> for ErrorObject {
    fn from(error: &ReadError) -> ErrorObject {
        let (kind, offset) = match error {
            ReadError::Fen(error) => ("bad-fen", Some(error.offset)),
            ReadError::Position(_) => ("illegal-position", None),
        };
        ErrorObject {
            kind,
            message: error.to_string(),
            offset,
        }
    }
}

impl From<&ProbeError> for ErrorObject {
    fn from(error: &ProbeError) -> ErrorObject {
        ErrorObject {
            kind: error.kind(),
            message: error.to_string(),
            offset: None,
        }
    }
}

impl ErrorObject {
    /// Makes the error of a position without an answer, with advice on it.
    pub fn with_advice(error: &ProbeError, advice: &dyn Advice) -> ErrorObject {
        ErrorObject {
            message: error.with_advice(advice),
            ..ErrorObject::from(error)
        }
    }
}
