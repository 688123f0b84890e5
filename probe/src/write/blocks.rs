//! Packs the values of a table as symbols into blocks.

use std::io;
use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;
use retrograde_rules::Colour;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::survey::{Counts, Survey};
use super::{Fill, PackOptions, TablePlan, Watch, WriteError};
use crate::format::symbols;
use crate::format::{Codec, MOST_BLOCK_BYTES, Section};
use retrograde_index::score;

/// The number of blocks that are packed before they are written.
const BATCH: u32 = 256;

/// The symbol of a value that is not in the palette.
const ABSENT: u32 = u32::MAX;

/// The symbol of an index for which any will do.
const FREE: u32 = u32::MAX - 1;

/// The place of a value in tables of all values.
pub(super) fn slot(value: i16) -> usize {
    value as u16 as usize
}

/// Packs the values of one table.
pub(super) struct Blocks<'a> {
    plan: &'a TablePlan,
    options: &'a PackOptions,
    watch: Watch<'a>,
    fill: &'a Fill<'a>,
    done: u64,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(
        plan: &'a TablePlan,
        options: &'a PackOptions,
        watch: Watch<'a>,
        fill: &'a Fill,
    ) -> Result<Blocks<'a>, WriteError> {
        let most = MOST_BLOCK_BYTES;
        if !(16..=most).contains(&options.block_bytes) {
            return Err(WriteError::Options("blocks have from 16 bytes to 256 KiB"));
        }
        if options.codec == Codec::Zstd && !(1..=22).contains(&options.level) {
            return Err(WriteError::Options("the levels of Zstandard are 1 to 22"));
        }
        Ok(Blocks {
            plan,
            options,
            watch,
            fill,
            done: 0,
        })
    }

    /// Lays out the sections.
    pub(super) fn sections(&self, survey: &Survey) -> Result<Vec<Section>, WriteError> {
        let positions = self.plan.index.len();
        let mut sections: Vec<Section> = Vec::new();
        for turn in self.plan.sides.turns() {
            let palette = survey.palette(turn).to_vec();
            let bits = symbols::width(palette.len());
            let (mut block_len, mut blocks) = (0, 0);
            if bits > 0 {
                // At most 2^21, as blocks are limited.
                block_len = (self.options.block_bytes * 8 / bits as usize) as u32;
                let needed = positions.div_ceil(u64::from(block_len));
                blocks = u32::try_from(needed)
                    .map_err(|_| WriteError::Options("there are more than 2^32 blocks"))?;
            }
            sections.push(Section {
                turn,
                bits,
                block_len,
                blocks,
                branches: 0,
                first_block: sections.iter().map(|s| u64::from(s.blocks)).sum(),
                asks_result: false,
                palette,
            });
        }
        let blocks: u64 = sections.iter().map(|s| u64::from(s.blocks)).sum();
        if blocks > u64::from(u32::MAX) {
            return Err(WriteError::Options("there are more than 2^32 blocks"));
        }
        Ok(sections)
    }

    /// The values that occur in some ranges of indices.
    pub(super) fn palette_of(
        &self,
        turn: Colour,
        ranges: impl ParallelIterator<Item = Range<u64>>,
    ) -> Result<Vec<i16>, WriteError> {
        let count = |mut counts: Counts, indices: Range<u64>| -> Result<Counts, WriteError> {
            self.watch.go_on()?;
            let mut values = vec![score::DONT_CARE; (indices.end - indices.start) as usize];
            (self.fill)(turn, indices.clone(), &mut values);
            counts.add(self.plan.metric, turn, indices.start, &values)?;
            Ok(counts)
        };
        let merge = |mut all: Counts, part: Counts| {
            all.merge(&part);
            Ok(all)
        };
        let counts = ranges
            .try_fold(Counts::default, count)
            .try_reduce(Counts::default, merge)?;
        Ok(counts.palette())
    }

    /// Packs the blocks of a section and hands them to `write` in order.
    /// `all` is how many blocks the table has, for the progress.
    pub(super) fn pack(
        &mut self,
        section: &Section,
        all: u64,
        mut write: impl FnMut(&[u8]) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let symbols = Symbols::new(section.turn, &section.palette);
        let idle = Mutex::new(Vec::new());
        let mut first = 0;
        while first < section.blocks {
            let end = section.blocks.min(first.saturating_add(BATCH));
            let packed: Vec<Vec<u8>> = (first..end)
                .into_par_iter()
                .map(|block| {
                    let block_len = u64::from(section.block_len);
                    let start = u64::from(block) * block_len;
                    let indices = start..(start + block_len).min(self.plan.index.len());
                    self.pack_range(&symbols, indices, &idle)
                })
                .collect::<Result<_, WriteError>>()?;
            for block in &packed {
                write(block)?;
            }
            self.done += u64::from(end - first);
            if let Some(progress) = self.watch.progress {
                progress(self.done, all);
            }
            first = end;
        }
        Ok(())
    }

    /// Packs the values of some indices as one block, with a worker out of
    /// those that are `idle`.
    pub(super) fn pack_range(
        &self,
        symbols: &Symbols,
        indices: Range<u64>,
        idle: &Mutex<Vec<Worker>>,
    ) -> Result<Vec<u8>, WriteError> {
        self.watch.go_on()?;
        let worker = idle.lock().ok().and_then(|mut idle| idle.pop());
        let mut worker = worker.map_or_else(|| Worker::new(self.options), Ok)?;
        let values = &mut worker.values;
        values.clear();
        values.resize((indices.end - indices.start) as usize, score::DONT_CARE);
        (self.fill)(symbols.turn, indices.clone(), values);
        let packed = worker.pack(symbols, indices.start);
        if let Ok(mut idle) = idle.lock() {
            idle.push(worker);
        }
        packed
    }
}

