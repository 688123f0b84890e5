#![doc = include_str!("../README.md")]

mod lexer;
#[cfg(feature = "serde")]
mod object;
mod record;
mod replay;
mod write;

pub use lexer::{Outcome, PgnError, PgnErrorKind};
#[cfg(feature = "serde")]
pub use object::{PlyObject, RecordObject, read_games};
pub use record::{Record, RecordError, RecordMove, Records, StartError};
pub use replay::{Replay, Step, Walk, read_move};
pub use write::{Noted, write, write_moves};
