//! Which pieces of a material are royal, that is, may not be attacked after a move of their
//! side. It depends on the placement alone.

use retrograde_rules::{Colour, Game, Piece, PieceType, Royalty};

use super::layout::{Layout, Role, RowAt};
use super::movement::Step;
use super::word::Word;

/// The royal pieces of a material.
pub(crate) enum Royals {
    /// The leader of each side, its only king, wherever it stands.
    Leaders,
    /// These pieces of each side (places among the pieces), wherever they stand.
    Always([Vec<usize>; 2]),
    /// The first of each side's kings in an order (K1).
    First(Order),
}

/// Which of several kings of a side is royal.
pub(crate) struct Order {
    /// The kings of each side (places among the pieces).
    kings: [Vec<usize>; 2],
    /// By side, the steps to later files, and to later squares on a file.
    ways: [Step; 2],
    /// How a spare king moves in addition to a king's moves (K6).
    pub(crate) spare: Option<PieceType>,
}

impl Royals {
    /// The royal pieces of a material of a game.
    pub(crate) fn new(game: Game, pieces: &[Piece]) -> Royals {
        let places = |colour, wanted: &dyn Fn(Piece) -> bool| -> Vec<usize> {
            let mine = |&place: &usize| pieces[place].colour == colour && wanted(pieces[place]);
            (0..pieces.len()).filter(mine).collect()
        };
        match game.royalty() {
            Royalty::King => Royals::Leaders,
            Royalty::FirstKing(order) => {
                let kings =
                    Colour::BOTH.map(|c| places(c, &|piece| piece.piece_type == PieceType::King));
                if kings.iter().all(|kings| kings.len() < 2) {
                    return Royals::Leaders;
                }
                let way = |side: usize| (order.files[side].into(), order.ranks[side].into());
                Royals::First(Order {
                    kings,
                    ways: [way(0), way(1)],
                    spare: order.spare,
                })
            }
            Royalty::OnlyOfType => {
                let lone = |piece: Piece| pieces.iter().filter(|m| **m == piece).count() == 1;
                Royals::Always(Colour::BOTH.map(|colour| places(colour, &lone)))
            }
            Royalty::None => Royals::Always([Vec::new(), Vec::new()]),
        }
    }

    /// The pieces of a side that are royal in some placement.
    pub(crate) fn candidates<'a>(&'a self, layout: &'a Layout, side: Colour) -> &'a [usize] {
        let side = side.index();
        match self {
            Royals::Leaders => &layout.leaders[side..=side],
            Royals::Always(pieces) => &pieces[side],
            Royals::First(order) => &order.kings[side],
        }
    }

    /// How a piece moves in addition to its own moves while it is not royal; `None` for most
    /// pieces.
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

/// The squares that come after a square.
#[inline(always)]
fn after<W: Word>(board: W::Board, square: usize, (files, ranks): Step) -> W {
    let here = W::of(square);
    let up = here.slide(W::ALL, W::step(board, 0, 1));
    let down = here.slide(W::ALL, W::step(board, 0, -1));
    let beyond = if ranks > 0 { up } else { down };
    beyond | (here | up | down).slide(W::ALL, W::step(board, files, 0))
}

/// The positions of a row in which a piece, one of the candidates of its side, is royal. May
/// include positions that do not exist.
#[inline(always)]
pub(crate) fn royal<W: Word>(layout: &Layout, at: &RowAt<W>, piece: usize) -> W::Row {
    let mut row = W::EMPTY_ROW;
    let words = &mut row.as_mut()[..layout.lanes];
    words.fill(W::ALL);
    let Royals::First(order) = &layout.royals else {
        return row;
    };
    let side = layout.pieces[piece].colour.index();
    let way = order.ways[side];
    let back = (-way.0, -way.1);
    let mine = layout.role(at, piece);
    for &other in order.kings[side].iter().filter(|&&other| other != piece) {
        // Where the other king comes after this one.
        match (mine, layout.role(at, other)) {
            (Role::Fixed(here), Role::Fixed(there)) => {
                if !after::<W>(at.board, here, way).has(there) {
                    words.fill(W::ZERO);
                }
            }
            (Role::Fixed(here), Role::Lane) => {
                let later = after::<W>(at.board, here, way);
                for (lane, word) in words.iter_mut().enumerate() {
                    if !later.has(lane) {
                        *word = W::ZERO;
                    }
                }
            }
            (Role::Lane, Role::Fixed(there)) => {
                let earlier = after::<W>(at.board, there, back);
                for (lane, word) in words.iter_mut().enumerate() {
                    if !earlier.has(lane) {
                        *word = W::ZERO;
                    }
                }
            }
            (Role::Fixed(here), Role::Inner) => {
                let later = after::<W>(at.board, here, way);
                words.iter_mut().for_each(|word| *word &= later);
            }
            (Role::Inner, Role::Fixed(there)) => {
                let earlier = after::<W>(at.board, there, back);
                words.iter_mut().for_each(|word| *word &= earlier);
            }
            (Role::Lane, _) => {
                for (lane, word) in words.iter_mut().enumerate() {
                    *word &= after::<W>(at.board, lane, way);
                }
            }
            (Role::Inner, _) => {
                for (lane, word) in words.iter_mut().enumerate() {
                    *word &= after::<W>(at.board, lane, back);
                }
            }
        }
    }
    row
}
