//! Describes a game with all that it takes to show a board of it.

use retrograde_index::Metric;
use retrograde_rules::{Colour, DoubleStep, Game, Goal, PieceType};
use serde::Serialize;

/// The full counters of a game with vitality.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum FullVitality {
    /// The full counter of both sides.
    Both(u8),
    /// White's and Black's.
    Each([u8; 2]),
}

/// A game, and what it is played with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct RulesObject {
    /// The name, with the options that are not the default.
    pub id: String,
    /// The name without options.
    pub name: &'static str,
    /// The title, for people.
    pub title: &'static str,
    /// A few sentences on the game, for people; null if there are none.
    pub about: Option<&'static str>,
    /// The inventor; null if nobody is named.
    pub author: Option<&'static str>,
    /// The year in which the game was published; null if it is not known.
    pub year: Option<i64>,
    /// Whether the game is one of those that every program knows.
    pub is_built_in: bool,
    /// Files and ranks, such as `8x8`.
    pub board: String,
    /// The number of files.
    pub files: u8,
    /// The number of ranks.
    pub ranks: u8,
    /// The letters of the pieces.
    pub pieces: String,
    /// Their names, in the same order.
    pub piece_names: Vec<String>,
    /// The letters by which the pieces may be drawn, in the same order: each that of the piece of
    /// well-known games that moves alike; `.` if there is none.
    pub figures: String,
    /// The letters of what a pawn may become, in some positions at least.
    pub promotions: String,
    /// The first and the last rank, counted from 1, on which White's pawns may stand, then
    /// Black's.
    pub pawn_ranks: [[u8; 2]; 2],
    /// Whether pawns may make double steps from other ranks than their first.
    pub double_step_from_anywhere: bool,
    /// Whether it depends on where they stand which pieces of which side are royal.
    pub royals_vary: bool,
    /// The fewest and the most kings of a side; null for any number.
    pub kings: [Option<usize>; 2],
    /// Whether a side may pass.
    pub has_pass: bool,
    /// Whether the fifty-move rule counts.
    pub fifty_moves: bool,
    /// The full counter of vitality, or White's and Black's if they differ; null in games
    /// without it.
    pub vitality: Option<FullVitality>,
    /// The fewest points of vitality that a side can have; null in games without it.
    pub least_vitality: Option<u8>,
    /// The number of checks that win; null in games that do not count them.
    pub checks: Option<u8>,
    /// The squares on which a king, or other pieces in games that are not built in, win by arriving;
    /// empty in other games.
    pub hill: Vec<String>,
    /// The position at the beginning.
    pub array: String,
    /// The metrics that tables have by default.
    pub metrics: Vec<&'static str>,
    /// The rule options.
    pub options: Vec<ChoiceObject>,
}

/// A rule option, and what is chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ChoiceObject {
    /// The name.
    pub name: &'static str,
    /// The values that the option can have.
    pub values: Vec<String>,
    /// The default value.
    pub default: &'static str,
    /// The value in this game.
    pub value: String,
    /// The meaning of the option and of its values; null if the definition does not say.
    pub about: Option<&'static str>,
}

impl RulesObject {
    /// Describes a game.
    pub fn new(game: Game) -> RulesObject {
        let geometry = game.geometry();
        let pawns = game.pawns();
        let types = game.piece_types().iter();
        let kings = Colour::BOTH.map(|side| game.kings(side));
        let (least, most) = (kings[0].0.min(kings[1].0), kings[0].1.max(kings[1].1));
        RulesObject {
            id: game.id(),
            name: game.name(),
            title: game.title(),
            about: game.about(),
            author: game.author(),
            year: game.year(),
            is_built_in: game.is_built_in(),
            board: format!("{}x{}", geometry.files, geometry.ranks),
            files: geometry.files,
            ranks: geometry.ranks,
            pieces: game.letters(),
            piece_names: types.map(|&t| game.piece_name(t)).collect(),
            figures: game
                .piece_types()
                .iter()
                .map(|&t| figure(game, t))
                .collect(),
            promotions: game
                .all_promotions()
                .iter()
                .map(|&t| game.letter(t))
                .collect(),
            pawn_ranks: Colour::BOTH.map(|colour| {
                let (first, last) = pawns.ranks[colour.index()];
                [first + 1, last + 1]
            }),
            double_step_from_anywhere: !matches!(
                pawns.double_step,
                DoubleStep::None | DoubleStep::FromHome
            ),
            royals_vary: game.royals_vary(),
            kings: [Some(least), Some(most).filter(|&most| most < usize::MAX)],
            has_pass: game.has_pass(),
            fifty_moves: game.zeroing_limit().is_some(),
            vitality: game
                .full_vitality()
                .map(|full| match full.white == full.black {
                    true => FullVitality::Both(full.white),
                    false => FullVitality::Each([full.white, full.black]),
                }),
            least_vitality: game.vitality().map(|rules| rules.counters().least),
            checks: Some(game.checks()).filter(|&checks| checks > 0),
            hill: match game.goal() {
                Goal::Reach(destination) => (destination.squares[0] | destination.squares[1])
                    .map(|square| geometry.name(square))
                    .collect(),
                Goal::Mate | Goal::KingCapture(_) | Goal::Extinction => Vec::new(),
            },
            array: game.array().fen(),
            metrics: Metric::of(game)
                .iter()
                .map(|metric| metric.name())
                .collect(),
            options: game
                .offers()
                .iter()
                .map(|offer| ChoiceObject {
                    name: &offer.name,
                    values: offer.values.list(),
                    default: &offer.default,
                    value: game.value_of(offer),
                    about: offer.about.as_deref(),
                })
                .collect(),
        }
    }
}

/// The letter of the well-known piece that moves like one of a game, or is royal like the king.
fn figure(game: Game, piece_type: PieceType) -> char {
    if piece_type == PieceType::Pawn {
        return 'P';
    }
    let moves = game.mover(piece_type).to_string();
    let known = [
        ("K", 'K'),
        ("Q", 'Q'),
        ("BN", 'A'),
        ("RN", 'C'),
        ("R", 'R'),
        ("B", 'B'),
        ("N", 'N'),
    ];
    let known = known.iter().find(|(known, letter)| {
        *known == moves && (*letter == 'K') == (piece_type == PieceType::King)
    });
    known.map_or('.', |&(_, letter)| letter)
}
