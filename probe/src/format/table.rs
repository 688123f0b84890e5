//! Opens one table, a file or bytes in memory, to read its values.

pub(super) mod block_cache;
pub(super) mod check;
pub(crate) mod learned;
mod values;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use retrograde_rules::{Colour, Game, Material};

use super::block_table::{BlockTable, Place};
use super::codec::Codec;
use super::header::parse::Front;
use super::header::{Header, Section, parse_name};
use super::side_values::SideValues;
use super::source::{Access, Source, Unchanging};
use super::{CHECKSUM, checksum, symbols};
use crate::error::{TableError, TableFault};
#[cfg(feature = "remote")]
use crate::remote::RemoteFile;
use block_cache::Blocks;
use learned::Learned;
use retrograde_index::Index;
use retrograde_index::Metric;

/// The table that a file is expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The game with its options.
    pub game: Game,
    /// The material in normal form.
    pub material: Material,
    /// The metric.
    pub metric: Metric,
}

impl Expected {
    /// The table that a file must be according to its name, such as `KQvKR.dtm`. `None` if it does
    /// not have the name of a table of the game.
    pub fn from_name(game: Game, name: &str) -> Option<Expected> {
        let (material, metric) = parse_name(game, name)?;
        Some(Expected {
            game,
            material,
            metric,
        })
    }

    /// An error about a file, a foreign game being told which one was asked for.
    fn wanted_in(&self, mut error: TableError) -> TableError {
        if let TableFault::Game { wanted, .. } = &mut error.fault {
            *wanted = self.game.id();
        }
        error
    }
}

/// A table: the values of all positions of one material, in one metric.
///
/// Opening checks the header and the block table; a block is checked when it
/// is first unpacked; [`Table::check`] checks everything. No bytes whatever
/// make it panic, and no change of the file makes it crash. Unpacked blocks are kept, for
/// all threads, as long as those of all tables take at most a quarter of the
/// [memory limit](super::set_memory_limit); of others each thread keeps a few for itself.
/// No thread waits for another.
pub struct Table {
    /// Unique in this process; caches know the table by it.
    id: u64,
    pub(super) source: Source,
    pub(super) header: Header,
    /// The blocks that have been read.
    blocks: Blocks,
    /// The parts that [`Codec::Learned`] keeps in memory; nothing with other codecs.
    learned: Learned,
    pub(crate) needs_checked: NeedsChecked,
    /// The values of each side to move, if they are in memory.
    in_memory: [OnceLock<SideValues>; 2],
    index: Index,
    places: BlockTable,
    path: Option<PathBuf>,
}

/// Set where the tables are known to be there that values depend on.
#[derive(Default)]
pub(crate) struct NeedsChecked {
    /// For the sides to move that the table has.
    pub(crate) own: OnceLock<()>,
    /// For both sides to move.
    pub(crate) all: OnceLock<()>,
}

impl Table {
    /// Opens a file. It stays open, and its blocks are read when they are asked
    /// for; should it be changed or cut in the meantime, that is an error then.
    ///
    /// # Errors
    /// The file cannot be read, is no table, is not for a game, option or
    /// rules revision of this program, is cut off, or its header is damaged.
    pub fn open(path: &Path) -> Result<Table, TableError> {
        Table::open_by(path, Access::Read)
    }

    /// Opens a file and maps it into memory: so it takes no file handle, and
    /// blocks are not copied before they are unpacked.
    ///
    /// # Safety
    /// As long as the table lives, nobody may change the file or cut it off: not
    /// this process, and no other. The system ends a process that reads what
    /// is gone (`SIGBUS`). To remove the file, or to rename another one into
    /// its place, is no change.
    ///
    /// # Errors
    /// As [`Table::open`].
    #[expect(unsafe_code, reason = "a map is only as good as its file")]
    pub unsafe fn open_mapped(path: &Path) -> Result<Table, TableError> {
        // SAFETY: the caller promises it.
        let promise = unsafe { Unchanging::promised() };
        Table::open_by(path, Access::Map(promise))
    }

    fn open_by(path: &Path, access: Access) -> Result<Table, TableError> {
        Source::open(path, access)
            .map_err(TableFault::from)
            .and_then(|source| Table::new(source, Some(path)))
            .map_err(|fault| fault.at(Some(path)))
    }

