//! The codes of leaves: the bits that stand for each symbol.

use std::collections::HashMap;

use crate::error::LearnedError;
use crate::line::{LEVELS, Line};
use crate::tree::End;

/// The most bits of a symbol without a level.
pub const LONGEST: u8 = 15;

/// The parts of a code.
///
/// The *levels* are the most frequent symbols, each with a number of filter bits (0
/// to 15). A position has the symbol of the first level whose filter bits are not
/// all 1 or whose correction is 0. Positions that pass all levels have one of the
/// *rest*, which have prefix codes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeShape {
    /// Symbols with their filter bits.
    pub levels: Vec<(u16, u8)>,
    /// Symbols in ascending order with the lengths of their codes: 0 for a single
    /// one, otherwise 1 to [`LONGEST`].
    pub rest: Vec<(u16, u8)>,
}

impl CodeShape {
    /// All symbols in ascending order.
    pub fn symbols(&self) -> Vec<u16> {
        let both = self.levels.iter().chain(&self.rest);
        let mut all: Vec<u16> = both.map(|&(symbol, _)| symbol).collect();
        all.sort_unstable();
        all
    }
}

/// Codes ready for decoding, each a string of bits from the lowest bit of its first byte on:
///
/// ```text
/// 2 bits   the number of levels
/// 4 bits   the longest length
/// 4 bits   the bits of an entry, less 1
/// as many bits as the number of a symbol takes
///          the least symbol
/// 4 bits and an entry for each level
///          its filter bits and its symbol
/// entries  the number of codes of each length
///          the symbols from the shortest code to the longest
/// ```
///
/// A code with one symbol and no levels ends after the least symbol. Symbols in entries are
/// counted from the least one. Codes begin at multiples of a unit, which
/// keeps the numbers of their places small.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    bytes: Box<[u8]>,
    /// The bits of the numbers of symbols.
    symbol_bits: u8,
    /// The logarithm of the bytes of a unit.
    unit: u8,
}

const LEVELS_BITS: u32 = 2;
const LENGTH_BITS: u32 = 4;
const ENTRY_BITS: u32 = 4;
const FILTER_BITS: u32 = 4;
/// The bits before the least symbol.
const HEAD: u32 = LEVELS_BITS + LENGTH_BITS + ENTRY_BITS;
/// Bytes after the last code, so that it can be read like any other.
const PADDING: usize = 8;

impl Codes {
    /// The size of the codes in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The code at a place given by [`CodesBuilder::finish`]; any other place gives some code
    /// or none.
    #[inline]
    pub fn get(&self, place: u32) -> Option<Code<'_>> {
        let bytes = self.bytes.get((place as usize) << self.unit..)?;
        (bytes.len() > PADDING).then_some(Code {
            bytes,
            symbol_bits: self.symbol_bits.into(),
        })
    }
}

/// Puts codes together.
#[derive(Clone, Debug)]
pub struct CodesBuilder {
    symbol_bits: u8,
    bytes: Vec<u8>,
    /// Where codes end.
    ends: Vec<usize>,
    /// The numbers of codes, by a hash of their bytes: what is equal is kept once.
    known: HashMap<u64, u32>,
    /// The code that is being added.
    packed: Vec<u8>,
}

impl CodesBuilder {
    /// No codes, of symbols below `symbols` (1 to 65536).
    pub fn new(symbols: u32) -> CodesBuilder {
        CodesBuilder {
            symbol_bits: bits_of(symbols.clamp(1, 1 << 16) - 1) as u8,
            bytes: Vec::new(),
            ends: Vec::new(),
            known: HashMap::new(),
            packed: Vec::new(),
        }
    }

    /// Adds a code, unless it is there already, and returns its number.
    ///
    /// # Errors
    /// The lengths are not those of a complete prefix code, a symbol is too large, or there
    /// are too many levels or symbols.
    pub fn add(&mut self, shape: &CodeShape) -> Result<u32, LearnedError> {
        pack(shape, self.symbol_bits.into(), &mut self.packed)?;
        let hash = hash(&self.packed);
        if let Some(&known) = self.known.get(&hash)
            && self.code(known as usize) == Some(&self.packed)
        {
            return Ok(known);
        }
        let number = self.ends.len() as u32;
        if self.bytes.len() > 1 << 30 {
            return Err(LearnedError::Model("it has too many codes"));
        }
        self.bytes.extend_from_slice(&self.packed);
        self.ends.push(self.bytes.len());
        self.known.insert(hash, number);
        Ok(number)
    }

    fn code(&self, number: usize) -> Option<&[u8]> {
        let from = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(from..*self.ends.get(number)?)
    }

