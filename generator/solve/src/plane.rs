//! Planes: sets of positions as rows of words, which note the lanes and rows that may hold any.

use super::layout::Layout;
use super::squares::{filled, members};
use super::word::Word;

/// Up to this many occupied lanes of a row are handled one by one; more are cheaper
/// together, by vector code. The words of this many lanes of 64 squares fill one cache
/// line.
pub(crate) const FEW: u32 = 8;

/// A bit for every position of the grid, and for every row the set of lanes
/// that may hold any.
///
/// If at most [`FEW`] lanes of a row hold anything, a *packed* plane keeps their words one
/// after another at the start of the row. Most rows that a ply finds are like that, and
/// where solving is bound by memory, one cache line is read instead of eight.
pub(crate) struct Plane<W> {
    pub(crate) words: Vec<W>,
    pub(crate) any: Vec<W>,
    /// The rows of every block that may hold any position; empty if that is not known or rows are
    /// not numbered by squares.
    pub(crate) busy: Vec<W>,
    pub(crate) packed: bool,
}

impl<W> Default for Plane<W> {
    fn default() -> Plane<W> {
        Plane {
            words: Vec::new(),
            any: Vec::new(),
            busy: Vec::new(),
            packed: false,
        }
    }
}

impl<W: Word> Plane<W> {
    /// A plane of given words.
    pub(crate) fn of_words(layout: &Layout, words: Vec<W>) -> Plane<W> {
        let any = words.chunks_exact(layout.lanes).map(filled).collect();
        Plane {
            words,
            any,
            busy: Vec::new(),
            packed: false,
        }
    }

    pub(crate) fn new(layout: &Layout) -> Plane<W> {
        Plane {
            words: vec![W::ZERO; layout.words()],
            any: vec![W::ZERO; layout.blocks() * layout.rows],
            busy: Vec::new(),
            packed: false,
        }
    }

    /// A packed plane, if the material's moves can read one: with e.p. rights they combine
    /// words of different rows.
    pub(crate) fn packed(layout: &Layout) -> Plane<W> {
        Plane {
            packed: !layout.plain_rows,
            ..Plane::new(layout)
        }
    }

    /// Finds which rows hold anything. Valid until a row gets its first position.
    pub(crate) fn find_busy(&mut self, layout: &Layout) {
        self.busy.clear();
        if layout.row_is_square() {
            let rows = self.any.chunks_exact(layout.rows);
            self.busy.extend(rows.map(filled));
        }
    }

    /// The words of a row that is not kept packed.
    #[inline(always)]
    pub(crate) fn row(&self, layout: &Layout, row: usize) -> &[W] {
        &self.words[row * layout.lanes..][..layout.lanes]
    }

    /// The lanes of a row that may hold any position, and their words.
    #[inline(always)]
    pub(crate) fn entries(&self, layout: &Layout, row: usize) -> impl Iterator<Item = (usize, W)> {
        self.entries_in(layout, row, W::ALL)
    }

    /// The lanes among `wanted` of a row that may hold any position, and their words.
    #[inline(always)]
    pub(crate) fn entries_in(
        &self,
        layout: &Layout,
        row: usize,
        wanted: W,
    ) -> impl Iterator<Item = (usize, W)> {
        let words = self.row(layout, row);
        let any = self.any[row];
        let packed = self.packed && any.count() <= FEW;
        members(if packed { any } else { any & wanted })
            .enumerate()
            .map(move |(place, lane)| (lane, words[if packed { place } else { lane }]))
            .filter(move |(lane, _)| wanted.has(*lane))
    }
}

/// Writes a row of a plane; returns the lanes that hold anything.
#[inline(always)]
pub(crate) fn write_row<W: Word>(packed: bool, found: &[W], row: &mut [W]) -> W {
    let lanes = filled(found);
    if packed && lanes.count() <= FEW {
        for (word, lane) in row.iter_mut().zip(members(lanes)) {
            *word = found[lane];
        }
    } else {
        row.copy_from_slice(found);
    }
    lanes
}

/// The planes of a ply and of the ply before, from those of the even and the odd plies.
pub(crate) fn new_and_old<W>(pair: &mut [Plane<W>; 2], ply: usize) -> (&mut Plane<W>, &Plane<W>) {
    let [even, odd] = pair;
    if ply.is_multiple_of(2) {
        (even, odd)
    } else {
        (odd, even)
    }
}
