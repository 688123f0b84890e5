//! Derives the value of a position from its turns, with threshold curves as rows of bytes.
//!
//! Rows of bytes are for vector instructions.

use retrograde_probe::ThresholdCurve;
use retrograde_rules::{Colour, CounterRange, Restores, VitalityRules};

/// The bytes of a row if counters are small; others have [`LARGE`].
pub(in super::super) const SMALL: usize = 64;
/// The bytes of a row that has room for all counters.
pub(in super::super) const LARGE: usize = 128;

/// The least vitality with which White wins for each vitality of Black, the least first; one more
/// than White's full counter if there is none. A row thus says who wins for all pairs of counters.
/// Bytes beyond Black's full counter are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row<const N: usize>([u8; N]);

impl<const N: usize> Row<N> {
    /// The row of what White needs by the place of Black's vitality in its range.
    fn of(counters: CounterRange, least: impl Fn(usize) -> u8) -> Row<N> {
        let mut row = Row([0; N]);
        for (place, needs) in row.0[..counters.count(Colour::Black)]
            .iter_mut()
            .enumerate()
        {
            *needs = least(place);
        }
        row
    }

    /// A row with one least vitality against all of Black's.
    pub(super) fn constant(counters: CounterRange, least: u8) -> Row<N> {
        Row::of(counters, |_| least)
    }

    /// White wins, with any vitality, against so many of Black's, the least first.
    pub(super) fn against(counters: CounterRange, count: u8) -> Row<N> {
        let (least, never) = (counters.least, counters.never(Colour::White));
        Row::of(
            counters,
            |place| if place < count.into() { least } else { never },
        )
    }

    fn stored(counters: CounterRange, curve: ThresholdCurve) -> Row<N> {
        let needs: Vec<u8> = curve.iter().collect();
        Row::of(counters, |place| needs[place])
    }

    /// The number of vitalities of the other side, the least first, against which White, and Black,
    /// wins with a full counter.
    fn with_full(&self, counters: CounterRange) -> [u8; 2] {
        let count = counters.count(Colour::Black);
        let never = counters.never(Colour::White);
        let white = self.0[..count].iter().filter(|&&least| least < never);
        [white.count() as u8, self.0[count - 1] - counters.least]
    }

    /// White chooses the better of two.
    #[inline]
    pub(super) fn lower(&mut self, other: &Row<N>) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = b.min(*a);
        }
    }

    /// Black chooses the better of two.
    #[inline]
    pub(super) fn raise(&mut self, other: &Row<N>) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a = b.max(*a);
        }
    }

    /// The row in words: runs of equal needs.
    pub(super) fn words(&self, counters: CounterRange) -> String {
        let mut runs: Vec<(u8, u8, u8)> = Vec::new();
        for (black, &least) in counters.of(Colour::Black).zip(&self.0) {
            match runs.last_mut() {
                Some((_, last, of_run)) if *of_run == least => *last = black,
                _ => runs.push((black, black, least)),
            }
        }
        let words = runs.into_iter().map(|(first, last, least)| {
            let against = match first == last {
                true => format!("against {first}"),
                false => format!("against {first}-{last}"),
            };
            match least < counters.never(Colour::White) {
                true => format!("White wins with {least} {against}"),
                false => format!("Black wins {}", against.replace("against", "with")),
            }
        });
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A curve of a table as rows, one for each kind of turn that leads to it.
#[derive(Clone, Debug)]
pub(super) struct CurveRows<const N: usize> {
    pub(super) row: Row<N>,
    /// The row before a turn that costs the mover, White or Black, a point (H5).
    /// Spending the last one loses (H6).
    pub(super) paid: [Row<N>; 2],
    /// The row before a turn of High that costs it a point if it has one.
    pub(super) paid_by_high: [Row<N>; 2],
    /// The number of vitalities of the other side, the least first, against which the mover,
    /// White or Black, wins after a vital turn.
    pub(super) against: [u8; 2],
    /// Whether a side wins with any counters.
    pub(super) certain: [bool; 2],
}

/// The number of vitalities of the other side, the least first, against which a vital turn of each
/// side wins, given the row of where it leads; the option says which counters it restores (H4).
fn restored_against<const N: usize>(rules: &VitalityRules, row: &Row<N>) -> [u8; 2] {
    let counters = rules.counters();
    let mut against = row.with_full(counters);
    if rules.restores() == Restores::Both {
        for side in Colour::BOTH {
            let all = counters.count(side.other()) as u8;
            let against = &mut against[side.index()];
            *against = if *against == all { all } else { 0 };
        }
    }
    against
}

impl<const N: usize> CurveRows<N> {
    pub(super) fn new(rules: &VitalityRules, curve: ThresholdCurve) -> CurveRows<N> {
        let counters = rules.counters();
        let (floor, never) = (counters.least, counters.never(Colour::White));
        let row = Row::stored(counters, curve);
        // With one point or none, Low loses by a turn that is paid for.
        let lost = usize::from(2 - floor);
        let of = |least: &dyn Fn(usize) -> u8| Row::of(counters, least);
        CurveRows {
            row,
            paid: [
                of(&|place| (row.0[place] + 1).max(2).min(never)),
                of(&|place| {
                    if place < lost {
                        floor
                    } else {
                        row.0[place - 1]
                    }
                }),
            ],
            paid_by_high: [
                of(&|place| match row.0[place] {
                    least if least == floor => floor,
                    least => (least + 1).min(never),
                }),
                of(&|place| row.0[place.saturating_sub(1)]),
            ],
            against: restored_against(rules, &row),
            certain: [
                row == Row::constant(counters, floor),
                row == Row::constant(counters, never),
            ],
        }
    }

    /// The side wins with any counters; see [`CurveRows::certain`].
    #[inline]
    pub(super) fn is_certain(&self, side: Colour) -> bool {
        self.certain[side.index()]
    }
}

/// The value of a vital move for the side that has just made it (H4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Restored {
    /// The number of vitalities of the other side, the least first, against which it wins.
    pub(super) against: u8,
    /// The counters that White and Black need to force mate after it.
    pub(super) needs: [u8; 2],
}