    /// The codes, and the place of each by its number, for a tree that has so many leaves and
    /// branches: the larger places are, the more bytes it takes for each leaf.
    pub fn finish(&self, leaves: usize, branches: u32) -> (Codes, Vec<u32>) {
        let bytes = |unit: u8| {
            let (bytes, last) = self.places(unit).fold((0, 0), |_, (from, to)| (to, from));
            bytes + leaves * End::bytes_of((last >> unit) as u32, branches)
        };
        let unit = (0..=UNIT).min_by_key(|&unit| bytes(unit)).unwrap_or(0);
        let mut codes = vec![0; self.places(unit).last().map_or(0, |(_, to)| to) + PADDING];
        let mut places = Vec::with_capacity(self.ends.len());
        for (number, (from, _)) in self.places(unit).enumerate() {
            let code = self.code(number).unwrap_or(&[]);
            codes[from..from + code.len()].copy_from_slice(code);
            places.push((from >> unit) as u32);
        }
        let codes = Codes {
            bytes: codes.into(),
            symbol_bits: self.symbol_bits,
            unit,
        };
        (codes, places)
    }

    /// From where to where codes are if they begin at multiples of a unit.
    fn places(&self, unit: u8) -> impl Iterator<Item = (usize, usize)> {
        let mut to = 0;
        let mut before = 0;
        self.ends.iter().map(move |&end| {
            let from = to >> unit << unit;
            let from = if from < to { from + (1 << unit) } else { from };
            to = from + end - before;
            before = end;
            (from, to)
        })
    }
}

/// The logarithm of the bytes of the largest unit.
const UNIT: u8 = 3;

/// The bits of a number.
fn bits_of(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

/// A symbol without a level, its code and the length of that in bits.
pub type Word = (u16, u16, u8);

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    bytes: &'a [u8],
    symbol_bits: u32,
}

/// Where the parts of a code begin.
#[derive(Clone, Copy)]
struct Parts {
    levels: u32,
    longest: u32,
    /// The bits of an entry.
    entry: u32,
    least: u32,
    /// The bit where levels begin.
    start: u32,
}

impl Parts {
    fn level(self, level: u32) -> u32 {
        self.start + level * (FILTER_BITS + self.entry)
    }

    /// The number of codes of a length.
    fn count(self, length: u32) -> u32 {
        self.level(self.levels) + (length - 1) * self.entry
    }

    /// A symbol without a level.
    fn symbol(self, place: u32) -> u32 {
        self.level(self.levels) + (self.longest + place) * self.entry
    }
}

impl Code<'_> {
    /// No code.
    pub(crate) const NONE: Code<'static> = Code {
        bytes: &[],
        symbol_bits: 0,
    };

    /// Some bits, at most 16.
    #[inline]
    fn bits(&self, at: u32, count: u32) -> u32 {
        let word = self.bytes.get(at as usize >> 3..);
        let word = word.and_then(<[u8]>::first_chunk).copied();
        let word = u64::from_le_bytes(word.unwrap_or_default());
        (word >> (at & 7)) as u32 & ((1 << count) - 1)
    }

    #[inline]
    fn split(&self) -> Parts {
        let head = self.bits(0, HEAD);
        Parts {
            levels: head & 3,
            longest: head >> LEVELS_BITS & 15,
            entry: (head >> (LEVELS_BITS + LENGTH_BITS)) + 1,
            least: self.bits(HEAD, self.symbol_bits),
            start: HEAD + self.symbol_bits,
        }
    }

    /// The symbol of an entry.
    #[inline]
    fn symbol(&self, parts: Parts, at: u32) -> u16 {
        (parts.least + self.bits(at, parts.entry)) as u16
    }

    /// The symbol, if there is only one; then nothing is stored.
    #[inline]
    pub fn only(&self) -> Option<u16> {
        let parts = self.split();
        (parts.levels == 0 && parts.longest == 0).then_some(parts.least as u16)
    }

    /// The symbols of the levels with their filter bits, and the others from the
    /// shortest code to the longest: symbol, code and length.
    pub fn parts(&self) -> (Vec<(u16, u8)>, Vec<Word>) {
        if let Some(only) = self.only() {
            return (vec![], vec![(only, 0, 0)]);
        }
        let parts = self.split();
        let levels = (0..parts.levels).map(|level| {
            let at = parts.level(level);
            let symbol = self.symbol(parts, at + FILTER_BITS);
            (symbol, self.bits(at, FILTER_BITS) as u8)
        });
        let (mut code, mut place) = (0u16, 0);
        let mut rest = Vec::new();
        for length in 1..=parts.longest {
            for _ in 0..self.bits(parts.count(length), parts.entry) {
                rest.push((self.symbol(parts, parts.symbol(place)), code, length as u8));
                place += 1;
                code = code.wrapping_add(1);
            }
            code <<= 1;
        }
        if parts.longest == 0 {
            rest.push((self.symbol(parts, parts.symbol(0)), 0, 0));
        }
        (levels.collect(), rest)
    }

    /// The symbol of an index, from the line that has its bits.
    #[inline]
    pub fn read(&self, line: &Line, index: u64) -> u16 {
        self.read_split(self.split(), line, index)
    }

    /// The same for many indices: a function of the line and the index.
    #[inline]
    pub(crate) fn reader(&self) -> impl Fn(&Line, u64) -> u16 + '_ {
        let parts = self.split();
        move |line, index| self.read_split(parts, line, index)
    }

    #[inline(always)]
    fn read_split(&self, parts: Parts, line: &Line, index: u64) -> u16 {
        let key = line.key(index);
        for level in 0..parts.levels {
            let at = parts.level(level);
            let filter = self.bits(at, FILTER_BITS);
            let passes = (0..filter).all(|bit| line.filter(key, Line::filter_number(level, bit)));
            if !passes || !line.value(key, Line::correction_number(level)) {
                return self.symbol(parts, at + FILTER_BITS);
            }
        }
        let (mut code, mut first, mut place) = (0, 0, 0);
        for length in 1..=parts.longest {
            code = code << 1 | u32::from(line.value(key, Line::rest_number(length - 1)));
            let count = self.bits(parts.count(length), parts.entry);
            if code < first + count {
                return self.symbol(parts, parts.symbol(place + code - first));
            }
            place += count;
            first = (first + count) << 1;
        }
        // Only a code with one symbol but for levels gets here, since lengths are complete.
        self.symbol(parts, parts.symbol(place))
    }
}

