//! The two leading pieces, reduced by the symmetries of the board.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use retrograde_rules::{Geometry, Piece, Square, Transform};

use super::Shape;

/// No pair: the two leading pieces may not stand there.
const NONE: u32 = u32::MAX;

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
pub(super) struct Pairs {
    list: Arc<[(Square, Square)]>,
    weights: Arc<[u8]>,
    /// For every two squares `pair << 3 | transform`, or [`NONE`].
    table: Arc<[u32]>,
    squares: usize,
    /// The image of every square under every transform; [`OFF`] for indices off
    /// the board.
    images: Arc<[[u8; 256]; 8]>,
}

/// What pairs depend on: the board, and the two leading pieces.
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
    pub(super) fn new(shape: &Shape, white: Piece, black: Piece) -> Pairs {
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
        let mut table = vec![NONE; squares * squares];
        for a in shape.squares(white).map(Square) {
            for b in shape.squares(black).map(Square) {
                if a == b || !shape.touching && touch(geometry, a, b) {
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
                    if *slot == NONE {
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

    /// All pairs in ascending order.
    #[inline]
    pub(super) fn list(&self) -> &[(Square, Square)] {
        &self.list
    }

    /// How many placements of the leaders a pair represents.
    pub(super) fn weight(&self, pair: usize) -> u64 {
        self.weights.get(pair).map_or(0, |&w| u64::from(w))
    }

    /// The pair for two squares, and the transform that takes them there.
    #[inline]
    pub(super) fn find(&self, a: Square, b: Square) -> Option<(usize, Transform)> {
        if a.index() >= self.squares || b.index() >= self.squares {
            return None;
        }
        let entry = self.table[a.index() * self.squares + b.index()];
        (entry != NONE).then(|| {
            let transform = Transform::ALL[(entry & 7) as usize];
            ((entry >> 3) as usize, transform)
        })
    }

    /// The images of all squares under a transform.
    #[inline]
    pub(super) fn images(&self, transform: Transform) -> &[u8; 256] {
        &self.images[transform.index()]
    }
}
