//! From what a file stores to the value of a position, where a table does not
//! store what another knows: `docs/FORMAT.md` says what that is.
//!
//! A *settling move* is a capture or a promotion: it leaves the material, so
//! smaller tables know its value.

use std::borrow::Cow;
use std::sync::Arc;

use retrograde_index::{Metric, score};
use retrograde_rules::{Colour, Material, PieceType, Position, Square};

use crate::Wdl;
use crate::error::{ProbeError, TableFault};
use crate::format::header::rank;
use crate::format::{Need, Table};
use crate::known::Known;
use crate::tablebase::Tablebase;
use crate::value::Value;

/// The distance of a draw, of which nothing is stored.
#[inline]
pub(crate) fn drawn(metric: Metric, result: Wdl) -> Option<i16> {
    match (metric, result) {
        (Metric::Dtm, Wdl::Draw) => Some(score::DRAW),
        (Metric::Dtz, Wdl::Draw) => Some(0),
        _ => None,
    }
}

/// What is known of a value before the table is asked.
pub(crate) enum Before {
    /// All of it.
    Value(i16),
    /// The context to ask with, if the section asks for one.
    Asks(u8),
}

impl Tablebase {
    /// The value of an index in a table, given its squares, for the position that it stands for.
    pub(crate) fn resolve(
        &self,
        position: &Position,
        material: &Material,
        (table, turn, (index, squares)): (&Table, Colour, (u64, &[Square])),
        known: &mut Known,
    ) -> Result<i16, ProbeError> {
        let place = (table, turn, index);
        match self.before(|| Cow::Borrowed(position), material, place, known)? {
            Before::Value(value) => Ok(value),
            Before::Asks(context) => {
                let squares = squares.iter().map(|square| square.0);
                let value = table
                    .get_with(turn, index, squares, context)
                    .map_err(|error| self.table_error(&table.header().material, error.into()))?;
                known.note(table.header().metric, value);
                Ok(value)
            }
        }
    }

    /// All that is to be found out before a table is asked.
    pub(crate) fn before<'p>(
        &self,
        position: impl FnOnce() -> Cow<'p, Position>,
        material: &Material,
        (table, turn, index): (&Table, Colour, u64),
        known: &mut Known,
    ) -> Result<Before, ProbeError> {
        let metric = table.header().metric;
        if let Some(value) = table.in_memory(turn).and_then(|side| side.get(index)) {
            known.note(metric, value);
            return Ok(Before::Value(value));
        }
        let Some(section) = table.header().section(turn) else {
            let place = (table, turn);
            let value = self.value_from_successors(&position(), material, place, known, None);
            return value.map(Before::Value);
        };
        if !section.asks_result {
            return Ok(Before::Asks(0));
        }
        self.check_own_needs(table)?;
        let result = match known.result {
            Some(result) => result,
            None => self.known_result(&position(), material, known)?,
        };
        Ok(match drawn(metric, result) {
            Some(value) => Before::Value(value),
            None => Before::Asks(rank(result)),
        })
    }

    /// Whether a zeroing move keeps a win: first a conversion is looked for, then any other
    /// pawn move. A position has no e.p. right here.
    pub(crate) fn wins_by_zeroing(
        &self,
        position: &Position,
        win: Wdl,
    ) -> Result<bool, ProbeError> {
        let keeps = |mv| Ok(self.result(&position.play(mv))?.reversed() == win);
        if position.may_capture_or_promote() {
            for &mv in &position.captures_and_promotions() {
                if keeps(mv)? {
                    return Ok(true);
                }
            }
        }
        if !has_pawn(position) {
            return Ok(false);
        }
        for &mv in &position.legal_moves() {
            let is_other = mv.captured.is_none() && mv.promotion.is_none();
            if is_other && mv.is_zeroing() && keeps(mv)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Who wins, by the WDL table.
    pub(crate) fn known_result(
        &self,
        position: &Position,
        material: &Material,
        known: &mut Known,
    ) -> Result<Wdl, ProbeError> {
        if let Some(result) = known.result {
            return Ok(result);
        }
        let (value, ..) = self.entry_known(position, material, Metric::Wdl, known)?;
        let result = Wdl::from_value(value);
        known.result = Some(result);
        Ok(result)
    }

    /// Who wins in any position without castling rights, the half-move clock
    /// being 0.
    pub(crate) fn result(&self, position: &Position) -> Result<Wdl, ProbeError> {
        if position.ep().is_some() {
            return Ok(self.value_of(position)?.wdl);
        }
        let material = position.material();
        if let Some(value) = self.value_by_rules(position, &material) {
            return Ok(value.wdl);
        }
        self.known_result(position, &material, &mut Known::default())
    }

    /// What the rules know of a position of a material without e.p. right.
    pub(crate) fn value_by_rules(&self, position: &Position, material: &Material) -> Option<Value> {
        if let Some(end) = position.finished() {
            return Some(self.ended(end, position.turn()));
        }
        let bare = self.game().needs_no_table(material);
        bare.then(|| self.value_without_table(position))
    }

    /// Whether a table can be used, if it is there: it is what its name says, and all that its
    /// values rest on is there and has the values that it was packed with. Blocks are not
    /// read.
    ///
    /// # Errors
    /// [`ProbeError::Table`] and [`ProbeError::Missing`].
    pub fn check_usable(&self, material: &Material, metric: Metric) -> Result<(), ProbeError> {
        let mut left = vec![(*material, metric)];
        let mut seen = Vec::new();
        while let Some((material, metric)) = left.pop() {
            if seen.contains(&(material, metric)) {
                continue;
            }
            seen.push((material, metric));
            if let Some(table) = self.table(&material, metric)? {
                self.check_needs(table)?;
                let needs = &table.header().needs;
                left.extend(needs.iter().map(|need| (need.material, need.metric)));
            }
        }
        Ok(())
    }

    /// That the tables which another rests on are there, and are those that it
    /// was packed with; looked at once.
    pub(crate) fn check_needs(&self, table: &Table) -> Result<(), ProbeError> {
        let check = || {
            let needs = &table.header().needs;
            needs
                .iter()
                .try_for_each(|need| self.check_need(table, need))
        };
        table.needs_checked.all.get_or_init(check).clone()
    }

    /// The same for those that the sides to move rest on which a table has: that of its own
    /// material.
    pub(crate) fn check_own_needs(&self, table: &Table) -> Result<(), ProbeError> {
        let check = || {
            let header = table.header();
            let mut own = header.needs.iter();
            own.try_for_each(|need| match need.material == header.material {
                true => self.check_need(table, need),
                false => Ok(()),
            })
        };
        table.needs_checked.own.get_or_init(check).clone()
    }

    fn check_need(&self, table: &Table, need: &Need) -> Result<(), ProbeError> {
        let found = self.table(&need.material, need.metric)?;
        let Some(found) = found else {
            return Err(self.missing(&need.material, Some(need.metric)));
        };
        if found.header().digest == Some(need.digest) {
            return Ok(());
        }
        let fault = TableFault::Need {
            needed: need.file_name(self.game()),
            remade: found.header().digest.is_some(),
        };
        Err(self.table_error(&table.header().material, Arc::new(fault.at(table.path()))))
    }
}

/// Whether the side to move has a pawn.
fn has_pawn(position: &Position) -> bool {
    let board = position.board();
    !(board.by(position.turn()) & board.piece_type(PieceType::Pawn)).is_empty()
}