/// A hash of some bytes: FNV-1a (Fowler, Noll and Vo).
fn hash(bytes: &[u8]) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325;
    bytes.iter().fold(start, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// Replaces `bytes` by those of a code, whose symbols have `symbol_bits`.
fn pack(shape: &CodeShape, symbol_bits: u32, bytes: &mut Vec<u8>) -> Result<(), LearnedError> {
    let misfit = LearnedError::Model("the lengths of a leaf's codes do not fit");
    let (mut counts, mut sum) = ([0_u32; LONGEST as usize + 1], 0_u64);
    for &(_, length) in &shape.rest {
        let Some(count) = counts.get_mut(usize::from(length)) else {
            return Err(misfit);
        };
        *count += 1;
        sum += 1 << (LONGEST - length);
    }
    if sum != 1 << LONGEST {
        return Err(misfit);
    }
    if shape.levels.len() > LEVELS || shape.levels.iter().any(|&(_, filter)| filter > 15) {
        return Err(LearnedError::Model("a leaf has too many levels"));
    }
    let longest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let levels = shape.levels.iter().map(|&(symbol, _)| symbol);
    let rest = shape.rest.iter().map(|&(symbol, _)| symbol);
    let symbols = || levels.clone().chain(rest.clone()).map(u32::from);
    let (least, most) = (symbols().min().unwrap_or(0), symbols().max().unwrap_or(0));
    if bits_of(most) > symbol_bits {
        return Err(LearnedError::Model("a symbol is out of range"));
    }
    let counts = &counts[1..=longest];
    let largest = counts.iter().copied().fold(most - least, u32::max);
    let entry = bits_of(largest).clamp(1, 16);
    let mut bits = Bits { bytes, used: 0 };
    bits.bytes.clear();
    bits.add(shape.levels.len() as u32, LEVELS_BITS);
    bits.add(longest as u32, LENGTH_BITS);
    bits.add(entry - 1, ENTRY_BITS);
    bits.add(least, symbol_bits);
    if shape.levels.is_empty() && longest == 0 {
        return Ok(());
    }
    for &(symbol, filter) in &shape.levels {
        bits.add(filter.into(), FILTER_BITS);
        bits.add(u32::from(symbol) - least, entry);
    }
    counts.iter().for_each(|&count| bits.add(count, entry));
    // The symbols by length; those of a length stay in their order.
    for length in 0..=longest as u8 {
        let those = shape.rest.iter().filter(|&&(_, known)| known == length);
        those.for_each(|&(symbol, _)| bits.add(u32::from(symbol) - least, entry));
    }
    Ok(())
}

/// Writes bits from the lowest bit of the first byte on.
struct Bits<'b> {
    bytes: &'b mut Vec<u8>,
    /// How many bits of the last byte are used, or 0.
    used: u32,
}

impl Bits<'_> {
    fn add(&mut self, number: u32, count: u32) {
        for bit in 0..count {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> bit & 1) as u8) << self.used;
            }
            self.used = (self.used + 1) & 7;
        }
    }
}
