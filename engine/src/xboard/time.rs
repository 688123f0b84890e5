//! Reads XBoard's time-control commands, and gives the effort that a move may take.

use std::time::Duration;

use crate::clock::{Clock, Effort, for_a_move};

/// The time control, as far as it has been told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeControl {
    /// Moves for the time; 0 for the whole game.
    moves: u32,
    increment: Duration,
    /// The time on the own clock.
    left: Duration,
    /// The time for each move, instead of a clock.
    each: Option<Duration>,
    /// The depth in plies.
    depth: Option<u16>,
}

/// Five minutes for forty moves.
impl Default for TimeControl {
    fn default() -> TimeControl {
        TimeControl {
            moves: 40,
            increment: Duration::ZERO,
            left: Duration::from_secs(300),
            each: None,
            depth: None,
        }
    }
}

impl TimeControl {
    /// This time control without its limit of depth, which holds for one game.
    pub(super) fn without_depth(self) -> TimeControl {
        TimeControl {
            depth: None,
            ..self
        }
    }

    /// Reads `level`, `st`, `sd`, `time` or `otim`; returns whether it was understood.
    pub(super) fn read(&mut self, name: &str, text: &str) -> bool {
        self.try_read(name, text).is_some()
    }

    fn try_read(&mut self, name: &str, text: &str) -> Option<()> {
        match name {
            "level" => {
                let mut words = text.split_whitespace();
                let moves = words.next()?.parse().ok()?;
                let base = words.next()?;
                let increment = seconds(words.next()?)?;
                let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
                let minutes = minutes.parse::<u64>().ok()?.checked_mul(60)?;
                let base = minutes.checked_add(rest.parse::<u64>().ok()?)?;
                (self.moves, self.increment) = (moves, increment);
                self.left = Duration::from_secs(base.min(1 << 40));
                self.each = None;
            }
            "st" => self.each = Some(seconds(text)?),
            "sd" => self.depth = Some(text.parse::<u16>().ok()?.max(1)),
            "time" => {
                let centiseconds = text.parse::<i64>().ok()?.clamp(0, 1 << 40);
                self.left = Duration::from_millis(10 * centiseconds as u64);
            }
            "otim" => drop(text.parse::<i64>().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// The limits of a search after so many own moves. Those before a position that was set up are
    /// not of this game.
    pub(super) fn effort(&self, own_moves: usize) -> Effort {
        let time = self.each.map(for_a_move).unwrap_or_else(|| {
            let played = u32::try_from(own_moves)
                .unwrap_or(u32::MAX)
                .checked_rem(self.moves);
            let clock = Clock {
                left: self.left,
                increment: self.increment,
                moves: played.map(|played| self.moves - played),
            };
            clock.share()
        });
        Effort {
            plies: self.depth,
            nodes: None,
            time: Some(time),
        }
    }
}

/// Seconds, maybe with a fraction.
fn seconds(text: &str) -> Option<Duration> {
    let seconds = text
        .parse()
        .ok()
        .filter(|seconds: &f64| !seconds.is_nan())?;
    Duration::try_from_secs_f64(seconds.min(1e9)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read() {
        let mut time = TimeControl::default();
        for (name, text) in [
            ("level", "40 0:30 0"),
            ("level", "0 5 2.5"),
            ("time", "-3"),
            ("otim", "100"),
            ("sd", "4"),
        ] {
            assert!(time.read(name, text), "{name} {text}");
        }
        assert_eq!(time.effort(2).plies, Some(4));
        assert_eq!(time.without_depth().effort(2).plies, None);
        let before = time;
        for (name, text) in [
            ("level", "40"),
            ("level", "40 x 0"),
            ("level", "40 5 -1"),
            ("st", "soon"),
            ("st", "nan"),
            ("sd", "-1"),
            ("time", ""),
        ] {
            assert!(!time.read(name, text), "{name} {text}");
        }
        assert_eq!(time, before);
        assert!(time.read("st", "0.5"));
        assert_eq!(time.effort(0).time, Some(Duration::from_millis(470)));
    }

    #[test]
    fn the_last_move_before_a_control_takes_more() {
        let time = TimeControl::default();
        assert!(time.effort(39).time > time.effort(0).time);
        assert!(time.effort(40).time == time.effort(0).time);
    }
}
