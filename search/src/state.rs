//! Keeps what a search has proved about its position, and chooses the next question.

use retrograde_probe::{Dtm, Wdl};
use retrograde_rules::{Colour, Position};

use crate::lookup::Oracle;
use crate::questions::{Aim, Ask, Proof, Stop, Way};

/// A question about the position of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RootQuestion {
    pub(crate) ask: Ask,
    /// Whether it is asked with the half-move clock at 0.
    pub(crate) fresh_clock: bool,
}

/// A question and the answers so far.
struct Answered {
    question: RootQuestion,
    /// The fewest plies known to be enough.
    yes: Option<u16>,
    /// The most plies known not to be enough.
    no: Option<u16>,
}

/// The state of a search about a position: see [`RootState::next`].
pub(crate) struct RootState {
    turn: Colour,
    clock: u32,
    limit: Option<u32>,
    has_depths: bool,
    answered: Vec<Answered>,
    /// The number of plies that have been searched completely.
    pub(crate) plies: u16,
}

impl RootState {
    pub(crate) fn of(oracle: &Oracle, position: &Position) -> RootState {
        RootState {
            turn: position.turn(),
            clock: position.halfmoves(),
            limit: oracle.limit(),
            has_depths: oracle.has_depths(),
            answered: Vec::new(),
            plies: 0,
        }
    }

    /// The next question worth asking with this many plies; `None` if there is none.
    pub(crate) fn next(
        &self,
        oracle: &Oracle,
        position: &Position,
        plies: u16,
        shortest: bool,
    ) -> Option<RootQuestion> {
        let mut useful = Vec::new();
        let mut add = |side, aim, fresh_clock| {
            let ask = Ask { side, aim };
            useful.push(RootQuestion { ask, fresh_clock });
        };
        let sides = [self.turn, self.turn.other()];
        match self.winner() {
            None => {
                let may_win = |&side: &Colour| self.yes(side.other(), Aim::Draw).is_none();
                let may_win: Vec<Colour> = sides.into_iter().filter(may_win).collect();
                if self.has_depths {
                    may_win.iter().for_each(|&side| add(side, Aim::End, false));
                }
                if !self.has_depths || oracle.reaches_tables(position, plies) {
                    may_win.iter().for_each(|&side| add(side, Aim::Win, false));
                }
                if self.has_depths {
                    sides
                        .into_iter()
                        .for_each(|side| add(side, Aim::Draw, false));
                }
            }
            Some(Some(winner)) => {
                for fresh_clock in [false, true] {
                    if self.winner_now(fresh_clock).is_none() {
                        add(winner, Aim::WinNow, fresh_clock);
                        add(winner.other(), Aim::DrawNow, fresh_clock);
                    }
                }
                if shortest && self.has_depths {
                    add(winner, Aim::End, false);
                }
            }
            Some(None) => {}
        }
        useful.into_iter().find(|&question| {
            let answered = self.answered.iter().find(|a| a.question == question);
            answered.is_none_or(|a| a.yes.is_none() && a.no.is_none_or(|no| no < plies))
        })
    }

    /// The sides of which it is open whether they lose.
    pub(crate) fn may_draw(&self) -> Vec<Colour> {
        let is_open = |side: &Colour| self.yes(*side, Aim::Draw).is_none();
        match self.has_depths && self.winner().is_none() {
            true => Colour::BOTH.into_iter().filter(is_open).collect(),
            false => Vec::new(),
        }
    }

    /// Stores an answer: that a number of plies is enough, or is not.
    pub(crate) fn record(&mut self, question: RootQuestion, plies: u16, is_enough: bool) {
        let place = self.answered.iter().position(|a| a.question == question);
        let place = place.unwrap_or_else(|| {
            self.answered.push(Answered {
                question,
                yes: None,
                no: None,
            });
            self.answered.len() - 1
        });
        let answered = &mut self.answered[place];
        match is_enough {
            true => answered.yes = Some(plies),
            false => answered.no = Some(plies),
        }
    }

    fn yes(&self, side: Colour, aim: Aim) -> Option<u16> {
        self.yes_with(side, aim, false)
    }

    fn yes_with(&self, side: Colour, aim: Aim, fresh_clock: bool) -> Option<u16> {
        let ask = Ask { side, aim };
        let question = RootQuestion { ask, fresh_clock };
        let answered = self.answered.iter().find(|a| a.question == question);
        answered.and_then(|a| a.yes)
    }

