//! A plain solver of Chess 99, written from docs/RULES.md alone.
//!
//! A state is men on squares, whose turn it is, and the e.p. square. Nothing
//! is folded: every class is solved in both colourings, over the whole board,
//! equal men told apart.
//!
//! - [`board`]: the 9x9 board, a mailbox, and its lines.
//! - [`rules`]: what the men can do, and how the king's capture ends.
//! - [`states`]: the states of a class, as numbers.
//! - [`solve`]: ply by ply from the captures of the king.
//! - [`back`]: which states a newly found value may matter to.
//! - [`compare`]: the same questions put to Retrograde.

mod back;
mod board;
mod compare;
mod rules;
mod solve;
mod states;
mod tests;
