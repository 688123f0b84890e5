//! Codes of a decision tree's leaves, packed: how the bits of a position give its value.

use crate::LearnedError;
use crate::line::{LEVELS, Line};

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
    /// The symbols in ascending order.
    pub fn symbols(&self) -> Vec<u16> {
        let both = self.levels.iter().chain(&self.rest);
        let mut all: Vec<u16> = both.map(|&(symbol, _)| symbol).collect();
        all.sort_unstable();
        all
    }
}

/// The number of bits that a number takes.
pub(crate) fn bits_of(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

/// A symbol without a level, its code and the length of that in bits.
pub type Word = (u16, u16, u8);

/// One code ready for decoding, a string of bits:
///
/// ```text
/// 2 bits   the number of levels
/// 4 bits   the lengths: the number of usual ones, or 15
/// 3 bits   the bits of an entry, by their number
/// as the form says
///          the least symbol
///          the filter bits of each level
/// if the lengths are not usual, 4 bits and entries
///          the longest length, and the number of codes of each length
/// entries  the symbols of the levels, and the others from the shortest code to the longest,
///          counted from the least one
/// ```
///
/// Most codes have a few symbols with none missing between them. Then a number takes the place
/// of entries, and says in which order they are.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    pub(crate) bytes: &'a [u8],
    /// The bit of the first byte that the code begins with.
    pub(crate) first: u32,
    pub(crate) form: Form,
}

/// The layout of codes that stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// The symbol that least symbols are counted from.
    pub(crate) base: u16,
    pub(crate) least_bits: u8,
    pub(crate) filter_bits: u8,
}

impl Form {
    /// The form in which any code can be written.
    pub(crate) const WIDEST: Form = Form {
        base: 0,
        least_bits: 16,
        filter_bits: 4,
    };
}

const LEVELS_BITS: u32 = 2;
const LENGTHS_BITS: u32 = 4;
const ENTRY_BITS: u32 = 3;
const LONGEST_BITS: u32 = 4;
/// The bits before the least symbol.
const HEAD: u32 = LEVELS_BITS + LENGTHS_BITS + ENTRY_BITS;
/// The numbers of bits that an entry may take; none if there is the number of an order.
const ENTRIES: [u32; 1 << ENTRY_BITS] = [0, 2, 3, 4, 5, 6, 9, 16];
/// The usual lengths of codes, which nineteen of twenty leaves have: how many there are of each,
/// in the lowest digit those of one bit.
const LENGTHS: [u32; OTHERS as usize] = [
    0, 0x2, 0x21, 0x211, 0x2111, 0x2_1111, 0x230, 0x40, 0x2130, 0x21_1111, 0x401, 0x2301, 0x2_1130,
    0x2320, 0x420,
];
/// The number that says that lengths are not usual.
const OTHERS: u32 = (1 << LENGTHS_BITS) - 1;

/// The meaning of a number of levels and a number of usual lengths, so that reading works out
/// nothing.
#[derive(Clone, Copy)]
struct Shape {
    /// The number of codes of each length, as in [`LENGTHS`].
    counts: u32,
    longest: u8,
    /// The orders of so many symbols.
    orders: Orders,
}

static SHAPES: [Shape; 1 << (LEVELS_BITS + LENGTHS_BITS)] = {
    let mut shapes = [Shape {
        counts: 0,
        longest: 0,
        orders: Orders::of(1),
    }; 1 << (LEVELS_BITS + LENGTHS_BITS)];
    let mut shape = 0;
    while shape < shapes.len() {
        let (levels, lengths) = (shape & 3, shape >> LEVELS_BITS);
        if lengths < LENGTHS.len() {
            let counts = LENGTHS[lengths];
            let (mut longest, mut symbols) = (0, 0);
            while counts >> (4 * longest) > 0 {
                symbols += (counts >> (4 * longest) & 15) as usize;
                longest += 1;
            }
            let rest = if symbols == 0 { 1 } else { symbols };
            shapes[shape] = Shape {
                counts,
                longest,
                orders: Orders::of(levels + rest),
            };
        }
        shape += 1;
    }
    shapes
};

