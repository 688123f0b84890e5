//! How the pieces of a side attack, whatever they are called: the common basis of all
//! games.

use crate::piece::Colour;
use crate::reach::Reach;
use crate::square::{Square, SquareSet};

/// The pieces of one side, sorted by how they move. A piece may be in several sets: a
/// queen slides both ways, a paladin slides diagonally and leaps. A game derives them
/// from the board, so the powers of a piece may depend on where it stands and on the
/// other pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Powers {
    /// Whose pieces these are; it gives pawns their direction.
    pub(crate) colour: Colour,
    /// Pieces that step like a king.
    pub(crate) king: SquareSet,
    /// Pieces that leap like a knight.
    pub(crate) knight: SquareSet,
    /// Pieces that slide diagonally.
    pub(crate) diagonal: SquareSet,
    /// Pieces that slide along files and ranks.
    pub(crate) straight: SquareSet,
    /// Pieces that capture like a pawn.
    pub(crate) pawn: SquareSet,
}

impl Powers {
    /// The same pieces without some of them.
    pub(crate) fn without(&self, gone: SquareSet) -> Powers {
        Powers {
            colour: self.colour,
            king: self.king - gone,
            knight: self.knight - gone,
            diagonal: self.diagonal - gone,
            straight: self.straight - gone,
            pawn: self.pawn - gone,
        }
    }

    /// The squares that a piece other than a pawn reaches, including own pieces.
    #[inline]
    pub(crate) fn targets(&self, reach: &Reach, from: Square, occupied: SquareSet) -> SquareSet {
        let mut steps = SquareSet::EMPTY;
        let mut lines = SquareSet::EMPTY;
        if self.king.contains(from) {
            steps |= reach.king(from);
        }
        if self.knight.contains(from) {
            steps |= reach.knight(from);
        }
        if self.diagonal.contains(from) {
            lines |= reach.diagonals(from);
        }
        if self.straight.contains(from) {
            lines |= reach.straights(from);
        }
        steps | reach.slide(from, lines, occupied)
    }

    /// All squares on which these pieces could capture.
    #[inline]
    pub(crate) fn attacked(&self, reach: &Reach, occupied: SquareSet) -> SquareSet {
        let mut attacked = SquareSet::EMPTY;
        for from in self.king {
            attacked |= reach.king(from);
        }
        for from in self.knight {
            attacked |= reach.knight(from);
        }
        for from in self.pawn {
            attacked |= reach.pawn_takes(self.colour, from);
        }
        for from in self.diagonal {
            attacked |= reach.slide(from, reach.diagonals(from), occupied);
        }
        for from in self.straight {
            attacked |= reach.slide(from, reach.straights(from), occupied);
        }
        attacked
    }

    /// The sliders that would attack `target` on an empty board.
    #[inline]
    pub(crate) fn aimed(&self, reach: &Reach, target: Square) -> SquareSet {
        (reach.diagonals(target) & self.diagonal) | (reach.straights(target) & self.straight)
    }

    /// The pieces that attack `target`.
    // Dominates the cost of setting up a position, and is too large for the compiler to
    // inline by itself when several games call it.
    #[inline(always)]
    pub(crate) fn attackers(
        &self,
        reach: &Reach,
        target: Square,
        occupied: SquareSet,
    ) -> SquareSet {
        let mut attackers = (reach.king(target) & self.king)
            | (reach.knight(target) & self.knight)
            | (reach.pawn_takes(self.colour.other(), target) & self.pawn);
        for slider in self.aimed(reach, target) {
            if (reach.between(target, slider) & occupied).is_empty() {
                attackers.insert(slider);
            }
        }
        attackers
    }
}
