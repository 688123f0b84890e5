//! The codes of leaves: the bits that stand for each symbol.

use std::collections::HashMap;

use crate::error::LearnedError;
use crate::line::{LEVELS, Line};
use crate::tree::MOST;

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

/// Codes ready for decoding, each in a few words of 16 bits.
///
/// The first word has the number of levels and their filter bits, the second the
/// longest length. The symbols of the levels follow, then the number of codes of
/// each length, then the symbols from the shortest code to the longest.
#[derive(Clone, Debug, Default)]
pub struct Codes {
    words: Vec<u16>,
    /// Where codes are, by a hash of their words: what is equal is kept once.
    known: HashMap<u64, u32>,
    /// The code that is being added.
    packed: Vec<u16>,
}

impl Codes {
    /// No codes.
    pub fn new() -> Codes {
        Codes::default()
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
            let known = self.words.get(at as usize..);
            if known.is_some_and(|known| known.starts_with(&self.packed)) {
                return Ok(at);
            }
        }
        let at = u32::try_from(self.words.len())
            .ok()
            .filter(|&at| at < MOST)
            .ok_or(LearnedError::Model("it has too many codes"))?;
        self.words.extend_from_slice(&self.packed);
        self.known.insert(hash, at);
        Ok(at)
    }

    /// Drops what is only needed for adding codes.
    pub(crate) fn finish(&mut self) {
        self.known = HashMap::new();
        self.packed = Vec::new();
        self.words.shrink_to_fit();
    }

    /// The size of the codes in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 2
    }

    /// The code at a place returned by [`Codes::add`]; any other place gives some
    /// code or none.
    #[inline]
    pub fn get(&self, at: u32) -> Option<Code<'_>> {
        let words = self.words.get(at as usize..)?;
        (words.len() >= 3).then_some(Code { words })
    }
}

/// A symbol without a level, its code and the length of that in bits.
pub type Word = (u16, u16, u8);

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    words: &'a [u16],
}

impl Code<'_> {
    /// No code.
    pub(crate) const NONE: Code<'static> = Code { words: &[] };

    #[inline]
    fn word(&self, place: usize) -> usize {
        usize::from(self.words.get(place).copied().unwrap_or(0))
    }

    /// The symbol, if there is only one; then nothing is stored.
    #[inline]
    pub fn only(&self) -> Option<u16> {
        (self.word(0) & 3 == 0 && self.word(1) == 0).then(|| self.word(2) as u16)
    }

    /// The symbols of the levels with their filter bits, and the others from the
    /// shortest code to the longest: symbol, code and length.
    pub fn parts(&self) -> (Vec<(u16, u8)>, Vec<Word>) {
        let (head, longest) = (self.word(0), self.word(1));
        let levels = head & 3;
        let filters = (0..levels).map(|level| {
            let filter = (head >> (2 + 4 * level) & 15) as u8;
            (self.word(2 + level) as u16, filter)
        });
        let counts = 2 + levels;
        let (mut code, mut place) = (0u16, counts + longest);
        let mut rest = Vec::new();
        for length in 1..=longest {
            for _ in 0..self.word(counts + length - 1) {
                rest.push((self.word(place) as u16, code, length as u8));
                place += 1;
                code = code.wrapping_add(1);
            }
            code <<= 1;
        }
        if longest == 0 {
            rest.push((self.word(place) as u16, 0, 0));
        }
        (filters.collect(), rest)
    }

    /// The symbol of an index, from the line that has its bits.
    #[inline]
    pub fn read(&self, line: &Line, index: u64) -> u16 {
        let (head, longest) = (self.word(0), self.word(1));
        let levels = head & 3;
        let key = line.key(index);
        for level in 0..levels {
            let filter = head >> (2 + 4 * level) & 15;
            let level_number = level as u32;
            let passes = (0..filter as u32)
                .all(|bit| line.filter(key, Line::filter_number(level_number, bit)));
            if !passes || !line.value(key, Line::correction_number(level_number)) {
                return self.word(2 + level) as u16;
            }
        }
        let counts = 2 + levels;
        let (mut code, mut first, mut place) = (0, 0, counts + longest);
        for length in 0..longest {
            code = code << 1 | usize::from(line.value(key, Line::rest_number(length as u32)));
            let count = self.word(counts + length);
            if code < first + count {
                place += code - first;
                return self.word(place) as u16;
            }
            place += count;
            first = (first + count) << 1;
        }
        // Only a code of one symbol gets here, since lengths are complete.
        self.word(place) as u16
    }
}

/// A hash of some words: FNV-1a (Fowler, Noll and Vo), by words.
fn hash(words: &[u16]) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325;
    words.iter().fold(start, |hash: u64, &word| {
        (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// Replaces `words` by those of a code.
fn pack(shape: &CodeShape, words: &mut Vec<u16>) -> Result<(), LearnedError> {
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
    words.clear();
    words.extend([head, longest as u16]);
    words.extend(shape.levels.iter().map(|&(symbol, _)| symbol));
    words.extend(&counts[1..=longest]);
    // The symbols by length; those of a length stay in their order.
    let first = words.len();
    words.resize(first + shape.rest.len(), 0);
    let mut next = [0; LONGEST as usize + 1];
    for length in 1..next.len() {
        next[length] = next[length - 1] + usize::from(counts[length - 1]);
    }
    for &(symbol, length) in &shape.rest {
        let place = &mut next[usize::from(length)];
        words[first + *place] = symbol;
        *place += 1;
    }
    Ok(())
}
