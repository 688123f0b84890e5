//! Codes the nodes and leaves of models as bits with probabilities, to read and to write them.
//!
//! A tree is coded from the root, each node before its children, the left subtree
//! before the right one. [`Book`] has a probability for every bit; reader and writer
//! use the same functions, so they cannot differ.

use crate::LearnedError;
use crate::code::CodeShape;
use crate::feature::{Domain, Feature, FeatureKind, Features};
use crate::line::LEVELS;
use crate::range_coder::{Chance, Coder};

/// The greatest depth of a leaf.
pub const DEEPEST: usize = 96;

/// The spot of a node, on which its probabilities depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The number of nodes above it.
    pub depth: u8,
    /// Whether the left child is a leaf, for a right child.
    pub sibling: Option<bool>,
}

impl Spot {
    /// The root of a tree.
    pub const ROOT: Spot = Spot {
        depth: 0,
        sibling: None,
    };

    /// The left child of a node; the right one, given whether the left one is a leaf.
    #[must_use]
    pub fn child(self, sibling: Option<bool>) -> Spot {
        Spot {
            depth: self.depth.saturating_add(1),
            sibling,
        }
    }
}

/// The question of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The place of the feature.
    pub feature: u8,
    /// The values that go left, one bit each. For [`Domain::Order`] they are 0 up to
    /// some threshold.
    pub left: u128,
}

/// The probabilities of everything that is coded in a model.
#[derive(Clone, Debug)]
pub struct Book {
    leaf: [[Chance; 3]; 32],
    branch: [Chance; 32],
    feature: [Chance; 256],
    threshold: [[Chance; 32]; KINDS],
    /// The probabilities of sets of squares, of distances, and of every other feature divided by
    /// sets.
    sets: Box<[Chance]>,
    /// The place in `sets` of the probabilities of each feature.
    set_of: Box<[u16]>,
    first: [Chance; 2],
    shift: [Chance; 64],
    span: [Chance; 64],
    present: [Chance; 16],
    levels: [[Chance; 4]; 8],
    which: [[Chance; 16]; 17],
    filter: [[Chance; 16]; LEVELS],
    length: Box<[[Chance; 16]]>,
    /// The previous leaf: its first symbol, and the lengths of its symbols plus 1 (0
    /// for symbols that it does not have).
    before: u16,
    last: Box<[u8]>,
    had: Vec<u16>,
}

const KINDS: usize = FeatureKind::Context as usize + 1;
/// The chances of sets whose values have neighbours on a board.
const NEAR: usize = 36;
/// The chances of the lengths of codes: the first of a leaf, and others.
const LENGTHS: usize = 64 + 64;

/// The chances of the sets of a feature.
fn chances_of(feature: &Feature) -> usize {
    match feature.kind {
        FeatureKind::Square | FeatureKind::Apart => NEAR,
        _ => 3 * usize::from(feature.size),
    }
}

impl Book {
    /// A book before anything is coded, for a material and a number of symbols (1 to 65536).
    pub fn new(features: &Features, symbols: u32) -> Book {
        // Sets of squares and distances are similar for all pieces.
        let mut sets = 2 * NEAR;
        let set_of = features.list().iter().map(|feature| {
            let first = match (feature.domain, feature.kind) {
                (Domain::Order, _) | (_, FeatureKind::Square) => 0,
                (_, FeatureKind::Apart) => NEAR,
                _ => {
                    sets += chances_of(feature);
                    sets - chances_of(feature)
                }
            };
            first as u16
        });
        let set_of = set_of.collect();
        Book {
            leaf: [[Chance::NEW; 3]; 32],
            branch: [Chance::NEW; 32],
            feature: [Chance::NEW; 256],
            threshold: [[Chance::NEW; 32]; KINDS],
            sets: vec![Chance::NEW; sets].into(),
            set_of,
            first: [Chance::NEW; 2],
            shift: [Chance::NEW; 64],
            span: [Chance::NEW; 64],
            present: [Chance::NEW; 16],
            levels: [[Chance::NEW; 4]; 8],
            which: [[Chance::NEW; 16]; 17],
            filter: [[Chance::NEW; 16]; LEVELS],
            length: vec![[Chance::NEW; 16]; LENGTHS].into(),
            before: 0,
            last: vec![0; symbols as usize].into(),
            had: vec![],
        }
    }

    /// The number that all symbols are below.
    pub fn symbols(&self) -> u32 {
        self.last.len() as u32
    }

