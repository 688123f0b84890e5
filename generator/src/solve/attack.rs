//! Which positions of a row are legal, and in which the side to move is in
//! check: attacks on one square, for all positions of a row at once.

use retrograde_rules::{Colour, Kind};

use super::layout::{Layout, Role, RowAt};
use super::movement::{Between, attackers};
use super::squares::{members, rank};
use super::word::Word;

/// The positions of a row in which no two men share a square and no pawn
/// stands on a first or last rank.
#[inline(always)]
pub(crate) fn placements<W: Word>(layout: &Layout, at: &RowAt<W>) -> W::Row {
    let mut placed = W::EMPTY_ROW;
    let row = placed.as_mut();
    if at.clash {
        return placed;
    }
    let pawn_ranks = !(rank::<W>(0) | rank::<W>(W::RANKS - 1));
    let allowed = |kind: Option<Kind>| match kind {
        Some(Kind::Pawn) => W::FULL & pawn_ranks & !at.occupied,
        Some(_) => W::FULL & !at.occupied,
        // No such man: a single lane, a single bit.
        None => W::of(0),
    };
    let pawn_outside = layout
        .outer()
        .iter()
        .zip(at.outer)
        .any(|(c, square)| layout.men[c.man].kind == Kind::Pawn && !pawn_ranks.has(square));
    if pawn_outside {
        return placed;
    }
    let inner = allowed(layout.inner_man().map(|m| m.kind));
    let lanes = allowed(layout.lane_man().map(|m| m.kind));
    for (lane, word) in row[..layout.lanes].iter_mut().enumerate() {
        if lanes.has(lane) {
            *word = if layout.lanes > 1 {
                inner & !W::of(lane)
            } else {
                inner
            };
        }
    }
    placed
}

/// The positions of a row in which a man of `side` attacks the leader of the
/// other side. May include positions that do not exist.
#[inline(always)]
pub(crate) fn attacked<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
) -> W::Row {
    let mut attacked = W::EMPTY_ROW;
    let out = attacked.as_mut();
    let target = at.leaders[side.other().index()];
    let lanes = layout.lanes;

    let leader = (
        layout.leaders[side.index()],
        Role::Fixed(at.leaders[side.index()]),
    );
    let others = (0..layout.coordinates.len())
        .map(|place| (layout.coordinates[place].man, at.role(layout, place)));
    for (man, role) in std::iter::once(leader).chain(others) {
        let man = layout.men[man];
        if man.colour != side {
            continue;
        }
        match role {
            Role::Fixed(square) => {
                if attackers::<W>(man, target, at.occupied).has(square) {
                    let line = between.get(square, target);
                    for (lane, out) in out[..lanes].iter_mut().enumerate() {
                        if lanes == 1 || !line.has(lane) {
                            *out |= !line;
                        }
                    }
                }
            }
            Role::Lane => {
                for lane in members(attackers::<W>(man, target, at.occupied)) {
                    out[lane] |= !between.get(lane, target);
                }
            }
            Role::Inner => {
                for (lane, out) in out[..lanes].iter_mut().enumerate() {
                    let lane_man = if lanes > 1 { W::of(lane) } else { W::ZERO };
                    *out |= attackers(man, target, at.occupied | lane_man);
                }
            }
        }
    }
    attacked
}

/// The legal positions of a row with `side` to move, none with an e.p. right
/// (O6: the side that is not to move must not be in check).
#[inline(always)]
pub(crate) fn legal<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
) -> W::Row {
    let mut row = placements(layout, at);
    let attacked = attacked(layout, between, at, side);
    for (word, attacked) in row.as_mut().iter_mut().zip(attacked.as_ref()) {
        *word &= !*attacked;
    }
    row
}
