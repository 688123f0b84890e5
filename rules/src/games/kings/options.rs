//! The rule options of kings.

use crate::game::GameError;
use crate::games::Rules;
use crate::options::{Choice, ChosenOption, GameOption, GivenOptions};

/// Kings with its rule options (K6, K7), or wild 9, the same game with fixed options.
///
/// ```
/// use retrograde_rules::{Game, Kings, SpareKing};
///
/// let Game::Kings(rules) = Game::parse("kings:spare-king=duke")? else {
///     unreachable!()
/// };
/// assert_eq!(rules.spare_king(), SpareKing::Duke);
/// assert_eq!(Game::parse("wild9"), Ok(Game::Kings(Kings::WILD_9)));
/// # Ok::<(), retrograde_rules::GameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kings {
    pub(super) wild_9: bool,
    /// The options in the order of their names.
    pub(super) black_corner: BlackCorner,
    pub(super) board: KingsBoard,
    pub(super) chancellor: bool,
    pub(super) promote_to_king: bool,
    pub(super) spare_king: SpareKing,
    pub(super) tie_break: TieBreak,
}

/// The corner that Black's royal king is nearest to (K6): the option
/// `black-corner`. White's is a1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlackCorner {
    /// The king on the lowest file is royal, for both sides.
    #[default]
    A8,
    /// Black's royal king is the one on the highest file.
    H8,
}

/// The board (K7): the option `board`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KingsBoard {
    /// 8x8.
    #[default]
    Eight,
    /// Ten files and eight ranks.
    TenByEight,
    /// Ten files and ten ranks, pawns starting on the third.
    Ten,
}

/// How a king that is not royal moves (K6): the option `spare-king`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SpareKing {
    /// Like the royal one.
    #[default]
    King,
    /// Like a queen.
    Queen,
    /// Like a king or a knight.
    Duke,
}

/// Which of several kings on the decisive file is royal (K1): the option
/// `tie-break`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The one nearest to its owner's first rank.
    #[default]
    Home,
    /// The one nearest to rank 1, for both sides.
    Rank1,
}

const BLACK_CORNER: Choice<BlackCorner> = Choice::new(
    "black-corner",
    &["a8", "h8"],
    &[BlackCorner::A8, BlackCorner::H8],
);
const BOARD: Choice<KingsBoard> = Choice::new(
    "board",
    &["8x8", "10x8", "10x10"],
    &[KingsBoard::Eight, KingsBoard::TenByEight, KingsBoard::Ten],
);
const CHANCELLOR: Choice<bool> = Choice::switch("chancellor", false);
const PROMOTE_TO_KING: Choice<bool> = Choice::switch("promote-to-king", true);
const SPARE_KING: Choice<SpareKing> = Choice::new(
    "spare-king",
    &["king", "queen", "duke"],
    &[SpareKing::King, SpareKing::Queen, SpareKing::Duke],
);
const TIE_BREAK: Choice<TieBreak> = Choice::new(
    "tie-break",
    &["home", "rank1"],
    &[TieBreak::Home, TieBreak::Rank1],
);

impl Kings {
    /// Kings without options.
    pub const DEFAULT: Kings = Kings {
        wild_9: false,
        black_corner: BlackCorner::A8,
        board: KingsBoard::Eight,
        chancellor: false,
        promote_to_king: true,
        spare_king: SpareKing::King,
        tie_break: TieBreak::Home,
    };

    /// Wild 9 of the Internet Chess Club: ties go to the king nearest to rank
    /// 1 for both sides, and pawns do not become kings (K6).
    pub const WILD_9: Kings = Kings {
        wild_9: true,
        promote_to_king: false,
        tie_break: TieBreak::Rank1,
        ..Kings::DEFAULT
    };

    pub(super) const OFFERS: &'static [GameOption] = &[
        BLACK_CORNER.offer,
        BOARD.offer,
        CHANCELLOR.offer,
        PROMOTE_TO_KING.offer,
        SPARE_KING.offer,
        TIE_BREAK.offer,
    ];

    /// Kings with these options on the 8x8 board; `promote_to_king` says whether a pawn
    /// may become a king.
    pub const fn new(
        black_corner: BlackCorner,
        promote_to_king: bool,
        spare_king: SpareKing,
        tie_break: TieBreak,
    ) -> Kings {
        Kings {
            black_corner,
            promote_to_king,
            spare_king,
            tie_break,
            ..Kings::DEFAULT
        }
    }

    /// The same options on another board, with or without chancellors; `None`
    /// for chancellors on 8x8, and for wild 9 on any board but its own (K7).
    pub fn with_board(self, board: KingsBoard, chancellor: bool) -> Option<Kings> {
        let plain = board == KingsBoard::Eight;
        (plain && !chancellor || !plain && !self.wild_9).then_some(Kings {
            board,
            chancellor,
            ..self
        })
    }

    /// The game with the given options changed.
    pub(in crate::games) fn with_options(self, options: &GivenOptions) -> Result<Kings, GameError> {
        let rules = Kings {
            black_corner: BLACK_CORNER.read(options, self.black_corner)?,
            promote_to_king: PROMOTE_TO_KING.read(options, self.promote_to_king)?,
            spare_king: SPARE_KING.read(options, self.spare_king)?,
            tie_break: TIE_BREAK.read(options, self.tie_break)?,
            ..self
        };
        let board = BOARD.read(options, self.board)?;
        let chancellor = CHANCELLOR.read(options, self.chancellor)?;
        rules
            .with_board(board, chancellor)
            .ok_or(GameError::NeededOption {
                game: self.name(),
                option: "chancellor=on",
                needs: "ten files, board=10x8 or board=10x10",
            })
    }

    /// The options that differ from their defaults, sorted.
    pub(super) fn chosen(self) -> Vec<ChosenOption> {
        let chosen = [
            BLACK_CORNER.chosen(self.black_corner),
            BOARD.chosen(self.board),
            CHANCELLOR.chosen(self.chancellor),
            PROMOTE_TO_KING.chosen(self.promote_to_king),
            SPARE_KING.chosen(self.spare_king),
            TIE_BREAK.chosen(self.tie_break),
        ];
        chosen.into_iter().flatten().collect()
    }

    /// The corner that Black's royal king is nearest to.
    pub const fn black_corner(self) -> BlackCorner {
        self.black_corner
    }

    /// The board.
    pub const fn board(self) -> KingsBoard {
        self.board
    }

    /// How spare kings move.
    pub const fn spare_king(self) -> SpareKing {
        self.spare_king
    }

    /// Which of several kings on the decisive file is royal.
    pub const fn tie_break(self) -> TieBreak {
        self.tie_break
    }
}

impl Default for Kings {
    fn default() -> Kings {
        Kings::DEFAULT
    }
}
