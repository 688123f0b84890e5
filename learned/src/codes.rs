//! Stores the codes of all leaves of a tree compactly, and gives the code of a leaf.

use std::collections::HashMap;

use crate::LearnedError;
use crate::code::{Bits, Code, CodeShape, Form, bits_of, pack};
use crate::tree::PAGE;

/// The codes of a tree ready for decoding, by the places of its leaves: see [`Tree`]. They have
/// no memory of their own but stand behind the nodes:
///
/// ```text
/// 4 bytes   the form: two, what least symbols are counted from; their bits; those of filters
/// 1 byte    how many sizes are long
/// for each page
///   4 bytes   where its codes begin
///   16 bytes  for each size but those: how many codes of the page take no more, or 255
/// for each page
///   a byte    for each long size the same
/// the codes of each page, from the smallest to the largest
/// ```
///
/// Sizes and beginnings are in units of four bits.
///
/// [`Tree`]: crate::Tree
#[derive(Clone, Copy, Debug)]
pub(crate) struct Codes<'t> {
    pub(crate) bytes: &'t [u8],
    /// The number of pages of the tree.
    pub(crate) pages: usize,
}

/// The bytes before the first page.
const HEAD: usize = FORM + 1;
const FORM: usize = 4;
/// The bytes of a page.
const A_PAGE: usize = 4 + NEXT;
/// Bytes after the last code, so that it can be read like any other.
const PADDING: usize = 8;
/// The smallest size in units of four bits.
const SMALLEST: u32 = 3;
/// The steps from each size to the next: most codes have one of the next sizes,
/// and few have the last ones, which are so many that the longest codes fit.
const LARGER: [u32; NEXT + LONG] = {
    let mut larger = [1; NEXT + LONG];
    let mut size = NEXT / 2;
    while size < larger.len() {
        larger[size] = if size < NEXT { 2 } else { 4 << (size - NEXT) };
        size += 1;
    }
    larger
};
/// The sizes.
const UNITS: [u32; LARGER.len() + 1] = {
    let mut units = [SMALLEST; LARGER.len() + 1];
    let mut size = 0;
    while size < LARGER.len() {
        units[size + 1] = units[size] + LARGER[size];
        size += 1;
    }
    units
};
const NEXT: usize = 16;
const LONG: usize = 17;

impl<'t> Codes<'t> {
    /// The code at a place of the tree; any other place gives some code or none.
    #[inline(always)]
    pub(crate) fn get(self, place: u32) -> Option<Code<'t>> {
        let from = HEAD + (place / PAGE) as usize * A_PAGE;
        let page: &[u8; A_PAGE] = self.bytes.get(from..)?.first_chunk()?;
        let (start, sizes) = page.split_first_chunk()?;
        let sizes: &[u8; NEXT] = sizes.first_chunk()?;
        // The codes before it have the smallest size, and those that are not among the first
        // some are larger. Nothing branches on which code it is.
        let number = (place % PAGE) as u8;
        let larger = sizes.map(|those| u32::from(number.saturating_sub(those)));
        let (by_one, by_two) = larger.split_at(NEXT / 2);
        let mut at = u32::from(number) * SMALLEST;
        at += by_one.iter().sum::<u32>() + 2 * by_two.iter().sum::<u32>();
        if number > sizes[NEXT - 1] {
            at += self.longer(place);
        }
        let at = u32::from_le_bytes(*start).wrapping_add(at);
        Some(Code {
            bytes: self.bytes.get(at as usize / 2..)?,
            first: at % 2 * 4,
            form: Form::of(*self.bytes.first_chunk()?),
        })
    }

    /// The excess of the codes before one over the largest size that is not long.
    #[cold]
    fn longer(self, place: u32) -> u32 {
        let len = usize::from(self.bytes.get(FORM).copied().unwrap_or(0));
        let from = HEAD + self.pages * A_PAGE + (place / PAGE) as usize * len;
        let sizes = self.bytes.get(from..from + len).unwrap_or(&[]);
        let number = (place % PAGE) as u8;
        let larger = LARGER[NEXT..].iter().zip(sizes);
        let larger = larger.map(|(by, &those)| by * u32::from(number.saturating_sub(those)));
        larger.sum()
    }
}

impl Form {
    #[inline(always)]
    fn of([low, high, least_bits, filter_bits]: [u8; FORM]) -> Form {
        Form {
            base: u16::from_le_bytes([low, high]),
            least_bits,
            filter_bits,
        }
    }

