//! Which moves of the other pieces leave one royal piece unattacked.

use crate::powers::Powers;
use crate::reach::Reach;
use crate::square::{Square, SquareSet};

/// The restrictions on the side to move because its piece on `royal` may not be attacked
/// after the move. They hold for moves of other pieces that capture where they arrive;
/// en passant is tested separately. Against pieces with moves beyond the common ones there is
/// no guard: such a piece may attack along a line without passing the squares between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    royal: Square,
    /// Where other pieces may go: everywhere, onto the line of the one attacker, or
    /// nowhere.
    allowed: SquareSet,
    /// Pieces that must stay on their line to `royal`.
    pinned: SquareSet,
}

impl Guard {
    /// The guard of a royal piece of the side whose pieces stand on `own`, against
    /// the pieces of `enemy`; `attacked` tells whether it is attacked.
    #[inline]
    pub(crate) fn new(
        reach: &Reach,
        royal: Square,
        attacked: bool,
        own: SquareSet,
        enemy: &Powers,
        occupied: SquareSet,
    ) -> Guard {
        let mut allowed = !SquareSet::EMPTY;
        if attacked {
            let attackers = enemy.attackers(reach, royal, occupied);
            allowed = match (attackers.first(), attackers.len()) {
                (Some(only), 1) => reach.between(royal, only) | attackers,
                _ => SquareSet::EMPTY,
            };
        }
        let mut pinned = SquareSet::EMPTY;
        for slider in enemy.aimed(reach, royal) {
            let shield = reach.between(royal, slider) & occupied;
            if shield.len() == 1 {
                pinned |= shield & own;
            }
        }
        Guard {
            royal,
            allowed,
            pinned,
        }
    }

    /// Where the piece on `from` may go as far as the royal piece is concerned.
    #[inline]
    pub(crate) fn allowed(&self, reach: &Reach, from: Square) -> SquareSet {
        if self.pinned.contains(from) {
            self.allowed & reach.line(self.royal, from)
        } else {
            self.allowed
        }
    }
}
