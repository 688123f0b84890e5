//! Tests retracted moves against the rules, on grids that are too large to be solved in a test.

use std::collections::HashSet;

use retrograde_rules::{Colour, Game, Material, Piece, Position, Square, Symmetry, Transform};

use super::super::layout::{Layout, RowAt};
use super::super::movement::Between;
use super::super::plane::Plane;
use super::super::squares::filled;
use super::super::word::{BoardShape, Word};
use super::{Mover, Movers, Source};

/// Squares of all pieces of a material, in its order.
type Squares = Vec<usize>;

/// A placement, whichever of identical pieces is which.
type Placement = Vec<(Square, Piece)>;

fn placement(pieces: impl IntoIterator<Item = (Piece, Square)>) -> Placement {
    let mut placement: Placement = pieces.into_iter().map(|(p, s)| (s, p)).collect();
    placement.sort_unstable();
    placement
}

/// The placements that are a placement with identical pieces exchanged.
fn orders(layout: &Layout, squares: Squares) -> HashSet<Squares> {
    let mut all = HashSet::from([squares]);
    let pieces = &layout.pieces;
    for first in 0..pieces.len() {
        for second in (0..first).filter(|&second| pieces[second] == pieces[first]) {
            let exchanged = |squares: &Squares| {
                let mut squares = squares.clone();
                squares.swap(first, second);
                squares
            };
            let more: Vec<Squares> = all.iter().map(exchanged).collect();
            all.extend(more);
        }
    }
    all
}

/// The block and row of a placement, if its leaders are a pair of the index as they stand.
fn row_of(layout: &Layout, squares: &[usize]) -> Option<(usize, usize)> {
    let leaders = layout.leaders.map(|leader| squares[leader]);
    let block = (0..layout.blocks()).find(|&block| layout.block_squares(block) == leaders)?;
    let outer = layout.outer().iter().map(|c| squares[c.piece]);
    Some((block, layout.row_of(outer)?))
}

/// Takes moves back from some random positions near one another, and compares whole rows
/// with what the rules say.
fn compare(name: &str) {
    let game = Game::default();
    let layout = Layout::to_solve(game, &Material::parse(game, name).unwrap()).unwrap();
    let geometry = game.geometry();
    let [.., lane, inner] = layout.coordinates[..] else {
        panic!("{name} has few pieces")
    };
    // The leaders of some block, and outer pieces on f5 and d7.
    let mut base = vec![0; layout.pieces.len()];
    for (piece, square) in layout.leaders.into_iter().zip(layout.block_squares(57)) {
        base[piece] = square;
    }
    for (coordinate, square) in layout.outer().iter().zip([37, 51]) {
        base[coordinate.piece] = square;
    }
    let position = |squares: &Squares, turn| {
        let squares = squares.iter().map(|&s| Square(s as u8));
        Position::from_pieces(game, layout.pieces.iter().copied().zip(squares), turn)
    };
    let within = |squares: &Squares, places: usize| {
        let mut squares = squares.clone();
        squares[lane.piece] = places / 64;
        squares[inner.piece] = places % 64;
        squares
    };
    let between = Between::<u64>::new(layout.board::<u64>());
    let mover = Mover::new(&layout, &between);
    // Pawns keep their ranks.
    let transforms = geometry.transforms().filter(|&transform| {
        let image = |square| between.board.image(transform, square);
        layout.index.shape().symmetry == Symmetry::Full || (0..64).all(|s| image(s) / 8 == s / 8)
    });
    let transforms: Vec<Transform> = transforms.collect();
    for side in Colour::BOTH {
        // One in 64 of the positions of the rows that an outer piece or a leader leads to.
        let mut targets = HashSet::new();
        let mut plane = Plane::<u64>::new(&layout);
        let mut random = 1u64;
        for piece in (0..base.len()).filter(|&p| p != lane.piece && p != inner.piece) {
            for square in 0..64 {
                let mut row = base.clone();
                row[piece] = square;
                for places in 0..4096 {
                    random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                    let squares = within(&row, places);
                    if random >> 58 != 0 || position(&squares, side.other()).is_none() {
                        continue;
                    }
                    for &transform in &transforms {
                        let image = |&s: &usize| between.board.image(transform, s);
                        let images: Squares = squares.iter().map(image).collect();
                        let squares = images.iter().map(|&s| Square(s as u8));
                        targets.insert(placement(layout.pieces.iter().copied().zip(squares)));
                        for squares in orders(&layout, images) {
                            if let Some((block, row)) = row_of(&layout, &squares) {
                                let row = block * layout.rows + row;
                                let lane = squares[lane.piece];
                                plane.words[row * 64 + lane] |= u64::of(squares[inner.piece]);
                                plane.any[row] |= u64::of(lane);
                            }
                        }
                    }
                }
            }
        }
        let (block, row) = row_of(&layout, &base).unwrap();
        let mut found = <u64 as Word>::EMPTY_ROW;
        let found: &mut [u64] = found.as_mut();
        let source = Source {
            plane: &plane,
            en_passant: None,
            arrivals: &[],
            movers: Movers::All,
            wanted: u64::ALL,
        };
        mover.retract(&RowAt::new(&layout, block, row), side, source, found);
        assert!(!filled(found).is_empty(), "{name}");
        let mut compared = [0; 2];
        for places in 0..4096 {
            let Some(position) = position(&within(&base, places), side) else {
                continue;
            };
            let moves = position.legal_moves();
            let quiet = moves
                .iter()
                .filter(|m| m.captured.is_none() && m.promotion.is_none());
            let leads = quiet
                .map(|&m| placement(position.play(m).board().pieces()))
                .any(|after| targets.contains(&after));
            assert_eq!(
                found[places / 64].has(places % 64),
                leads,
                "{}",
                position.fen()
            );
            compared[usize::from(leads)] += 1;
        }
        assert!(compared.iter().all(|&n| n > 100), "{name}: {compared:?}");
    }
}

#[test]
fn moves_of_identical_pieces_are_those_of_the_rules() {
    for name in ["KRRvKRR", "KRRRvKN", "KPPvKBN"] {
        compare(name);
    }
}
