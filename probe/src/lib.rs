//! Reads Retrograde's endgame tablebases: index, file format, store, answers.
//!
//! * [`Tablebase`] answers for positions from the tables in some folders.
//! * [`Table`] is one table; [`mod@format`] reads its file.
//! * [`index`] turns the squares of a material's pieces into a number and back.
//! * [`write`](mod@write), behind the feature `write`, makes tables.
//!
//! ```
//! use retrograde_probe::Tablebase;
//! use retrograde_rules::{Game, Position};
//!
//! let game = Game::Orthodox;
//! let tables = Tablebase::open(game, ["./tables"])?;
//! let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/KQ6 w - -")?;
//! match tables.probe(&position) {
//!     Ok(answer) => println!("{}", answer.category.name()),
//!     Err(error) => println!("{error}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod best;
mod error;
mod facts;
pub mod format;
mod high_chess;
mod play;
mod store;
mod stored;
mod tablebase;
#[cfg(feature = "write")]
pub mod write;

pub use answer::{Answer, Line, MoveAnswer, Value};
pub use error::{ProbeError, TableError, TableFault};
pub use facts::{Facts, High, MoveFacts};
pub use format::{Expected, Table};
pub use high_chess::{HighChessAnswer, WinBy};
pub use retrograde_index as index;
pub use retrograde_index::{
    Category, Group, Index, IndexError, Metric, Reindexing, Shape, ThresholdCurve, needs, score,
};
pub use store::{game_folder, locate, locate_game, table_path};
pub use stored::Stored;
pub use tablebase::Tablebase;
