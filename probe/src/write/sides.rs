//! Which side to move a table keeps, if one is enough.

use retrograde_index::Metric;
use retrograde_rules::{Colour, Game, Material, PieceType};

use super::plan::{Ground, TablePlan};
use crate::error::ProbeError;
use crate::format::Sides;

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

/// The sides that may be stored alone, the values of the other being those with colours
/// swapped, or found by one ply of search, or by two after a double step that may be captured
/// en passant.
pub(super) fn may_stand_alone(plan: &TablePlan) -> Result<Vec<Colour>, ProbeError> {
    let (Some(ground), Sides::Both) = (&plan.ground, plan.sides) else {
        return Ok(Vec::new());
    };
    let material = plan.material();
    let pieces =
        Colour::BOTH.map(|colour| material.pieces().filter(|p| p.colour == colour).count());
    match plan.metric {
        _ if material.is_symmetric(plan.game) => Ok(Colour::BOTH.to_vec()),
        Metric::Dtm if pieces[0] == pieces[1] && material.len() <= MOST_EVEN => Ok(Vec::new()),
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

/// Whether the DTM tables of all successors have the values that the other side than
/// `stored` asks for.
fn successors_have(
    game: Game,
    material: &Material,
    ground: &Ground,
    stored: Colour,
) -> Result<bool, ProbeError> {
    let [by_stored, by_other] =
        [stored, stored.other()].map(|mover| reached(game, material, mover));
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
        let mut turns: Vec<Colour> = by_other
            .iter()
            .filter(|(normal, _)| *normal == need.material)
            .map(|&(_, swapped)| if swapped { stored.other() } else { stored })
            .collect();
        let is_listed = by_stored.iter().any(|(normal, _)| *normal == need.material);
        if turns.is_empty() && !is_listed {
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

/// The materials that a side may reach by a capture, a promotion, or both, in normal
/// form, and whether the colours are swapped in it; some that it may not reach as well.
fn reached(game: Game, material: &Material, mover: Colour) -> Vec<(Material, bool)> {
    let mut after_capture = vec![*material];
    for piece in material.pieces().filter(|piece| piece.colour != mover) {
        after_capture.extend(material.without(piece));
    }
    let mut all = after_capture.clone();
    for material in &after_capture {
        let pawn = material
            .pieces()
            .find(|piece| piece.colour == mover && piece.piece_type == PieceType::Pawn);
        let Some(pawn) = pawn else { continue };
        for &piece_type in game.piece_types() {
            let mut promoted = pawn;
            promoted.piece_type = piece_type;
            if let Some(mut after) = material.without(pawn) {
                after.add(promoted);
                all.push(after);
            }
        }
    }
    all.iter().map(|material| material.normal(game)).collect()
}
