//! The probabilities at the end of a trunk, kept compactly: every branch starts from them,
//! whenever it is read.

use super::Book;
use crate::chance::Chance;
use crate::feature::Features;

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

/// What chances have become after up to six bits, by these behind a bit that is set.
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
    use crate::board::{CodecBoard, CodecPiece, Moves};
    use crate::chance::Encoder;
    use crate::code::CodeShape;
    use crate::layout::{Split, Spot};

    /// What is opened is what was kept, to the last probability.
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
