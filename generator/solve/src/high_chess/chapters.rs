//! Numbering the curves of a material that has more of them than values: separately for
//! each placement of its pawns and, if necessary, of some of its other pieces.

use retrograde_index::{Chapters, Division, MOST_CURVES};
use retrograde_index::{Digit, Index};
use retrograde_rules::PieceType;

use super::super::grid::GridMap;
use super::super::layout::Layout;
use super::super::read::UNUSED;
use super::super::solution::SolveError;

/// Stands for no curve, where there is no position.
pub(super) const NO_POSITION: u32 = u32::MAX;

/// The place in a list that is not a value of any position.
const NO_VALUE: usize = UNUSED as u16 as usize;

/// The most parts that the placements of a second group are divided into. Every part costs
/// the file another list.
const MOST_PARTS: u32 = 16;

/// Lists of the curves, numbers below `count`, that occur with a placement of the pawns,
/// the most frequent first. If these are too many for a list, the placements of another
/// group are divided as well: the group for which the fewest parts suffice.
pub(super) fn chapters(
    layout: &Layout,
    curves: &[Vec<u32>; 2],
    count: usize,
) -> Result<Chapters, SolveError> {
    let index = &layout.index;
    let pieces = || index.groups().iter().map(|group| group.piece());
    let Some(pawn) = pieces().find(|piece| piece.piece_type == PieceType::Pawn) else {
        return Err(SolveError::TooManyCurves(count));
    };
    let division = |piece, parts: u64| Division {
        piece,
        parts: parts as u32,
    };
    let size = |piece| index.digit(piece).map_or(1, |digit| digit.size());
    let pawns = division(pawn, size(pawn));
    let mut ways = vec![vec![pawns]];
    for parts in (1..).map(|n| 1 << n).take_while(|&n| n <= MOST_PARTS) {
        let others = pieces().filter(|&piece| piece != pawn && size(piece) >= u64::from(parts));
        ways.extend(others.map(|piece| vec![pawns, division(piece, parts.into())]));
    }
    let mut longest = count;
    for by in ways {
        let sets = occurring(layout, curves, count, &by);
        let most = sets.iter().map(|set| set.len).max().unwrap_or(0);
        // One place may be the one that is not a value.
        if most < MOST_CURVES {
            let lists = frequent_first(layout, curves, &by, &sets);
            return Ok(Chapters { by, lists });
        }
        longest = longest.min(most);
    }
    Err(SolveError::TooManyCurves(longest))
}

/// A set of curves.
struct Set {
    words: Vec<u64>,
    /// For each word, the number of curves in the words before it.
    before: Vec<u32>,
    len: usize,
}

impl Set {
    fn new(words: Vec<u64>) -> Set {
        let mut len = 0;
        let before = words.iter().map(|word| {
            let before = len as u32;
            len += word.count_ones() as usize;
            before
        });
        Set {
            before: before.collect(),
            len,
            words,
        }
    }

    /// The curves, in ascending order.
    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(place, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 != 0);
            bits.map(move |bit| place as u32 * 64 + bit)
        })
    }

    /// The place of one of them in that order.
    #[inline]
    fn place(&self, curve: u32) -> usize {
        let word = (curve / 64) as usize;
        let lower = self.words[word] & ((1 << (curve % 64)) - 1);
        self.before[word] as usize + lower.count_ones() as usize
    }
}

/// Visits every position with the list of its curve, and the curve.
fn each(
    layout: &Layout,
    curves: &[Vec<u32>; 2],
    by: &[Division],
    mut visit: impl FnMut(usize, u32),
) {
    let index = &layout.index;
    let digits: Vec<(Digit, u32)> = Chapters::digits(by, index).collect();
    let map = GridMap::with_index(layout, index);
    for curves in curves {
        let mut indices = 0..index.len();
        map.gather(0..index.len(), |position| {
            if let Some(idx) = indices.next()
                && curves[position] != NO_POSITION
            {
                let list = Chapters::list(digits.iter().copied(), idx);
                visit(list, curves[position]);
            }
        });
    }
}

/// The curves that occur in each list.
fn occurring(layout: &Layout, curves: &[Vec<u32>; 2], count: usize, by: &[Division]) -> Vec<Set> {
    let lists = Chapters::count(by, &layout.index).unwrap_or(0);
    let mut sets = vec![vec![0_u64; count.div_ceil(64)]; lists];
    each(layout, curves, by, |list, curve| {
        sets[list][(curve / 64) as usize] |= 1 << (curve % 64);
    });
    sets.into_iter().map(Set::new).collect()
}

/// The curves of each list, the most frequent first.
fn frequent_first(
    layout: &Layout,
    curves: &[Vec<u32>; 2],
    by: &[Division],
    sets: &[Set],
) -> Vec<Vec<u32>> {
    let mut frequencies: Vec<Vec<u32>> = sets.iter().map(|set| vec![0; set.len]).collect();
    each(layout, curves, by, |list, curve| {
        frequencies[list][sets[list].place(curve)] += 1;
    });
    let lists = sets.iter().zip(frequencies).map(|(set, frequencies)| {
        let mut list: Vec<(u32, u32)> = frequencies.into_iter().zip(set.iter()).collect();
        list.sort_by_key(|&(frequency, _)| std::cmp::Reverse(frequency));
        let mut list: Vec<u32> = list.into_iter().map(|(_, curve)| curve).collect();
        if list.len() > NO_VALUE {
            // No position may have the value that means none.
            list.insert(NO_VALUE, 0);
        }
        list
    });
    lists.collect()
}

/// The values of curves, list by list.
pub(super) struct Names {
    digits: Vec<(Digit, u32)>,
    /// The curves of each list, and their values.
    lists: Vec<(Set, Vec<u16>)>,
}

impl Names {
    /// For the indices of `index`, of `count` curves.
    pub(super) fn new(chapters: &Chapters, index: &Index, count: usize) -> Names {
        let lists = chapters.lists.iter().map(|list| {
            let named = || {
                list.iter()
                    .enumerate()
                    .filter(|(value, _)| *value != NO_VALUE)
            };
            let mut words = vec![0; count.div_ceil(64)];
            for (_, curve) in named() {
                words[(curve / 64) as usize] |= 1 << (curve % 64);
            }
            let set = Set::new(words);
            let mut values = vec![0; set.len];
            for (value, &curve) in named() {
                values[set.place(curve)] = value as u16;
            }
            (set, values)
        });
        Names {
            digits: Chapters::digits(&chapters.by, index).collect(),
            lists: lists.collect(),
        }
    }

    /// The value for a curve at an index.
    #[inline]
    pub(super) fn value(&self, index: u64, curve: u32) -> i16 {
        let (set, values) = &self.lists[Chapters::list(self.digits.iter().copied(), index)];
        values[set.place(curve)] as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_set_have_places() {
        let curves: Vec<u32> = (0..1000).filter(|n| n * n % 7 == 2).collect();
        let mut words = vec![0; 16];
        for curve in &curves {
            words[(curve / 64) as usize] |= 1 << (curve % 64);
        }
        let set = Set::new(words);
        assert_eq!(set.len, curves.len());
        assert!(set.iter().eq(curves.iter().copied()));
        for (place, &curve) in curves.iter().enumerate() {
            assert_eq!(set.place(curve), place);
        }
    }
}
