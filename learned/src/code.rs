//! The codes of leaves: the bits that stand for each symbol.

use std::collections::HashMap;

use crate::error::LearnedError;
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
    /// All symbols in ascending order.
    pub fn symbols(&self) -> Vec<u16> {
        let both = self.levels.iter().chain(&self.rest);
        let mut all: Vec<u16> = both.map(|&(symbol, _)| symbol).collect();
        all.sort_unstable();
        all
    }
}

/// Codes ready for decoding, each a few bytes:
///
/// ```text
/// 2 bytes   bits 0..2    the number of levels
///           bits 2..14   their filter bits, 4 bits each
///           bit 14       entries take 2 bytes
/// 1 byte    the longest length
/// 2 bytes   the least symbol
/// entries   the symbols of the levels
///           the number of codes of each length
///           the symbols from the shortest code to the longest
/// ```
///
/// Entries take a byte if all fit. Symbols are counted from the least one.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    bytes: Box<[u8]>,
}

/// The bytes before the entries.
const HEAD: usize = 5;
/// Whether entries take 2 bytes.
const WIDE: usize = 1 << 14;

impl Codes {
    /// The size of the codes in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The code at a place returned by [`CodesBuilder::add`]; any other place gives some
    /// code or none.
    #[inline]
    pub fn get(&self, at: u32) -> Option<Code<'_>> {
        let bytes = self.bytes.get(at as usize..)?;
        (bytes.len() > HEAD).then_some(Code { bytes })
    }
}

/// Puts codes together.
#[derive(Clone, Debug, Default)]
pub struct CodesBuilder {
    bytes: Vec<u8>,
    /// Where codes are, by a hash of their bytes: what is equal is kept once.
    known: HashMap<u64, u32>,
    /// The code that is being added.
    packed: Vec<u8>,
}

impl CodesBuilder {
    /// No codes.
    pub fn new() -> CodesBuilder {
        CodesBuilder::default()
    }

    /// Adds a code, unless it is there already, and returns its place.
    ///
    /// # Errors
    /// The lengths are not those of a complete prefix code, or there are too many
    /// levels or symbols.
    pub fn add(&mut self, shape: &CodeShape) -> Result<u32, LearnedError> {
        pack(shape, &mut self.packed)?;
        let hash = hash(&self.packed);
        if let Some(&at) = self.known.get(&hash) {
            let known = self.bytes.get(at as usize..);
            if known.is_some_and(|known| known.starts_with(&self.packed)) {
                return Ok(at);
            }
        }
        let at = u32::try_from(self.bytes.len())
            .map_err(|_| LearnedError::Model("it has too many codes"))?;
        self.bytes.extend_from_slice(&self.packed);
        self.known.insert(hash, at);
        Ok(at)
    }

    /// The codes.
    pub fn finish(self) -> Codes {
        Codes {
            bytes: self.bytes.into(),
        }
    }
}

/// A symbol without a level, its code and the length of that in bits.
pub type Word = (u16, u16, u8);

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    bytes: &'a [u8],
}

