//! Finds the positions in which a side can only pass, for games in which a stalemated side passes.

use retrograde_rules::Colour;

use super::attack;
use super::depth::Depth;
use super::layout::RowAt;
use super::moves::{Mover, Movers, Source};
use super::parallel::each;
use super::side::Side;
use super::word::Word;

/// Finds the positions in which a side has no move but a pass, before the first ply: it is not
/// in check, has no conversion, and no quiet move leads to a legal position. The sides keep them,
/// and the mover then knows who passes.
pub(crate) fn find_stuck<W: Word, D: Depth>(mover: &mut Mover<'_, W>, sides: &mut [Side<W, D>; 2]) {
    let found = Colour::BOTH.map(|colour| {
        let layout = mover.layout;
        let (mine, theirs) = (&sides[colour.index()], &sides[colour.other().index()]);
        let mut stuck = vec![W::ZERO; layout.words()];
        let source = Source {
            plane: &theirs.open,
            en_passant: theirs.en_passant.as_ref(),
            arrivals: &[],
            movers: Movers::All,
            wanted: W::ALL,
        };
        each(
            stuck.chunks_mut(layout.lanes).enumerate(),
            |(row, stuck)| {
                let at = RowAt::new(layout, row / layout.rows, row % layout.rows);
                let checks = attack::attacked(layout, mover.between, &at, colour.other());
                let first = row * layout.lanes;
                for (lane, stuck) in stuck.iter_mut().enumerate() {
                    let word = first + lane;
                    *stuck = mine.open.words[word] & mine.can_lose[word] & !checks.as_ref()[lane];
                    if let Some(rights) = &mine.en_passant {
                        *stuck &= !rights.words[word];
                    }
                }
                mover.remove_predecessors(&at, colour, source, stuck);
            },
        );
        stuck
    });
    for (side, stuck) in sides.iter_mut().zip(&found) {
        side.stuck.clone_from(stuck);
    }
    mover.stuck = found;
}
