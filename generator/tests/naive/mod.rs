//! A naive solver that shares nothing with Retrograde: no crate of the project, no move
//! generator, no index, and symmetries only on request.
//!
//! - [`state`]: pieces on squares, the side to move, and whatever else a game tracks.
//! - [`rules`]: the definition of a game, a small trait.
//! - [`board`]: the 8x8 board, a mailbox, and how pieces move on it.
//! - [`orthodox`]: orthodox chess.
//! - [`indexing`]: states as indices.
//! - [`solve`]: the game graph, reversed and walked layer by layer.
//! - [`fifty`]: the same for the fifty-move rule.
//! - [`helpmate`]: which sides can be mated with help.
//! - [`high_chess`], [`chess99`]: games with solvers of their own.
//! - [`retrograde`]: asking Retrograde's tables the same questions.
//! - [`royal`]: kings, wild 9 and extinction chess, and `high_chess`, each with
//!   rules of its own.
//!
//! Another game is another implementation of [`rules::Rules`].

mod board;
mod chess99;
mod fifty;
pub(crate) mod helpmate;
mod high_chess;
mod indexing;
pub(crate) mod orthodox;
mod retrograde;
mod royal;
mod rules;
mod solve;
mod state;
mod tests;

use fifty::{Fifty, Outcome};
use orthodox::Orthodox;
use rules::Next;
use solve::Solver;
use state::{State, Value};
