//! Evaluates captures en passant in materials that hold e.p. rights inside the grid.

use super::super::layout::{Role, RowAt};
use super::super::new_leaders::Spot;
use super::super::score::Score;
use super::super::squares::{ahead, open_rank, open_square};
use super::super::word::{BoardShape, Word};
use super::blast::keep_blast;
use super::{BlockConversions, ReadyConversion};

impl BlockConversions<'_, '_> {
    /// Captures of a pawn on the square that means that it has just made its double step.
    #[inline(always)]
    pub(super) fn raise_en_passant<W: Word>(
        &self,
        at: &RowAt<W>,
        ready: &ReadyConversion<'_, '_>,
        from: Role,
        victim: usize,
        scores: &mut [Score],
    ) {
        let layout = self.layout;
        let pusher = self.side.other();
        let home = open_rank(at.board, pusher) * at.board.files();
        let victim_role = layout.role(at, victim);
        // The square that represents the right does not hold the pawn, so other pieces may
        // stand there: it must not count as occupied.
        let mut occupied = at.led;
        for (coordinate, &square) in layout.outer().iter().zip(&at.outer) {
            if coordinate.piece != victim {
                occupied |= W::of(square);
            }
        }
        for file in 0..at.board.files() {
            let open = home + file;
            // Origin, passed square and arrival, in the direction of the pusher.
            let path = [1, 2, 3].map(|ranks| ahead(at.board, open, pusher, ranks));
            let [Some(origin), Some(passed), Some(arrival)] = path else {
                continue;
            };
            debug_assert_eq!(open_square(at.board, arrival, pusher), open);
            let clear = W::of(origin) | W::of(passed) | W::of(arrival);
            if !(occupied & clear).is_empty() {
                continue;
            }
            let mut beside = W::of(arrival).shift(W::step(at.board, 1, 0))
                | W::of(arrival).shift(W::step(at.board, -1, 0));
            while !beside.is_empty() {
                let taker = beside.pop();
                // Every piece has a word of squares where it may stand.
                let mut lanes = !(clear | occupied);
                let mut bits = lanes;
                let mut possible = true;
                for (role, square) in [(victim_role, open), (from, taker)] {
                    match role {
                        Role::Fixed(on) => possible &= on == square,
                        Role::Lane => lanes = W::of(square),
                        Role::Inner => bits = W::of(square),
                    }
                }
                if !possible {
                    continue;
                }
                // Without a lane piece, the only word is not that of a square.
                let has_lanes = layout.lanes > 1;
                let unreal = matches!(victim_role, Role::Lane | Role::Inner) || !has_lanes;
                let mut mask = W::EMPTY_ROW;
                for (lane, mask) in mask.as_mut()[..layout.lanes].iter_mut().enumerate() {
                    if lanes.has(lane) || !has_lanes {
                        *mask = if unreal { bits } else { bits & !W::of(lane) };
                    }
                }
                if let Some(blast) = ready.conversion.blast {
                    keep_blast(layout, at, Role::Fixed(passed), blast, mask.as_mut());
                }
                let mut everywhere = W::EMPTY_ROW;
                everywhere.as_mut().fill(W::full(at.board));
                let to = Spot::Fixed(passed);
                let everywhere = everywhere.as_ref();
                let mask = mask.as_ref();
                self.raise_value(ready, at, Some(victim), to, everywhere, mask, scores);
            }
        }
    }
}
