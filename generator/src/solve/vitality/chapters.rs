//! Naming the staircases of a class that has more of them than values: for
//! each placement of its pawns apart, where they are few enough.

use retrograde_probe::format::{Chapters, MOST_THRESHOLDS};
use retrograde_probe::index::{Digit, Index};
use retrograde_rules::{Colour, Kind};

use super::super::UNUSED;
use super::super::grid::GridMap;
use super::super::layout::Layout;
use super::super::solution::SolveError;
use super::solution::NO_POSITION;

/// The place in a list that is the value for no position.
const NO_VALUE: usize = UNUSED as u16 as usize;

/// A list for each placement of the pawns: the staircases, numbers below
/// `count`, that occur with it, the most frequent first.
pub(super) fn chapters(
    layout: &Layout,
    walks: &[Vec<u32>; 2],
    count: usize,
) -> Result<Chapters, SolveError> {
    let men = layout.index.groups().iter().map(|group| group.man());
    let Some(man) = men.into_iter().find(|man| man.kind == Kind::Pawn) else {
        return Err(SolveError::TooMany(count));
    };
    let Some(digit) = layout.index.digit(man) else {
        return Err(SolveError::TooMany(count));
    };
    let map = GridMap::with_index(layout, &layout.index);
    let mut frequencies = vec![vec![0_u32; count]; digit.size() as usize];
    for turn in Colour::BOTH {
        let walks = &walks[turn.index()];
        let mut numbers = 0..layout.index.len();
        map.gather(0..layout.index.len(), |position| {
            if let Some(number) = numbers.next()
                && walks[position] != NO_POSITION
            {
                frequencies[digit.of(number) as usize][walks[position] as usize] += 1;
            }
        });
    }
    let lists = frequencies.into_iter().map(|frequencies| {
        let mut list: Vec<u32> = (0..count as u32)
            .filter(|&walk| frequencies[walk as usize] > 0)
            .collect();
        list.sort_by_key(|&walk| std::cmp::Reverse(frequencies[walk as usize]));
        if list.len() > NO_VALUE {
            // No position may have the value that means none.
            list.insert(NO_VALUE, 0);
        }
        match list.len() {
            0..=MOST_THRESHOLDS => Ok(list),
            _ => Err(SolveError::TooMany(list.len())),
        }
    });
    let lists = lists.collect::<Result<_, _>>()?;
    Ok(Chapters { man, lists })
}

/// The values of staircases, by the placement of the pawns.
pub(super) struct Names {
    digit: Option<Digit>,
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
            digit: index.digit(chapters.man),
            values: values.collect(),
        }
    }

    /// The value for a staircase at a number.
    #[inline]
    pub(super) fn value(&self, number: u64, walk: u32) -> i16 {
        let list = self.digit.map_or(0, |digit| digit.of(number));
        self.values[list as usize][walk as usize] as i16
    }
}
