//! The small endgame tables that ship with Retrograde, in memory.
//!
//! Files of tables that were made beside them are not among them: only those that `SHA256SUMS` and
//! `SHA256SUMS.four` name.

/// The tables, each with the name of its file below a table folder, such as `orthodox/KQvK.wdl`,
/// and the bytes of the file.
pub static TABLES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/tables.rs"));
