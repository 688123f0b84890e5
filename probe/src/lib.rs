//! Reads Retrograde's endgame tablebases: index, file format, store, answers.
//!
//! * [`Tablebase`] answers for positions from the tables in some folders.
//! * [`Table`] is one table; [`mod@format`] reads its file.
//! * [`index`] turns the squares of a material's pieces into an index and back.
//! * `object`, behind the feature `serde`, has answers as objects for JSON and the like.
//! * [`write`](mod@write), behind the feature `write`, makes tables.
//!
//! ```
//! use retrograde_probe::Tablebase;
//! use retrograde_rules::{Game, Position};
//!
//! let game = Game::default();
//! let tables = Tablebase::open(game, ["./tables"])?;
//! let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/KQ6 w - -")?;
//! match tables.probe(&position) {
//!     // `win, DTM 17, DTZ 17`
//!     Ok(answer) => println!("{}", answer.value),
//!     Err(error) => println!("{error}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Tablebase::wdl`], [`Tablebase::dtm`] and [`Tablebase::dtz`] read one table
//! each, [`Tablebase::values`] looks up many positions at once, [`Tablebase::moves`]
//! and [`Tablebase::line`] say how to go on. The folder `examples` of the crate has
//! a program for each. Nothing here panics, whatever bytes are in the files.

mod advice;
mod answer;
mod best;
mod by_moves;
mod error;
mod facts;
pub mod format;
mod games;
mod helpmate;
mod in_game;
mod known;
mod near;
#[cfg(feature = "serde")]
pub mod object;
mod other_side;
mod play;
#[cfg(feature = "keep")]
mod reached;
mod resolve;
mod signed;
mod single;
mod store;
mod stored;
mod table_folders;
mod tablebase;
mod together;
mod value;
mod vitality;
mod wanted;
mod whole;
#[cfg(feature = "write")]
pub mod write;

pub use advice::{
    Advice, LEADS_NOWHERE, MORE_FILES, UseTheProgram, has_no_files_left, is_no_file, quoted,
};
pub use answer::{Answer, Extra, Line, MoveAnswer};
pub use error::{ProbeError, TableError, TableFault, Unsupported};
pub use facts::{Facts, High, MoveFacts};
pub use format::{Expected, Table, set_memory_limit};
pub use games::{FindError, GAMES_VARIABLE, GameFinder};
#[cfg(feature = "keep")]
pub use reached::turns_after;
pub use retrograde_index as index;
pub use retrograde_index::{
    Group, Helpmate, Index, IndexError, Metric, MetricError, Reindexing, Shape, ThresholdCurve,
    Wdl, needs, score,
};
pub use store::{game_folder, is_dangling, locate, locate_game, table_path};
pub use stored::Stored;
pub use table_folders::{default_folders, environment_folders, listed_folders};
pub use tablebase::Tablebase;
pub use value::{Dtm, Dtz, Value};
pub use vitality::{VitalityAnswer, WinBy};
#[cfg(feature = "keep")]
pub use whole::Stop;
