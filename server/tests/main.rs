//! Runs all tests of the application in one program, most of them without a port.
#![allow(clippy::unwrap_used, reason = "tests")]

mod api;
mod batch;
mod common;
mod damage;
mod games;
mod hostile;
mod pgn;
mod port;
mod program;
mod search;
mod standard;
