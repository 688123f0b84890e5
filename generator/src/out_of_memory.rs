//! Ends a program with a message and its own exit code when memory or threads run out.
//!
//! It would panic or be aborted otherwise, in the middle of the work.
//!
//! For programs alone: they name [`Memory`] as their allocator, say
//! [`watch_before_main`](crate::watch_before_main), and call [`watch`] first.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::io::Write;
use std::panic;

/// The exit code where memory, threads or disk run out.
pub const EXIT_CODE: i32 = 6;

/// The advice where memory runs out.
pub const MORE_MEMORY: &str = "close other programs, raise the limit if there is one \
    (ulimit -v), or use fewer --threads, then run the command again";

/// The memory of the system; where it runs out the program ends.
pub struct Memory;

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

/// The beginnings of panics where a thread cannot be started: those of the standard library, of
/// rayon, and of the library with which the server waits for connections.
const NO_THREAD: [&str; 5] = [
    "failed to spawn thread",
    "failed to allocate an alternative stack",
    "failed to set up alternative stack",
    "The global thread pool has not been initialized",
    "OS can't spawn",
];

/// Ends the program in the right way also where a thread cannot be started, and where the C
/// library aborts it for want of memory. To be called before anything else.
pub fn watch() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or_default();
        if NO_THREAD.iter().any(|begin| text.starts_with(begin)) {
            end(format_args!("a thread cannot be started ({text})"));
        }
        usual(info);
    }));
    #[cfg(all(unix, not(target_os = "linux")))]
    watch_aborts();
}

/// Watches a program from before its `main`: the standard library, too, needs memory there, and is
/// aborted if it has none. A library that is loaded must not do so, so the program says it.
#[macro_export]
macro_rules! watch_before_main {
    () => {
        #[cfg(target_os = "linux")]
        #[allow(unsafe_code, reason = "there is no other way to run before it")]
        #[used]
        // SAFETY: what is called takes no arguments and needs nothing that is prepared later.
        #[unsafe(link_section = ".init_array")]
        static BEFORE_MAIN: extern "C" fn() = $crate::out_of_memory::watch_aborts;
    };
}

/// Tells an abort for want of memory from others.
#[cfg(unix)]
#[expect(unsafe_code, reason = "there is no other way to learn of an abort")]
pub extern "C" fn watch_aborts() {
    let aborted = || {
        if is_full() {
            end(format_args!("what a thread needs was refused"));
        }
    };
    // SAFETY: the closure allocates nothing and takes no lock.
    let _ = unsafe { signal_hook::low_level::register(signal_hook::consts::SIGABRT, aborted) };
}

/// Whether the system refuses a piece of memory as small as an allocator asks for.
#[cfg(unix)]
#[expect(unsafe_code, reason = "nothing may be allocated by the usual way")]
fn is_full() -> bool {
    const PIECE: usize = 1 << 20;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: new memory at a place of the system's choice, which is given back.
    unsafe {
        let piece = libc::mmap(std::ptr::null_mut(), PIECE, libc::PROT_NONE, flags, -1, 0);
        piece == libc::MAP_FAILED || libc::munmap(piece, PIECE) != 0
    }
}

/// Ends the program because memory was refused.
#[cold]
fn run_out(size: usize) -> ! {
    end(format_args!("{size} bytes more were refused"))
}

/// Ends the program, for which no memory may be needed. Locks and partial files are left as
/// by a process that is killed; the next run removes them.
#[cold]
pub fn end(why: fmt::Arguments<'_>) -> ! {
    let mut message = [0; 1024];
    let mut left = &mut message[..];
    let _ = writeln!(left, "error: not enough memory: {why}; {MORE_MEMORY}");
    let len = 1024 - left.len();
    write_error(&message[..len]);
    #[cfg(unix)]
    signal_hook::low_level::exit(EXIT_CODE);
    #[cfg(not(unix))]
    std::process::exit(EXIT_CODE);
}

/// Writes to stderr without a lock, which another thread or this one may hold.
#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library takes a lock")]
fn write_error(message: &[u8]) {
    // SAFETY: the bytes are there.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
}

#[cfg(not(unix))]
fn write_error(message: &[u8]) {
    let _ = std::io::stderr().write_all(message);
}
