//! The probabilities at the end of a trunk, kept compactly: every branch starts from them,
//! whenever it is read.

use super::Book;
use crate::chance::Chance;
use crate::feature::Features;

/// A [`Book`] without the probabilities of which nothing has been seen; most are such.
#[derive(Clone, Debug)]
pub(crate) struct KeptBook {
    symbols: u32,
    /// A bit for each probability: whether something has been seen of it.
    seen: Box<[u64]>,
    /// The probabilities whose bit is set, in order.
    chances: Box<[Chance]>,
    /// The first symbol of the previous leaf.
    before: u16,
    /// The symbols of the previous leaf, and what is remembered of each.
    had: Box<[(u16, u8)]>,
}

impl KeptBook {
    /// Keeps a book.
    pub(crate) fn new(mut book: Book) -> KeptBook {
        let (mut seen, mut chances) = (Vec::new(), Vec::new());
        for (place, &mut chance) in book.chances().enumerate() {
            if place % 64 == 0 {
                seen.push(0);
            }
            if chance.is_new() {
                continue;
            }
            chances.push(chance);
            if let Some(word) = seen.last_mut() {
                *word |= 1 << (place % 64);
            }
        }
        let last = |symbol: u16| book.last.get(usize::from(symbol)).copied().unwrap_or(0);
        KeptBook {
            symbols: book.symbols(),
            seen: seen.into(),
            chances: chances.into(),
            before: book.before,
            had: book.had.iter().map(|&had| (had, last(had))).collect(),
        }
    }

    /// The book, given the features that it was made for.
    pub(crate) fn open(&self, features: &Features) -> Book {
        let mut book = Book::new(features, self.symbols);
        let mut chances = self.chances.iter();
        for (place, chance) in book.chances().enumerate() {
            let word = self.seen.get(place / 64).copied().unwrap_or(0);
            if word >> (place % 64) & 1 != 0
                && let Some(&known) = chances.next()
            {
                *chance = known;
            }
        }
        book.before = self.before;
        for &(symbol, length) in &self.had {
            book.remember(symbol, length);
        }
        book.had = self.had.iter().map(|&(symbol, _)| symbol).collect();
        book
    }

    /// The size in memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<KeptBook>()
            + size_of_val(&*self.seen)
            + size_of_val(&*self.chances)
            + size_of_val(&*self.had)
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
        assert!(KeptBook::new(book).bytes() < 4000);
    }
}
