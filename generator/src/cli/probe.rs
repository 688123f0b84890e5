//! Says what the tables know of positions given as FENs, for `retrograde probe`.

pub(super) mod json;
mod search;
mod solution;
pub(super) mod text;
mod trouble;

use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal};

use retrograde_probe::{
    Answer, Facts, Helpmate, Line, MoveAnswer, ProbeError, TableError, Tablebase, Value, if_known,
};
use retrograde_rules::{Colour, Epd, Game, History, Position, ReadError, shortened};

use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::output::Output;
use super::terminal::message;
use search::{SearchOptions, Searched, Searcher};
pub(super) use trouble::Trouble;

/// The most bytes of a FEN: many times what the longest one takes.
const LONGEST_FEN: usize = 4096;

/// The bytes of a line that are kept: so many that a FEN which is too long stays too long without a
/// byte order mark and a line end.
const KEPT: usize = LONGEST_FEN + 8;

/// The byte order mark that some editors write at the start of a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Say who wins, and in how many plies
///
/// Every position gets one answer, in the order in which they are given. The
/// exit code is the largest of theirs.
#[derive(clap::Args)]
pub(crate) struct ProbeCommand {
    #[arg(value_parser = GameParser, help = GAME)]
    game: Game,
    /// Positions as FENs or EPD, each in quotes; the half-move clock and the move number
    /// may be left out; - or none reads them from stdin, one per line
    fens: Vec<OsString>,
    /// List the legal moves with their values, best first
    #[arg(long)]
    moves: bool,
    /// Play the best moves to the end
    #[arg(long)]
    line: bool,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    folders: Folders,
}

/// The findings about a position.
pub(super) struct Found {
    pub(super) position: Position,
    /// The FEN as it was given, if the tables are not to be relied on.
    pub(super) given: Option<String>,
    /// The name of the position in EPD, its `id`.
    pub(super) id: Option<String>,
    /// The facts that follow from the rules alone.
    pub(super) facts: Facts,
    /// The answer of the tables, or the reason why there is none.
    pub(super) answer: Result<Answer, Trouble>,
    /// The value with the half-move clock at 0, if tables tell that alone.
    pub(super) value_at_clock_0: Option<Value>,
    /// The sides that can be mated, if a table tells.
    pub(super) helpmate: Option<Helpmate>,
    /// The moves, with `--moves`.
    pub(super) moves: Option<Vec<MoveAnswer>>,
    /// The best line, with `--line`; `None` inside if a table along the line is missing, or if no
    /// search has proved which moves are best.
    pub(super) line: Option<Option<Line>>,
    /// The findings of a search, with `--search`.
    pub(super) searched: Option<Searched>,
}

impl Found {
    /// The answer of rules and tables for the current position of a game, without moves and line.
    pub(super) fn of(
        tables: &Tablebase,
        folders: &Folders,
        game: &History,
    ) -> Result<Found, Trouble> {
        let position = *game.position();
        let trouble = |error: ProbeError| Trouble::of_probe(folders, &error);
        let mut value_at_clock_0 = None;
        let answer = match tables.probe_in_game(game) {
            Ok(answer) => Ok(answer),
            // What follows from the rules is reported beside it.
            Err(error) if error.is_unknown() => {
                value_at_clock_0 = tables.value_at_clock_0(&position).map_err(trouble)?;
                Err(trouble(error))
            }
            Err(error) => return Err(trouble(error)),
        };
        Ok(Found {
            given: None,
            id: None,
            facts: Facts::of(&position),
            answer,
            value_at_clock_0,
            helpmate: tables.helpmate(&position).map_err(trouble)?,
            moves: None,
            line: None,
            searched: None,
            position,
        })
    }

    /// The findings by the rules alone, where a table is damaged.
    fn by_rules(position: Position, fen: &str, trouble: Trouble, moves: bool) -> Found {
        let no_tables = Tablebase::empty(position.game());
        let moves = moves.then(|| no_tables.moves(&position).ok());
        let facts = Facts::of(&position);
        Found {
            given: Some(fen.to_owned()),
            id: None,
            facts,
            answer: Err(trouble),
            value_at_clock_0: None,
            helpmate: facts.helpmate,
            moves: moves.flatten(),
            line: None,
            searched: None,
            position,
        }
    }

