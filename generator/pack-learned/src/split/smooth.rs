//! Sets of values that are cheap to write down: values go where their neighbours do.

use retrograde_learned::Feature;

use super::cost::{Weights, cost};
use super::prices::bits;
use super::{Finder, Offer};

impl Finder<'_> {
    /// Moves values to where their neighbours go, if that costs less than it
    /// saves in the model.
    pub(super) fn simplify<const K: usize>(
        &self,
        best: &Offer,
        about: &Feature,
        row: u8,
        worth: impl Fn(i64) -> i64,
        weights: &Weights,
    ) -> u128 {
        let cost = |counts: &[u32; K]| cost(counts, weights);
        let counts = |bin: u8| self.counts::<K>(best.feature, bin);
        let (mut left, mut known) = (best.left, 0u128);
        let mut sides = [[0u32; K]; 2];
        for bin in 0..about.size {
            let side = &mut sides[(left >> bin & 1) as usize];
            for (sum, &count) in side.iter_mut().zip(counts(bin)) {
                *sum += u32::from(count);
                known |= u128::from(count > 0) << bin;
            }
        }
        let mut now = cost(&sides[0]) + cost(&sides[1]);
        for bin in 0..about.size {
            let (here, column) = (left >> bin & 1, bin % row);
            let mut others = 0i64;
            let mut look = |is_there: bool, near: u8| {
                if is_there {
                    others += if left >> near & 1 == here { -1 } else { 1 };
                }
            };
            look(column > 0, bin.wrapping_sub(1));
            look(column + 1 < row && bin + 1 < about.size, bin + 1);
            look(bin >= row, bin.wrapping_sub(row));
            look(bin + row < about.size, bin + row);
            if known >> bin & 1 == 0 || others <= 0 {
                continue;
            }
            let mut moved = sides;
            for (place, &count) in counts(bin).iter().enumerate() {
                moved[here as usize][place] -= u32::from(count);
                moved[1 - here as usize][place] += u32::from(count);
            }
            let then = cost(&moved[0]) + cost(&moved[1]);
            if worth(then - now) < others * SAVED as i64 {
                (sides, now) = (moved, then);
                left ^= 1 << bin;
            }
        }
        smooth(left, known, about.size, row)
    }
}

/// Lets values that nobody has go where their neighbours do: such sets are
/// cheap to write down.
pub(super) fn smooth(left: u128, known: u128, size: u8, row: u8) -> u128 {
    let mut out = left & known;
    let row = u32::from(row.max(1));
    let all = u128::MAX >> (128 - u32::from(size.clamp(1, 128)));
    let mut unknown = !known & all;
    while unknown != 0 {
        let value = unknown.trailing_zeros();
        unknown &= unknown - 1;
        let has = |near: u32| (out >> near & 1) as u32;
        let west = !value.is_multiple_of(row);
        let mut votes = 0;
        let mut voices = 0;
        if west {
            votes += 3 * has(value - 1);
            voices += 3;
        }
        if value >= row {
            votes += 2 * has(value - row);
            voices += 2;
            if west {
                votes += has(value - row - 1);
                voices += 1;
            }
            if value % row + 1 < row {
                votes += has(value - row + 1);
                voices += 1;
            }
        }
        if voices == 0 {
            // At the first value: as the next that is known.
            let next = (known >> value).trailing_zeros();
            votes = u32::from(next < 128 && left >> (value + next.min(127 - value)) & 1 != 0);
            voices = 1;
        }
        if 2 * votes > voices {
            out |= 1 << value;
        }
    }
    out
}

/// What it saves in the model that a value goes where one neighbour more does.
const SAVED: u64 = bits(1);
