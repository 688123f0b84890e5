//! Plays perfectly where there are tables, and speaks the protocols of chess programs.
//!
//! [`uci`](uci()) and [`xboard`](xboard()) read commands from one stream and write answers
//! to another, until they are told to quit. Moves come from the tables; where there are
//! none this is said, and the search of `retrograde_search` looks for a proof within the
//! time given. What it cannot decide is played by captures alone.

mod beyond;
mod captures;
mod choice;
mod choose;
mod clock;
mod events;
mod moves;
mod score;
mod session;
mod settings;
mod tables;
mod thinker;
mod uci;
mod xboard;

pub use settings::Defaults;
pub use uci::uci;
pub use xboard::xboard;

/// The name and version that other programs show.
pub(crate) const NAME: &str = concat!("Retrograde ", env!("CARGO_PKG_VERSION"));

/// Text from outside, on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}
