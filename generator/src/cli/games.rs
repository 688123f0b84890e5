//! `retrograde games`: the games and their rule options. Also how a game is
//! named on the command line.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use retrograde_probe::Metric;
use retrograde_rules::{Game, GameOption, PieceType};
use serde::Serialize;

use super::failure::{CommandResult, Failure, Status};
use super::output::Output;

/// List the games, their boards, pieces, metrics and rule options
///
/// Options follow the name of the game, separated by commas:
/// high-chess:vital-restores=both,vitality=5. Any left out keep their defaults.
#[derive(clap::Args)]
pub(crate) struct GamesCommand {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GameObject {
    id: &'static str,
    board: String,
    pieces: String,
    metrics: Vec<&'static str>,
    options: Vec<OptionObject>,
}

#[derive(Serialize)]
struct OptionObject {
    name: &'static str,
    values: Vec<String>,
    default: &'static str,
}

impl GamesCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let mut output = Output::new();
        let games: Vec<GameObject> = Game::ALL.iter().map(|&game| object(game)).collect();
        if self.json {
            output.json(&games)?;
        } else {
            for (object, game) in games.iter().zip(Game::ALL) {
                write_game(object, game.offers(), &mut output)?;
            }
        }
        output.flush()?;
        Ok(Status::Fine)
    }
}

fn object(game: Game) -> GameObject {
    let geometry = game.geometry();
    let option = |offer: &GameOption| OptionObject {
        name: offer.name,
        values: offer.values.list(),
        default: offer.default,
    };
    GameObject {
        id: game.name(),
        board: format!("{}x{}", geometry.files, geometry.ranks),
        pieces: game
            .piece_types()
            .iter()
            .copied()
            .map(PieceType::letter)
            .collect(),
        metrics: Metric::of(game).iter().map(|m| m.name()).collect(),
        options: game.offers().iter().map(option).collect(),
    }
}

/// A line for the game, and one for each option.
fn write_game(
    game: &GameObject,
    offers: &[GameOption],
    output: &mut Output,
) -> Result<(), Failure> {
    let GameObject {
        id, board, pieces, ..
    } = game;
    let metrics = game.metrics.join(", ");
    output.line(format_args!("{id:<18} {board:<6} {pieces:<8} {metrics}"))?;
    for offer in offers {
        let GameOption {
            name,
            values,
            default,
        } = offer;
        output.line(format_args!("    {name} = {values} [default: {default}]"))?;
    }
    Ok(())
}

/// Reads a game id, and offers the names to help texts and completions.
#[derive(Clone)]
pub(crate) struct GameParser;

impl TypedValueParser for GameParser {
    type Value = Game;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Game, clap::Error> {
        Game::parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Game::names().into_iter().map(PossibleValue::new)))
    }
}
