//! Rows are divided as the features of single placements say.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::board::{CodecBoard, CodecPiece, Moves};
use crate::feature::{Domain, Feature, FeatureRow};

fn piece() -> impl Strategy<Value = CodecPiece> {
    let moves = prop::sample::select(vec![
        Moves::KING,
        Moves::KNIGHT,
        Moves::STRAIGHT,
        Moves::DIAGONAL,
        Moves::STRAIGHT | Moves::DIAGONAL,
        Moves::DIAGONAL | Moves::KNIGHT,
        Moves::PAWN,
    ]);
    let all = (any::<bool>(), moves, any::<bool>());
    all.prop_map(|(black, moves, royal)| CodecPiece {
        black,
        moves,
        royal,
    })
}

/// The sets that a node may ask a feature for.
fn lefts(feature: &Feature, random: u128) -> u128 {
    match feature.domain {
        Domain::Order => (2 << (random % u128::from(feature.size))) - 1,
        Domain::Set { .. } => random,
    }
}

/// What is found of placements by their numbers: whether they go left.
fn found<W: Squares>(rows: &RowsOf<W>, question: (usize, u128)) -> HashMap<usize, bool> {
    let mut parts = Parts::new(rows.asked());
    let rights = rows.divide(question, &mut parts, 0);
    let mut found = HashMap::new();
    for (number, &part) in parts.all.iter().enumerate() {
        rows.each_place(part, |place| {
            assert!(
                found.insert(place, number < rights).is_none(),
                "placement {place}"
            );
        });
    }
    found
}

proptest! {
    #[test]
    fn questions_divide_rows_as_they_do_placements(
        (files, ranks) in prop::sample::select(vec![(8, 8), (9, 9), (10, 8), (10, 10), (3, 5), (16, 8)]),
        pieces in prop::collection::vec(piece(), 1..=6),
        moving in any::<prop::sample::Index>(),
        raw in prop::collection::vec((any::<[u8; MOST]>(), any::<u8>()), 1..12),
        contexts in prop::collection::vec(0..5_u8, 12 * 128),
        random in prop::collection::vec(any::<u128>(), 1..8),
        skipped in any::<u8>(),
    ) {
        let board = CodecBoard::new(files, ranks).unwrap();
        let features = Features::new(board, &pieces, &[5]).unwrap();
        let (moving, size) = (moving.index(pieces.len()), board.squares());
        let rows: Vec<Row> = raw.iter().map(|&(squares, len)| {
            let squares = squares.map(|square| square % size);
            Row { squares, len: len % (size - squares[moving]) + 1 }
        }).collect();
        let places = rows.iter().map(|row| usize::from(row.len)).sum();
        let contexts = &contexts[..places];
        let is_asked = |place: usize| place % 7 != usize::from(skipped % 7);
        let mut by_rows = Rows::new(&features, moving).unwrap();
        by_rows.fill(&rows, contexts, is_asked);
        for (number, feature) in features.list().iter().enumerate() {
            for &random in &random {
                let left = lefts(feature, random);
                let question = (number, left);
                let found = match &by_rows.0 {
                    Words::Small(rows) => found(rows, question),
                    Words::Large(rows) => found(rows, question),
                };
                let mut expected = HashMap::new();
                let mut place = 0;
                for row in &rows {
                    for after in 0..row.len {
                        let mut squares = row.squares;
                        squares[moving] += after;
                        let squares = &squares[..pieces.len()];
                        if is_asked(place) {
                            let mut values: FeatureRow = [0; 256];
                            features.row(squares, &contexts[place..=place], &mut values).unwrap();
                            expected.insert(place, left >> values[number] & 1 != 0);
                        }
                        place += 1;
                    }
                }
                prop_assert_eq!(&found, &expected, "{:?}, {} moves", feature, moving);
            }
        }
    }
}

#[test]
fn a_piece_that_does_not_exist_does_not_move() {
    let king = CodecPiece {
        black: false,
        moves: Moves::KING,
        royal: true,
    };
    let features = Features::new(CodecBoard::new(8, 8).unwrap(), &[king], &[]).unwrap();
    assert!(Rows::new(&features, 1).is_err());
}
