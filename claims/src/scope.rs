//! How far a report goes, where its tables come from, and who follows the work.

use retrograde_index::Metric;
use retrograde_rules::{Game, Material};

use crate::error::ClaimError;
use crate::need::Need;

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
    fn end(&self, _tag: &str, _verdict: crate::Verdict, _kept: bool) {}
    /// Whether to stop; asked several times a second.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Ignores everything.
impl Observer for () {}

/// How far the report goes: which games, how many men.
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

    /// The game of an id with another value of a rule option, all others as they are.
    pub(crate) fn with_option(&self, id: &str, option: &str, value: &str) -> Game {
        with_option(self.game(id), option, value)
    }

    /// All materials of a game up to the number of men of the report.
    pub(crate) fn materials(&self, game: Game) -> Vec<Material> {
        self.supply.materials(game, self.men)
    }

    /// The materials of these names, in normal form, that have so few men.
    pub(crate) fn named(&self, game: Game, names: &[&str]) -> Vec<Material> {
        let parsed = names
            .iter()
            .filter_map(|name| Material::parse(game, name).ok());
        let normal = parsed.map(|material| material.normal(game).0);
        let mut list: Vec<Material> = normal.filter(|m| m.len() <= self.men).collect();
        list.dedup();
        list
    }

    /// All tables of the games of some ids.
    pub(crate) fn all(&self, ids: &[&str]) -> Vec<Need> {
        let games: Vec<Game> = ids.iter().map(|id| self.game(id)).collect();
        self.all_of(&games)
    }

    /// All tables of some games.
    pub(crate) fn all_of(&self, games: &[Game]) -> Vec<Need> {
        let needs = games
            .iter()
            .map(|&game| Need::of(game, self.materials(game)));
        needs.collect()
    }

    /// All tables of a game, those of helpmates too if it has such.
    pub(crate) fn all_with_helpmates(&self, id: &str) -> Vec<Need> {
        let mut needs = self.all(&[id]);
        let helpmates = needs
            .first()
            .filter(|need| !Metric::on_request(need.game).is_empty());
        if let Some(need) = helpmates {
            needs.push(Need {
                metrics: Some(Metric::on_request(need.game)),
                ..need.clone()
            });
        }
        needs
    }
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
