//! Turns placements of a material's pieces on the board into indices, and back.
//!
//! An index is made of digits, the most significant first: the *pair* of
//! leading pieces (the first piece of each side, reduced by the symmetries of the
//! board), then one digit for each *group* of identical pieces. Nothing here knows
//! a game beyond the [`Shape`] it is given, and nothing assumes 64 squares.
//!
//! In games that count checks, a digit before all others says how many each side still has to
//! give: the indices of each pair of counters are a *layer*, and the first layer is that of full
//! counters.
//!
//! Placements that are not positions have indices, too: pieces of different groups
//! may share a square. Whether an index stands for a position is for the rules to
//! decide, not for this module.
//!
//! If a side has several pieces of the type of its leader, each of them can be
//! taken for the leader, and a placement has several indices. The one with the
//! lowest leaders is canonical ([`Index::is_canonical`]); the others stand for
//! nothing.

mod equals;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex};

use retrograde_rules::{
    Colour, Counters, Game, Geometry, Material, Piece, PieceType, Position, Square, Symmetry,
    Transform,
};
use thiserror::Error;

/// The properties of a game that an index depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The board.
    pub geometry: Geometry,
    /// The symmetries that keep the values of the material.
    pub symmetry: Symmetry,
    /// Whether the two leading pieces may stand on neighbouring squares. If not,
    /// as for most kings, such pairs have no indices.
    pub touching: bool,
    /// The first and the last rank, counted from 0, that White's and Black's pawns
    /// may stand on.
    pub pawn_ranks: [(u8, u8); 2],
    /// The number of checks that win, if they are counted; else 0.
    pub checks: u8,
}

impl Shape {
    /// The shape of a material of a game.
    pub fn new(game: Game, material: &Material) -> Shape {
        Shape {
            geometry: game.geometry(),
            symmetry: game.symmetry(material),
            touching: game.leaders_may_touch(material),
            pawn_ranks: game.pawns().ranks,
            checks: game.checks(),
        }
    }

    /// The squares that a piece may stand on, as a range of square numbers.
    pub fn squares(&self, piece: Piece) -> Range<u8> {
        if piece.piece_type == PieceType::Pawn {
            let (first, last) = self.pawn_ranks[piece.colour.index()];
            let end = (last + 1).min(self.geometry.ranks) * self.geometry.files;
            (first * self.geometry.files).min(end)..end
        } else {
            0..self.geometry.squares() as u8
        }
    }
}

/// The reasons why a material has no index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// One side has no pieces.
    #[error("a material needs pieces on both sides")]
    EmptySide,
    /// The material has more pieces than [`Material::MOST_PIECES`].
    #[error("the material has {0} pieces; tables have at most {most}", most = Material::MOST_PIECES)]
    TooMany(usize),
    /// The symmetry does not fit the board.
    #[error("a board of {files} files and {ranks} ranks has no diagonal symmetry")]
    NotSquare {
        /// Files of the board.
        files: u8,
        /// Ranks of the board.
        ranks: u8,
    },
    /// The order of groups does not name every group exactly once.
    #[error("the order of groups must name each group besides the leading two pieces once")]
    Order,
}

/// The digit of a group of pieces in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    stride: u64,
    size: u64,
}

impl Digit {
    /// The value of the digit in an index.
    #[inline]
    pub fn of(self, index: u64) -> u64 {
        index / self.stride % self.size
    }

    /// The number of values of the digit.
    pub fn size(self) -> u64 {
        self.size
    }
}

/// The indexing of the placements of one material.
///
/// Squares are always given and returned in the order of
/// [`Material::pieces`]. Indices are the same for both sides to move.
#[derive(Clone, Debug)]
pub struct Index {
    material: Material,
    shape: Shape,
    pieces: usize,
    /// The place of the second leader among the pieces; the first is piece 0.
    second: usize,
    /// The number of pieces identical to each leader, itself included.
    equals: [usize; 2],
    pairs: Pairs,
    groups: Vec<Group>,
    rest: u64,
    canonical: equals::Canonical,
}

impl Index {
    /// The index of a material of a game, with the groups in the order of
    /// [`Material::pieces`].
    ///
    /// # Errors
    /// See [`IndexError`].
    pub fn new(game: Game, material: &Material) -> Result<Index, IndexError> {
        Index::with_shape(Shape::new(game, material), material, None)
    }

