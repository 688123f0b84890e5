//! A naive solver of Chess 99, written from docs/RULES.md alone.
//!
//! A state is pieces on squares, whose turn it is, and the e.p. square. Nothing
//! is folded: every material is solved in both colourings over the whole board, and
//! identical pieces are told apart.
//!
//! - [`board`]: the 9x9 board, a mailbox, and its lines.
//! - [`rules`]: what the pieces can do, and how the king's capture ends.
//! - [`states`]: the states of a material as indices.
//! - [`solve`]: ply by ply from the captures of the king.
//! - [`back`]: the states that a newly found value may matter to.
//! - [`compare`]: asking Retrograde the same questions.

mod back;
mod board;
mod compare;
mod rules;
mod solve;
mod states;
mod tests;
