//! Work that is compiled for each width of vectors.

use pulp::NullaryFnOnce;

/// Does a piece of work with the widest vectors that the processor has.
///
/// Builds with debug assertions have plain code alone: the loops are the same,
/// and tests compile in a third of the time.
#[inline(always)]
pub(crate) fn vectorized<Work: NullaryFnOnce>(work: Work) -> Work::Output {
    #[cfg(debug_assertions)]
    {
        work.call()
    }
    #[cfg(not(debug_assertions))]
    {
        pulp::Arch::new().dispatch(work)
    }
}
