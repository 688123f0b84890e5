//! Plays the main line of a position by distance to zeroing, for `/standard/mainline`.

use std::cmp::Reverse;

use retrograde_probe::{Metric, ProbeError, Tablebase, Value, Wdl};
use retrograde_rules::{Colour, Move, Position};
use serde::Serialize;
use utoipa::ToSchema;

use super::valued::LIMIT;

/// A line of play.
#[derive(Serialize, ToSchema)]
pub(crate) struct Mainline {
    /// The moves; none for a draw.
    mainline: Vec<Step>,
    /// `w` or `b` if the line ends with a win.
    winner: Option<char>,
    /// Plies to the next capture, pawn move or mate, as in `/standard`.
    dtz: i32,
    /// Equal to `dtz`.
    precise_dtz: Option<i32>,
}

/// A move of the line.
#[derive(Serialize, ToSchema)]
struct Step {
    /// The move in UCI's long form.
    uci: String,
    /// The move in algebraic notation.
    san: String,
    /// Plies from the position after the move, as in `/standard`, for the side that answers it.
    dtz: i32,
    /// Equal to `dtz`.
    precise_dtz: Option<i32>,
}

impl Mainline {
    /// # Errors
    /// A table is missing or damaged, or no table can have the position.
    pub(crate) fn of(tables: &Tablebase, start: &Position) -> Result<Mainline, ProbeError> {
        let first = dtz(tables, start, tables.value(start)?)?;
        let (mut position, mut steps) = (*start, Vec::new());
        // The fifty-move rule ends a game that nobody claims to be drawn earlier.
        while first != 0 && position.halfmoves() < LIMIT {
            let Some((mv, after)) = best(tables, &position)? else {
                break;
            };
            steps.push(Step {
                uci: position.uci(mv),
                san: position.san(mv),
                dtz: after,
                precise_dtz: Some(after),
            });
            position = position.play(mv);
        }
        let winner = position.end().and_then(|end| end.winner(position.turn()));
        Ok(Mainline {
            mainline: steps,
            winner: winner.map(|colour| match colour {
                Colour::White => 'w',
                Colour::Black => 'b',
            }),
            dtz: first,
            precise_dtz: Some(first),
        })
    }
}

/// The signed distance, which must be known.
fn dtz(tables: &Tablebase, position: &Position, value: Value) -> Result<i32, ProbeError> {
    value
        .signed_dtz()
        .ok_or_else(|| tables.missing(&position.material(), Some(Metric::Dtz)))
}

/// The best move, and the distance after it: by result, mates first; then zeroing moves for who
/// wins, the others for who loses; then the distance.
fn best(tables: &Tablebase, position: &Position) -> Result<Option<(Move, i32)>, ProbeError> {
    let mut best = None;
    for &mv in &position.legal_moves() {
        let after = position.play(mv);
        let value = tables.value(&after)?;
        let plies = dtz(tables, &after, value)?;
        let is_mate = value.wdl == Wdl::Loss && after.end().is_some();
        let rank = (
            value.wdl.number(),
            Reverse(is_mate),
            mv.is_zeroing() != (plies < 0),
            Reverse(plies),
            position.uci(mv),
        );
        if best.as_ref().is_none_or(|(least, _)| rank < *least) {
            best = Some((rank, (mv, plies)));
        }
    }
    Ok(best.map(|(_, found)| found))
}
