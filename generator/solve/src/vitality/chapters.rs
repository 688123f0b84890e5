//! Numbers the curves of a material that has more of them than values, in separate lists.
//!
//! There is a list for each placement of its pawns, if it has any, and, if necessary, of some of
//! its other pieces.

use retrograde_index::{Chapters, Division, MOST_CURVES};
use retrograde_index::{Digit, Index};
use retrograde_rules::PieceType;

use super::super::error::SolveError;
use super::super::grid::GridMap;
use super::super::layout::Layout;
use super::super::read::UNUSED;

/// Stands for no curve, where there is no position.
pub(super) const NO_POSITION: u32 = u32::MAX;

/// The place in a list that is not a value of any position.
const NO_VALUE: usize = UNUSED as u16 as usize;

/// The most parts that the placements of groups other than pawns are divided into. Every
/// part costs the file another list.
const MOST_PARTS: u64 = 1 << 12;
/// The number of parts above which two groups are divided, and not one alone.
const ONE_GROUP: u64 = 16;

/// Lists of the curves, numbers below `count`, that occur with a placement of the pawns,
/// the most frequent first. If these are too many for a list, the placements of other
/// groups are divided as well, into as few parts as suffice.
pub(super) fn chapters(
    layout: &Layout,
    curves: &[Vec<u32>; 2],
    count: usize,
) -> Result<Chapters, SolveError> {
    let mut longest = count;
    for by in ways(&layout.index) {
        // Every curve is in some list.
        let lists = Chapters::count(&by, &layout.index).unwrap_or(0);
        if lists.saturating_mul(MOST_CURVES - 1) < count {
            continue;
        }
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

/// The ways to divide the placements, those with the fewest parts first.
fn ways(index: &Index) -> Vec<Vec<Division>> {
    let sizes = index.groups().iter().map(|group| {
        let piece = group.piece();
        (piece, index.digit(piece).map_or(1, |digit| digit.size()))
    });
    let (pawns, others): (Vec<_>, Vec<_>) =
        sizes.partition(|(piece, _)| piece.piece_type == PieceType::Pawn);
    let division = |(piece, _), parts: u64| Division {
        piece,
        parts: parts as u32,
    };
    let pawns: Vec<Division> = pawns.iter().take(1).map(|&p| division(p, p.1)).collect();
    let with = |more: &[Division]| pawns.iter().chain(more).copied().collect();
    let mut ways: Vec<Vec<Division>> = vec![with(&[])];
    for parts in (1..).map(|n| 1 << n).take_while(|&n| n <= MOST_PARTS) {
        let wide = |parts: u64| others.iter().filter(move |(_, size)| *size >= parts);
        ways.extend(wide(parts).map(|&one| with(&[division(one, parts)])));
        if parts <= ONE_GROUP {
            continue;
        }
        for (first, second) in (1..).map(|n| (1 << n, parts >> n)).take_while(|p| p.1 > 1) {
            for &one in wide(first) {
                let after = wide(second).filter(|(piece, _)| *piece > one.0);
                ways.extend(after.map(|&two| with(&[division(one, first), division(two, second)])));
            }
        }
    }
    ways
}

/// A set of curves.
struct Set {
    words: Vec<u64>,
    /// The number of curves in the words before each word.
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
    /// Numbers `count` curves for the indices of `index`.
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
    use retrograde_rules::{Game, Material};

    use super::*;

    fn layout(material: &str) -> Layout {
        let game = Game::parse("high-chess").unwrap();
        Layout::new(game, &Material::parse(game, material).unwrap()).unwrap()
    }

    #[test]
    fn curves_have_values_without_pawns_too() {
        let layout = layout("KQvKR");
        let index = &layout.index;
        let queen = index.digit(index.groups()[0].piece()).unwrap();
        let map = GridMap::with_index(&layout, index);
        // 3000 curves for each square of the queen: more than 65536, but not for a part
        // of the squares.
        let curve = |idx: u64| (queen.of(idx) * 3000 + idx * 7 % 3000) as u32;
        let count = 3000 * queen.size() as usize;
        let mut grid = vec![NO_POSITION; layout.block_positions() * layout.blocks()];
        let mut indices = 0..index.len();
        map.gather(0..index.len(), |position| {
            grid[position] = curve(indices.next().unwrap());
        });
        let curves = [grid.clone(), grid];
        let chapters = chapters(&layout, &curves, count).unwrap();
        assert_eq!(chapters.by.len(), 1);
        assert_eq!(chapters.by[0].parts, 4);
        let names = Names::new(&chapters, index, count);
        for idx in (0..index.len()).step_by(97) {
            let value = names.value(idx, curve(idx)) as u16;
            assert_eq!(
                chapters.place(index, idx, value),
                Some(curve(idx) as usize),
                "{idx}"
            );
        }
    }

    #[test]
    fn ways_to_divide_have_ever_more_parts() {
        for material in ["KQvKR", "KQRvKB", "KRPvKR", "KPvKP"] {
            let layout = layout(material);
            let parts = |by: &Vec<Division>| by.iter().map(|d| u64::from(d.parts)).product();
            let ways = ways(&layout.index);
            let all: Vec<u64> = ways.iter().map(parts).collect();
            assert!(all.is_sorted(), "{material}: {all:?}");
            let fit = |by: &Vec<Division>| Chapters::count(by, &layout.index).is_some();
            assert!(ways.iter().all(fit), "{material}");
        }
    }

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
