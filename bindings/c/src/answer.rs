//! Probes a position of any game, given as a FEN, for C: fills a struct or returns JSON text.
#![allow(unsafe_code, reason = "pointers come from C")]

use std::ffi::{CString, c_char};

use retrograde_probe::object::{AnswerObject, Include, RefusalObject};
use retrograde_probe::{Extra, Facts, ProbeError, Tablebase, Value};
use retrograde_rules::{Colour, Position, VitalityRules};
use serde_json::to_string;

use crate::board::number;
use crate::error::{Failure, RetrogradeStatus, advised, guarded};
use crate::handle::{RetrogradeTablebase, tablebase, text};

/// Stands for a number that is not known, or that there is none of.
pub const RETROGRADE_UNKNOWN: i32 = i32::MIN;

/// The most vitality that a side can have in any game.
pub const RETROGRADE_MOST_VITALITY: usize = 100;

/// The most thresholds that there are: in some games sides can have no points, too.
pub const RETROGRADE_MOST_THRESHOLDS: usize = 101;

const _: () = assert!(RETROGRADE_MOST_VITALITY == VitalityRules::MOST as usize);
const _: () = assert!(RETROGRADE_MOST_THRESHOLDS == RETROGRADE_MOST_VITALITY + 1);

/// The answer about a position.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetrogradeAnswer {
    /// The result for the side to move, at the half-move clock: 2 win, 1 cursed win, 0 draw, -1
    /// blessed loss, -2 loss.
    pub wdl: i32,
    /// The category with the clock at 0; `RETROGRADE_UNKNOWN` where no table has the position and
    /// its moves tell only what holds at its clock.
    pub wdl_at_clock_0: i32,
    /// Plies to the end with best play, not negative; `RETROGRADE_UNKNOWN` for a draw,
    /// in games with vitality, and without a depth table.
    pub depth_plies: i32,
    /// Plies to the next capture, pawn move or mate, not negative;
    /// `RETROGRADE_UNKNOWN` for a draw, and without the fifty-move rule.
    pub dtz_plies: i32,
    /// Whether the side to move is attacked.
    pub check: bool,
    /// Whether it is mated.
    pub checkmate: bool,
    /// Whether it is stalemated.
    pub stalemate: bool,
    /// Whether the game has ended, by mate or otherwise.
    pub ended: bool,
    /// Whether the fields that follow mean anything: in games with vitality. In other games all are
    /// 0.
    pub has_vitality: bool,
    /// White's points.
    pub white: u8,
    /// Black's points.
    pub black: u8,
    /// The points that White needs to win; one more than all for never.
    pub white_needs: u8,
    /// The points that Black needs to win.
    pub black_needs: u8,
    /// The points with which White forces mate; 0 without a table of mates.
    pub white_mates: u8,
    /// The points with which Black forces mate; 0 without a table of mates.
    pub black_mates: u8,
    /// The number of thresholds: as many as different points that Black can have.
    pub thresholds_len: u8,
    /// The least vitality with which White wins, for each vitality of Black from the fewest points
    /// that it can have, which is 1 unless High pays, too.
    pub thresholds: [u8; RETROGRADE_MOST_THRESHOLDS],
}

impl RetrogradeAnswer {
    fn new(position: &Position, answer: &retrograde_probe::Answer) -> RetrogradeAnswer {
        let Value { wdl, dtm, dtz } = answer.value;
        let plies = |plies: Option<u32>| {
            let plies = plies.and_then(|plies| i32::try_from(plies).ok());
            plies.unwrap_or(RETROGRADE_UNKNOWN)
        };
        let Facts {
            check,
            checkmate,
            stalemate,
            end,
            ..
        } = answer.facts;
        let mut told = RetrogradeAnswer {
            wdl: number(wdl),
            wdl_at_clock_0: match answer.extra {
                Extra::Clock { wdl_at_clock_0 } => number(wdl_at_clock_0),
                // The moves of a position without a table need not tell.
                _ if position.game().zeroing_limit().is_some() => RETROGRADE_UNKNOWN,
                _ => number(wdl),
            },
            depth_plies: plies(dtm.map(u32::from)),
            dtz_plies: plies(dtz.map(u32::from)),
            check,
            checkmate,
            stalemate,
            ended: end.is_some(),
            has_vitality: false,
            white: 0,
            black: 0,
            white_needs: 0,
            black_needs: 0,
            white_mates: 0,
            black_mates: 0,
            thresholds_len: 0,
            thresholds: [0; RETROGRADE_MOST_THRESHOLDS],
        };
        if let (Extra::Vitality { answer, .. }, Some(counters)) =
            (answer.extra, position.vitality())
        {
            told.has_vitality = true;
            (told.white, told.black) = (counters.white, counters.black);
            told.white_needs = answer.needs(Colour::White, counters);
            told.black_needs = answer.needs(Colour::Black, counters);
            [told.white_mates, told.black_mates] = answer.mates.unwrap_or_default();
            told.thresholds_len = answer.curve.iter().take(told.thresholds.len()).count() as u8;
            for (place, threshold) in told.thresholds.iter_mut().zip(answer.curve.iter()) {
                *place = threshold;
            }
        }
        told
    }
}