    fn to_bytes(self) -> [u8; FORM] {
        let [low, high] = self.base.to_le_bytes();
        [low, high, self.least_bits, self.filter_bits]
    }
}

/// Puts codes together.
#[derive(Clone, Debug)]
pub struct CodesBuilder {
    symbols: u32,
    /// The codes one after the other, each from a byte on and in the widest form, and room to
    /// read beyond the last.
    bytes: Vec<u8>,
    codes: Vec<Added>,
    /// The numbers of codes, by a hash of their bytes: what is equal is kept once.
    known: HashMap<u64, u32>,
    /// The code that is being added.
    packed: Vec<u8>,
    /// The smallest and the largest of the least symbols, and the most filter bits.
    least: (u16, u16),
    filter: u8,
}

/// A code that was added.
#[derive(Clone, Copy, Debug)]
struct Added {
    /// The byte that it begins with.
    at: u32,
    /// The bits of the code.
    bits: u32,
    levels: u8,
}

impl CodesBuilder {
    /// A builder without codes, of symbols below `symbols` (1 to 65536).
    pub fn new(symbols: u32) -> CodesBuilder {
        CodesBuilder {
            symbols,
            bytes: vec![0; PADDING],
            codes: Vec::new(),
            known: HashMap::new(),
            packed: Vec::new(),
            least: (u16::MAX, 0),
            filter: 0,
        }
    }

    /// Adds a code, unless it is there already, and returns its number.
    ///
    /// # Errors
    /// The lengths are not those of a complete prefix code, a symbol is too large, or there
    /// are too many levels or symbols.
    pub fn add(&mut self, shape: &CodeShape) -> Result<u32, LearnedError> {
        let bits = pack(shape, &mut self.packed)?;
        let hash = hash(&self.packed);
        if let Some(&known) = self.known.get(&hash)
            && self.bytes_of(known) == self.packed
        {
            return Ok(known);
        }
        let symbols = || {
            shape
                .levels
                .iter()
                .chain(&shape.rest)
                .map(|&(symbol, _)| symbol)
        };
        let least = symbols().min().unwrap_or(0);
        if symbols().any(|symbol| u32::from(symbol) >= self.symbols) {
            return Err(LearnedError::Model("a symbol is out of range"));
        }
        let at = self.bytes.len() - PADDING;
        if at > 1 << 28 {
            return Err(TOO_MANY);
        }
        self.least = (self.least.0.min(least), self.least.1.max(least));
        let filters = shape.levels.iter().map(|&(_, filter)| filter);
        self.filter = filters.fold(self.filter, u8::max);
        let number = self.codes.len() as u32;
        self.bytes.truncate(at);
        self.bytes.extend_from_slice(&self.packed);
        self.bytes.resize(self.bytes.len() + PADDING, 0);
        self.codes.push(Added {
            at: at as u32,
            bits,
            levels: shape.levels.len() as u8,
        });
        self.known.insert(hash, number);
        Ok(number)
    }

    /// A code by its number.
    pub fn get(&self, number: u32) -> Option<Code<'_>> {
        let added = self.codes.get(number as usize)?;
        Some(Code {
            bytes: self.bytes.get(added.at as usize..)?,
            first: 0,
            form: Form::WIDEST,
        })
    }

    fn bytes_of(&self, number: u32) -> &[u8] {
        let mut codes = self.codes.iter().skip(number as usize);
        let mut begin = || codes.next().map(|added| added.at as usize);
        let end = self.bytes.len() - PADDING;
        let (from, to) = (begin().unwrap_or(end), begin().unwrap_or(end));
        self.bytes.get(from..to).unwrap_or(&[])
    }

    /// The codes in the narrowest form in which there is room for all of them.
    pub(crate) fn narrow(&self) -> NarrowCodes<'_> {
        let (least, most) = self.least;
        let form = Form {
            base: least,
            least_bits: bits_of(most.saturating_sub(least).into()) as u8,
            filter_bits: bits_of(self.filter.into()) as u8,
        };
        let less = u32::from(Form::WIDEST.least_bits - form.least_bits);
        let filter = u32::from(Form::WIDEST.filter_bits - form.filter_bits);
        let size = |added: &Added| {
            let units = (added.bits - less - u32::from(added.levels) * filter).div_ceil(4);
            UNITS.partition_point(|&size| size < units) as u8
        };
        NarrowCodes {
            codes: self,
            form,
            sizes: self.codes.iter().map(size).collect(),
        }
    }
}

