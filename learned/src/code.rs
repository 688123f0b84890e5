//! The codes of leaves: the bits that stand for each symbol.

mod bits;
mod codes;
mod many;
mod orders;
mod pack;

use bits::Bits;
pub(crate) use codes::Codes;
pub use codes::CodesBuilder;
pub(crate) use many::Waiting;
use orders::Orders;

use crate::line::Line;

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

/// How many bits a number takes.
fn bits_of(number: u32) -> u32 {
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
    bytes: &'a [u8],
    /// The bit of the first byte that the code begins with.
    first: u32,
    form: Form,
}

/// How codes that stand together are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    /// What least symbols are counted from.
    base: u16,
    least_bits: u8,
    filter_bits: u8,
}

impl Form {
    /// In which any code can be written.
    const WIDEST: Form = Form {
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
/// How many bits an entry may take; none if there is the number of an order.
const ENTRIES: [u32; 1 << ENTRY_BITS] = [0, 2, 3, 4, 5, 6, 9, 16];
/// The usual lengths of codes, which nineteen of twenty leaves have: how many there are of each,
/// in the lowest digit those of one bit.
const LENGTHS: [u32; OTHERS as usize] = [
    0, 0x2, 0x21, 0x211, 0x2111, 0x2_1111, 0x230, 0x40, 0x2130, 0x21_1111, 0x401, 0x2301, 0x2_1130,
    0x2320, 0x420,
];
/// The number that says that lengths are not usual.
const OTHERS: u32 = (1 << LENGTHS_BITS) - 1;

/// What the number of levels and that of usual lengths say, so that reading works out nothing.
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

/// What a code says, and where the rest of it begins.
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
    /// If there are none, the symbols, four bits each.
    order: u32,
}

impl Code<'_> {
    /// No code.
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

    /// Some bits, at most 16.
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
    fn narrow(&self, len: u32, form: Form, bits: &mut Bits) {
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
}

/// The lowest bits of a word, at most 16.
#[inline(always)]
fn lowest(word: u64, count: u32) -> u32 {
    word as u32 & ((1 << count) - 1)
}

#[cfg(test)]
mod tests;
