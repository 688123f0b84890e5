//! Retracts castling (C7), a quiet move of two pieces, from the positions of a row after it.
//!
//! The king goes one step towards the nearest own piece on the first rank, which goes to the square
//! that the king left.

use retrograde_rules::Colour;

use super::layout::{Role, RowAt};
use super::moves::{Mover, Source};
use super::squares::{first_rank, members};
use super::vector::apart;
use super::word::{BoardShape, Word};

impl<W: Word> Mover<'_, W> {
    /// Adds to `out` every position of the row in which `side` can castle
    /// into a position of `from`.
    #[inline(always)]
    pub(super) fn retract_castling(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let king = at.leaders[side.index()];
        if self.layout.castling && at.board.rank(king) == first_rank(at.board, side) {
            self.retract_castling_from(at, side, king, from, out);
        }
    }

    fn retract_castling_from(
        &self,
        at: &RowAt<W>,
        side: Colour,
        king: usize,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let layout = self.layout;
        let home = king / at.board.files() * at.board.files();
        let enemy = at.leaders[side.other().index()];
        for step in [-1_isize, 1] {
            let Some(file) = (king - home)
                .checked_add_signed(step)
                .filter(|&f| f < at.board.files())
            else {
                continue;
            };
            // Where the king goes, which is in another block.
            let mut leaders = at.leaders;
            leaders[side.index()] = home + file;
            if enemy == home + file {
                continue;
            }
            let Some((block, transform)) = layout.block_of(leaders) else {
                continue;
            };
            let there = |square: usize| at.board.image(transform, square);
            let back = transform.inverse();
            for (place, coordinate) in layout.coordinates.iter().enumerate() {
                if layout.pieces[coordinate.piece].colour != side {
                    continue;
                }
                // The row after the move, with its outer pieces on these squares.
                let row_with = |outer: [usize; super::layout::MOST_OUTER]| {
                    let row = layout.row_of(outer.into_iter().map(there));
                    row.map(|row| block * layout.rows + row)
                };
                // What must be empty between the king and a partner.
                let between = |partner: usize| match layout.game.castles_past_men() {
                    true if partner != home + file => W::of(home + file),
                    true => W::ZERO,
                    false => self.between.get(king, partner),
                };
                // Partners beyond the king's target square.
                let partners = (0..at.board.files())
                    .filter(|&f| if step > 0 { f >= file } else { f <= file })
                    .map(|f| home + f);
                match at.role(layout, place) {
                    Role::Fixed(partner) => {
                        let ahead = at.board.rank(partner) == at.board.rank(king)
                            && (partner > king) == (step > 0);
                        if !ahead || !(between(partner) & at.occupied).is_empty() {
                            continue;
                        }
                        let mut outer = at.outer;
                        outer[place] = king;
                        if let Some(row) = row_with(outer) {
                            apart(|| self.add_row(from, row, transform, between(partner), out));
                        }
                    }
                    Role::Lane => {
                        let Some(row) = row_with(at.outer) else {
                            continue;
                        };
                        let after =
                            word(from, layout, row, there(king)).apply(W::image(at.board, back));
                        if after.is_empty() {
                            continue;
                        }
                        for partner in partners {
                            let passed = between(partner);
                            if at.occupied.has(partner) || !(passed & at.occupied).is_empty() {
                                continue;
                            }
                            out[partner] |= after & !passed;
                        }
                    }
                    Role::Inner => {
                        let Some(row) = row_with(at.outer) else {
                            continue;
                        };
                        // The lanes in which the inner piece stands on the
                        // king's square after the move.
                        let mut lanes = W::ZERO;
                        for (lane, word) in from.plane.entries(layout, row) {
                            if word.has(there(king)) {
                                lanes |= W::of(lane);
                            }
                        }
                        if lanes.is_empty() {
                            continue;
                        }
                        let lanes = if layout.lanes > 1 {
                            lanes.apply(W::image(at.board, back))
                        } else {
                            lanes
                        };
                        for partner in partners {
                            let passed = between(partner);
                            if at.occupied.has(partner) || !(passed & at.occupied).is_empty() {
                                continue;
                            }
                            let free = if layout.lanes > 1 {
                                lanes & !passed
                            } else {
                                lanes
                            };
                            for lane in members(free) {
                                out[lane] |= W::of(partner);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The word of a lane of a row after the move; zero if the plane holds nothing there.
fn word<W: Word>(
    from: Source<'_, W>,
    layout: &super::layout::Layout,
    row: usize,
    lane: usize,
) -> W {
    let mut entries = from.plane.entries(layout, row);
    let found = entries.find(|&(l, _)| l == lane);
    found.map_or(W::ZERO, |(_, word)| word)
}
