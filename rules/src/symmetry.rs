//! Finds the symmetries of the board, and the swaps of colours, that keep a game's values.

use crate::betza::{Mover, Transforms};
use crate::features::{BareKings, Goal, LastOfType, Royalty};
use crate::game::Game;
use crate::geometry::{Geometry, Transform};
use crate::keys::CastlingRule;
use crate::material::Material;
use crate::piece::{Colour, Piece, PieceType};
use crate::square::{Square, SquareSet};

/// The symmetries of the board that keep a game's rules for a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// All eight symmetries.
    Full,
    /// The four that keep a rectangle: left and right may be swapped, and
    /// bottom and top.
    Rectangle,
    /// Left and right may be swapped, and nothing else.
    Files,
    /// The identity alone.
    None,
}

impl Symmetry {
    /// The symmetries of a board on which no direction but the pawns' is
    /// special.
    pub(crate) const fn of_board(geometry: Geometry, has_pawns: bool) -> Symmetry {
        if has_pawns {
            Symmetry::Files
        } else if geometry.is_square() {
            Symmetry::Full
        } else {
            Symmetry::Rectangle
        }
    }

    /// Iterates over this symmetry and those that keep less, the widest first.
    pub(crate) fn and_smaller(self) -> impl Iterator<Item = Symmetry> {
        let all = [
            Symmetry::Full,
            Symmetry::Rectangle,
            Symmetry::Files,
            Symmetry::None,
        ];
        all.into_iter()
            .skip_while(move |&symmetry| symmetry != self)
    }

    /// Iterates over the transforms of this symmetry, the identity first.
    #[inline]
    pub fn transforms(self) -> impl Iterator<Item = Transform> {
        let all = Transform::ALL.into_iter();
        all.filter(move |&transform| self.contains(transform))
    }

    /// Whether a symmetry of the board is one of these.
    pub const fn contains(self, transform: Transform) -> bool {
        match self {
            Symmetry::Full => true,
            Symmetry::Rectangle => !transform.flips_diagonal(),
            Symmetry::Files => !transform.flips_diagonal() && !transform.flips_ranks(),
            Symmetry::None => transform.index() == 0,
        }
    }
}

/// The ways to swap the colours of a material without changing values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interchange {
    /// Swap the colours and mirror the ranks.
    MirrorRanks,
    /// Swap the colours and leave every piece where it is.
    Plain,
    /// Swap the colours and mirror the files.
    MirrorFiles,
    /// Swap the colours and rotate the board by a half-turn.
    HalfTurn,
    /// The colours cannot be swapped: both colourings have tables of their own.
    Never,
}

impl Interchange {
    /// The image of a square when the colours are swapped this way.
    #[inline]
    pub fn image(self, geometry: Geometry, square: Square) -> Square {
        let flip = |transform, square| geometry.apply(transform, square);
        match self {
            Interchange::Plain | Interchange::Never => square,
            Interchange::MirrorRanks => flip(Transform::FLIP_RANKS, square),
            Interchange::MirrorFiles => flip(Transform::FLIP_FILES, square),
            Interchange::HalfTurn => {
                flip(Transform::FLIP_FILES, flip(Transform::FLIP_RANKS, square))
            }
        }
    }
}

impl Interchange {
    /// The symmetry that has to keep how pieces move, since Black's move as White's do after half
    /// a turn.
    const fn turn_of_moves(self) -> Transform {
        match self {
            Interchange::Plain | Interchange::Never => Transform::HALF_TURN,
            Interchange::MirrorRanks => Transform::FLIP_FILES,
            Interchange::MirrorFiles => Transform::FLIP_RANKS,
            Interchange::HalfTurn => Transform::IDENTITY,
        }
    }
}

impl Game {
    /// The symmetries of the board that keep the values of a material.
    pub fn symmetry(self, material: &Material) -> Symmetry {
        let board = self.geometry();
        if self.has_spare_kings(material) {
            return Symmetry::None;
        }
        let widest = match self.0.keys.castling {
            // Castling ties the first and the last rank, with or without pawns (C7).
            CastlingRule::FirstRank => Symmetry::Files,
            // With every option of such games, castling or not.
            _ if matches!(self.goal(), Goal::KingCapture(_)) => Symmetry::Files,
            _ => Symmetry::of_board(board, material.has_pawns()),
        };
        let kept = self.keeps_moves(material);
        let keeps = |symmetry: &Symmetry| {
            symmetry.transforms().all(|transform| {
                kept.contains(transform)
                    && self
                        .0
                        .marked(material.has_pawns())
                        .into_iter()
                        .flatten()
                        .all(|squares| {
                            squares
                                == squares
                                    .map(|square| board.apply(transform, square))
                                    .collect()
                        })
            })
        };
        widest.and_smaller().find(keeps).unwrap_or(Symmetry::None)
    }

    /// The symmetries that keep how the pieces of a material move, and those that its pawns may
    /// become.
    fn keeps_moves(self, material: &Material) -> Transforms {
        let is_there = |piece_type: &PieceType| {
            Colour::BOTH
                .into_iter()
                .any(|colour| material.count(Piece::new(colour, *piece_type)) > 0)
                || material.has_pawns() && self.all_promotions().contains(piece_type)
        };
        match self
            .0
            .keeps_moves
            .iter()
            .all(|kept| *kept == Transforms::ALL)
        {
            true => Transforms::ALL,
            false => {
                let types = self.piece_types().iter().filter(|t| is_there(t));
                types.fold(Transforms::ALL, |all, piece_type| {
                    all.and(self.0.keeps_moves[piece_type.index()])
                })
            }
        }
    }

