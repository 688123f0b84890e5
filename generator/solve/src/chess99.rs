//! What Chess 99 adds to the solver: kings that are captured (C2), pawns that wait on
//! the last rank (C5), and captures en passant by every piece (C6).
//!
//! Quiet moves, including castling and double steps, are those of
//! [`Mover`](super::moves::Mover). Captures and promotions are conversions (`convert`,
//! `promote`), and so are captures of the king (`kings`). A double step leads to a
//! placement with an e.p. right, which is a position of its own; `pushed` keeps these
//! beside the grid.

mod changes;
mod convert;
mod kings;
mod promote;
mod pushed;
mod takers;

use retrograde_index::IndexError;
use retrograde_rules::{Game, Goal, Material, PieceType};

use super::layout::Layout;
use super::words::with_word;

pub(crate) use changes::successors;
pub(crate) use convert::{Chess99BlockConversions, Chess99Conversions};
pub(crate) use pushed::{KnownPushed, NewPushed, Pushed, PushedFound};

/// Whether the tables of a successor are read while a material of so many pieces is being
/// solved, because they are too large to be held in memory: promotions lead to materials
/// with as many pieces, and leave both leaders in place.
pub fn is_read_later(game: Game, smaller: &Material, pieces: usize) -> bool {
    match game.goal() {
        Goal::KingCapture(_) => smaller.len() == pieces,
        Goal::Mate | Goal::Reach(_) | Goal::Extinction => false,
    }
}

/// See [`super::estimate_bytes`].
pub(super) fn estimate_bytes(game: Game, material: &Material) -> Result<u64, IndexError> {
    let layout = Layout::new(game, material)?;
    let words = layout.words() as u64;
    let word = with_word!(game, W => size_of::<W>()) as u64;
    // A byte per position, another per word, and planes.
    let cells = layout.squares as u64 + 1;
    let grid = |planes: u64| words * (cells + planes * word);
    let pawns = layout
        .pieces
        .iter()
        .filter(|piece| piece.piece_type == PieceType::Pawn);
    // Two sides to move; once more for each pawn that can be captured en passant.
    let solving = 2 * grid(7) + pawns.count() as u64 * grid(8);
    let mut smaller = 0;
    for exit in super::successors(game, material) {
        // Those with as many pieces are read block by block.
        if exit.len() < material.len() {
            let exit = Layout::new(game, &exit)?;
            smaller += 4 * (exit.words() * exit.squares) as u64;
        }
    }
    // What is read, packed and written grows with the grid: KBBvKN took 4 % more than counted.
    let counted = solving + smaller;
    Ok(counted + counted / 16 + (64 << 20))
}
