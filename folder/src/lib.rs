//! What generation and verification both do with table folders: find tables, read
//! them whole, keep other processes out. Nothing here knows what values mean.

mod evidence;
mod lock;
mod memory;
mod own;
mod tables;

pub use evidence::{FileHashes, Seal, state_folder};
pub use lock::{Lock, LockError};
pub use memory::{address_space_left, bytes, free_memory};
pub use own::{is_exhausted, open_own, remove, replace};
pub use tables::{ReadError, Reader, check_bytes, open, open_needed, read_side};
