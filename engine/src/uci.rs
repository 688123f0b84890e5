//! Speaks the Universal Chess Interface (UCI): reads commands and writes the engine's answers.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use retrograde_probe::Value;
use retrograde_rules::{Colour, History, Move, Position, shortened};

use crate::choose::{Choice, Prospect, Task};
use crate::clock::{Clock, Effort, for_a_move};
use crate::moves;
use crate::score::{Score, chances};
use crate::session::{self, Leaving, NAME, Session, Thinker, one_line};
use crate::settings::{Defaults, HASH, LINES, Settings, Spin, THREADS};

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

/// The time to go on thinking when no more commands come.
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

/// The thought in progress.
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
    /// The choice that was found, to be held back until `stop` or `ponderhit`.
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

    /// Whatever was asked for is still answered.
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

/// The time to think if no limit is given at all.
const UNLIMITED: Duration = Duration::from_secs(5);

/// The task that `go` gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Go {
    /// The only moves to choose from; empty for all.
    only: Vec<Move>,
    effort: Effort,
    /// Until `stop`.
    infinite: bool,
    /// Until `ponderhit` or `stop`.
    ponder: bool,
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
    fn read(words: &[&str], position: &Position) -> (Go, Vec<String>) {
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
    fn waits(&self) -> bool {
        self.infinite || self.ponder
    }

    /// Takes note that it need not be any longer.
    fn release(&mut self) {
        (self.infinite, self.ponder) = (false, false);
    }
}

impl<W: Write> UciSession<W> {
    fn report(&mut self, choice: &Choice) -> io::Result<()> {
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

    fn conclude(&mut self, choice: Choice) -> io::Result<()> {
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

    fn play(&mut self, choice: &Choice) -> io::Result<()> {
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

impl<W: Write> UciSession<W> {
    fn introduce(&mut self) -> io::Result<()> {
        let default = self.settings.game.id();
        let variants = self.settings.variants();
        let vars: Vec<String> = variants.iter().map(|name| format!("var {name}")).collect();
        let spin = |name: &str, spin: Spin| {
            let Spin {
                least,
                default,
                most,
            } = spin;
            format!("option name {name} type spin default {default} min {least} max {most}")
        };
        let lines = [
            format!("id name {NAME}"),
            "id author the Retrograde authors".to_owned(),
            format!(
                "option name UCI_Variant type combo default {default} {}",
                vars.join(" ")
            ),
            "option name TablebasePath type string default <empty>".to_owned(),
            spin("Hash", HASH),
            spin("Threads", THREADS),
            spin("MultiPV", LINES),
            "option name Ponder type check default false".to_owned(),
            "option name UCI_ShowWDL type check default false".to_owned(),
            "uciok".to_owned(),
        ];
        self.say(&lines.join("\n"))
    }

    /// Opens the tables, if that has not been done.
    fn open(&mut self) -> io::Result<()> {
        let (_, words) = self.settings.tables();
        words.iter().try_for_each(|words| self.note(words))
    }

    fn set(&mut self, words: &[&str]) -> io::Result<()> {
        let ["name", rest @ ..] = words else {
            return self.note("write: setoption name NAME value VALUE");
        };
        let end = rest.iter().position(|&word| word == "value");
        let name = rest[..end.unwrap_or(rest.len())].join(" ");
        let value = end.map_or(String::new(), |end| rest[end + 1..].join(" "));
        if let Err(why) = self.set_option(&name, &value) {
            return self.note(&why);
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let shown = shortened(value);
        let number = |Spin { least, most, .. }: Spin| {
            let number = value.parse().ok().filter(|n| (least..=most).contains(n));
            number.ok_or_else(|| format!("{name} is a number from {least} to {most}, not {shown}"))
        };
        let switch = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{name} is true or false, not {shown}")),
        };
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                let game = self.settings.variant(value)?;
                if game != self.settings.game {
                    self.settings.set_game(game);
                    (self.record, self.refused) = (History::new(game.array()), false);
                }
            }
            "tablebasepath" => {
                let list = if value == "<empty>" { "" } else { value };
                self.settings.set_folders(list);
            }
            "hash" => self.settings.hash = number(HASH)?,
            "threads" => self.settings.threads = number(THREADS)? as usize,
            "multipv" => self.settings.lines = number(LINES)? as usize,
            "uci_showwdl" => self.settings.show_wdl = switch()?,
            "ponder" => drop(switch()?),
            _ => return Err(format!("there is no option {}", shortened(name))),
        }
        Ok(())
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
