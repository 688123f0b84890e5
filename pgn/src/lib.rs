//! Reads, replays and writes game records in Portable Game Notation (PGN), for all games.
//!
//! They are played through by the rules, and written with annotations.
//!
//! ```
//! use retrograde_pgn::{Records, Walk};
//! use retrograde_rules::Game;
//!
//! let text = "[White \"A\"]\n1. e4 {best by test} e5 (1... c5) 2. Nf3 $1 *";
//! let game = Game::default();
//! let record = Records::new(game, text.as_bytes()).next().expect("a record")?;
//! assert_eq!(record.tag("White"), Some("A"));
//! assert_eq!(record.moves.len(), 3);
//! let mut walk = Walk::new(record.start(game)?);
//! for mv in &record.moves {
//!     walk.play(&mv.text)?;
//! }
//! assert_eq!(walk.position().fullmoves(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod lexer;
mod record;
mod replay;
mod write;

pub use lexer::{Outcome, PgnError, PgnErrorKind};
pub use record::{Record, RecordError, RecordMove, Records, StartError};
pub use replay::{Step, Walk, read_move};
pub use write::{Noted, write};
