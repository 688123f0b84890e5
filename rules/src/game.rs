//! The closed list of games, and what the rest of the program asks of one.

use thiserror::Error;

use crate::games::{Orthodox, Rules};
use crate::geometry::Geometry;
use crate::man::Kind;
use crate::material::Material;

/// A game with its rule options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Orthodox chess without castling (O1-O6).
    Orthodox,
}

/// Which symmetries of the board keep a game's rules for a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// All eight.
    Full,
    /// Only left and right may be swapped.
    Files,
    /// None but the identity.
    None,
}

/// How the colours of a class may be swapped without changing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interchange {
    /// Swap the colours and mirror the ranks.
    MirrorRanks,
    /// Swap the colours and leave every man where it is.
    Plain,
    /// Swap the colours and turn the board by half.
    HalfTurn,
    /// Not at all: both colourings are tables of their own.
    Never,
}

/// Why a game id is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// No game has this name.
    #[error("there is no game \"{0}\"; the games are: {list}", list = Game::NAMES.join(", "))]
    UnknownGame(String),
    /// The game has no such option.
    #[error("{game} has no rule option \"{option}\"; {known}")]
    UnknownOption {
        /// The game's name.
        game: &'static str,
        /// The option as given.
        option: String,
        /// What the game offers, as a sentence.
        known: String,
    },
}

impl Game {
    /// The names of all games that exist, without options.
    pub const NAMES: &'static [&'static str] = &["orthodox"];

    /// Reads a game id such as `orthodox` or `high-chess:vital-restores=both`.
    ///
    /// # Errors
    /// An unknown name or option, with the list of what exists.
    pub fn parse(id: &str) -> Result<Game, GameError> {
        let (name, options) = id.split_once(':').unwrap_or((id, ""));
        match name {
            "orthodox" if options.is_empty() && !id.ends_with(':') => Ok(Game::Orthodox),
            "orthodox" => Err(GameError::UnknownOption {
                game: "orthodox",
                option: options.to_owned(),
                known: "it has no options".to_owned(),
            }),
            _ => Err(GameError::UnknownGame(name.to_owned())),
        }
    }

    /// The full id: options sorted, defaults dropped.
    pub fn id(self) -> String {
        self.name().to_owned()
    }

    /// The rules behind the name.
    #[inline]
    pub(crate) fn rules(&self) -> &dyn Rules {
        match self {
            Game::Orthodox => &Orthodox,
        }
    }

    /// The name without options.
    pub fn name(self) -> &'static str {
        self.rules().name()
    }

    /// The revision of the rules that tables are made by. It is raised when a
    /// ruling changes, so that older files are refused.
    pub fn revision(self) -> u16 {
        self.rules().revision()
    }

    /// The board.
    #[inline]
    pub fn geometry(self) -> Geometry {
        self.rules().geometry()
    }

    /// The kinds of men, in the order of material names.
    #[inline]
    pub fn kinds(self) -> &'static [Kind] {
        self.rules().kinds()
    }

    /// The kinds that a pawn may become.
    pub fn promotions(self) -> &'static [Kind] {
        self.rules().promotions()
    }

    /// The symmetries of the board that keep the values of a class.
    pub fn symmetry(self, material: &Material) -> Symmetry {
        self.rules().symmetry(material)
    }

    /// How the colours of a class may be swapped.
    pub fn interchange(self, material: &Material) -> Interchange {
        self.rules().interchange(material)
    }
}
