//! Threshold curves as rows of bytes, for vector instructions.

use retrograde_probe::ThresholdCurve;
use retrograde_rules::{Colour, Restores, VitalityRules};

/// The bytes of a row; those beyond a full counter are 0.
const PLACES: usize = 64;

/// For each vitality b of Black, at place b - 1, the least vitality with which
/// White wins; one more than a full counter if there is none. A row thus says who
/// wins for all pairs of counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row([u8; PLACES]);

impl Row {
    fn of(full: u8, least: impl Fn(u8) -> u8) -> Row {
        let mut row = Row([0; PLACES]);
        for black in 1..=full {
            row.0[usize::from(black) - 1] = least(black);
        }
        row
    }

    /// The same least vitality against any.
    pub(super) fn constant(full: u8, least: u8) -> Row {
        Row::of(full, |_| least)
    }

    /// White wins, with any vitality, if Black has at most `points`.
    pub(super) fn up_to(full: u8, points: u8) -> Row {
        Row::of(full, |black| if black <= points { 1 } else { full + 1 })
    }

    fn stored(full: u8, curve: ThresholdCurve) -> Row {
        let mut row = Row([0; PLACES]);
        for (place, least) in row.0[..full.into()].iter_mut().zip(curve.iter()) {
            *place = least;
        }
        row
    }

    /// What White needs against a vitality of Black.
    fn at(&self, black: u8) -> u8 {
        self.0[usize::from(black) - 1]
    }

    /// White chooses the better of two.
    #[inline]
    pub(super) fn lower(&mut self, other: &Row) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = b.min(*a);
        }
    }

    /// Black chooses the better of two.
    #[inline]
    pub(super) fn raise(&mut self, other: &Row) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = b.max(*a);
        }
    }

    /// In words: runs of equal needs.
    pub(super) fn words(&self, full: u8) -> String {
        let mut runs: Vec<(u8, u8, u8)> = Vec::new();
        for black in 1..=full {
            match runs.last_mut() {
                Some((_, last, least)) if *least == self.at(black) => *last = black,
                _ => runs.push((black, black, self.at(black))),
            }
        }
        let words = runs.into_iter().map(|(first, last, least)| {
            let against = match first == last {
                true => format!("against {first}"),
                false => format!("against {first}-{last}"),
            };
            match least <= full {
                true => format!("White wins with {least} {against}"),
                false => format!("Black wins {}", against.replace("against", "with")),
            }
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// What a curve of a table means for turns that lead to it.
#[derive(Clone, Debug)]
pub(super) struct CurveRows {
    pub(super) row: Row,
    /// The row before a turn that costs the mover, White or Black, a point (H5).
    /// Spending the last one loses (H6).
    pub(super) paid: [Row; 2],
    /// The greatest vitality of the other side against which the mover, White or
    /// Black, wins after a vital turn; the option says what it restores (H4).
    pub(super) against: [u8; 2],
    /// Whether a side wins with any counters.
    pub(super) certain: [bool; 2],
}

impl CurveRows {
    pub(super) fn new(rules: &'static VitalityRules, curve: ThresholdCurve) -> CurveRows {
        let full = rules.full();
        let row = Row::stored(full, curve);
        // With a full counter of White's, then of Black's.
        let white = (1..=full).filter(|&black| row.at(black) <= full).count() as u8;
        let black = row.at(full) - 1;
        let against = match rules.restores() {
            Restores::Mover => [white, black],
            Restores::Both => [white, black].map(|points| if points == full { full } else { 0 }),
        };
        CurveRows {
            row,
            paid: [
                Row::of(full, |black| (row.at(black) + 1).min(full + 1)),
                Row::of(full, |black| if black == 1 { 1 } else { row.at(black - 1) }),
            ],
            against,
            certain: [
                row == Row::constant(full, 1),
                row == Row::constant(full, full + 1),
            ],
        }
    }

    /// The side wins with any counters; see [`CurveRows::certain`].
    #[inline]
    pub(super) fn is_certain(&self, side: Colour) -> bool {
        self.certain[side.index()]
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Game;

    use super::*;

    /// Each kind of turn, for each pair of counters.
    #[test]
    fn rows_agree_with_the_counters() {
        for restores in [Restores::Mover, Restores::Both] {
            for full in [1, 3, 50] {
                let word = [("mover", Restores::Mover), ("both", Restores::Both)]
                    .into_iter()
                    .find_map(|(word, known)| (known == restores).then_some(word));
                let id = format!(
                    "high-chess:vital-restores={},vitality={full}",
                    word.unwrap()
                );
                let rules = Game::parse(&id).unwrap().vitality_rules().unwrap();
                for rises in [0, 0b11, 0b10_1100, 0x5_5555, u128::MAX] {
                    let curve = ThresholdCurve::from_rises(full, rises);
                    let rows = CurveRows::new(rules, curve);
                    let both = restores == Restores::Both;
                    for w in 1..=full {
                        for b in 1..=full {
                            let wins = |row: &Row| row.at(b) <= w;
                            assert_eq!(wins(&rows.row), curve.white_wins(w, b));
                            let after = w > 1 && curve.white_wins(w - 1, b);
                            assert_eq!(wins(&rows.paid[0]), after);
                            let after = b == 1 || curve.white_wins(w, b - 1);
                            assert_eq!(wins(&rows.paid[1]), after);
                            let [white, black] = rows.against;
                            let after = curve.white_wins(full, if both { full } else { b });
                            assert_eq!(b <= white, after);
                            let after = curve.white_wins(if both { full } else { w }, full);
                            assert_eq!(w <= black, !after);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn rows_have_words() {
        let row = Row::of(4, |black| [1, 1, 3, 5][usize::from(black) - 1]);
        assert_eq!(
            row.words(4),
            "White wins with 1 against 1-2, White wins with 3 against 3, Black wins with 4"
        );
    }
}
