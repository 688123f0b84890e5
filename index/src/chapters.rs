//! Which thresholds the values of a table of High Chess stand for, where they
//! are more than values can name: a list for some placements of some pieces.

use retrograde_rules::Piece;

use crate::{Digit, Index};

/// How many thresholds a table can list: their indices are values of 16 bits.
/// Nothing has the index of [`DONT_CARE`](crate::score::DONT_CARE); a list
/// that goes beyond it has anything in its place.
pub const MOST_CURVES: usize = 1 << 16;

/// How the placement of one piece type says which list: its digit `d` of `n`
/// in the indices of the index belongs to part `d * parts / n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// The piece type: a group of the index.
    pub piece: Piece,
    /// How many parts his placements are divided into, from 1 up to as many
    /// as the digit has values.
    pub parts: u32,
}

/// Lists of thresholds by the placement of some pieces: the value `n` stands for
/// the `n`-th of a list. The lists have places among the thresholds of the
/// header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapters {
    /// Whose placement says which list.
    pub by: Vec<Division>,
    /// A list for each combination of parts, the last division's changing
    /// first.
    pub lists: Vec<Vec<u32>>,
}

impl Chapters {
    /// The digits of an index that some divisions go by. Pieces that the index
    /// has no group of are left out.
    pub fn digits(by: &[Division], index: &Index) -> impl Iterator<Item = (Digit, u32)> {
        by.iter()
            .filter_map(|division| Some((index.digit(division.piece)?, division.parts)))
    }

    /// Which list the values of an index are places in.
    #[inline]
    pub fn list(digits: impl IntoIterator<Item = (Digit, u32)>, index: u64) -> usize {
        digits.into_iter().fold(0, |list, (digit, parts)| {
            let parts = u64::from(parts);
            list * parts as usize + (digit.of(index) * parts / digit.size()) as usize
        })
    }

    /// How many lists there are for some divisions; `None` if the index does
    /// not allow them.
    pub fn count(by: &[Division], index: &Index) -> Option<usize> {
        by.iter().try_fold(1_usize, |lists, division| {
            let size = index.digit(division.piece)?.size();
            let parts = (1..=size).contains(&u64::from(division.parts));
            parts.then_some(lists.checked_mul(division.parts as usize)?)
        })
    }

    /// The place among the thresholds of the header that a value of an index
    /// stands for; `None` if the list is shorter.
    pub fn place(&self, index: &Index, idx: u64, value: u16) -> Option<usize> {
        let list = Chapters::list(Chapters::digits(&self.by, index), idx);
        let list = self.lists.get(list)?;
        list.get(usize::from(value)).map(|&place| place as usize)
    }
}
