//! Plays for other chess programs, for `retrograde uci` and `retrograde xboard`.

use std::io::{self, BufReader};

use retrograde_engine::{Defaults, uci, xboard};

use super::advice::MORE_MEMORY;
use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;

/// Run as an engine that speaks UCI
///
/// Commands come from stdin, answers go to stdout, as the Universal Chess Interface says.
/// Where there are tables play is perfect; where there are none, an info string says so,
/// and the move comes from a search within the time given. The option UCI_Variant chooses
/// the game, which may be the path of a definition, TablebasePath the table folders.
#[derive(clap::Args)]
pub(crate) struct UciCommand {
    #[command(flatten)]
    folders: Folders,
}

/// Run as an engine for XBoard, WinBoard and others that speak its protocol
///
/// The same as uci, by version 2 of the Chess Engine Communication Protocol. Larger boards
/// and other pieces are told to the other program.
#[derive(clap::Args)]
pub(crate) struct XboardCommand {
    #[command(flatten)]
    folders: Folders,
}

impl UciCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let input = BufReader::new(io::stdin());
        ended(uci(input, io::stdout(), defaults(&self.folders)))
    }
}

impl XboardCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let input = BufReader::new(io::stdin());
        ended(xboard(input, io::stdout(), defaults(&self.folders)))
    }
}

fn defaults(folders: &Folders) -> Defaults {
    Defaults {
        folders: folders.list(),
        games: super::games::finder(),
    }
}

fn ended(result: io::Result<()>) -> CommandResult {
    result.map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory => {
            Failure::new(Status::Resources, format!("{error}; {MORE_MEMORY}"))
        }
        _ => Failure::stdout(&error),
    })?;
    Ok(Status::Fine)
}
