//! A plain solver that shares nothing with Retrograde: no crate of the
//! project, no move generator, no index, no symmetry unless asked for.
//!
//! - [`state`]: men on squares, whose turn it is, and what else a game keeps.
//! - [`rules`]: what a game has to say, as one small trait.
//! - [`orthodox`]: orthodox chess, on a mailbox board.
//! - [`numbering`]: states as numbers.
//! - [`solve`]: the game graph, turned round, walked layer by layer.
//! - [`retrograde`]: the same questions put to Retrograde's tables.
//!
//! Another game is another implementation of [`rules::Rules`].

mod numbering;
mod orthodox;
pub(crate) mod retrograde;
mod rules;
mod solve;
mod state;

pub(crate) use orthodox::Orthodox;
pub(crate) use rules::Next;
pub(crate) use solve::Solver;
pub(crate) use state::{State, Value};
