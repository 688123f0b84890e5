//! Keeps unpacked blocks of tables in memory, for threads that read them without a lock.
//!
//! Once read, they stay for all threads as long as they take little room, and of others the few
//! that a thread used last.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_rules::Colour;

use super::Table;
use crate::error::TableFault;
use crate::format::codec::Codec;
use crate::format::header::Section;
use crate::format::symbols;

/// The most bytes that blocks of small tables may take for another to be kept, too; what
/// is beyond is read again when it is asked for. Unpacked blocks of fast tables take a
/// quarter at most.
static MOST: AtomicU64 = AtomicU64::new(1 << 30);

/// The bytes of all blocks in this process that are kept.
pub(crate) static KEPT: Budget = Budget::new();

/// Sets how many bytes of tables that were read stay in memory, all tables of the process
/// together; 1 GiB unless this is called. The rest is read again whenever it is asked
/// for: with 0 nothing stays, and probing takes longer. Of tables that are packed fast no
/// more than a quarter of it stays unpacked.
///
/// This is about parts of tables. The models of tables that are packed small come on top
/// of it, as long as these are open. Mapped files take no part in it but for unpacked
/// blocks. What is there already stays there.
pub fn set_memory_limit(bytes: u64) {
    MOST.store(bytes, Ordering::Relaxed);
}

/// Room for a block of lines of a small table, if it may be kept.
pub(super) fn room_for_lines(bytes: u64) -> Option<Room> {
    KEPT.room(bytes, MOST.load(Ordering::Relaxed))
}

/// Room for an unpacked block of a fast table, if it may be kept.
fn room_for_unpacked(bytes: u64) -> Option<Room> {
    KEPT.room(bytes, MOST.load(Ordering::Relaxed) / 4)
}

/// A number of bytes in memory.
pub(crate) struct Budget(AtomicU64);

impl Budget {
    const fn new() -> Budget {
        Budget(AtomicU64::new(0))
    }

    /// Room for so many bytes more; `None` if they would then be more than `most`.
    pub(crate) fn room(&'static self, bytes: u64, most: u64) -> Option<Room> {
        let before = self.0.fetch_add(bytes, Ordering::Relaxed);
        let room = Room {
            budget: self,
            bytes,
        };
        let after = before.checked_add(bytes);
        after.is_some_and(|after| after <= most).then_some(room)
    }
}

/// Room for some bytes, until it is dropped.
pub(crate) struct Room {
    budget: &'static Budget,
    bytes: u64,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.budget.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A block that has been read and checked.
pub(super) enum Block {
    /// A block unpacked, and the room that its bytes take.
    Kept(
        Box<[u8]>,
        #[expect(dead_code, reason = "it is given back with them")] Room,
    ),
    /// A block that needs no unpacking, and whose bytes are where the table is.
    InPlace,
}

/// The blocks of a table, by their numbers in the file.
#[derive(Default)]
pub(super) struct Blocks(Box<[OnceLock<Block>]>);

impl Blocks {
    /// A table of so many blocks, none of which has been read.
    pub(super) fn new(blocks: u64) -> Blocks {
        Blocks((0..blocks).map(|_| OnceLock::new()).collect())
    }

    /// A block, if it has been read and was kept.
    #[inline]
    pub(super) fn get(&self, number: u64) -> Option<&Block> {
        self.0.get(usize::try_from(number).ok()?)?.get()
    }

    /// Keeps a block.
    pub(super) fn keep(&self, number: u64, block: Block) {
        let place = usize::try_from(number).ok();
        if let Some(place) = place.and_then(|number| self.0.get(number)) {
            // Another thread may have been faster; its bytes are the same.
            let _ = place.set(block);
        }
    }
}

impl Table {
    /// A symbol of a block that has not been unpacked before, or is not kept.
    #[cold]
    pub(super) fn first_symbol(
        &self,
        section: &Section,
        block: u32,
        place: usize,
    ) -> Result<u16, TableFault> {
        let number = section.first_block + u64::from(block);
        let get = |packed: &[u8]| symbols::get(packed, section.bits, place);
        let unpack = |packed: &mut Vec<u8>| self.unpack(section, block, packed);
        let size = self.packed_len(section, block) as u64;
        let Some(room) = room_for_unpacked(size) else {
            return with_block((self.id(), number), unpack, get);
        };
        let mut packed = Vec::new();
        unpack(&mut packed)?;
        let symbol = get(&packed);
        self.blocks.keep(number, Block::Kept(packed.into(), room));
        Ok(symbol)
    }

    /// Whether the value of an index is read without unpacking others.
    pub(crate) fn is_at_hand(&self, turn: Colour, index: u64) -> bool {
        let header = self.header();
        let Some(section) = header.section(turn) else {
            return false;
        };
        let block = index / u64::from(section.block_len).max(1);
        header.codec == Codec::Learned
            || section.bits == 0
            || self.in_memory(turn).is_some()
            || self.blocks.get(section.first_block + block).is_some()
    }
}

/// The number of sets, of two blocks each. With blocks of 16 KiB, a full cache takes 4 MiB per
/// thread.
const SETS: usize = 128;

/// A block of a table: the table's number in this process, and the block's
/// number in the file.
type Key = (u64, u64);

#[derive(Default)]
struct CachedBlock {
    key: Option<Key>,
    packed: Vec<u8>,
}

thread_local! {
    static CACHE: RefCell<Vec<[CachedBlock; 2]>> = const { RefCell::new(Vec::new()) };
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
    use super::*;

    #[test]
    fn room_is_given_back_with_the_block() {
        static BUDGET: Budget = Budget::new();
        let blocks = Blocks::new(2);
        let block = || BUDGET.room(6, 10).map(|room| Block::Kept([7].into(), room));
        blocks.keep(1, block().unwrap());
        assert!(blocks.get(0).is_none() && blocks.get(2).is_none());
        assert!(matches!(blocks.get(1), Some(Block::Kept(bytes, _)) if **bytes == [7]));
        assert!(block().is_none() && BUDGET.room(4, 10).is_some());
        // The first one counts.
        blocks.keep(1, Block::InPlace);
        assert!(matches!(blocks.get(1), Some(Block::Kept(..))));
        drop(blocks);
        assert!(block().is_some());
        assert!(BUDGET.room(u64::MAX, 10).is_none());
    }
}

#[cfg(test)]
mod cache_tests {
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
