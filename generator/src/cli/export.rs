//! Exports a table as rows, for programs that analyse them, by `retrograde export`.

use clap::ValueEnum;
use retrograde::export::{Condition, ConditionError, Encoder, Export, Row, columns};
use retrograde::values::ValuesError;
use retrograde_probe::{Metric, ProbeError};
use retrograde_rules::{Game, Material};
use serde::{Serialize, Serializer};

use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::interrupt::Interrupt;
use super::output::Output;
use super::progress::Progress;
use super::terminal::message;
use super::threads::Threads;

/// Write the positions of a material and their values as rows
///
/// The rows are the positions that stats counts: all legal positions on the whole
/// board, mirror images and finished positions included, en passant rights left out.
/// Positions with White to move come first. Distances are in plies, counted with the
/// half-move clock at 0, and empty for draws.
#[derive(clap::Args)]
pub(crate) struct ExportCommand {
    #[arg(value_parser = GameParser, help = GAME)]
    game: Game,
    /// The material, such as KQvKR
    material: String,
    /// The format: csv with a line of column names, or one JSON object per line
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Only rows that have this value in this column, such as wdl=win or side=white;
    /// may be given several times, and then all must hold
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    conditions: Vec<String>,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    threads: Threads,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Csv,
    Jsonl,
}

impl From<ConditionError> for Failure {
    fn from(error: ConditionError) -> Failure {
        Failure::usage(error)
    }
}

/// The reasons why the rows end early.
enum Halt {
    Values(ValuesError),
    Failure(Failure),
}

impl From<ValuesError> for Halt {
    fn from(error: ValuesError) -> Halt {
        Halt::Values(error)
    }
}

impl ExportCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let material = Material::parse(self.game, &self.material)?;
        let parse = |text: &String| Condition::parse(self.game, text);
        let conditions: Result<Vec<Condition>, _> = self.conditions.iter().map(parse).collect();
        let tables = self.folders.open(self.game)?;
        let export = Export::new(&tables, &material, conditions?)
            .map_err(|error| self.folders.values_failure(&error))?;
        let absent: Vec<&str> = export.absent().into_iter().map(Metric::name).collect();
        if !absent.is_empty() {
            let (name, list) = (export.material(), absent.join(" and "));
            let columns = match absent.len() {
                1 => "that column is",
                _ => "those columns are",
            };
            message(&format!(
                "no table of {list} for {name}: {columns} empty in every row"
            ));
        }
        let interrupt = Interrupt::listen(
            &Progress::new(),
            "interrupted: the rows written so far are whole; run the command again for all",
        );

        let names = columns(self.game);
        let mut output = Output::new();
        if let Format::Csv = self.format {
            output.line(names.join(","))?;
        }
        let encoder = || match self.format {
            Format::Csv => Lines::csv(),
            Format::Jsonl => Lines::json(&names),
        };
        let write = |bytes: &[u8]| {
            let written = output.bytes(bytes).and_then(|()| output.flush());
            written.map_err(Halt::Failure)
        };
        let stop = || interrupt.happened();
        let status = match self.threads.run(|| export.run(encoder, write, &stop))? {
            Ok(()) => Status::Fine,
            Err(Halt::Values(ValuesError::Probe(ProbeError::Stopped))) => Status::Interrupted,
            Err(Halt::Values(error)) => return Err(self.folders.values_failure(&error)),
            Err(Halt::Failure(failure)) => return Err(failure),
        };
        output.flush()?;
        Ok(status)
    }
}

/// Rows as lines of text.
enum Lines<'a> {
    /// RFC 4180, lines ending in LF.
    Csv(Box<csv::Writer<Vec<u8>>>),
    /// An object a line.
    Json { names: &'a [String], bytes: Vec<u8> },
}

impl<'a> Lines<'a> {
    fn csv() -> Lines<'a> {
        let mut builder = csv::WriterBuilder::new();
        let writer = builder.has_headers(false).from_writer(Vec::new());
        Lines::Csv(Box::new(writer))
    }

    fn json(names: &'a [String]) -> Lines<'a> {
        let bytes = Vec::new();
        Lines::Json { names, bytes }
    }
}

impl Encoder for Lines<'_> {
    fn add(&mut self, row: &Row) {
        // Writing to memory cannot fail, and all rows have the same number of cells.
        match self {
            Lines::Csv(writer) => {
                let _ = writer.serialize(Cells { row });
            }
            Lines::Json { names, bytes } => {
                let _ = serde_json::to_writer(&mut *bytes, &Object { names, row });
                bytes.push(b'\n');
            }
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        match self {
            Lines::Csv(writer) => writer.into_inner().unwrap_or_default(),
            Lines::Json { bytes, .. } => bytes,
        }
    }
}

/// A row without the names of its columns.
struct Cells<'a> {
    row: &'a Row<'a>,
}

impl Serialize for Cells<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.row.cells())
    }
}

/// A row with the names of its columns.
struct Object<'a> {
    names: &'a [String],
    row: &'a Row<'a>,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.names.iter().zip(self.row.cells()))
    }
}
