//! The values of a material asked again of the rules: for every state and every
//! pair of counters, move by move. As no game goes on for ever (H8), values
//! that fit those of all successors can only be the right ones.

use super::super::state::{Side, State};
use super::rules::{self, Counters};
use super::solve::Solver;
use super::values::Answer;

/// The values of a state after a move, copied.
struct After {
    state: State,
    mated: bool,
    thresholds: Vec<u8>,
    mates: [u8; 2],
}

/// What was seen on the way.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// States, counters apart.
    pub(crate) states: u64,
    /// States with counters in which only the pass wins, for a side that is
    /// Low and for one that is High.
    pub(crate) low_passes: u64,
    pub(crate) high_passes: u64,
}

impl Solver {
    /// Panics if a value does not follow; looks at counters of so many points.
    pub(crate) fn audit(&mut self, name: &str, points: &[u8]) -> Seen {
        let mut states = Vec::new();
        self.each(name, |state, answer| {
            if let Some(answer) = answer {
                let mates = [answer.white_mates, answer.black_mates];
                states.push((*state, answer.thresholds.to_vec(), mates));
            }
        });
        let mut seen = Seen::default();
        for (state, thresholds, mates) in states {
            self.audit_state(&state, &thresholds, mates, points, &mut seen);
        }
        seen
    }

    fn audit_state(
        &mut self,
        state: &State,
        thresholds: &[u8],
        mates: [u8; 2],
        points: &[u8],
        seen: &mut Seen,
    ) {
        let full = self.rules.full;
        seen.states += 1;
        let mut next = Vec::new();
        rules::each_move(state, |to| next.extend(rules::legal(&to).then_some(to)));
        let after: Vec<After> = next.iter().map(|to| self.after(to)).collect();
        let answer = Answer {
            thresholds,
            white_mates: mates[0],
            black_mates: mates[1],
        };
        for &white in points {
            for &black in points {
                let counters = Counters { white, black };
                let mut winning = after.iter().filter(|to| self.wins(state, to, counters));
                let first = winning.next();
                let white_wins = first.is_some() == (state.turn == Side::White);
                assert_eq!(
                    answer.white_wins(white, black),
                    white_wins,
                    "{state} {counters:?}"
                );
                let pass = |to: &After| to.state.squares == state.squares;
                if first.is_some_and(pass) && winning.next().is_none() {
                    let low = rules::high_in(state) != state.turn;
                    *(if low {
                        &mut seen.low_passes
                    } else {
                        &mut seen.high_passes
                    }) += 1;
                }
            }
        }
        for side in Side::BOTH {
            for &points in points {
                let counters = Counters {
                    white: points,
                    black: points,
                };
                let mut leads = after.iter().map(|to| self.mates(state, to, counters, side));
                let mates_now = match state.turn {
                    turn if turn == side => leads.any(|mates| mates),
                    _ => leads.all(|mates| mates),
                };
                let least = mates[side as usize];
                assert_eq!(points >= least, mates_now, "{state} {side:?} {points}");
            }
        }
        // Who mates, wins.
        assert!(thresholds.iter().all(|&least| least <= mates[0]), "{state}");
        for (&least, black) in thresholds.iter().zip(1..) {
            assert!(black < mates[1] || least > full, "{state}");
        }
    }

    fn after(&mut self, state: &State) -> After {
        let answer = self.answer(state).expect("a legal state");
        After {
            state: *state,
            mated: rules::mated(state),
            thresholds: answer.thresholds.to_vec(),
            mates: [answer.white_mates, answer.black_mates],
        }
    }

    /// Whether the move wins for the side that makes it.
    fn wins(&self, before: &State, after: &After, counters: Counters) -> bool {
        let left = self.rules.charge(before, &after.state, counters);
        if after.mated {
            return true;
        }
        match before.turn {
            Side::White => {
                left.white > 0 && left.white >= after.thresholds[usize::from(left.black) - 1]
            }
            Side::Black => {
                left.black > 0 && left.white < after.thresholds[usize::from(left.black) - 1]
            }
        }
    }

    /// Whether after the move `side` forces mate, if the other side's counter
    /// is never lowered.
    fn mates(&self, before: &State, after: &After, counters: Counters, side: Side) -> bool {
        let left = self.rules.charge(before, &after.state, counters);
        let points = match side {
            Side::White => left.white,
            Side::Black => left.black,
        };
        if after.mated {
            return before.turn == side;
        }
        points > 0 && points >= after.mates[side as usize]
    }
}
