//! Lists the words that text fields of the objects can hold, for schemas of the interface.
//!
//! The objects have them as text.

use utoipa::ToSchema;

/// Who wins.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only described")]
pub(super) enum Category {
    Win,
    CursedWin,
    Draw,
    BlessedLoss,
    Loss,
    Unknown,
}

/// A side.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only described")]
pub(super) enum Side {
    White,
    Black,
}

/// How a game with vitality is won.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only described")]
pub(super) enum WinBy {
    Mate,
    Exhaustion,
}

/// How a game ends.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only described")]
pub(super) enum End {
    Checkmate,
    Stalemate,
    Exhaustion,
    Blocked,
    Extinction,
    Hill,
    KingCapture,
    KingCaptureDraw,
    KingCaptureLoss,
}
