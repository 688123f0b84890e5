//! Threshold curves: who wins, for every pair of counters (H8).
//!
//! If there are more curves than values, chapters say which curves the values of a table stand for.

use std::fmt;

use retrograde_rules::{Colour, CounterRange, Counters, Piece, Restores, Toll, VitalityRules};

use crate::{Digit, Index};

/// The least vitality with which White wins, for each vitality of Black.
///
/// More points never hurt, so the curve never falls as Black's points rise, and it
/// is stored as steps between pairs of counters. It starts where White has its
/// least points and Black one fewer than its least. As long as White does not win with its
/// points against one point more of Black's, the next step gives White a point, a *rise*;
/// otherwise it gives Black one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThresholdCurve {
    counters: CounterRange,
    rises: Rises,
}

/// The steps of a curve that are rises: bit n, from the lowest of the first word on, is that of
/// step n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rises(pub [u128; 2]);

impl Rises {
    /// Whether a step is a rise.
    #[inline]
    pub fn has(self, step: usize) -> bool {
        self.0[step / 128 % 2] >> (step % 128) & 1 != 0
    }

    /// Makes a step a rise.
    #[inline]
    pub fn insert(&mut self, step: usize) {
        self.0[step / 128 % 2] |= 1 << (step % 128);
    }

    /// The steps before a number of them.
    fn below(self, steps: usize) -> Rises {
        let kept = |word: usize| match steps.saturating_sub(128 * word) {
            bits @ 0..128 => (1 << bits) - 1,
            _ => u128::MAX,
        };
        Rises([self.0[0] & kept(0), self.0[1] & kept(1)])
    }
}

impl From<u128> for Rises {
    fn from(first: u128) -> Rises {
        Rises([first, 0])
    }
}

impl ThresholdCurve {
    /// The largest full counter.
    pub const MOST: u8 = VitalityRules::MOST;

    /// The number of steps of a curve: that of the points that White and Black can have.
    pub fn steps(counters: CounterRange) -> usize {
        counters.count(Colour::White) + counters.count(Colour::Black)
    }

    /// The curve of [`ThresholdCurve::steps`] steps, of which `rises` are rises; full counters
    /// above [`ThresholdCurve::MOST`] are cut. Rises of White's points beyond all that it can
    /// have, and all steps after Black has its full counter, are ignored, but curves that
    /// differ in them are not equal.
    pub fn from_rises(counters: CounterRange, rises: impl Into<Rises>) -> ThresholdCurve {
        let cut = |side| counters.full.of(side).clamp(1, ThresholdCurve::MOST);
        let counters = CounterRange {
            least: counters.least.min(1),
            full: Counters {
                white: cut(Colour::White),
                black: cut(Colour::Black),
            },
        };
        let rises = rises.into().below(ThresholdCurve::steps(counters));
        ThresholdCurve { counters, rises }
    }

    /// The steps that are rises, as [`ThresholdCurve::from_rises`] takes them.
    pub fn rises(self) -> Rises {
        self.rises
    }

    /// The range of the counters.
    pub fn counters(self) -> CounterRange {
        self.counters
    }

    /// The least vitality with which White wins, for each vitality of Black in order, the
    /// least first; one more than White's full counter if there is none.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let ThresholdCurve { counters, rises } = self;
        let never = counters.never(Colour::White);
        let mut steps = 0..ThresholdCurve::steps(counters);
        let mut white = counters.least;
        (0..counters.count(Colour::Black)).map(move |_| {
            for step in steps.by_ref() {
                if !rises.has(step) {
                    return white;
                }
                white = (white + 1).min(never);
            }
            never
        })
    }

    /// The least vitality with which White wins when Black has `black`, clamped to what Black
    /// can have; one more than White's full counter if there is none.
    pub fn white_needs(self, black: u8) -> u8 {
        let range = self.counters.of(Colour::Black);
        let place = usize::from(black.clamp(*range.start(), *range.end()) - range.start());
        let never = self.counters.never(Colour::White);
        self.iter().nth(place).unwrap_or(never)
    }

    /// The least vitality with which Black wins when White has `white`; one more than Black's
    /// full counter if there is none.
    pub fn black_needs(self, white: u8) -> u8 {
        // Black wins where White has less than it needs.
        let lost = self.iter().take_while(|&least| least <= white).count();
        lost as u8 + self.counters.least
    }

    /// Whether White wins with these points.
    pub fn white_wins(self, vitality: Counters) -> bool {
        self.white_needs(vitality.black) <= vitality.white
    }

    /// The curve with the same least vitality for all vitalities of Black.
    pub fn constant(counters: CounterRange, least: u8) -> ThresholdCurve {
        let mut thresholds = Thresholds::always(counters, Colour::White);
        let most = counters.never(Colour::White);
        (thresholds.used_mut()).fill(least.clamp(counters.least, most));
        thresholds.curve()
    }

    /// The curve of positions that a side wins with any counters.
    pub fn always(counters: CounterRange, winner: Colour) -> ThresholdCurve {
        Thresholds::always(counters, winner).curve()
    }
}

