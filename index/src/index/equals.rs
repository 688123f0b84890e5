//! Finds the canonical index of a placement in which other pieces are identical to a leader.
//!
//! In such materials a placement has an index for each choice of leaders, one of which is
//! canonical.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use retrograde_rules::{Material, Square, Symmetry, Transform};

use super::{Group, Index};

/// The number of indices whose bits are worked out at once.
const BLOCK: u64 = 1 << 16;

/// Bits that tell which indices of a layer are canonical, each block of them worked out when it is
/// first asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Canonical(Arc<OnceLock<Vec<OnceLock<Bits>>>>);

type Bits = Box<[u64]>;

impl Index {
    /// Whether other pieces are identical to a leader, so that some indices stand
    /// for nothing: see [`Index::is_canonical`].
    #[inline]
    pub fn has_equal_leaders(&self) -> bool {
        self.equals != [1, 1]
    }

    /// The canonical index of the placement of an index: itself, unless the
    /// placement has lower leaders.
    ///
    /// `None` if there is no such index, or if identical pieces share a square.
    #[inline]
    pub fn canonical(&self, index: u64) -> Option<u64> {
        if !self.has_equal_leaders() {
            return (index < self.len()).then_some(index);
        }
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = squares.get_mut(..self.pieces)?;
        self.decode(index, squares).then_some(())?;
        let before = index - index % self.layer_len();
        Some(before + self.encode_equals(squares)?)
    }

    /// Whether an index is the canonical one of its placement. If no piece is
    /// identical to a leader, every index is.
    #[inline]
    pub fn is_canonical(&self, index: u64) -> bool {
        if !self.has_equal_leaders() {
            return index < self.len();
        }
        let mut squares = [Square(0); Material::MOST_PIECES];
        match squares.get_mut(..self.pieces) {
            Some(squares) => self.decode(index, squares) && self.is_lowest(index, squares),
            None => false,
        }
    }

    /// Whether an index is canonical, given its squares.
    #[inline]
    fn is_lowest(&self, index: u64, squares: &[Square]) -> bool {
        if self.shape.symmetry == Symmetry::None {
            // Pairs ascend by the squares of the leaders.
            let mut leaders = self.leaders().into_iter().zip(self.equals);
            return leaders.all(|(leader, equals)| {
                let mut others = squares[leader + 1..leader + equals].iter();
                others.all(|&other| squares[leader] < other)
            });
        }
        let is_lowest =
            self.has_lowest_pair(self.pair_in_layer((index / self.rest) as usize), squares);
        is_lowest.unwrap_or_else(|| self.canonical(index) == Some(index))
    }

    /// Whether every other choice of leaders has a higher pair than that of a placement, which
    /// makes its index canonical; `None` where the pairs alone do not say, because one is the
    /// same.
    #[inline]
    fn has_lowest_pair(&self, pair: usize, squares: &[Square]) -> Option<bool> {
        let [first, second] = self.leaders();
        let [white, black] = self.equals;
        for (leader, equals) in [(first, white), (second, black)] {
            if squares[leader + 1..leader + equals].contains(&squares[leader]) {
                return Some(false);
            }
        }
        let mut is_told = true;
        for one in first..first + white {
            for other in second..second + black {
                let led = self.pair_of(squares[one], squares[other]);
                match led.map(|(led, _)| led.cmp(&pair)) {
                    Some(Ordering::Less) => return Some(false),
                    Some(Ordering::Equal) => is_told &= (one, other) == (first, second),
                    Some(Ordering::Greater) | None => {}
                }
            }
        }
        is_told.then_some(true)
    }

    /// Calls `tell` for every index of a range, in order, with whether it is canonical.
    ///
    /// A bit for each index of a layer is worked out the first time, and kept for this index and
    /// its clones.
    pub fn each_canonical(&self, range: Range<u64>, mut tell: impl FnMut(bool)) {
        if !self.has_equal_leaders() {
            return range.for_each(|_| tell(true));
        }
        let blocks = self.layer_len().div_ceil(BLOCK);
        let blocks =
            (self.canonical.0).get_or_init(|| (0..blocks).map(|_| OnceLock::new()).collect());
        let mut next = range.start;
        while next < range.end {
            let index = next % self.layer_len();
            let (block, first) = (index / BLOCK, index % BLOCK);
            let bits = blocks[block as usize].get_or_init(|| self.canonical_in_block(block));
            let left = (self.layer_len() - index).min(BLOCK - first);
            let end = first + left.min(range.end - next);
            next += end - first;
            let mut bit = first;
            while bit < end {
                let mut word = bits[(bit / 64) as usize] >> (bit % 64);
                let last = end.min((bit / 64 + 1) * 64);
                for _ in bit..last {
                    tell(word & 1 == 1);
                    word >>= 1;
                }
                bit = last;
            }
        }
    }