/// The head of a code, and where the rest of it begins.
#[derive(Clone, Copy)]
struct Parts {
    levels: u32,
    longest: u32,
    /// The number of codes of each length, if these are usual.
    usual: Option<u32>,
    /// The bits of an entry.
    entry: u32,
    least: u32,
    /// The filter bits of the levels, and whatever comes after them.
    filters: u32,
    /// The bit behind these.
    end: u32,
    /// The bit where entries of symbols begin.
    symbols: u32,
    /// The symbols, four bits each, if there are no entries.
    order: u32,
}

impl Code<'_> {
    /// The code without symbols.
    pub(crate) const NONE: Code<'static> = Code {
        bytes: &[],
        first: 0,
        form: Form::WIDEST,
    };

    /// The bits from one on, at least 57.
    #[inline(always)]
    fn word(&self, at: u32) -> u64 {
        let at = self.first + at;
        let word = self.bytes.get(at as usize >> 3..);
        let word = word.and_then(<[u8]>::first_chunk).copied();
        u64::from_le_bytes(word.unwrap_or_default()) >> (at & 7)
    }

    /// Reads `count` bits, at most 16.
    #[inline]
    fn bits(&self, at: u32, count: u32) -> u32 {
        lowest(self.word(at), count)
    }

    #[inline]
    fn split(&self) -> Parts {
        // Of most codes this is all that there is.
        let word = self.word(0);
        let head = lowest(word, HEAD);
        let shape = SHAPES[head as usize % SHAPES.len()];
        let is_usual = head >> LEVELS_BITS & OTHERS != OTHERS;
        let [least_bits, filter_bits] =
            [self.form.least_bits, self.form.filter_bits].map(u32::from);
        let levels = lowest(word, LEVELS_BITS);
        let entry = ENTRIES[(head >> (LEVELS_BITS + LENGTHS_BITS)) as usize % ENTRIES.len()];
        let filters = HEAD + least_bits;
        let end = filters + levels * filter_bits;
        let (longest, symbols) = match is_usual {
            true => (shape.longest.into(), end),
            false => {
                let longest = self.bits(end, LONGEST_BITS);
                (longest, end + LONGEST_BITS + longest * entry)
            }
        };
        Parts {
            levels,
            longest,
            usual: is_usual.then_some(shape.counts),
            entry,
            least: lowest(word >> HEAD, least_bits) + u32::from(self.form.base),
            filters: (word >> (filters & 63)) as u32,
            end,
            symbols,
            order: shape.orders.get(word >> (end & 63)),
        }
    }

    /// The number of codes of a length.
    #[inline]
    fn count(&self, parts: Parts, length: u32) -> u32 {
        match parts.usual {
            Some(counts) => counts >> (4 * (length - 1)) & 15,
            None => {
                let at = parts.end + LONGEST_BITS + (length - 1) * parts.entry;
                self.bits(at, parts.entry)
            }
        }
    }

    /// The filter bits of a level.
    #[inline]
    fn filter(&self, parts: Parts, level: u32) -> u32 {
        let filter_bits = u32::from(self.form.filter_bits);
        lowest((parts.filters >> (level * filter_bits)).into(), filter_bits)
    }

    /// A symbol by its place among those of the levels and the others.
    #[inline]
    fn symbol(&self, parts: Parts, place: u32) -> u16 {
        let more = match parts.entry {
            0 => parts.order >> ((4 * place) & 31) & 15,
            entry => self.bits(parts.symbols + place * entry, entry),
        };
        (parts.least + more) as u16
    }

    /// The symbol, if there is only one; then nothing is stored.
    #[inline]
    pub fn only(&self) -> Option<u16> {
        let word = self.word(0);
        let least = || lowest(word >> HEAD, self.form.least_bits.into()) as u16;
        (lowest(word, LEVELS_BITS + LENGTHS_BITS) == 0).then(|| self.form.base + least())
    }

    /// The symbols of the levels with their filter bits, and the others from the
    /// shortest code to the longest: symbol, code and length.
    pub fn parts(&self) -> (Vec<(u16, u8)>, Vec<Word>) {
        let parts = self.split();
        let levels = (0..parts.levels).map(|level| {
            let filter = self.filter(parts, level);
            (self.symbol(parts, level), filter as u8)
        });
        let (mut code, mut place) = (0u16, parts.levels);
        let mut rest = Vec::new();
        for length in 1..=parts.longest {
            for _ in 0..self.count(parts, length) {
                rest.push((self.symbol(parts, place), code, length as u8));
                place += 1;
                code = code.wrapping_add(1);
            }
            code <<= 1;
        }
        if parts.longest == 0 {
            rest.push((self.symbol(parts, place), 0, 0));
        }
        (levels.collect(), rest)
    }

    /// Adds the same code in another form, given how many bits it has.
    pub(crate) fn narrow(&self, len: u32, form: Form, bits: &mut Bits) {
        let parts = self.split();
        bits.add(self.bits(0, HEAD), HEAD);
        bits.add(parts.least - u32::from(form.base), form.least_bits.into());
        for level in 0..parts.levels {
            bits.add(self.filter(parts, level), form.filter_bits.into());
        }
        let mut at = parts.end;
        while at < len {
            let count = (len - at).min(16);
            bits.add(self.bits(at, count), count);
            at += count;
        }
    }

    /// The symbol of an index, from the line that has its bits.
    #[inline]
    pub fn read(&self, line: &Line, index: u64) -> u16 {
        let parts = self.split();
        let key = line.key(index);
        for level in 0..parts.levels {
            let filter = self.filter(parts, level);
            let passes = (0..filter).all(|bit| line.filter(key, Line::filter_number(level, bit)));
            if !passes || !line.value(key, Line::correction_number(level)) {
                return self.symbol(parts, level);
            }
        }
        let (mut code, mut first, mut place) = (0, 0, parts.levels);
        for length in 1..=parts.longest {
            code = code << 1 | u32::from(line.value(key, Line::rest_number(length - 1)));
            let count = self.count(parts, length);
            if code < first + count {
                return self.symbol(parts, place + code - first);
            }
            place += count;
            first = (first + count) << 1;
        }
        // Only a code with one symbol but for levels gets here, since lengths are complete.
        self.symbol(parts, place)
    }

    /// Writes the symbols of some indices, which are those of [`Code::read`], to their places.
    /// Whether a bit is set cannot be predicted, so each bit is read of all indices that are
    /// left, and nothing branches on it: a symbol is written as long as it may be the one.
    pub(crate) fn read_many<'l>(
        &self,
        waiting: &mut [Waiting],
        line: impl Fn(u32) -> &'l Line,
        symbols: &mut [u16],
    ) {
        let mut write = |one: &Waiting, symbol| {
            if let Some(place) = symbols.get_mut(usize::from(one.place)) {
                *place = symbol;
            }
        };
        let parts = self.split();
        let mut left = waiting;
        for level in 0..parts.levels {
            let symbol = self.symbol(parts, level);
            left.iter().for_each(|one| write(one, symbol));
            for bit in 0..self.filter(parts, level) {
                let number = Line::filter_number(level, bit);
                left = keep(left, |one| line(one.line).filter(one.key, number));
            }
            let number = Line::correction_number(level);
            left = keep(left, |one| line(one.line).value(one.key, number));
        }
        let (mut first, mut place) = (0, parts.levels);
        for length in 1..=parts.longest {
            let (number, count) = (Line::rest_number(length - 1), self.count(parts, length));
            left = keep(left, |one| {
                let bit = line(one.line).value(one.key, number);
                one.code = one.code << 1 | u16::from(bit);
                let more = u32::from(one.code).wrapping_sub(first);
                if count > 0 {
                    write(one, self.symbol(parts, place + more.min(count - 1)));
                }
                more >= count
            });
            place += count;
            first = (first + count) << 1;
        }
        // Only of a code with one symbol but for levels, since lengths are complete.
        let symbol = self.symbol(parts, place);
        left.iter().for_each(|one| write(one, symbol));
    }
}

