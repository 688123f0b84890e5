//! Defines the value of a position, who wins and how far it is, and combines values of moves.
//!
//! A value joins what several tables say of a position.

use std::cmp::Ordering;
use std::fmt;

use retrograde_index::{Metric, Wdl, score};
#[cfg(doc)]
use retrograde_rules::Game;
use retrograde_rules::{Colour, Move};

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

/// The value of a position by the tables, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// The result.
    pub wdl: Wdl,
    /// The depth. `None` for draws, and where no table says it.
    pub dtm: Option<Dtm>,
    /// The distance to the next zeroing move. `None` for draws, in games
    /// without the fifty-move rule, and where no table says it.
    pub dtz: Option<Dtz>,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value::without_distances(Wdl::Draw);

    /// A value of a result alone.
    pub const fn without_distances(wdl: Wdl) -> Value {
        Value {
            wdl,
            dtm: None,
            dtz: None,
        }
    }

    /// The value for the other side, with the same distances and that side's result.
    #[must_use]
    pub const fn reversed(self) -> Value {
        Value {
            wdl: self.wdl.reversed(),
            ..self
        }
    }

    /// The winner if this is the value for `side`; `None` for a draw.
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

/// The plies that Syzygy's tables add to the distances of cursed results, which they take to be
/// above 100 in every game.
const CURSED: i32 = 100;

impl Dtm {
    /// The plies, negative for losses.
    #[inline]
    pub fn signed(self, wdl: Wdl) -> i32 {
        let plies = i32::try_from(self.0).unwrap_or(i32::MAX);
        plies * i32::from(wdl.number().signum())
    }
}

impl Dtz {
    /// The plies, negative for losses, beyond 100 for cursed results; 1 or -1 where
    /// there are none, so that the sign is there. So Syzygy's tables have it (O4).
    #[inline]
    pub fn signed(self, wdl: Wdl) -> i32 {
        let plies = i32::try_from(self.0).unwrap_or(i32::MAX).max(1);
        let plies = match wdl.is_cursed() && plies <= CURSED {
            true => plies + CURSED,
            false => plies,
        };
        plies * i32::from(wdl.number().signum())
    }
}

impl Value {
    /// [`Value::dtm`] as [`Dtm::signed`] has it, 0 for a draw; `None` where it is not known.
    #[inline]
    pub fn signed_dtm(self) -> Option<i32> {
        match self.wdl {
            Wdl::Draw => Some(0),
            wdl => Some(self.dtm?.signed(wdl)),
        }
    }

    /// [`Value::dtz`] as [`Dtz::signed`] has it, 0 for a draw; `None` where it is not known.
    #[inline]
    pub fn signed_dtz(self) -> Option<i32> {
        match self.wdl {
            Wdl::Draw => Some(0),
            wdl => Some(self.dtz?.signed(wdl)),
        }
    }
}

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

    /// The value by these in a game with this limit of the fifty-move rule, if it
    /// has one ([`Game::zeroing_limit`]); `None` if they do not say for certain
    /// who wins, and whether the rule allows it.
    #[inline]
    pub fn value(self, limit: Option<u32>) -> Option<Value> {
        self.with(match self.wdl {
            Some(wdl) => Wdl::from_value(wdl),
            None => self.wdl_without_table(limit)?,
        })
    }

    /// The value by these with the fifty-move rule left out, so that there are wins,
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

/// The best of the moves so far.
#[derive(Default)]
pub(crate) struct Best(Option<Value>);

impl Best {
    /// Takes another move into account; `value` is its value to the side
    /// that makes it, distances counted from the position after it.
    pub(crate) fn add(&mut self, mv: Move, value: Value) {
        let to_zeroing = |plies: u32| if mv.is_zeroing() { 1 } else { plies + 1 };
        let value = Value {
            wdl: value.wdl,
            dtm: value.dtm.map(|Dtm(plies)| Dtm(plies + 1)),
            // Unknown after a zeroing move means that there is no such table.
            dtz: value.dtz.map(|Dtz(plies)| Dtz(to_zeroing(plies))),
        };
        self.0 = Some(match self.0 {
            None => value,
            Some(best) => Value {
                wdl: best.wdl.min(value.wdl),
                dtm: distance_of_better(best, value, without_clock, |v| v.dtm),
                dtz: distance_of_better(best, value, |wdl| wdl, |v| v.dtz),
            },
        });
    }

    /// The value; `None` if there was no move.
    pub(crate) fn value(self) -> Option<Value> {
        self.0
    }
}