impl fmt::Display for ThresholdCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A threshold curve to work with: the least vitality with which White wins, for each
/// vitality of Black, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    counters: CounterRange,
    /// The thresholds; those for vitalities that Black cannot have are 0.
    least: [u8; Thresholds::PLACES],
}

impl From<ThresholdCurve> for Thresholds {
    fn from(curve: ThresholdCurve) -> Thresholds {
        let mut least = [0; Thresholds::PLACES];
        least
            .iter_mut()
            .zip(curve.iter())
            .for_each(|(to, of)| *to = of);
        let counters = curve.counters;
        Thresholds { counters, least }
    }
}

impl Thresholds {
    const PLACES: usize = VitalityRules::MOST as usize + 1;

    /// The thresholds of positions that a side wins with any counters.
    #[inline]
    pub fn always(counters: CounterRange, winner: Colour) -> Thresholds {
        let mut thresholds = Thresholds {
            counters,
            least: [0; Thresholds::PLACES],
        };
        let least = match winner {
            Colour::White => counters.least,
            Colour::Black => counters.never(Colour::White),
        };
        thresholds.used_mut().fill(least);
        thresholds
    }

    /// The thresholds of a list, for each vitality of Black, the least first; `None` if it
    /// has another length.
    #[inline]
    pub fn of(counters: CounterRange, least: &[u8]) -> Option<Thresholds> {
        let mut thresholds = Thresholds::always(counters, Colour::White);
        let used = thresholds.used_mut();
        (used.len() == least.len()).then(|| used.copy_from_slice(least))?;
        Some(thresholds)
    }

    /// The curve, whose steps after Black's last point are rises.
    pub fn curve(&self) -> ThresholdCurve {
        let counters = self.counters;
        let mut rises = Rises::default();
        let (mut step, mut white) = (0, counters.least);
        for &least in self.used() {
            while white < least {
                rises.insert(step);
                (step, white) = (step + 1, white + 1);
            }
            step += 1;
        }
        // The step that follows Black's last point is left out, as a curve has none.
        (step..ThresholdCurve::steps(counters).saturating_sub(1)).for_each(|s| rises.insert(s));
        ThresholdCurve { counters, rises }
    }

    /// The least vitality with which White wins, for each that Black can have.
    #[inline]
    pub fn used(&self) -> &[u8] {
        &self.least[..self.counters.count(Colour::Black)]
    }

    #[inline]
    fn used_mut(&mut self) -> &mut [u8] {
        &mut self.least[..self.counters.count(Colour::Black)]
    }

    /// Whether White wins with these points.
    #[inline]
    pub fn white_wins(&self, vitality: Counters) -> bool {
        self.least[usize::from(vitality.black - self.counters.least)] <= vitality.white
    }

    /// The thresholds by the counters before a turn, these being by those after it (H4 to
    /// H6). A turn that mates is another matter.
    #[inline]
    #[must_use]
    pub fn before(&self, rules: &VitalityRules, mover: Colour, toll: Toll) -> Thresholds {
        let mut before = Thresholds::always(self.counters, mover.other());
        before.join_turn(rules, mover, toll, self.used());
        before
    }

