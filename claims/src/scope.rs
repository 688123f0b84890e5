//! Defines the scope of a report, the supply of its tables, and the observer of the work.

use retrograde_index::{Index, Metric};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType};

use crate::claim::{Answer, Claim, ClassChoice, Classes, Tables};
use crate::error::ClaimError;

/// Knows which tables there can be, and makes those that are missing.
pub trait Supply: Sync {
    /// All materials of up to `men` pieces that have tables, in normal form, smaller ones
    /// first.
    fn materials(&self, game: Game, men: usize) -> Vec<Material>;

    /// Makes sure that tables of some metrics of these materials are there, and of all that
    /// they need.
    ///
    /// # Errors
    /// [`ClaimError::Unsupplied`] if that fails, [`ClaimError::Interrupted`].
    fn ensure(
        &self,
        game: Game,
        materials: &[Material],
        metrics: &[Metric],
    ) -> Result<(), ClaimError>;
}

/// Follows the work and may end it.
pub trait Observer: Sync {
    /// Claim `place` (from 0) of `of` is next.
    fn begin(&self, _place: usize, _of: usize, _tag: &str) {}
    /// `done` of `total` index values of the claim have been looked at.
    fn progress(&self, _done: u64, _total: u64) {}
    /// The claim has been answered; `kept` says that an earlier run had done it.
    fn end(&self, _answer: &Answer, _kept: bool) {}
    /// Whether to stop; asked several times a second.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Ignores everything.
impl Observer for () {}

/// Tables of a game that a claim takes, with all that these need in turn.
#[derive(Clone, Debug)]
pub(crate) struct Need {
    /// The game.
    pub(crate) game: Game,
    /// The materials in normal form.
    pub(crate) materials: Vec<Material>,
    /// The metrics, if these are others than those [made by default](Metric::of).
    pub(crate) metrics: Option<&'static [Metric]>,
}

impl Need {
    /// The metrics.
    pub(crate) fn metrics(&self) -> &'static [Metric] {
        self.metrics.unwrap_or(Metric::of(self.game))
    }
}

/// The scope of the report: which games, how many men.
pub(crate) struct Scope<'a> {
    pub(crate) men: usize,
    /// A game that takes the place of the one with this id: one with options.
    pub(crate) variant: Option<(String, Game)>,
    pub(crate) supply: &'a dyn Supply,
}

