//! The value of a position of High Chess, from those of its turns.

use retrograde_rules::{Colour, Restores, VitalityRules};

use super::rows::{CurveRows, Row};

/// The value of a vital move for the side that has just made it (H4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Restored {
    /// The greatest vitality of the other side against which it wins.
    pub(super) against: u8,
    /// What White and Black need to force mate after it.
    pub(super) needs: [u8; 2],
}

/// The value of a position, gathered turn by turn. With none it is that of a mated
/// side: every other position has a legal move (H2).
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    rules: &'static VitalityRules,
    turn: Colour,
    row: Row,
    /// The greatest vitality of the other side against which a vital move wins.
    against: u8,
    /// What White and Black need to force mate.
    pub(super) needs: [u8; 2],
}

impl Gathered {
    pub(super) fn new(rules: &'static VitalityRules, turn: Colour) -> Gathered {
        let full = rules.full();
        let mut needs = [1; 2];
        needs[turn.index()] = full + 1;
        let row = match turn {
            Colour::White => Row::constant(full, full + 1),
            Colour::Black => Row::constant(full, 1),
        };
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
    pub(super) fn free(&mut self, curve: &CurveRows, needs: [u8; 2]) {
        self.choose(&curve.row, needs);
    }

    /// Adds a turn that costs the mover a point.
    #[inline]
    pub(super) fn paid(&mut self, curve: &CurveRows, mut needs: [u8; 2]) {
        let most = self.rules.full() + 1;
        let mine = &mut needs[self.turn.index()];
        *mine = (*mine + 1).min(most);
        self.choose(&curve.paid[self.turn.index()], needs);
    }

    /// Adds a turn that mates: it may cost the last point (H6).
    #[inline]
    pub(super) fn mates(&mut self) {
        let full = self.rules.full();
        let mut needs = [full + 1; 2];
        needs[self.turn.index()] = 1;
        self.vital(Restored {
            against: full,
            needs,
        });
    }

    /// Adds a vital turn.
    #[inline]
    pub(super) fn vital(&mut self, after: Restored) {
        let full = self.rules.full();
        self.against = self.against.max(after.against);
        let mut needs = after.needs;
        let always = |need: u8| if need <= full { 1 } else { full + 1 };
        let [mover, other] = [self.turn, self.turn.other()].map(Colour::index);
        needs[mover] = always(needs[mover]);
        if self.rules.restores() == Restores::Both {
            needs[other] = always(needs[other]);
        }
        self.choose_needs(needs);
    }

    #[inline]
    fn choose(&mut self, row: &Row, needs: [u8; 2]) {
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
    pub(super) fn row(&self, vital_rows: &[Vec<Row>; 2]) -> Row {
        let mut row = self.row;
        let vital = &vital_rows[self.turn.index()][usize::from(self.against)];
        match self.turn {
            Colour::White => row.lower(vital),
            Colour::Black => row.raise(vital),
        }
        row
    }

    /// The value of a vital move to this position for the side that made it, if
    /// every turn here is vital too, as with an e.p. right (H7).
    pub(super) fn restored(&self) -> Restored {
        let full = self.rules.full();
        // The side that made it has a full counter; a vital reply restores, too.
        let against = if self.against == full { 0 } else { full };
        Restored {
            against,
            needs: self.needs,
        }
    }
}

/// For White and Black to move, the row of a vital move that wins against a
/// vitality of the other side up to each limit, from 0 to a full counter.
pub(super) fn vital_rows(full: u8) -> [Vec<Row>; 2] {
    [
        (0..=full).map(|points| Row::up_to(full, points)).collect(),
        (0..=full)
            .map(|points| Row::constant(full, points + 1))
            .collect(),
    ]
}
