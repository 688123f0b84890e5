//! The rule options of Chess 99.

use crate::game::GameError;
use crate::options::{Choice, ChosenOption, GameOption, GivenOptions};
use crate::piece::PieceType;

/// Chess 99 with its rule options.
///
/// ```
/// use retrograde_rules::{CaptureInCheck, Chess99, EpBy, Game};
///
/// let Game::Chess99(rules) = Game::parse("chess99:ep-by=pawn")? else {
///     unreachable!()
/// };
/// assert_eq!(rules, Chess99::default().with_ep_by(EpBy::Pawn));
/// assert_eq!(rules.king_capture_in_check(), CaptureInCheck::Draw);
/// # Ok::<(), retrograde_rules::GameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chess99 {
    king_capture_in_check: CaptureInCheck,
    ep_by: EpBy,
    deferred_promotion: bool,
    castling: bool,
}

/// The outcome of capturing the king if one's own is attacked afterwards (C2): the
/// option `king-capture-in-check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CaptureInCheck {
    /// A draw.
    #[default]
    Draw,
    /// A win, like every other capture of the king.
    Win,
}

/// Who may capture en passant (C6): the option `ep-by`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EpBy {
    /// Every piece that could capture on the square passed over, kings included.
    #[default]
    Any,
    /// Only pawns, by their own diagonal step; not a pawn that waits on the last rank.
    Pawn,
}

const CASTLING: Choice<bool> = Choice::switch("castling", true);
const DEFERRED_PROMOTION: Choice<bool> = Choice::switch("deferred-promotion", true);
const EP_BY: Choice<EpBy> = Choice::new("ep-by", &["any", "pawn"], &[EpBy::Any, EpBy::Pawn]);
const KING_CAPTURE_IN_CHECK: Choice<CaptureInCheck> = Choice::new(
    "king-capture-in-check",
    &["draw", "win"],
    &[CaptureInCheck::Draw, CaptureInCheck::Win],
);

impl Chess99 {
    /// Chess 99 without options.
    pub const DEFAULT: Chess99 = Chess99 {
        king_capture_in_check: CaptureInCheck::Draw,
        ep_by: EpBy::Any,
        deferred_promotion: true,
        castling: true,
    };

    pub(super) const NAME: &'static str = "chess99";

    /// What pawns become (C5).
    pub(super) const PROMOTIONS: &'static [PieceType] = &[PieceType::Bishop, PieceType::Knight];

    pub(super) const OFFERS: &'static [GameOption] = &[
        CASTLING.offer,
        DEFERRED_PROMOTION.offer,
        EP_BY.offer,
        KING_CAPTURE_IN_CHECK.offer,
    ];

    /// The game with the given options changed.
    pub(in crate::games) fn with_options(
        self,
        options: &GivenOptions,
    ) -> Result<Chess99, GameError> {
        Ok(Chess99 {
            king_capture_in_check: KING_CAPTURE_IN_CHECK
                .read(options, self.king_capture_in_check)?,
            ep_by: EP_BY.read(options, self.ep_by)?,
            deferred_promotion: DEFERRED_PROMOTION.read(options, self.deferred_promotion)?,
            castling: CASTLING.read(options, self.castling)?,
        })
    }

    /// The options that differ from their defaults, sorted.
    pub(super) fn chosen(self) -> Vec<ChosenOption> {
        let chosen = [
            CASTLING.chosen(self.castling),
            DEFERRED_PROMOTION.chosen(self.deferred_promotion),
            EP_BY.chosen(self.ep_by),
            KING_CAPTURE_IN_CHECK.chosen(self.king_capture_in_check),
        ];
        chosen.into_iter().flatten().collect()
    }

    /// The outcome of capturing the king if one's own is attacked afterwards (C2).
    #[inline]
    pub const fn king_capture_in_check(self) -> CaptureInCheck {
        self.king_capture_in_check
    }

    /// Who may capture en passant (C6).
    #[inline]
    pub const fn ep_by(self) -> EpBy {
        self.ep_by
    }

    /// Whether a pawn may wait on its last rank and promote later, with a move
    /// (C5). If not, it promotes on arrival, and no pawn stands there.
    #[inline]
    pub const fn has_deferred_promotion(self) -> bool {
        self.deferred_promotion
    }

    /// Whether there is castling (C7).
    #[inline]
    pub const fn has_castling(self) -> bool {
        self.castling
    }

    /// With another value of `king-capture-in-check` (C2).
    #[must_use]
    pub const fn with_king_capture_in_check(self, value: CaptureInCheck) -> Chess99 {
        Chess99 {
            king_capture_in_check: value,
            ..self
        }
    }

    /// With another value of `ep-by` (C6).
    #[must_use]
    pub const fn with_ep_by(self, ep_by: EpBy) -> Chess99 {
        Chess99 { ep_by, ..self }
    }

    /// With another value of `deferred-promotion` (C5).
    #[must_use]
    pub const fn with_deferred_promotion(self, on: bool) -> Chess99 {
        Chess99 {
            deferred_promotion: on,
            ..self
        }
    }

    /// With another value of `castling` (C7).
    #[must_use]
    pub const fn with_castling(self, on: bool) -> Chess99 {
        Chess99 {
            castling: on,
            ..self
        }
    }
}

impl Default for Chess99 {
    fn default() -> Chess99 {
        Chess99::DEFAULT
    }
}