    /// Iterates over the probabilities, always in the same order.
    fn chances(&mut self) -> impl Iterator<Item = &mut Chance> {
        let arrays = self.leaf.as_flattened_mut().iter_mut();
        let arrays = arrays.chain(&mut self.branch).chain(&mut self.feature);
        let arrays = arrays.chain(self.threshold.as_flattened_mut());
        let arrays = arrays.chain(&mut self.sets).chain(&mut self.first);
        let arrays = arrays.chain(&mut self.shift).chain(&mut self.span);
        let arrays = arrays.chain(&mut self.present);
        let arrays = arrays.chain(self.levels.as_flattened_mut());
        let arrays = arrays.chain(self.which.as_flattened_mut());
        let arrays = arrays.chain(self.filter.as_flattened_mut());
        arrays.chain(self.length.as_flattened_mut())
    }

    /// Codes whether a node is a leaf.
    pub fn is_leaf<C: Coder>(&mut self, coder: &mut C, spot: Spot, leaf: bool) -> bool {
        let side = match spot.sibling {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        coder.bit(&mut self.leaf[usize::from(spot.depth.min(31))][side], leaf)
    }

    /// Codes whether a node of the trunk is the root of a branch.
    pub fn is_branch<C: Coder>(&mut self, coder: &mut C, spot: Spot, branch: bool) -> bool {
        coder.bit(&mut self.branch[usize::from(spot.depth.min(31))], branch)
    }

    /// Codes the question of a node.
    ///
    /// # Errors
    /// There is no such feature, or a threshold is out of range.
    pub fn split<C: Coder>(
        &mut self,
        coder: &mut C,
        features: &Features,
        split: Split,
    ) -> Result<Split, LearnedError> {
        let number = coder.number(&mut self.feature, 8, u32::from(split.feature)) as u8;
        let Some(feature) = features.list().get(usize::from(number)) else {
            return Err(LearnedError::Model(
                "a node asks for a feature that does not exist",
            ));
        };
        let left = match feature.domain {
            Domain::Order => {
                let chances = &mut self.threshold[feature.kind as usize];
                let threshold = coder.number(chances, 5, split.left.count_ones().max(1) - 1);
                if threshold + 1 >= u32::from(feature.size) {
                    return Err(LearnedError::Model("a threshold is out of range"));
                }
                (2u128 << threshold) - 1
            }
            Domain::Set { row } => {
                let first = self.set_of.get(usize::from(number));
                let own = first.map(|&first| {
                    let first = usize::from(first);
                    first..first + chances_of(feature)
                });
                match own.and_then(|own| self.sets.get_mut(own)) {
                    Some(chances) => set(coder, chances, feature, row, split.left),
                    None => return Err(LearnedError::Model("a node asks for no feature")),
                }
            }
        };
        Ok(Split {
            feature: number,
            left,
        })
    }

    /// Codes a leaf.
    ///
    /// # Errors
    /// A symbol is out of range, or there are as many levels as symbols.
    pub fn shape<C: Coder>(
        &mut self,
        coder: &mut C,
        shape: &mut CodeShape,
    ) -> Result<(), LearnedError> {
        let all = self.symbols_of(coder, shape)?;
        let count = all.len();
        let mut levels = Vec::new();
        let mut rest = all;
        if count > 1 {
            let given = shape.levels.len() as u32;
            let chances = &mut self.levels[count.min(7)];
            let many = coder.number(chances, 2, given) as usize;
            if many >= count {
                return Err(LearnedError::Model("a leaf has too many levels"));
            }
            for level in 0..many {
                let (symbol, filter) = shape.levels.get(level).copied().unwrap_or((0, 0));
                let place = rest.iter().position(|&s| s == symbol).unwrap_or(0);
                let place = self.place(coder, rest.len(), place);
                if place >= rest.len() {
                    return Err(LearnedError::Model("a level has no symbol"));
                }
                let filter = coder.number(&mut self.filter[level], 4, u32::from(filter));
                levels.push((rest.remove(place), filter as u8));
            }
        }
        let lengths = self.lengths(coder, shape, &rest);
        // Only the previous leaf is remembered.
        let mut had = std::mem::take(&mut self.had);
        for symbol in had.drain(..) {
            self.remember(symbol, 0);
        }
        had.extend(levels.iter().map(|&(symbol, _)| symbol));
        had.extend(&rest);
        self.had = had;
        for &(symbol, filter) in &levels {
            self.remember(symbol, filter.min(6) + 1);
        }
        for (&symbol, &length) in rest.iter().zip(&lengths) {
            self.remember(symbol, length + 1);
        }
        *shape = CodeShape {
            levels,
            rest: rest.into_iter().zip(lengths).collect(),
        };
        Ok(())
    }

    /// Codes which symbols a leaf has, in ascending order.
    fn symbols_of<C: Coder>(
        &mut self,
        coder: &mut C,
        shape: &CodeShape,
    ) -> Result<Vec<u16>, LearnedError> {
        let given = if C::READS { vec![] } else { shape.symbols() };
        let (low, high) = match (given.first(), given.last()) {
            (Some(&low), Some(&high)) => (low, high),
            _ => (0, 0),
        };
        let mut first = u32::from(self.before);
        if coder.bit(&mut self.first[0], low != self.before) {
            let less = coder.bit(&mut self.first[1], low < self.before);
            let far = coder.any(
                &mut self.shift,
                u32::from(low.abs_diff(self.before)).max(1) - 1,
            ) + 1;
            first = if less {
                first.wrapping_sub(far)
            } else {
                first + far
            };
        }
        let span = coder.any(&mut self.span, u32::from(high - low));
        let symbols = self.symbols();
        if first >= symbols || span >= symbols - first {
            return Err(LearnedError::Model("a symbol is out of range"));
        }
        let mut all = vec![first as u16];
        let (mut near, mut given) = (3, given.iter().peekable());
        for symbol in first + 1..first + span {
            let symbol = symbol as u16;
            while given.next_if(|&&s| s < symbol).is_some() {}
            let known = u8::from(self.last[usize::from(symbol)] != 0);
            let chance = &mut self.present[(near << 1 | usize::from(known)) & 15];
            let present = coder.bit(chance, given.peek() == Some(&&symbol));
            near = (near << 1 | usize::from(present)) & 7;
            if present {
                all.push(symbol);
            }
        }
        if span > 0 {
            all.push((first + span) as u16);
        }
        self.before = first as u16;
        Ok(all)
    }

    /// Codes a place below `many`.
    fn place<C: Coder>(&mut self, coder: &mut C, many: usize, place: usize) -> usize {
        if many <= 1 {
            return 0;
        }
        let bits = (many - 1).ilog2() + 1;
        if bits <= 4 {
            return coder.number(&mut self.which[many], bits, place as u32) as usize;
        }
        let mut out = 0;
        for bit in (0..bits).rev() {
            let mut even = Chance::NEW;
            out = out << 1 | usize::from(coder.bit(&mut even, place >> bit & 1 != 0));
        }
        out
    }

    /// Codes the lengths of the symbols without a level.
    fn lengths<C: Coder>(&mut self, coder: &mut C, shape: &CodeShape, rest: &[u16]) -> Vec<u8> {
        match rest.len() {
            0 | 1 => return vec![0; rest.len()],
            2 => return vec![1; 2],
            _ => {}
        }
        let most = rest.len().min(9) - 3;
        let mut near = 0;
        let mut lengths = Vec::with_capacity(rest.len());
        for (place, &symbol) in rest.iter().enumerate() {
            let given = shape.rest.get(place).map_or(1, |&(_, length)| length);
            let known = self.last[usize::from(symbol)].min(7);
            let context = if place == 0 {
                usize::from(known) << 3 | most
            } else {
                64 + (usize::from(near) << 3 | usize::from(known))
            };
            let length = match self.length.get_mut(context) {
                Some(chances) => coder.number(chances, 4, u32::from(given)) as u8,
                None => 0,
            };
            near = length.min(7);
            lengths.push(length);
        }
        lengths
    }

    fn remember(&mut self, symbol: u16, length: u8) {
        if let Some(last) = self.last.get_mut(usize::from(symbol)) {
            *last = length;
        }
    }
}

/// Codes a set of values. A value usually goes where its neighbours go.
fn set<C: Coder>(
    coder: &mut C,
    chances: &mut [Chance],
    feature: &Feature,
    row: u8,
    left: u128,
) -> u128 {
    let (size, row) = (feature.size.min(128), row.max(1));
    let mut out = 0u128;
    let has = |out: u128, value: u8| usize::from(out >> value & 1 != 0);
    for value in 0..size {
        let context = match feature.kind {
            FeatureKind::Square | FeatureKind::Apart => {
                let (column, inner) = (value % row, value >= row);
                let west = if column > 0 { has(out, value - 1) } else { 2 };
                let south = if inner { has(out, value - row) } else { 2 };
                let corner = |near: bool, far: u8| {
                    if near && inner {
                        has(out, value.wrapping_sub(far) & 127)
                    } else {
                        0
                    }
                };
                let (south_west, south_east) = (
                    corner(column > 0, row + 1),
                    corner(column + 1 < row, row - 1),
                );
                (west * 3 + south) << 2 | south_west << 1 | south_east
            }
            _ => {
                let before = if value > 0 { has(out, value - 1) } else { 2 };
                usize::from(value) * 3 + before
            }
        };
        if let Some(chance) = chances.get_mut(context) {
            let bit = coder.bit(chance, left >> value & 1 != 0);
            out |= u128::from(bit) << value;
        }
    }
    out
}

/// A [`Book`] in few bytes: of most probabilities nothing has been seen, or little.
#[derive(Clone, Debug)]
pub(crate) struct KeptBook {
    symbols: u32,
    /// The probabilities in order. Each byte says what it is about:
    ///
    /// ```text
    /// 1..128    one that has seen fewer than seven bits: these, behind a bit that is set
    /// 128..160  one that has seen so many bits above 128; its value follows in two bytes
    /// 160..256  so many above 159 that have seen nothing
    /// ```
    chances: Box<[u8]>,
    /// The first symbol of the previous leaf.
    before: u16,
    /// The symbols of the previous leaf, and what is remembered of each.
    had: Box<[(u16, u8)]>,
}

/// The chances after up to six bits, by these bits behind a bit that is set.
fn few() -> [Chance; 128] {
    let mut few = [Chance::NEW; 128];
    for bits in 2..few.len() {
        few[bits] = few[bits / 2];
        few[bits].learn(bits % 2 == 1);
    }
    few
}

const MANY: u8 = 128;
const NONE: u8 = 160;
const MOST_NONE: u8 = u8::MAX - NONE;

impl KeptBook {
    /// Keeps a book.
    pub(crate) fn new(mut book: Book) -> KeptBook {
        let few = few();
        let (mut chances, mut new) = (Vec::new(), 0u8);
        for &mut chance in book.chances() {
            if chance == Chance::NEW {
                match chances.last_mut() {
                    Some(last) if (1..=MOST_NONE).contains(&new) => *last += 1,
                    _ => {
                        chances.push(NONE);
                        new = 0;
                    }
                }
                new += 1;
                continue;
            }
            new = 0;
            let (value, seen) = chance.to_parts();
            let alike = few.get(1 << seen..2 << seen).unwrap_or(&[]);
            match alike.iter().position(|&few| few == chance) {
                Some(bits) => chances.push((1 << seen) + bits as u8),
                None => {
                    chances.push(MANY + seen);
                    chances.extend(value.to_le_bytes());
                }
            }
        }
        let last = |symbol: u16| book.last.get(usize::from(symbol)).copied().unwrap_or(0);
        KeptBook {
            symbols: book.symbols(),
            chances: chances.into(),
            before: book.before,
            had: book.had.iter().map(|&had| (had, last(had))).collect(),
        }
    }