/// The value of a position, gathered turn by turn. With none it is that of a side that has
/// lost.
#[derive(Clone, Debug)]
pub(super) struct Gathered<const N: usize> {
    rules: &'static VitalityRules,
    turn: Colour,
    row: Row<N>,
    /// The number of vitalities of the other side against which a vital move wins.
    against: u8,
    /// The counters that White and Black need to force mate.
    pub(super) needs: [u8; 2],
}

impl<const N: usize> Gathered<N> {
    pub(super) fn new(rules: &'static VitalityRules, turn: Colour) -> Gathered<N> {
        let counters = rules.counters();
        let mut needs = [counters.least; 2];
        needs[turn.index()] = counters.never(turn);
        let row = Row::constant(
            counters,
            match turn {
                Colour::White => counters.never(Colour::White),
                Colour::Black => counters.least,
            },
        );
        Gathered {
            rules,
            turn,
            row,
            against: 0,
            needs,
        }
    }

    /// Adds a free turn.
    #[inline]
    pub(super) fn free(&mut self, curve: &CurveRows<N>, needs: [u8; 2]) {
        self.choose(&curve.row, needs);
    }

    /// Adds a turn that costs the mover a point.
    #[inline]
    pub(super) fn paid(&mut self, curve: &CurveRows<N>, mut needs: [u8; 2]) {
        let most = self.rules.counters().never(self.turn);
        let mine = &mut needs[self.turn.index()];
        *mine = (*mine + 1).max(2).min(most);
        self.choose(&curve.paid[self.turn.index()], needs);
    }

    /// Adds a turn that costs the mover, who is High, a point if it has one.
    #[inline]
    pub(super) fn paid_by_high(&mut self, curve: &CurveRows<N>, mut needs: [u8; 2]) {
        let most = self.rules.counters().never(self.turn);
        let mine = &mut needs[self.turn.index()];
        if *mine > 0 {
            *mine = (*mine + 1).min(most);
        }
        self.choose(&curve.paid_by_high[self.turn.index()], needs);
    }

    /// Adds a turn that mates although it may cost the last point (H6).
    #[inline]
    pub(super) fn mates(&mut self) {
        let counters = self.rules.counters();
        let mut needs = Colour::BOTH.map(|side| counters.never(side));
        needs[self.turn.index()] = counters.least;
        self.vital(Restored {
            against: counters.count(self.turn.other()) as u8,
            needs,
        });
    }

    /// Adds a vital turn.
    #[inline]
    pub(super) fn vital(&mut self, after: Restored) {
        let counters = self.rules.counters();
        self.against = self.against.max(after.against);
        let mut needs = after.needs;
        let mut fill = |side: Colour| {
            let need = &mut needs[side.index()];
            if *need < counters.never(side) {
                *need = counters.least;
            }
        };
        fill(self.turn);
        if self.rules.restores() == Restores::Both {
            fill(self.turn.other());
        }
        self.choose_needs(needs);
    }

