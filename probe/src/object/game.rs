//! Describes a game, its board, pieces and rule options, as an object for other programs.

use retrograde_index::Metric;
use retrograde_rules::Game;
use serde::Serialize;

/// A game that there can be tables of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GameObject {
    /// The name, without options; `NAME@DIGEST` if the game is not built in.
    pub id: String,
    /// The name that a definition is found by, that of its file; not of games that are built in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Files and ranks: `8x8`.
    pub board: String,
    /// The letters of its pieces.
    pub pieces: String,
    /// The names of the metrics.
    pub metrics: Vec<&'static str>,
    /// The rule options.
    pub options: Vec<OptionObject>,
}

/// A rule option of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OptionObject {
    /// The name.
    pub name: &'static str,
    /// The values that the option can have.
    pub values: Vec<String>,
    /// The default value.
    pub default: &'static str,
}

impl GameObject {
    /// Makes the description of a game.
    pub fn new(game: Game) -> GameObject {
        let geometry = game.geometry();
        let options = game.offers().iter().map(|offer| OptionObject {
            name: &offer.name,
            values: offer.values.list(),
            default: &offer.default,
        });
        GameObject {
            id: match game.is_built_in() {
                true => game.name().to_owned(),
                false => game.id(),
            },
            file: None,
            board: format!("{}x{}", geometry.files, geometry.ranks),
            pieces: game.letters(),
            metrics: Metric::of(game)
                .iter()
                .map(|metric| metric.name())
                .collect(),
            options: options.collect(),
        }
    }
}
