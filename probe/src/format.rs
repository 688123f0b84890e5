//! Reads the format of table files: from bytes to header, blocks and values.
//!
//! `docs/FORMAT.md` draws the format byte by byte; the constants here and the
//! document say the same thing.

mod block_table;
mod chapters;
pub(crate) mod codec;
mod frame;
pub(crate) mod header;
mod side_values;
mod source;
pub(crate) mod statistics;
pub(crate) mod symbols;
mod table;

#[cfg(any(feature = "write", test))]
pub(crate) use block_table::{page_sums, pages_of};
pub use codec::Codec;
pub use header::{Header, Need, Section, Sides};
pub use side_values::SideValues;
pub(crate) use source::{Access, Unchanging};
pub use statistics::{Count, MOST_LISTED, SideStatistics, Statistics, ZugzwangStatistics};
pub use table::block_cache::set_memory_limit;
pub use table::check::CheckReport;
pub(crate) use table::learned;
pub use table::{Expected, Table};

/// A list that stays off the heap up to 64 entries: more than most positions with few pieces have
/// moves.
pub(crate) type ShortList<T> = smallvec::SmallVec<[T; 64]>;

/// The first eight bytes of every table.
pub(crate) const MAGIC: [u8; 8] = [0x89, b'R', b'T', b'B', 0x0D, 0x0A, 0x1A, 0x0A];

/// The version of the format that is written. Files of version 1, which say
/// nothing about [`Header::digest`] and [`Header::needs`], are read too.
pub const VERSION: u16 = 3;

/// The version of tables of games that are built in. Those of other games are of the last
/// version, which carries the rules.
pub(crate) const BUILT_IN_VERSION: u16 = 2;

/// The most bytes that a block may unpack to, so that a hostile header cannot
/// ask for more memory.
pub(crate) const MOST_BLOCK_BYTES: usize = 1 << 18;

/// The first block of a section with the codec `learned` that has lines; those before it are the
/// model and the directory.
pub(crate) const LINES: u32 = 2;

/// The most lines that a block has.
pub(crate) const MOST_LINES: u32 = (MOST_BLOCK_BYTES / retrograde_learned::LINE) as u32;

/// The flag of a file whose last block has statistics.
pub(crate) const HAS_STATISTICS: u16 = 1;

/// The flag of a file whose block table has pages with checksums of their own.
pub(crate) const HAS_PAGES: u16 = 2;

/// The most entries of a page of the block table. A table of no more has no pages.
pub(crate) const PAGE: u32 = 256;

/// The size of an entry of the block table: offset and checksum.
pub(crate) const ENTRY: usize = 16;

/// The size of a checksum.
pub(crate) const CHECKSUM: usize = 8;

/// The checksum of the format: XXH3 with 64 bits and seed 0.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}
