//! Describes where the royal pieces of each side are, as an object for other programs.

use retrograde_rules::{Game, SquareSet};
use serde::Serialize;

/// The squares of royal pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoyalObject {
    /// The squares of White's royal pieces.
    pub white: Vec<String>,
    /// The squares of Black's royal pieces.
    pub black: Vec<String>,
}

/// The object of the royal pieces of White and of Black.
pub(super) fn royal(game: Game, [white, black]: [SquareSet; 2]) -> RoyalObject {
    RoyalObject {
        white: names(game, white),
        black: names(game, black),
    }
}

/// The names of squares.
fn names(game: Game, squares: SquareSet) -> Vec<String> {
    let name = |square| game.geometry().name(square);
    squares.into_iter().map(name).collect()
}
