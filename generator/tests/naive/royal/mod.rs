//! A plain solver of kings, wild 9, both extinction games and King of the Hill,
//! written from
//! docs/RULES.md alone: moves of its own, rights to take en passant as states
//! of their own, no symmetry.
//!
//! - [`board`]: the 8x8 board, and how pieces move on it, whoever is royal.
//! - [`game`]: the games and their options: who is royal, what may be left
//!   attacked, how games end.
//! - [`ours`]: the same positions as the crate of rules sees them.
//! - [`tables`]: the same values as Retrograde's tables have them.
//! - [`tests`]: small materials; `deep`: whole materials of four pieces.
//!
//! [`super::solve`] makes the values.

mod board;
mod deep;
mod game;
mod ours;
mod tables;
mod tests;