    #[inline]
    fn choose(&mut self, row: &Row<N>, needs: [u8; 2]) {
        match self.turn {
            Colour::White => self.row.lower(row),
            Colour::Black => self.row.raise(row),
        }
        self.choose_needs(needs);
    }

    #[inline]
    fn choose_needs(&mut self, needs: [u8; 2]) {
        let [mover, other] = [self.turn, self.turn.other()].map(Colour::index);
        self.needs[mover] = self.needs[mover].min(needs[mover]);
        self.needs[other] = self.needs[other].max(needs[other]);
    }

    /// The winners with all pairs of counters; `vital_rows` comes from [`vital_rows`].
    #[inline]
    pub(super) fn row(&self, vital_rows: &[Vec<Row<N>>; 2]) -> Row<N> {
        let mut row = self.row;
        let vital = &vital_rows[self.turn.index()][usize::from(self.against)];
        match self.turn {
            Colour::White => row.lower(vital),
            Colour::Black => row.raise(vital),
        }
        row
    }

    /// The value of a vital move to this position for the side that made it.
    pub(super) fn restored(&self, vital_rows: &[Vec<Row<N>>; 2]) -> Restored {
        let against = restored_against(self.rules, &self.row(vital_rows));
        Restored {
            against: against[self.turn.other().index()],
            needs: self.needs,
        }
    }
}

/// The rows of vital moves that win against so many vitalities of the other side, from none to all,
/// for White and for Black to move.
pub(super) fn vital_rows<const N: usize>(counters: CounterRange) -> [Vec<Row<N>>; 2] {
    let numbers = |other: Colour| 0..=counters.count(other) as u8;
    [
        (numbers(Colour::Black))
            .map(|count| Row::against(counters, count))
            .collect(),
        (numbers(Colour::White))
            .map(|count| Row::constant(counters, counters.least + count))
            .collect(),
    ]
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Counters, Game, Toll};

    use super::*;

    /// Compares each kind of turn, for each pair of counters.
    #[test]
    fn rows_agree_with_the_counters() {
        for options in [
            "vitality=50",
            "vitality=50,vital-restores=both",
            "vitality=3",
            "vitality=1,vital-restores=both",
            "vitality=4,pays=both",
            "vitality=1,pays=both",
        ] {
            let game = Game::parse(&format!("high-chess:{options}")).unwrap();
            let rules = game.vitality().unwrap();
            let counters = rules.counters();
            for rises in [0, 0b11, 0b10_1100, 0x5_5555, u128::MAX] {
                let curve = ThresholdCurve::from_rises(counters, rises);
                let rows = CurveRows::<SMALL>::new(rules, curve);
                for (mover, toll) in Colour::BOTH
                    .into_iter()
                    .flat_map(|m| [Toll::Paid, Toll::PaidByHigh, Toll::Vital].map(|t| (m, t)))
                    .filter(|&(_, toll)| toll != Toll::PaidByHigh || counters.least == 0)
                {
                    let side = mover.index();
                    for white in counters.of(Colour::White) {
                        for black in counters.of(Colour::Black) {
                            let pair = Counters { white, black };
                            let left = rules.charge(pair, mover, toll);
                            let lost = toll == Toll::Paid && left.of(mover) == 0;
                            let after = match lost {
                                true => mover == Colour::Black,
                                false => curve.white_wins(left),
                            };
                            let wins = |row: &Row<SMALL>| {
                                row.0[usize::from(black - counters.least)] <= white
                            };
                            let theirs = pair.of(mover.other()) - counters.least;
                            let said = match toll {
                                Toll::Paid => wins(&rows.paid[side]),
                                Toll::PaidByHigh => wins(&rows.paid_by_high[side]),
                                _ => (theirs < rows.against[side]) == (mover == Colour::White),
                            };
                            assert_eq!(said, after, "{options} {pair} {mover:?} {toll:?}");
                            assert_eq!(wins(&rows.row), curve.white_wins(pair));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn rows_have_words() {
        let counters = CounterRange::up_to(4);
        let row = Row::<SMALL>::of(counters, |place| [1, 1, 3, 5][place]);
        assert_eq!(
            row.words(counters),
            "White wins with 1 against 1-2, White wins with 3 against 3, Black wins with 4"
        );
    }
}
