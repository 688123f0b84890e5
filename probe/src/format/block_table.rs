//! Finds the place and the checksum of each block of a table.
//!
//! The list of them is in memory, or some of its pages are: see `docs/FORMAT.md`.

use std::ops::Range;
use std::sync::OnceLock;

use super::header::reader::HeaderReader;
use super::source::Source;
use super::{CHECKSUM, ENTRY, PAGE, checksum};
use crate::error::TableFault;

/// The place of a block in the file, and its checksum.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) checksum: u64,
}

/// The offset and the checksum of a block.
#[derive(Clone, Copy)]
struct Entry {
    from: u64,
    checksum: u64,
}

/// The places of all blocks of a file.
pub(super) struct BlockTable {
    /// The offset of the table in the file.
    at: u64,
    blocks: u32,
    /// The end of the last block.
    end: u64,
    /// The checksums of the pages; none if the file has no pages.
    sums: Box<[u64]>,
    entries: Entries,
}

enum Entries {
    All(Box<[Entry]>),
    /// The entries of each page, once it has been read, and behind them the first of the next.
    Pages(Box<[OnceLock<Box<[Entry]>>]>),
}

impl BlockTable {
    /// A table at an offset with so many blocks, the last of which ends at `end`. Its pages are
    /// read when they are asked for.
    pub(super) fn by_pages(at: u64, blocks: u32, end: u64, sums: Vec<u64>) -> BlockTable {
        let entries = Entries::Pages(sums.iter().map(|_| OnceLock::new()).collect());
        BlockTable {
            at,
            blocks,
            end,
            sums: sums.into(),
            entries,
        }
    }

    /// A table whose places are all in memory, given its bytes.
    pub(super) fn with_all(self, bytes: &[u8]) -> Result<BlockTable, TableFault> {
        let entries = parse(bytes, self.blocks as usize)?;
        Ok(BlockTable {
            entries: Entries::All(entries),
            ..self
        })
    }

    /// Whether every place is in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        matches!(self.entries, Entries::All(_))
    }

    /// The place of a block by its number, from 0.
    ///
    /// # Errors
    /// Its page cannot be read, or is damaged.
    #[inline]
    pub(super) fn place(&self, source: &Source, number: u64) -> Result<Place, TableFault> {
        let (entries, number) = match &self.entries {
            Entries::All(entries) => (&**entries, number),
            Entries::Pages(pages) => {
                let page = number / u64::from(PAGE);
                (self.page(source, pages, page)?, number % u64::from(PAGE))
            }
        };
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        let entry = entries.get(number).ok_or(NO_SUCH_BLOCK)?;
        let next = entries.get(number + 1);
        Ok(Place {
            from: entry.from,
            to: next.map_or(self.end, |next| next.from),
            checksum: entry.checksum,
        })
    }

    /// Compares the checksums of all pages.
    pub(super) fn check(&self, source: &Source) -> Result<(), TableFault> {
        (0..self.sums.len() as u64).try_for_each(|page| self.read_page(source, page).map(|_| ()))
    }

    fn page<'a>(
        &self,
        source: &Source,
        pages: &'a [OnceLock<Box<[Entry]>>],
        number: u64,
    ) -> Result<&'a [Entry], TableFault> {
        let place = usize::try_from(number).ok().and_then(|n| pages.get(n));
        let place = place.ok_or(NO_SUCH_BLOCK)?;
        if let Some(known) = place.get() {
            return Ok(known);
        }
        // Another thread may have been faster; its entries are the same.
        let read = self.read_page(source, number)?;
        Ok(place.get_or_init(|| read))
    }

    fn read_page(&self, source: &Source, number: u64) -> Result<Box<[Entry]>, TableFault> {
        let first = number * u64::from(PAGE);
        let range = page_bytes(first, self.blocks.into());
        let sum = usize::try_from(number).ok().and_then(|n| self.sums.get(n));
        source.with(self.at + range.start..self.at + range.end, |bytes| {
            if sum != Some(&checksum(bytes)) {
                return Err(TableFault::Header(
                    "the checksum of a page of its block table does not fit",
                ));
            }
            let left = u64::from(self.blocks) - first;
            let entries = parse(bytes, left.min(u64::from(PAGE)) as usize)?;
            let follow = entries.is_sorted_by(|a, b| a.from < b.from);
            match follow && entries.last().is_some_and(|last| last.from < self.end) {
                true => Ok(entries),
                false => Err(TableFault::Header("its blocks do not follow each other")),
            }
        })?
    }
}

const NO_SUCH_BLOCK: TableFault = TableFault::Header("it has too few blocks");

/// Parses some entries, and the offset behind them if there is one.
fn parse(bytes: &[u8], count: usize) -> Result<Box<[Entry]>, TableFault> {
    let mut reader = HeaderReader::new(bytes);
    let mut entries = Vec::with_capacity(count + 1);
    for _ in 0..count {
        let (from, checksum) = (reader.u64()?, reader.u64()?);
        entries.push(Entry { from, checksum });
    }
    if !reader.is_done() {
        let (from, checksum) = (reader.u64()?, 0);
        entries.push(Entry { from, checksum });
    }
    Ok(entries.into())
}

/// The bytes of the page that begins with some block, counted from the start of the block table:
/// its entries, and the offset behind them, where its last block ends.
fn page_bytes(first: u64, blocks: u64) -> Range<u64> {
    let next = blocks.min(first + u64::from(PAGE));
    let beyond = if next < blocks { ENTRY / 2 } else { 0 };
    first * ENTRY as u64..next * ENTRY as u64 + beyond as u64
}

/// The number of pages of a block table; 0 if it is so short that it has none.
#[cfg(any(feature = "write", test))]
pub(crate) fn pages_of(blocks: u64) -> u64 {
    match blocks > u64::from(PAGE) {
        true => blocks.div_ceil(PAGE.into()),
        false => 0,
    }
}

/// The checksums of the pages of a block table.
#[cfg(any(feature = "write", test))]
pub(crate) fn page_sums(table: &[u8]) -> Vec<u64> {
    let blocks = (table.len() / ENTRY) as u64;
    let sum = |page: u64| {
        let Range { start, end } = page_bytes(page * u64::from(PAGE), blocks);
        checksum(&table[start as usize..end as usize])
    };
    (0..pages_of(blocks)).map(sum).collect()
}

const _: () = assert!(ENTRY == 2 * CHECKSUM);
