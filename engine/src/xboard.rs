//! The Chess Engine Communication Protocol, version 2, that XBoard and WinBoard speak.

mod features;
mod found;
mod notation;
mod time;

use std::io::{self, BufRead, Write};
use std::time::Instant;

use retrograde_rules::{Colour, Game, History, MoveError, Position, shortened};

use crate::choice::{Choice, Task};
use crate::clock::Effort;
use crate::one_line;
use crate::session::{self, Leaving, Session};
use crate::settings::{Defaults, HASH, Settings, THREADS};
use crate::thinker::Thinker;
use time::TimeControl;

/// Answers commands until `quit`, or until there are no more. `quit` cuts short what is being
/// thought about, and leaves when that is answered.
///
/// Moves are those of `retrograde_rules`, but a pass is `@@@@`, and on boards of ten ranks,
/// ranks are numbered from 0. Games that XBoard does not know are described to it by `setup`,
/// with their boards and piece letters. A command that means nothing is answered by `Error`.
///
/// # Errors
/// The output cannot be written. A closed pipe counts as such an error.
pub fn xboard(
    input: impl BufRead + Send + 'static,
    output: impl Write,
    defaults: Defaults,
) -> io::Result<()> {
    let settings = Settings::new(defaults);
    session::run(input, |thinker| XboardSession {
        output,
        record: History::new(settings.game.array()),
        settings,
        thinker,
        own: Some(Colour::Black),
        analyses: false,
        began: Instant::now(),
        time: TimeControl::default(),
        posts: false,
        pings: Vec::new(),
        leaving: Leaving::default(),
    })
}

struct XboardSession<W> {
    output: W,
    settings: Settings,
    record: History,
    thinker: Thinker,
    /// The side that is played; `None` in force mode.
    own: Option<Colour>,
    /// Whether every position is analysed.
    analyses: bool,
    /// When the thought in progress began.
    began: Instant,
    time: TimeControl,
    /// Whether thinking is shown.
    posts: bool,
    /// To be answered once the move has been made.
    pings: Vec<String>,
    leaving: Leaving,
}

impl<W: Write> Session for XboardSession<W> {
    fn thinker(&self) -> &Thinker {
        &self.thinker
    }

    fn leaving(&self) -> Leaving {
        self.leaving
    }

    fn command(&mut self, line: &str) -> io::Result<()> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match name {
            "xboard" => self.say(""),
            "protover" => {
                let features = features::lines(&self.settings.variants());
                self.say(&features)
            }
            "new" => {
                self.settings.set_game(Game::default());
                // Analysis goes on with the array.
                self.own = Some(Colour::Black).filter(|_| !self.analyses);
                self.time = self.time.without_depth();
                self.set_record(History::new(self.settings.game.array()))
            }
            "variant" => self.variant(rest),
            "quit" => {
                self.thinker.hurry();
                self.leaving = Leaving::soon();
                Ok(())
            }
            "force" | "result" => {
                self.own = None;
                self.give_up()
            }
            "go" => {
                self.own = Some(self.record.position().turn());
                self.react()
            }
            "playother" => {
                self.own = Some(self.record.position().turn().other());
                self.give_up()
            }
            "white" | "black" => {
                // Of version 1: the side to move is set, and the other one is played.
                let turn = if name == "white" {
                    Colour::White
                } else {
                    Colour::Black
                };
                self.own = Some(turn.other());
                match self.record.position().turn() == turn {
                    true => self.give_up(),
                    false => self.error("the other side is to move", line),
                }
            }
            "usermove" => self.user_move(rest, line),
            "setboard" => match Position::from_fen(self.settings.game, rest) {
                Ok(position) => self.set_record(History::new(position)),
                Err(error) => {
                    self.give_up()?;
                    self.say(&format!(
                        "tellusererror Illegal position: {}",
                        one_line(&error.to_string())
                    ))
                }
            },
            "undo" => self.undo(1, line),
            "remove" => self.undo(2, line),
            "level" | "st" | "sd" | "time" | "otim" => match self.time.read(name, rest) {
                true => Ok(()),
                false => self.error("bad number", line),
            },
            "?" => {
                self.thinker.hurry();
                Ok(())
            }
            "ping" => {
                self.pings.push(rest.to_owned());
                // While analysing, no move is going to come.
                match self.thinker.is_busy() && !self.analyses {
                    true => Ok(()),
                    false => self.pong(),
                }
            }
            "draw" => self.draw(),
            "hint" => self.hint(),
            "post" | "nopost" => {
                self.posts = name == "post";
                Ok(())
            }
            "analyze" => {
                self.own = None;
                self.analyses = true;
                self.posts = true;
                self.react()
            }
            "exit" => {
                self.analyses = false;
                self.give_up()
            }
            "memory" | "cores" => self.resources(name, rest, line),
            "egtpath" => {
                let path = rest
                    .split_once(char::is_whitespace)
                    .map_or("", |(_, path)| path);
                self.settings.set_folders(path.trim());
                Ok(())
            }
            "option" => match rest.split_once('=') {
                Some(("TablebasePath", path)) => {
                    self.settings.set_folders(path.trim());
                    Ok(())
                }
                _ => self.error("unknown option", line),
            },
            // Nothing depends on these.
            "" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer" | "name"
            | "rating" | "ics" | "bk" | "." | "nps" | "pause" | "resume" => Ok(()),
            // Programs of the first version send moves without a word before them.
            _ => match notation::read(self.record.position(), name) {
                Err(MoveError::Syntax { .. }) if !notation::looks_like_squares(name) => {
                    self.error("unknown command", line)
                }
                _ => self.user_move(name, line),
            },
        }
    }

    fn end(&mut self) -> io::Result<()> {
        self.thinker.hurry();
        self.leaving.ending = true;
        Ok(())
    }

    fn progress(&mut self, choice: &Choice) -> io::Result<()> {
        self.report(choice)
    }

    fn thought(&mut self, choice: Choice) -> io::Result<()> {
        self.conclude(&choice)
    }
}