impl Scope<'_> {
    /// The game of an id; if the report is about one with options, that one.
    pub(crate) fn game(&self, id: &str) -> Game {
        match &self.variant {
            Some((instead_of, variant)) if instead_of == id => *variant,
            _ => Game::parse(id).unwrap_or_else(|error| unreachable!("{error}")),
        }
    }

    /// The games that a claim compares.
    pub(crate) fn games(&self, claim: &Claim) -> Vec<Game> {
        let ids = match claim.compared.is_empty() {
            true => &claim.games,
            false => &claim.compared,
        };
        ids.iter().map(|id| self.game_with_options(id)).collect()
    }

    /// The game of an id, with some options as the id says and all others as they are.
    fn game_with_options(&self, id: &str) -> Game {
        let (name, options) = id.split_once(':').unwrap_or((id, ""));
        let options = options
            .split(',')
            .filter_map(|option| option.split_once('='));
        options.fold(self.game(name), |game, (option, values)| {
            let mut others = values
                .split('|')
                .map(|value| with_option(game, option, value));
            let first = others.next().unwrap_or(game);
            let another = std::iter::once(first).chain(others).find(|&g| g != game);
            another.unwrap_or(game)
        })
    }

    /// All materials of a game up to the number of men of the report.
    fn materials(&self, game: Game) -> Vec<Material> {
        self.supply.materials(game, self.men)
    }

    /// The materials of a game that a claim is about, in normal form.
    pub(crate) fn classes(&self, game: Game, classes: &Classes) -> Vec<Material> {
        let choice = match classes {
            Classes::Chosen(choice) => *choice,
            Classes::Named(names) => {
                let parsed = names
                    .iter()
                    .filter_map(|name| Material::parse(game, name).ok());
                let normal = parsed.map(|material| material.normal(game).0);
                let mut list: Vec<Material> = normal.filter(|m| m.len() <= self.men).collect();
                list.dedup();
                return list;
            }
        };
        let mut list = self.materials(game);
        list.retain(|material| match choice {
            ClassChoice::All => true,
            ClassChoice::UpToThree => material.len() <= 3,
            ClassChoice::FewOrEven => material.len() <= 3 || is_even(material),
            ClassChoice::Even => material.len() > 2 && is_even(material),
            ClassChoice::Pawns => material.has_pawns(),
            ClassChoice::SpareKings => {
                let mut sides = Colour::BOTH.into_iter();
                sides.any(|side| has_spare_kings(game, material, side))
            }
        });
        list
    }

    /// The tables that a claim takes, `games` being those that it compares.
    pub(crate) fn needs(&self, claim: &Claim, games: &[Game]) -> Vec<Need> {
        let need = |materials, game| Need {
            game,
            materials,
            metrics: None,
        };
        let classes = |game: &Game| need(self.classes(*game, &claim.classes), *game);
        let all = |game: &Game| need(self.materials(*game), *game);
        match claim.tables {
            Tables::Compared => games.iter().map(classes).collect(),
            Tables::First => games.iter().take(1).map(classes).collect(),
            Tables::All => games.iter().map(all).collect(),
            Tables::Helpmates => {
                let on_request = |game: &Game| Need {
                    metrics: Some(Metric::on_request(*game)),
                    ..all(game)
                };
                let helpmates = games.iter().map(on_request);
                let helpmates = helpmates.filter(|need| !need.metrics().is_empty());
                games.iter().map(all).chain(helpmates).collect()
            }
            Tables::Colourings => {
                let colourings = |game: &Game| {
                    let mut list = self.classes(games[0], &claim.classes);
                    if *game != games[0] {
                        let both = |m: &Material| [m.normal(*game).0, m.swapped().normal(*game).0];
                        list = list.iter().flat_map(both).collect();
                    }
                    list.sort_unstable();
                    list.dedup();
                    let has_table = |m: &Material| !game.needs_no_table(m) && is_possible(*game, m);
                    list.retain(has_table);
                    need(list, *game)
                };
                games.iter().map(colourings).collect()
            }
        }
    }
}

/// Whether a material can have positions in a game.
pub(crate) fn is_possible(game: Game, material: &Material) -> bool {
    let has = |piece| game.piece_types().contains(&piece);
    material.pieces().all(|piece| has(piece.piece_type))
        && Index::new(game, &material.normal(game).0).is_ok()
}

/// Whether both sides have the same men.
pub(crate) fn is_even(material: &Material) -> bool {
    *material == material.swapped()
}

/// Whether a side has several kings, or can get them by promotion.
pub(crate) fn has_spare_kings(game: Game, material: &Material, side: Colour) -> bool {
    let promotes = game.all_promotions().contains(&PieceType::King);
    let count = |piece_type| material.count(Piece::new(side, piece_type));
    count(PieceType::King) > 1 || promotes && count(PieceType::Pawn) > 0
}

/// A game with another value of a rule option, all others as they are; the game itself if it
/// has no such value.
pub(crate) fn with_option(game: Game, option: &str, value: &str) -> Game {
    let id = game.id();
    let (name, given) = id.split_once(':').unwrap_or((&id, ""));
    let is_other = |part: &&str| !part.is_empty() && part.split('=').next() != Some(option);
    let mut options: Vec<String> = given
        .split(',')
        .filter(is_other)
        .map(str::to_owned)
        .collect();
    options.push(format!("{option}={value}"));
    Game::parse(&format!("{name}:{}", options.join(","))).unwrap_or(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_option_is_changed() {
        for (id, option, value, changed) in [
            ("chess99", "castling", "off", "chess99:castling=off"),
            ("chess99:castling=off", "castling", "on", "chess99"),
            (
                "chess99:castling=off,ep-by=pawn",
                "ep-by",
                "any",
                "chess99:castling=off",
            ),
            (
                "high-chess:vitality=5",
                "vital-restores",
                "both",
                "high-chess:vital-restores=both,vitality=5",
            ),
            // Without such an option, or such a value in this game.
            ("orthodox", "castling", "off", "orthodox"),
            (
                "kings:board=10x10,chancellor=on",
                "board",
                "8x8",
                "kings:board=10x10,chancellor=on",
            ),
        ] {
            let game = Game::parse(id).unwrap();
            assert_eq!(with_option(game, option, value).id(), changed);
        }
    }
}