/// Codes that all have been added.
pub(crate) struct NarrowCodes<'c> {
    codes: &'c CodesBuilder,
    form: Form,
    /// The numbers of the sizes of codes.
    sizes: Vec<u8>,
}

impl NarrowCodes<'_> {
    /// The key by which the leaves of a page must be sorted: the size of the code, and 0 for a
    /// number that none has.
    pub(crate) fn size(&self, number: u32) -> u8 {
        self.sizes.get(number as usize).copied().unwrap_or(0)
    }

    /// The bytes of [`Codes`], given for each page the numbers of the codes of its leaves, by
    /// size.
    pub(crate) fn finish(&self, pages: &[Vec<u32>]) -> Result<Vec<u8>, LearnedError> {
        let most = pages.iter().filter_map(|page| page.last());
        let most = most.map(|&number| self.size(number)).max().unwrap_or(0);
        let most = most.max(NEXT as u8);
        let long = usize::from(most) - NEXT;
        let mut bytes = self.form.to_bytes().to_vec();
        bytes.push(long as u8);
        let mut at = 2 * (HEAD + pages.len() * (A_PAGE + long)) as u64;
        let up_to = |page: &[u32], size: u8| {
            let count = page.partition_point(|&number| self.size(number) <= size);
            count.min(255) as u8
        };
        for page in pages {
            bytes.extend((at as u32).to_le_bytes());
            bytes.extend((0..NEXT as u8).map(|size| up_to(page, size)));
            let units = page.iter().map(|&number| self.units(number));
            at += units.sum::<u64>();
            if at >= 1 << 30 {
                return Err(TOO_MANY);
            }
        }
        for page in pages {
            bytes.extend((NEXT as u8..most).map(|size| up_to(page, size)));
        }
        let mut bits = Bits::behind(&mut bytes);
        for &number in pages.iter().flatten() {
            let before = bits.len();
            if let Some(code) = self.codes.get(number) {
                let len = self
                    .codes
                    .codes
                    .get(number as usize)
                    .map_or(0, |added| added.bits);
                code.narrow(len, self.form, &mut bits);
            }
            bits.pad(before + 4 * self.units(number));
        }
        bits.finish();
        bytes.resize(bytes.len() + PADDING, 0);
        Ok(bytes)
    }

    fn units(&self, number: u32) -> u64 {
        UNITS
            .get(usize::from(self.size(number)))
            .copied()
            .unwrap_or(0)
            .into()
    }
}

const TOO_MANY: LearnedError = LearnedError::Model("it has too many codes");

