//! Prints shell completions and manual pages, for `retrograde completions` and `retrograde man`.
//!
//! They are generated from the definitions of the arguments.

use clap_complete::Shell;
use retrograde_rules::shortened;

use super::definition;
use super::failure::{CommandResult, Failure, Status};
use super::output::Output;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub(crate) struct CompletionsCommand {
    /// The shell
    shell: Shell,
}

impl CompletionsCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let mut script = Vec::new();
        let mut command = definition();
        clap_complete::generate(self.shell, &mut command, "retrograde", &mut script);
        print(&script)
    }
}

/// Print a manual page
#[derive(clap::Args)]
pub(crate) struct ManCommand {
    /// The command to describe [default: the whole program]
    command: Option<String>,
}

impl ManCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let mut command = definition();
        command.build();
        if let Some(name) = &self.command {
            let found = command.find_subcommand(name).cloned();
            let Some(found) = found else {
                let names: Vec<&str> = command.get_subcommands().map(|c| c.get_name()).collect();
                return Err(Failure::usage(format!(
                    "there is no command \"{}\"; the commands are: {}",
                    shortened(name),
                    names.join(", ")
                )));
            };
            command = found;
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .source(concat!("retrograde ", env!("CARGO_PKG_VERSION")))
            .render(&mut page)
            .map_err(|e| Failure::stdout(&e))?;
        print(&page)
    }
}

fn print(bytes: &[u8]) -> CommandResult {
    let mut output = Output::new();
    output.bytes(bytes)?;
    output.flush()?;
    Ok(Status::Fine)
}
