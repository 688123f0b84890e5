//! What has been found, as lines of information and the best move.

use std::io::{self, Write};
use std::time::Duration;

use retrograde_probe::Value;
use retrograde_rules::{Move, Position};

use super::UciSession;
use crate::choice::{Choice, Prospect};
use crate::score::{Score, chances};

impl<W: Write> UciSession<W> {
    pub(super) fn report(&mut self, choice: &Choice) -> io::Result<()> {
        for note in &choice.notes {
            self.note(note)?;
        }
        match choice.plies {
            0 => Ok(()),
            _ => {
                let text = self.counts(choice) + &self.score(choice.value());
                self.say(&text)
            }
        }
    }

    pub(super) fn conclude(&mut self, choice: Choice) -> io::Result<()> {
        self.thinker.finished();
        for note in &choice.notes {
            self.note(note)?;
        }
        let counts = self.counts(&choice);
        let Some(position) = self.go.as_ref().map(|running| running.position) else {
            return Ok(());
        };
        if choice.prospects.is_empty() {
            let score = self.score(choice.value());
            self.say(&format!("{counts}{score}"))?;
        }
        for (place, prospect) in choice.prospects.iter().enumerate() {
            let line = match self.settings.lines {
                1 => String::new(),
                _ => format!(" multipv {}", place + 1),
            };
            let score = self.score(prospect.value);
            let moves = line_of(&position, prospect);
            self.say(&format!("{counts}{line}{score} pv {moves}"))?;
        }
        self.found = Some(choice);
        self.give_held()
    }

    /// The beginning of a line of information.
    fn counts(&self, choice: &Choice) -> String {
        let Choice {
            plies, nodes, hits, ..
        } = choice;
        let time = self
            .go
            .as_ref()
            .map_or(Duration::ZERO, |g| g.began.elapsed());
        let time = time.as_millis();
        format!("info depth {plies} nodes {nodes} tbhits {hits} time {time}")
    }

    /// The score, if it is known.
    fn score(&self, value: Option<Value>) -> String {
        let Some(value) = value else {
            return String::new();
        };
        let mut text = match Score::of(value) {
            Score::Mate(moves) => format!(" score mate {moves}"),
            Score::Points(points) => format!(" score cp {points}"),
        };
        if self.settings.show_wdl {
            let [win, draw, loss] = chances(value.wdl);
            text.push_str(&format!(" wdl {win} {draw} {loss}"));
        }
        text
    }

    pub(super) fn play(&mut self, choice: &Choice) -> io::Result<()> {
        let Some(running) = self.go.take() else {
            return Ok(());
        };
        let Some(best) = choice.best() else {
            return self.say("bestmove (none)");
        };
        let text = running.position.uci(best);
        let reply = choice.prospects.first().and_then(|best| best.moves.get(1));
        match reply {
            Some(&reply) => {
                let reply = running.position.uci(reply);
                self.say(&format!("bestmove {text} ponder {reply}"))
            }
            None => self.say(&format!("bestmove {text}")),
        }
    }
}

/// The moves of a line in UCI's long form.
fn line_of(position: &Position, prospect: &Prospect) -> String {
    let text = |&mv: &Move| position.uci(mv);
    let moves: Vec<String> = prospect.moves.iter().map(text).collect();
    moves.join(" ")
}
