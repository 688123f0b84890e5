//! Limits the log lines that clients cause: short ones, and only so many a second.

use std::fmt::Display;
use std::num::NonZeroU32;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

/// The most lines of one kind a second.
const MOST: NonZeroU32 = NonZeroU32::new(10).expect("not zero");

/// The most bytes of anything that a client wrote.
const LONGEST: usize = 200;

/// Log lines of one kind.
pub(crate) struct Lines {
    limiter: LazyLock<DefaultDirectRateLimiter>,
    left_out: AtomicU64,
}

/// Lines about failures of the server.
pub(crate) static ERRORS: Lines = Lines::new();

/// Lines about mistakes of clients.
pub(crate) static WARNINGS: Lines = Lines::new();

impl Lines {
    const fn new() -> Lines {
        Lines {
            limiter: LazyLock::new(|| RateLimiter::direct(Quota::per_second(MOST))),
            left_out: AtomicU64::new(0),
        }
    }

    /// Whether one more line may be written, which then says how many were left out before it.
    pub(crate) fn pass(&self) -> Option<u64> {
        match self.limiter.check() {
            Ok(()) => Some(self.left_out.swap(0, Ordering::Relaxed)),
            Err(_) => {
                self.left_out.fetch_add(1, Ordering::Relaxed);
                None
            }
        }
    }
}

/// A text, or its beginning and how long it is.
pub(crate) fn shortened(text: &dyn Display) -> String {
    let text = text.to_string();
    match text.len() > LONGEST {
        true => format!(
            "{}… ({} bytes)",
            &text[..text.floor_char_boundary(LONGEST)],
            text.len()
        ),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_beyond_the_limit_are_counted() {
        let lines = Lines::new();
        let passed = (0..1000).filter(|_| lines.pass().is_some()).count();
        assert!((10..20).contains(&passed), "{passed}");
        std::thread::sleep(std::time::Duration::from_millis(300));
        let left_out = lines.pass().unwrap();
        assert!(left_out > 900, "{left_out}");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened(&"short"), "short");
        let long = shortened(&format!("x{}", "é".repeat(200)));
        assert!(long.ends_with("é… (401 bytes)"), "{long}");
    }
}
