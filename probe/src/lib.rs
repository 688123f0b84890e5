//! Reads Retrograde's endgame tablebases: index, file format, store, answers.
//!
//! * [`Tablebase`] answers for positions from the tables in some folders.
//! * [`Table`] is one table; [`mod@format`] reads its file.
//! * [`index`] turns the squares of a material's pieces into an index and back.
//! * `object`, behind the feature `serde`, has answers as objects for JSON and the like.
//! * `remote`, behind the feature of that name, reads tables that are far away; with the feature
//!   `http`, a folder may be an address on a web server.
//! * [`mod@random`] finds random positions.
//! * [`advice`] says what users can do about errors.
//! * `whole`, behind the feature `keep`, reads whole tables.
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
//! each, [`Tablebase::probe_batch`] looks up many positions at once, [`Tablebase::moves`]
//! and [`Tablebase::line`] say how to go on. The folder `examples` of the crate has
//! a program for each. Nothing here panics, whatever bytes are in the files.

pub mod advice;
mod answers;
mod error;
mod facts;
mod folders;
pub mod format;
mod games;
#[cfg(feature = "http")]
mod http;
mod lookup;
#[cfg(feature = "serde")]
pub mod object;
pub mod random;
#[cfg(feature = "remote")]
pub mod remote;
mod store;
mod tablebase;
mod value;
#[cfg(feature = "keep")]
pub mod whole;
#[cfg(feature = "write")]
pub mod write;

pub use answers::{Answer, Extra, Line, MoveAnswer};
pub use error::{ProbeError, TableError, TableFault, Unsupported, if_known};
pub use facts::{Facts, High, MoveFacts};
pub use folders::{default_folders, environment_folders, is_address, is_dangling, listed_folders};
pub use format::{Expected, Table, set_memory_limit};
pub use games::{FindError, GAMES_VARIABLE, GameFinder};
pub use lookup::vitality::{VitalityAnswer, WinBy};
pub use retrograde_index as index;
pub use retrograde_index::{
    Group, Helpmate, Index, IndexError, Metric, MetricError, Reindexing, Shape, ThresholdCurve,
    Wdl, needs, score,
};
pub use store::{game_folder, locate, locate_game, table_path};
pub use tablebase::Tablebase;
pub use value::{Dtm, Dtz, Stored, Value};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
