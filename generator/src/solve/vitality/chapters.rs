//! Naming the staircases of a class that has more of them than values: for
//! each placement of its pawns apart, and if need be of part of its other men.

use retrograde_probe::format::{Chapters, Division, MOST_THRESHOLDS};
use retrograde_probe::index::{Digit, Index};
use retrograde_rules::Kind;

use super::super::UNUSED;
use super::super::grid::GridMap;
use super::super::layout::Layout;
use super::super::solution::SolveError;
use super::solution::NO_POSITION;

/// The place in a list that is the value for no position.
const NO_VALUE: usize = UNUSED as u16 as usize;

/// Into how many parts the placements of a second kind of man are divided at
/// most. Every part costs the file another list.
const MOST_PARTS: u32 = 16;

/// Lists of the staircases, numbers below `count`, that occur with a placement
/// of the pawns, the most frequent first. Where that is too many for a list,
/// the placements of another kind of man are divided, too: that kind for which
/// the fewest parts do.
pub(super) fn chapters(
    layout: &Layout,
    walks: &[Vec<u32>; 2],
    count: usize,
) -> Result<Chapters, SolveError> {
    let index = &layout.index;
    let men = || index.groups().iter().map(|group| group.man());
    let Some(pawn) = men().find(|man| man.kind == Kind::Pawn) else {
        return Err(SolveError::TooMany(count));
    };
    let division = |man, parts: u64| Division {
        man,
        parts: parts as u32,
    };
    let size = |man| index.digit(man).map_or(1, |digit| digit.size());
    let pawns = division(pawn, size(pawn));
    let mut ways = vec![vec![pawns]];
    for parts in (1..).map(|n| 1 << n).take_while(|&n| n <= MOST_PARTS) {
        let others = men().filter(|&man| man != pawn && size(man) >= u64::from(parts));
        ways.extend(others.map(|man| vec![pawns, division(man, parts.into())]));
    }
    let mut longest = count;
    for by in ways {
        let frequencies = frequencies(layout, walks, count, &by);
        let lengths = frequencies
            .iter()
            .map(|f| f.iter().filter(|&&n| n > 0).count());
        let most = lengths.max().unwrap_or(0);
        // One place may be the one that no value has.
        if most < MOST_THRESHOLDS {
            let lists = frequencies.into_iter().map(list).collect();
            return Ok(Chapters { by, lists });
        }
        longest = longest.min(most);
    }
    Err(SolveError::TooMany(longest))
}

/// How often each staircase occurs, list by list.
fn frequencies(
    layout: &Layout,
    walks: &[Vec<u32>; 2],
    count: usize,
    by: &[Division],
) -> Vec<Vec<u32>> {
    let index = &layout.index;
    let digits: Vec<(Digit, u32)> = Chapters::digits(by, index).collect();
    let map = GridMap::with_index(layout, index);
    let mut lists = vec![vec![0; count]; Chapters::count(by, index).unwrap_or(0)];
    for walks in walks {
        let mut numbers = 0..index.len();
        map.gather(0..index.len(), |position| {
            if let Some(number) = numbers.next()
                && walks[position] != NO_POSITION
            {
                let list = Chapters::list(digits.iter().copied(), number);
                lists[list][walks[position] as usize] += 1;
            }
        });
    }
    lists
}

/// The staircases of a list, the most frequent first.
fn list(frequencies: Vec<u32>) -> Vec<u32> {
    let mut list: Vec<u32> = (0..frequencies.len() as u32)
        .filter(|&walk| frequencies[walk as usize] > 0)
        .collect();
    list.sort_by_key(|&walk| std::cmp::Reverse(frequencies[walk as usize]));
    if list.len() > NO_VALUE {
        // No position may have the value that means none.
        list.insert(NO_VALUE, 0);
    }
    list
}

/// The values of staircases, by the placement of the pawns.
pub(super) struct Names {
    digits: Vec<(Digit, u32)>,
    values: Vec<Vec<u16>>,
}

impl Names {
    /// For the numbers of `index`, of `count` staircases.
    pub(super) fn new(chapters: &Chapters, index: &Index, count: usize) -> Names {
        let values = chapters.lists.iter().map(|list| {
            let mut values = vec![0; count];
            for (value, &walk) in list.iter().enumerate() {
                if value != NO_VALUE {
                    values[walk as usize] = value as u16;
                }
            }
            values
        });
        Names {
            digits: Chapters::digits(&chapters.by, index).collect(),
            values: values.collect(),
        }
    }

    /// The value for a staircase at a number.
    #[inline]
    pub(super) fn value(&self, number: u64, walk: u32) -> i16 {
        let list = Chapters::list(self.digits.iter().copied(), number);
        self.values[list][walk as usize] as i16
    }
}
