//! Levels of a class: how many steps its pawns have made in all. A pawn move
//! leads to a higher one, every other move stays.

use retrograde_rules::{Colour, Kind, Man};

use super::super::layout::{Layout, Role, RowAt};
use super::super::squares::rank;
use super::super::word::Word;

pub(super) struct Levels<W> {
    count: usize,
    /// By the steps that a pawn has made, the squares where it stands then;
    /// White's, Black's.
    squares: [Vec<W>; 2],
}

/// The steps that a pawn on each square has made; `None` where none stands.
fn steps<W: Word>(colour: Colour, square: usize) -> Option<usize> {
    let rank = square / W::FILES;
    let from_home = match colour {
        Colour::White => rank,
        Colour::Black => W::RANKS - 1 - rank,
    };
    (1..W::RANKS - 1)
        .contains(&from_home)
        .then(|| from_home - 1)
}

impl<W: Word> Levels<W> {
    pub(super) fn new(layout: &Layout) -> Levels<W> {
        let pawns = layout.men.iter().filter(|m| m.kind == Kind::Pawn).count();
        let most = W::RANKS - 3;
        let squares = Colour::BOTH.map(|colour| {
            (0..=most)
                .map(|steps| match colour {
                    Colour::White => rank::<W>(steps + 1),
                    Colour::Black => rank::<W>(W::RANKS - 2 - steps),
                })
                .collect()
        });
        Levels {
            count: 1 + most * pawns,
            squares,
        }
    }

    /// How many levels there are: one in classes without pawns.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Writes the positions of a row that are of a level, or of any.
    pub(super) fn select(
        &self,
        layout: &Layout,
        at: &RowAt<W>,
        level: Option<usize>,
        out: &mut [W],
    ) {
        let Some(level) = level else {
            out.fill(W::FULL);
            return;
        };
        out.fill(W::ZERO);
        let mut left = level;
        let (mut lane_pawn, mut inner_pawn) = (None, None);
        for (place, coordinate) in layout.coordinates.iter().enumerate() {
            let Man { kind, colour } = layout.men[coordinate.man];
            if kind != Kind::Pawn {
                continue;
            }
            match at.role(layout, place) {
                Role::Lane => lane_pawn = Some(colour),
                Role::Inner => inner_pawn = Some(colour),
                Role::Fixed(square) => {
                    let rest = steps::<W>(colour, square).and_then(|s| left.checked_sub(s));
                    let Some(rest) = rest else { return };
                    left = rest;
                }
            }
        }
        for (lane, out) in out.iter_mut().enumerate() {
            let made = lane_pawn.map_or(Some(0), |colour| steps::<W>(colour, lane));
            let Some(left) = made.and_then(|made| left.checked_sub(made)) else {
                continue;
            };
            *out = match inner_pawn {
                Some(colour) => {
                    let squares = self.squares[colour.index()].get(left);
                    squares.copied().unwrap_or(W::ZERO)
                }
                None if left == 0 => W::FULL,
                None => W::ZERO,
            };
        }
    }
}
