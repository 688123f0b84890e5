//! Lists the pieces of a material that may be royal, whatever the placement.

use retrograde_rules::{Colour, Game, Piece, PieceType, Royalty};

use super::steps::{MoveTable, Step};

/// The royal pieces of a material.
#[derive(Clone)]
pub(crate) enum Royals {
    /// The leader of each side, its only king, wherever it stands, if both sides have one.
    Leaders,
    /// The pieces of each side in this list (places among the pieces), wherever they stand.
    Always([Vec<usize>; 2]),
    /// The first of each side's kings in an order (K1).
    First(Order),
}

/// The order in which the first of several kings of a side is royal.
#[derive(Clone)]
pub(crate) struct Order {
    /// The kings of each side (places among the pieces).
    pub(crate) kings: [Vec<usize>; 2],
    /// The steps to later files, and to later squares on a file, by side.
    pub(crate) ways: [Step; 2],
    /// The piece type that a spare king moves as in addition to a king's moves (K6).
    pub(crate) spare: Option<PieceType>,
}

impl Royals {
    /// The royal pieces of a material of a game.
    pub(crate) fn new(game: Game, pieces: &[Piece]) -> Royals {
        let places = |colour, wanted: &dyn Fn(Piece) -> bool| -> Vec<usize> {
            let mine = |&place: &usize| pieces[place].colour == colour && wanted(pieces[place]);
            (0..pieces.len()).filter(mine).collect()
        };
        let of_type = |colour| places(colour, &|piece| piece.piece_type == PieceType::King);
        match Colour::BOTH.map(|side| game.royalty(side)) {
            [Royalty::King, Royalty::King] => Royals::Leaders,
            [Royalty::FirstKing(order), _] => {
                let kings = Colour::BOTH.map(of_type);
                if kings.iter().all(|kings| kings.len() < 2) {
                    return Royals::Leaders;
                }
                let way = |side: usize| (order.files[side].into(), order.ranks[side].into());
                Royals::First(Order {
                    kings,
                    ways: [way(0), way(1)],
                    spare: MoveTable::of(game).spare,
                })
            }
            royalty => Royals::Always(Colour::BOTH.map(|side| match royalty[side.index()] {
                Royalty::OnlyOfType => {
                    let is_last = |piece: Piece| {
                        let count = pieces.iter().filter(|m| **m == piece).count();
                        game.royal_types().contains(&piece.piece_type)
                            && count <= game.royal_at_most()
                    };
                    places(side, &is_last)
                }
                Royalty::King | Royalty::FirstKing(_) => of_type(side),
                Royalty::None => Vec::new(),
            })),
        }
    }

    /// The piece type that a piece moves as in addition to its own moves while it is not royal;
    /// `None` for most pieces.
    pub(crate) fn spare(&self, piece: usize) -> Option<PieceType> {
        match self {
            Royals::First(order) => {
                let mut sides = order.kings.iter();
                let spare = sides.any(|kings| kings.len() > 1 && kings.contains(&piece));
                order.spare.filter(|_| spare)
            }
            _ => None,
        }
    }
}
