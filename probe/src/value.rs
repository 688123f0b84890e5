//! The value of a position, and the distances in it.

use std::fmt;

use retrograde_index::Wdl;
use retrograde_rules::Colour;

/// Depth to mate in plies, with best play of both sides: the winner goes the
/// shortest way, the loser the longest. 0 if the game has ended.
///
/// Where games end otherwise it is the distance to that end: to the capture of
/// the king (C2), to an extinction (E6), to the hill (T1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dtm(pub u32);

/// Depth to zeroing in plies: to the next capture, pawn move or mate under play
/// that keeps the [`Wdl`], the side that gains going the shortest way, the
/// other the longest (O4). 0 if mated.
///
/// It is exact, and counted with the half-move clock at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dtz(pub u32);

impl From<Dtm> for u32 {
    fn from(dtm: Dtm) -> u32 {
        dtm.0
    }
}

impl From<Dtz> for u32 {
    fn from(dtz: Dtz) -> u32 {
        dtz.0
    }
}

/// The number of plies.
impl fmt::Display for Dtm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of plies.
impl fmt::Display for Dtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What tables say about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Who wins.
    pub wdl: Wdl,
    /// How long it takes. `None` for draws, and where no table says it.
    pub dtm: Option<Dtm>,
    /// How long it takes to the next zeroing move. `None` for draws, in games
    /// without the fifty-move rule, and where no table says it.
    pub dtz: Option<Dtz>,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value::without_distances(Wdl::Draw);

    /// Only who wins.
    pub const fn without_distances(wdl: Wdl) -> Value {
        Value {
            wdl,
            dtm: None,
            dtz: None,
        }
    }

    /// The same for the other side: the same distances, the other side's
    /// result.
    #[must_use]
    pub const fn reversed(self) -> Value {
        Value {
            wdl: self.wdl.reversed(),
            ..self
        }
    }

    /// Who wins if this is the value for `side`; `None` for a draw.
    pub const fn winner(self, side: Colour) -> Option<Colour> {
        self.wdl.winner(side)
    }

    /// A place in the order from the best to the worst for the side whose
    /// value this is: wins by smaller, losses by larger distance, what has
    /// none behind what has.
    pub(crate) fn rank(self) -> (Wdl, u32) {
        let plies = match (self.wdl, self.dtm) {
            (_, None) => u32::MAX,
            (Wdl::Loss | Wdl::BlessedLoss, Some(Dtm(plies))) => u32::MAX - 1 - plies,
            (_, Some(Dtm(plies))) => plies,
        };
        (self.wdl, plies)
    }

    /// The value at a half-move clock, this being the one at 0: a win or loss
    /// is one as long as its next zeroing move, or mate, comes within `limit`
    /// (O7). Where the game has ended, no clock matters any more. `None` if no distance shows it.
    pub fn at_clock(self, clock: u32, limit: Option<u32>) -> Option<Value> {
        let Some(limit) = limit else {
            return Some(self);
        };
        let within = |plies: u32| plies == 0 || plies.saturating_add(clock) <= limit;
        let wdl = match (self.wdl, self.dtz, self.dtm) {
            (Wdl::Win | Wdl::Loss, Some(Dtz(plies)), _) if !within(plies) => self.wdl.cursed(),
            (Wdl::Win | Wdl::Loss, None, dtm)
                if clock > 0 && !dtm.is_some_and(|Dtm(plies)| within(plies)) =>
            {
                return None;
            }
            (wdl, ..) => wdl,
        };
        Some(Value { wdl, ..self })
    }
}

/// `win, DTM 17, DTZ 5`
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wdl.fmt(f)?;
        if let Some(dtm) = self.dtm {
            write!(f, ", DTM {dtm}")?;
        }
        if let Some(dtz) = self.dtz {
            write!(f, ", DTZ {dtz}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_values_come_first() {
        let value = |wdl, plies: Option<u32>| Value {
            wdl,
            dtm: plies.map(Dtm),
            dtz: None,
        };
        let order = [
            value(Wdl::Win, Some(0)),
            value(Wdl::Win, Some(8)),
            value(Wdl::Win, None),
            value(Wdl::CursedWin, Some(5)),
            value(Wdl::Draw, None),
            value(Wdl::BlessedLoss, Some(5)),
            value(Wdl::Loss, Some(9)),
            value(Wdl::Loss, Some(1)),
            value(Wdl::Loss, None),
        ];
        assert!(order.is_sorted_by_key(|v| v.rank()));
        for v in order {
            assert_eq!(v.reversed().reversed(), v);
        }
        assert_eq!(order[0].winner(Colour::Black), Some(Colour::Black));
        assert_eq!(order[6].winner(Colour::Black), Some(Colour::White));
    }

    #[test]
    fn values_are_written_with_what_is_known() {
        let mut value = Value::without_distances(Wdl::CursedWin);
        assert_eq!(value.to_string(), "cursed-win");
        (value.dtm, value.dtz) = (Some(Dtm(135)), Some(Dtz(101)));
        assert_eq!(value.to_string(), "cursed-win, DTM 135, DTZ 101");
    }
}
