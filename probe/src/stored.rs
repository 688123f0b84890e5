//! What the values of a position in several tables say together.

use crate::Wdl;
use crate::value::{Dtm, Dtz, Value};
use retrograde_index::{Metric, score};

#[cfg(doc)]
use retrograde_rules::Game;

/// The stored values of one position, as far as there are tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    wdl: Option<i16>,
    dtm: Option<i16>,
    dtz: Option<i16>,
}

impl Stored {
    /// Adds the value of a table; those of other metrics say nothing here.
    #[inline]
    pub fn set(&mut self, metric: Metric, value: i16) {
        match metric {
            Metric::Wdl => self.wdl = Some(value),
            Metric::Dtm => self.dtm = Some(value),
            Metric::Dtz => self.dtz = Some(value),
            _ => {}
        }
    }

    /// What they say in a game with this limit of the fifty-move rule, if it
    /// has one ([`Game::zeroing_limit`]); `None` if they do not say for certain
    /// who wins, and whether the rule allows it.
    #[inline]
    pub fn value(self, limit: Option<u32>) -> Option<Value> {
        self.with(match self.wdl {
            Some(wdl) => Wdl::from_value(wdl),
            None => self.wdl_without_table(limit)?,
        })
    }

    /// The same with the fifty-move rule left out, so that there are wins,
    /// draws and losses alone where no result is stored.
    #[inline]
    pub fn value_without_clock(self) -> Option<Value> {
        self.with(match (self.wdl, self.dtm) {
            (Some(wdl), _) => Wdl::from_value(wdl),
            (None, Some(dtm)) => Wdl::from_value(dtm.signum()),
            (None, None) => return None,
        })
    }

    /// The depth says who wins. Whether the rule turns the win into a draw it
    /// only says of mates within the limit; a longer distance to the next
    /// zeroing move says it of others. In between it depends on what comes
    /// after that move.
    fn wdl_without_table(self, limit: Option<u32>) -> Option<Wdl> {
        let dtm = self.dtm?;
        let wdl = Wdl::from_value(dtm.signum());
        let within = |plies: u32| limit.is_none_or(|limit| plies <= limit);
        let dtz = self.dtz.and_then(|plies| plies.try_into().ok());
        match score::plies(dtm) {
            Some(plies) if !within(plies) => {
                dtz.is_some_and(|dtz| !within(dtz)).then(|| wdl.cursed())
            }
            _ => Some(wdl),
        }
    }

    fn with(self, wdl: Wdl) -> Option<Value> {
        if wdl == Wdl::Draw {
            return Some(Value::DRAW);
        }
        Some(Value {
            wdl,
            dtm: self.dtm.and_then(score::plies).map(Dtm),
            dtz: self.dtz.and_then(|plies| plies.try_into().ok()).map(Dtz),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(values: &[(Metric, i16)]) -> Stored {
        let mut stored = Stored::default();
        for &(metric, value) in values {
            stored.set(metric, value);
        }
        stored
    }

    #[test]
    fn the_result_comes_first_and_draws_have_no_distance() {
        assert_eq!(Stored::default().value(Some(100)), None);
        let mut stored = stored(&[(Metric::Dtz, 7)]);
        assert_eq!(stored.value(Some(100)), None);
        assert_eq!(stored.value_without_clock(), None);
        stored.set(Metric::Dtm, score::loss(40));
        let value = stored.value(Some(100)).unwrap();
        assert_eq!(value.wdl, Wdl::Loss);
        assert_eq!((value.dtm, value.dtz), (Some(Dtm(40)), Some(Dtz(7))));
        stored.set(Metric::Wdl, Wdl::BlessedLoss.to_value());
        let wdl = |value: Option<Value>| value.unwrap().wdl;
        assert_eq!(wdl(stored.value(Some(100))), Wdl::BlessedLoss);
        assert_eq!(wdl(stored.value_without_clock()), Wdl::BlessedLoss);
        stored.set(Metric::Wdl, 0);
        assert_eq!(stored.value(Some(100)), Some(Value::DRAW));
    }

    /// Without a result only what is certain is said (O4).
    #[test]
    fn a_long_win_may_be_cursed() {
        use Wdl::{BlessedLoss, CursedWin, Loss, Win};
        let (win, loss) = (score::win, score::loss);
        for (dtm, dtz, limit, expected) in [
            (win(99), None, Some(100), Some(Win)),
            (loss(100), None, Some(100), Some(Loss)),
            (win(101), None, Some(100), None),
            (loss(102), None, Some(100), None),
            (win(135), Some(101), Some(100), Some(CursedWin)),
            (loss(136), Some(102), Some(100), Some(BlessedLoss)),
            // A cursed win may begin with a capture, and a real one too.
            (win(135), Some(99), Some(100), None),
            (win(99), Some(99), Some(100), Some(Win)),
            (win(9), Some(5), Some(4), Some(CursedWin)),
            (score::DRAW, None, Some(100), Some(Wdl::Draw)),
            // No such rule.
            (win(101), None, None, Some(Win)),
            (loss(102), None, None, Some(Loss)),
        ] {
            let mut stored = stored(&[(Metric::Dtm, dtm)]);
            if let Some(dtz) = dtz {
                stored.set(Metric::Dtz, dtz);
            }
            let value = stored.value(limit);
            assert_eq!(value.map(|v| v.wdl), expected, "{dtm} {dtz:?}");
            let plain = stored.value_without_clock().unwrap().wdl;
            assert_eq!(plain, Wdl::from_value(dtm.signum()));
        }
    }
}
