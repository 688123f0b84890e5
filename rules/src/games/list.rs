//! The closed list of games: the one place that names them all.

use super::{Chess99, HighChess, Kings};
use crate::game::GameError;
use crate::options::GivenOptions;

/// A game with its rule options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Orthodox chess (O1-O7); tables are of positions without castling rights.
    Orthodox,
    /// High Chess (H1-H8).
    HighChess(HighChess),
    /// Chess 99 on the 9x9 board (C1-C7).
    Chess99(Chess99),
    /// Kings, and wild 9 (K1-K7).
    Kings(Kings),
    /// Extinction chess with mating rules (E1-E5).
    ExtinctionMating,
    /// Extinction chess (E1, E6).
    Extinction,
    /// King of the Hill (T1-T3).
    KingOfTheHill,
}

/// Evaluates an expression with the rules of a game, whatever their type. Every game gets
/// code of its own, so that code run for each position of a table makes no indirect
/// calls.
macro_rules! with_rules {
    ($game:expr, $rules:ident => $body:expr) => {
        match $game {
            $crate::Game::Orthodox => {
                let $rules = &$crate::games::Orthodox;
                $body
            }
            $crate::Game::HighChess($rules) => $body,
            $crate::Game::Chess99($rules) => $body,
            $crate::Game::Kings($rules) => $body,
            $crate::Game::ExtinctionMating => {
                let $rules = &$crate::games::ExtinctionMating;
                $body
            }
            $crate::Game::Extinction => {
                let $rules = &$crate::games::Extinction;
                $body
            }
            $crate::Game::KingOfTheHill => {
                let $rules = &$crate::games::KingOfTheHill;
                $body
            }
        }
    };
}
pub(crate) use with_rules;

impl Game {
    /// All games, with their default options.
    pub const ALL: &'static [Game] = &[
        Game::Orthodox,
        Game::HighChess(HighChess::DEFAULT),
        Game::Chess99(Chess99::DEFAULT),
        Game::Kings(Kings::DEFAULT),
        Game::Kings(Kings::WILD_9),
        Game::ExtinctionMating,
        Game::Extinction,
        Game::KingOfTheHill,
    ];

    /// The game with the given options changed.
    pub(crate) fn with_options(self, options: &GivenOptions) -> Result<Game, GameError> {
        Ok(match self {
            Game::HighChess(rules) => Game::HighChess(rules.with_options(options)?),
            Game::Chess99(rules) => Game::Chess99(rules.with_options(options)?),
            Game::Kings(rules) => Game::Kings(rules.with_options(options)?),
            Game::Orthodox | Game::ExtinctionMating | Game::Extinction | Game::KingOfTheHill => {
                self
            }
        })
    }
}
