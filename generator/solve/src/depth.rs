//! Depth cells of the solver's grid, which hold a number of plies in one byte or two.

use std::fmt::Debug;

/// A cell for a depth. One byte is enough for nearly every material; the others are
/// solved again with two.
pub(crate) trait Depth: Copy + Debug + Ord + Send + Sync + 'static {
    /// The cell of a position that is not decided.
    const NONE: Self;
    /// The greatest number of plies that a cell can hold.
    const MOST: usize;
    /// Whether this type is used often enough to justify code of its own for each
    /// vector width, which costs compile time.
    const VECTORS: bool;
    /// A number of plies, at most [`Depth::MOST`].
    fn of(plies: usize) -> Self;
    /// The number of plies.
    fn plies(self) -> usize;
}

impl Depth for u8 {
    const NONE: u8 = u8::MAX;
    const MOST: usize = u8::MAX as usize - 1;
    const VECTORS: bool = true;

    #[inline(always)]
    fn of(plies: usize) -> u8 {
        plies as u8
    }

    #[inline(always)]
    fn plies(self) -> usize {
        self as usize
    }
}

impl Depth for u16 {
    const NONE: u16 = u16::MAX;
    // Scores and stored depths need the rest of the range.
    const MOST: usize = 29_000;
    const VECTORS: bool = false;

    #[inline(always)]
    fn of(plies: usize) -> u16 {
        plies as u16
    }

    #[inline(always)]
    fn plies(self) -> usize {
        self as usize
    }
}

/// A depth is more than the cells can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooDeep;