    /// Adds what a turn of a side wins that leads to where White needs `after`, in the order
    /// of [`Thresholds::used`].
    #[inline]
    pub fn join_turn(&mut self, rules: &VitalityRules, mover: Colour, toll: Toll, after: &[u8]) {
        let (floor, never) = (self.counters.least, self.counters.never(Colour::White));
        let used = self.used_mut();
        let last = after.last().copied().unwrap_or_default();
        let wins_with_full = |least: u8| if least < never { floor } else { never };
        let pairs = used.iter_mut().zip(after);
        match (mover, toll, rules.restores()) {
            (Colour::White, Toll::Free, _) => {
                pairs.for_each(|(mine, &after)| *mine = after.min(*mine));
            }
            // The last point is lost, and the game with it.
            (Colour::White, Toll::Paid, _) => {
                pairs.for_each(|(mine, &after)| *mine = (after + 1).max(2).min(*mine));
            }
            (Colour::White, Toll::PaidByHigh, _) => pairs.for_each(|(mine, &after)| {
                *mine = (after + u8::from(after > floor)).min(*mine);
            }),
            (Colour::White, Toll::Vital, Restores::Mover) => {
                pairs.for_each(|(mine, &after)| *mine = wins_with_full(after).min(*mine));
            }
            (Colour::White, Toll::Vital, Restores::Both) => {
                let after = wins_with_full(last);
                used.iter_mut().for_each(|mine| *mine = after.min(*mine));
            }
            (Colour::Black, Toll::Free, _) => {
                pairs.for_each(|(mine, &after)| *mine = after.max(*mine));
            }
            (Colour::Black, Toll::Paid, _) => {
                // With one point or none Black loses by it.
                let (first, lost) = (usize::from(1 - floor), usize::from(2 - floor));
                let pairs = used.iter_mut().skip(lost).zip(after.iter().skip(first));
                pairs.for_each(|(mine, &after)| *mine = after.max(*mine));
            }
            (Colour::Black, Toll::PaidByHigh, _) => {
                let pairs = used.iter_mut().zip(after.first().into_iter().chain(after));
                pairs.for_each(|(mine, &after)| *mine = after.max(*mine));
            }
            (Colour::Black, Toll::Vital, restores) => {
                let after = match restores {
                    Restores::Mover => last,
                    Restores::Both => wins_with_full(last),
                };
                used.iter_mut().for_each(|mine| *mine = after.max(*mine));
            }
        }
    }

    /// Adds what another move of a side wins.
    #[inline]
    pub fn join(&mut self, mover: Colour, other: &Thresholds) {
        let pairs = self.least.iter_mut().zip(&other.least);
        match mover {
            Colour::White => pairs.for_each(|(mine, other)| *mine = (*mine).min(*other)),
            Colour::Black => pairs.for_each(|(mine, other)| *mine = (*mine).max(*other)),
        }
    }

    /// The pair of counters that a side wins with by these, and not by others, which leaves
    /// the other side the most points and then the side itself, if there is one.
    pub fn fullest_beyond(&self, side: Colour, other: &Thresholds) -> Option<Counters> {
        let wins = |these: &Thresholds, pair| these.white_wins(pair) == (side == Colour::White);
        let downwards = |side| self.counters.of(side).rev();
        let pairs = downwards(side.other()).flat_map(|theirs| {
            downwards(side).map(move |mine| Counters::both(theirs).with(side, mine))
        });
        let mut found = pairs.filter(|&pair| wins(self, pair) && !wins(other, pair));
        found.next()
    }

    /// The number of pairs of counters with which a side wins by these thresholds, and not by
    /// others.
    #[inline]
    pub fn beyond(&self, side: Colour, other: &Thresholds) -> u64 {
        let (mine, other) = match side {
            Colour::White => (self.used(), other.used()),
            Colour::Black => (other.used(), self.used()),
        };
        let pairs = mine.iter().zip(other);
        pairs
            .map(|(mine, other)| u64::from(other.saturating_sub(*mine)))
            .sum()
    }
}

/// The counters that White and Black need to force mate even if the other's is never lowered: one
/// more than the full counter if they cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs(pub [u8; 2]);

impl Needs {
    /// The needs of a position with a side to move that has no move and is mated, to which
    /// [`Needs::join_turn`] adds its moves.
    #[inline]
    pub fn none(rules: &VitalityRules, turn: Colour) -> Needs {
        let mut needs = [rules.counters().least; 2];
        needs[turn.index()] = rules.counters().never(turn);
        Needs(needs)
    }

    /// Adds a turn of a side that leads to where the sides need `after` (H4 to H6). A turn
    /// that mates although it spends the last point counts as vital.
    #[inline]
    pub fn join_turn(&mut self, rules: &VitalityRules, mover: Colour, toll: Toll, after: [u8; 2]) {
        let counters = rules.counters();
        let with_full = |side: Colour| match after[side.index()] < counters.never(side) {
            true => counters.least,
            false => counters.never(side),
        };
        let [mine, theirs] = [mover, mover.other()].map(|side| after[side.index()]);
        let before = match toll {
            Toll::Vital => with_full(mover),
            Toll::Free => mine,
            Toll::Paid => (mine + 1).max(2),
            Toll::PaidByHigh => mine + u8::from(mine > counters.least),
        };
        let others = match (toll, rules.restores()) {
            (Toll::Vital, Restores::Both) => with_full(mover.other()),
            _ => theirs,
        };
        let [me, other] = [mover, mover.other()].map(Colour::index);
        self.0[me] = self.0[me].min(before);
        self.0[other] = self.0[other].max(others);
    }
}

