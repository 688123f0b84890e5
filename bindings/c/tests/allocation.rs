//! Engines rank their moves at the root without a heap allocation, once the tables have been read.
#![allow(unsafe_code, reason = "an allocator, and the functions for C")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use retrograde_c::{RetrogradeStatus, retrograde_close, retrograde_open, retrograde_probe_root};
use retrograde_rules::{Bitboards, Colour, Game, Position};

thread_local! {
    static ALLOCATIONS: Cell<u32> = const { Cell::new(0) };
}

/// The system's allocator, which counts what each thread asks for.
struct Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller promises what it takes; here and below.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_root_probe_allocates_nothing() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tables");
    let (game, folder) = (
        CString::new("orthodox").unwrap(),
        CString::new(folder).unwrap(),
    );
    let mut tables = null_mut();
    // SAFETY: the texts end with a 0, and there is room for a pointer.
    let status = unsafe { retrograde_open(game.as_ptr(), folder.as_ptr(), &mut tables) };
    assert_eq!(status, RetrogradeStatus::Ok);
    let fens = [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KQR5 w - - 90 1",
        "8/8/3r4/3k4/8/8/8/KQ6 b - - 3 1",
        "8/P7/8/3k4/8/8/8/K3R3 w - - 0 1",
        "8/8/8/1k6/2pP4/8/8/4K3 b - d3 0 1",
        "8/8/8/2k5/8/8/3P4/KB6 w - - 0 1",
    ];
    for fen in fens {
        let position = Position::from_fen(Game::default(), fen).unwrap();
        let board = position.board();
        let [king, queen, rook, bishop, knight, pawn] =
            Bitboards::PIECE_TYPES.map(|piece_type| board.piece_type(piece_type).0 as u64);
        let mut root = MaybeUninit::uninit();
        let mut allocated = 0;
        for _ in 0..3 {
            let before = ALLOCATIONS.get();
            // SAFETY: the tablebase is open, and there is room for the answer.
            let status = unsafe {
                retrograde_probe_root(
                    tables,
                    board.by(Colour::White).0 as u64,
                    board.by(Colour::Black).0 as u64,
                    king,
                    queen,
                    rook,
                    bishop,
                    knight,
                    pawn,
                    position.halfmoves(),
                    0,
                    position.ep().map_or(0, |square| square.0.into()),
                    position.turn() == Colour::White,
                    false,
                    true,
                    root.as_mut_ptr(),
                )
            };
            allocated = ALLOCATIONS.get() - before;
            assert_eq!(status, RetrogradeStatus::Ok, "{fen}");
        }
        assert_eq!(allocated, 0, "{fen}");
        // SAFETY: the call has succeeded.
        let root = unsafe { root.assume_init() };
        assert_eq!(
            root.moves_len as usize,
            position.legal_moves().len(),
            "{fen}"
        );
    }
    // SAFETY: it is open, and not used any more.
    unsafe { retrograde_close(tables) };
}
