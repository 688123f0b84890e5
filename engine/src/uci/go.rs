//! The command `go` and its limits.

use std::time::Duration;

use retrograde_rules::{Colour, Move, Position, shortened};

use crate::clock::{Clock, Effort, for_a_move};
use crate::moves;

/// How long to think if no limit is given at all.
const UNLIMITED: Duration = Duration::from_secs(5);

/// What `go` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// The only moves to choose from; empty for all.
    pub(super) only: Vec<Move>,
    pub(super) effort: Effort,
    /// Until `stop`.
    pub(super) infinite: bool,
    /// Until `ponderhit` or `stop`.
    pub(super) ponder: bool,
}

/// The words of the command.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Go {
    /// Reads the words after `go`, and says what in them means nothing.
    pub(super) fn read(words: &[&str], position: &Position) -> (Go, Vec<String>) {
        let mut go = Go::default();
        let mut notes = Vec::new();
        let (mut left, mut increment) = (None, Duration::ZERO);
        let mut moves_to_go = None;
        let [own_time, own_increment] = match position.turn() {
            Colour::White => ["wtime", "winc"],
            Colour::Black => ["btime", "binc"],
        };
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|text| !WORDS.contains(text)) {
                        match moves::read(position, text) {
                            Ok(mv) => go.only.push(mv),
                            Err(error) => notes.push(error.to_string()),
                        }
                    }
                }
                _ if WORDS.contains(&word) => {
                    let text = words.next_if(|text| !WORDS.contains(text)).unwrap_or("");
                    let Ok(number) = text.parse::<i64>() else {
                        notes.push(format!(
                            "{word} needs a number, not \"{}\"",
                            shortened(text)
                        ));
                        continue;
                    };
                    // Clocks may have run out.
                    let is_clock = matches!(word, "wtime" | "btime" | "winc" | "binc");
                    if number < 0 && !is_clock {
                        notes.push(format!("{word} cannot be {number}"));
                        continue;
                    }
                    let number = number.max(0) as u64;
                    let time = Duration::from_millis(number);
                    let plies = |n: u64| Some(u16::try_from(n).unwrap_or(u16::MAX).max(1));
                    match word {
                        "depth" => go.effort.plies = plies(number),
                        // In moves of the side that mates.
                        "mate" => go.effort.plies = plies((2 * number.min(1 << 20)).max(1) - 1),
                        "nodes" => go.effort.nodes = Some(number.max(1)),
                        "movetime" => go.effort.time = Some(for_a_move(time)),
                        "movestogo" => moves_to_go = u32::try_from(number).ok(),
                        _ if word == own_time => left = Some(time),
                        _ if word == own_increment => increment = time,
                        _ => {}
                    }
                }
                _ => notes.push(format!("go does not know \"{}\"", shortened(word))),
            }
        }
        if let (None, Some(left)) = (go.effort.time, left) {
            let clock = Clock {
                left,
                increment,
                moves: moves_to_go,
            };
            go.effort.time = Some(clock.share());
        }
        if go.infinite {
            go.effort.time = None;
        } else if go.effort == Effort::default() {
            go.effort.time = Some(UNLIMITED);
        }
        (go, notes)
    }

    /// Whether the move has to be held back.
    pub(super) fn waits(&self) -> bool {
        self.infinite || self.ponder
    }

    /// Takes note that it need not be any longer.
    pub(super) fn release(&mut self) {
        (self.infinite, self.ponder) = (false, false);
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Game;

    use super::*;

    fn read(text: &str) -> (Go, Vec<String>) {
        let position = Game::default().array();
        Go::read(&text.split_whitespace().collect::<Vec<_>>(), &position)
    }

    #[test]
    fn limits_are_read() {
        let (go, notes) = read("searchmoves e2e4 d2d4 depth 3 nodes 7 mate x movetime 100");
        assert_eq!(go.only.len(), 2);
        assert_eq!((go.effort.plies, go.effort.nodes), (Some(3), Some(7)));
        assert_eq!(go.effort.time, Some(Duration::from_millis(70)));
        assert_eq!(notes, ["mate needs a number, not \"x\""]);
        assert_eq!(read("mate 2").0.effort.plies, Some(3));
        assert_eq!(read("").0.effort.time, Some(UNLIMITED));
        let (go, notes) = read("wtime -5 btime 100000 infinite");
        assert!(go.waits() && go.effort == Effort::default() && notes.is_empty());
        let (go, notes) = read("nodes -5 depth -1");
        assert_eq!(notes, ["nodes cannot be -5", "depth cannot be -1"]);
        assert_eq!(go.effort.time, Some(UNLIMITED));
        let (go, notes) = read("wtime 60000 winc 1000 sudden e2e5 ponder");
        assert_eq!(notes.len(), 2);
        assert!(go.ponder && go.effort.time < Some(Duration::from_secs(4)));
        let (go, notes) = read("searchmoves e2e5 infinite");
        assert!(go.only.is_empty() && go.infinite && notes[0].contains("not legal"));
    }
}
