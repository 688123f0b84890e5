//! The tables that are made, against what is known and against solvers that share
//! nothing with Retrograde.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod chess99;
mod common;
mod fifty;
mod helpmate;
mod high_chess;
mod naive;
mod one_ply;
mod packing;
mod repacking;
mod royals;
mod settling;
mod statistics;
mod together;
mod unpacking;