impl<W: Write> XboardSession<W> {
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")?;
        self.output.flush()
    }

    /// Tells people something.
    fn note(&mut self, text: &str) -> io::Result<()> {
        self.say(&format!("# {}", one_line(text)))
    }

    fn error(&mut self, why: &str, line: &str) -> io::Result<()> {
        self.say(&format!("Error ({why}): {}", shortened(&one_line(line))))
    }

    /// Gives up the thought in progress; what waits for it is answered.
    fn give_up(&mut self) -> io::Result<()> {
        self.thinker.give_up();
        self.pong()
    }

    fn pong(&mut self) -> io::Result<()> {
        for number in std::mem::take(&mut self.pings) {
            self.say(&format!("pong {number}"))?;
        }
        Ok(())
    }

    /// Goes on with another game or position. Nothing is moved before the next command.
    fn set_record(&mut self, record: History) -> io::Result<()> {
        self.record = record;
        self.give_up()?;
        match self.analyses {
            true => self.react(),
            false => Ok(()),
        }
    }

    fn variant(&mut self, name: &str) -> io::Result<()> {
        match self.settings.variant(name) {
            Ok(game) => {
                self.settings.set_game(game);
                self.set_record(History::new(game.array()))?;
                match features::setup(game) {
                    Some(setup) => self.say(&setup),
                    None => Ok(()),
                }
            }
            Err(why) => self.error(&why, &format!("variant {name}")),
        }
    }

    fn undo(&mut self, plies: usize, line: &str) -> io::Result<()> {
        match self.record.undo(plies) {
            true => self.set_record(self.record.clone()),
            false => self.error("there is no such move", line),
        }
    }

    fn resources(&mut self, name: &str, text: &str, line: &str) -> io::Result<()> {
        let bounds = if name == "memory" { HASH } else { THREADS };
        match text.parse::<u64>() {
            Ok(number) if number >= bounds.0 => {
                let number = number.min(bounds.2);
                match name {
                    "memory" => self.settings.hash = number,
                    _ => self.settings.threads = number as usize,
                }
                Ok(())
            }
            _ => self.error("bad number", line),
        }
    }

    fn user_move(&mut self, text: &str, line: &str) -> io::Result<()> {
        if self.thinker.is_busy() && !self.analyses {
            return self.error("it is not your turn", line);
        }
        match notation::read(self.record.position(), text) {
            Ok(mv) => {
                self.record.play(mv);
                self.react()
            }
            Err(_) => {
                let text = one_line(text);
                self.say(&format!("Illegal move: {text}"))
            }
        }
    }

    /// After a move, and when told to play: claims the result of a finished game, or thinks
    /// if it is time to.
    fn react(&mut self) -> io::Result<()> {
        let position = *self.record.position();
        if let Some(result) = result(&self.record) {
            self.give_up()?;
            return match self.analyses {
                true => self.note(&result),
                false => self.say(&result),
            };
        }
        if self.own != Some(position.turn()) && !self.analyses {
            return self.give_up();
        }
        let (tables, words) = self.settings.tables();
        words.iter().try_for_each(|words| self.note(words))?;
        let effort = match self.analyses {
            true => Effort::default(),
            false => self.time.effort(self.record.plies() / 2),
        };
        self.began = Instant::now();
        self.thinker.start(Task {
            tables,
            record: self.record.clone(),
            only: Vec::new(),
            effort,
            threads: self.settings.threads,
            memory: self.settings.memory(),
            lines: 1,
        })
    }
}

/// The result of a game that is over, or that is drawn by a claim: by the fifty-move rule, or
/// in a game that has it by the third occurrence of a position.
fn result(record: &History) -> Option<String> {
    let position = record.position();
    if let Some(end) = position.end() {
        let result = match end.winner(position.turn()) {
            None => "1/2-1/2",
            Some(Colour::White) => "1-0",
            Some(Colour::Black) => "0-1",
        };
        return Some(format!("{result} {{{}}}", end.name()));
    }
    let limit = position.game().zeroing_limit()?;
    let why = if position.halfmoves() >= limit {
        position.game().zeroing_rule()?
    } else if record.is_drawn_by_repetition() {
        "repetition".to_owned()
    } else {
        return None;
    };
    Some(format!("1/2-1/2 {{{why}}}"))
}