    /// Opens a file that must be a certain table.
    ///
    /// # Errors
    /// As [`Table::open`]; also if the file is another table.
    pub fn open_as(path: &Path, expected: &Expected) -> Result<Table, TableError> {
        Table::open_as_by(path, expected, Access::Read)
    }

    /// Opens a file in a certain way, which must be a certain table.
    pub(crate) fn open_as_by(
        path: &Path,
        expected: &Expected,
        access: Access,
    ) -> Result<Table, TableError> {
        Table::open_by(path, access)
            .and_then(|table| table.expected(expected))
            .map_err(|error| expected.wanted_in(error))
    }

    /// Opens a file far away, which must be a certain table. Only what comes before the block
    /// table is read and checked, if it has pages; its models are when they are asked for.
    #[cfg(feature = "remote")]
    pub(crate) fn open_remote(
        file: RemoteFile,
        path: &Path,
        expected: &Expected,
    ) -> Result<Table, TableError> {
        Table::new(Source::Remote(file), Some(path))
            .map_err(|fault| fault.at(Some(path)))
            .and_then(|table| table.expected(expected))
            .map_err(|error| expected.wanted_in(error))
    }

    /// A table whose bytes are in memory.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub fn from_bytes(bytes: impl Into<Arc<[u8]>>) -> Result<Table, TableError> {
        Table::new(Source::Memory(bytes.into()), None).map_err(|fault| fault.at(None))
    }

    /// A table whose bytes are in memory, which must be a certain one.
    ///
    /// # Errors
    /// As [`Table::open_as`].
    pub fn from_bytes_as(
        bytes: impl Into<Arc<[u8]>>,
        expected: &Expected,
    ) -> Result<Table, TableError> {
        Table::from_bytes(bytes)
            .and_then(|table| table.expected(expected))
            .map_err(|error| expected.wanted_in(error))
    }

    /// The table if it is the one that is expected.
    fn expected(self, expected: &Expected) -> Result<Table, TableError> {
        match self.expect(expected) {
            Ok(()) => Ok(self),
            Err(fault) => Err(self.error(fault)),
        }
    }

    fn new(source: Source, path: Option<&Path>) -> Result<Table, TableFault> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let Front {
            header,
            index,
            blocks: places,
        } = Front::read(&source)?;
        let table = Table {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            source,
            blocks: Blocks::new(header.blocks()),
            learned: Learned::new(&header),
            header,
            needs_checked: NeedsChecked::default(),
            in_memory: Default::default(),
            index,
            places,
            path: path.map(Path::to_owned),
        };
        // Pages are checked when they are read.
        if table.places.is_in_memory() {
            table.check_offsets()?;
        }
        if !table.source.is_remote() {
            table.read_learned()?;
        }
        Ok(table)
    }

    fn expect(&self, expected: &Expected) -> Result<(), TableFault> {
        let header = &self.header;
        if header.game != expected.game {
            return Err(TableFault::Game {
                found: header.game.id(),
                wanted: expected.game.id(),
            });
        }
        if header.material != expected.material {
            return Err(TableFault::Material {
                found: header.material.name(header.game),
                wanted: expected.material.name(expected.game),
            });
        }
        if header.metric != expected.metric {
            return Err(TableFault::Metric {
                found: header.metric.name(),
                wanted: expected.metric.name(),
            });
        }
        Ok(())
    }

    /// Blocks follow each other without gaps, none is longer than its
    /// symbols, and the last ends before the checksum of the file.
    fn check_offsets(&self) -> Result<(), TableFault> {
        let end = self.header.file_len.checked_sub(CHECKSUM as u64);
        let mut at = Some(self.header.data_at());
        for section in &self.header.sections {
            for block in 0..section.blocks {
                let Place { from, to, .. } = self.place(section, block)?;
                let length = to.checked_sub(from).filter(|&length| length > 0);
                let fits = match length {
                    Some(length) => self.may_have(section, block, length)?,
                    None => false,
                };
                if at != Some(from) || !fits {
                    return Err(TableFault::Header("its blocks do not follow each other"));
                }
                at = Some(to);
            }
        }
        if self.header.has_statistics {
            let Place { from, to, .. } = self.place_of(self.header.blocks())?;
            if at != Some(from) || to <= from {
                return Err(TableFault::Header(
                    "its statistics are not behind its blocks",
                ));
            }
            at = Some(to);
        }
        if at != end {
            return Err(TableFault::Header(
                "its blocks do not end where the file does",
            ));
        }
        Ok(())
    }

    /// Whether a block can have so many bytes.
    fn may_have(&self, section: &Section, block: u32, length: u64) -> Result<bool, TableFault> {
        Ok(match self.header.codec {
            Codec::Raw | Codec::Zstd => length <= self.packed_len(section, block) as u64,
            Codec::Learned => self
                .length_of_lines(section, block)?
                .is_none_or(|lines| lines == length),
        })
    }

    /// The place of a block of a section.
    #[inline]
    pub(super) fn place(&self, section: &Section, block: u32) -> Result<Place, TableFault> {
        self.place_of(section.first_block + u64::from(block))
    }

    /// The place of a block by its number in the file.
    #[inline]
    pub(super) fn place_of(&self, number: u64) -> Result<Place, TableFault> {
        self.places.place(&self.source, number)
    }

    /// The bytes that the blocks of a section take.
    #[cfg(feature = "write")]
    pub(crate) fn section_bytes(&self, section: &Section) -> u64 {
        let place = |block| self.place(section, block).ok();
        let last = section.blocks.checked_sub(1).and_then(place);
        let ends = last.zip(place(0));
        ends.map_or(0, |(last, first)| last.to.saturating_sub(first.from))
    }

    /// The number of values that a block has.
    pub(super) fn values(&self, section: &Section, block: u32) -> usize {
        let start = u64::from(block) * u64::from(section.block_len);
        let left = self.header.positions.saturating_sub(start);
        left.min(u64::from(section.block_len)) as usize
    }

    /// The bytes that the symbols of a block take.
    pub(super) fn packed_len(&self, section: &Section, block: u32) -> usize {
        symbols::packed_len(self.values(section, block), section.bits)
    }

    /// Unpacks the symbols of a block and checks them but for their range.
    pub(super) fn unpack(
        &self,
        section: &Section,
        block: u32,
        packed: &mut Vec<u8>,
    ) -> Result<(), TableFault> {
        let fail = |what| self.block_fault(section, block, what);
        let place = self.place(section, block)?;
        let unpacked = self.packed_len(section, block);
        if place.to - place.from > unpacked as u64 {
            return Err(fail("it is longer than its symbols"));
        }
        self.source.with(place.from..place.to, |stored| {
            if checksum(stored) != place.checksum {
                return Err(fail("its checksum does not fit"));
            }
            packed.clear();
            packed.resize(unpacked, 0);
            if !self.header.codec.unpack(stored, packed) {
                return Err(fail("it cannot be unpacked"));
            }
            Ok(())
        })?
    }

    pub(super) fn block_fault(
        &self,
        section: &Section,
        block: u32,
        what: &'static str,
    ) -> TableFault {
        TableFault::Block {
            turn: section.turn,
            block: section.first_block + u64::from(block),
            what,
        }
    }

    pub(crate) fn section(&self, turn: Colour) -> Result<&Section, TableError> {
        let section = self.header.section(turn);
        section.ok_or_else(|| self.error(TableFault::Side(turn)))
    }

    pub(crate) fn error(&self, fault: TableFault) -> TableError {
        fault.at(self.path())
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The index of the material: what the indices mean.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// A number that no other open table has; caches know the table by it.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// The checksum that the file ends with. Files with the same checksum
    /// have the same contents.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn checksum(&self) -> Result<u64, TableError> {
        let end = self.source.len();
        let sum = self.source.bytes(end.saturating_sub(CHECKSUM as u64)..end);
        let sum = sum.map_err(|fault| self.error(fault))?;
        Ok(sum.as_ref().try_into().map_or(0, u64::from_le_bytes))
    }

    /// The values of a side to move, in the order of the index, if they are in memory.
    #[inline]
    pub fn in_memory(&self, turn: Colour) -> Option<&SideValues> {
        self.in_memory[turn.index()].get()
    }

    /// Takes all values of a side to move into memory: those that the table would give, in the
    /// order of its index. Does nothing if they are there already, or are more or fewer than it
    /// has indices.
    #[cfg(feature = "keep")]
    pub fn set_in_memory(&self, turn: Colour, values: Vec<i16>) {
        if values.len() as u64 == self.header.positions {
            // Another thread may have been faster; its values are the same.
            let _ = self.in_memory[turn.index()].set(SideValues::new(values));
        }
    }

    /// The file, unless the table is in memory.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("path", &self.path)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}
