//! The value of a position by its moves, where no table tells it.

use retrograde_rules::Position;

use crate::Wdl;
use crate::answer::{Answer, Extra};
use crate::best::Best;
use crate::error::ProbeError;
use crate::facts::Facts;
use crate::tablebase::Tablebase;
use crate::value::{Dtm, Dtz, Value};

/// The conclusions from those moves of a position whose values are known.
#[derive(Clone, Copy)]
struct Settled {
    /// The value at the half-move clock of the position; distances only if they are certain.
    value: Value,
    /// Who wins with the clock at 0, if that is settled, too.
    wdl_at_clock_0: Option<Wdl>,
}

impl Tablebase {
    /// The value of a position that no table has, at its half-move clock, if those of its moves
    /// that rules or tables know settle it: one of them wins, or none is left that could be
    /// better. Positions with castling rights are left alone (O1).
    ///
    /// # Errors
    /// A table is damaged.
    pub(crate) fn value_by_moves(&self, position: &Position) -> Result<Option<Value>, ProbeError> {
        Ok(self.settled(position)?.map(|settled| settled.value))
    }

    /// An answer by [`Tablebase::value_by_moves`]; `at_0` is what tables say with the clock at 0,
    /// if it is only the clock that they do not tell about.
    ///
    /// # Errors
    /// A table is damaged.
    pub(crate) fn answer_by_moves(
        &self,
        position: &Position,
        at_0: Option<Value>,
    ) -> Result<Option<Answer>, ProbeError> {
        let Some(mut settled) = self.settled(position)? else {
            return Ok(None);
        };
        if let Some(at_0) = at_0 {
            settled.wdl_at_clock_0 = Some(at_0.wdl);
            (settled.value.dtm, settled.value.dtz) = (at_0.dtm, at_0.dtz);
        }
        let at_clock_0 = settled.wdl_at_clock_0.filter(|_| self.limit.is_some());
        Ok(Some(Answer {
            facts: Facts::of(position),
            value: settled.value,
            extra: at_clock_0.map_or(Extra::None, |wdl_at_clock_0| Extra::Clock {
                wdl_at_clock_0,
            }),
            by_moves: at_0.is_none(),
        }))
    }

    fn settled(&self, position: &Position) -> Result<Option<Settled>, ProbeError> {
        if !position.castling().is_empty() {
            return Ok(None);
        }
        let moves = position.legal_moves();
        // The value if what is not known is as bad as can be, and as good as can be.
        let (mut least, mut most) = (Best::default(), Best::default());
        for &mv in &moves {
            let after = position.play(mv);
            let found = match after.end() {
                Some(end) => Ok(self.ended(end, after.turn())),
                None => self.value_of(&after),
            };
            let (worst, best) = match found {
                Ok(value) => self.bounds(mv.is_zeroing(), value.reversed()),
                Err(error) if error.is_unknown() => {
                    let soonest = Value {
                        wdl: Wdl::Win,
                        dtm: Some(Dtm(1)),
                        dtz: self.limit.map(|_| Dtz(1)),
                    };
                    (Value::without_distances(Wdl::Loss), soonest)
                }
                Err(error) => return Err(error),
            };
            least.add(mv, worst);
            most.add(mv, best);
        }
        let Some((least, most)) = least.value().zip(most.value()) else {
            return Ok(None);
        };
        // The lesser is the better.
        let at_clock = |value: Value, pick: fn(Wdl, Wdl) -> Wdl| {
            let now = value.at_clock(position.halfmoves(), self.limit);
            now.map_or_else(|| pick(value.wdl, value.wdl.cursed()), |now| now.wdl)
        };
        let wdl = at_clock(least, Wdl::max);
        if wdl != at_clock(most, Wdl::min) {
            return Ok(None);
        }
        let has_depths = self.game().vitality().is_none();
        let is_settled_at_0 = least.wdl == most.wdl;
        Ok(Some(Settled {
            value: Value {
                wdl,
                dtm: least.dtm.filter(|_| has_depths && least.dtm == most.dtm),
                dtz: least
                    .dtz
                    .filter(|_| is_settled_at_0 && least.dtz == most.dtz),
            },
            wdl_at_clock_0: is_settled_at_0.then_some(least.wdl),
        }))
    }

    /// The worst and the best that a move can be worth to who makes it, given the value of the
    /// position after it for the same side with the half-move clock at 0.
    fn bounds(&self, is_zeroing: bool, mut value: Value) -> (Value, Value) {
        if is_zeroing && value.wdl != Wdl::Draw {
            // It counts as one ply, whatever comes after it.
            value.dtz = self.limit.map(|_| Dtz(0));
            return (value, value);
        }
        match value.at_clock(1, self.limit) {
            Some(value) => (value, value),
            None => {
                let wdl = value.wdl.cursed();
                let cursed = Value { wdl, ..value };
                match wdl < value.wdl {
                    true => (value, cursed),
                    false => (cursed, value),
                }
            }
        }
    }
}
