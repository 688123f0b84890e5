//! The value of a position with vitality, from those of its turns.

use retrograde_rules::{Colour, Counters, Restores, VitalityRules};

use super::rows::{CurveRows, Row, restored_against};

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

    /// Who wins with which counters; `vital_rows` comes from [`vital_rows`].
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

/// For White and Black to move, the row of a vital move that wins against so many vitalities
/// of the other side, from none to all.
pub(super) fn vital_rows<const N: usize>(counters: Counters) -> [Vec<Row<N>>; 2] {
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
