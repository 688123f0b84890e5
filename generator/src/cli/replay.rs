//! `retrograde replay`: what rules and tables say about a game, ply by ply.

mod missing;
mod ply;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use retrograde_pgn::{Noted, Record, RecordMove, Records, StartError, Walk, write};
use retrograde_probe::Tablebase;
use retrograde_probe::object::{RefusalObject, category};
use retrograde_rules::{Colour, Game, Material, Position, shortened};
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
/// may be in algebraic notation or UCI's long form. Where no table reaches, only
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
    /// Which record it is from, counted from 1.
    record: usize,
    ply: u32,
    uci: &'a str,
    san: &'a str,
    category_after: &'static str,
    /// Null if a category is unknown.
    changed: Option<bool>,
    repetitions: u32,
    end_after: Option<&'static str>,
}

/// A record that cannot be replayed, or not to its end.
#[derive(Serialize)]
struct ComplaintObject {
    #[serde(flatten)]
    refusal: RefusalObject,
    /// Which one, counted from 1.
    record: usize,
}

/// What is wrong with a record.
struct Complaint {
    /// The position before the move that is wrong, or the start as the record has it.
    fen: String,
    trouble: Trouble,
}

impl ReplayCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let tables = self.folders.open(self.game)?;
        // Programs are told in an object, as of any other game that cannot be replayed.
        if let Some(fen) = self.fen.as_ref().filter(|_| !self.json) {
            Position::from_fen(self.game, fen).map_err(Failure::usage)?;
        }
        let text = match (&self.moves, self.file.as_deref()) {
            (Some(moves), _) => moves.clone(),
            (None, file) => read(file.filter(|file| *file != Path::new("-")))?,
        };
        let mut output = Output::new();
        let mut worst = Status::Fine;
        let mut missing = Vec::new();
        let mut number = 0;
        for record in Records::new(&text) {
            number += 1;
            let result = match record {
                Ok(record) => self.replay(&tables, record, (number, &mut missing), &mut output)?,
                Err(error) => Err(Complaint {
                    fen: String::new(),
                    trouble: Trouble::usage("bad-pgn", error.to_string()),
                }),
            };
            if let Err(complaint) = result {
                worst = worst.max(complaint.trouble.status);
                self.complain(number, &complaint, &mut output)?;
            }
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

    /// Reports what is wrong with a record.
    fn complain(
        &self,
        number: usize,
        Complaint { fen, trouble }: &Complaint,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if self.json {
            return output.json(&ComplaintObject {
                refusal: RefusalObject::new(fen, trouble.error.clone()),
                record: number,
            });
        }
        output.flush()?;
        message(&format!(
            "error: record {number}: {}",
            trouble.error.message
        ));
        Ok(())
    }

    /// Walks through one game; adds the tables that were missing if none had anything to say
    /// about it. The outer error is a write error.
    fn replay(
        &self,
        tables: &Tablebase,
        mut record: Record,
        (number, missing): (usize, &mut Vec<Material>),
        output: &mut Output,
    ) -> Result<Result<(), Complaint>, Failure> {
        let given = self.fen.as_ref().filter(|_| record.tag("FEN").is_none());
        if let Some(fen) = given {
            record.tags.push(("FEN".to_owned(), fen.clone()));
        }
        let start = match record.start(self.game) {
            Ok(start) => start,
            Err(error) => {
                return Ok(Err(Complaint {
                    fen: record.tag("FEN").unwrap_or_default().to_owned(),
                    trouble: match error {
                        // The record has no such tag.
                        StartError::Fen(error) if given.is_some() => Trouble::from(error),
                        error => Trouble::from(error),
                    },
                }));
            }
        };
        if !self.json && !self.annotate {
            self.head(number, &record, &start, output)?;
        }
        let mut walk = Walk::new(start);
        let mut noted = Vec::new();
        let mut lookups = Lookups::default();
        let mut end = Ok(());
        for mv in &record.moves {
            let fen = walk.position().fen();
            let ply = match self.ply(tables, &mut walk, mv) {
                Ok(ply) => ply,
                Err(trouble) => {
                    end = Err(Complaint { fen, trouble });
                    break;
                }
            };
            lookups.add(self.game, &ply);
            if self.json {
                output.json(&self.object(number, &ply))?;
            } else if self.annotate {
                noted.push(self.note(mv, &ply));
            } else {
                self.line(&ply, walk.repetitions(), output)?;
            }
        }
        if self.annotate && end.is_ok() {
            output.line(write(&record, &start, &noted))?;
        }
        missing.extend(lookups.in_vain());
        Ok(end)
    }

    /// Plays a move and looks up the positions before and after it.
    fn ply(&self, tables: &Tablebase, walk: &mut Walk, mv: &RecordMove) -> Result<Ply, Trouble> {
        let illegal = |message| Trouble::usage("illegal-move", message);
        let step = walk
            .play(&mv.text)
            .map_err(|error| illegal(format!("line {}, column {}: {error}", mv.line, mv.column)))?;
        let found = Found::of(tables, &self.folders, step.before)?;
        let moves = tables.moves(&step.before);
        let moves = moves.map_err(|error| Trouble::of_probe(&self.folders, &error))?;
        let answer = moves.into_iter().find(|answer| answer.mv == step.mv);
        let mut answer = answer
            .ok_or_else(|| illegal(format!("{} is not among the moves", shortened(&mv.text))))?;
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
        let mut comments = mv.comments.clone();
        comments.extend(ply.words(self.game).map(|words| match ply.change() {
            Some(Some((before, _))) => format!("{words}; was {before}"),
            _ => words,
        }));
        Noted {
            san: ply.san.clone(),
            nags,
            comments,
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

    fn line(&self, ply: &Ply, repetitions: u32, output: &mut Output) -> Result<(), Failure> {
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
        let remarks = ply.remarks(self.game, repetitions);
        if !remarks.is_empty() {
            words.push_str(&format!(" ({})", remarks.join(", ")));
        }
        output.line(format_args!("{number:<6} {san:<9} {words}"))
    }
}

/// The text of a file, or of stdin. What is no UTF-8 is replaced: it can only
/// be names and comments.
fn read(file: Option<&Path>) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let (name, result) = match file {
        Some(file) => {
            let result = fs::read(file).map(|read| bytes = read);
            (file.display().to_string(), result)
        }
        None => {
            let result = io::stdin().lock().read_to_end(&mut bytes);
            ("stdin".to_owned(), result.map(drop))
        }
    };
    match result {
        Ok(()) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            let text = format!("cannot read {name}: {error}; give a file in PGN");
            Err(Failure::new(Status::Io, text))
        }
    }
}
