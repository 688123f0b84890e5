//! Plays perfectly where there are tables, as an engine for chess programs over UCI and XBoard.
//!
//! [`uci`](uci()) and [`xboard`](xboard()) read commands from one stream and write answers
//! to another, until they are told to quit. Moves come from the tables; where there are
//! none this is said, and the search of `retrograde_search` looks for a proof within the
//! time given. What it cannot decide is played by captures alone.

mod choose;
mod clock;
mod moves;
mod score;
mod session;
mod settings;
mod tables;
mod uci;
mod xboard;

pub use settings::Defaults;
pub use uci::uci;
pub use xboard::xboard;
