//! Which moves of the other men keep one royal man out of attack.

use crate::powers::Powers;
use crate::reach::Reach;
use crate::square::{Square, SquareSet};

/// What the side to move must mind because its man on `royal` may not be
/// attacked after the move. It holds for moves of other men that capture only
/// where they arrive: en passant is tested apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    royal: Square,
    /// Where another man may go: everywhere, or into the line of the one
    /// attacker, or nowhere.
    allowed: SquareSet,
    /// Men that must stay on their line to `royal`.
    pinned: SquareSet,
}

impl Guard {
    /// The guard of a royal man of the side whose men stand on `own`, against
    /// the men of `enemy`; `attacked` tells whether it is attacked.
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

    /// Where the man on `from` may go as far as the royal man is concerned.
    #[inline]
    pub(crate) fn allowed(&self, reach: &Reach, from: Square) -> SquareSet {
        if self.pinned.contains(from) {
            self.allowed & reach.line(self.royal, from)
        } else {
            self.allowed
        }
    }
}
