//! Object of royal pieces: where they are, of each side.

use retrograde_rules::{Game, SquareSet};
use serde::Serialize;

/// The squares of royal pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RoyalObject {
    /// White's.
    pub white: Vec<String>,
    /// Black's.
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
