//! Single values by the tables, as users of other tablebases know them.

use retrograde_probe::{Metric, ProbeError, Tablebase, Wdl};
use retrograde_rules::{Game, Material, MoveKind, Position};

use crate::errors::Trouble;

/// The metric that says who wins.
pub(crate) fn result_metric(game: Game) -> Metric {
    match game.vitality_rules() {
        Some(_) => Metric::Thresholds,
        None => Metric::Wdl,
    }
}

/// Who wins by the tables, with the half-move clock at 0.
#[inline]
pub(crate) fn probe_wdl(tables: &Tablebase, position: &Position) -> Result<Wdl, Trouble> {
    match expect_table(tables, position, result_metric(tables.game())) {
        Ok(()) => Ok(tables.wdl(position)?),
        Err(_) if wins_by_capture(tables, position) => Ok(Wdl::Win),
        Err(trouble) => Err(trouble),
    }
}

/// The signed distance to the next zeroing move, with the half-move clock at 0.
pub(crate) fn probe_dtz(tables: &Tablebase, position: &Position) -> Result<i32, Trouble> {
    match expect_table(tables, position, Metric::Dtz) {
        Ok(()) => Ok(tables.signed_dtz(position)?),
        Err(_) if wins_by_capture(tables, position) => Ok(1),
        Err(trouble) => Err(trouble),
    }
}

/// The signed distance to the end of the game.
pub(crate) fn probe_dtm(tables: &Tablebase, position: &Position) -> Result<i32, Trouble> {
    expect_table(tables, position, Metric::Dtm)?;
    Ok(tables.signed_dtm(position)?)
}

/// Whether a capture wins, so that no table of the position itself is needed: where there
/// is the fifty-move rule, as Syzygy's tables are asked. En passant is not tried.
#[cold]
fn wins_by_capture(tables: &Tablebase, position: &Position) -> bool {
    let game = tables.game();
    let is_asked = position.castling().is_empty()
        && position.material().len() <= Material::MOST_PIECES
        && game.zeroing_limit().is_some();
    is_asked
        && position.legal_moves().iter().any(|&mv| {
            let is_capture = mv.captured.is_some() && mv.kind == MoveKind::Ordinary;
            is_capture && matches!(probe_wdl(tables, &position.play(mv)), Ok(Wdl::Loss))
        })
}

/// That there is a table of a position, even where the rules alone would know the
/// answer: who asks tables is told that one is missing.
pub(crate) fn expect_table(
    tables: &Tablebase,
    position: &Position,
    metric: Metric,
) -> Result<(), Trouble> {
    let game = tables.game();
    let material = position.material();
    // What is refused for other reasons is refused by the library.
    let is_refused = !position.castling().is_empty() || !Metric::of(game).contains(&metric);
    let is_there = || tables.table(&material, metric).map(|table| table.is_some());
    if is_refused || game.needs_no_table(&material) || is_there()? {
        return Ok(());
    }
    // The library names what is missing; where it knows better, this does.
    match tables.value(position) {
        Err(error @ (ProbeError::Missing { .. } | ProbeError::Unsupported(_))) => Err(error.into()),
        _ => Err(Trouble::from(ProbeError::Missing {
            game: game.id(),
            material: material.normal(game).0,
            metric: Some(metric),
            folders: Vec::new(),
            absent: Vec::new(),
        })),
    }
}