/// The lowest bits of a word, at most 16.
#[inline(always)]
fn lowest(word: u64, count: u32) -> u32 {
    word as u32 & ((1 << count) - 1)
}

/// An index whose symbol is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    /// The hash of the index in its line.
    pub(crate) key: u64,
    /// The number of its line.
    pub(crate) line: u32,
    /// The place of its symbol.
    pub(crate) place: u16,
    /// The bits of its code that have been read.
    pub(crate) code: u16,
}

/// The indices that are to be kept, in their order.
#[inline(always)]
fn keep(waiting: &mut [Waiting], mut is_kept: impl FnMut(&mut Waiting) -> bool) -> &mut [Waiting] {
    let mut kept = 0;
    for at in 0..waiting.len() {
        let mut one = waiting[at];
        let keep = is_kept(&mut one);
        waiting[kept] = one;
        kept += usize::from(keep);
    }
    &mut waiting[..kept]
}

/// The most symbols of a code whose orders have numbers. These say in which order the symbols of a
/// code are, if none is missing between them, in less room than an entry for each.
const MOST_IN_ORDER: usize = 6;
/// The number of orders of so many symbols.
const MANY: [usize; MOST_IN_ORDER + 1] = [1, 1, 2, 6, 24, 120, 720];
/// The number of orders of fewer symbols.
const BEFORE: [usize; MOST_IN_ORDER + 1] = [0, 0, 1, 3, 9, 33, 153];

