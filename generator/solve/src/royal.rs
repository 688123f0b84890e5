//! Which men of a class are royal: those that may not be attacked after their
//! side's move. It depends on the placement alone.

use retrograde_rules::{Colour, Game, Kind, Man, Royalty};

use super::layout::{Layout, Role, RowAt};
use super::movement::Step;
use super::word::Word;

/// The royal men of a class.
pub(crate) enum Royals {
    /// The leader of each side, its only king, wherever he stands.
    Leaders,
    /// These men of each side (places among the men), wherever they stand.
    Always([Vec<usize>; 2]),
    /// Of each side's kings the one that stands first (K1).
    First(Order),
}

/// Which of several kings of a side is royal.
pub(crate) struct Order {
    /// The kings of each side (places among the men).
    kings: [Vec<usize>; 2],
    /// By side, the steps to later files, and to later squares of a file.
    ways: [Step; 2],
    /// How a king moves that is not royal, besides as a king (K6).
    pub(crate) spare: Option<Kind>,
}

impl Royals {
    /// Those of a class of a game.
    pub(crate) fn new(game: Game, men: &[Man]) -> Royals {
        let places = |colour, wanted: &dyn Fn(Man) -> bool| -> Vec<usize> {
            let mine = |&place: &usize| men[place].colour == colour && wanted(men[place]);
            (0..men.len()).filter(mine).collect()
        };
        match game.royalty() {
            Royalty::King => Royals::Leaders,
            Royalty::FirstKing(order) => {
                let kings = Colour::BOTH.map(|c| places(c, &|man| man.kind == Kind::King));
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
            Royalty::OnlyOfKind => {
                let lone = |man: Man| men.iter().filter(|m| **m == man).count() == 1;
                Royals::Always(Colour::BOTH.map(|colour| places(colour, &lone)))
            }
            Royalty::None => Royals::Always([Vec::new(), Vec::new()]),
        }
    }

    /// The men of a side that are royal in some placement or other.
    pub(crate) fn candidates<'a>(&'a self, layout: &'a Layout, side: Colour) -> &'a [usize] {
        let side = side.index();
        match self {
            Royals::Leaders => &layout.leaders[side..=side],
            Royals::Always(men) => &men[side],
            Royals::First(order) => &order.kings[side],
        }
    }

    /// How a man moves besides as what he is, while he is not royal; `None`
    /// for most men.
    pub(crate) fn spare(&self, man: usize) -> Option<Kind> {
        match self {
            Royals::First(order) => {
                let mut sides = order.kings.iter();
                let spare = sides.any(|kings| kings.len() > 1 && kings.contains(&man));
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

/// The positions of a row in which a man, one of the candidates of his side,
/// is royal. May include positions that do not exist.
#[inline(always)]
pub(crate) fn royal<W: Word>(layout: &Layout, at: &RowAt<W>, man: usize) -> W::Row {
    let mut row = W::EMPTY_ROW;
    let words = &mut row.as_mut()[..layout.lanes];
    words.fill(W::ALL);
    let Royals::First(order) = &layout.royals else {
        return row;
    };
    let side = layout.men[man].colour.index();
    let way = order.ways[side];
    let back = (-way.0, -way.1);
    let mine = layout.role(at, man);
    for &other in order.kings[side].iter().filter(|&&other| other != man) {
        // Where the other king comes later than this one.
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
