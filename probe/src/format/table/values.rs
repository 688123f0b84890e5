//! Reads the values of an open table by index: one, some, or a range of them.

use retrograde_learned::Question;
use retrograde_rules::{Colour, Material, Square};

use super::Table;
use super::block_cache::Block;
use super::learned::{BATCH, Scratch};
use crate::error::{TableError, TableFault};
use crate::format::ShortList;
use crate::format::codec::Codec;
use crate::format::header::Section;
use crate::format::symbols;

impl Table {
    /// The value of an index for a side to move. For an index that stands for
    /// no position this is any value.
    ///
    /// # Errors
    /// The index does not exist, the side to move is not in the table
    /// ([`TableFault::Side`]), the values depend on other tables
    /// ([`TableFault::Rests`]), or the block is damaged.
    #[inline]
    pub fn get(&self, turn: Colour, index: u64) -> Result<i16, TableError> {
        match self.section(turn)?.asks_result {
            true => Err(self.error(TableFault::Rests)),
            false => {
                let mut squares = [Square(0); Material::MOST_PIECES];
                let squares = &mut squares[..self.index().pieces()];
                self.index().decode(index, squares);
                self.get_with(turn, index, squares.iter().map(|square| square.0), 0)
            }
        }
    }

    /// The value of an index, given the squares that it decodes to, and the context that the
    /// section asks for, if it does.
    #[inline]
    pub(crate) fn get_with(
        &self,
        turn: Colour,
        index: u64,
        squares: impl Iterator<Item = u8>,
        context: u8,
    ) -> Result<i16, TableError> {
        let section = self.section(turn)?;
        let positions = self.header.positions;
        if index >= positions {
            return Err(self.error(TableFault::NoSuchIndex { index, positions }));
        }
        if section.bits == 0 {
            return Ok(section.palette.first().copied().unwrap_or(0));
        }
        if self.header.codec == Codec::Learned {
            return self
                .learned_symbol(section, index, squares, context)
                .and_then(|symbol| self.value(section, section.lines_at(), symbol))
                .map_err(|fault| self.error(fault));
        }
        let block_len = u64::from(section.block_len);
        let (block, place) = ((index / block_len) as u32, (index % block_len) as usize);
        let symbol = match self.blocks.get(section.first_block + u64::from(block)) {
            Some(Block::Kept(packed, _)) => Ok(symbols::get(packed, section.bits, place)),
            _ => self.first_symbol(section, block, place),
        };
        symbol
            .and_then(|symbol| self.value(section, block, symbol))
            .map_err(|fault| self.error(fault))
    }

    /// The values of some indices anywhere, in less time than one by one.
    pub(crate) fn get_together(
        &self,
        turn: Colour,
        questions: &mut [Question],
        values: &mut [i16],
    ) -> Result<(), TableError> {
        let section = self.section(turn)?;
        let positions = self.header.positions;
        let is_inside = |question: &Question| question.index < positions;
        let is_learned = self.header.codec == Codec::Learned && section.bits != 0;
        if !is_learned || !questions.iter().all(is_inside) {
            for (value, question) in values.iter_mut().zip(questions) {
                let squares = question.placement.squares().iter().copied();
                *value = self.get_with(turn, question.index, squares, question.context)?;
            }
            return Ok(());
        }
        let mut symbols = ShortList::<u16>::from_elem(0, questions.len());
        let read = self.learned_together(section, questions, &mut symbols);
        read.map_err(|fault| self.error(fault))?;
        for (value, symbol) in values.iter_mut().zip(symbols) {
            let found = self.value(section, section.lines_at(), symbol);
            *value = found.map_err(|fault| self.error(fault))?;
        }
        Ok(())
    }

    #[inline]
    fn value(&self, section: &Section, block: u32, symbol: u16) -> Result<i16, TableFault> {
        let value = section.palette.get(usize::from(symbol)).copied();
        value.ok_or_else(|| self.block_fault(section, block, "it has a symbol too many"))
    }

    /// The curve that the value of an index stands for in a table of
    /// [`Metric::Thresholds`](crate::Metric::Thresholds): a place among the curves of the header.
    ///
    /// # Errors
    ///
    /// The header names nothing for the value.
    #[inline]
    pub fn curve_place(&self, index: u64, value: i16) -> Result<usize, TableError> {
        self.named(index, value).ok_or_else(|| {
            self.error(TableFault::Header(
                "it has a value without a threshold curve",
            ))
        })
    }

    /// The place of a curve for reading whole tables: an index that stands for no position
    /// may have a value that the header names nothing for, and gets the first
    /// curve.
    #[inline]
    pub fn curve_place_or_first(&self, index: u64, value: i16) -> usize {
        self.named(index, value).unwrap_or(0)
    }

