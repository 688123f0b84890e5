//! Lists the words that text fields of the objects can hold, for schemas of the interface.
//!
//! The objects have them as text.

use utoipa::ToSchema;

/// A result.
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

/// A kind of win in a game with vitality.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only described")]
pub(super) enum WinBy {
    Mate,
    Exhaustion,
}

/// An end of a game.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[allow(dead_code, reason = "only described")]
pub(super) enum End {
    Checkmate,
    Stalemate,
    Exhaustion,
    Blocked,
    Extinction,
    Bare,
    Explosion,
    Hill,
    KingCapture,
    KingCaptureDraw,
    KingCaptureLoss,
}
