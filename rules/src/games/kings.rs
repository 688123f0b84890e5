//! Kings and wild 9 (K1-K7): orthodox chess in which a side may have several kings. One
//! of them is royal, depending on where they stand. Also on larger boards.

use super::{Orthodox, Rules, mating};
use crate::board::Board;
use crate::castling::{Castling, CastlingSafety, Field};
use crate::features::{KingOrder, Royalty};
use crate::game::{GameError, Interchange, Symmetry};
use crate::geometry::Geometry;
use crate::material::Material;
use crate::moves::MoveList;
use crate::options::{GameOption, GivenOptions, OptionValues, switch};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::powers::Powers;
use crate::reach::{self, Reach};
use crate::square::{Square, SquareSet};

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
    wild_9: bool,
    /// The options in the order of their names.
    black_corner: BlackCorner,
    board: KingsBoard,
    chancellor: bool,
    promote_to_king: bool,
    spare_king: SpareKing,
    tie_break: TieBreak,
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

/// The piece types with chancellors (K7).
const PIECE_TYPES: &[PieceType] = &[
    PieceType::King,
    PieceType::Queen,
    PieceType::Chancellor,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
    PieceType::Pawn,
];

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

    /// Either king, once it is royal, with either rook (X2).
    const CASTLING: Castling = Castling {
        kings: &[3, 4],
        safety: CastlingSafety::Royal,
        field: Field::Files,
        writes_o_o: false,
        ..Castling::ORTHODOX
    };

    /// The same on ten files; that the king moves two squares is a reading.
    const CASTLING_10X8: Castling = Castling {
        kings: &[4, 5],
        rooks: &[0, 9],
        ..Kings::CASTLING
    };

    /// On ten ranks kings and rooks start on the second, and the king goes
    /// three squares.
    const CASTLING_10X10: Castling = Castling {
        rank: 1,
        leap: 3,
        ..Kings::CASTLING_10X8
    };

    /// Only the king on the e-file, with the rook on the a-file (X3).
    const WILD_9_CASTLING: Castling = Castling {
        kings: &[4],
        rooks: &[0],
        field: Field::Sides,
        all_kings: Some(&[4, 5]),
        ..Kings::CASTLING
    };

    const OFFERS: &'static [GameOption] = &[
        GameOption {
            name: "black-corner",
            values: OptionValues::OneOf(&["a8", "h8"]),
            default: "a8",
        },
        GameOption {
            name: "board",
            values: OptionValues::OneOf(&["8x8", "10x8", "10x10"]),
            default: "8x8",
        },
        GameOption {
            name: "chancellor",
            values: OptionValues::SWITCH,
            default: "off",
        },
        GameOption {
            name: "promote-to-king",
            values: OptionValues::SWITCH,
            default: "on",
        },
        GameOption {
            name: "spare-king",
            values: OptionValues::OneOf(&["king", "queen", "duke"]),
            default: "king",
        },
        GameOption {
            name: "tie-break",
            values: OptionValues::OneOf(&["home", "rank1"]),
            default: "home",
        },
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
    pub(super) fn with_options(self, options: &GivenOptions) -> Result<Kings, GameError> {
        let rules = Kings {
            black_corner: options.choose(
                "black-corner",
                self.black_corner,
                |value| match value {
                    "a8" => Some(BlackCorner::A8),
                    "h8" => Some(BlackCorner::H8),
                    _ => None,
                },
            )?,
            promote_to_king: options.choose("promote-to-king", self.promote_to_king, switch)?,
            spare_king: options.choose("spare-king", self.spare_king, |value| match value {
                "king" => Some(SpareKing::King),
                "queen" => Some(SpareKing::Queen),
                "duke" => Some(SpareKing::Duke),
                _ => None,
            })?,
            tie_break: options.choose("tie-break", self.tie_break, |value| match value {
                "home" => Some(TieBreak::Home),
                "rank1" => Some(TieBreak::Rank1),
                _ => None,
            })?,
            ..self
        };
        let board = options.choose("board", self.board, |value| match value {
            "8x8" => Some(KingsBoard::Eight),
            "10x8" => Some(KingsBoard::TenByEight),
            "10x10" => Some(KingsBoard::Ten),
            _ => None,
        })?;
        let chancellor = options.choose("chancellor", self.chancellor, switch)?;
        rules
            .with_board(board, chancellor)
            .ok_or(GameError::NeededOption {
                game: self.name(),
                option: "chancellor=on",
                needs: "ten files, board=10x8 or board=10x10",
            })
    }

    /// Whether this is wild 9.
    pub const fn is_wild_9(self) -> bool {
        self.wild_9
    }

    /// The corner that Black's royal king is nearest to.
    pub const fn black_corner(self) -> BlackCorner {
        self.black_corner
    }

    /// The board.
    pub const fn board(self) -> KingsBoard {
        self.board
    }

    /// Whether there are chancellors.
    pub const fn has_chancellor(self) -> bool {
        self.chancellor
    }

    /// Whether a pawn may become a king (K4).
    pub const fn promotes_to_king(self) -> bool {
        self.promote_to_king
    }

    /// How spare kings move.
    pub const fn spare_king(self) -> SpareKing {
        self.spare_king
    }

    /// Which of several kings on the decisive file is royal.
    pub const fn tie_break(self) -> TieBreak {
        self.tie_break
    }

    /// The royal king of a side whose kings stand on these squares (K1); `None` if there
    /// is no king.
    #[inline]
    pub fn royal(self, colour: Colour, kings: SquareSet) -> Option<Square> {
        let geometry = self.geometry();
        let by_file = |square: Square| {
            let (file, rank) = (geometry.file(square), geometry.rank(square));
            let file = match (colour, self.black_corner) {
                (Colour::White, _) | (Colour::Black, BlackCorner::A8) => file,
                (Colour::Black, BlackCorner::H8) => geometry.files - 1 - file,
            };
            let rank = match (colour, self.tie_break) {
                (Colour::White, _) | (Colour::Black, TieBreak::Rank1) => rank,
                (Colour::Black, TieBreak::Home) => geometry.ranks - 1 - rank,
            };
            (file, rank)
        };
        match kings.len() {
            0 | 1 => kings.first(),
            _ => kings.min_by_key(|&king| by_file(king)),
        }
    }

    /// Whether a side of a material has several kings or can get them by promotion. If
    /// not, the material is one of orthodox chess: nothing that these games add can
    /// occur.
    pub fn has_spare_kings(self, material: &Material) -> bool {
        let count = |colour, piece_type| material.count(Piece::new(colour, piece_type));
        Colour::BOTH.into_iter().any(|colour| {
            let pawns = self.promote_to_king && count(colour, PieceType::Pawn) > 0;
            count(colour, PieceType::King) > 1 || pawns
        })
    }
}