    /// The index of a material with the groups in a given order, the most
    /// significant first.
    ///
    /// # Errors
    /// [`IndexError::Order`] unless `order` names the piece of every group
    /// once; see [`IndexError`] for the others.
    pub fn with_order(
        game: Game,
        material: &Material,
        order: &[Piece],
    ) -> Result<Index, IndexError> {
        Index::with_shape(Shape::new(game, material), material, Some(order))
    }

    /// The index of a material on any board.
    ///
    /// # Errors
    /// See [`IndexError`].
    pub fn with_shape(
        shape: Shape,
        material: &Material,
        order: Option<&[Piece]>,
    ) -> Result<Index, IndexError> {
        let pieces: Vec<Piece> = material.pieces().collect();
        if pieces.len() > Material::MOST_PIECES {
            return Err(IndexError::TooMany(pieces.len()));
        }
        let second = material.side_len(Colour::White);
        let (Some(&white), Some(&black)) = (pieces.first(), pieces.get(second)) else {
            return Err(IndexError::EmptySide);
        };
        if second == 0 {
            return Err(IndexError::EmptySide);
        }
        let equals = [white, black].map(|piece| material.count(piece));
        let Geometry { files, ranks, .. } = shape.geometry;
        if shape.symmetry == Symmetry::Full && !shape.geometry.is_square() {
            return Err(IndexError::NotSquare { files, ranks });
        }

        let mut piece_types: Vec<Piece> = pieces.clone();
        piece_types.dedup();
        let led = |piece: Piece| usize::from(piece == white || piece == black);
        piece_types.retain(|&piece| material.count(piece) > led(piece));
        if let Some(order) = order {
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            if sorted != piece_types {
                return Err(IndexError::Order);
            }
            piece_types = order.to_vec();
        }
        let groups: Vec<Group> = piece_types
            .into_iter()
            .map(|piece| {
                let first = pieces.iter().position(|&m| m == piece).unwrap_or_default();
                // The first of the pieces identical to a leader is that leader.
                let places = first + led(piece)..first + material.count(piece);
                Group::new(piece, places, shape.squares(piece))
            })
            .collect();
        // At most 121^5: no overflow.
        let rest = groups.iter().map(Group::size).product();
        Ok(Index {
            material: *material,
            shape,
            pieces: pieces.len(),
            second,
            equals,
            pairs: Pairs::new(&shape, white, black),
            groups,
            rest,
            canonical: equals::Canonical::default(),
        })
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The board and its symmetry.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of indices: `pairs().len() * indices_per_pair()` in each layer.
    #[allow(clippy::len_without_is_empty, reason = "an index is never empty")]
    pub fn len(&self) -> u64 {
        self.layers() * self.layer_len()
    }

    /// The number of pairs of counters; 1 in games that count no checks.
    #[inline]
    pub fn layers(&self) -> u64 {
        u64::from(self.shape.checks.max(1)).pow(2)
    }

    /// The number of indices of a layer, that is of a pair of counters: all in games that count no
    /// checks.
    #[inline]
    pub fn layer_len(&self) -> u64 {
        self.pairs.list().len() as u64 * self.rest
    }

    /// The layer of the checks that each side still has to give; the first without any.
    #[inline]
    pub fn layer(&self, counters: Option<Counters>) -> u64 {
        let checks = self.shape.checks;
        let counters = counters.filter(|_| checks > 0);
        counters.map_or(0, |left| {
            let given = Colour::BOTH.map(|side| u64::from(checks.saturating_sub(left.of(side))));
            given[0] * u64::from(checks) + given[1]
        })
    }

    /// The checks that each side still has to give in a layer; `None` where none are counted.
    pub fn counters(&self, layer: u64) -> Option<Counters> {
        let checks = self.shape.checks;
        let given = |given: u64| checks.saturating_sub(given as u8);
        (checks > 0).then(|| Counters {
            white: given(layer / u64::from(checks)),
            black: given(layer % u64::from(checks)),
        })
    }

    /// The index in the layer of a position of an index in the first layer.
    #[inline]
    pub fn in_layer_of(&self, index: u64, counters: Option<Counters>) -> u64 {
        index + self.layer(counters) * self.layer_len()
    }

    /// A position of the placement of an index, with the counters of the index.
    #[inline]
    pub fn counted(&self, index: u64, position: Position) -> Position {
        let counters = self.counters(index / self.layer_len().max(1));
        let counted = counters.and_then(|counters| position.with_counters(counters));
        counted.unwrap_or(position)
    }

    /// The number of indices for one pair of leading pieces: the product of the
    /// sizes of the groups.
    pub fn indices_per_pair(&self) -> u64 {
        self.rest
    }

    /// The number of pieces of the material.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The places of the two leading pieces among the pieces of the material: White's
    /// first piece and Black's first piece.
    pub fn leaders(&self) -> [usize; 2] {
        [0, self.second]
    }

    /// The pairs of squares of the leading pieces that have indices, White's
    /// leader first, in ascending order. Each represents all its images under the
    /// symmetries of the material, and is the lowest of them.
    pub fn pairs(&self) -> &[(Square, Square)] {
        self.pairs.list()
    }

    /// The pair that represents the squares of the two leading pieces, and the
    /// symmetry that takes `(white, black)` to `pairs()[pair]`. `None` if the two
    /// may not stand there (same square, touching kings, off the board).
    ///
    /// If two symmetries would do (both leaders on an axis of reflection), it is
    /// the one with the lowest [`Transform::index`].
    #[inline]
    pub fn pair_of(&self, white: Square, black: Square) -> Option<(usize, Transform)> {
        self.pairs.find(white, black)
    }

    /// The number of placements of the two leading pieces on the whole board that a pair
    /// represents; 0 if there is no such pair, and for those of layers other than the first, so
    /// that what is counted is counted with full counters.
    ///
    /// If both leaders stand on an axis of reflection, both mirror images of the
    /// other pieces have indices of their own.
    pub fn pair_weight(&self, pair: usize) -> u64 {
        self.pairs.weight(pair)
    }

    /// The place in [`Index::pairs`] of a pair of leaders, counted through all layers.
    #[inline]
    fn pair_in_layer(&self, pair: usize) -> usize {
        match pair.checked_sub(self.pairs.list().len()) {
            None => pair,
            Some(_) => pair % self.pairs.list().len(),
        }
    }

    /// The groups of identical pieces, the most significant first. The leading
    /// pieces themselves are in none of them.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The pieces of the groups, in their order.
    pub fn order(&self) -> impl Iterator<Item = Piece> + '_ {
        self.groups.iter().map(Group::piece)
    }