/// The orders of one symbol, those of two and so on: the symbols, four bits each, the first one
/// in the lowest.
static ORDERS: [u32; BEFORE[MOST_IN_ORDER] + MANY[MOST_IN_ORDER]] = {
    let mut all = [0; BEFORE[MOST_IN_ORDER] + MANY[MOST_IN_ORDER]];
    let mut symbols = 1;
    while symbols <= MOST_IN_ORDER {
        let mut number = 0;
        while number < MANY[symbols] {
            all[BEFORE[symbols] + number] = order(symbols, number);
            number += 1;
        }
        symbols += 1;
    }
    all
};

/// An order by its number: which of the symbols that are left comes first, and so on.
const fn order(symbols: usize, mut number: usize) -> u32 {
    let (mut order, mut taken, mut place) = (0, 0, 0);
    while place < symbols {
        let after = MANY[symbols - 1 - place];
        let (mut skip, mut symbol) = (number / after, 0);
        number %= after;
        while taken >> symbol & 1 != 0 || skip > 0 {
            if taken >> symbol & 1 == 0 {
                skip -= 1;
            }
            symbol += 1;
        }
        taken |= 1 << symbol;
        order |= symbol << (4 * place as u32);
        place += 1;
    }
    order
}

/// The orders of so many symbols.
#[derive(Clone, Copy)]
struct Orders {
    /// The place of the first one among all.
    before: u16,
    /// The bits of the number of one.
    bits: u8,
}

impl Orders {
    /// The orders of so many symbols; if these are too many, there is only one.
    const fn of(symbols: usize) -> Orders {
        let symbols = if symbols > MOST_IN_ORDER { 0 } else { symbols };
        Orders {
            before: BEFORE[symbols] as u16,
            bits: (MANY[symbols] as u32).next_power_of_two().trailing_zeros() as u8,
        }
    }

    /// The symbols of an order, given its number in the lowest bits: four bits each, the first
    /// one in the lowest.
    #[inline(always)]
    fn get(self, number: u64) -> u32 {
        let number = number as usize & ((1 << self.bits) - 1);
        let order = ORDERS.get(usize::from(self.before) + number);
        order.copied().unwrap_or(0)
    }

    /// The number of an order of symbols, if it has one.
    fn find(symbols: &[u32]) -> Option<u32> {
        let many = *MANY.get(symbols.len())?;
        let before = BEFORE[symbols.len()];
        if symbols
            .iter()
            .any(|&symbol| symbol as usize >= symbols.len())
        {
            return None;
        }
        let packed = symbols
            .iter()
            .rev()
            .fold(0, |all, &symbol| all << 4 | symbol);
        let those = ORDERS.get(before..before + many)?;
        let number = those.iter().position(|&order| order == packed)?;
        Some(number as u32)
    }
}

