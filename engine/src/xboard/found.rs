//! What has been found: lines of information, the move, hints and offers of a draw.

use std::io::{self, Write};

use retrograde_probe::{ProbeError, Tablebase, Wdl};
use retrograde_rules::History;

use super::{XboardSession, notation, result};
use crate::choice::Choice;
use crate::score::Score;

/// A mate in no moves, in the scores of the protocol.
const MATE: i32 = 100_000;

/// The most moves of a line that are shown: programs keep room for no more.
const MOST_SHOWN_MOVES: usize = 40;

impl<W: Write> XboardSession<W> {
    pub(super) fn report(&mut self, choice: &Choice) -> io::Result<()> {
        for note in &choice.notes {
            self.note(note)?;
        }
        self.post(choice)
    }

    /// Shows what has been found out.
    fn post(&mut self, choice: &Choice) -> io::Result<()> {
        let (true, Some(best)) = (self.posts, choice.prospects.first()) else {
            return Ok(());
        };
        let score = match best.value.map(Score::of) {
            Some(Score::Mate(moves)) if moves > 0 => MATE + moves,
            Some(Score::Mate(moves)) => -MATE + moves,
            Some(Score::Points(points)) => points,
            None => 0,
        };
        let position = self.record.position();
        let moves = best.moves.iter().take(MOST_SHOWN_MOVES);
        let moves: Vec<String> = moves.map(|&mv| notation::write(position, mv)).collect();
        let centiseconds = self.began.elapsed().as_millis() / 10;
        let (plies, nodes) = (choice.plies, choice.nodes + choice.hits);
        self.say(&format!(
            "{plies} {score} {centiseconds} {nodes} {}",
            moves.join(" ")
        ))
    }

    pub(super) fn conclude(&mut self, choice: &Choice) -> io::Result<()> {
        self.thinker.finished();
        self.report(choice)?;
        if !self.analyses {
            self.play(choice)?;
        }
        self.pong()
    }

    fn play(&mut self, choice: &Choice) -> io::Result<()> {
        let Some(best) = choice.best() else {
            return self.say("tellusererror No move was found");
        };
        let text = notation::send(self.record.position(), best);
        self.say(&format!("move {text}"))?;
        self.record.play(best);
        match result(&self.record) {
            Some(result) => self.say(&result),
            None => Ok(()),
        }
    }

    /// What the tables say of the position; `None` if they cannot.
    fn ask<T>(
        &mut self,
        question: impl Fn(&Tablebase, &History) -> Result<T, ProbeError>,
    ) -> io::Result<Option<T>> {
        let (tables, words) = self.settings.tables();
        words.iter().try_for_each(|words| self.note(words))?;
        let mut told = Vec::new();
        let answer = tables.ask(
            |text| told.push(text),
            |tables| question(tables, &self.record),
        );
        told.iter().try_for_each(|text| self.note(text))?;
        Ok(answer.ok())
    }

    /// Agrees to a draw where tables know of nothing better.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        let Some(answer) = self.ask(Tablebase::probe_in_game)? else {
            return Ok(());
        };
        let turn = self.record.position().turn();
        let value = match self.own.unwrap_or(turn) == turn {
            true => answer.value,
            false => answer.value.reversed(),
        };
        match value.wdl >= Wdl::Draw {
            true => self.say("offer draw"),
            false => Ok(()),
        }
    }

    pub(super) fn hint(&mut self) -> io::Result<()> {
        let answers = self.ask(Tablebase::moves_in_game)?.unwrap_or_default();
        match answers.first().filter(|best| best.value.is_some()) {
            Some(best) => {
                let text = notation::write(self.record.position(), best.mv);
                self.say(&format!("Hint: {text}"))
            }
            None => Ok(()),
        }
    }
}
