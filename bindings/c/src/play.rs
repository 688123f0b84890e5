//! Lists the legal moves of a position of any game, and plays one, for C; it needs no tables.
#![allow(unsafe_code, reason = "pointers come from C")]

use std::ffi::{CString, c_char};

use retrograde_rules::Position;

use crate::error::{Failure, RetrogradeStatus, guarded};
use crate::handle::{RetrogradeTablebase, tablebase, text};

/// Says something about a position, as a text in C.
///
/// # Safety
/// The tablebase is null or open; the text is null or ends with a 0; `place` is null or a
/// place for a pointer.
unsafe fn say(
    tablebase: *const RetrogradeTablebase,
    fen: *const c_char,
    place: *mut *mut c_char,
    what: impl FnOnce(&Position) -> Result<String, Failure>,
) -> RetrogradeStatus {
    guarded(|| {
        if place.is_null() {
            return Err(Failure::Usage("the place for the text is null"));
        }
        // SAFETY: the caller promises that it is a place for a pointer, which need not hold
        // one yet; here and below.
        unsafe { place.write(std::ptr::null_mut()) };
        // SAFETY: the caller promises it.
        let game = unsafe { self::tablebase(tablebase) }?.tables.game();
        // SAFETY: the caller promises it.
        let position = Position::from_fen(game, unsafe { text(fen) }?)?;
        let said = CString::new(what(&position)?);
        let said = said.map_err(|error| Failure::Fault(error.to_string()))?;
        // SAFETY: see above.
        unsafe { place.write(said.into_raw()) };
        Ok(())
    })
}

/// The legal moves of a position, in UCI's long form and alphabetical order, with a space
/// between two; empty if there are none. No table is needed. The text must be given back to
/// `retrograde_free_string`; it is null if the call fails.
///
/// # Safety
/// The tablebase is null or open; the text is null or ends with a 0; `moves` is null or a
/// place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_legal_moves(
    tablebase: *const RetrogradeTablebase,
    fen: *const c_char,
    moves: *mut *mut c_char,
) -> RetrogradeStatus {
    // SAFETY: the caller promises it.
    unsafe {
        say(tablebase, fen, moves, |position| {
            let moves = position.legal_moves();
            let mut moves: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
            moves.sort_unstable();
            Ok(moves.join(" "))
        })
    }
}

/// The FEN of the position after a legal move, which is given in UCI's long form. No table
/// is needed. The text must be given back to `retrograde_free_string`; it is null if the call
/// fails.
///
/// # Safety
/// The tablebase is null or open; texts are null or end with a 0; `after` is null or a place
/// for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_play(
    tablebase: *const RetrogradeTablebase,
    fen: *const c_char,
    uci: *const c_char,
    after: *mut *mut c_char,
) -> RetrogradeStatus {
    // SAFETY: the caller promises it.
    unsafe {
        say(tablebase, fen, after, |position| {
            let mv = position.parse_uci(text(uci)?)?;
            Ok(position.play(mv).fen())
        })
    }
}
