//! A cache of unpacked blocks for each thread, so that probing takes no lock: for blocks
//! that are not kept for all threads.

use std::cell::RefCell;

/// Each set has two blocks. With blocks of 16 KiB, a full cache takes 4 MiB per thread.
const SETS: usize = 128;

/// A block of a table: the table's number in this process, and the block's
/// number in the file.
type Key = (u64, u64);

#[derive(Default)]
struct Slot {
    key: Option<Key>,
    packed: Vec<u8>,
}

thread_local! {
    static CACHE: RefCell<Vec<[Slot; 2]>> = const { RefCell::new(Vec::new()) };
}

/// Reads from the packed symbols of a block, which `fill` unpacks into the
/// vector if the thread does not have them.
pub(super) fn with_block<T, E>(
    key: Key,
    fill: impl Fn(&mut Vec<u8>) -> Result<(), E>,
    read: impl Fn(&[u8]) -> T,
) -> Result<T, E> {
    let cached = CACHE.try_with(|cache| {
        // `fill` and `read` do not probe, so the cache is never taken twice.
        let mut cache = cache.try_borrow_mut().ok()?;
        if cache.is_empty() {
            cache.resize_with(SETS, Default::default);
        }
        let hash = key.0.wrapping_mul(0x9E37_79B9).wrapping_add(key.1);
        let set = &mut cache[hash as usize % SETS];
        if set[0].key != Some(key) {
            // The most recently used block comes first; the other is evicted.
            set.swap(0, 1);
            if set[0].key != Some(key) {
                set[0].key = None;
                if let Err(error) = fill(&mut set[0].packed) {
                    return Some(Err(error));
                }
                set[0].key = Some(key);
            }
        }
        Some(Ok(read(&set[0].packed)))
    });
    // A thread that is ending may have lost its cache already.
    cached.ok().flatten().unwrap_or_else(|| {
        let mut packed = Vec::new();
        fill(&mut packed)?;
        Ok(read(&packed))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn blocks_are_kept_and_errors_are_not() {
        let fills = Cell::new(0);
        let get = |key: Key| {
            let fill = |packed: &mut Vec<u8>| {
                fills.set(fills.get() + 1);
                packed.clear();
                packed.push(key.1 as u8);
                if key.1 == 99 { Err("bad") } else { Ok(()) }
            };
            with_block(key, fill, |packed| packed[0])
        };
        let id = u64::MAX;
        assert_eq!(get((id, 7)), Ok(7));
        assert_eq!(get((id, 7)), Ok(7));
        assert_eq!(fills.get(), 1);
        assert_eq!(get((id, 99)), Err("bad"));
        assert_eq!(get((id, 99)), Err("bad"));
        assert_eq!(fills.get(), 3);
        for block in 0..90 {
            assert_eq!(get((id, block)), Ok(block as u8));
        }
        // Three blocks of one set evict each other, but the answers stay right.
        let set = [5, 5 + SETS as u64, 5 + 2 * SETS as u64];
        for _ in 0..3 {
            for block in set {
                assert_eq!(get((id, block)), Ok(block as u8));
            }
        }
        assert_eq!(get((id - 1, 5)), Ok(5));
    }
}