    #[inline]
    fn named(&self, index: u64, value: i16) -> Option<usize> {
        let value = value as u16;
        match &self.header.chapters {
            None => Some(usize::from(value)).filter(|&p| p < self.header.curves.len()),
            Some(chapters) => chapters.place(self.index(), index, value),
        }
    }

    /// The number of values of a block of a side to move (the last may have fewer), for splitting
    /// work where blocks end. All values if the side has no blocks, because they are all the same.
    ///
    /// # Errors
    ///
    /// The side to move is not in the table.
    pub fn block_len(&self, turn: Colour) -> Result<u64, TableError> {
        let section = self.section(turn)?;
        Ok(match (section.bits, self.header.codec) {
            (0, _) => self.header.positions,
            (_, Codec::Learned) => BATCH as u64,
            _ => u64::from(section.block_len),
        })
    }

    /// Reads the values of the indices from `first` on for a side to move,
    /// as many as `values` has room for. Nothing is kept for later, so this is
    /// for reading whole tables: begin and end where blocks do (see
    /// [`Table::block_len`]), else some are unpacked twice.
    ///
    /// # Errors
    /// As [`Table::get`].
    pub fn read(&self, turn: Colour, first: u64, values: &mut [i16]) -> Result<(), TableError> {
        let section = self.section(turn)?;
        if section.asks_result {
            return Err(self.error(TableFault::Rests));
        }
        let positions = self.header.positions;
        let end = first.checked_add(values.len() as u64);
        if end.is_none_or(|end| end > positions) {
            let index = first.max(positions);
            return Err(self.error(TableFault::NoSuchIndex { index, positions }));
        }
        if section.bits == 0 {
            values.fill(section.palette.first().copied().unwrap_or(0));
            return Ok(());
        }
        if self.header.codec == Codec::Learned {
            return self
                .read_learned_values(section, first, values)
                .map_err(|fault| self.error(fault));
        }
        let block_len = u64::from(section.block_len);
        let (mut packed, mut index, mut values) = (Vec::new(), first, values);
        while !values.is_empty() {
            let (block, place) = ((index / block_len) as u32, (index % block_len) as usize);
            let count = values.len().min(self.values(section, block) - place);
            let (now, later) = values.split_at_mut(count);
            self.unpack(section, block, &mut packed)
                .and_then(|()| self.values_of(section, block, &packed, place, now))
                .map_err(|fault| self.error(fault))?;
            index += count as u64;
            values = later;
        }
        Ok(())
    }

    /// Reads a range with [`Codec::Learned`]; the indices exist.
    pub(super) fn read_learned_values(
        &self,
        section: &Section,
        first: u64,
        values: &mut [i16],
    ) -> Result<(), TableFault> {
        let mut scratch = Scratch::default();
        for (batch, values) in (0..).zip(values.chunks_mut(BATCH)) {
            let first = first + batch * BATCH as u64;
            self.learned_values(section, first, (&[], |_| true), values, &mut scratch)?;
        }
        Ok(())
    }

    /// The values of the indices from `first` on, at most [`BATCH`]: given the context of each,
    /// if the section asks for them, of those that are asked for by their places. Others stay as
    /// they are. `scratch` is for this section alone.
    pub(crate) fn learned_values(
        &self,
        section: &Section,
        first: u64,
        asked: (&[u8], impl Fn(usize) -> bool),
        values: &mut [i16],
        scratch: &mut Scratch,
    ) -> Result<(), TableFault> {
        let indices = first..first + values.len() as u64;
        let (palette, mut is_sound) = (&section.palette[..], true);
        self.each_learned_symbol(section, indices, asked, scratch, |place, symbol| {
            match (values.get_mut(place), palette.get(usize::from(symbol))) {
                (Some(value), Some(&known)) => *value = known,
                _ => is_sound = false,
            }
        })?;
        match is_sound {
            true => Ok(()),
            false => Err(self.block_fault(section, section.lines_at(), "it has a symbol too many")),
        }
    }

    /// Turns unpacked symbols from `place` on into values.
    pub(super) fn values_of(
        &self,
        section: &Section,
        block: u32,
        packed: &[u8],
        place: usize,
        values: &mut [i16],
    ) -> Result<(), TableFault> {
        let mut sound = true;
        let mut skip = place;
        let mut out = values.iter_mut();
        symbols::for_each(packed, section.bits, place + out.len(), |symbol| {
            if skip > 0 {
                skip -= 1;
                return;
            }
            let value = section.palette.get(symbol as usize);
            sound &= value.is_some();
            if let (Some(out), Some(&value)) = (out.next(), value) {
                *out = value;
            }
        });
        if sound {
            Ok(())
        } else {
            Err(self.block_fault(section, block, "it has a symbol too many"))
        }
    }
}
