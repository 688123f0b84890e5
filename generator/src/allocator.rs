//! What happens where memory runs out in the middle of the work: the program says so and
//! ends with the exit code for that, where it would be aborted otherwise.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};

use crate::cli::Status;
use crate::cli::advice::MORE_MEMORY;

const EXIT_CODE: i32 = Status::Resources as i32;

/// The memory of the system.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

// SAFETY: everything is left to the system; a null pointer is not returned.
#[expect(
    unsafe_code,
    reason = "there is no other way to learn that memory is out"
)]
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: what the caller promises is what is needed, here and below.
        there(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        there(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        there(unsafe { System.realloc(at, layout, size) }, size)
    }
}

/// The pointer, unless it is null.
#[inline]
fn there(pointer: *mut u8, size: usize) -> *mut u8 {
    if pointer.is_null() {
        run_out(size);
    }
    pointer
}

/// Ends the program, for which no memory may be needed. Locks and partial files are left as
/// by a process that is killed; the next run removes them.
#[cold]
fn run_out(size: usize) -> ! {
    let _ = writeln!(
        io::stderr(),
        "error: not enough memory: {size} bytes more were refused; {MORE_MEMORY}"
    );
    #[cfg(unix)]
    signal_hook::low_level::exit(EXIT_CODE);
    #[cfg(not(unix))]
    std::process::exit(EXIT_CODE);
}
