//! Runs work in code compiled for each width of vectors, with the widest that the processor has.

/// A piece of work that vectors make faster. Its loops must be inlined in
/// [`Work::call`], because only what is inlined there becomes vector code; so
/// it is a type of its own rather than a closure.
pub(crate) trait Work {
    /// Whether it gains so much from vectors that it is compiled for each
    /// width of them.
    const VECTORS: bool;

    /// The result of the work.
    type Output;

    /// Does the work; to be marked `#[inline(always)]`.
    fn call(self) -> Self::Output;
}

/// Does a piece of work with the widest vectors that the processor has.
///
/// Builds with debug assertions have plain code alone: the loops are the same,
/// and tests compile in a third of the time.
///
/// Not inlined: every copy would hold the plain code once more.
#[inline(never)]
pub(crate) fn vectorized<W: Work>(work: W) -> W::Output {
    if W::VECTORS && cfg!(not(debug_assertions)) {
        #[cfg(target_arch = "x86_64")]
        return x86::call(work);
    }
    work.call()
}

/// Does work in code that is compiled once, because it is rare or its words do not become vectors:
/// inlined at each place, it would take long to build.
#[inline(never)]
pub(crate) fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::sync::LazyLock;

    use super::Work;

    /// The levels of the x86-64 psABI that make a difference here.
    enum Level {
        Plain,
        V3,
        V4,
    }

    impl Level {
        fn of_processor() -> Level {
            macro_rules! has {
                ($($feature:tt)*) => { true $(&& is_x86_feature_detected!($feature))* };
            }
            if !has!("avx2" "bmi1" "bmi2" "fma" "lzcnt" "popcnt") {
                Level::Plain
            } else if !has!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl") {
                Level::V3
            } else {
                Level::V4
            }
        }
    }

    #[inline(always)]
    pub(super) fn call<W: Work>(work: W) -> W::Output {
        // Asking the processor takes longer than a row of positions.
        static LEVEL: LazyLock<Level> = LazyLock::new(Level::of_processor);
        #[allow(unsafe_code, reason = "code for vectors that not every processor has")]
        match *LEVEL {
            Level::Plain => work.call(),
            // SAFETY: the processor has just these features.
            Level::V3 => unsafe { v3(work) },
            // SAFETY: likewise.
            Level::V4 => unsafe { v4(work) },
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    fn v3<W: Work>(work: W) -> W::Output {
        work.call()
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    fn v4<W: Work>(work: W) -> W::Output {
        work.call()
    }
}