/// The result if the fifty-move rule is ignored.
fn without_clock(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::CursedWin => Wdl::Win,
        Wdl::BlessedLoss => Wdl::Loss,
        wdl => wdl,
    }
}

/// The distance of the better of two moves, by who wins and then by distance:
/// the side that gains takes the shortest way, the other the longest.
fn distance_of_better<D: Ord>(
    a: Value,
    b: Value,
    key: impl Fn(Wdl) -> Wdl,
    distance: impl Fn(Value) -> Option<D>,
) -> Option<D> {
    let wdl = key(a.wdl);
    match wdl.cmp(&key(b.wdl)) {
        Ordering::Less => distance(a),
        Ordering::Greater => distance(b),
        Ordering::Equal => {
            let (a, b) = distance(a).zip(distance(b))?;
            // The side that is asked for does not matter.
            match wdl.winner(Colour::White) {
                Some(Colour::White) => Some(a.min(b)),
                _ => Some(a.max(b)),
            }
        }
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

#[cfg(test)]
mod stored_tests {
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

#[cfg(test)]
mod best_tests {
    use retrograde_rules::{Game, Position};

    use super::*;

    #[test]
    fn distances_are_those_of_the_best_moves() {
        use Wdl::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let game = Game::default();
        let position = Position::from_fen(game, "8/8/8/8/1k6/3K4/7P/R7 w - -").unwrap();
        let moves = position.legal_moves();
        let quiet = *moves.iter().find(|m| !m.is_zeroing()).unwrap();
        let pawn = *moves.iter().find(|m| m.is_zeroing()).unwrap();
        for (list, expected) in [
            // A longer way to mate, but a win under the fifty-move rule.
            (
                vec![(quiet, Win, 9, 3), (quiet, CursedWin, 4, 2)],
                (Win, Some(Dtm(5)), Some(Dtz(4))),
            ),
            (
                vec![(pawn, CursedWin, 9, 3), (quiet, CursedWin, 4, 2)],
                (CursedWin, Some(Dtm(5)), Some(Dtz(1))),
            ),
            // The longest loss that stays blessed.
            (
                vec![(quiet, BlessedLoss, 9, 3), (quiet, Loss, 30, 20)],
                (BlessedLoss, Some(Dtm(31)), Some(Dtz(4))),
            ),
            (
                vec![(pawn, Loss, 9, 3), (quiet, Loss, 5, 3)],
                (Loss, Some(Dtm(10)), Some(Dtz(4))),
            ),
            (
                vec![(quiet, Loss, 9, 3), (pawn, Draw, 0, 0)],
                (Draw, None, None),
            ),
        ] {
            let mut best = Best::default();
            for (mv, wdl, dtm, dtz) in list {
                let value = Value {
                    wdl,
                    dtm: (wdl != Draw).then_some(Dtm(dtm)),
                    dtz: (wdl != Draw).then_some(Dtz(dtz)),
                };
                best.add(mv, value);
            }
            let best = best.value().unwrap();
            assert_eq!((best.wdl, best.dtm, best.dtz), expected);
        }
        assert_eq!(Best::default().value(), None);
    }
}

#[cfg(test)]
mod signed_tests {
    use super::*;

    #[test]
    fn signs_and_the_fifty_move_rule() {
        assert_eq!(Dtm(17).signed(Wdl::Win), 17);
        assert_eq!(Dtm(17).signed(Wdl::Loss), -17);
        assert_eq!(Dtm(0).signed(Wdl::Loss), 0);
        assert_eq!(Dtz(0).signed(Wdl::Loss), -1);
        assert_eq!(Dtz(100).signed(Wdl::Win), 100);
        assert_eq!(Dtz(5).signed(Wdl::CursedWin), 105);
        assert_eq!(Dtz(101).signed(Wdl::BlessedLoss), -101);
        assert_eq!(Dtz(u32::MAX).signed(Wdl::BlessedLoss), -i32::MAX);
        let signed = |value: Value| (value.signed_dtm(), value.signed_dtz());
        let value = Value {
            wdl: Wdl::BlessedLoss,
            dtm: Some(Dtm(110)),
            dtz: Some(Dtz(5)),
        };
        assert_eq!(signed(value), (Some(-110), Some(-105)));
        assert_eq!(signed(Value::DRAW), (Some(0), Some(0)));
        assert_eq!(signed(Value::without_distances(Wdl::Win)), (None, None));
    }
}
