//! Which side to move a table keeps, if one is enough.

use retrograde_index::Metric;
use retrograde_rules::{Colour, Game, Material};

use super::plan::{Ground, TablePlan};
use crate::error::ProbeError;
use crate::format::{Sides, Table};
use crate::reached::turns_after_move;

/// From how many bytes on that one side takes it is left out. Tables of other materials
/// rely on both sides of small DTM tables.
pub(super) fn worth_a_search(plan: &TablePlan) -> u64 {
    match plan.metric {
        Metric::Dtm if !plan.material().is_symmetric(plan.game) => 16 << 10,
        _ => 1 << 10,
    }
}

/// Up to how many pieces a DTM table of as many on either side keeps both sides to move.
///
/// A table with one piece more rests on such tables, with either side to move in them according
/// to which piece was captured, and would have to keep both sides itself: 40 of the 110
/// endings of five men of orthodox chess had to, the largest among them.
const MOST_EVEN: usize = 4;

impl TablePlan {
    /// Whether a side to move may be left out that follows from the values of successors.
    pub fn may_ask_successors(&self) -> bool {
        let material = self.material();
        let pieces = |colour| material.pieces().filter(|p| p.colour == colour).count();
        let is_even = pieces(Colour::White) == pieces(Colour::Black);
        !material.is_symmetric(self.game)
            && match self.metric {
                Metric::Dtz => true,
                Metric::Dtm => !is_even || material.len() > MOST_EVEN,
                _ => false,
            }
    }
}

/// The sides that may be stored alone, the values of the other being those with colours
/// swapped, or found by one ply of search, or by two after a double step that may be captured
/// en passant.
pub(super) fn may_stand_alone(plan: &TablePlan) -> Result<Vec<Colour>, ProbeError> {
    let (Some(ground), Sides::Both) = (&plan.ground, plan.sides) else {
        return Ok(Vec::new());
    };
    match plan.metric {
        _ if plan.material().is_symmetric(plan.game) => Ok(Colour::BOTH.to_vec()),
        _ if !plan.may_ask_successors() => Ok(Vec::new()),
        // A move that leaves the material is a zeroing one, and takes a WDL table only.
        Metric::Dtz => Ok(Colour::BOTH.to_vec()),
        Metric::Dtm => {
            let mut found = Vec::new();
            for stored in Colour::BOTH {
                if successors_have(plan.game, plan.material(), ground, stored)? {
                    found.push(stored);
                }
            }
            Ok(found)
        }
        _ => Ok(Vec::new()),
    }
}

/// Whether a small table that stores both sides to move would have only one if it were packed
/// again as planned.
///
/// Packing goes by an estimate of what a side takes. Only what is twice as much as would do
/// counts here, or a table might be packed again each time with the same outcome.
///
/// # Errors
/// A table that it rests on cannot be read.
pub fn would_leave_out_a_side(plan: &TablePlan, table: &Table) -> Result<bool, ProbeError> {
    let enough = may_stand_alone(plan)?;
    let bytes = |turn| table.section(turn).map_or(0, |s| table.section_bytes(s));
    let kept = enough.into_iter().min_by_key(|&turn| bytes(turn));
    Ok(kept.is_some_and(|kept| bytes(kept.other()) >= 2 * worth_a_search(plan)))
}

/// Whether the DTM tables of all successors have the values that the other side than
/// `stored` asks for.
fn successors_have(
    game: Game,
    material: &Material,
    ground: &Ground,
    stored: Colour,
) -> Result<bool, ProbeError> {
    let needs_of = |metric| {
        ground
            .needs
            .iter()
            .filter(move |need| need.metric == metric)
    };
    for need in needs_of(Metric::Wdl).filter(|need| need.material != *material) {
        if !needs_of(Metric::Dtm).any(|other| other.material == need.material) {
            return Ok(false);
        }
        let Some(table) = ground.tables.table(&need.material, Metric::Dtm)? else {
            return Ok(false);
        };
        let sides = table.header().sides();
        let after = |mover| turns_after_move(game, material, &need.material, mover);
        let mut turns = after(stored.other());
        if turns.is_empty() && after(stored).is_empty() {
            // Reached in some other way.
            turns = Colour::BOTH.to_vec();
        }
        let has = |turn| sides.has(turn) || need.material.is_symmetric(game);
        if !turns.into_iter().all(has) {
            return Ok(false);
        }
    }
    Ok(true)
}
