//! Threshold curves: who wins, for every pair of counters of High Chess (H8).

use std::fmt;

use retrograde_rules::VitalityRules;

/// For each vitality of Black, the least vitality with which White wins.
///
/// More points never hurt, so the curve never falls as Black's points rise, and it
/// is stored as steps between pairs of counters. It starts where White has one
/// point and Black none. As long as White does not win with its points against one
/// point more of Black's, the next step gives White a point, a *rise*; otherwise it
/// gives Black one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThresholdCurve {
    full: u8,
    /// Bit n is set if step n is a rise.
    rises: u128,
}

impl ThresholdCurve {
    /// The largest full counter.
    pub const MOST: u8 = VitalityRules::MOST;

    /// The curve of `2 * full` steps: bit n of `rises` is set if step n is a rise.
    /// `full` is the full counter, clamped to the range from 1 to
    /// [`ThresholdCurve::MOST`]. Rises of White's points beyond `full + 1`, and all
    /// steps after Black has `full`, are ignored, but curves that differ in them are not
    /// equal.
    pub fn from_rises(full: u8, rises: u128) -> ThresholdCurve {
        let full = full.clamp(1, ThresholdCurve::MOST);
        let rises = rises & ((1 << (2 * full)) - 1);
        ThresholdCurve { full, rises }
    }

    /// The steps that are rises, as [`ThresholdCurve::from_rises`] takes them.
    pub fn rises(self) -> u128 {
        self.rises
    }

    /// The full counter.
    pub fn full(self) -> u8 {
        self.full
    }

    /// The least vitality with which White wins, for each vitality of Black from 1
    /// to `full` in order; `full + 1` if there is none.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let ThresholdCurve { full, rises } = self;
        let mut steps = 0..2 * u32::from(full);
        let mut white = 1;
        (0..full).map(move |_| {
            for step in steps.by_ref() {
                if rises >> step & 1 == 0 {
                    return white;
                }
                white = (white + 1).min(full + 1);
            }
            full + 1
        })
    }

    /// The least vitality with which White wins when Black has `black`;
    /// `full + 1` if there is none. `black` is clamped to the range 1 to `full`.
    pub fn white_needs(self, black: u8) -> u8 {
        let place = usize::from(black.clamp(1, self.full) - 1);
        self.iter().nth(place).unwrap_or(self.full + 1)
    }

    /// The least vitality with which Black wins when White has `white`;
    /// `full + 1` if there is none.
    pub fn black_needs(self, white: u8) -> u8 {
        // Black wins where White has less than it needs.
        let lost = self.iter().take_while(|&least| least <= white).count();
        lost as u8 + 1
    }

    /// Whether White wins with these points.
    pub fn white_wins(self, white: u8, black: u8) -> bool {
        self.white_needs(black) <= white
    }

    /// The curve with the same `least`, from 1 to `full + 1`, for all vitalities of
    /// Black.
    pub fn constant(full: u8, least: u8) -> ThresholdCurve {
        let full = full.clamp(1, ThresholdCurve::MOST);
        let rises = (1 << (least.clamp(1, full + 1) - 1)) - 1;
        ThresholdCurve { full, rises }.normal()
    }

    /// The curve with which White always wins if Black has at most `points`, and
    /// never otherwise.
    pub fn up_to(full: u8, points: u8) -> ThresholdCurve {
        let full = full.clamp(1, ThresholdCurve::MOST);
        let rises = ((1 << full) - 1) << points.min(full);
        ThresholdCurve { full, rises }.normal()
    }

    /// The curve in its one normal form: after Black's last point there are only
    /// rises.
    fn normal(self) -> ThresholdCurve {
        let mut rises = 0;
        let (mut white, mut black) = (1, 0);
        for step in 0..2 * u32::from(self.full) - 1 {
            let rise = self.rises >> step & 1 != 0 && white <= self.full;
            if rise || black == self.full {
                rises |= 1 << step;
                white += 1;
            } else {
                black += 1;
            }
        }
        ThresholdCurve { rises, ..self }
    }
}

impl fmt::Display for ThresholdCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_tells_its_thresholds() {
        let list = |rises| {
            ThresholdCurve::from_rises(3, rises)
                .iter()
                .collect::<Vec<u8>>()
        };
        assert_eq!(list(0), [1, 1, 1]);
        assert_eq!(list(0b111), [4, 4, 4]);
        assert_eq!(list(0b10_1010), [1, 2, 3]);
        assert_eq!(list(u128::MAX), [4, 4, 4]);
    }

    #[test]
    fn needs_are_each_others_mirror() {
        for full in [1, 2, 5, 50] {
            for rises in [0, 1, 0b1_0010_1101, 0x5555_5555, u128::MAX >> 40] {
                let thresholds = ThresholdCurve::from_rises(full, rises);
                assert_eq!(thresholds.iter().count(), full.into());
                assert!(thresholds.iter().is_sorted());
                for white in 1..=full {
                    let needs = thresholds.black_needs(white);
                    for black in 1..=full {
                        assert_eq!(thresholds.white_wins(white, black), black < needs);
                    }
                }
            }
        }
    }

    #[test]
    fn simple_curves() {
        for full in [1, 4, 50] {
            for least in 1..=full + 1 {
                let constant = ThresholdCurve::constant(full, least);
                assert!(constant.iter().all(|t| t == least));
                let points = least - 1;
                let up_to = ThresholdCurve::up_to(full, points);
                for (black, needs) in (1..=full).zip(up_to.iter()) {
                    assert_eq!(needs, if black <= points { 1 } else { full + 1 });
                }
            }
        }
    }
}
