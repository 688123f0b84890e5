//! Enumerates the placements of a material for proofs, with the moves to and from them.
//!
//! It tells which are positions, where moves lead and come from, and where the tables have them.

use std::collections::BTreeSet;

use retrograde_probe::Index;
use retrograde_rules::{
    Colour, Game, Geometry, LastOfType, Material, Modality, Move, Mover, Piece, PieceType,
    Position, Ray, Square, SquareSet, Transform,
};

/// Calls `visit` with each of some indices that stands for a position, and is the first
/// that does so, with the position and the squares of its pieces.
pub(super) fn each_position<E>(
    game: Game,
    index: &Index,
    indices: impl Iterator<Item = (Colour, u64)>,
    mut visit: impl FnMut(Colour, u64, &Position, &[Square]) -> Result<(), E>,
) -> Result<(), E> {
    let pieces: Vec<Piece> = index.material().pieces().collect();
    let mut squares = vec![Square(0); pieces.len()];
    for (turn, number) in indices {
        if !index.is_canonical(number) {
            continue;
        }
        index.decode(number, &mut squares);
        if let Some(position) = position_of(game, &pieces, &squares, turn) {
            let position = index.counted(number, position);
            visit(turn, number, &position, &squares)?;
        }
    }
    Ok(())
}

/// The position with these pieces on these squares; `None` if there is none.
#[inline]
pub(super) fn position_of(
    game: Game,
    pieces: &[Piece],
    squares: &[Square],
    turn: Colour,
) -> Option<Position> {
    let placed = pieces.iter().copied().zip(squares.iter().copied());
    Position::from_pieces(game, placed, turn)
}

/// Writes where the pieces stand after a move of one of them that is not a capture.
#[inline]
pub(super) fn moved(squares: &[Square], mv: Move, child: &mut [Square]) {
    child.copy_from_slice(squares);
    if let Some(mover) = child.iter_mut().find(|s| **s == mv.from) {
        *mover = mv.to;
    }
}

/// Writes the squares of a position as its table has them, in the order of `pieces`, the
/// material being in normal form, with the colours swapped or not.
pub(super) fn place_as(
    game: Game,
    position: &Position,
    material: &Material,
    swapped: bool,
    pieces: &[Piece],
    squares: &mut [Square],
) {
    let geometry = game.geometry();
    let interchange = game.interchange(material);
    let mut place = 0;
    while place < squares.len() {
        let piece = pieces[place];
        let colour = if swapped {
            piece.colour.other()
        } else {
            piece.colour
        };
        for square in position.board().of(Piece::new(colour, piece.piece_type)) {
            squares[place] = if swapped {
                interchange.image(geometry, square)
            } else {
                square
            };
            place += 1;
        }
    }
}

/// The materials that a capture or promotion can lead to, in normal form; computed
/// here again, independently of the solver.
pub(super) fn successors(game: Game, material: &Material) -> Vec<Material> {
    let mut list = Vec::new();
    let pieces: Vec<Piece> = material.pieces().collect();
    // The last piece of a type is never taken if it is royal or if the game ends
    // with it.
    let can_go = |pieces: &Material, piece: Piece| {
        game.one_of_type(piece.piece_type, pieces.count(piece)) == LastOfType::Free
    };
    if game.explodes() {
        exploded(game, material, &mut list);
    }
    // Nor does a game go on after the last piece of a side is taken.
    let mut taken: Vec<(Option<Piece>, Option<Material>)> = pieces
        .iter()
        .filter(|&&m| can_go(material, m) && material.side_len(m.colour) > 1 && !game.explodes())
        .filter(|&&m| pieces.iter().any(|&captor| may_capture(game, captor, m)))
        .map(|&m| (Some(m), material.without(m)))
        .collect();
    taken.push((None, Some(*material)));
    for (gone, rest) in taken {
        let Some(rest) = rest else { continue };
        list.push(rest);
        let promoting = |pawn: &Piece| {
            pawn.piece_type == PieceType::Pawn
                && gone.is_none_or(|gone| gone.colour != pawn.colour)
                && can_go(&rest, *pawn)
        };
        for pawn in rest.pieces().filter(promoting) {
            for &piece_type in game.promotions(pawn.colour) {
                if let Some(mut promoted) = rest.without(pawn) {
                    promoted.add(Piece::new(pawn.colour, piece_type));
                    list.push(promoted);
                }
            }
        }
    }
    let mut list: Vec<Material> = list.into_iter().map(|m| m.normal(game).0).collect();
    list.sort_unstable();
    list.dedup();
    list.retain(|m| m != material);
    list
}

/// Whether one piece may capture another, wherever they stand (D17).
fn may_capture(game: Game, captor: Piece, taken: Piece) -> bool {
    let alike = captor.piece_type == taken.piece_type;
    captor.colour != taken.colour && !(alike && game.is_mutually_immune(taken.piece_type))
}

/// Adds the materials that explosions leave (M1): without what is captured, the captor unless it
/// survives, and any pieces beside them but royal kings and those that are spared, unless that ends
/// the game (D11).
fn exploded(game: Game, material: &Material, list: &mut Vec<Material>) {
    let mut kinds: Vec<Piece> = material.pieces().collect();
    kinds.dedup();
    kinds.retain(|piece| piece.piece_type != PieceType::King || game.lacks_royals());
    let ends = |mover, rest: &Material| {
        game.lacks_royals() && material.end_of_explosion(game, mover, rest).is_some()
    };
    for &captor in &kinds {
        let promotions: &[PieceType] = match captor.piece_type {
            PieceType::Pawn => game.promotions(captor.colour),
            _ => &[],
        };
        let arrives = promotions.iter().chain([&captor.piece_type]);
        let arrives = arrives.map(|&becomes| match game.survives_captures(becomes) {
            true => Some(Piece::new(captor.colour, becomes)),
            false => None,
        });
        let arrives: BTreeSet<Option<Piece>> = arrives.collect();
        let captured = kinds
            .iter()
            .filter(|&&taken| may_capture(game, captor, taken));
        let explosions =
            captured.flat_map(|&taken| arrives.iter().map(move |&survivor| (taken, survivor)));
        for (taken, survivor) in explosions {
            let rest = material
                .without(captor)
                .and_then(|rest| rest.without(taken));
            let mut left: Vec<Material> = rest.into_iter().collect();
            for rest in &mut left {
                survivor.into_iter().for_each(|piece| rest.add(piece));
            }
            while let Some(rest) = left.pop() {
                // What is gone does not come back.
                if ends(captor.colour, &rest) {
                    continue;
                }
                list.push(rest);
                let beside = kinds.iter().filter(|&&piece| {
                    let stay = usize::from(survivor == Some(piece));
                    rest.count(piece) > stay && !game.is_spared(piece.piece_type)
                });
                left.extend(beside.filter_map(|&piece| rest.without(piece)));
            }
        }
    }
}

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
/// `start` without a capture.
pub(super) fn each_origin(
    geometry: Geometry,
    mover: Mover,
    start: Square,
    occupied: SquareSet,
    mut visit: impl FnMut(Square),
) {
    let back = mover.reversed();
    let single = back.leaps(Modality::Quiet);
    let single = single.map(|step| Ray { step, most: 1 });
    for Ray { step, most } in single.chain(back.rays(Modality::Quiet)) {
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
