//! Turns clocks and limits of a game into the time that the engine may think about a move.

use std::time::Duration;

/// The time that a move may cost beside thinking: the way through pipes and programs.
const OVERHEAD: Duration = Duration::from_millis(30);

/// The least time for a move.
const LEAST: Duration = Duration::from_millis(1);

/// The number of moves that the time is taken to be for, unless that is known.
const MOVES: u32 = 30;

/// The limits of a search where no table has the answer. Without any limit the search goes on
/// until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    pub(crate) plies: Option<u16>,
    pub(crate) nodes: Option<u64>,
    pub(crate) time: Option<Duration>,
}

/// The time to think if a move may take so long.
pub(crate) fn for_a_move(time: Duration) -> Duration {
    time.saturating_sub(OVERHEAD).max(LEAST)
}

/// A clock that is running.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock {
    pub(crate) left: Duration,
    /// The time that each move adds.
    pub(crate) increment: Duration,
    /// The number of moves that the time must do for, if it is known.
    pub(crate) moves: Option<u32>,
}

impl Clock {
    /// The time for the next move.
    pub(crate) fn share(self) -> Duration {
        let left = self.left.saturating_sub(OVERHEAD);
        let moves = self.moves.map_or(MOVES, |moves| moves.saturating_add(1));
        let share = left / moves.max(1) + self.increment * 3 / 4;
        share.min(left * 4 / 5).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_never_runs_out() {
        for left in [0, 1, 20, 100, 1000, 60_000, 3_600_000] {
            for increment in [0, 100, 10_000] {
                for moves in [None, Some(0), Some(1), Some(40)] {
                    let clock = Clock {
                        left: Duration::from_millis(left),
                        increment: Duration::from_millis(increment),
                        moves,
                    };
                    assert!(clock.share() <= clock.left.max(LEAST), "{clock:?}");
                    assert!(clock.share() >= LEAST);
                }
            }
        }
    }
}
