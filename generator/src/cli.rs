//! Runs the command line: arguments in, text or JSON and an exit code out.
//!
//! Data goes to stdout, messages and progress to stderr. Each command has a file;
//! the rest is what the commands share.

mod advice;
mod arguments;
mod check;
mod claims;
mod compare;
mod engine;
mod export;
mod failure;
mod folders;
mod games;
mod generate;
mod interrupt;
mod materials;
mod numbers;
mod output;
mod pack;
mod perft;
mod plan;
mod probe;
mod progress;
mod repack;
mod replay;
mod serve;
mod shell;
mod stats;
mod tables;
mod terminal;
mod threads;
mod verify;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use retrograde_rules::Game;

use failure::{CommandResult, Failure};
use interrupt::Interrupt;

/// Printed below the list of commands.
const AFTER_HELP: &str = "

Tables are looked for in the folders given by --tables, else in those of the
environment variable RETROGRADE_TABLES, else in ./tables.

Exit codes: 0 fine; 1 something is wrong with a table; 2 wrong usage, bad FEN
or illegal position; 3 a table is missing; 4 a file is corrupt or foreign;
5 reading or writing failed; 6 not enough memory or disk; 75 interrupted, run
again to resume.";

/// Makes, checks and queries endgame tablebases.
#[derive(Parser)]
#[command(name = "retrograde", version, after_help = after_help())]
struct Arguments {
    #[command(flatten)]
    definitions: games::Definitions,
    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    format!("Games: {}.{AFTER_HELP}", Game::names().join(", "))
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::GenerateCommand),
    Plan(plan::PlanCommand),
    Probe(probe::ProbeCommand),
    Repack(repack::RepackCommand),
    Stats(stats::StatsCommand),
    Export(export::ExportCommand),
    Verify(verify::VerifyCommand),
    Check(check::CheckCommand),
    Claims(claims::ClaimsCommand),
    Compare(compare::CompareCommand),
    Tables(tables::TablesCommand),
    Replay(replay::ReplayCommand),
    Serve(serve::ServeCommand),
    Uci(engine::UciCommand),
    Xboard(engine::XboardCommand),
    Perft(perft::PerftCommand),
    Games(games::GamesCommand),
    Completions(shell::CompletionsCommand),
    Man(shell::ManCommand),
}

impl Command {
    /// Whether Ctrl-C means nothing else than to end the command, which keeps nothing.
    /// The others listen for it themselves.
    fn just_ends(&self) -> bool {
        match self {
            Command::Plan(_)
            | Command::Stats(_)
            | Command::Check(_)
            | Command::Tables(_)
            | Command::Replay(_)
            | Command::Uci(_)
            | Command::Xboard(_)
            | Command::Perft(_) => true,
            Command::Probe(command) => !command.searches(),
            _ => false,
        }
    }

    fn run(&self, definitions: &games::Definitions) -> CommandResult {
        definitions.check()?;
        if self.just_ends() {
            Interrupt::ends_the_program();
        }
        match self {
            Command::Generate(command) => command.run(),
            Command::Plan(command) => command.run(),
            Command::Probe(command) => command.run(),
            Command::Repack(command) => command.run(),
            Command::Stats(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Verify(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Claims(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Tables(command) => command.run(),
            Command::Replay(command) => command.run(),
            Command::Serve(command) => command.run(definitions),
            Command::Uci(command) => command.run(),
            Command::Xboard(command) => command.run(),
            Command::Perft(command) => command.run(),
            Command::Games(command) => command.run(definitions),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

/// The arguments of the program, with help that takes time to make where it is asked for.
fn definition() -> clap::Command {
    let mut definition = Arguments::command();
    if let Some(claims) = definition.find_subcommand_mut("claims") {
        *claims = std::mem::take(claims).defer(claims::with_claims);
    }
    definition
}

/// Runs the program with the given arguments, the first of which is its name, and returns the
/// exit code.
pub fn run(arguments: Vec<OsString>) -> u8 {
    #[cfg(unix)]
    limits();
    games::forget_names();
    let matches = definition().try_get_matches_from(arguments::take(arguments));
    let read = |matches| {
        folders::refuse_addresses(&matches)?;
        let arguments = Arguments::from_arg_matches(&matches);
        arguments.map_err(|error| error.format(&mut definition()))
    };
    let arguments = match matches.and_then(read) {
        Ok(arguments) => arguments,
        Err(error) => return arguments::refused(error) as u8,
    };
    let ended = arguments.command.run(&arguments.definitions);
    ended.unwrap_or_else(Failure::end) as u8
}

/// Adjusts how the system enforces its limits.
#[cfg(unix)]
fn limits() {
    // Exceeding the file-size limit should make the write fail, not kill the
    // process. Nobody reads the flag.
    let flag = std::sync::Arc::default();
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
    // Every table that is probed keeps a file open.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
}
