//! Which curves the values of a threshold table stand for, if there are more
//! curves than values: each chapter, a set of placements of some pieces, has a
//! list of its own.

use retrograde_rules::Piece;

use crate::{Digit, Index};

/// How many curves a list can have: their places in it are values of 16 bits. No
/// position has the value [`DONT_CARE`](crate::score::DONT_CARE); what a longer
/// list has in that place does not matter.
pub const MOST_CURVES: usize = 1 << 16;

/// How the placement of one group of pieces selects the list: its digit `d` of `n`
/// belongs to part `d * parts / n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// The pieces: a group of the index.
    pub piece: Piece,
    /// The number of parts, from 1 to the number of values of the digit.
    pub parts: u32,
}

/// Lists of curves by the placement of some pieces: the value `n` stands for place
/// `n` of a list. The lists contain places among the curves of the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapters {
    /// The pieces whose placement selects the list.
    pub by: Vec<Division>,
    /// A list for each combination of parts, that of the last division varying
    /// fastest.
    pub lists: Vec<Vec<u32>>,
}

impl Chapters {
    /// The digits that some divisions refer to, with the numbers of parts. Pieces
    /// that are not a group of the index are left out.
    pub fn digits(by: &[Division], index: &Index) -> impl Iterator<Item = (Digit, u32)> {
        by.iter()
            .filter_map(|division| Some((index.digit(division.piece)?, division.parts)))
    }

    /// The list for an index.
    #[inline]
    pub fn list(digits: impl IntoIterator<Item = (Digit, u32)>, index: u64) -> usize {
        digits.into_iter().fold(0, |list, (digit, parts)| {
            let parts = u64::from(parts);
            list * parts as usize + (digit.of(index) * parts / digit.size()) as usize
        })
    }

    /// The number of lists for some divisions; `None` if the index does not allow
    /// them.
    pub fn count(by: &[Division], index: &Index) -> Option<usize> {
        by.iter().try_fold(1_usize, |lists, division| {
            let size = index.digit(division.piece)?.size();
            let parts = (1..=size).contains(&u64::from(division.parts));
            parts.then_some(lists.checked_mul(division.parts as usize)?)
        })
    }

    /// The place, among the curves of the header, that the value of an index
    /// stands for; `None` if the list is shorter.
    pub fn place(&self, index: &Index, idx: u64, value: u16) -> Option<usize> {
        let list = Chapters::list(Chapters::digits(&self.by, index), idx);
        let list = self.lists.get(list)?;
        list.get(usize::from(value)).map(|&place| place as usize)
    }
}