    /// The way in which the colours of a material may be swapped.
    pub fn interchange(self, material: &Material) -> Interchange {
        // At equal distances one colour is High (H1), Black alone may reply (R2), and one side alone
        // may have a royal piece (B1), pawns on its first rank (B2), or other promotions (D8).
        let [white, black] = Colour::BOTH.map(|side| self.royalty(side));
        let [first, other] = self.0.keys.first_rank;
        let pawns_differ =
            (first != other || self.0.keys.promotes_black.is_some()) && self.0.keys.has_pawns();
        if self.0.vitality.is_some() || self.has_reply() || white != black || pawns_differ {
            return Interchange::Never;
        }
        let (board, kept) = (self.geometry(), self.keeps_moves(material));
        let swaps = |interchange: &Interchange| {
            kept.contains(interchange.turn_of_moves())
                && self
                    .0
                    .marked(material.has_pawns())
                    .into_iter()
                    .all(|[white, black]| {
                        let image = white.map(|square| interchange.image(board, square));
                        image.collect::<SquareSet>() == black
                    })
        };
        if let Some(order) = self.king_order()
            && self.has_spare_kings(material)
        {
            let home = order.ranks[0] != order.ranks[1];
            let corner = order.files[0] == order.files[1];
            let way = match (home, corner) {
                (true, true) => Interchange::MirrorRanks,
                (true, false) => Interchange::HalfTurn,
                // Rank 1 is the same for both sides, so pieces may not change ranks;
                // pawns have to.
                (false, _) if material.has_pawns() => Interchange::Never,
                (false, true) => Interchange::Plain,
                (false, false) => Interchange::MirrorFiles,
            };
            return match way == Interchange::Never || swaps(&way) {
                true => way,
                false => Interchange::Never,
            };
        }
        let plain = match material.has_pawns() {
            true => Interchange::Never,
            false => Interchange::Plain,
        };
        // Where a piece moves differently to the left and to the right, only half a turn swaps the
        // colours.
        let facing = match kept.contains(Transform::FLIP_FILES) {
            true => Interchange::MirrorRanks,
            false => Interchange::HalfTurn,
        };
        let mut ways = [facing, plain].into_iter();
        ways.find(|way| *way == Interchange::Never || swaps(way))
            .unwrap_or(Interchange::Never)
    }

    /// Whether a side of a material has several kings or can get them by promotion, where the
    /// first of them is royal. If not, nothing that such games add can occur.
    fn has_spare_kings(self, material: &Material) -> bool {
        let count = |colour, piece_type| material.count(Piece::new(colour, piece_type));
        let promotes = self.all_promotions().contains(&PieceType::King);
        let has = |colour| {
            let pawns = promotes && count(colour, PieceType::Pawn) > 0;
            count(colour, PieceType::King) > 1 || pawns
        };
        self.king_order().is_some() && Colour::BOTH.into_iter().any(has)
    }

    /// Whether the first piece of each side, in the order of [`Material::pieces`],
    /// may stand on neighbouring squares.
    pub fn leaders_may_touch(self, material: &Material) -> bool {
        let kings = |colour| material.count(Piece::new(colour, PieceType::King));
        let attacks_neighbours = self.mover(PieceType::King).includes(Mover::KING);
        !attacks_neighbours
            || Colour::BOTH
                .into_iter()
                .any(|side| match self.royalty(side) {
                    // There is no check while they touch (M3).
                    Royalty::King => self.explodes(),
                    // A spare king may touch the enemy's royal king, protected or not.
                    Royalty::FirstKing(_) => self.has_spare_kings(material),
                    // Several kings may not be royal, and other leaders may always touch.
                    Royalty::OnlyOfType => {
                        self.last_of_type(PieceType::King) != LastOfType::Stays
                            || Colour::BOTH.into_iter().any(|colour| kings(colour) != 1)
                    }
                    Royalty::None => true,
                })
    }

    /// Whether the material is two bare kings, and these have no table.
    pub fn needs_no_table(self, material: &Material) -> bool {
        let king = |colour| material.count(Piece::new(colour, PieceType::King)) == 1;
        // Every probe asks, so what is seen at once comes first.
        material.len() == 2
            && Colour::BOTH.into_iter().all(king)
            && match self.bare_kings() {
                BareKings::Drawn | BareKings::DrawnUnlessTaken => true,
                BareKings::Table => false,
            }
    }
}

impl Material {
    /// Whether both sides have the same pieces, and the colours are interchangeable: every
    /// position has the same value, for the side to move, as the one with colours swapped.
    pub fn is_symmetric(&self, game: Game) -> bool {
        *self == self.swapped() && game.interchange(self) != Interchange::Never
    }

    /// Whether this is the normal form, which names the material: more pieces first; if
    /// both sides have as many, the side whose letters come first, compared from left
    /// to right. If colours are not interchangeable, every colouring is normal.
    pub fn is_normal(&self, game: Game) -> bool {
        if game.interchange(self) == Interchange::Never {
            return true;
        }
        let rank = |colour: Colour| {
            let letters: Vec<PieceType> = self
                .pieces()
                .filter(|m| m.colour == colour)
                .map(|m| m.piece_type)
                .collect();
            (std::cmp::Reverse(letters.len()), letters)
        };
        rank(Colour::White) <= rank(Colour::Black)
    }

    /// The normal form, and whether the colours were swapped to reach it.
    pub fn normal(&self, game: Game) -> (Material, bool) {
        if self.is_normal(game) {
            (*self, false)
        } else {
            (self.swapped(), true)
        }
    }
}
