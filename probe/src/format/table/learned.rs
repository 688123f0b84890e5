//! Reads values from tables in the codec `learned`.
//!
//! The parts of their sections are described here; `docs/FORMAT-LEARNED.md` describes the codec
//! itself.
//!
//! The blocks of a section are the trunk of its model, its directory, the branches of its
//! model, and its lines, some of them a block. The first two are read when the table is
//! opened, of a table that is far away when the section is first asked for; a branch or a block of
//! lines is read and checked when it is first asked for.

mod features;

use std::array::from_fn;
use std::ops::Range;
use std::sync::OnceLock;

use retrograde_index::Index;
use retrograde_learned::{
    Directory, LINE, LearnedError, Line, Model, Question, Row, Rows, Section as Packed, Store,
};
use retrograde_rules::Material;

use super::Table;
use super::block_cache::{Block, room_for_lines, with_block};
use crate::error::TableFault;
use crate::format::codec::Codec;
use crate::format::header::{Header, Section};
use crate::format::{CHECKSUM, LINES, checksum};
pub(crate) use features::features;

/// The block of a section that is its model.
const MODEL: u32 = 0;
/// The block of a section that is its directory.
const DIRECTORY: u32 = 1;

/// The number of values that are read at once.
pub(crate) const BATCH: usize = Rows::MOST;

/// The parts of a table of the codec that are kept in memory.
#[derive(Default)]
pub(super) struct Learned {
    /// The sections in the order of the header, as far as they have been read.
    sections: Vec<OnceLock<Packed<Vec<u8>>>>,
}

impl Learned {
    /// Nothing of the sections of a table.
    pub(super) fn new(header: &Header) -> Learned {
        Learned {
            sections: header.sections.iter().map(|_| OnceLock::new()).collect(),
        }
    }
}

/// The reasons why a line or a branch cannot be read.
enum LineFault {
    Codec(LearnedError),
    Table(TableFault),
}

impl From<LearnedError> for LineFault {
    fn from(fault: LearnedError) -> LineFault {
        LineFault::Codec(fault)
    }
}

/// The number of lines of a section whose lines take so many bytes.
fn lines_in(bytes: u64) -> Option<u32> {
    let lines = u32::try_from(bytes / LINE as u64).ok()?;
    bytes.is_multiple_of(LINE as u64).then_some(lines)
}

impl Table {
    /// Reads and checks all but branches and lines, if the table is of the codec.
    pub(super) fn read_learned(&self) -> Result<(), TableFault> {
        let header = self.header();
        if header.codec == Codec::Learned {
            for section in &header.sections {
                self.packed(section)?;
            }
        }
        Ok(())
    }

    fn read_section(&self, section: &Section) -> Result<Packed<Vec<u8>>, TableFault> {
        let header = self.header();
        let fault = |block| move |fault| self.codec_fault(section, block, fault);
        let contexts = section.contexts();
        let features = features(header.game, &header.material, contexts).map_err(fault(MODEL))?;
        let symbols = section.palette.len() as u32;
        // All of it is asked for before any of it is looked at.
        let (model, directory) = (self.block(section, MODEL), self.block(section, DIRECTORY));
        let (bytes, model) = (self.line_bytes(section), model?);
        let model =
            Model::read(&model, &features, symbols, section.branches).map_err(fault(MODEL))?;
        let no_lines =
            || self.block_fault(section, section.lines_at(), "it does not have whole lines");
        let lines = lines_in(bytes?).ok_or_else(no_lines)?;
        let directory = directory?;
        let bits = u32::from(section.bits);
        let directory =
            Directory::new(directory, header.positions, bits, lines).map_err(fault(DIRECTORY))?;
        Ok(Packed::new(features, model, directory))
    }

    /// The number of bytes of the lines of a section.
    fn line_bytes(&self, section: &Section) -> Result<u64, TableFault> {
        let [before, last] =
            [section.lines_at(), section.blocks].map(|block| self.place(section, block - 1));
        Ok(last?.to.saturating_sub(before?.to))
    }

    /// The length that a block must have; `None` if that is for the codec to
    /// say.
    pub(super) fn length_of_lines(
        &self,
        section: &Section,
        block: u32,
    ) -> Result<Option<u64>, TableFault> {
        let Some(before) = block.checked_sub(section.lines_at()) else {
            return Ok(None);
        };
        let size = u64::from(section.block_len) * LINE as u64;
        let before = u64::from(before) * size;
        let left = self.line_bytes(section)?.saturating_sub(before);
        Ok(Some(left.min(size)))
    }

    /// The bytes of a block.
    pub(super) fn block(&self, section: &Section, block: u32) -> Result<Vec<u8>, TableFault> {
        let mut bytes = Vec::new();
        self.read_block(section, block, &mut bytes)?;
        Ok(bytes)
    }

