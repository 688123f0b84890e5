//! The Universal Chess Interface.

mod found;
mod go;
mod options;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use retrograde_rules::{History, Position, shortened};

use crate::choice::{Choice, Task};
use crate::clock::Effort;
use crate::moves;
use crate::one_line;
use crate::session::{self, Leaving, Session};
use crate::settings::{Defaults, Settings};
use crate::thinker::Thinker;
use go::Go;

/// The words that a command may begin with; words before them are passed over.
const COMMANDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// How long to go on thinking when no more commands come.
const LAST: Duration = Duration::from_secs(10);

/// Answers UCI commands until `quit`, or until there are no more. `quit` stops what is being
/// thought about, and leaves when that is answered.
///
/// Besides the options of the protocol (`UCI_Variant`, `UCI_ShowWDL`, `Hash`, `Threads`,
/// `MultiPV`, `Ponder`) there is `TablebasePath`, a list of table folders in the format of
/// the platform. Moves are those of `retrograde_rules`; a pass is `0000`, and is understood
/// as the king's square twice, too. A line that means nothing is answered by `info string`.
///
/// # Errors
/// The output cannot be written. A closed pipe counts as such an error.
pub fn uci(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    defaults: Defaults,
) -> io::Result<()> {
    let settings = Settings::new(defaults);
    session::run(input, |thinker| UciSession {
        output,
        record: History::new(settings.game.array()),
        settings,
        thinker,
        go: None,
        found: None,
        refused: false,
        pending: VecDeque::new(),
        leaving: Leaving::default(),
    })
}

/// What is being thought about.
struct Running {
    go: Go,
    began: Instant,
    /// The position that is thought about.
    position: Position,
}

struct UciSession<W> {
    output: W,
    settings: Settings,
    record: History,
    thinker: Thinker,
    go: Option<Running>,
    /// What was found, to be held back until `stop` or `ponderhit`.
    found: Option<Choice>,
    /// Whether the last position was refused, so that there is none to think about.
    refused: bool,
    /// Commands that wait for the end of a thought that ends by itself.
    pending: VecDeque<String>,
    leaving: Leaving,
}

impl<W: Write> Session for UciSession<W> {
    fn thinker(&self) -> &Thinker {
        &self.thinker
    }

    fn leaving(&self) -> Leaving {
        self.leaving
    }

    fn command(&mut self, line: &str) -> io::Result<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            return Ok(());
        }
        let Some(first) = words.iter().position(|word| COMMANDS.contains(word)) else {
            return self.note(&format!("unknown command: {}", shortened(line)));
        };
        let (name, rest) = (words[first], &words[first + 1..]);
        if self.must_wait(name) {
            self.pending.push_back(line.to_owned());
            return Ok(());
        }
        match name {
            "uci" => self.introduce(),
            "isready" => {
                self.open()?;
                self.say("readyok")
            }
            "setoption" => self.set(rest),
            "position" => match self.read_position(rest) {
                Ok(record) => {
                    (self.record, self.refused) = (record, false);
                    Ok(())
                }
                Err(why) => {
                    self.refused = true;
                    self.note(&format!("position refused: {why}"))
                }
            },
            "go" => self.begin(rest),
            "stop" => self.stop(),
            "ponderhit" => self.ponderhit(),
            "quit" => {
                self.pending.clear();
                self.leaving = Leaving::soon();
                self.stop()
            }
            // Nothing depends on these.
            _ => Ok(()),
        }
    }

    /// What was asked for is still answered.
    fn end(&mut self) -> io::Result<()> {
        self.leaving.ending = true;
        match &self.go {
            Some(Running { go, .. }) if !go.waits() && go.effort.time.is_some() => {
                self.thinker.hurry_after(LAST)
            }
            _ => self.stop(),
        }
    }

    fn progress(&mut self, choice: &Choice) -> io::Result<()> {
        self.report(choice)
    }

    fn thought(&mut self, choice: Choice) -> io::Result<()> {
        self.conclude(choice)
    }

    fn go_on(&mut self) -> io::Result<()> {
        while !self.is_occupied()
            && let Some(line) = self.pending.pop_front()
        {
            self.command(&line)?;
        }
        Ok(())
    }
}

impl<W: Write> UciSession<W> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    /// Tells people something; what came from outside stays on one line.
    fn note(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("info string {}", one_line(text)))
    }

    /// Whether a move is being thought about or held back.
    fn is_occupied(&self) -> bool {
        self.thinker.is_busy() || self.found.is_some()
    }

    /// Whether a command comes too early, as in a script that does not wait for answers.
    fn must_wait(&self, name: &str) -> bool {
        let ends = self.go.as_ref().is_some_and(|running| !running.go.waits());
        let changes = matches!(name, "go" | "position" | "setoption" | "ucinewgame");
        changes && ends && self.is_occupied()
    }

    fn read_position(&self, words: &[&str]) -> Result<History, String> {
        let game = self.settings.game;
        let end = words.iter().position(|&word| word == "moves");
        let (start, moves) = match end {
            Some(end) => (&words[..end], &words[end + 1..]),
            None => (words, &[][..]),
        };
        let start = match start {
            ["startpos"] => game.array(),
            ["fen", fields @ ..] => {
                let fen = fields.join(" ");
                Position::from_fen(game, &fen)
                    .map_err(|error| format!("{}: {error}", shortened(&fen)))?
            }
            _ => return Err("write position startpos or position fen FEN".to_owned()),
        };
        let mut record = History::new(start);
        for text in moves {
            let mv = moves::read(record.position(), text).map_err(|error| error.to_string())?;
            record.play(mv);
        }
        Ok(record)
    }

    fn begin(&mut self, words: &[&str]) -> io::Result<()> {
        if self.is_occupied() {
            return self.note("already thinking; send stop first");
        }
        if self.refused {
            self.note("there is no position to think about: the last one was refused")?;
            return self.say("bestmove (none)");
        }
        let position = *self.record.position();
        let (go, notes) = Go::read(words, &position);
        for note in notes {
            self.note(&note)?;
        }
        let (tables, words) = self.settings.tables();
        words.iter().try_for_each(|words| self.note(words))?;
        self.thinker.start(Task {
            tables,
            record: self.record.clone(),
            only: go.only.clone(),
            effort: match go.waits() {
                // The time begins when the other side has moved.
                true => Effort {
                    time: None,
                    ..go.effort
                },
                false => go.effort,
            },
            threads: self.settings.threads,
            memory: self.settings.memory(),
            lines: self.settings.lines,
        })?;
        self.go = Some(Running {
            go,
            began: Instant::now(),
            position,
        });
        match self.leaving.ending {
            true => self.end(),
            false => Ok(()),
        }
    }

    fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = &mut self.go {
            running.go.release();
        }
        self.thinker.hurry();
        self.give_held()
    }

    fn ponderhit(&mut self) -> io::Result<()> {
        if let Some(running) = &mut self.go
            && running.go.ponder
        {
            running.go.ponder = false;
            if let Some(time) = running.go.effort.time {
                self.thinker.hurry_after(time)?;
            }
        }
        self.give_held()
    }

    /// Plays what was held back, if it need not be any longer.
    fn give_held(&mut self) -> io::Result<()> {
        let waits = self.go.as_ref().is_some_and(|running| running.go.waits());
        match self.found.take() {
            Some(choice) if !waits => self.play(&choice),
            found => {
                self.found = found;
                Ok(())
            }
        }
    }
}
