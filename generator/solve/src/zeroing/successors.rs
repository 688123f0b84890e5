//! Conversions into successors that have cursed results.

use rayon::prelude::*;
use retrograde_rules::Colour;

use super::super::attack;
use super::super::convert::Conversions;
use super::super::layout::{Layout, RowAt};
use super::super::movement::Between;
use super::super::score;
use super::super::word::Word;
use super::Results;

/// Looks up the values of a side's conversions again, in successors whose WDL with the
/// fifty-move rule is known.
pub(in super::super) fn look_up<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    conversions: &Conversions<'_>,
    mover: Colour,
    results: &mut Results<W>,
) {
    let words = layout.block_words();
    let Results {
        converts,
        converts_cursed,
        blessed,
        won,
        lost,
        ..
    } = results;
    let (won, lost) = (&won.words, &lost.words);
    converts
        .par_chunks_mut(words)
        .zip(converts_cursed.par_chunks_mut(words))
        .zip(blessed.par_chunks_mut(words))
        .enumerate()
        .for_each(|(block, ((converts, converts_cursed), blessed))| {
            let conversions = conversions.in_block::<W>(block);
            let mut scores = vec![score::NONE; layout.row_positions()];
            for row in 0..layout.rows {
                let at = RowAt::<W>::new(layout, block, row);
                let legal = attack::legal(layout, between, &at, mover);
                scores.fill(score::NONE);
                conversions.raise(between, &at, legal.as_ref(), &mut scores);
                for (lane, scores) in scores.chunks_exact(layout.squares).enumerate() {
                    let word = row * layout.lanes + lane;
                    let with = |value| {
                        let mut set = W::ZERO;
                        for (bit, &score) in scores.iter().enumerate() {
                            if score == value {
                                set |= W::of(bit);
                            }
                        }
                        set
                    };
                    let all = block * words + word;
                    converts[word] = with(score::WINS) & won[all];
                    converts_cursed[word] = with(score::WINS_CURSED) & won[all];
                    blessed[word] = with(score::LOSES_BLESSED) & lost[all];
                }
            }
        });
}