/// The most curves of a list: their places in it are values of 16 bits. No
/// position has the value [`DONT_CARE`](crate::score::DONT_CARE); what a longer
/// list has in that place does not matter.
pub const MOST_CURVES: usize = 1 << 16;

/// A selection of the list by the placement of one group of pieces: its digit `d` of `n` belongs
/// to part `d * parts / n`.
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

#[cfg(test)]
mod tests {
    use retrograde_rules::Game;

    use super::*;

    /// Ranges of counters: usual ones, unequal and large ones, and such as begin with 0.
    fn ranges() -> Vec<CounterRange> {
        let unequal = |least, white, black| CounterRange {
            least,
            full: Counters { white, black },
        };
        let equal = [1, 2, 5, 50, 100].map(CounterRange::up_to);
        let others = [(1, 3, 7), (1, 7, 3), (0, 1, 1), (0, 4, 2), (0, 100, 99)];
        let others = others.map(|(least, white, black)| unequal(least, white, black));
        equal.into_iter().chain(others).collect()
    }

    #[test]
    fn a_curve_tells_its_thresholds() {
        let list = |rises: u128| {
            ThresholdCurve::from_rises(CounterRange::up_to(3), rises)
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
        for counters in ranges() {
            for rises in [0, 1, 0b1_0010_1101, 0x5555_5555, u128::MAX >> 40] {
                let curve = ThresholdCurve::from_rises(counters, rises);
                assert_eq!(curve.iter().count(), counters.count(Colour::Black));
                assert!(curve.iter().is_sorted());
                for white in counters.of(Colour::White) {
                    let needs = curve.black_needs(white);
                    for black in counters.of(Colour::Black) {
                        let wins = curve.white_wins(Counters { white, black });
                        assert_eq!(wins, black < needs);
                    }
                }
                let again = Thresholds::from(curve).curve();
                assert!(again.iter().eq(curve.iter()));
                assert_eq!(Thresholds::from(again).curve(), again);
            }
        }
    }

    #[test]
    fn positions_that_a_side_always_wins() {
        for counters in ranges() {
            let [white, black] = Colour::BOTH.map(|side| ThresholdCurve::always(counters, side));
            assert!(white.iter().all(|least| least == counters.least));
            assert!(
                black
                    .iter()
                    .all(|least| least == counters.never(Colour::White))
            );
        }
    }

    /// Every pair of counters is charged for the turn, and looked up after it.
    #[test]
    fn turns_cost_what_the_rules_say() {
        let keys = [
            "vitality=50",
            "vitality=50,vital-restores=both",
            "vitality=3",
            "vitality=1,vital-restores=both",
            "vitality=4,pays=both",
            "vitality=1,pays=both",
        ];
        for options in keys {
            let game = Game::parse(&format!("high-chess:{options}")).unwrap();
            let rules = game.vitality().unwrap();
            let counters = rules.counters();
            for rises in [0, 0b11, 0b10_1100, 0x5_5555, u128::MAX] {
                let after = Thresholds::from(ThresholdCurve::from_rises(counters, rises));
                for mover in Colour::BOTH {
                    for toll in [Toll::Free, Toll::Paid, Toll::PaidByHigh, Toll::Vital] {
                        if (toll == Toll::Free) != rules.high_is_free()
                            && matches!(toll, Toll::Free | Toll::PaidByHigh)
                        {
                            continue;
                        }
                        let before = after.before(rules, mover, toll);
                        for white in counters.of(Colour::White) {
                            for black in counters.of(Colour::Black) {
                                let pair = Counters { white, black };
                                let left = rules.charge(pair, mover, toll);
                                let over = toll == Toll::Paid && left.of(mover) == 0;
                                let wins = match over {
                                    true => mover == Colour::Black,
                                    false => after.white_wins(left),
                                };
                                assert_eq!(
                                    before.white_wins(pair),
                                    wins,
                                    "{pair} {mover:?} {toll:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
