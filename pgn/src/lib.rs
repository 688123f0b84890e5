#![doc = include_str!("../README.md")]

mod lexer;
mod record;
mod replay;
mod write;

pub use lexer::{Outcome, PgnError, PgnErrorKind};
pub use record::{Record, RecordError, RecordMove, Records, StartError};
pub use replay::{Step, Walk, read_move};
pub use write::{Noted, write};
