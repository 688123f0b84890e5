//! Keeps all values of one side to move of a table in memory, packed.

#[cfg(feature = "keep")]
use std::ops::Range;

#[cfg(feature = "keep")]
use rayon::prelude::*;
#[cfg(feature = "keep")]
use retrograde_index::Reindexing;
use retrograde_index::score;

/// The values of a side to move, in the order of an index: in a byte each if they are near enough
/// to each other, as those of WDL and DTZ are.
pub struct SideValues(Packed);

#[cfg_attr(
    not(feature = "keep"),
    expect(dead_code, reason = "without the feature nothing is kept")
)]
enum Packed {
    /// Differences from the least value, or [`DONT_CARE`].
    Narrow(i16, Vec<u8>),
    Wide(Vec<i16>),
}

/// Stands for [`score::DONT_CARE`].
const DONT_CARE: u8 = u8::MAX;

/// The value that a byte stands for.
#[inline(always)]
fn value_of(least: i16, more: u8) -> i16 {
    match more {
        DONT_CARE => score::DONT_CARE,
        more => least.wrapping_add(more.into()),
    }
}

impl SideValues {
    /// Makes them of the values of each index. Runs in the current rayon pool.
    #[cfg(feature = "keep")]
    pub fn new(values: Vec<i16>) -> SideValues {
        let tasks = values.par_chunks(VALUES_A_TASK);
        let range = tasks
            .map(range)
            .reduce(|| NO_VALUES, |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (least, most) = range;
        if i32::from(most) - i32::from(least) >= DONT_CARE.into() {
            return SideValues(Packed::Wide(values));
        }
        let mut more = vec![0; values.len()];
        let tasks = more.par_chunks_mut(VALUES_A_TASK);
        tasks
            .zip(values.par_chunks(VALUES_A_TASK))
            .for_each(|(more, values)| {
                for (more, &value) in more.iter_mut().zip(values) {
                    *more = match value {
                        score::DONT_CARE => DONT_CARE,
                        value => value.wrapping_sub(least) as u8,
                    };
                }
            });
        SideValues(Packed::Narrow(least, more))
    }

    /// The value of an index; `None` if it has none.
    #[inline]
    pub fn get(&self, index: u64) -> Option<i16> {
        let index = usize::try_from(index).ok()?;
        match &self.0 {
            Packed::Narrow(least, more) => Some(value_of(*least, *more.get(index)?)),
            Packed::Wide(values) => values.get(index).copied(),
        }
    }

    /// Writes the values of the indices from `first` on; returns whether all have one, and
    /// writes nothing if not.
    pub fn copy(&self, first: u64, out: &mut [i16]) -> bool {
        fn part<T>(values: &[T], first: u64, len: usize) -> Option<&[T]> {
            values.get(usize::try_from(first).ok()?..)?.get(..len)
        }
        match &self.0 {
            Packed::Narrow(least, more) => part(more, first, out.len()).map(|more| {
                let both = out.iter_mut().zip(more);
                both.for_each(|(out, &more)| *out = value_of(*least, more));
            }),
            Packed::Wide(values) => {
                part(values, first, out.len()).map(|values| out.copy_from_slice(values))
            }
        }
        .is_some()
    }

    /// Calls `visit` with the value of each of some indices, given in another order of the
    /// groups if there is one; with 0 for those that have none.
    #[cfg(feature = "keep")]
    pub fn each(
        &self,
        order: Option<&Reindexing>,
        indices: Range<u64>,
        mut visit: impl FnMut(i16),
    ) {
        match (order.filter(|order| !order.keeps_order()), &self.0) {
            (None, _) => {
                let mut values = [0; 1 << 10];
                for first in indices.clone().step_by(values.len()) {
                    let len = (indices.end - first).min(values.len() as u64) as usize;
                    let values = &mut values[..len];
                    if !self.copy(first, values) {
                        let both = (first..).zip(&mut *values);
                        both.for_each(|(index, value)| *value = self.get(index).unwrap_or(0));
                    }
                    values.iter().for_each(|&value| visit(value));
                }
            }
            (Some(order), Packed::Narrow(least, more)) => order.each(indices, |index| {
                let more = more.get(index as usize);
                visit(more.map_or(0, |&more| value_of(*least, more)));
            }),
            (Some(order), Packed::Wide(values)) => order.each(indices, |index| {
                visit(values.get(index as usize).copied().unwrap_or(0));
            }),
        }
    }
}

/// The number of values that a task looks at.
#[cfg(feature = "keep")]
const VALUES_A_TASK: usize = 1 << 14;

/// The range of no values.
#[cfg(feature = "keep")]
const NO_VALUES: (i16, i16) = (i16::MAX, i16::MIN);

/// The least of some values and the most.
#[cfg(feature = "keep")]
fn range(values: &[i16]) -> (i16, i16) {
    let (mut least, mut most) = NO_VALUES;
    for &value in values {
        // [`score::DONT_CARE`] is the least number.
        least = least.min(if value == score::DONT_CARE {
            i16::MAX
        } else {
            value
        });
        most = most.max(value);
    }
    (least, most)
}

#[cfg(all(test, feature = "keep"))]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_that_were_given() {
        let results = vec![0, 1, score::DONT_CARE, 2, -1, -2, score::DONT_CARE];
        let all: Vec<i16> = (i16::MIN..=i16::MAX).rev().collect();
        let far = vec![i16::MAX, 0, score::DONT_CARE, i16::MAX];
        let of = |len: i16| (-300..len - 300).collect();
        let is_narrow = [true, true, true, false, false, false];
        let cases = [
            vec![score::DONT_CARE; 4],
            results,
            of(255),
            of(256),
            all,
            far,
        ];
        for (values, is_narrow) in cases.into_iter().zip(is_narrow) {
            let len = values.len();
            let side = SideValues::new(values.clone());
            assert_eq!(matches!(side.0, Packed::Narrow(..)), is_narrow, "{len}");
            for (index, &value) in (0..).zip(&values) {
                assert_eq!(side.get(index), Some(value));
            }
            assert_eq!(side.get(len as u64), None);
            let mut out = [7; 3];
            assert!(side.copy(1, &mut out));
            assert_eq!(out, values[1..4]);
            assert!(!side.copy(len as u64 - 2, &mut out) && !side.copy(u64::MAX, &mut out));
            assert_eq!(out, values[1..4]);
            let mut visited = Vec::new();
            side.each(None, 2..len as u64 + 1, |value| visited.push(value));
            assert_eq!(visited, [&values[2..], &[0]].concat());
        }
    }
}
