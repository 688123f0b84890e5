//! Writes down the positions found won and lost at a ply, in its second pass.

use super::super::parallel::each;
use super::super::vector::Work;

use super::super::depth::Depth;
use super::super::layout::Layout;
use super::super::plane::Plane;
use super::super::side::Side;
use super::super::vector::vectorized;
use super::super::word::{BoardShape, Word};

/// Decides what was found at a ply.
pub(super) fn write_down<W: Word, D: Depth>(layout: &Layout, side: &mut Side<W, D>, ply: usize) {
    let (words, rows) = (layout.block_words(), layout.rows);
    let (won, lost) = (&side.won[ply % 2], &side.lost[ply % 2]);
    let blocks = side.open.words.chunks_mut(words);
    let blocks = blocks.zip(side.open.any.chunks_mut(rows));
    let blocks = blocks.zip(side.winning.chunks_mut(words));
    let blocks = blocks.zip(side.depth.chunks_mut(words * layout.squares));
    each(
        blocks.enumerate(),
        |(block, (((open, any), winning), depth))| {
            vectorized(WriteDown {
                layout,
                found: [won, lost],
                ply,
                block,
                open,
                any,
                winning,
                depth,
            });
        },
    );
}

/// The second pass over one block, compiled for each width of vectors.
struct WriteDown<'a, W, D> {
    layout: &'a Layout,
    /// The positions found won and lost at this ply.
    found: [&'a Plane<W>; 2],
    ply: usize,
    block: usize,
    open: &'a mut [W],
    any: &'a mut [W],
    winning: &'a mut [W],
    depth: &'a mut [D],
}

impl<W: Word, D: Depth> Work for WriteDown<'_, W, D> {
    const VECTORS: bool = W::VECTORS && D::VECTORS;
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (rows, lanes) = (self.layout.rows, self.layout.lanes);
        let squares = self.layout.board::<W>().squares();
        for (row, any) in self.any.iter_mut().enumerate() {
            let number = self.block * rows + row;
            let [won, lost] = self.found;
            let won = won.entries(self.layout, number).map(|e| (e, true));
            let lost = lost.entries(self.layout, number).map(|e| (e, false));
            for ((lane, mut new), wins) in won.chain(lost) {
                let word = row * lanes + lane;
                self.open[word] &= !new;
                if self.open[word].is_empty() {
                    *any &= !W::of(lane);
                }
                if wins {
                    self.winning[word] |= new;
                }
                let cells = &mut self.depth[word * squares..][..squares];
                while !new.is_empty() {
                    cells[new.pop()] = D::of(self.ply);
                }
            }
        }
    }
}
