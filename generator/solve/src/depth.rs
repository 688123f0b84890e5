//! Cells that hold a number of plies, one byte or two.

use std::fmt::Debug;

use pulp::NullaryFnOnce;

use super::vector::vectorized;

/// A cell for a depth. One byte serves nearly every material; a material that runs
/// past it is solved again with two.
pub(crate) trait Depth: Copy + Debug + Ord + Send + Sync + 'static {
    /// No depth: nothing decided.
    const NONE: Self;
    /// The greatest number of plies that a cell can hold.
    const MOST: usize;
    /// A number of plies, at most [`Depth::MOST`].
    fn of(plies: usize) -> Self;
    /// The number of plies.
    fn plies(self) -> usize;
    /// Does a piece of work on such cells, with the widest vectors that the
    /// processor has where cells are of this type often enough.
    fn vectorized<Work: NullaryFnOnce>(work: Work) -> Work::Output;
}

impl Depth for u8 {
    const NONE: u8 = u8::MAX;
    const MOST: usize = u8::MAX as usize - 1;

    #[inline(always)]
    fn of(plies: usize) -> u8 {
        plies as u8
    }

    #[inline(always)]
    fn plies(self) -> usize {
        self as usize
    }

    #[inline(always)]
    fn vectorized<Work: NullaryFnOnce>(work: Work) -> Work::Output {
        vectorized(work)
    }
}

impl Depth for u16 {
    const NONE: u16 = u16::MAX;
    // Scores and stored depths need the rest of the range.
    const MOST: usize = 29_000;

    #[inline(always)]
    fn of(plies: usize) -> u16 {
        plies as u16
    }

    #[inline(always)]
    fn plies(self) -> usize {
        self as usize
    }
    // Hardly any material needs these cells: code for each width of vectors
    // would only take everybody's time to compile.
    #[inline(always)]
    fn vectorized<Work: NullaryFnOnce>(work: Work) -> Work::Output {
        work.call()
    }
}