impl Code<'_> {
    /// No code.
    pub(crate) const NONE: Code<'static> = Code { bytes: &[] };

    /// Two bytes.
    #[inline]
    fn word(&self, at: usize) -> usize {
        let word = self.bytes.get(at..).and_then(<[u8]>::first_chunk);
        usize::from(u16::from_le_bytes(word.copied().unwrap_or_default()))
    }

    /// The longest length.
    #[inline]
    fn longest(&self) -> usize {
        usize::from(self.bytes.get(2).copied().unwrap_or(0).min(LONGEST))
    }

    #[inline]
    fn entry(&self, place: usize) -> usize {
        match self.word(0) & WIDE {
            0 => usize::from(self.bytes.get(HEAD + place).copied().unwrap_or(0)),
            _ => self.word(HEAD + 2 * place),
        }
    }

    #[inline]
    fn symbol(&self, place: usize) -> u16 {
        (self.word(3) + self.entry(place)) as u16
    }

    /// The symbol, if there is only one; then nothing is stored.
    #[inline]
    pub fn only(&self) -> Option<u16> {
        (self.word(0) & 3 == 0 && self.longest() == 0).then(|| self.symbol(0))
    }

    /// The symbols of the levels with their filter bits, and the others from the
    /// shortest code to the longest: symbol, code and length.
    pub fn parts(&self) -> (Vec<(u16, u8)>, Vec<Word>) {
        let (head, longest) = (self.word(0), self.longest());
        let levels = head & 3;
        let filters = (0..levels).map(|level| {
            let filter = (head >> (2 + 4 * level) & 15) as u8;
            (self.symbol(level), filter)
        });
        let (mut code, mut place) = (0u16, levels + longest);
        let mut rest = Vec::new();
        for length in 1..=longest {
            for _ in 0..self.entry(levels + length - 1) {
                rest.push((self.symbol(place), code, length as u8));
                place += 1;
                code = code.wrapping_add(1);
            }
            code <<= 1;
        }
        if longest == 0 {
            rest.push((self.symbol(place), 0, 0));
        }
        (filters.collect(), rest)
    }

    /// The symbol of an index, from the line that has its bits.
    #[inline]
    pub fn read(&self, line: &Line, index: u64) -> u16 {
        let (head, longest) = (self.word(0), self.longest());
        let levels = head & 3;
        let key = line.key(index);
        for level in 0..levels {
            let filter = head >> (2 + 4 * level) & 15;
            let level_number = level as u32;
            let passes = (0..filter as u32)
                .all(|bit| line.filter(key, Line::filter_number(level_number, bit)));
            if !passes || !line.value(key, Line::correction_number(level_number)) {
                return self.symbol(level);
            }
        }
        let (mut code, mut first, mut place) = (0, 0, levels + longest);
        for length in 0..longest {
            code = code << 1 | usize::from(line.value(key, Line::rest_number(length as u32)));
            let count = self.entry(levels + length);
            if code < first + count {
                return self.symbol(place + code - first);
            }
            place += count;
            first = (first + count) << 1;
        }
        // Only a code of one symbol gets here, since lengths are complete.
        self.symbol(place)
    }
}

/// A hash of some bytes: FNV-1a (Fowler, Noll and Vo).
fn hash(bytes: &[u8]) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325;
    bytes.iter().fold(start, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// Replaces `bytes` by those of a code.
fn pack(shape: &CodeShape, bytes: &mut Vec<u8>) -> Result<(), LearnedError> {
    let misfit = LearnedError::Model("the lengths of a leaf's codes do not fit");
    let (mut counts, mut sum) = ([0_u16; LONGEST as usize + 1], 0_u64);
    for &(_, length) in &shape.rest {
        let Some(count) = counts.get_mut(usize::from(length)) else {
            return Err(misfit);
        };
        *count = count.saturating_add(1);
        sum += 1 << (LONGEST - length);
    }
    if sum != 1 << LONGEST {
        return Err(misfit);
    }
    if shape.levels.len() > LEVELS || shape.levels.iter().any(|&(_, filter)| filter > 15) {
        return Err(LearnedError::Model("a leaf has too many levels"));
    }
    let mut head = shape.levels.len() as u16;
    for (level, &(_, filter)) in shape.levels.iter().enumerate() {
        head |= u16::from(filter) << (2 + 4 * level);
    }
    let longest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let levels = shape.levels.iter().map(|&(symbol, _)| symbol);
    let symbols = || {
        levels
            .clone()
            .chain(shape.rest.iter().map(|&(symbol, _)| symbol))
    };
    let (least, most) = (symbols().min().unwrap_or(0), symbols().max().unwrap_or(0));
    let counts = &counts[..=longest];
    let is_wide = most - least > 255 || counts.iter().any(|&count| count > 255);
    if is_wide {
        head |= WIDE as u16;
    }
    bytes.clear();
    bytes.extend(head.to_le_bytes());
    bytes.push(longest as u8);
    bytes.extend(least.to_le_bytes());
    let mut add = |entry: u16| match is_wide {
        true => bytes.extend(entry.to_le_bytes()),
        false => bytes.push(entry as u8),
    };
    levels.clone().for_each(|symbol| add(symbol - least));
    counts[1..].iter().for_each(|&count| add(count));
    // The symbols by length; those of a length stay in their order.
    for length in 0..=longest as u8 {
        let those = shape.rest.iter().filter(|&&(_, known)| known == length);
        those.for_each(|&(symbol, _)| add(symbol - least));
    }
    Ok(())
}
