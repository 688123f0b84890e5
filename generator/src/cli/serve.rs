//! Starts `retrograde-server`, a program of its own, for `retrograde serve`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::Command;

use clap::CommandFactory;

use super::failure::{CommandResult, Failure, Status};
use super::games::Definitions;
use super::output::Output;
use super::terminal::message;

/// The name of the program.
const PROGRAM: &str = "retrograde-server";

/// Answer over HTTP, and show a board in the browser
///
/// Starts the program retrograde-server, which is looked for beside this one and in PATH, with
/// the same arguments. `retrograde-server --help` lists them.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct ServeCommand {
    /// --listen ADDRESS [default: 127.0.0.1:8080], --tables DIR, and the other options of
    /// retrograde-server
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "OPTION"
    )]
    options: Vec<OsString>,
}

impl ServeCommand {
    pub(crate) fn run(&self, definitions: &Definitions) -> CommandResult {
        if definitions.sets_keys() {
            let text = "the server takes no --set; write a definition that extends the game, and \
                        name its folder with --games";
            return Err(Failure::usage(text));
        }
        // All commands take --games, so those that come first are not among the options.
        let games = definitions.folders().iter();
        let games = games.flat_map(|folder| [OsStr::new("--games"), folder.as_os_str()]);
        let options: Vec<&OsStr> = games
            .chain(self.options.iter().map(OsString::as_os_str))
            .collect();
        let (beside, in_path) = (beside(), PathBuf::from(PROGRAM));
        let mut result = Err(io::Error::from(io::ErrorKind::NotFound));
        for program in beside.into_iter().chain([in_path]) {
            result = start(Command::new(program).args(&options));
            // One that is there but cannot be started is not passed over.
            if !matches!(&result, Err(error) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
        }
        if matches!(&result, Err(error) if error.kind() == io::ErrorKind::NotFound) {
            return self.not_installed();
        }
        result.map_err(|error| {
            Failure::new(Status::Io, format!("{PROGRAM} cannot be started: {error}"))
        })
    }

    /// Says how to get the program, and as much of its help as is known here.
    fn not_installed(&self) -> CommandResult {
        let text = format!(
            "the program {PROGRAM} is neither beside this one nor in PATH; in the \
             project's folder, make it with `cargo build --release -p {PROGRAM}`, or \
             install it with `cargo install --path server`"
        );
        let wants_help = |option: &OsString| option == "--help" || option == "-h";
        if !self.options.iter().any(wants_help) {
            return Err(Failure::new(Status::Io, text));
        }
        let mut all = super::Arguments::command();
        all.build();
        let mut output = Output::new();
        if let Some(serve) = all.find_subcommand_mut("serve") {
            output.line(serve.render_long_help().to_string().trim_end())?;
        }
        output.flush()?;
        message(&text);
        Ok(Status::Fine)
    }
}

/// The program in the folder of this one.
fn beside() -> Option<PathBuf> {
    let mut path = env::current_exe().ok()?;
    path.set_file_name(format!("{PROGRAM}{}", env::consts::EXE_SUFFIX));
    Some(path)
}

/// Becomes the program, so that signals and exit codes are its own.
#[cfg(unix)]
fn start(command: &mut Command) -> io::Result<Status> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Runs the program to its end.
#[cfg(not(unix))]
fn start(command: &mut Command) -> io::Result<Status> {
    match command.status()?.code() {
        Some(0) => Ok(Status::Fine),
        Some(2) => Ok(Status::Usage),
        _ => Ok(Status::Io),
    }
}
