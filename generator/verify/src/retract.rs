//! Taking moves back: the steps of pieces, and the indices of the placements before them.

use retrograde_probe::Index;
use retrograde_rules::{Geometry, Material, Piece, PieceType, Square, SquareSet, Transform};

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

/// Calls `visit` with every square from which a piece, not a pawn, may have come to
/// `start` without a capture.
pub(super) fn each_origin(
    geometry: Geometry,
    piece: Piece,
    start: Square,
    occupied: SquareSet,
    mut visit: impl FnMut(Square),
) {
    let (steps, slides) = steps(piece);
    for &(files, ranks) in steps {
        let mut at = start;
        while let Some(from) = geometry.offset(at, files, ranks) {
            if occupied.contains(from) {
                break;
            }
            visit(from);
            at = from;
            if !slides {
                break;
            }
        }
    }
}

/// The steps of a piece whose moves can be reversed, and whether it slides; none
/// for a pawn.
fn steps(piece: Piece) -> (&'static [(i8, i8)], bool) {
    const ALL: [(i8, i8); 8] = [
        (1, 0),
        (-1, 0),
        (0, 1),
        (0, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ];
    const LEAPS: [(i8, i8); 8] = [
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ];
    match piece.piece_type {
        PieceType::King => (&ALL, false),
        PieceType::Queen => (&ALL, true),
        PieceType::Rook => (&ALL[..4], true),
        PieceType::Bishop => (&ALL[4..], true),
        PieceType::Knight => (&LEAPS, false),
        _ => (&[], false),
    }
}
