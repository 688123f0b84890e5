//! Finds a random position of a material, with a given side to move and category.

use retrograde_probe::{ProbeError, Tablebase, Wdl};
use retrograde_rules::{Colour, Material, Piece, Position, Square};

/// The number of placements that are tried: enough for a category that one position in ten thousand
/// has.
const TRIES: u32 = 100_000;

/// The wishes for a random position.
pub(crate) struct Wish {
    /// The material, each side with its own pieces.
    pub(crate) material: Material,
    /// The side to move; `None` for either.
    pub(crate) turn: Option<Colour>,
    /// The category for the side to move; `None` for any.
    pub(crate) wdl: Option<Wdl>,
}

/// A position as wished for: all of them are equally likely. `None` if none was found among
/// many.
///
/// # Errors
/// A table is missing or damaged, if a category is wished for.
pub(crate) fn random(
    tables: &Tablebase,
    wish: &Wish,
    rng: &mut fastrand::Rng,
) -> Result<Option<Position>, ProbeError> {
    let game = tables.game();
    let pieces: Vec<Piece> = wish.material.pieces().collect();
    let mut squares: Vec<Square> = game.geometry().all().collect();
    for _ in 0..TRIES {
        let turn = wish.turn.unwrap_or_else(|| match rng.bool() {
            true => Colour::White,
            false => Colour::Black,
        });
        let len = squares.len();
        for place in 0..pieces.len().min(len) {
            squares.swap(place, rng.usize(place..len));
        }
        let placed = pieces.iter().copied().zip(squares.iter().copied());
        let Some(position) = Position::from_pieces(game, placed, turn) else {
            continue;
        };
        match wish.wdl {
            Some(wdl) if tables.wdl(&position)? != wdl => {}
            _ => return Ok(Some(position)),
        }
    }
    Ok(None)
}