    /// The bits of the indices of a block.
    fn canonical_in_block(&self, block: u64) -> Bits {
        let mut bits = vec![0; (BLOCK / 64) as usize];
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.pieces];
        let (first, end) = (block * BLOCK, self.layer_len().min((block + 1) * BLOCK));
        // All but the last group stay the same for a run of indices.
        let last = self.groups.last();
        let run = last.map_or(1, Group::size);
        let mut digit = first % run;
        for index in first..end {
            match last {
                Some(last) if digit > 0 && index > first => {
                    last.squares_of(digit, &mut squares[last.places()]);
                }
                _ => {
                    self.decode(index, squares);
                }
            }
            let bit = index - first;
            bits[(bit / 64) as usize] |= u64::from(self.is_lowest(index, squares)) << (bit % 64);
            digit += 1;
            if digit == run {
                digit = 0;
            }
        }
        bits.into()
    }

    /// The number of placements on the whole board with this index. Mirror images
    /// count separately; swapping identical pieces does not make another
    /// placement; pieces of different groups may share a square. The sum over all
    /// indices that stand for positions is thus the number of positions on the
    /// whole board. 0 if the index is not canonical.
    pub fn weight(&self, index: u64) -> u64 {
        if !self.has_equal_leaders() {
            return self.pair_weight((index / self.indices_per_pair().max(1)) as usize);
        }
        if !self.is_canonical(index) {
            return 0;
        }
        self.weight_of_canonical(index)
    }

    /// [`Index::weight`] of an index that is known to be canonical, and to stand for a
    /// placement.
    pub fn weight_of_canonical(&self, index: u64) -> u64 {
        let weight = self.pair_weight((index / self.indices_per_pair().max(1)) as usize);
        if !self.has_equal_leaders() || weight == 0 {
            return weight;
        }
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.pieces];
        self.decode(index, squares);
        let pair = self.pair_in_layer((index / self.rest) as usize);
        match self.has_lowest_pair(pair, squares) {
            // In all images the leaders are the same two pieces, as if no others were identical.
            Some(true) => weight,
            _ => self.images_of_equals(index).len() as u64,
        }
    }

    /// The number of placements on the whole board that are mirror images of that of an index,
    /// itself included. At least [`Index::weight`], since some of them may have an index of their
    /// own. For an index that stands for no placement the number means nothing.
    pub fn images(&self, index: u64) -> u64 {
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.pieces];
        self.decode(index, squares);
        let leaders = (self.leaders().into_iter().zip(self.equals))
            .map(|(leader, equals)| leader..leader + equals);
        let is_led = |places: &Range<usize>| {
            (leaders.clone()).any(|identical| identical.contains(&places.start))
        };
        let others = self.groups.iter().map(Group::places);
        let others = others.filter(|places| !is_led(places));
        let is_kept = |transform: &Transform| {
            let image = self.pairs.images(*transform);
            leaders.clone().chain(others.clone()).all(|places| {
                let identical = &squares[places];
                let mut images = identical.iter().map(|square| Square(image[square.index()]));
                images.all(|square| identical.contains(&square))
            })
        };
        let (mut all, mut keep) = (0, 0);
        for transform in self.shape.symmetry.transforms() {
            all += 1;
            keep += u64::from(is_kept(&transform));
        }
        all / keep.max(1)
    }

    /// The mirror images of the placement of an index, with identical pieces in ascending order.
    fn all_images(&self, index: u64) -> Vec<Vec<Square>> {
        let mut squares = [Square(0); Material::MOST_PIECES];
        let Some(squares) = squares.get_mut(..self.pieces) else {
            return Vec::new();
        };
        self.decode(index, squares);
        let transforms = self.shape.symmetry.transforms();
        let images = transforms.map(|transform| {
            let image = self.pairs.images(transform);
            let squares = squares.iter().map(|square| Square(image[square.index()]));
            self.sorted(squares.collect())
        });
        let mut images: Vec<Vec<Square>> = images.collect();
        images.sort_unstable();
        images.dedup();
        images
    }

    /// Calls `visit` with the squares, in the order of the pieces, of every placement on
    /// the whole board that has this index: [`Index::weight`] of them, the one that
    /// [`Index::decode`] gives among them. None if the index is not canonical.
    pub fn each_placement(&self, index: u64, mut visit: impl FnMut(&[Square])) {
        if self.has_equal_leaders() {
            if self.is_canonical(index) {
                for image in self.images_of_equals(index) {
                    visit(&image);
                }
            }
            return;
        }
        let (mut squares, mut image) = (
            [Square(0); Material::MOST_PIECES],
            [Square(0); Material::MOST_PIECES],
        );
        let (squares, image) = (&mut squares[..self.pieces], &mut image[..self.pieces]);
        if !self.decode(index, squares) {
            return;
        }
        let pair = self.pair_in_layer((index / self.rest) as usize);
        for transform in self.shape.symmetry.transforms() {
            let back = self.pairs.images(transform.inverse());
            for (to, from) in image.iter_mut().zip(&*squares) {
                *to = Square(back[from.index()]);
            }
            // Where two symmetries lead to the same squares of the leaders, one of
            // them takes the other pieces to where another index has them.
            if self.pair_of(image[0], image[self.second]) == Some((pair, transform)) {
                visit(image);
            }
        }
    }

    /// All placements with an index that has equal leaders: images of the one that it
    /// decodes to. The index must be canonical.
    fn images_of_equals(&self, index: u64) -> Vec<Vec<Square>> {
        let mut images = self.all_images(index);
        let index = index % self.layer_len();
        images.retain(|image| self.encode_equals(image) == Some(index));
        images
    }

    /// Puts identical pieces in ascending order.
    fn sorted(&self, mut squares: Vec<Square>) -> Vec<Square> {
        for (leader, equals) in self.leaders().into_iter().zip(self.equals) {
            squares[leader..leader + equals].sort_unstable();
        }
        for group in &self.groups {
            squares[group.places()].sort_unstable();
        }
        squares
    }

    /// The canonical index of a placement: that with the lowest pair of leaders,
    /// then the lowest digits with the groups in the order of the material, so that
    /// the choice does not depend on the order of groups. There must be as many
    /// `squares` as pieces.
    pub(super) fn encode_equals(&self, squares: &[Square]) -> Option<u64> {
        let mut index = self.encode_least(squares)?;
        if self.shape.symmetry == Symmetry::None {
            return Some(index);
        }
        // Where several symmetries lead to the pair, one of them is taken, and of two images of
        // a placement not always the one that makes the other choices of leaders higher.
        let transforms = self.shape.symmetry.transforms().count() as u64;
        while self.pair_weight((index / self.rest) as usize) < transforms {
            let mut image = [Square(0); Material::MOST_PIECES];
            let image = image.get_mut(..self.pieces)?;
            self.decode(index, image).then_some(())?;
            match self.encode_least(image)? {
                same if same == index => break,
                lower => index = lower,
            }
        }
        Some(index)
    }

    /// The least index of a placement as it stands, over all choices of leaders.
    fn encode_least(&self, squares: &[Square]) -> Option<u64> {
        let mut buffer = [Square(0); Material::MOST_PIECES];
        let chosen = buffer.get_mut(..squares.len())?;
        chosen.copy_from_slice(squares);
        let [first, second] = self.leaders();
        let [white, black] = self.equals;
        for (leader, equals) in [(first, white), (second, black)] {
            let pieces = &chosen[leader..leader + equals];
            if (1..pieces.len()).any(|piece| pieces[..piece].contains(&pieces[piece])) {
                return None;
            }
        }
        if self.shape.symmetry == Symmetry::None {
            // Pairs ascend by the squares of the leaders.
            for (leader, equals) in [(first, white), (second, black)] {
                let lowest = (leader..leader + equals).min_by_key(|&piece| chosen[piece]);
                chosen.swap(leader, lowest.unwrap_or(leader));
            }
            return self.encode_as_led(chosen);
        }
        let mut least: Option<(u64, u64)> = None;
        for one in first..first + white {
            chosen.swap(first, one);
            for other in second..second + black {
                chosen.swap(second, other);
                let found = self.encode_keyed(chosen);
                chosen.swap(second, other);
                least = match (least, found) {
                    (Some(least), Some(found)) => Some(least.min(found)),
                    (least, found) => least.or(found),
                };
            }
            chosen.swap(first, one);
        }
        least.map(|(_, index)| index)
    }

    /// The index of a placement with the groups in the order of the material, and
    /// its index here.
    fn encode_keyed(&self, squares: &[Square]) -> Option<(u64, u64)> {
        let (pair, transform) = self.pair_of(squares[0], squares[self.second])?;
        let image = self.pairs.images(transform);
        let mut key = pair as u64 * self.rest;
        let mut index = pair as u64;
        for group in &self.groups {
            let digit = group.digit_of_image(squares, image)?;
            index = index * group.size() + digit;
            let below = self.groups.iter().filter(|g| g.piece() > group.piece());
            key += digit * below.map(Group::size).product::<u64>();
        }
        Some((key, index))
    }
}
