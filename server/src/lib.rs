//! Serves endgame tablebases over HTTP, and a board for the browser.
//!
//! [`router`] is the whole application, which tests ask without a port; [`serve`]
//! connects it to one. Everything that is answered comes from the folders of tables
//! that the [`Library`] was opened with, and from files that are part of the program.
//!
//! ```text
//! serve ─> router ─> observe, limit ─> routes ─> pool ─> library
//! ```

mod arguments;
mod connections;
mod extract;
mod limits;
mod log_limits;
mod metrics;
mod observe;
mod openapi;
mod pool;
mod problem;
mod rate;
mod reply;
mod router;
mod routes;
mod serve;
mod state;
mod statistics;
mod tables;

pub use arguments::{Arguments, Format as LogFormat, Level as LogLevel};
pub use limits::Limits;
pub use rate::Client;
pub use router::router;
pub use serve::{Stop, serve};
pub use state::App;
pub use tables::Library;
