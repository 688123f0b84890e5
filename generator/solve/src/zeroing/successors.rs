//! Looks up the moves into successors, or slices, that have cursed results.

use super::super::layout::{Layout, RowAt};
use super::super::movement::Between;
use super::super::parallel::each;
use super::super::score::{self, scored};
use super::super::start::Exits;
use super::super::word::Word;
use super::Results;

/// Adds what the exits of a side lead to, in successors whose WDL with the fifty-move rule
/// is known.
pub(in super::super) fn look_up<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    exits: &Exits<'_, W>,
    results: &mut Results<W>,
) {
    let words = layout.block_words();
    let Results {
        converts,
        converts_cursed,
        blessed,
        won,
        lost,
        rights,
        ..
    } = results;
    let (won, lost, rights) = (&won.words, &lost.words, rights.as_ref());
    let blocks = converts
        .chunks_mut(words)
        .zip(converts_cursed.chunks_mut(words))
        .zip(blessed.chunks_mut(words))
        .enumerate();
    each(blocks, |(block, ((converts, converts_cursed), blessed))| {
        let exits = exits.in_block(block);
        let mut scores = vec![score::NONE; layout.row_positions()];
        let mut placed = vec![W::ZERO; layout.lanes];
        for row in 0..layout.rows {
            let at = RowAt::<W>::new(layout, block, row);
            let first = at.row * layout.lanes;
            // Draws do not change.
            for (lane, placed) in placed.iter_mut().enumerate() {
                *placed = won[first + lane] | lost[first + lane];
                if let Some(rights) = rights {
                    *placed &= !rights.words[first + lane];
                }
            }
            exits.write(between, &at, &mut placed, &mut scores);
            if scores.iter().all(|&score| score == score::NONE) {
                continue;
            }
            for (lane, scores) in scores.chunks_exact(layout.squares).enumerate() {
                let word = row * layout.lanes + lane;
                let with = |value| scored::<W>(scores, value, value);
                converts[word] |= with(score::WINS) & won[first + lane];
                converts_cursed[word] |= with(score::WINS_CURSED) & won[first + lane];
                blessed[word] |= with(score::LOSES_BLESSED) & lost[first + lane];
            }
        }
    });
}
