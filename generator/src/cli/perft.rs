//! `retrograde perft`: counts the lines of play from a position.

use std::collections::BTreeMap;

use retrograde_rules::{Game, Position};
use serde::Serialize;

use super::failure::{CommandResult, Failure, Status};
use super::games::GameParser;
use super::output::Output;

/// Count the lines of play of a number of plies
///
/// A finished game has no moves. Tables are not needed.
#[derive(clap::Args)]
pub(crate) struct PerftCommand {
    /// The game, such as orthodox
    #[arg(value_parser = GameParser)]
    game: Game,
    /// The position; four fields suffice
    fen: String,
    /// How many plies
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    depth: u32,
    /// Count each legal move apart, in the order of their names
    #[arg(long)]
    divide: bool,
    /// Answer as one JSON object, each legal move counted apart
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    nodes: u64,
    divide: Option<BTreeMap<String, u64>>,
}

impl PerftCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let position = Position::from_fen(self.game, &self.fen).map_err(Failure::usage)?;
        let (divide, nodes) = if self.divide || self.json {
            let counts = self.game.divide(&position, self.depth);
            // No moves are no lines, but for the line without moves.
            let nodes = match self.depth {
                0 => 1,
                _ => counts.iter().map(|(_, nodes)| nodes).sum(),
            };
            (Some(counts), nodes)
        } else {
            (None, self.game.perft(&position, self.depth))
        };
        let divide = divide.map(|counts| -> BTreeMap<String, u64> {
            counts
                .into_iter()
                .map(|(mv, nodes)| (mv.uci(self.game), nodes))
                .collect()
        });
        let mut output = Output::new();
        if self.json {
            output.json(&Answer { nodes, divide })?;
        } else {
            for (mv, nodes) in divide.into_iter().flatten() {
                output.line(format_args!("{mv} {nodes}"))?;
            }
            output.line(nodes)?;
        }
        output.flush()?;
        Ok(Status::Fine)
    }
}