    /// The value, if the tables tell it.
    pub(super) fn value(&self) -> Option<Value> {
        self.answer.as_ref().ok().map(|answer| answer.value)
    }

    /// The winner; `None` for draws and where it is not known.
    fn winner(&self) -> Option<Colour> {
        self.value()?.winner(self.position.turn())
    }
}

/// The sources of answers.
struct Sources<'a> {
    tables: &'a Tablebase,
    /// The reason why the tables cannot be looked at, if they cannot.
    unreadable: Option<&'a TableError>,
    /// The searcher, with `--search`.
    searcher: Option<Searcher<'a>>,
}

impl Sources<'_> {
    /// Whether no more answers are wanted.
    fn are_stopped(&self) -> bool {
        self.searcher.as_ref().is_some_and(Searcher::is_stopped)
    }
}

impl ProbeCommand {
    /// Whether positions are searched where no table has the answer.
    pub(crate) fn searches(&self) -> bool {
        self.search.are_given()
    }

    pub(crate) fn run(&self) -> CommandResult {
        if self.fens.iter().any(|part| part == "w" || part == "b") {
            return Err(Failure::usage(
                "a FEN is one argument; put it in quotes: \"8/8/8/3k4/8/8/8/KQ6 w - - 0 1\"",
            ));
        }
        let (tables, unreadable) = match Tablebase::open(self.game, self.folders.list()) {
            Ok(tables) => (tables, None),
            // Every position has an answer, even if no table can be looked at.
            Err(error) => (Tablebase::empty(self.game), Some(error)),
        };
        let mut sources = Sources {
            tables: &tables,
            unreadable: unreadable.as_ref(),
            searcher: self.search.searcher(&tables),
        };
        let mut output = Output::new();
        let mut worst = Status::Fine;
        if let Some(error) = unreadable
            .as_ref()
            .filter(|_| self.has_batch() || self.json)
        {
            // People are told once, even if no line comes; otherwise with each FEN.
            worst = self.folders.table_failure(error).end();
        }
        if self.fens.is_empty() {
            worst = worst.max(self.batch(&mut sources, &mut output)?);
        }
        for fen in &self.fens {
            let status = if fen == "-" {
                self.batch(&mut sources, &mut output)?
            } else {
                let bytes = fen.as_encoded_bytes();
                let result = self.find(&mut sources, bytes);
                self.write(bytes, &result, self.json, &mut output)?;
                if let Some(trouble) = trouble(&result).filter(|_| !self.json) {
                    output.flush()?;
                    let fen = fen.to_string_lossy();
                    let fen = shortened(&fen);
                    message(&format!("error: \"{fen}\": {}", trouble.error.message));
                }
                status(&result)
            };
            worst = worst.max(status);
        }
        // Those that came later had an answer as well, without a search.
        if sources.are_stopped() {
            worst = Status::Interrupted;
        }
        output.flush()?;
        Ok(worst)
    }

    /// Whether positions are read from stdin.
    fn has_batch(&self) -> bool {
        self.fens.is_empty() || self.fens.iter().any(|fen| fen == "-")
    }

