//! Finds the positions of a row that are legal, and those in which the side to move is in check.
//!
//! It looks for attacks on royal pieces, for all positions of a row at once.

use retrograde_rules::{Colour, Piece, PieceType};

use super::goal::keep_away;
use super::layout::{Coordinate, Layout, Role, RowAt};
use super::movement::Between;
use super::royal::royal;
use super::royals::Royals;
use super::sight::Sight;
use super::squares::neighbours;
use super::vector::{Work, vectorized};
use super::word::Word;

/// The positions of a row in which no two pieces share a square and every pawn
/// stands where pawns may.
#[inline(always)]
pub(crate) fn placements<W: Word>(layout: &Layout, at: &RowAt<W>) -> W::Row {
    let mut placed = W::EMPTY_ROW;
    let row = placed.as_mut();
    if at.clash {
        return placed;
    }
    let allowed = |piece: Option<Piece>| match piece {
        Some(piece) => layout.squares_of::<W>(piece) & !at.occupied,
        // No such piece: a single lane, a single bit.
        None => W::of(0),
    };
    let outside = |(c, square): (&Coordinate, usize)| {
        let piece = layout.pieces[c.piece];
        piece.piece_type == PieceType::Pawn && !layout.squares_of::<W>(piece).has(square)
    };
    if layout.outer().iter().zip(at.outer).any(outside) {
        return placed;
    }
    if layout.moves.pawn_squares.is_some() && layout.is_led() {
        let mut leaders = layout.leaders.into_iter().zip(at.leaders);
        if leaders.any(|(piece, square)| !layout.may_stand(layout.pieces[piece], square)) {
            return placed;
        }
    }
    let inner = allowed(layout.inner_piece());
    let lanes = allowed(layout.lane_piece());
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

/// The positions of a row in which a piece of `side` attacks a royal piece of the
/// other side. May include positions that do not exist.
#[inline(always)]
pub(crate) fn attacked<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
) -> W::Row {
    match layout.royals {
        Royals::Leaders => leader_attacked(layout, between, at, side),
        _ => royals_attacked(layout, between, at, side),
    }
}

/// The positions of a row in which `side` attacks a royal piece of the other side, for any royal
/// pieces, of which there may be several.
fn royals_attacked<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
) -> W::Row {
    let mut attacked = W::EMPTY_ROW;
    let lanes = layout.lanes;
    let sight = Sight::new(layout, between, at);
    for &target in layout.royal_candidates(side.other()) {
        let mut hits = W::EMPTY_ROW;
        for (place, &piece) in layout.pieces.iter().enumerate() {
            if piece.colour != side {
                continue;
            }
            let (from, to) = (layout.role(at, place), layout.role(at, target));
            sight.add_attacks(layout, piece, (from, to), hits.as_mut());
            if let Some(piece_type) = layout.royals.spare(place) {
                let mut seen = W::EMPTY_ROW;
                let spare = Piece::new(side, piece_type);
                sight.add(spare, (from, W::ALL), (to, W::ALL), seen.as_mut());
                let royal = royal(layout, at, place);
                let seen = seen.as_ref().iter().zip(royal.as_ref());
                for (hits, (seen, royal)) in hits.as_mut()[..lanes].iter_mut().zip(seen) {
                    *hits |= *seen & !*royal;
                }
            }
        }
        let royal = royal(layout, at, target);
        let hits = hits.as_ref().iter().zip(royal.as_ref());
        for (out, (hits, royal)) in attacked.as_mut()[..lanes].iter_mut().zip(hits) {
            *out |= *hits & *royal;
        }
    }
    attacked
}

/// The positions of a row in which `side` attacks the other side's leader, if leaders are the only
/// royal pieces.
#[inline(always)]
fn leader_attacked<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
) -> W::Row {
    let mut attacked = W::EMPTY_ROW;
    let out = attacked.as_mut();
    let target = Role::Fixed(at.leaders[side.other().index()]);
    let sight = Sight::new(layout, between, at);
    if layout.explodes && neighbours::<W>(at.board, at.leaders[0]).has(at.leaders[1]) {
        // Whoever captured a king would blow up the other (M3).
        return attacked;
    }
    for (place, &piece) in layout.pieces.iter().enumerate() {
        if piece.colour == side && !(layout.explodes && layout.leaders.contains(&place)) {
            let from = layout.role(at, place);
            sight.add_attacks(layout, piece, (from, target), out);
        }
    }
    attacked
}

/// The legal positions of a row with `side` to move, without those with an e.p. right
/// (O6: the side not to move must not be in check, in games with check; T2: the side to
/// move must not have reached its goal).
#[inline(always)]
pub(crate) fn legal<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    side: Colour,
) -> W::Row {
    let mut row = placements(layout, at);
    if !(layout.lingers || layout.has_reply && side == Colour::White) {
        keep_away(layout, at, side, row.as_mut());
    }
    // A loop, because what is called is inlined.
    let by = [side, side.other()].into_iter();
    for by in by.take(1 + usize::from(layout.forbids_checks)) {
        let attacked = attacked(layout, between, at, by);
        for (word, attacked) in row.as_mut().iter_mut().zip(attacked.as_ref()) {
            *word &= !*attacked;
        }
    }
    row
}

/// The legal positions of a row with `mover` to move, without those with an e.p. right.
pub(crate) fn legal_in_row<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    mover: Colour,
) -> W::Row {
    vectorized(Legal {
        layout,
        between,
        at,
        mover,
    })
}

/// [`legal_in_row`], compiled for each width of vectors.
struct Legal<'a, W: Word> {
    layout: &'a Layout,
    between: &'a Between<W>,
    at: &'a RowAt<W>,
    mover: Colour,
}

impl<W: Word> Work for Legal<'_, W> {
    const VECTORS: bool = W::VECTORS;
    type Output = W::Row;

    #[inline(always)]
    fn call(self) -> W::Row {
        legal(self.layout, self.between, self.at, self.mover)
    }
}
