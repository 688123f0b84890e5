//! Says what rules and tables know of a recorded game, ply by ply, for `retrograde replay`.

mod missing;
mod ply;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use retrograde_pgn::{
    Noted, Record, RecordError, RecordMove, Records, StartError, Walk, read_move, write,
};
use retrograde_probe::Tablebase;
use retrograde_probe::object::{RefusalObject, category};
use retrograde_rules::{Colour, Game, Material, MoveError, Position, shortened};
use serde::Serialize;

use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::output::Output;
use super::probe::json::{self, AnswerObject};
use super::probe::{Found, Trouble};
use super::terminal::message;
use missing::Lookups;
use ply::Ply;

/// Walk through games and say what every move did
///
/// Games are read as PGN, with tags, comments, annotations and variations; moves
/// may be in algebraic notation or UCI's long form. Values know the game so far:
/// the third occurrence of a position is a draw. Where no table reaches, only
/// what follows from the rules is said; if tables are missing and none has anything to
/// say about a game, the exit code is 3.
#[derive(clap::Args)]
pub(crate) struct ReplayCommand {
    #[arg(value_parser = GameParser, help = GAME)]
    game: Game,
    /// A PGN file; - or none reads stdin
    #[arg(value_name = "FILE.pgn")]
    file: Option<PathBuf>,
    /// The moves, instead of a file
    #[arg(
        long,
        value_name = "MOVES",
        conflicts_with = "file",
        allow_hyphen_values = true
    )]
    moves: Option<String>,
    /// The start of games that do not give their own [default: the starting
    /// array]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Print JSON, one object per ply
    #[arg(long)]
    json: bool,
    /// Write the games as PGN, with values as comments; without variations, and
    /// without games that cannot be replayed to their end
    #[arg(long, conflicts_with = "json")]
    annotate: bool,
    #[command(flatten)]
    folders: Folders,
}

#[derive(Serialize)]
struct PlyObject<'a> {
    #[serde(flatten)]
    before: AnswerObject,
    /// The number of the record that it is from, counted from 1.
    record: usize,
    ply: u32,
    uci: &'a str,
    san: &'a str,
    category_after: &'static str,
    /// Null if a category is unknown.
    changed: Option<bool>,
    repetitions: u32,
    /// The number of times that the position after the move has occurred before.
    repetitions_after: u32,
    end_after: Option<&'static str>,
}

/// A record that cannot be replayed, or not to its end.
#[derive(Serialize)]
struct ComplaintObject {
    #[serde(flatten)]
    refusal: RefusalObject,
    /// The number of the record, counted from 1.
    record: usize,
}

