//! Finds the positions of a row in which a capture blows up certain neighbours (M1).

use super::super::conversion_kinds::Blast;
use super::super::layout::{Layout, Role, RowAt};
use super::super::squares::neighbours;
use super::super::word::Word;

/// Keeps those of some positions of a row in which the pieces of a blast stand beside its centre,
/// and those outside do not.
#[inline(never)]
pub(super) fn keep_blast<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    centre: Role,
    blast: Blast,
    mask: &mut [W],
) {
    let mask = &mut mask[..layout.lanes];
    for (set, is_inside) in [(blast.inside, true), (blast.outside, false)] {
        for place in Blast::places(set) {
            let role = layout.role(at, place);
            for (lane, mask) in mask.iter_mut().enumerate() {
                let beside = where_beside(at, role, centre, lane);
                *mask &= if is_inside { beside } else { !beside };
            }
        }
    }
}

/// The positions of a lane in which two pieces stand beside each other.
#[inline(always)]
fn where_beside<W: Word>(at: &RowAt<W>, a: Role, b: Role, lane: usize) -> W {
    let around = |square| neighbours::<W>(at.board, square);
    let all = |has: bool| if has { W::ALL } else { W::ZERO };
    match (a, b) {
        (Role::Fixed(a), Role::Fixed(b)) => all(around(a).has(b)),
        (Role::Fixed(square), Role::Lane) | (Role::Lane, Role::Fixed(square)) => {
            all(around(square).has(lane))
        }
        (Role::Fixed(square), Role::Inner) | (Role::Inner, Role::Fixed(square)) => around(square),
        (Role::Lane, Role::Inner) | (Role::Inner, Role::Lane) => around(lane),
        // No two pieces share a role.
        (Role::Lane, Role::Lane) | (Role::Inner, Role::Inner) => W::ZERO,
    }
}
