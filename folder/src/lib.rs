//! Handles table folders for generation and verification: finds, reads and locks tables.
//!
//! It finds tables, reads them whole, and keeps other processes out. Nothing here knows what values
//! mean.

mod files;
mod memory;
mod sealed;
mod tables;

pub use files::{Lock, LockError, is_exhausted, open_own, remove, replace};
pub use memory::{address_space_left, bytes, free_memory};
pub use sealed::{FileHashes, Seal, state_folder};
pub use tables::{ReadError, Reader, check_bytes, open, open_needed, read_side};