    /// The digit of the group of a piece; `None` if the index has no such group.
    pub fn digit(&self, piece: Piece) -> Option<Digit> {
        let place = self
            .groups
            .iter()
            .position(|group| group.piece() == piece)?;
        Some(Digit {
            stride: self.groups[place + 1..].iter().map(Group::size).product(),
            size: self.groups[place].size(),
        })
    }

    /// The index of a placement, in the first layer; `squares` in the order of the pieces,
    /// identical pieces in any order.
    ///
    /// `None` if the number of `squares` is not that of the pieces, a square is off
    /// the board, identical pieces share a square, a pawn stands where none may,
    /// or the leading pieces may not stand there. Pieces of different groups that
    /// share a square are not noticed: such placements have an index.
    #[inline]
    pub fn encode(&self, squares: &[Square]) -> Option<u64> {
        if squares.len() != self.pieces {
            return None;
        }
        if self.has_equal_leaders() {
            self.encode_equals(squares)
        } else {
            self.encode_as_led(squares)
        }
    }

    /// The index of a placement in which the first piece of each side leads.
    #[inline]
    fn encode_as_led(&self, squares: &[Square]) -> Option<u64> {
        let (pair, transform) = self.pair_of(squares[0], squares[self.second])?;
        let image = self.pairs.images(transform);
        let mut index = pair as u64;
        for group in &self.groups {
            index = index * group.size() + group.digit_of_image(squares, image)?;
        }
        Some(index)
    }

    /// The index of a placement as [`Index::encode`] has it; the squares become those that
    /// [`Index::decode`] gives for it, without the divisions which that takes. If `None`,
    /// the squares are unspecified.
    #[inline]
    pub fn normalize(&self, squares: &mut [Square]) -> Option<u64> {
        if squares.len() != self.pieces {
            return None;
        }
        if self.has_equal_leaders() {
            let index = self.encode_equals(squares)?;
            return self.decode(index, squares).then_some(index);
        }
        let (pair, transform) = self.pair_of(squares[0], squares[self.second])?;
        let image = self.pairs.images(transform);
        for square in &mut *squares {
            *square = Square(image[usize::from(square.0)]);
        }
        let mut index = pair as u64;
        for group in &self.groups {
            let squares = &mut squares[group.places()];
            if squares.len() > 1 {
                squares.sort_unstable();
            }
            index = index * group.size() + group.digit_of(squares)?;
        }
        Some(index)
    }

