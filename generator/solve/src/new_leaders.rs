//! Looks up conversions that change the leaders, position by position, in the successor.
//!
//! A leader was captured, or a pawn became a piece that comes before the leader. The block of the
//! successor then differs from position to position, so each is looked up separately.

use retrograde_rules::{Colour, Square, Transform};

use super::layout::{Layout, Role, RowAt};
use super::score::{self, Score};
use super::squares::members;
use super::successor::Passage;
use super::word::{BoardShape, Word};

/// The two leaders cannot stand there.
const NONE: u32 = u32::MAX;

/// The place of a piece after a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    Fixed(usize),
    /// An offset from the number of the lane.
    Lane(isize),
    /// An offset from the number of the bit.
    Inner(isize),
}

impl From<Role> for Spot {
    #[inline(always)]
    fn from(role: Role) -> Spot {
        match role {
            Role::Fixed(square) => Spot::Fixed(square),
            Role::Lane => Spot::Lane(0),
            Role::Inner => Spot::Inner(0),
        }
    }
}

impl Spot {
    /// The square in a position of a row, given its lane and its bit.
    #[inline(always)]
    pub(crate) fn square(self, lane: usize, bit: usize) -> usize {
        match self {
            Spot::Fixed(square) => square,
            Spot::Lane(by) => lane.wrapping_add_signed(by),
            Spot::Inner(by) => bit.wrapping_add_signed(by),
        }
    }
}

/// The contribution of a piece to a place in a block, for every symmetry and square.
type Places = [[u32; 128]; Transform::ALL.len()];

/// A passage to a successor whose leaders may be any of the pieces.
pub(crate) struct FreePassage<'a> {
    /// The scores for the side to move after the conversion.
    scores: &'a [Score],
    block_positions: usize,
    /// The number of squares of the board.
    squares: usize,
    /// The block and transform of every two squares of the new leaders, as `block << 3 |
    /// transform`, or [`NONE`].
    pairs: Vec<u32>,
    /// The new leaders, as pieces of the material.
    leaders: [usize; 2],
    /// The other remaining pieces.
    others: Vec<(usize, Box<Places>)>,
}

impl<'a> FreePassage<'a> {
    /// Makes a passage into one for lookups by position; `None` if it leads nowhere.
    pub(crate) fn new(passage: &Passage<'a>, turn_after: Colour) -> Option<FreePassage<'a>> {
        let layout = passage.layout();
        let geometry = layout.game.geometry();
        let squares = geometry.squares();
        let piece_at = |place| passage.places.iter().position(|&p| p == Some(place));
        let [first, second] = layout.leaders.map(piece_at);
        let mut pairs = vec![NONE; squares * squares];
        for a in 0..squares {
            for b in 0..squares {
                let leaders = [passage.turned(a), passage.turned(b)];
                if let Some((block, transform)) = layout.block_of(leaders) {
                    pairs[a * squares + b] = (block << 3 | transform.index()) as u32;
                }
            }
        }
        let others = layout.coordinates.iter().map(|coordinate| {
            let mut places: Box<Places> = Box::new([[0; 128]; Transform::ALL.len()]);
            for transform in geometry.transforms() {
                let table = &mut places[transform.index()];
                for (square, entry) in table[..squares].iter_mut().enumerate() {
                    let square = Square(passage.turned(square) as u8);
                    let there = geometry.apply(transform, square).index();
                    *entry = coordinate.place_of(there) as u32;
                }
            }
            Some((piece_at(coordinate.piece)?, places))
        });
        Some(FreePassage {
            scores: passage.scores(turn_after)?,
            block_positions: layout.block_positions(),
            squares,
            pairs,
            leaders: [first?, second?],
            others: others.collect::<Option<_>>()?,
        })
    }

    /// The score of a placement, given the square of each piece of the material after the
    /// conversion.
    pub(crate) fn score(&self, squares: &[usize]) -> Score {
        let [a, b] = self.leaders.map(|piece| squares[piece]);
        match self.pairs[a * self.squares + b] {
            NONE => score::NONE,
            pair => {
                let (block, transform) = ((pair >> 3) as usize, (pair & 7) as usize);
                let others = self.others.iter();
                let place =
                    others.map(|(piece, places)| places[transform][squares[*piece]] as usize);
                self.scores[block * self.block_positions + place.sum::<usize>()]
            }
        }
    }

    /// Raises the scores of the positions in `mask` that are `placed`, with `mover` on
    /// `to`.
    pub(crate) fn raise<W: Word>(
        &self,
        layout: &Layout,
        at: &RowAt<W>,
        (mover, to): (usize, Spot),
        placed: &[W],
        mask: &[W],
        scores: &mut [Score],
    ) {
        let spot = |piece: usize| match piece == mover {
            true => to,
            false => layout.role(at, piece).into(),
        };
        let leaders = self.leaders.map(spot);
        let others: Vec<(Spot, &Places)> = self
            .others
            .iter()
            .map(|(piece, places)| (spot(*piece), &**places))
            .collect();
        for lane in 0..layout.lanes {
            let out = &mut scores[lane * at.board.squares()..][..at.board.squares()];
            for bit in members(mask[lane] & placed[lane]) {
                let [a, b] = leaders.map(|spot| spot.square(lane, bit));
                let pair = self.pairs[a * self.squares + b];
                if pair == NONE {
                    continue;
                }
                let (block, transform) = ((pair >> 3) as usize, (pair & 7) as usize);
                let mut place = block * self.block_positions;
                for (spot, places) in &others {
                    place += places[transform][spot.square(lane, bit)] as usize;
                }
                out[bit] = out[bit].max(self.scores[place]);
            }
        }
    }
}
