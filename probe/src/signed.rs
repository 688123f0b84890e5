//! Distances as signed numbers, as users of other tablebases know them.

use retrograde_rules::Position;

use crate::Wdl;
use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::value::{Dtm, Dtz, Value};

/// What Syzygy's tables add to the distances of cursed results, which they take to be
/// above 100 in every game.
const CURSED: i32 = 100;

impl Dtm {
    /// The plies, negative for losses.
    #[inline]
    pub fn signed(self, wdl: Wdl) -> i32 {
        let plies = i32::try_from(self.0).unwrap_or(i32::MAX);
        plies * i32::from(wdl.number().signum())
    }
}

impl Dtz {
    /// The plies, negative for losses, beyond 100 for cursed results; 1 or -1 where
    /// there are none, so that the sign is there. So Syzygy's tables have it (O4).
    #[inline]
    pub fn signed(self, wdl: Wdl) -> i32 {
        let plies = i32::try_from(self.0).unwrap_or(i32::MAX).max(1);
        let plies = match wdl.is_cursed() && plies <= CURSED {
            true => plies + CURSED,
            false => plies,
        };
        plies * i32::from(wdl.number().signum())
    }
}

impl Value {
    /// [`Value::dtm`] as [`Dtm::signed`] has it, 0 for a draw; `None` where it is not known.
    #[inline]
    pub fn signed_dtm(self) -> Option<i32> {
        match self.wdl {
            Wdl::Draw => Some(0),
            wdl => Some(self.dtm?.signed(wdl)),
        }
    }

    /// [`Value::dtz`] as [`Dtz::signed`] has it, 0 for a draw; `None` where it is not known.
    #[inline]
    pub fn signed_dtz(self) -> Option<i32> {
        match self.wdl {
            Wdl::Draw => Some(0),
            wdl => Some(self.dtz?.signed(wdl)),
        }
    }
}

impl Tablebase {
    /// [`Tablebase::dtz`] as a signed number: see [`Dtz::signed`]; 0 for a draw. Whether
    /// the result is cursed is that at the position's half-move clock.
    ///
    /// # Errors
    /// As [`Tablebase::dtz`].
    pub fn signed_dtz(&self, position: &Position) -> Result<i32, ProbeError> {
        Ok(match self.dtz(position)? {
            None => 0,
            Some(dtz) => dtz.signed(self.wdl(position)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_the_fifty_move_rule() {
        assert_eq!(Dtm(17).signed(Wdl::Win), 17);
        assert_eq!(Dtm(17).signed(Wdl::Loss), -17);
        assert_eq!(Dtm(0).signed(Wdl::Loss), 0);
        assert_eq!(Dtz(0).signed(Wdl::Loss), -1);
        assert_eq!(Dtz(100).signed(Wdl::Win), 100);
        assert_eq!(Dtz(5).signed(Wdl::CursedWin), 105);
        assert_eq!(Dtz(101).signed(Wdl::BlessedLoss), -101);
        assert_eq!(Dtz(u32::MAX).signed(Wdl::BlessedLoss), -i32::MAX);
        let signed = |value: Value| (value.signed_dtm(), value.signed_dtz());
        let value = Value {
            wdl: Wdl::BlessedLoss,
            dtm: Some(Dtm(110)),
            dtz: Some(Dtz(5)),
        };
        assert_eq!(signed(value), (Some(-110), Some(-105)));
        assert_eq!(signed(Value::DRAW), (Some(0), Some(0)));
        assert_eq!(signed(Value::without_distances(Wdl::Win)), (None, None));
    }
}