    /// Writes the squares of an index in the order of the pieces, identical pieces
    /// (the leaders aside) in ascending order. Returns `false` and leaves `squares`
    /// alone if there is no such index or `squares` has the wrong length.
    #[inline]
    pub fn decode(&self, index: u64, squares: &mut [Square]) -> bool {
        if index >= self.len() || squares.len() != self.pieces {
            return false;
        }
        let mut index = index;
        for group in self.groups.iter().rev() {
            let digit = index % group.size();
            index /= group.size();
            group.squares_of(digit, &mut squares[group.places()]);
        }
        let (white, black) = self.pairs.list()[self.pair_in_layer(index as usize)];
        squares[0] = white;
        squares[self.second] = black;
        true
    }

    /// The place, among the pieces of the material, of the piece whose square changes first from
    /// one index to the next; 0 if there are no pieces but the leaders, whose rows have one
    /// index each.
    pub fn moving_piece(&self) -> usize {
        self.groups.last().map_or(0, |last| last.places().start)
    }

    /// The rows of some indices, as far as these exist, in ascending order. The first and the
    /// last may be parts of rows.
    pub fn rows(&self, indices: Range<u64>) -> impl Iterator<Item = Row> + '_ {
        let (mut next, end) = (indices.start, indices.end.min(self.len()));
        std::iter::from_fn(move || {
            let mut squares = [Square(0); Material::MOST_PIECES];
            if next >= end || !self.decode(next, squares.get_mut(..self.pieces)?) {
                return None;
            }
            let left = self.groups.last().map_or(1, |last| {
                // Of identical pieces, the first stands below the second.
                let places = last.places();
                let above = squares.get(places.start + 1).filter(|_| places.len() > 1);
                let limit = above.map_or(last.squares().end, |square| square.0);
                u64::from(limit.saturating_sub(squares[places.start].0).max(1))
            });
            let first = next;
            let len = left.min(end - first);
            next += len;
            Some(Row {
                first,
                len: len as u8,
                squares,
            })
        })
    }
}

/// Consecutive indices whose placements differ in the square of one piece only, the
/// [moving piece](Index::moving_piece): from one index to the next it moves up by one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first index.
    pub first: u64,
    /// The number of indices, from 1 to the squares of the board.
    pub len: u8,
    /// The squares of the pieces at the first index, in the order of the material.
    pub squares: [Square; Material::MOST_PIECES],
}

/// The place of two squares on which the leading pieces may not stand.
const NO_PAIR: u32 = u32::MAX;

/// An image that is not a square.
const OFF: u8 = u8::MAX;

/// The squares of the two leading pieces up to symmetry.
///
/// Two squares are represented by the lowest of their images under the symmetries:
/// the first leader's square as low as possible, then the second's. On 8x8 with all
/// eight symmetries, the first leader is in the triangle a1-d1-d4 and, if it is on
/// the diagonal a1-h8, the second is on or below it. With the four symmetries of a
/// rectangle, the first leader is in one quarter (a1-e4 on 10x8); with the
/// left-right mirror alone, it is on files a-d of 8x8.
#[derive(Clone, Debug)]
struct Pairs {
    list: Arc<[(Square, Square)]>,
    weights: Arc<[u8]>,
    /// The pair and transform of every two squares, as `pair << 3 | transform`, or [`NO_PAIR`].
    table: Arc<[u32]>,
    squares: usize,
    /// The image of every square under every transform; [`OFF`] for indices off
    /// the board.
    images: Arc<[[u8; 256]; 8]>,
}

/// The board and the two leading pieces, on which pairs depend.
type Key = (Shape, Piece, Piece);

/// The pairs that have been computed: few, and each is that of many materials.
static COMPUTED: LazyLock<Mutex<HashMap<Key, Pairs>>> = LazyLock::new(Mutex::default);

/// Whether two squares are the same or neighbours.
fn touch(geometry: Geometry, a: Square, b: Square) -> bool {
    geometry.file(a).abs_diff(geometry.file(b)) <= 1
        && geometry.rank(a).abs_diff(geometry.rank(b)) <= 1
}

impl Pairs {
    /// The pairs of the leading pieces `white` and `black`.
    fn new(shape: &Shape, white: Piece, black: Piece) -> Pairs {
        let mut computed = COMPUTED.lock().unwrap_or_else(|e| e.into_inner());
        let pairs = computed.entry((*shape, white, black));
        let compute = || Pairs::compute(shape, white, black);
        pairs.or_insert_with(compute).clone()
    }

