//! What the rest of the program can ask about a game.

mod symmetry;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Board;
use crate::features::{BareKings, Goal, LastOfType, Pawns, Royalty};
pub use crate::games::Game;
pub(crate) use crate::games::with_rules;
use crate::games::{EpBy, HighChess, Rules};
use crate::geometry::Geometry;
use crate::material::Material;
use crate::options::{GameOption, GivenOptions};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::shortened::shortened;
pub use symmetry::{Interchange, Symmetry};

/// Why a game id is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameError {
    /// No game has this name.
    #[error(
        "there is no game \"{}\"; the games are: {}",
        shortened(.0), Game::names().join(", ")
    )]
    UnknownGame(String),
    /// The game has no such option.
    #[error("{game} has no rule option \"{}\"; {known}", shortened(.option))]
    UnknownOption {
        /// The game's name.
        game: &'static str,
        /// The option as given.
        option: String,
        /// The options of the game, as a sentence.
        known: String,
    },
    /// The option has no such value.
    #[error("the {option} of {game} is {known}, not \"{}\"", shortened(.value))]
    UnknownValue {
        /// The game's name.
        game: &'static str,
        /// The option.
        option: &'static str,
        /// Its value as given; empty if there is none.
        value: String,
        /// The values that exist, in words.
        known: String,
    },
    /// The value of one option needs another value of a second.
    #[error("{option} of {game} needs {needs}; give that too, or leave {option} out")]
    NeededOption {
        /// The game's name.
        game: &'static str,
        /// The option with its value as given.
        option: &'static str,
        /// What it needs, in words.
        needs: &'static str,
    },
    /// An option is given more than once.
    #[error("the rule option {} of {game} is given twice; leave one", shortened(.option))]
    RepeatedOption {
        /// The game's name.
        game: &'static str,
        /// The option.
        option: String,
    },
}

/// The full id: see [`Game::id`].
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.id())
    }
}

/// Reads a game id: see [`Game::parse`].
impl FromStr for Game {
    type Err = GameError;

    fn from_str(id: &str) -> Result<Game, GameError> {
        Game::parse(id)
    }
}

