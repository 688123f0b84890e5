//! Probes endgame tablebases from JavaScript, in browsers and in node.
//!
//! The package takes the bytes of tables from memory, or parts of tables that JavaScript fetches.
//!
//! Everything here is thin: it turns what JavaScript gives into positions and tables, asks
//! the library, and hands on the objects whose fields the command line prints.
#![cfg(target_family = "wasm")]

mod batch;
mod error;
mod games;
mod parts;
mod tablebase;
mod types;
mod value;

pub use games::{games, version};
pub use tablebase::Tablebase;
