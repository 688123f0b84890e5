//! Taking moves back: the steps of pieces, and the indices of the placements before them.

use retrograde_probe::Index;
use retrograde_rules::{Geometry, Material, Mover, Ray, Square, SquareSet, Transform};

/// The symmetries that may lead from one index of a placement to another.
pub(super) struct Images {
    geometry: Geometry,
    transforms: Vec<Transform>,
}

impl Images {
    pub(super) fn new(index: &Index) -> Images {
        let shape = index.shape();
        Images {
            geometry: shape.geometry,
            transforms: shape.symmetry.transforms().collect(),
        }
    }

    /// The indices of a placement: two if a reflection leaves both kings where
    /// they are.
    #[inline]
    pub(super) fn indices(&self, index: &Index, squares: &[Square]) -> [Option<u64>; 2] {
        let Some(idx) = index.encode(squares) else {
            return [None; 2];
        };
        let pair = idx / index.indices_per_pair();
        let [white, black] = index.pairs()[pair as usize].into();
        let geometry = self.geometry;
        let mirror = self.transforms.iter().find(|&&t| {
            t != Transform::IDENTITY
                && geometry.apply(t, white) == white
                && geometry.apply(t, black) == black
        });
        let Some(&mirror) = mirror else {
            return [Some(idx), None];
        };
        let mut image = [Square(0); Material::MOST_PIECES];
        let image = &mut image[..squares.len()];
        index.decode(idx, image);
        for square in image.iter_mut() {
            *square = geometry.apply(mirror, *square);
        }
        [Some(idx), index.encode(image)]
    }
}

/// Calls `visit` with every square from which a piece that moves like this may have come to
/// `start` without a capture: every move can be made both ways.
pub(super) fn each_origin(
    geometry: Geometry,
    mover: Mover,
    start: Square,
    occupied: SquareSet,
    mut visit: impl FnMut(Square),
) {
    let single = mover.leaps().map(|step| Ray { step, most: 1 });
    for Ray { step, most } in single.chain(mover.rays()) {
        let mut at = start;
        for _ in 0..most {
            let Some(from) = geometry.offset(at, step.0, step.1) else {
                break;
            };
            if occupied.contains(from) {
                break;
            }
            visit(from);
            at = from;
        }
    }
}