    /// The book, given the features that it was made for.
    pub(crate) fn open(&self, features: &Features) -> Book {
        let mut book = Book::new(features, self.symbols);
        let few = few();
        let mut kept = self.chances.iter().copied();
        let mut next = || kept.next().unwrap_or(0);
        let mut chances = book.chances();
        while let Some(chance) = chances.next() {
            match next() {
                bits @ ..MANY => *chance = few[usize::from(bits)],
                seen @ MANY..NONE => {
                    let value = u16::from_le_bytes([next(), next()]);
                    *chance = Chance::from_parts(value, seen - MANY);
                }
                NONE => {}
                more => drop(chances.nth(usize::from(more - NONE) - 1)),
            }
        }
        drop(chances);
        book.before = self.before;
        for &(symbol, length) in &self.had {
            book.remember(symbol, length);
        }
        book.had = self.had.iter().map(|&(symbol, _)| symbol).collect();
        book
    }

    /// The size in memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<KeptBook>() + size_of_val(&*self.chances) + size_of_val(&*self.had)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_and_pieces::{CodecBoard, CodecPiece, Moves};
    use crate::code::CodeShape;
    use crate::range_coder::Encoder;

    /// A book is opened as it was kept, to the last probability.
    #[test]
    fn a_kept_book_opens_again() {
        let king = CodecPiece {
            black: false,
            moves: Moves::KING,
            royal: true,
        };
        let black = true;
        let rook = CodecPiece {
            moves: Moves::STRAIGHT,
            royal: false,
            ..king
        };
        let pieces = [king, rook, CodecPiece { black, ..king }];
        let board = CodecBoard::new(8, 8).expect("it is small");
        let features = Features::new(board, &pieces, &[]).expect("they are few");
        let mut book = Book::new(&features, 40);
        let mut coder = Encoder::new();
        for turn in 0..60 {
            book.is_leaf(&mut coder, Spot::ROOT, turn % 3 == 0);
            book.is_branch(&mut coder, Spot::ROOT, turn % 7 == 0);
            let feature = turn % features.list().len() as u8;
            let left = 0b1101 << (turn % 2);
            book.split(&mut coder, &features, Split { feature, left })
                .expect("it exists");
            let low = u16::from(turn) % 30;
            let mut shape = CodeShape {
                levels: vec![(low + 4, 3)],
                rest: vec![(low, 2), (low + 1, 2), (low + 3, 1)],
            };
            book.shape(&mut coder, &mut shape).expect("it is sound");
            let kept = KeptBook::new(book.clone());
            assert_eq!(format!("{:?}", kept.open(&features)), format!("{book:?}"));
        }
        assert!(KeptBook::new(book).bytes() < 1000);
    }
}