    fn read_block(
        &self,
        section: &Section,
        block: u32,
        bytes: &mut Vec<u8>,
    ) -> Result<(), TableFault> {
        let place = self.place(section, block)?;
        self.source.with(place.from..place.to, |stored| {
            bytes.clear();
            bytes.extend_from_slice(stored);
        })?;
        if checksum(bytes) != place.checksum {
            return Err(self.block_fault(section, block, "its checksum does not fit"));
        }
        Ok(())
    }

    /// Reads a block of lines and looks at each of them.
    pub(super) fn read_lines(
        &self,
        section: &Section,
        block: u32,
        bytes: &mut Vec<u8>,
    ) -> Result<(), TableFault> {
        self.read_block(section, block, bytes)?;
        for line in bytes.as_chunks::<LINE>().0 {
            Line::new(line).map_err(|fault| self.codec_fault(section, block, fault))?;
        }
        Ok(())
    }

    /// Reads a block, and looks at what it has if that was not done before.
    pub(super) fn check_learned(
        &self,
        section: &Section,
        block: u32,
        bytes: &mut Vec<u8>,
    ) -> Result<(), TableFault> {
        let Some(branch) = block.checked_sub(LINES) else {
            return self.read_block(section, block, bytes);
        };
        if branch >= section.branches {
            return self.read_lines(section, block, bytes);
        }
        self.read_block(section, block, bytes)?;
        let Some(packed) = self.packed(section)? else {
            return Ok(());
        };
        let checked = packed
            .model()
            .check_branch(packed.features(), branch, bytes);
        checked.map_err(|fault| self.codec_fault(section, block, fault))
    }

    fn codec_fault(&self, section: &Section, block: u32, fault: LearnedError) -> TableFault {
        let (block, what) = match fault {
            LearnedError::Model(what) => (MODEL, what),
            LearnedError::Branch(number, what) => (LINES.saturating_add(number), what),
            LearnedError::Directory(what) => (DIRECTORY, what),
            LearnedError::Material(what)
            | LearnedError::Line(what)
            | LearnedError::Question(what) => (block, what),
        };
        self.block_fault(section, block, what)
    }

    fn fault_of(&self, section: &Section, fault: LineFault) -> TableFault {
        match fault {
            LineFault::Table(fault) => fault,
            LineFault::Codec(fault) => self.codec_fault(section, section.lines_at(), fault),
        }
    }

    /// A line of a section.
    fn line(&self, section: &Section, number: u32) -> Result<[u8; LINE], LineFault> {
        if let Some(line) = self.borrow_line(section, number) {
            return Ok(*line);
        }
        let block = section.lines_at() + number / section.block_len;
        let at = (number % section.block_len) as usize * LINE;
        let take = |bytes: &[u8]| bytes.get(at..)?.first_chunk().copied();
        let line = self.first_line(section, block, take);
        let missing = LineFault::Codec(LearnedError::Line("it does not exist"));
        line.map_err(LineFault::Table)?.ok_or(missing)
    }

    /// A line of a section, if it is in memory.
    #[inline]
    fn borrow_line(&self, section: &Section, number: u32) -> Option<&[u8; LINE]> {
        let block = section.lines_at() + number / section.block_len;
        let at = (number % section.block_len) as usize * LINE;
        let bytes = match self.blocks.get(section.first_block + u64::from(block))? {
            Block::Kept(bytes, _) => bytes.get(at..)?,
            Block::InPlace => {
                let from = self.place(section, block).ok()?.from + at as u64;
                self.source.borrow(from..from + LINE as u64)?
            }
        };
        bytes.first_chunk()
    }

    /// Reads a block of lines that has not been read before, or is not kept.
    #[cold]
    fn first_line<T>(
        &self,
        section: &Section,
        block: u32,
        take: impl Fn(&[u8]) -> T,
    ) -> Result<T, TableFault> {
        let number = section.first_block + u64::from(block);
        if self.source.is_in_place() {
            let mut bytes = Vec::new();
            self.read_lines(section, block, &mut bytes)?;
            self.blocks.keep(number, Block::InPlace);
            return Ok(take(&bytes));
        }
        let place = self.place(section, block)?;
        let Some(room) = room_for_lines(place.to - place.from) else {
            return with_block(
                (self.id(), number),
                |bytes| self.read_lines(section, block, bytes),
                take,
            );
        };
        let mut bytes = Vec::new();
        self.read_lines(section, block, &mut bytes)?;
        let line = take(&bytes);
        self.blocks.keep(number, Block::Kept(bytes.into(), room));
        Ok(line)
    }

    /// The codec's part of a section; `None` if it has one value only.
    fn packed(&self, section: &Section) -> Result<Option<&Packed<Vec<u8>>>, TableFault> {
        let sections = self.header().sections.iter().zip(&self.learned.sections);
        let mut found = sections.filter(|(known, _)| known.turn == section.turn);
        match found.next() {
            Some((known, packed)) if known.bits > 0 => match packed.get() {
                Some(packed) => Ok(Some(packed)),
                None => self.first_packed(section, packed).map(Some),
            },
            _ => Ok(None),
        }
    }

