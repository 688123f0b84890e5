//! Which moves of the other pieces keep one royal piece out of attack.

use crate::powers::Powers;
use crate::reach::Reach;
use crate::square::{Square, SquareSet};

/// What the side to move must mind because its piece on `royal` may not be
/// attacked after the move. It holds for moves of other pieces that capture only
/// where they arrive: en passant is tested apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    royal: Square,
    /// Where another piece may go: everywhere, or into the line of the one
    /// attacker, or nowhere.
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
