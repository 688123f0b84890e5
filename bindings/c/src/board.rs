//! Probes WDL, DTZ and DTM of orthodox chess from an engine's bitboards, for C.
#![allow(unsafe_code, reason = "pointers come from C")]

use retrograde_probe::{ProbeError, Unsupported, Wdl};
use retrograde_rules::{Bitboards, Colour, Game, Position, Square};

use crate::error::{Failure, RetrogradeStatus, guarded};
use crate::handle::{RetrogradeTablebase, tablebase};

/// A position as an engine has it: bit 0 is a1, bit 1 b1, bit 63 h8; e.p. 0 for none.
#[inline]
pub(crate) fn bitboards(
    [white, black]: [u64; 2],
    sets: [u64; 6],
    [rule50, castling, ep]: [u32; 3],
    turn: bool,
) -> Result<Bitboards, Failure> {
    if castling != 0 {
        let why = Unsupported::CastlingRights;
        return Err(Failure::Probe(ProbeError::Unsupported(why)));
    }
    if ep > 63 {
        return Err(Failure::Usage(
            "ep is the square that a pawn has passed over, from 1 to 63, or 0 for none",
        ));
    }
    Ok(Bitboards {
        white,
        black,
        sets,
        turn: match turn {
            true => Colour::White,
            false => Colour::Black,
        },
        ep: (ep != 0).then_some(Square(ep as u8)),
        halfmoves: rule50,
        fullmoves: 1,
    })
}

/// The number of a result: from 2 for a win to -2 for a loss.
pub(crate) fn number(wdl: Wdl) -> i32 {
    wdl.number().into()
}

/// Asks about bitboards, and writes the answer to a place in C.
///
/// # Safety
/// The tablebase is null or open; `place` is null or a place for an answer.
pub(crate) unsafe fn probe<Answer>(
    tablebase: *const RetrogradeTablebase,
    bitboards: Result<Bitboards, Failure>,
    place: *mut Answer,
    question: impl FnOnce(&retrograde_probe::Tablebase, &Position) -> Result<Answer, Failure>,
) -> RetrogradeStatus {
    guarded(|| {
        // SAFETY: the caller promises it.
        let tables = unsafe { self::tablebase(tablebase) }?;
        if place.is_null() {
            return Err(Failure::Usage("the place for the answer is null"));
        }
        let game = tables.tables.game();
        let bitboards = bitboards?;
        if game != Game::default() {
            return Err(Failure::Usage(
                "bitboards are of orthodox chess; ask for other games by FEN",
            ));
        }
        let position = Position::from_bitboards(game, &bitboards)?;
        let answer = question(&tables.tables, &position)?;
        // SAFETY: the caller promises that it is a place for one, which need not hold one yet.
        unsafe { place.write(answer) };
        Ok(())
    })
}

/// Looks up the result of a position of orthodox chess, for the side to move: 2 win, 1 cursed win,
/// 0 draw, -1 blessed loss, -2 loss. Bit 0 of a set is a1, bit 1 b1, bit 63 h8; `rule50` is the
/// half-move clock, which counts: unless it is 0, this takes the DTZ table as well as the WDL
/// table. `castling` must be 0; `ep` is the e.p. square or 0, and is ignored where no pawn can have
/// passed over it or none can capture; `turn` is true for White. A position in which the game has
/// ended, or that is a draw by the pieces alone, takes no table, nor does one whose moves settle
/// who wins. If the call fails, `wdl` is left as it was.
///
/// # Safety
/// The tablebase is null or open; `wdl` is null or a place for a number.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "engines know these by heart")]
pub unsafe extern "C" fn retrograde_probe_wdl(
    tablebase: *const RetrogradeTablebase,
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    rule50: u32,
    castling: u32,
    ep: u32,
    turn: bool,
    wdl: *mut i32,
) -> RetrogradeStatus {
    let sets = [kings, queens, rooks, bishops, knights, pawns];
    let bitboards = bitboards([white, black], sets, [rule50, castling, ep], turn);
    // SAFETY: the caller promises it.
    unsafe {
        probe(tablebase, bitboards, wdl, |tables, position| {
            Ok(number(tables.wdl(position)?))
        })
    }
}

/// Plies to the next capture, pawn move or mate with the half-move clock at 0, negative
/// for a loss, 0 for a draw; -1 if mated. Cursed results have 100 more. A draw takes the
/// WDL table alone. The arguments are those of `retrograde_probe_wdl`; there is no clock. If
/// the call fails, `dtz` is left as it was.
///
/// # Safety
/// The tablebase is null or open; `dtz` is null or a place for a number.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "engines know these by heart")]
pub unsafe extern "C" fn retrograde_probe_dtz(
    tablebase: *const RetrogradeTablebase,
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    castling: u32,
    ep: u32,
    turn: bool,
    dtz: *mut i32,
) -> RetrogradeStatus {
    let sets = [kings, queens, rooks, bishops, knights, pawns];
    let bitboards = bitboards([white, black], sets, [0, castling, ep], turn);
    // SAFETY: the caller promises it.
    unsafe {
        probe(tablebase, bitboards, dtz, |tables, position| {
            Ok(tables.signed_dtz(position)?)
        })
    }
}

/// Plies to mate, negative for a loss, 0 for a draw and if mated. The fifty-move rule is
/// left out of account. The arguments are those of `retrograde_probe_wdl`; there is no clock.
/// If the call fails, `dtm` is left as it was.
///
/// # Safety
/// The tablebase is null or open; `dtm` is null or a place for a number.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "engines know these by heart")]
pub unsafe extern "C" fn retrograde_probe_dtm(
    tablebase: *const RetrogradeTablebase,
    white: u64,
    black: u64,
    kings: u64,
    queens: u64,
    rooks: u64,
    bishops: u64,
    knights: u64,
    pawns: u64,
    castling: u32,
    ep: u32,
    turn: bool,
    dtm: *mut i32,
) -> RetrogradeStatus {
    let sets = [kings, queens, rooks, bishops, knights, pawns];
    let bitboards = bitboards([white, black], sets, [0, castling, ep], turn);
    // SAFETY: the caller promises it.
    unsafe {
        probe(tablebase, bitboards, dtm, |tables, position| {
            Ok(tables.signed_dtm(position)?)
        })
    }
}
