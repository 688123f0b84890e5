//! Plans, makes and repacks endgame tables: from names of materials to files.

pub mod generate;
mod leftovers;
pub mod packing;
pub mod plan;
pub mod repack;
pub mod unstored;

use std::time::Duration;

/// The pause between looks at the tables that other processes are making.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
