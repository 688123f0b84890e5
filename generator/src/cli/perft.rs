//! Counts lines of play from a position (perft), for `retrograde perft`.

use std::collections::BTreeMap;

use retrograde_rules::{Game, Position};
use serde::Serialize;

use super::failure::{CommandResult, Failure, Status};
use super::games::{GAME, GameParser};
use super::numbers::whole;
use super::output::Output;

/// The longest lines that are counted: each ply takes room on the stack, and nobody waits for
/// so many anyway.
const MOST_PLIES: u32 = 100;

/// Count the lines of play of a given length
///
/// A finished game has no moves. Needs no tables.
#[derive(clap::Args)]
pub(crate) struct PerftCommand {
    #[arg(value_parser = GameParser, help = GAME)]
    game: Game,
    /// The position as a FEN; its half-move clock and move number may be left out
    fen: String,
    /// The length of the lines in plies, at most 100
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = whole(0..=MOST_PLIES))]
    depth: u32,
    /// List each legal move with its count, in alphabetical order
    #[arg(long)]
    divide: bool,
    /// Print one JSON object, with a count for each legal move
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Object {
    nodes: u64,
    divide: Option<BTreeMap<String, u64>>,
}

impl PerftCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let position = Position::from_fen(self.game, &self.fen).map_err(Failure::usage)?;
        let (divide, nodes) = if self.divide || self.json {
            let counts = position.divide(self.depth);
            // Without moves there are no lines, except the empty one.
            let nodes = match self.depth {
                0 => 1,
                _ => counts.iter().map(|(_, nodes)| nodes).sum(),
            };
            (Some(counts), nodes)
        } else {
            (None, position.perft(self.depth))
        };
        let divide = divide.map(|counts| -> BTreeMap<String, u64> {
            counts
                .into_iter()
                .map(|(mv, nodes)| (position.uci(mv), nodes))
                .collect()
        });
        let mut output = Output::new();
        if self.json {
            output.json(&Object { nodes, divide })?;
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
