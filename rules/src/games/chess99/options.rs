//! The rule options of Chess 99.

use crate::game::GameError;
use crate::options::{GameOption, GivenOptions, OptionValues, switch};
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
        GameOption {
            name: "castling",
            values: OptionValues::SWITCH,
            default: "on",
        },
        GameOption {
            name: "deferred-promotion",
            values: OptionValues::SWITCH,
            default: "on",
        },
        GameOption {
            name: "ep-by",
            values: OptionValues::OneOf(&["any", "pawn"]),
            default: "any",
        },
        GameOption {
            name: "king-capture-in-check",
            values: OptionValues::OneOf(&["draw", "win"]),
            default: "draw",
        },
    ];

    /// The game with the given options changed.
    pub(in crate::games) fn with_options(
        self,
        options: &GivenOptions,
    ) -> Result<Chess99, GameError> {
        Ok(Chess99 {
            king_capture_in_check: options.choose(
                "king-capture-in-check",
                self.king_capture_in_check,
                |value| match value {
                    "draw" => Some(CaptureInCheck::Draw),
                    "win" => Some(CaptureInCheck::Win),
                    _ => None,
                },
            )?,
            ep_by: options.choose("ep-by", self.ep_by, |value| match value {
                "any" => Some(EpBy::Any),
                "pawn" => Some(EpBy::Pawn),
                _ => None,
            })?,
            deferred_promotion: options.choose(
                "deferred-promotion",
                self.deferred_promotion,
                switch,
            )?,
            castling: options.choose("castling", self.castling, switch)?,
        })
    }

    /// The options that differ from their defaults, sorted.
    pub(super) fn texts(self) -> Vec<String> {
        let mut texts = Vec::new();
        if !self.castling {
            texts.push("castling=off".to_owned());
        }
        if !self.deferred_promotion {
            texts.push("deferred-promotion=off".to_owned());
        }
        if self.ep_by == EpBy::Pawn {
            texts.push("ep-by=pawn".to_owned());
        }
        if self.king_capture_in_check == CaptureInCheck::Win {
            texts.push("king-capture-in-check=win".to_owned());
        }
        texts
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