impl Default for Kings {
    fn default() -> Kings {
        Kings::DEFAULT
    }
}

impl Rules for Kings {
    fn name(&self) -> &'static str {
        if self.wild_9 { "wild9" } else { "kings" }
    }

    fn other_names(&self) -> &'static [&'static str] {
        if self.wild_9 { &["twokings"] } else { &[] }
    }

    fn options(&self) -> Vec<String> {
        if self.wild_9 {
            return Vec::new();
        }
        let mut options = Vec::new();
        if self.black_corner == BlackCorner::H8 {
            options.push("black-corner=h8".to_owned());
        }
        match self.board {
            KingsBoard::Eight => {}
            KingsBoard::TenByEight => options.push("board=10x8".to_owned()),
            KingsBoard::Ten => options.push("board=10x10".to_owned()),
        }
        if self.chancellor {
            options.push("chancellor=on".to_owned());
        }
        if !self.promote_to_king {
            options.push("promote-to-king=off".to_owned());
        }
        match self.spare_king {
            SpareKing::King => {}
            SpareKing::Queen => options.push("spare-king=queen".to_owned()),
            SpareKing::Duke => options.push("spare-king=duke".to_owned()),
        }
        if self.tie_break == TieBreak::Rank1 {
            options.push("tie-break=rank1".to_owned());
        }
        options
    }

    fn revision(&self) -> u16 {
        1
    }

    #[inline]
    fn geometry(&self) -> Geometry {
        match self.board {
            KingsBoard::Eight => Geometry::EIGHT,
            KingsBoard::TenByEight => Geometry::TEN_BY_EIGHT,
            KingsBoard::Ten => Geometry::TEN,
        }
    }

    #[inline]
    fn reach(&self) -> &'static Reach {
        match self.board {
            KingsBoard::Eight => &reach::EIGHT,
            KingsBoard::TenByEight => &reach::TEN_BY_EIGHT,
            KingsBoard::Ten => &reach::TEN,
        }
    }

    #[inline]
    fn pawn_home(&self) -> u8 {
        match self.board {
            KingsBoard::Eight | KingsBoard::TenByEight => 1,
            KingsBoard::Ten => 2,
        }
    }

    #[inline]
    fn piece_types(&self) -> &'static [PieceType] {
        if self.chancellor {
            PIECE_TYPES
        } else {
            Orthodox.piece_types()
        }
    }

    /// Wild 9 has no options.
    fn offers(&self) -> &'static [GameOption] {
        if self.wild_9 { &[] } else { Kings::OFFERS }
    }

    fn royalty(&self) -> Royalty {
        let ways = |black: bool| if black { [1, -1] } else { [1, 1] };
        Royalty::FirstKing(KingOrder {
            files: ways(self.black_corner == BlackCorner::H8),
            ranks: ways(self.tie_break == TieBreak::Home),
            spare: match self.spare_king {
                SpareKing::King => None,
                SpareKing::Queen => Some(PieceType::Queen),
                SpareKing::Duke => Some(PieceType::Knight),
            },
        })
    }

    /// A spare king may touch the enemy's royal king, protected or not.
    fn leaders_may_touch(&self, material: &Material) -> bool {
        self.has_spare_kings(material)
    }

    #[inline]
    fn kings_a_side(&self) -> (usize, usize) {
        (1, usize::MAX)
    }

    /// Every piece type but the pawn; the king only if the options allow it.
    #[inline]
    fn promotions(&self) -> &'static [PieceType] {
        let piece_types = self.piece_types();
        &piece_types[usize::from(!self.promote_to_king)..piece_types.len() - 1]
    }

    fn symmetry(&self, material: &Material) -> Symmetry {
        if self.has_spare_kings(material) {
            Symmetry::None
        } else {
            Symmetry::of_board(self.geometry(), material.has_pawns())
        }
    }

    fn interchange(&self, material: &Material) -> Interchange {
        if !self.has_spare_kings(material) {
            return Orthodox.interchange(material);
        }
        match (self.tie_break, self.black_corner) {
            (TieBreak::Home, BlackCorner::A8) => Interchange::MirrorRanks,
            (TieBreak::Home, BlackCorner::H8) => Interchange::HalfTurn,
            // Rank 1 is the same for both sides, so pieces may not change ranks;
            // pawns have to.
            (TieBreak::Rank1, _) if material.has_pawns() => Interchange::Never,
            (TieBreak::Rank1, BlackCorner::A8) => Interchange::Plain,
            (TieBreak::Rank1, BlackCorner::H8) => Interchange::MirrorFiles,
        }
    }

    #[inline]
    fn royals(&self, board: &Board, colour: Colour) -> SquareSet {
        let kings = board.of(Piece::new(colour, PieceType::King));
        self.royal(colour, kings).into_iter().collect()
    }

    #[inline]
    fn castling(&self) -> Option<&'static Castling> {
        Some(match (self.wild_9, self.board) {
            (true, _) => &Kings::WILD_9_CASTLING,
            (_, KingsBoard::Eight) => &Kings::CASTLING,
            (_, KingsBoard::TenByEight) => &Kings::CASTLING_10X8,
            (_, KingsBoard::Ten) => &Kings::CASTLING_10X10,
        })
    }

    fn array(&self) -> &'static str {
        match (self.wild_9, self.board, self.chancellor) {
            (true, ..) => "rnbqkknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKKNR w Qq -",
            (_, KingsBoard::Eight, _) => "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w ADEHadeh -",
            (_, KingsBoard::TenByEight, false) => {
                "rnbqkkqbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKKQBNR w AEFJaefj -"
            }
            // The chancellor takes the place of the queen on the g-file (K7).
            (_, KingsBoard::TenByEight, true) => {
                "rnbqkkcbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKKCBNR w AEFJaefj -"
            }
            (_, KingsBoard::Ten, false) => {
                "10/rnbqkkqbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKKQBNR/10 w AEFJaefj -"
            }
            (_, KingsBoard::Ten, true) => {
                "10/rnbqkkcbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKKCBNR/10 w AEFJaefj -"
            }
        }
    }

    #[inline]
    fn powers(&self, board: &Board, colour: Colour) -> Powers {
        let mut powers = Orthodox.powers(board, colour);
        if self.chancellor {
            let chancellors = board.of(Piece::new(colour, PieceType::Chancellor));
            powers.straight |= chancellors;
            powers.knight |= chancellors;
        }
        if self.spare_king == SpareKing::King {
            return powers;
        }
        let spare = powers.king - self.royals(board, colour);
        match self.spare_king {
            SpareKing::King => {}
            SpareKing::Queen => {
                powers.king -= spare;
                powers.diagonal |= spare;
                powers.straight |= spare;
            }
            SpareKing::Duke => powers.knight |= spare,
        }
        powers
    }

    #[inline]
    fn legal_moves(&self, position: &Position, list: &mut MoveList) {
        mating::add_moves(self, position, self.promotions(), list);
    }
}
