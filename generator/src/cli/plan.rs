//! Lists tables in the order in which they can be made, for `retrograde plan`.

mod formats;
mod snakemake;

use clap::ValueEnum;

use super::failure::{CommandResult, Status};
use super::materials::Named;
use super::output::Output;

/// List the tables to make and what each takes, without making any
///
/// Every material comes after those whose tables it needs. Memory, disk and CPU
/// time are measured where that has been done, and estimated for the others.
#[derive(clap::Args)]
pub(crate) struct PlanCommand {
    #[command(flatten)]
    named: Named,
    /// The format of the list
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A table for people
    Text,
    /// One JSON array
    Json,
    /// A graph for Graphviz, with an arrow from each table to those it needs
    Dot,
    /// A workflow for Snakemake, which spreads the work over many machines
    Snakemake,
}

impl PlanCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let plan = self.named.plan()?;
        let mut output = Output::new();
        match self.format {
            Format::Text => formats::text(&plan, &mut output)?,
            Format::Json => formats::json(&plan, &mut output)?,
            Format::Dot => formats::dot(&plan, &mut output)?,
            Format::Snakemake => snakemake::write(&plan, &mut output)?,
        }
        output.flush()?;
        Ok(Status::Fine)
    }
}