    fn compute(shape: &Shape, white: Piece, black: Piece) -> Pairs {
        let geometry = shape.geometry;
        let squares = geometry.squares();
        let group: Vec<Transform> = shape.symmetry.transforms().collect();
        let mut images = [[OFF; 256]; 8];
        for &transform in &group {
            for square in geometry.all() {
                images[transform.index()][square.index()] = geometry.apply(transform, square).0;
            }
        }

        let (mut list, mut weights) = (Vec::new(), Vec::new());
        let mut table = vec![NO_PAIR; squares * squares];
        for a in shape.squares(white).map(Square) {
            for b in shape.squares(black).map(Square) {
                let is_off = !geometry.full().contains(a) || !geometry.full().contains(b);
                if is_off || a == b || !shape.touching && touch(geometry, a, b) {
                    continue;
                }
                // A pair is met before all its images if and only if it is the
                // lowest of them.
                let number = list.len() as u32;
                let mut weight = 0;
                for &transform in &group {
                    // The transform that leads back from the image.
                    let image = |s| geometry.apply(transform.inverse(), s).index();
                    let slot = &mut table[image(a) * squares + image(b)];
                    if *slot == NO_PAIR {
                        *slot = number << 3 | transform.index() as u32;
                        weight += 1;
                    }
                }
                if weight > 0 {
                    list.push((a, b));
                    weights.push(weight);
                }
            }
        }
        Pairs {
            list: list.into(),
            weights: weights.into(),
            table: table.into(),
            squares,
            images: Arc::new(images),
        }
    }

    /// The pairs in ascending order.
    #[inline]
    fn list(&self) -> &[(Square, Square)] {
        &self.list
    }

    /// The number of placements of the leaders that a pair represents.
    fn weight(&self, pair: usize) -> u64 {
        self.weights.get(pair).map_or(0, |&w| u64::from(w))
    }

    /// The pair for two squares, and the transform that takes them there.
    #[inline]
    fn find(&self, a: Square, b: Square) -> Option<(usize, Transform)> {
        if a.index() >= self.squares || b.index() >= self.squares {
            return None;
        }
        let entry = self.table[a.index() * self.squares + b.index()];
        (entry != NO_PAIR).then(|| {
            let transform = Transform::ALL[(entry & 7) as usize];
            ((entry >> 3) as usize, transform)
        })
    }

    /// The images of all squares under a transform.
    #[inline]
    fn images(&self, transform: Transform) -> &[u8; 256] {
        &self.images[transform.index()]
    }
}

/// The most pieces that a group can have.
const MOST_IN_GROUP: usize = Material::MOST_PIECES - 2;