impl ReplayCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let tables = self.folders.open(self.game)?;
        // Programs are told in an object, as of any other game that cannot be replayed.
        if let Some(fen) = self.fen.as_ref().filter(|_| !self.json) {
            Position::from_fen(self.game, fen).map_err(Failure::usage)?;
        }
        let file = self.file.as_deref().filter(|file| *file != Path::new("-"));
        let name = file.map_or("stdin".to_owned(), |file| file.display().to_string());
        let unreadable = |error: io::Error| {
            let text = format!("cannot read {name}: {error}; give a file in PGN");
            Failure::new(Status::Io, text)
        };
        let input: Box<dyn Read + '_> = match (&self.moves, file) {
            (Some(moves), _) => Box::new(moves.as_bytes()),
            (None, Some(file)) => Box::new(File::open(file).map_err(unreadable)?),
            (None, None) => Box::new(io::stdin().lock()),
        };
        let mut output = Output::new();
        let mut worst = Status::Fine;
        let mut missing = Vec::new();
        let mut number = 0;
        for record in Records::new(self.game, input) {
            number += 1;
            let status = match record {
                Ok(record) => self.replay(&tables, record, (number, &mut missing), &mut output)?,
                Err(RecordError::Io(error)) => return Err(unreadable(error)),
                Err(RecordError::Pgn(error)) => {
                    let trouble = Trouble::usage("bad-pgn", error.to_string());
                    self.complain(number, "", &trouble, &mut output)?
                }
            };
            worst = worst.max(status);
        }
        if number == 0 {
            let text = "there is no game to replay; give a file in PGN, or --moves \"e4 e5\"";
            return Err(Failure::usage(text));
        }
        output.flush()?;
        if !missing.is_empty() {
            worst = worst.max(Status::Missing);
            missing::advise(self.game, missing, &self.folders);
        }
        Ok(worst)
    }

    /// Reports what is wrong with a record, and returns how bad that is. `fen` is the position
    /// before the move that is wrong, or the start as the record has it.
    fn complain(
        &self,
        number: usize,
        fen: &str,
        trouble: &Trouble,
        output: &mut Output,
    ) -> CommandResult {
        if self.json {
            output.json(&ComplaintObject {
                refusal: RefusalObject::new(fen, trouble.error.clone()),
                record: number,
            })?;
        } else {
            output.flush()?;
            message(&format!(
                "error: record {number}: {}",
                trouble.error.message
            ));
        }
        Ok(trouble.status)
    }

    /// Walks through one game, and returns the worst that is wrong with it; adds the tables that
    /// were missing if none had anything to say about it.
    fn replay(
        &self,
        tables: &Tablebase,
        mut record: Record,
        (number, missing): (usize, &mut Vec<Material>),
        output: &mut Output,
    ) -> CommandResult {
        let given = self.fen.as_ref().filter(|_| record.tag("FEN").is_none());
        if let Some(fen) = given {
            record.tags.push(("FEN".to_owned(), fen.clone()));
        }
        let start = match record.start(self.game) {
            Ok(start) => start,
            Err(error) => {
                let fen = record.tag("FEN").unwrap_or_default();
                let trouble = match error {
                    // The record has no such tag.
                    StartError::Fen(error) if given.is_some() => Trouble::from(error),
                    error => Trouble::from(error),
                };
                return self.complain(number, fen, &trouble, output);
            }
        };
        if !self.json && !self.annotate {
            self.head(number, &record, &start, output)?;
        }
        let mut walk = Walk::new(start);
        let mut noted = Vec::new();
        let mut lookups = Lookups::default();
        let mut worst = Status::Fine;
        let mut is_whole = true;
        for (place, mv) in record.moves.iter().enumerate() {
            let before = *walk.position();
            let Some(text) = record.text_of_move(place, &walk) else {
                break;
            };
            let trouble = match self.ply(tables, &mut walk, mv, text) {
                Ok(ply) => {
                    lookups.add(self.game, &ply);
                    if self.json {
                        output.json(&self.object(number, &ply))?;
                    } else if self.annotate {
                        noted.push(self.note(mv, &ply));
                    } else {
                        self.line(&ply, output)?;
                    }
                    continue;
                }
                Err(trouble) => trouble,
            };
            worst = worst.max(self.complain(number, &before.fen(), &trouble, output)?);
            // Later moves may make sense without it.
            let is_null = matches!(read_move(&before, text), Err(MoveError::NullMove { .. }));
            if !is_null || walk.null_move().is_err() {
                is_whole = false;
                break;
            }
            noted.push(Noted {
                san: "--".to_owned(),
                nags: mv.nags.clone(),
                comments: mv.comments.clone(),
            });
        }
        if self.annotate && is_whole {
            output.line(write(&record, &start, &noted))?;
        }
        missing.extend(lookups.in_vain());
        Ok(worst)
    }

    /// Plays a move, which is the text or part of it, and looks up the positions before and
    /// after it.
    fn ply(
        &self,
        tables: &Tablebase,
        walk: &mut Walk,
        mv: &RecordMove,
        text: &str,
    ) -> Result<Ply, Trouble> {
        let illegal = |error: MoveError| {
            let message = format!("line {}, column {}: {error}", mv.line, mv.column);
            Trouble::usage("illegal-move", message)
        };
        let played = read_move(walk.position(), text).map_err(illegal)?;
        let found = Found::of(tables, &self.folders, walk.game())?;
        let moves = tables.moves_in_game(walk.game());
        let moves = moves.map_err(|error| Trouble::of_probe(&self.folders, &error))?;
        let answer = moves.into_iter().find(|answer| answer.mv == played);
        let step = walk.play(text).map_err(illegal)?;
        let mut answer = answer.ok_or_else(|| {
            let message = format!("{} is not among the moves", shortened(text));
            Trouble::usage("illegal-move", message)
        })?;
        let is_by_moves = answer.value.is_none();
        if is_by_moves {
            // What may be played next may settle it.
            let next = tables.probe(&step.after).ok();
            answer.value = next.map(|next| next.value.reversed());
        }
        Ok(Ply {
            san: step.before.san(step.mv),
            found,
            answer,
            is_by_moves,
            step,
        })
    }

    fn object<'a>(&self, record: usize, ply: &'a Ply) -> PlyObject<'a> {
        PlyObject {
            before: json::answer(&ply.found),
            record,
            ply: ply.step.ply,
            uci: &ply.answer.uci,
            san: &ply.san,
            category_after: category(ply.answer.value),
            changed: ply.changed(),
            repetitions: ply.step.repetitions,
            repetitions_after: ply.step.repetitions_after,
            end_after: ply.answer.end.map(|end| end.name()),
        }
    }

    fn note(&self, mv: &RecordMove, ply: &Ply) -> Noted {
        let mut nags = Vec::new();
        for nag in mv.nags.iter().copied().chain(ply.nag()) {
            if !nags.contains(&nag) {
                nags.push(nag);
            }
        }
        Noted {
            san: ply.san.clone(),
            nags,
            comments: ply.comments(self.game, &mv.comments),
        }
    }

    /// The lines above the moves of a game.
    fn head(
        &self,
        number: usize,
        record: &Record,
        start: &Position,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if number > 1 {
            output.line("")?;
        }
        if let (Some(white), Some(black)) = (record.tag("White"), record.tag("Black")) {
            output.foreign_line(&format!("{white} - {black}"))?;
        }
        output.line(start.fen())
    }

    fn line(&self, ply: &Ply, output: &mut Output) -> Result<(), Failure> {
        let before = &ply.step.before;
        let dots = match before.turn() {
            Colour::White => ".",
            Colour::Black => "...",
        };
        let mark = match ply.nag() {
            Some(4) => "??",
            Some(_) => "?",
            None => "",
        };
        let number = format!("{}{dots}", before.fullmoves());
        let san = format!("{}{mark}", ply.san);
        let words = ply.words(self.game);
        let mut words = words.unwrap_or_else(|| category(None).to_owned());
        let remarks = ply.remarks(self.game);
        if !remarks.is_empty() {
            words.push_str(&format!(" ({})", remarks.join(", ")));
        }
        output.line(format_args!("{number:<6} {san:<9} {words}"))
    }
}