    #[cold]
    fn first_packed<'a>(
        &self,
        section: &Section,
        packed: &'a OnceLock<Packed<Vec<u8>>>,
    ) -> Result<&'a Packed<Vec<u8>>, TableFault> {
        // Another thread may have been faster; it has read the same.
        let read = self.read_section(section)?;
        Ok(packed.get_or_init(|| read))
    }

    /// The symbol of an index, given its squares and the context if the section asks for one.
    #[inline]
    pub(super) fn learned_symbol(
        &self,
        section: &Section,
        index: u64,
        squares: impl Iterator<Item = u8>,
        context: u8,
    ) -> Result<u16, TableFault> {
        let Some(packed) = self.packed(section)? else {
            return Ok(0);
        };
        let store = Stored {
            table: self,
            section,
        };
        let contexts = &[context][..section.contexts().len()];
        let (mut bytes, mut pieces) = ([0; Material::MOST_PIECES], 0);
        for (byte, square) in bytes.iter_mut().zip(squares) {
            *byte = square;
            pieces += 1;
        }
        packed
            .symbol(index, &bytes[..pieces], contexts, &store)
            .map_err(|fault| self.fault_of(section, fault))
    }

    /// The symbols of some indices anywhere.
    pub(super) fn learned_together(
        &self,
        section: &Section,
        questions: &mut [Question],
        symbols: &mut [u16],
    ) -> Result<(), TableFault> {
        let Some(packed) = self.packed(section)? else {
            symbols.fill(0);
            return Ok(());
        };
        let store = Stored {
            table: self,
            section,
        };
        packed
            .symbols_together(questions, symbols, &store)
            .map_err(|fault| self.fault_of(section, fault))
    }

    /// Calls `each` with the places of some consecutive indices, at most [`BATCH`], and their
    /// symbols: of those that `is_asked` says. `contexts` has a value for each if the section asks
    /// for one. `scratch` is for this section alone.
    pub(super) fn each_learned_symbol(
        &self,
        section: &Section,
        indices: Range<u64>,
        (contexts, is_asked): (&[u8], impl Fn(usize) -> bool),
        scratch: &mut Scratch,
        mut each: impl FnMut(usize, u16),
    ) -> Result<(), TableFault> {
        let Some(packed) = self.packed(section)? else {
            let places = 0..(indices.end - indices.start) as usize;
            places
                .filter(|&place| is_asked(place))
                .for_each(|place| each(place, 0));
            return Ok(());
        };
        let rows = match &mut scratch.rows {
            Some(rows) => rows,
            none => {
                let rows = Rows::new(packed.features(), self.index().moving_piece());
                none.insert(rows.map_err(|fault| self.fault_of(section, fault.into()))?)
            }
        };
        scratch.list.clear();
        scratch.list.extend(rows_of(self.index(), indices.clone()));
        rows.fill(&scratch.list, contexts, is_asked);
        let store = Stored {
            table: self,
            section,
        };
        packed
            .symbols_of_rows(indices.start, rows, &store, each)
            .map_err(|fault| self.fault_of(section, fault))
    }
}

/// The buffers for reading many values of a section.
#[derive(Default)]
pub(crate) struct Scratch {
    rows: Option<Rows>,
    list: Vec<Row>,
}

/// The lines and branches of a section, as they are stored.
struct Stored<'a> {
    table: &'a Table,
    section: &'a Section,
}

impl Store for Stored<'_> {
    type Error = LineFault;

    #[inline]
    fn line(&self, number: u32) -> Result<[u8; LINE], LineFault> {
        self.table.line(self.section, number)
    }

    #[inline]
    fn borrow_line(&self, number: u32) -> Option<&[u8; LINE]> {
        let line = self.table.borrow_line(self.section, number)?;
        prefetch(line);
        Some(line)
    }

    fn branch(&self, number: u32) -> Result<Vec<u8>, LineFault> {
        let bytes = self.table.block(self.section, LINES + number);
        bytes.map_err(LineFault::Table)
    }
}

/// Has the processor fetch the cache line in which some bytes begin, and does not wait for it.
/// Does nothing on processors other than x86-64.
#[inline]
fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it changes nothing and cannot fault, whatever the address; this is moreover
        // that of bytes which are borrowed.
        #[expect(unsafe_code, reason = "there is no other way to ask for it")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

/// The placements of some consecutive indices by rows, in which the
/// [moving piece](Index::moving_piece) moves.
pub(crate) fn rows_of(index: &Index, indices: Range<u64>) -> impl Iterator<Item = Row> + '_ {
    index.rows(indices).map(|row| Row {
        squares: from_fn(|piece| row.squares.get(piece).map_or(0, |square| square.0)),
        len: row.len,
    })
}

const _: () = assert!(CHECKSUM == 8 && BATCH <= 1 << 16);