/// `BINOMIAL[k][n]` is "n choose k", for boards of up to 128 squares.
static BINOMIAL: [[u64; 129]; MOST_IN_GROUP + 1] = {
    let mut table = [[0; 129]; MOST_IN_GROUP + 1];
    let mut n = 0;
    while n < 129 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MOST_IN_GROUP {
            if n > 0 {
                table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

/// A group of identical pieces of a material, and its digit of the index.
///
/// Pieces on squares `s1 < s2 < ... < sg`, counted from the first square that
/// they may stand on, have the digit `C(s1, 1) + C(s2, 2) + ... + C(sg, g)`:
/// for one piece its square, for two `s1 + s2 * (s2 - 1) / 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    piece: Piece,
    first: u8,
    count: u8,
    origin: u8,
    squares: u8,
    size: u64,
}

impl Group {
    /// `places` are those of the group among the pieces of the material, five at most,
    /// `squares` the range of squares that its pieces may stand on, up to 128.
    pub fn new(piece: Piece, places: Range<usize>, squares: Range<u8>) -> Group {
        let count = places.len().min(MOST_IN_GROUP);
        Group {
            piece,
            first: places.start as u8,
            count: count as u8,
            origin: squares.start,
            squares: squares.len() as u8,
            size: BINOMIAL[count][squares.len()],
        }
    }

    /// The colour and the type of the pieces.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Their places among the pieces of the material.
    #[inline]
    pub fn places(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }

    /// The squares that they may stand on, as a range of square indices.
    pub fn squares(&self) -> Range<u8> {
        self.origin..self.origin + self.squares
    }

    /// The number of digits: the binomial coefficient "squares choose pieces".
    #[inline]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The digit of the pieces' squares, given in any order; `None` if there are
    /// not as many squares as pieces, one is not in [`Group::squares`], or two are
    /// the same.
    #[inline]
    pub fn digit_of(&self, squares: &[Square]) -> Option<u64> {
        if squares.len() != self.count as usize {
            return None;
        }
        self.digit(squares, |square| square.0)
    }

    /// Writes the squares of a digit, lowest first. Returns `false` and writes
    /// nothing if the digit is not less than [`Group::size`] or the length of
    /// `squares` is not the number of pieces.
    #[inline]
    pub fn squares_of(&self, digit: u64, squares: &mut [Square]) -> bool {
        if digit >= self.size || squares.len() != self.count as usize {
            return false;
        }
        let mut rest = digit;
        let mut below = self.squares as usize;
        for (k, square) in squares.iter_mut().enumerate().rev() {
            if k == 0 {
                *square = Square(self.origin + rest as u8);
                break;
            }
            let row = &BINOMIAL[k + 1];
            // The highest square whose binomial still fits; it lies below the
            // one found before.
            let place = row[..below].partition_point(|&b| b <= rest) - 1;
            rest -= row[place];
            *square = Square(self.origin + place as u8);
            below = place;
        }
        true
    }

    /// The digit of the group in a whole placement, with every square replaced by
    /// its image.
    #[inline]
    fn digit_of_image(&self, squares: &[Square], image: &[u8; 256]) -> Option<u64> {
        self.digit(squares.get(self.places())?, |s| image[s.0 as usize])
    }

    #[inline]
    fn digit(&self, squares: &[Square], image: impl Fn(Square) -> u8) -> Option<u64> {
        let local = |square: Square| {
            let place = image(square).wrapping_sub(self.origin);
            (place < self.squares).then_some(place)
        };
        match *squares {
            [one] => Some(u64::from(local(one)?)),
            [one, two] => {
                let (one, two) = (local(one)?, local(two)?);
                let (low, high) = (u64::from(one.min(two)), u64::from(one.max(two)));
                (low != high).then(|| low + high * (high - 1) / 2)
            }
            _ => {
                let mut sorted = [0u8; MOST_IN_GROUP];
                let sorted = sorted.get_mut(..squares.len())?;
                for (to, &square) in sorted.iter_mut().zip(squares) {
                    *to = local(square)?;
                }
                sorted.sort_unstable();
                let mut digit = 0;
                let mut before = None;
                for (k, &place) in sorted.iter().enumerate() {
                    if before == Some(place) {
                        return None;
                    }
                    before = Some(place);
                    digit += BINOMIAL[k + 1][place as usize];
                }
                Some(digit)
            }
        }
    }
}

/// Converts indices to those of another [`Index`] of the same material, with the
/// groups in another order.
#[derive(Clone, Debug)]
pub struct Reindexing {
    /// The number of digits of each group of the first index, the most significant first, and its
    /// stride in the second index.
    groups: Vec<(u64, u64)>,
    per_pair: u64,
}

impl Reindexing {
    /// Maps indices of `from` to those of `to`; `None` if these are not of the same material on the
    /// same board.
    pub fn new(from: &Index, to: &Index) -> Option<Reindexing> {
        if from.material() != to.material() || from.shape() != to.shape() {
            return None;
        }
        let groups = from.groups().iter().map(|group| {
            let there = to.digit(group.piece())?;
            Some((group.size(), there.stride))
        });
        Some(Reindexing {
            groups: groups.collect::<Option<_>>()?,
            per_pair: from.indices_per_pair(),
        })
    }

    /// Whether the orders are the same, so that every index stays what it is.
    pub fn keeps_order(&self) -> bool {
        let mut stride = 1;
        self.groups.iter().rev().all(|&(size, there)| {
            let keeps = there == stride;
            stride *= size;
            keeps
        })
    }

    /// Calls `visit` with the new index of each old one in a range, in the order of
    /// the old ones.
    #[inline]
    pub fn each(&self, range: Range<u64>, mut visit: impl FnMut(u64)) {
        // All but the last group stay the same for a run of indices.
        let (&(size, stride), leading) = match self.groups.split_last() {
            Some(split) => split,
            None => return range.for_each(visit),
        };
        let mut index = range.start;
        while index < range.end {
            let pair = index / self.per_pair;
            let mut rest = index % self.per_pair / size;
            let mut base = pair * self.per_pair;
            for &(size, stride) in leading.iter().rev() {
                base += rest % size * stride;
                rest /= size;
            }
            let first = index % size;
            let last = size.min(first + range.end - index);
            (first..last).for_each(|digit| visit(base + digit * stride));
            index += last - first;
        }
    }
}
