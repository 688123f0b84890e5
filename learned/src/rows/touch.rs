//! How pieces attack each other, for all squares of the moving piece at once.

use super::Row;
use crate::board::SLIDES;
use crate::feature::{Features, MOST, Pair};
use crate::squares::Squares;

/// Where the first piece of a pair attacks the second, and the second the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touch<W> {
    there: W,
    back: W,
}

impl<W: Squares> Touch<W> {
    /// The squares where the feature has one of the values in a set: 1 for `there`, 2 for
    /// `back`, 3 for both.
    #[inline]
    pub(super) fn among(self, values: u8) -> W {
        let has = |value: u32| W::all_if(values >> value & 1 != 0);
        let (there, back) = (self.there, self.back);
        let unless_there = has(0) & !back | has(2) & back;
        let if_there = has(1) & !back | has(3) & back;
        unless_there & !there | if_there & there
    }
}

/// How many attack and defend a piece, from 0 to 3: the squares of the lower and the higher
/// bit of both numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hanging<W> {
    attackers: [W; 2],
    defenders: [W; 2],
}

impl<W: Squares> Hanging<W> {
    /// The squares where the feature has one of the values in a set.
    #[inline]
    pub(super) fn among(self, values: u16) -> W {
        let numbers = |[low, high]: [W; 2]| [!low & !high, low & !high, !low & high, low & high];
        let defenders = numbers(self.defenders);
        let mut found = W::NONE;
        for (number, attackers) in numbers(self.attackers).into_iter().enumerate() {
            let among = values >> (4 * number);
            let mut those = W::NONE;
            for (number, defenders) in defenders.into_iter().enumerate() {
                those = those | defenders & W::all_if(among >> number & 1 != 0);
            }
            found = found | attackers & those;
        }
        found
    }
}

/// Adds 1 to a number on some squares, up to 3.
#[inline]
fn add<W: Squares>([low, high]: &mut [W; 2], squares: W) {
    let (carry, most) = (*low & squares, *low & *high);
    *low = (*low ^ squares) | (most & squares);
    *high = *high | carry;
}

/// How the pieces of some rows attack each other.
#[derive(Clone, Debug)]
pub(super) struct Touches<W> {
    moving: usize,
    /// For each pair that has the moving piece: for each square of the other and for leaping
    /// and sliding there and back, the squares of the moving piece.
    reach: Vec<Vec<[Touch<W>; 2]>>,
    /// For each pair the rows.
    touches: Vec<Vec<Touch<W>>>,
}

impl<W: Squares> Touches<W> {
    pub(super) fn new(features: &Features, moving: usize) -> Touches<W> {
        let masks = W::masks(&features.sights);
        let reach = features.pairs.iter().map(|pair| {
            let moves_first = usize::from(pair.first) == moving;
            if !moves_first && usize::from(pair.second) != moving {
                return Vec::new();
            }
            let squares = 0..features.board().squares();
            let reach = |square, ways| masks.reach(square, ways, moves_first);
            let both = |square: u8, ways: u8| Touch {
                there: reach(square, pair.there & ways),
                back: reach(square, pair.back & ways),
            };
            let each = squares.map(|square| [both(square, !SLIDES), both(square, SLIDES)]);
            each.collect()
        });
        Touches {
            moving,
            reach: reach.collect(),
            touches: vec![Vec::new(); features.pairs.len()],
        }
    }

    /// Works them out for some rows, given the squares that the other pieces occupy.
    pub(super) fn fill(&mut self, features: &Features, rows: &[Row], occupied: &[W]) {
        let masks = W::masks(&features.sights);
        let pieces = features.pieces();
        let parts = features.pairs.iter().zip(&self.reach);
        for ((pair, reach), touches) in parts.zip(&mut self.touches) {
            touches.clear();
            let (first, second) = (usize::from(pair.first), usize::from(pair.second));
            let moving = self.moving;
            if first != moving && second != moving {
                let both = rows.iter().zip(occupied);
                touches.extend(both.map(|(row, &occupied)| fixed(features, pair, row, occupied)));
                continue;
            }
            let other = if first == moving { second } else { first };
            let slides = (pair.there | pair.back) & SLIDES != 0;
            touches.extend(rows.iter().map(|row| {
                let square = row.squares[other % MOST];
                let Some(&[leap, slide]) = reach.get(usize::from(square)) else {
                    return Touch::default();
                };
                let mut hidden = W::NONE;
                if slides {
                    for piece in (0..pieces).filter(|&piece| piece != moving) {
                        hidden = hidden | masks.beyond(square, row.squares[piece % MOST]);
                    }
                }
                Touch {
                    there: leap.there | slide.there & !hidden,
                    back: leap.back | slide.back & !hidden,
                }
            }));
        }
    }

    /// The rows of a pair.
    pub(super) fn of_pair(&self, pair: usize) -> &[Touch<W>] {
        self.touches.get(pair).map_or(&[], |touches| touches)
    }

    /// How many attack and defend each piece of each row.
    pub(super) fn hanging(
        &self,
        features: &Features,
        rows: usize,
        hanging: &mut Vec<[Hanging<W>; MOST]>,
    ) {
        hanging.clear();
        hanging.resize(rows, Default::default());
        for (pair, touches) in features.pairs.iter().zip(&self.touches) {
            let (first, second) = (
                usize::from(pair.first) % MOST,
                usize::from(pair.second) % MOST,
            );
            for (pieces, touch) in hanging.iter_mut().zip(touches) {
                for (piece, squares) in [(second, touch.there), (first, touch.back)] {
                    let of = &mut pieces[piece];
                    add(
                        match pair.defends() {
                            true => &mut of.defenders,
                            false => &mut of.attackers,
                        },
                        squares,
                    );
                }
            }
        }
    }
}

/// How two pieces that stand still attack each other: the moving piece may stand between them.
fn fixed<W: Squares>(features: &Features, pair: &Pair, row: &Row, occupied: W) -> Touch<W> {
    let square = |piece: u8| row.squares[usize::from(piece) % MOST];
    let (from, to) = (square(pair.first), square(pair.second));
    let (_, reach) = features.sights.near(from, to);
    let between = W::of_bits(features.sights.between(from, to));
    let hidden = match between & occupied != W::NONE {
        true => !W::NONE,
        false => between,
    };
    let attack = |ways: u8| {
        let leap = W::all_if(reach & ways & !SLIDES != 0);
        let slide = W::all_if(reach & ways & SLIDES != 0);
        leap | slide & !hidden
    };
    Touch {
        there: attack(pair.there),
        back: attack(pair.back),
    }
}
