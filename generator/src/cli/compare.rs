//! Compares two games on the same placements, for `retrograde compare`.

use std::path::PathBuf;

use retrograde_claims::{Comparison, Options, report};
use retrograde_folder::state_folder;
use retrograde_rules::{Game, Material};

use super::claims::{Consent, Worker};
use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::numbers::men;
use super::output::Output;
use super::threads::Threads;

/// Compare two games, or a game with another value of an option, on the same placements
///
/// Every position of the first game that is one of the second, too, is looked up in both: a matrix
/// of values by side to move and by class, what has changed, how much sooner or later games end, and
/// what only one of the two allows, with examples. Tables that are missing are made first, into the
/// first table folder; the time, memory and disk that they take are said before.
#[derive(clap::Args)]
pub(crate) struct CompareCommand {
    #[arg(value_parser = GameParser, value_name = "GAME1", help = GAME)]
    first: Game,
    /// The game that it is compared with, such as orthodox or chess99:castling=off
    #[arg(value_parser = GameParser, value_name = "GAME2")]
    second: Game,
    /// Materials of the first game, such as KQvKR; all of up to N pieces by default
    #[arg(value_name = "MATERIAL")]
    materials: Vec<String>,
    /// All materials of up to N pieces [default: 3 if no material is named]
    #[arg(
        long,
        value_name = "N",
        value_parser = men,
        allow_negative_numbers = true,
        conflicts_with = "materials"
    )]
    men: Option<usize>,
    /// Print one JSON array, like that of claims
    #[arg(long)]
    json: bool,
    /// Write compare.html, compare.md and compare.json into this folder; interrupted work continues
    /// from there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    threads: Threads,
}

impl CompareCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let materials = self.materials()?;
        let most = materials.iter().map(Material::len).max();
        let options = Options {
            tables: self.folders.list(),
            out: self.out.clone(),
            secrets: state_folder(),
            men: self.men.or(most).unwrap_or(3),
            game: Some(self.first),
            compare: Some(Comparison {
                with: self.second,
                materials,
            }),
            only: Vec::new(),
        };
        options.claims().map_err(Failure::usage)?;
        let worker = Worker::new(&self.folders, false);
        worker.announce(&options, self.threads.count(), &self.consent)?;
        let result = self.threads.run(|| {
            let report = report(&options, &worker, &worker)?;
            if let Some(out) = &self.out {
                report.write_comparison(out)?;
            }
            Ok(report)
        })?;
        worker.progress.finish();
        let report = match result {
            Ok(report) => report,
            Err(error) => return worker.ended(error),
        };
        let mut output = Output::new();
        match self.json {
            true => output.bytes(report.json().as_bytes())?,
            false => output.bytes(report.text().as_bytes())?,
        }
        output.flush()?;
        Ok(Status::Fine)
    }

    /// The materials that are named.
    fn materials(&self) -> Result<Vec<Material>, Failure> {
        let parse = |name: &String| Material::parse(self.first, name);
        let named = self.materials.iter().map(parse);
        Ok(named.collect::<Result<Vec<Material>, _>>()?)
    }
}