    /// Answers every line of stdin as soon as it arrives.
    fn batch(&self, sources: &mut Sources, output: &mut Output) -> CommandResult {
        if io::stdin().is_terminal() {
            message("enter FENs, one per line; end with Ctrl-D");
        }
        let mut stdin = io::stdin().lock();
        let mut worst = Status::Fine;
        let mut line = Vec::new();
        let mut first = true;
        loop {
            let more = read_line(&mut stdin, &mut line).map_err(|error| {
                let text = format!("cannot read stdin: {error}; give FENs one per line");
                Failure::new(Status::Io, text)
            })?;
            if !more {
                return Ok(worst);
            }
            let fen = match std::mem::take(&mut first) {
                true => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line),
                false => &line,
            };
            let result = self.find(sources, fen);
            self.write(fen, &result, true, output)?;
            output.flush()?;
            worst = worst.max(status(&result));
            if sources.are_stopped() {
                return Ok(Status::Interrupted);
            }
        }
    }

    /// Looks a position up.
    fn find(&self, sources: &mut Sources, fen: &[u8]) -> Result<Found, Trouble> {
        // Of a long line the rest is not there to be read, whatever the beginning says.
        if fen.len() > LONGEST_FEN {
            let text = format!("at byte {LONGEST_FEN}: a FEN has at most {LONGEST_FEN} bytes");
            return Err(Trouble::bad_fen(text, LONGEST_FEN));
        }
        let fen = std::str::from_utf8(fen).map_err(|error| {
            let offset = error.valid_up_to();
            let text = format!("at byte {offset}: this is not text; write plain ASCII");
            Trouble::bad_fen(text, offset)
        })?;
        let line = Epd::from_line(self.game, fen).map_err(ReadError::from)?;
        let id = line.operand("id");
        let position = match Position::new(self.game, &line.setup) {
            Ok(position) => position,
            Err(error) => {
                let trouble = Trouble::from(ReadError::from(error));
                return Err(Trouble { id, ..trouble });
            }
        };
        let found = self.look_up(sources, position).unwrap_or_else(|trouble| {
            let found = Found::by_rules(position, fen, trouble, self.moves);
            Found {
                line: self.line.then_some(None),
                ..found
            }
        });
        Ok(Found { id, ..found })
    }

    /// Looks up a position that the rules allow.
    fn look_up(&self, sources: &mut Sources, position: Position) -> Result<Found, Trouble> {
        let trouble = |error: ProbeError| Trouble::of_probe(&self.folders, &error);
        let tables = sources.tables;
        if let Some(error) = sources.unreadable {
            return Err(Trouble::of_table(&self.folders, error));
        }
        let mut found = Found::of(tables, &self.folders, &History::new(position))?;
        if let Some(searcher) = &mut sources.searcher {
            searcher.add(&mut found, &self.folders, (self.moves, self.line))?;
            return Ok(found);
        }
        if self.moves {
            found.moves = Some(tables.moves(&position).map_err(trouble)?);
        }
        if self.line {
            found.line = Some(match &found.answer {
                Err(_) => None,
                Ok(_) => if_known(tables.line(&position)).map_err(trouble)?,
            });
        }
        Ok(found)
    }

    /// Writes the answer; `reason` says whether to include why there is none.
    fn write(
        &self,
        fen: &[u8],
        result: &Result<Found, Trouble>,
        reason: bool,
        output: &mut Output,
    ) -> Result<(), Failure> {
        match (result, self.json) {
            (Ok(found), true) => output.json(&json::answer(found)),
            (Ok(found), false) => text::answer(self.game, found, (reason, &self.folders), output),
            (Err(trouble), true) => {
                let fen = String::from_utf8_lossy(fen);
                output.json(&json::refusal(&fen, trouble))
            }
            (Err(trouble), false) if reason => {
                let fen = String::from_utf8_lossy(fen);
                let (fen, why) = (shortened(&fen), &trouble.error.message);
                output.foreign_line(&format!("error: \"{fen}\": {why}"))
            }
            (Err(trouble), false) => output.foreign_line(&format!("error: {}", trouble.error.kind)),
        }
    }
}

/// Reads a line without its end; `false` if there is none left. Of a line far too
/// long for a FEN only the beginning is kept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        any |= !bytes.is_empty();
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = KEPT.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let read = part.len() + usize::from(end.is_some());
        input.consume(read);
        if end.is_some() || read == 0 {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(any);
        }
    }
}

/// The reason why there is no answer, or only what follows from the rules.
fn trouble(result: &Result<Found, Trouble>) -> Option<&Trouble> {
    match result {
        Ok(found) => found.answer.as_ref().err(),
        Err(trouble) => Some(trouble),
    }
}

fn status(result: &Result<Found, Trouble>) -> Status {
    trouble(result).map_or(Status::Fine, |trouble| trouble.status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_kinds() {
        let long = "x".repeat(3 * KEPT);
        let text = format!("one\n\ntwo\r\n{long}\nlast");
        for capacity in [1, 3, 5000] {
            let mut input = io::BufReader::with_capacity(capacity, text.as_bytes());
            let mut line = Vec::new();
            for expected in ["one", "", "two", &long[..KEPT], "last"] {
                assert!(read_line(&mut input, &mut line).unwrap());
                assert_eq!(line, expected.as_bytes());
            }
            assert!(!read_line(&mut input, &mut line).unwrap());
        }
    }
}
