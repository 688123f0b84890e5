//! The tables that a claim takes.

use retrograde_index::Metric;
use retrograde_rules::{Game, Material};

/// Tables of a game that a claim takes, with all that these need in turn.
#[derive(Clone, Debug)]
pub struct Need {
    /// The game.
    pub game: Game,
    /// The materials in normal form.
    pub materials: Vec<Material>,
    /// The metrics, if these are others than those [made by default](Metric::of).
    pub metrics: Option<&'static [Metric]>,
}

impl Need {
    /// The tables of these materials in the metrics made by default.
    pub(crate) fn of(game: Game, materials: Vec<Material>) -> Need {
        Need {
            game,
            materials,
            metrics: None,
        }
    }

    /// The metrics.
    pub(crate) fn metrics(&self) -> &'static [Metric] {
        self.metrics.unwrap_or(Metric::of(self.game))
    }
}