/// The symbols of the values of a side to move.
pub(super) struct Symbols {
    turn: Colour,
    pub(super) bits: u8,
    of: Vec<u32>,
}

impl Symbols {
    pub(super) fn new(turn: Colour, palette: &[i16]) -> Symbols {
        let mut of = vec![ABSENT; 1 << 16];
        for (symbol, &value) in palette.iter().enumerate() {
            of[slot(value)] = symbol as u32;
        }
        of[slot(score::DONT_CARE)] = FREE;
        Symbols {
            turn,
            bits: symbols::width(palette.len()),
            of,
        }
    }
}

/// The buffers of a thread that packs.
pub(super) struct Worker {
    values: Vec<i16>,
    symbols: Vec<u16>,
    packed: Vec<u8>,
    compressor: Option<Compressor<'static>>,
}

impl Worker {
    fn new(options: &PackOptions) -> Result<Worker, WriteError> {
        let compressor = match options.codec {
            Codec::Raw | Codec::Learned => None,
            Codec::Zstd => Some(compressor(options.level).map_err(zstd_error)?),
        };
        Ok(Worker {
            values: Vec::new(),
            symbols: Vec::new(),
            packed: Vec::new(),
            compressor,
        })
    }

    /// The bytes that a block of `self.values` has in the file; `first` is
    /// the index of the first of them.
    fn pack(&mut self, symbols: &Symbols, first: u64) -> Result<Vec<u8>, WriteError> {
        // What nobody asks for repeats the value before it, or at the start
        // of the block the first one that counts: of the cheap ways this
        // packs best.
        let counts = |&&value: &&i16| value != score::DONT_CARE;
        let first_value = self.values.iter().find(counts);
        let mut before = first_value.map_or(0, |&v| symbols.of[slot(v)]);
        let mut most = before;
        self.symbols.clear();
        self.symbols.extend(self.values.iter().map(|&value| {
            let symbol = symbols.of[slot(value)];
            before = if symbol == FREE { before } else { symbol };
            most = most.max(before);
            before as u16
        }));
        if most == ABSENT {
            let is_absent = |value: &i16| symbols.of[slot(*value)] == ABSENT;
            let place = self.values.iter().position(is_absent).unwrap_or_default();
            return Err(WriteError::Value {
                value: self.values[place],
                index: first + place as u64,
                turn: symbols.turn,
            });
        }
        let places = self.symbols.iter().copied();
        symbols::pack(places, symbols.bits, &mut self.packed);
        let Some(compressor) = &mut self.compressor else {
            return Ok(self.packed.clone());
        };
        let block = compressor.compress(&self.packed).map_err(zstd_error)?;
        // No gain: as it is.
        if block.len() < self.packed.len() {
            Ok(block)
        } else {
            Ok(self.packed.clone())
        }
    }
}

/// Zstandard fails for want of memory only.
fn zstd_error(source: io::Error) -> WriteError {
    WriteError::Io {
        path: Default::default(),
        action: "pack a block",
        source: io::Error::new(io::ErrorKind::OutOfMemory, source),
    }
}

/// Frames as small as can be: lengths and checksums are in the block table.
fn compressor(level: i32) -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(level)?;
    compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
    compressor.set_parameter(CParameter::ChecksumFlag(false))?;
    compressor.set_parameter(CParameter::DictIdFlag(false))?;
    Ok(compressor)
}
