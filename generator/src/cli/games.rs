//! `retrograde games`: the games and their rule options. Also how a game is
//! named on the command line.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use retrograde_probe::Metric;
use retrograde_probe::object::GameObject;
use retrograde_rules::{Game, GameOption};

use super::failure::{CommandResult, Failure, Status};
use super::output::Output;

/// The help on the argument that names a game.
pub(crate) const GAME: &str = "The game, such as orthodox; some games take options, as in \
                               kings:board=10x10 (see retrograde games)";

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

impl GamesCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let mut output = Output::new();
        let games: Vec<GameObject> = Game::all()
            .iter()
            .map(|&game| GameObject::new(game))
            .collect();
        if self.json {
            output.json(&games)?;
        } else {
            for (object, &game) in games.iter().zip(Game::all()) {
                write_game(object, game, &mut output)?;
            }
        }
        output.flush()?;
        Ok(Status::Fine)
    }
}

/// A line for the game, and one for each option.
fn write_game(object: &GameObject, game: Game, output: &mut Output) -> Result<(), Failure> {
    let GameObject {
        id, board, pieces, ..
    } = object;
    let mut metrics = object.metrics.join(", ");
    for metric in Metric::on_request(game) {
        metrics.push_str(&format!(", {metric} on request"));
    }
    output.line(format_args!("{id:<18} {board:<6} {pieces:<8} {metrics}"))?;
    for offer in game.offers() {
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