impl Game {
    /// The names of all games that exist, without options.
    pub fn names() -> Vec<&'static str> {
        Game::ALL.iter().map(|game| game.name()).collect()
    }

    /// Reads a game id such as `orthodox` or `high-chess:vital-restores=both`;
    /// options may come in any order.
    ///
    /// # Errors
    /// An unknown name, option or value, with the list of what exists, or an
    /// option that is given twice.
    pub fn parse(id: &str) -> Result<Game, GameError> {
        let (name, options) = match id.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (id, None),
        };
        let unknown = || GameError::UnknownGame(name.to_owned());
        let game = *Game::ALL
            .iter()
            .find(|game| game.name() == name)
            .ok_or_else(unknown)?;
        game.with_options(&GivenOptions::read(game.name(), game.offers(), options)?)
    }

    /// The full id: options sorted, defaults dropped.
    pub fn id(self) -> String {
        let options = self.rules().options();
        let options: Vec<String> = options
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if options.is_empty() {
            self.name().to_owned()
        } else {
            format!("{}:{}", self.name(), options.join(","))
        }
    }

    /// The value that an option, one of [`Game::offers`], has in this game.
    pub fn value_of(self, option: &GameOption) -> String {
        let chosen = self.rules().options();
        let mut chosen = chosen.into_iter();
        let chosen = chosen.find_map(|(name, value)| (name == option.name).then_some(value));
        chosen.unwrap_or_else(|| option.default.to_owned())
    }

    /// The rules behind the name, where speed does not matter.
    pub(crate) fn rules(&self) -> &dyn Rules {
        with_rules!(self, rules => rules)
    }

    /// The name without options.
    pub fn name(self) -> &'static str {
        self.rules().name()
    }

    /// Names that other programs use in PGN and engine protocols for a game with the
    /// same rules: lower case, no spaces.
    pub fn other_names(self) -> &'static [&'static str] {
        self.rules().other_names()
    }

    /// Whether the name of a variant, as other programs give it, means this game: its id, or its
    /// name in any spelling (`King of the Hill`), without the options.
    pub fn is_called(self, variant: &str) -> bool {
        let plain = |name: &str| -> String {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|c| c.to_ascii_lowercase()).collect()
        };
        let found = plain(variant);
        variant == self.id()
            || found == plain(self.name())
            || self.rules().other_names().contains(&found.as_str())
    }

    /// The available options, sorted by name; [`Game::value_of`] tells which value each has in
    /// this game.
    pub fn offers(self) -> &'static [GameOption] {
        self.rules().offers()
    }

    /// The revision of the rules that tables are made by. It is raised when a
    /// ruling changes, so that older files are refused.
    pub fn revision(self) -> u16 {
        self.rules().revision()
    }

    /// The number of plies within which a win must reach its next capture, pawn move or
    /// mate under the fifty-move rule (O4): 100; `None` in games without that rule.
    pub fn zeroing_limit(self) -> Option<u32> {
        self.rules().zeroing_limit()
    }

    /// Whether the rules speak of dead positions (O5): see [`Position::dead`].
    ///
    /// [`Position::dead`]: crate::Position::dead
    pub fn has_dead_positions(self) -> bool {
        self.rules().dead(&Board::empty()).is_some()
    }

    /// The board.
    #[inline]
    pub fn geometry(self) -> Geometry {
        with_rules!(self, rules => rules.geometry())
    }

    /// The rank on which pawns start, counted from 0 on their own side. In all games
    /// but Chess 99 they make double steps only from there, and never stand behind it.
    pub fn pawn_home(self) -> u8 {
        self.rules().pawn_home()
    }

    /// The piece types, in the order of material names.
    #[inline]
    pub fn piece_types(self) -> &'static [PieceType] {
        with_rules!(self, rules => rules.piece_types())
    }

    /// The piece type of a capital letter; `None` if the game has none of that letter.
    pub(crate) fn piece_type_of(self, letter: char) -> Option<PieceType> {
        let mut types = self.piece_types().iter().copied();
        types.find(|k| k.letter() == letter)
    }

    /// The letters of the piece types, in the order of material names: `KQRBNP`.
    pub fn letters(self) -> String {
        self.piece_types().iter().map(|k| k.letter()).collect()
    }

    /// The fewest and the most kings that a side may have: 1 and 1 in
    /// orthodox chess.
    pub fn kings_a_side(self) -> (usize, usize) {
        self.rules().kings_a_side()
    }

    /// The piece types that a pawn may become, some only in some positions (E2).
    pub fn promotions(self) -> &'static [PieceType] {
        self.rules().promotions()
    }

    /// Which pieces of a side must not be attacked after its move.
    pub fn royalty(self) -> Royalty {
        self.rules().royalty()
    }

    /// Whether the placement decides which pieces are royal: in kings, wild 9 and
    /// extinction chess with mating rules. Elsewhere it is the one king of each side,
    /// or none.
    pub fn royals_vary(self) -> bool {
        match self.royalty() {
            Royalty::King | Royalty::None => false,
            Royalty::FirstKing(_) | Royalty::OnlyOfType => true,
        }
    }

    /// What wins the game.
    #[inline]
    pub fn goal(self) -> Goal {
        with_rules!(self, rules => rules.goal())
    }

    /// What it means that a side has only one piece of a type left.
    pub fn last_of_type(self, piece_type: PieceType) -> LastOfType {
        self.rules().last_of_type(piece_type)
    }

    /// Whether the first piece of each side, in the order of [`Material::pieces`],
    /// may stand on neighbouring squares.
    pub fn leaders_may_touch(self, material: &Material) -> bool {
        self.rules().leaders_may_touch(material)
    }

    /// The value of positions with two bare kings.
    pub fn bare_kings(self) -> BareKings {
        self.rules().bare_kings()
    }

    /// Whether the material is two bare kings, and these have no table.
    pub fn needs_no_table(self, material: &Material) -> bool {
        let king = |colour| material.count(Piece::new(colour, PieceType::King)) == 1;
        // Every probe asks, so what is seen at once comes first.
        material.len() == 2
            && Colour::BOTH.into_iter().all(king)
            && match self.bare_kings() {
                BareKings::Drawn | BareKings::DrawnUnlessTaken => true,
                BareKings::Table => false,
            }
    }

    /// What pawns may do.
    pub fn pawns(self) -> Pawns {
        self.rules().pawns()
    }

    /// Who may capture en passant.
    pub fn ep_by(self) -> EpBy {
        self.rules().ep_by()
    }

    /// Whether a king on its first rank castles with the nearest piece there, at any
    /// time and without rights, so that castling is part of the tables (C7).
    pub fn castles_along_first_rank(self) -> bool {
        self.rules().castles_along_first_rank()
    }

    /// The rules of vitality (H3); `None` in games without it.
    #[inline]
    pub fn vitality_rules(self) -> Option<HighChess> {
        with_rules!(self, rules => rules.vitality_rules())
    }

    /// The vitality that both sides start with (H3); `None` in games without it.
    #[inline]
    pub fn full_vitality(self) -> Option<u8> {
        self.vitality_rules().map(HighChess::vitality)
    }

    /// Whether a side may pass, if it is not in check (H2).
    pub fn has_pass(self) -> bool {
        self.rules().has_pass()
    }

    /// The symmetries of the board that keep the values of a material.
    pub fn symmetry(self, material: &Material) -> Symmetry {
        self.rules().symmetry(material)
    }

    /// The array, the starting position of the game, including castling rights (X).
    pub fn array(self) -> Position {
        let array = Position::from_fen(self, self.rules().array());
        array.unwrap_or_else(|error| unreachable!("the array of {}: {error}", self.id()))
    }

    /// How the colours of a material may be swapped.
    pub fn interchange(self, material: &Material) -> Interchange {
        self.rules().interchange(material)
    }
}
