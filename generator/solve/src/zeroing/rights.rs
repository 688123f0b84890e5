//! Marks the positions with an e.p. right that are cursed.
//!
//! That follows from the position without the right and from the captures.

use retrograde_rules::Colour;

use super::super::depth::Depth;
use super::super::ep_in_grid::open_words;
use super::super::schedule::falling;
use super::super::word::Word;
use super::Task;

impl<W: Word, D: Depth> Task<'_, W, D> {
    /// Marks the cursed positions with a right on all levels that are solved; for others the
    /// marks are meaningless. Returns whether any is cursed.
    pub(super) fn settle_rights(&mut self) -> bool {
        let layout = self.layout;
        let board = layout.board::<W>();
        let mut found = false;
        for side in Colour::BOTH {
            let results = &mut self.results[side.index()];
            let Some(rights) = &results.rights else {
                continue;
            };
            let open_words = open_words::<W>(layout, side.other());
            for block in 0..layout.blocks() {
                let first = block * layout.block_words();
                for open in &open_words {
                    let (word, base) = (first + open.word, first + open.base);
                    let positions = rights.words[word];
                    if positions.is_empty() {
                        continue;
                    }
                    let (won, lost) = (results.won.words[word], results.lost.words[word]);
                    let moves = !self.mover.without_quiet(side, base);
                    // A base that is won for want of moves has none either.
                    let cells = &self.sides[side.index()].depth[base * layout.squares..];
                    let (over, _): (W, D) = match layout.wins_by_being_stuck(side) {
                        true => falling(&cells[..layout.squares], D::of(0)),
                        false => (W::ZERO, D::NONE),
                    };
                    let moves = moves & !over;
                    let real = results.won.words[base] & !results.cursed[base] & moves;
                    let blessed = results.lost.words[base] & results.cursed[base] & moves;
                    // A base that is stalemate or mate adds no moves: it is not won, and not
                    // lost by a cursed win.
                    let cursed = (won & !(results.converts[word] | open.carry(board, real)))
                        | (lost & (results.blessed[word] | open.carry(board, blessed)));
                    let others = results.cursed[word] & !positions;
                    results.cursed[word] = others | (positions & cursed);
                    found |= !(positions & cursed).is_empty();
                }
            }
        }
        found
    }
}