/// Replaces `bytes` by those of a code in the widest form and returns how many bits it takes.
pub(crate) fn pack(shape: &CodeShape, bytes: &mut Vec<u8>) -> Result<u32, LearnedError> {
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
    let mut symbols: Vec<u32> = Vec::with_capacity(shape.levels.len() + shape.rest.len());
    symbols.extend(shape.levels.iter().map(|&(symbol, _)| u32::from(symbol)));
    // By length; those of a length stay in their order.
    for length in 0..=longest as u8 {
        let those = shape.rest.iter().filter(|&&(_, known)| known == length);
        symbols.extend(those.map(|&(symbol, _)| u32::from(symbol)));
    }
    let least = symbols.iter().copied().min().unwrap_or(0);
    symbols.iter_mut().for_each(|symbol| *symbol -= least);
    let counts = &counts[1..=longest];
    let usual = usual(counts);
    let order = Orders::find(&symbols).filter(|_| usual.is_some());
    let entry = match order {
        Some(_) => 0,
        None => {
            let numbers = symbols
                .iter()
                .chain(counts.iter().filter(|_| usual.is_none()));
            let bits = bits_of(numbers.copied().max().unwrap_or(0)).max(1);
            let fits = ENTRIES.iter().position(|&entry| entry >= bits);
            fits.unwrap_or(ENTRIES.len() - 1)
        }
    };
    bytes.clear();
    let mut bits = Bits::behind(bytes);
    bits.add(shape.levels.len() as u32, LEVELS_BITS);
    bits.add(usual.unwrap_or(OTHERS), LENGTHS_BITS);
    bits.add(entry as u32, ENTRY_BITS);
    bits.add(least, Form::WIDEST.least_bits.into());
    for &(_, filter) in &shape.levels {
        bits.add(filter.into(), Form::WIDEST.filter_bits.into());
    }
    let entry = ENTRIES[entry];
    if usual.is_none() {
        bits.add(longest as u32, LONGEST_BITS);
        counts.iter().for_each(|&count| bits.add(count, entry));
    }
    match order {
        Some(number) => bits.add(number, Orders::of(symbols.len()).bits.into()),
        None => symbols.iter().for_each(|&symbol| bits.add(symbol, entry)),
    }
    let len = bits.len() as u32;
    bits.finish();
    Ok(len)
}

/// The number of the usual lengths of which there are so many each, from 1 on.
fn usual(counts: &[u32]) -> Option<u32> {
    if counts.len() > 8 || counts.iter().any(|&count| count > 15) {
        return None;
    }
    let digits = counts.iter().rev();
    let counts = digits.fold(0, |all, &count| all << 4 | count);
    let found = LENGTHS.iter().position(|&lengths| lengths == counts);
    found.map(|number| number as u32)
}

/// Adds bits behind some bytes.
pub(crate) struct Bits<'b> {
    bytes: &'b mut Vec<u8>,
    /// The number of bytes that were there before.
    before: usize,
    /// Bits that are not whole bytes yet, and how many.
    last: u64,
    open: u32,
}

impl Bits<'_> {
    pub(crate) fn behind(bytes: &mut Vec<u8>) -> Bits<'_> {
        Bits {
            before: bytes.len(),
            bytes,
            last: 0,
            open: 0,
        }
    }

    /// The number of bits that were added.
    pub(crate) fn len(&self) -> u64 {
        8 * (self.bytes.len() - self.before) as u64 + u64::from(self.open)
    }

    /// Adds the lowest bits of a number, at most 32.
    pub(crate) fn add(&mut self, number: u32, count: u32) {
        self.last |= (u64::from(number) & ((1 << count) - 1)) << self.open;
        self.open += count;
        while self.open >= 8 {
            self.bytes.push(self.last as u8);
            self.last >>= 8;
            self.open -= 8;
        }
    }

    /// Adds zeros up to so many bits.
    pub(crate) fn pad(&mut self, len: u64) {
        while self.len() < len {
            self.add(0, (len - self.len()).min(32) as u32);
        }
    }

    /// Adds zeros up to a whole byte.
    pub(crate) fn finish(mut self) {
        self.pad(self.len().next_multiple_of(8));
    }
}
