//! A naive interpreter of game definitions, to compare the other crates with.
mod betza;
mod game;
mod moves;
mod position;
mod solve;

pub use game::{Game, Resolve, Side};
pub use moves::Move;
pub use position::{End, Position, Reason};
pub use solve::{Category, Solver, Table, Value};
