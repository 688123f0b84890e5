//! Sets of squares, as words of a bit for each.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};
use std::sync::OnceLock;

use crate::board::Sights;
use crate::masks::Masks;

/// A word of a bit for each square of a board.
pub(crate) trait Squares:
    Copy
    + Default
    + Eq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// No square.
    const NONE: Self;

    /// The word with these bits, as far as it has them.
    fn of_bits(bits: u128) -> Self;

    /// The number of squares.
    fn count(self) -> u32;

    /// The lowest square; the number of bits if there is none.
    fn lowest(self) -> u32;

    /// The squares without the lowest.
    fn rest(self) -> Self;

    /// Whether a number is in the set: below 64 if the word has no more bits.
    fn has(self, number: u8) -> bool;

    /// What is known of a board, worked out when it is first asked for.
    fn masks(sights: &Sights) -> &Masks<Self>;

    /// One square.
    #[inline(always)]
    fn one(square: u8) -> Self {
        Self::of_bits(1 << (square & 127))
    }

    /// All squares or none.
    #[inline(always)]
    fn all_if(condition: bool) -> Self {
        if condition { !Self::NONE } else { Self::NONE }
    }

    /// Calls `each` with the squares in ascending order.
    #[inline(always)]
    fn each(self, mut each: impl FnMut(u8)) {
        let mut left = self;
        while left != Self::NONE {
            each(left.lowest() as u8);
            left = left.rest();
        }
    }
}

/// What is known of a board in words of either length.
#[derive(Debug, Default)]
pub(crate) struct AllMasks {
    low: OnceLock<Masks<u64>>,
    all: OnceLock<Masks<u128>>,
}

macro_rules! squares {
    ($word:ty, $place:ident) => {
        impl Squares for $word {
            const NONE: $word = 0;

            #[inline(always)]
            fn of_bits(bits: u128) -> $word {
                bits as $word
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn rest(self) -> $word {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn has(self, number: u8) -> bool {
                self >> (number & (<$word>::BITS - 1) as u8) & 1 != 0
            }

            fn masks(sights: &Sights) -> &Masks<$word> {
                sights.masks.$place.get_or_init(|| Masks::new(sights))
            }
        }
    };
}
squares!(u64, low);
squares!(u128, all);
