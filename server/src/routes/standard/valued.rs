//! Gives category, DTZ and DTM as `/standard` has them, for a position asked for or after a move.

use retrograde_probe::{ProbeError, Tablebase, Value, Wdl};
use retrograde_rules::{End, Position};
use serde::Serialize;
use utoipa::ToSchema;

/// The plies within which the fifty-move rule wants a capture, a pawn move or mate.
pub(super) const LIMIT: u32 = 100;

/// The result for the side to move, from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = StandardCategory)]
pub(crate) enum Category {
    Loss,
    Unknown,
    SyzygyLoss,
    MaybeLoss,
    BlessedLoss,
    Draw,
    CursedWin,
    MaybeWin,
    SyzygyWin,
    Win,
}

impl Category {
    /// The category for the other side.
    pub(crate) fn opposite(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::Unknown => Category::Unknown,
            Category::SyzygyLoss => Category::SyzygyWin,
            Category::MaybeLoss => Category::MaybeWin,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::MaybeWin => Category::MaybeLoss,
            Category::SyzygyWin => Category::SyzygyLoss,
            Category::Win => Category::Loss,
        }
    }

    /// The category for the side that gains, at a half-move clock of `clock` that was `before` a
    /// move ago.
    fn of(value: Value, clock: u32, before: u32) -> Category {
        let gain = match (value.wdl, value.dtz) {
            (Wdl::Draw, _) => return Category::Draw,
            _ if before >= LIMIT => Category::CursedWin,
            (Wdl::CursedWin | Wdl::BlessedLoss, _) => Category::CursedWin,
            (_, Some(dtz)) if dtz.0 + clock <= LIMIT => Category::Win,
            (_, Some(_)) => Category::CursedWin,
            // Only a table of DTZ tells what the clock does.
            (_, None) if clock == 0 => Category::Win,
            (_, None) => Category::MaybeWin,
        };
        match value.wdl.number() > 0 {
            true => gain,
            false => gain.opposite(),
        }
    }
}

/// A position. Distances are negative for a loss.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Valued {
    /// Whether the side to move is mated.
    pub(crate) checkmate: bool,
    /// Whether it is stalemated.
    pub(crate) stalemate: bool,
    /// Whether the side to move has won by a rule that orthodox chess does not have.
    variant_win: bool,
    /// Whether it has lost by such a rule.
    pub(crate) variant_loss: bool,
    /// Whether neither side has the pieces to mate.
    pub(crate) insufficient_material: bool,
    /// Plies to the next capture, pawn move or mate; 100 more for a win that the fifty-move
    /// rule takes away.
    pub(crate) dtz: Option<i32>,
    /// Equal to `dtz`, which is never rounded.
    precise_dtz: Option<i32>,
    /// Plies to mate, or whatever else wins, the fifty-move rule apart; 0 for a draw, null if the
    /// game has been won.
    pub(crate) dtm: Option<i32>,
    /// Always null: no table has it.
    dtw: Option<i32>,
    /// Always null: no table has it.
    dtc: Option<i32>,
    /// The result at the half-move clock.
    pub(crate) category: Category,
}

impl Valued {
    /// Looks a position up; `before` is the half-move clock a move ago.
    ///
    /// # Errors
    ///
    /// A table is damaged.
    pub(crate) fn of(
        tables: &Tablebase,
        position: &Position,
        before: u32,
    ) -> Result<Valued, ProbeError> {
        let value = match tables.value(position) {
            Err(error) if error.is_unknown() => None,
            value => Some(value?),
        };
        let end = position.end();
        let is_mate = matches!(end, Some(End::Checkmate | End::CheckmateWins));
        let winner = end.and_then(|end| end.winner(position.turn()));
        let variant_winner = winner.filter(|_| !is_mate);
        let dtz = value.and_then(Value::signed_dtz);
        let category = value.map(|value| Category::of(value, position.halfmoves(), before));
        Ok(Valued {
            checkmate: is_mate,
            stalemate: matches!(end, Some(End::Stalemate { .. })),
            variant_win: variant_winner == Some(position.turn()),
            variant_loss: variant_winner == Some(position.turn().other()),
            insufficient_material: position.dead() == Some(true),
            dtz,
            precise_dtz: dtz,
            dtm: value.and_then(signed_dtm),
            dtw: None,
            dtc: None,
            category: category.unwrap_or(Category::Unknown),
        })
    }
}

/// The distance of [`Value::signed_dtm`]; `None` once the game has been won.
fn signed_dtm(value: Value) -> Option<i32> {
    value
        .signed_dtm()
        .filter(|&plies| plies != 0 || value.wdl == Wdl::Draw)
}
