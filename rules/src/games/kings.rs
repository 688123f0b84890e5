//! Kings and wild 9 (K1-K7): orthodox chess in which a side may have several kings. One
//! of them is royal, depending on where they stand. Also on larger boards.

mod options;

use super::{Orthodox, Rules, mating};
use crate::board::Board;
use crate::castling::{Castling, CastlingSafety, Field};
use crate::features::{KingOrder, Royalty};
use crate::game::{Interchange, Symmetry};
use crate::geometry::Geometry;
use crate::material::Material;
use crate::moves::MoveList;
use crate::options::{ChosenOption, GameOption};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::powers::Powers;
use crate::reach::{self, Reach};
use crate::square::{Square, SquareSet};

pub use options::{BlackCorner, Kings, KingsBoard, SpareKing, TieBreak};

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

impl Rules for Kings {
    fn name(&self) -> &'static str {
        if self.wild_9 { "wild9" } else { "kings" }
    }

    fn other_names(&self) -> &'static [&'static str] {
        if self.wild_9 { &["twokings"] } else { &[] }
    }

    fn options(&self) -> Vec<ChosenOption> {
        if self.wild_9 {
            Vec::new()
        } else {
            self.chosen()
        }
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

    #[inline]
    fn has_quick_move(&self, position: &Position) -> bool {
        mating::has_quick_move(self, position)
    }
}
