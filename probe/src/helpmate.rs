//! Which sides can be mated, by helpmate tables.

use retrograde_index::{Helpmate, Metric};
use retrograde_rules::Position;

use crate::error::ProbeError;
use crate::facts;
use crate::tablebase::Tablebase;

impl Tablebase {
    /// Which sides can be mated from a position by some series of legal moves of both
    /// (O5). The rules know it where the pieces alone make the position dead, and where the game
    /// has ended; else this reads tables of [`Metric::Helpmate`] alone, with an e.p. right (O2)
    /// also those of the materials that a capture en passant leads to. `None` where no table
    /// tells: there is none of the material, the game has none at all, or there are castling
    /// rights (O1).
    ///
    /// # Errors
    /// The position is of another game; a table is damaged, or is not what its name says.
    pub fn helpmate(&self, position: &Position) -> Result<Option<Helpmate>, ProbeError> {
        self.expect_game(position)?;
        let by_rules = facts::helpmate(position);
        if by_rules.is_some() || !position.castling().is_empty() {
            return Ok(by_rules);
        }
        if position.ep().is_none() {
            return self.stored_helpmate(position);
        }
        // The table has the placement without the right.
        if !self.has_helpmates(position) {
            return Ok(None);
        }
        let mut found = Helpmate::DEAD;
        for &mv in &position.legal_moves() {
            // A move may give the other side such a right.
            match self.helpmate(&position.play(mv))? {
                Some(helpmate) => found = found.or(helpmate),
                None => return Ok(None),
            }
        }
        Ok(Some(found))
    }

    fn has_helpmates(&self, position: &Position) -> bool {
        let entry = self.store.entry(&position.material());
        entry.is_some_and(|entry| self.store.table(entry, Metric::Helpmate).is_some())
    }

    /// What the table has for a position; an e.p. right is ignored.
    fn stored_helpmate(&self, position: &Position) -> Result<Option<Helpmate>, ProbeError> {
        if !self.has_helpmates(position) {
            return Ok(None);
        }
        let material = position.material();
        let (value, ..) = self.entry(position, &material, Metric::Helpmate)?;
        let helpmate = Helpmate::from_value(value);
        let is_swapped = self.store.entry(&material).is_some_and(|e| e.swapped);
        Ok(Some(match is_swapped {
            true => helpmate.swapped(),
            false => helpmate,
        }))
    }
}