/// Looks up a position of any game, given as a FEN. With a clock other than 0, orthodox chess takes
/// the DTZ table as well as the WDL table. If the call fails, `answer` is left as it was.
///
/// # Safety
/// The tablebase is null or open; the text is null or ends with a 0; `answer` is null or a
/// place for an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_probe_fen(
    tablebase: *const RetrogradeTablebase,
    fen: *const c_char,
    answer: *mut RetrogradeAnswer,
) -> RetrogradeStatus {
    guarded(|| {
        // SAFETY: the caller promises it.
        let tables = &unsafe { self::tablebase(tablebase) }?.tables;
        // SAFETY: the caller promises it.
        let fen = unsafe { text(fen) }?;
        if answer.is_null() {
            return Err(Failure::Usage("the place for the answer is null"));
        }
        let position = Position::from_fen(tables.game(), fen)?;
        let told = RetrogradeAnswer::new(&position, &tables.probe(&position)?);
        // SAFETY: the caller promises that it is a place for one, which need not hold
        // one yet.
        unsafe { answer.write(told) };
        Ok(())
    })
}

/// Gives the answer about a position as the line of JSON that the program prints: `retrograde probe
/// --json`, with `--moves` and `--line` if they are wanted. Where a table is missing or damaged, or
/// none can have the position, the line says so and what the rules know; of a bad FEN it says what
/// is wrong; the status is that of the failure. The text must be given back to
/// `retrograde_free_string`; it is null only where a pointer was, where the FEN is not UTF-8, and
/// after a fault in the library itself.
///
/// # Safety
/// The tablebase is null or open; the text is null or ends with a 0; `json` is null or a
/// place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_probe_json(
    tablebase: *const RetrogradeTablebase,
    fen: *const c_char,
    moves: bool,
    line: bool,
    json: *mut *mut c_char,
) -> RetrogradeStatus {
    guarded(|| {
        if json.is_null() {
            return Err(Failure::Usage("the place for the text is null"));
        }
        // SAFETY: the caller promises that it is a place for a pointer, which need not hold
        // one yet; here and below.
        unsafe { json.write(std::ptr::null_mut()) };
        // SAFETY: the caller promises it.
        let tables = &unsafe { self::tablebase(tablebase) }?.tables;
        // SAFETY: the caller promises it.
        let fen = unsafe { text(fen) }?;
        let (written, failure) = match said(tables, fen, Include { moves, line }) {
            Ok((object, error)) => (to_string(&object), error.map(Failure::Probe)),
            Err(failure) => {
                let error = failure.object();
                (to_string(&RefusalObject::new(fen, error)), Some(failure))
            }
        };
        let written = written.map_err(|error| Failure::Fault(error.to_string()))?;
        let written = CString::new(written);
        let written = written.map_err(|error| Failure::Fault(error.to_string()))?;
        // SAFETY: see above.
        unsafe { json.write(written.into_raw()) };
        failure.map_or(Ok(()), Err)
    })
}

/// The answer about a FEN, and the reason why no table says more.
fn said(
    tables: &Tablebase,
    fen: &str,
    include: Include,
) -> Result<(AnswerObject, Option<ProbeError>), Failure> {
    let position = Position::from_fen(tables.game(), fen)?;
    let mut why = None;
    let found = tables.answer_object(&position, include, |error| {
        why = Some(error.clone());
        advised(error)
    });
    match found {
        Ok(object) => Ok((object, why)),
        Err(error) => {
            let mut object = by_rules(&position, fen, include)?;
            object.error = Some(advised(&error));
            Ok((object, Some(error)))
        }
    }
}

/// The answer of the rules alone, where a table is damaged: then no table is relied on.
fn by_rules(position: &Position, fen: &str, include: Include) -> Result<AnswerObject, Failure> {
    let mut object = AnswerObject::new(position, &Facts::of(position), None);
    fen.clone_into(&mut object.fen);
    if include.moves {
        let no_tables = Tablebase::empty(position.game());
        object = object.with_moves(position, &no_tables.moves(position)?);
    }
    if include.line {
        object = object.with_line(position, None);
    }
    Ok(object)
}

/// Gives a text back. Null is allowed.
///
/// # Safety
/// It is null, or comes from `retrograde_probe_json`, `retrograde_legal_moves` or
/// `retrograde_play` and has not been given back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_free_string(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller promises that it was made there.
        drop(unsafe { CString::from_raw(text) });
    }
}
