//! The two ways of computing features agree with each other and with the definition.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use retrograde_learned::{
    CodecBoard, CodecPiece, Columns, FeatureKind, FeatureRow, Features, Moves,
};

fn moves() -> impl Strategy<Value = Moves> {
    prop::sample::select(vec![
        Moves::KING,
        Moves::KNIGHT,
        Moves::STRAIGHT,
        Moves::DIAGONAL,
        Moves::STRAIGHT | Moves::DIAGONAL,
        Moves::DIAGONAL | Moves::KNIGHT,
        Moves::PAWN,
    ])
}

fn piece() -> impl Strategy<Value = CodecPiece> {
    (any::<bool>(), moves(), any::<bool>()).prop_map(|(black, moves, royal)| CodecPiece {
        black,
        moves,
        royal,
    })
}

proptest! {
    #[test]
    fn rows_and_columns_agree(
        (files, ranks) in prop::sample::select(vec![(8, 8), (9, 9), (10, 8), (10, 10), (3, 5)]),
        pieces in prop::collection::vec(piece(), 1..=8),
        raw in prop::collection::vec(any::<[u8; 10]>(), 1..40),
    ) {
        let board = CodecBoard::new(files, ranks).unwrap();
        let features = Features::new(board, &pieces, &[5, 64]).unwrap();
        let len = raw.len();
        let squares = |raw: &[u8; 10]| -> Vec<u8> {
            raw.iter().take(pieces.len()).map(|&s| s % board.squares()).collect()
        };
        let contexts = |raw: &[u8; 10]| [raw[8] % 5, raw[9] % 64];
        let mut by_piece = vec![0; len * pieces.len()];
        let mut by_context = vec![0; len * 2];
        for (place, raw) in raw.iter().enumerate() {
            for (piece, square) in squares(raw).into_iter().enumerate() {
                by_piece[piece * len + place] = square;
            }
            for (number, value) in contexts(raw).into_iter().enumerate() {
                by_context[number * len + place] = value;
            }
        }
        let mut columns = Columns::new();
        columns.fill(&features, len, &by_piece, &by_context);
        for (place, raw) in raw.iter().enumerate() {
            let mut row: FeatureRow = [0; 256];
            features.row(&squares(raw), &contexts(raw), &mut row).unwrap();
            for (number, about) in features.list().iter().enumerate() {
                let value = columns.column(number)[place];
                prop_assert_eq!(value, row[number], "{:?}", about);
                prop_assert!(value < about.size, "{:?} is {}", about, value);
            }
        }
    }
}

/// The value of a feature of white king, black pawn and black rook.
fn value(kind: FeatureKind, first: u8, second: u8, squares: [u8; 3]) -> u8 {
    let piece = |black, moves, royal| CodecPiece {
        black,
        moves,
        royal,
    };
    let pieces = [
        piece(false, Moves::KING, true),
        piece(true, Moves::PAWN, false),
        piece(true, Moves::STRAIGHT, false),
    ];
    let features = Features::new(CodecBoard::new(8, 8).unwrap(), &pieces, &[]).unwrap();
    let mut row: FeatureRow = [0; 256];
    features.row(&squares, &[], &mut row).unwrap();
    let same = |about: &&retrograde_learned::Feature| {
        (about.kind, about.first, about.second) == (kind, first, second)
    };
    let number = features
        .list()
        .iter()
        .position(|about| same(&about))
        .unwrap();
    row[number]
}

#[test]
fn features_say_what_is_on_the_board() {
    // King e1, pawn d2, rook d8.
    let squares = [4, 11, 59];
    assert_eq!(value(FeatureKind::Touch, 0, 1, squares), 3, "both take");
    assert_eq!(
        value(FeatureKind::Touch, 1, 2, squares),
        2,
        "the rook guards the pawn"
    );
    assert_eq!(value(FeatureKind::Hanging, 1, 1, squares), 5);
    assert_eq!(value(FeatureKind::Hanging, 0, 0, squares), 4);
    // Pawn d3 between rook d8 and king d1.
    let squares = [3, 19, 59];
    assert_eq!(
        value(FeatureKind::Touch, 0, 2, squares),
        0,
        "the pawn is in the way"
    );
    assert_eq!(value(FeatureKind::Touch, 1, 2, squares), 2);
    assert_eq!(value(FeatureKind::Race, 1, 0, squares), 15 - 2);
    assert_eq!(value(FeatureKind::Apart, 0, 2, squares), 7);
    assert_eq!(value(FeatureKind::Ranks, 0, 2, squares), 15 - 7);
    assert_eq!(value(FeatureKind::Files, 0, 1, squares), 15);
    assert_eq!(value(FeatureKind::Steps, 0, 1, squares), 2);
}

#[test]
fn questions_out_of_range_are_refused() {
    let king = CodecPiece {
        black: false,
        moves: Moves::KING,
        royal: true,
    };
    let features = Features::new(CodecBoard::new(8, 8).unwrap(), &[king], &[5]).unwrap();
    let mut row: FeatureRow = [0; 256];
    assert!(features.row(&[63], &[4], &mut row).is_ok());
    assert!(features.row(&[64], &[4], &mut row).is_err());
    assert!(features.row(&[63], &[5], &mut row).is_err());
    assert!(features.row(&[63], &[], &mut row).is_err());
    assert!(features.row(&[], &[4], &mut row).is_err());
    assert!(Features::new(features.board(), &[], &[]).is_err());
    assert!(Features::new(features.board(), &[king], &[65]).is_err());
    assert!(Features::new(features.board(), &[king; 16], &[]).is_err());
}
