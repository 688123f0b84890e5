//! Unpacks Syzygy's values, packed by recursive pairing and canonical Huffman codes.

use anyhow::{Context, Result, ensure};

use super::Cursor;

/// The values of one part of a file.
#[derive(Default)]
pub struct Pairs {
    /// A part whose values are all the same has only this.
    pub constant: Option<u16>,
    block_bits: u8,
    index_bits: u8,
    index_entries: usize,
    sizes: usize,
    blocks: usize,
    /// The offsets of index, sizes and blocks.
    index_at: usize,
    sizes_at: usize,
    blocks_at: usize,
    shortest: u8,
    /// The first symbol, and the least code of 64 bits, by length of code.
    first: Vec<u16>,
    least: Vec<u64>,
    /// The meaning of each symbol: a value, or two symbols.
    symbols: Vec<Symbol>,
}

#[derive(Clone, Copy)]
struct Symbol {
    left: u16,
    /// None if the left is a value.
    right: Option<u16>,
    /// The number of values that it stands for, less one.
    more: u32,
}

impl Pairs {
    /// Reads flags and codes; `size` is how many values there are.
    pub fn read(cursor: &mut Cursor<'_>, size: u64) -> Result<(u8, Pairs)> {
        let head = cursor.bytes(2)?;
        let (flags, block_bits) = (head[0], head[1]);
        if flags & 0x80 != 0 {
            let pairs = Pairs {
                constant: Some(block_bits.into()),
                ..Pairs::default()
            };
            return Ok((flags, pairs));
        }
        let head = cursor.bytes(8)?;
        let (index_bits, padding) = (head[0], usize::from(head[1]));
        let blocks = u32::from_le_bytes([head[2], head[3], head[4], head[5]]) as usize;
        let (longest, shortest) = (head[6], head[7]);
        ensure!((1..32).contains(&shortest) && shortest <= longest && longest <= 32);
        ensure!((1..32).contains(&index_bits), "an index of so many bits");
        let first: Vec<u16> = (shortest..=longest)
            .map(|_| cursor.u16())
            .collect::<Result<_>>()?;
        let count = cursor.u16()?;
        let mut symbols = Vec::new();
        for _ in 0..count {
            let bytes = cursor.bytes(3)?;
            let [a, b, c] = [bytes[0], bytes[1], bytes[2]].map(u16::from);
            let right = c << 4 | b >> 4;
            symbols.push(Symbol {
                left: (b & 15) << 8 | a,
                right: (right != 0xfff).then_some(right),
                more: 0,
            });
        }
        cursor.at += usize::from(count & 1);
        let mut known = vec![None; symbols.len()];
        for symbol in 0..symbols.len() {
            symbols[symbol].more = count_more(&symbols, symbol, &mut known, 0)?;
        }
        let mut least = vec![0_u64; first.len()];
        for length in (0..first.len() - 1).rev() {
            let codes = least[length + 1] + u64::from(first[length]);
            least[length] = codes.saturating_sub(first[length + 1].into()) / 2;
        }
        for (length, least) in (u32::from(shortest)..).zip(&mut least) {
            *least <<= 64 - length;
        }
        let pairs = Pairs {
            constant: None,
            block_bits,
            index_bits,
            index_entries: size.div_ceil(1 << index_bits) as usize,
            sizes: blocks + padding,
            blocks,
            shortest,
            first,
            least,
            symbols,
            ..Pairs::default()
        };
        Ok((flags, pairs))
    }

    pub fn find_index(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        self.index_at = cursor.at;
        cursor.bytes(6 * self.index_entries).map(|_| ())
    }

    pub fn find_sizes(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        self.sizes_at = cursor.at;
        cursor.bytes(2 * self.sizes).map(|_| ())
    }

    pub fn find_blocks(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        self.blocks_at = cursor.at;
        cursor.bytes(self.blocks << self.block_bits).map(|_| ())
    }

    /// The value with an index.
    pub fn get(&self, data: &[u8], index: u64) -> Result<u16> {
        if let Some(value) = self.constant {
            return Ok(value);
        }
        let u16_at = |at: usize| {
            let bytes = data.get(at..at + 2).context("the file ends early")?;
            Ok::<_, anyhow::Error>(u16::from_le_bytes([bytes[0], bytes[1]]))
        };
        // The last block may end before the bits that are read ahead.
        let byte = |at: usize| u64::from(data.get(at).copied().unwrap_or_default());
        let bits =
            |at: usize, count: usize| (at..at + count).fold(0, |all, at| all << 8 | byte(at));
        // An entry of the sparse index is for the middle of its span.
        let entry = self.index_at + 6 * (index >> self.index_bits) as usize;
        let middle = 1_i64 << (self.index_bits - 1);
        let mut block = usize::from(u16_at(entry)?) | usize::from(u16_at(entry + 2)?) << 16;
        let mut place = (index & ((1 << self.index_bits) - 1)) as i64 - middle;
        place += i64::from(u16_at(entry + 4)?);
        let values_of = |block: usize| {
            Ok::<_, anyhow::Error>(1 + i64::from(u16_at(self.sizes_at + 2 * block)?))
        };
        while place < 0 {
            block = block.checked_sub(1).context("no such block")?;
            place += values_of(block)?;
        }
        while place >= values_of(block)? {
            place -= values_of(block)?;
            block += 1;
        }
        let mut place = place as u32;

        // Symbols up to the one that has the value.
        let mut at = self.blocks_at + (block << self.block_bits);
        let mut code = bits(at, 8);
        let mut spent = 0;
        at += 8;
        let mut symbol = loop {
            let mut length = 0;
            while code < self.least[length] {
                length += 1;
            }
            let width = u32::from(self.shortest) + length as u32;
            let symbol =
                u64::from(self.first[length]) + ((code - self.least[length]) >> (64 - width));
            let entry = self
                .symbols
                .get(symbol as usize)
                .context("no such symbol")?;
            if place <= entry.more {
                break entry;
            }
            place -= entry.more + 1;
            code <<= width;
            spent += width;
            if spent >= 32 {
                spent -= 32;
                code |= bits(at, 4) << spent;
                at += 4;
            }
        };
        // And down to the value.
        while let Some(right) = symbol.right {
            let left = &self.symbols[usize::from(symbol.left)];
            symbol = if place <= left.more {
                left
            } else {
                place -= left.more + 1;
                &self.symbols[usize::from(right)]
            };
        }
        Ok(symbol.left)
    }
}

/// The number of values that a symbol stands for, less one.
fn count_more(
    symbols: &[Symbol],
    symbol: usize,
    known: &mut [Option<u32>],
    depth: usize,
) -> Result<u32> {
    ensure!(depth < 5000, "symbols go round in a circle");
    let Symbol { left, right, .. } = *symbols.get(symbol).context("no such symbol")?;
    if let Some(more) = known[symbol] {
        return Ok(more);
    }
    let more = match right {
        None => 0,
        Some(right) => {
            let left = count_more(symbols, left.into(), known, depth + 1)?;
            left + count_more(symbols, right.into(), known, depth + 1)? + 1
        }
    };
    known[symbol] = Some(more);
    Ok(more)
}