    /// The winner, the fifty-move rule aside; `None` while that is open.
    fn winner(&self) -> Option<Option<Colour>> {
        let wins = |side: &Colour| {
            [Aim::End, Aim::Win]
                .into_iter()
                .any(|aim| self.yes(*side, aim).is_some())
        };
        let holds = |side: Colour| self.yes(side, Aim::Draw).is_some();
        let winner = Colour::BOTH.into_iter().find(wins);
        winner
            .map(Some)
            .or_else(|| Colour::BOTH.into_iter().all(holds).then_some(None))
    }

    /// The winner at the clock of the position, or with the clock at 0; `None` while that is open.
    fn winner_now(&self, fresh_clock: bool) -> Option<Option<Colour>> {
        let (winner, limit) = match (self.winner()?, self.limit) {
            (Some(winner), Some(limit)) => (winner, limit),
            (winner, _) => return Some(winner),
        };
        let clock = if fresh_clock { 0 } else { self.clock };
        let in_time = |plies: u16| is_in_time(clock, plies, limit);
        let wins = |fresh| self.yes_with(winner, Aim::WinNow, fresh).is_some();
        if self.yes(winner, Aim::End).is_some_and(in_time)
            || wins(fresh_clock)
            // A smaller clock is not worse for the winner.
            || wins(false)
        {
            Some(Some(winner))
        } else if self
            .yes_with(winner.other(), Aim::DrawNow, fresh_clock && self.clock > 0)
            .is_some()
        {
            Some(None)
        } else {
            None
        }
    }

    /// Whether there is nothing more to ask, however many plies there are.
    pub(crate) fn is_settled(&self, shortest: bool) -> bool {
        let has_depth = match self.winner() {
            None => return false,
            Some(None) => true,
            Some(Some(winner)) => {
                !shortest || !self.has_depths || self.yes(winner, Aim::End).is_some()
            }
        };
        has_depth && self.winner_now(false).is_some() && self.winner_now(true).is_some()
    }

    /// The way in which a side wins that is known to.
    fn way(&self, side: Colour) -> Option<Way> {
        let now = self.winner_now(false);
        // The shortest mate does not count if it comes too late and another way wins in time.
        let is_way = |aim, plies| match (aim, now, self.limit) {
            (Aim::End, Some(Some(_)), Some(limit)) => is_in_time(self.clock, plies, limit),
            _ => true,
        };
        let aims = [Aim::End, Aim::WinNow, Aim::Win].into_iter();
        let mut ways = aims.filter_map(|aim| Some((aim, self.yes(side, aim)?)));
        let (aim, plies) = ways.find(|&(aim, plies)| is_way(aim, plies))?;
        let is_saved = now == Some(None);
        Some(Way {
            ask: Ask { side, aim },
            plies,
            hold: self.yes(side.other(), Aim::DrawNow).filter(|_| is_saved),
        })
    }

    /// The proof so far.
    pub(crate) fn proof(&self, nodes: u64, stop: Option<Stop>) -> Proof {
        let winner = self.winner();
        let wdl = |now: Option<Option<Colour>>| match (winner, now) {
            (Some(None), _) => Some(Wdl::Draw),
            (Some(Some(winner)), Some(now)) => {
                let plain = Wdl::of_winner(Some(winner), self.turn);
                Some(match now {
                    Some(_) => plain,
                    None => plain.cursed(),
                })
            }
            _ => None,
        };
        let [wdl, wdl_at_clock_0] = [false, true].map(|fresh| wdl(self.winner_now(fresh)));
        let holds = |side| self.yes(side, Aim::Draw).is_some();
        let at_least = match (wdl, winner) {
            (None, Some(Some(winner))) if winner == self.turn => Wdl::CursedWin,
            (None, _) if holds(self.turn) => Wdl::Draw,
            (None, _) => Wdl::Loss,
            (Some(wdl), _) => wdl,
        };
        let at_most = match (wdl, winner) {
            (None, Some(Some(winner))) if winner != self.turn => Wdl::BlessedLoss,
            (None, _) if holds(self.turn.other()) => Wdl::Draw,
            (None, _) => Wdl::Win,
            (Some(wdl), _) => wdl,
        };
        let winner = winner.flatten();
        let way = winner.and_then(|side| self.way(side));
        let depth = winner.and_then(|winner| self.yes(winner, Aim::End));
        Proof {
            wdl,
            wdl_at_clock_0,
            at_least,
            at_most,
            dtm: depth.map(|plies| Dtm(plies.into())),
            way,
            plies: self.plies,
            nodes,
            stop,
        }
    }
}

/// Whether a game that ends after so many plies ends before the fifty-move rule applies, whatever
/// the moves are (O7).
fn is_in_time(clock: u32, plies: u16, limit: u32) -> bool {
    clock.saturating_add(plies.into()) <= limit
}
