//! What the settling moves of all positions of a material are worth.

use std::sync::OnceLock;

use retrograde_index::{Index, Wdl};
#[cfg(feature = "keep")]
use retrograde_rules::PieceType;
use retrograde_rules::{Colour, Piece};

use crate::format::header::rank;

/// What is known of the settling moves of a material, by indices. A column has a
/// number for each index.
pub(crate) struct Settled {
    /// The order of the groups of the index.
    order: Vec<Piece>,
    has_pawns: bool,
    /// For each side to move: the best settling value, or [`Settled::NO_POSITION`].
    best: [Vec<u8>; 2],
    /// For each side to move: the best value of a pawn move that does not settle
    /// anything, of positions that are won though no settling move keeps the win. It takes
    /// the WDL table of the material.
    pawns: OnceLock<[Vec<u8>; 2]>,
}

/// A value as a number; 0 for none.
#[cfg_attr(not(feature = "keep"), allow(dead_code, reason = "for those who keep"))]
pub(crate) fn number(value: Option<Wdl>) -> u8 {
    value.map_or(0, |value| rank(value) + 1)
}

#[inline]
fn value(number: u8) -> Option<Wdl> {
    /// By number, so that this takes no search.
    const VALUES: [Option<Wdl>; 8] = {
        let mut values = [None; 8];
        let mut best = 0;
        while best < Wdl::ALL.len() {
            values[Wdl::ALL.len() - best] = Some(Wdl::ALL[best]);
            best += 1;
        }
        values
    };
    VALUES.get(usize::from(number)).copied().flatten()
}

impl Settled {
    /// From columns of numbers, made by [`number`], or [`Settled::NO_POSITION`].
    #[cfg(feature = "keep")]
    pub(crate) fn new(index: &Index, best: [Vec<u8>; 2]) -> Settled {
        let pieces = index.material().pieces();
        Settled {
            order: index.order().collect(),
            has_pawns: pieces.into_iter().any(|p| p.piece_type == PieceType::Pawn),
            best,
            pawns: OnceLock::new(),
        }
    }

    /// The best pawn moves, worked out by `make` when they are first asked for.
    ///
    /// # Errors
    /// That of `make`.
    #[cfg(feature = "keep")]
    pub(crate) fn add_pawns<E>(
        &self,
        make: impl FnOnce() -> Result<[Vec<u8>; 2], E>,
    ) -> Result<(), E> {
        if self.has_pawns && self.pawns.get().is_none() {
            // Another thread may have been faster; its values are the same.
            let _ = self.pawns.set(make()?);
        }
        Ok(())
    }

    /// A number for an index that stands for no position.
    pub(crate) const NO_POSITION: u8 = u8::MAX;

    /// Whether its indices are those of an index of the material.
    pub(crate) fn fits(&self, index: &Index) -> bool {
        index.order().eq(self.order.iter().copied())
    }

    /// The best settling value of an index, if it stands for a position.
    #[inline]
    pub(crate) fn best(&self, turn: Colour, index: u64) -> Option<Option<Wdl>> {
        let number = *self.best[turn.index()].get(index as usize)?;
        (number != Settled::NO_POSITION).then(|| value(number))
    }

    /// The value of the best pawn move that does not settle anything, if that is
    /// known, for a position that is won though no settling move keeps the win.
    #[inline]
    pub(crate) fn best_pawn_move(&self, turn: Colour, index: u64) -> Option<Option<Wdl>> {
        if !self.has_pawns {
            return Some(None);
        }
        let pawns = self.pawns.get()?;
        let number = *pawns[turn.index()].get(index as usize)?;
        Some(value(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_values() {
        assert_eq!(value(number(None)), None);
        for wdl in Wdl::ALL {
            assert_eq!(value(number(Some(wdl))), Some(wdl));
        }
    }
}
