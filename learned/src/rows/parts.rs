//! Parts of rows, and dividing them by sets of squares.

use crate::squares::Squares;

/// Some placements of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPart<W> {
    /// The row.
    pub(crate) row: u16,
    /// The squares of the moving piece.
    pub(crate) squares: W,
}

impl<W> RowPart<W> {
    #[inline(always)]
    pub(super) fn row(&self) -> usize {
        self.row.into()
    }
}

/// The parts of rows that are divided, and room to do it.
#[derive(Clone, Debug)]
pub(crate) struct Parts<W> {
    pub(crate) all: Vec<RowPart<W>>,
    pub(super) spare: Vec<RowPart<W>>,
}

impl<W: Clone> Parts<W> {
    /// Some parts.
    pub(crate) fn new(all: &[RowPart<W>]) -> Parts<W> {
        Parts {
            all: all.to_vec(),
            spare: Vec::new(),
        }
    }
}

/// Divides parts from `from` on: first the squares that are in the sets of their parts, then
/// the others, which begin where it says.
#[inline(always)]
pub(super) fn divide<W: Squares>(
    parts: &mut Vec<RowPart<W>>,
    from: usize,
    spare: &mut Vec<RowPart<W>>,
    set: impl Fn(&RowPart<W>) -> W,
) -> usize {
    let here = parts.get_mut(from..).unwrap_or(&mut []);
    // What it still has from before is written over.
    if spare.len() < here.len() {
        spare.extend_from_slice(&here[spare.len()..]);
    }
    let spare = &mut spare[..here.len()];
    // Nothing branches on whether a side is empty, which cannot be foreseen.
    let (mut lefts, mut rights) = (0, 0);
    for read in 0..here.len() {
        let part = here[read];
        let set = set(&part);
        let (left, right) = (part.squares & set, part.squares & !set);
        here[lefts] = RowPart {
            squares: left,
            ..part
        };
        spare[rights] = RowPart {
            squares: right,
            ..part
        };
        lefts += usize::from(left != W::NONE);
        rights += usize::from(right != W::NONE);
    }
    parts.truncate(from + lefts);
    parts.extend_from_slice(&spare[..rights]);
    from + lefts
}
