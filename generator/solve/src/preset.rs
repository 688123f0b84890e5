//! Values that are known before a layer of counters is solved, because other layers tell them.

use retrograde_index::score as stored;
use retrograde_rules::Colour;

use super::attack::{attacked, legal_in_row};
use super::ep_in_grid::OpenWord;
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::read::{GridValues, UNUSED};
use super::score::{self, Score};
use super::word::Word;

/// Values of positions that are known before a layer is solved.
#[derive(Clone, Copy)]
pub(crate) struct Preset<'a> {
    /// The values; `None` if the side to move has lost.
    pub(crate) values: Option<&'a dyn GridValues>,
    /// Whether they are those of all positions, or of those with the side to move in check.
    pub(crate) of_all: bool,
}

impl Preset<'_> {
    /// The positions of a block whose values are known, in words. Those with an e.p. right are
    /// among them, whether or not it counts.
    pub(crate) fn positions<W: Word>(
        &self,
        layout: &Layout,
        between: &Between<W>,
        (block, mover): (usize, Colour),
        open_words: &[OpenWord],
    ) -> Vec<W> {
        if self.of_all {
            return vec![W::ALL; layout.block_words()];
        }
        let mut words = vec![W::ZERO; layout.block_words()];
        for (row, words) in words.chunks_exact_mut(layout.lanes).enumerate() {
            let at = RowAt::<W>::new(layout, block, row);
            let legal = legal_in_row(layout, between, &at, mover);
            let checks = attacked(layout, between, &at, mover.other());
            let both = legal.as_ref().iter().zip(checks.as_ref());
            for (word, (legal, checks)) in words.iter_mut().zip(both) {
                *word = *legal & *checks;
            }
        }
        // A right changes nothing in who is in check.
        let placed = words.clone();
        for open in open_words {
            words[open.word] |= open.carry(between.board, placed[open.base]);
        }
        words
    }

    /// Writes the values of some positions of a row, by its place in the grid. Positions that are
    /// not legal have an e.p. right: it counts only if they have a score, that of a capture.
    pub(crate) fn write<W: Word>(
        &self,
        (turn, first): (Colour, usize),
        (positions, legal): (&[W], &[W]),
        scores: &mut [Score],
    ) {
        let squares = scores.len() / positions.len().max(1);
        let mut values = vec![stored::loss(0); scores.len()];
        if let Some(known) = self.values {
            known.words(turn, first, &mut values);
        }
        let words = scores.chunks_exact_mut(squares);
        let words = words.zip(values.chunks_exact(squares));
        for ((scores, values), (positions, legal)) in words.zip(positions.iter().zip(legal)) {
            for (bit, (score, &value)) in scores.iter_mut().zip(values).enumerate() {
                let counts = legal.has(bit) || *score != score::NONE;
                if positions.has(bit) && counts && value != UNUSED {
                    *score = score::of_position(value);
                }
            }
        }
    }
}