/// A hash of some bytes: FNV-1a (Fowler, Noll and Vo).
fn hash(bytes: &[u8]) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325;
    bytes.iter().fold(start, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::code::LONGEST;
    use crate::line::LEVELS;

    /// Lengths of a complete prefix code: a code of no bits is split again and again.
    fn lengths(splits: &[u8]) -> Vec<u8> {
        let mut lengths = vec![0];
        for &split in splits {
            let place = usize::from(split) % lengths.len();
            if lengths[place] < LONGEST {
                lengths[place] += 1;
                lengths.insert(place, lengths[place]);
            }
        }
        lengths
    }

    /// A shape with symbols that are so far from each other.
    fn shape() -> impl Strategy<Value = CodeShape> {
        let far = prop_oneof![4 => Just(1), 1 => Just(3), 1 => Just(40)];
        let splits = prop_oneof![
            5 => prop::collection::vec(any::<u8>(), 0..5),
            1 => prop::collection::vec(any::<u8>(), 0..60)
        ];
        let levels = prop::collection::vec((any::<usize>(), 0..10u8), 0..=LEVELS);
        (1u16..100, far, splits, levels).prop_map(|(least, far, splits, levels)| {
            let lengths = lengths(&splits);
            let many = (lengths.len() + levels.len()) as u16;
            let mut symbols: Vec<u16> = (0..many).map(|place| least + far * place).collect();
            let mut level = |(place, filter)| (symbols.remove(place % symbols.len()), filter);
            let levels = levels.into_iter().map(&mut level).collect();
            let rest = symbols.into_iter().zip(lengths).collect();
            CodeShape { levels, rest }
        })
    }

    /// Symbols with filter bits or lengths.
    type Symbols = Vec<(u16, u8)>;

    /// The levels of a code, and its other symbols with their lengths.
    fn parts(codes: Codes, place: u32) -> (Symbols, Symbols) {
        let code = codes.get(place).expect("it was added");
        let (levels, rest) = code.parts();
        let only = (levels.is_empty() && rest.len() == 1).then(|| rest[0].0);
        assert_eq!(code.only(), only);
        // In order and complete.
        let mut next = 0;
        for &(_, bits, length) in &rest {
            assert_eq!(u32::from(bits) << (LONGEST - length), next);
            next += 1 << (LONGEST - length);
        }
        assert_eq!(next, 1 << LONGEST);
        let rest = rest.into_iter().map(|(symbol, _, length)| (symbol, length));
        (levels, rest.collect())
    }

    proptest! {
        #[test]
        fn codes_come_back(shapes in prop::collection::vec(shape(), 1..600)) {
            let mut codes = CodesBuilder::new(1 << 13);
            let mut numbers: Vec<u32> = shapes.iter().map(|shape| codes.add(shape).unwrap()).collect();
            let mut shapes: Vec<_> = numbers.iter().copied().zip(shapes).collect();
            shapes.sort_unstable_by_key(|&(number, _)| number);
            shapes.dedup_by_key(|&mut (number, _)| number);
            numbers.sort_unstable();
            numbers.dedup();
            let narrow = codes.narrow();
            let mut pages: Vec<Vec<u32>> = numbers.chunks(PAGE as usize).map(<[u32]>::to_vec).collect();
            pages.iter_mut().for_each(|page| page.sort_by_key(|&number| narrow.size(number)));
            let bytes = narrow.finish(&pages).unwrap();
            let codes = Codes { bytes: &bytes, pages: pages.len() };
            for (page, numbers) in pages.iter().enumerate() {
                for (place, &number) in numbers.iter().enumerate() {
                    let shape = &shapes[number as usize].1;
                    let mut rest = shape.rest.clone();
                    rest.sort_by_key(|&(_, length)| length);
                    let expected = (shape.levels.clone(), rest);
                    prop_assert_eq!(parts(codes, page as u32 * PAGE + place as u32), expected);
                }
            }
            // Of what is not there, there may be some code or none, but nothing else happens.
            for place in [pages.len() as u32 * PAGE, u32::MAX] {
                let _ = codes.get(place).map(|code| code.only());
            }
        }
    }

    /// Codes with as many symbols as there are, and so of all sizes.
    #[test]
    fn the_longest_codes_come_back() {
        let mut builder = CodesBuilder::new(1 << 16);
        let shapes: Vec<CodeShape> = (0..=LONGEST)
            .map(|length| CodeShape {
                levels: (0..LEVELS as u16).map(|level| (level, 15)).collect(),
                rest: (0..1 << length)
                    .map(|symbol| (symbol + 3, length))
                    .collect(),
            })
            .collect();
        for shape in &shapes {
            builder.add(shape).unwrap();
        }
        let narrow = builder.narrow();
        let pages = [(0..shapes.len() as u32).collect::<Vec<_>>()];
        assert!(pages[0].is_sorted_by_key(|&number| narrow.size(number)));
        let bytes = narrow.finish(&pages).unwrap();
        let codes = Codes {
            bytes: &bytes,
            pages: 1,
        };
        for (place, shape) in shapes.iter().enumerate() {
            let expected = (shape.levels.clone(), shape.rest.clone());
            assert_eq!(parts(codes, place as u32), expected);
        }
    }

    /// Usual codes take little room: with a level and two symbols that are next to each other, two
    /// bytes and a half.
    #[test]
    fn usual_codes_are_small() {
        let mut builder = CodesBuilder::new(1 << 16);
        for least in 1000..1016u16 {
            for filter in 0..8 {
                let shape = CodeShape {
                    levels: vec![(least + 1, filter)],
                    rest: vec![(least, 0)],
                };
                builder.add(&shape).unwrap();
            }
        }
        let narrow = builder.narrow();
        let bytes = |count: u32| narrow.finish(&[(0..count).collect()]).unwrap().len();
        // 9 bits, 4 for the least symbol, 3 of the filter, 1 for the order: five times four.
        assert_eq!(bytes(128) - bytes(64), 64 * 5 / 2);
    }
}
