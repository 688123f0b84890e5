//! Trees: however they are kept and walked, a walk ends where the questions lead.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use retrograde_learned::layout::{Book, Split, Spot};
use retrograde_learned::{
    CodeShape, CodecBoard, CodecPiece, Domain, Encoder, FeatureRow, Features, LearnedError, Model,
    Moves, Row, Rows, TreeBuilder,
};

/// A tree as it is thought of.
#[derive(Clone, Debug)]
enum Plain {
    /// An end with a number.
    End(u32),
    Node(Split, Box<[Plain; 2]>),
}

impl Plain {
    fn walk(&self, row: &FeatureRow) -> u32 {
        match self {
            Plain::End(end) => *end,
            Plain::Node(split, children) => {
                let left = split.left >> row[usize::from(split.feature)] & 1;
                children[left as usize].walk(row)
            }
        }
    }

    fn build(&self, tree: &mut TreeBuilder) {
        match self {
            Plain::End(end) => tree.end(*end),
            Plain::Node(split, children) => {
                let [right, left] = &**children;
                let node = tree.node(*split);
                left.build(tree);
                let end = match left {
                    Plain::End(end) => Some(*end),
                    Plain::Node(..) => None,
                };
                assert_eq!(tree.left_end(node), end);
                right.build(tree);
            }
        }
    }
}

const SYMBOLS: u32 = 300;

/// A tree with all leaves at one depth.
fn complete(depth: u32, splits: &mut impl FnMut() -> Split, leaves: &mut u32) -> Plain {
    if depth == 0 {
        *leaves += 1;
        return Plain::End(*leaves % SYMBOLS);
    }
    let split = splits();
    let children = [(); 2].map(|()| complete(depth - 1, splits, leaves));
    Plain::Node(split, Box::new(children))
}

/// Writes a tree whose leaves are symbols.
fn write(plain: &Plain, features: &Features, to: (&mut Book, &mut Encoder), spot: Spot) {
    let (book, encoder) = to;
    let is_leaf = |plain: &Plain| matches!(plain, Plain::End(_));
    book.is_leaf(encoder, spot, is_leaf(plain));
    match plain {
        Plain::End(symbol) => {
            let mut shape = CodeShape {
                levels: Vec::new(),
                rest: vec![(*symbol as u16, 0)],
            };
            book.shape(encoder, &mut shape).unwrap();
        }
        Plain::Node(split, children) => {
            let [right, left] = &**children;
            book.split(encoder, features, *split).unwrap();
            write(left, features, (book, encoder), spot.below());
            write(right, features, (book, encoder), spot.beside(is_leaf(left)));
        }
    }
}

/// Models with very many nodes, of few bytes and of many.
#[test]
fn large_models_are_read() {
    let features = features(8, 8);
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        state ^ state >> 32
    };
    let sizes = 0..1 << 16;
    for (depth, is_small) in [(15, true), (13, false)] {
        let mut splits = || Split {
            feature: 0,
            left: if is_small { 0xF0F0 } else { random().into() },
        };
        let plain = complete(depth, &mut splits, &mut 0);
        let (mut book, mut encoder) = (Book::new(&features, SYMBOLS), Encoder::new());
        write(&plain, &features, (&mut book, &mut encoder), Spot::ROOT);
        let bytes = encoder.finish();
        assert_eq!(sizes.contains(&bytes.len()), is_small, "{}", bytes.len());
        let model = Model::read(&bytes, &features, SYMBOLS, 0).unwrap();
        assert!(model.bytes() > 1 << 16, "{}", model.bytes());
        let mut row: FeatureRow = [0; 256];
        for square in 0..64 {
            let squares = [square, (square + 9) % 64, (square + 30) % 64];
            features.row(&squares, &[1], &mut row).unwrap();
            let code = model.code(&features, &row, |_| Err(LearnedError::Model("no branches")));
            let symbol = code.unwrap().only().map(u32::from);
            assert_eq!(plain.walk(&row), symbol.unwrap());
        }
    }
}

fn features(files: u8, ranks: u8) -> Features {
    of_pieces(files, ranks, 1)
}

/// The features of two kings, some pawns before the second, and a context.
fn of_pieces(files: u8, ranks: u8, pawns: usize) -> Features {
    let board = CodecBoard::new(files, ranks).unwrap();
    let piece = |black, moves, royal| CodecPiece {
        black,
        moves,
        royal,
    };
    let mut pieces = vec![piece(false, Moves::PAWN, false); pawns + 2];
    pieces[0] = piece(false, Moves::KING, true);
    pieces[pawns + 1] = piece(true, Moves::KING, true);
    Features::new(board, &pieces, &[3]).unwrap()
}

/// A tree with ends below a number.
fn tree(features: &Features, ends: u32) -> impl Strategy<Value = Plain> + use<> {
    let list = features.list().to_vec();
    let split = (0..list.len(), any::<u128>(), any::<bool>()).prop_map(move |(at, bits, few)| {
        let feature = &list[at];
        let size = u32::from(feature.size);
        let up_to = (2 << (bits % u128::from(size - 1))) - 1;
        let left = match feature.domain {
            Domain::Order => up_to,
            Domain::Set { .. } if few => up_to,
            Domain::Set { .. } => {
                // Alike at the ends, as most sets are.
                let cut = |by: u128| (bits >> by & 127) as u32 % size;
                let some = bits & u128::MAX << cut(100);
                let some = some | u128::MAX.checked_shr(cut(110)).unwrap_or(0) & bits >> 64;
                some & (u128::MAX >> (128 - size))
            }
        };
        let feature = at as u8;
        Split { feature, left }
    });
    let end = (0..ends).prop_map(Plain::End);
    end.prop_recursive(12, 300, 2, move |below| {
        (split.clone(), below.clone(), below)
            .prop_map(|(split, right, left)| Plain::Node(split, Box::new([right, left])))
    })
}

/// Squares of up to eight pieces, and a context.
type Placement = ([u8; 8], u8);

/// Features, a tree, and placements.
fn cases() -> impl Strategy<Value = (Features, Plain, Vec<Placement>)> {
    let boards = prop_oneof![Just((8, 8)), Just((9, 9)), Just((10, 8)), Just((16, 8))];
    // Some have more than 128 features.
    let pawns = prop_oneof![Just(1), Just(6)];
    let ends = prop_oneof![Just(150), Just(1 << 20)];
    (boards, pawns, ends).prop_flat_map(|((files, ranks), pawns, ends)| {
        let features = of_pieces(files, ranks, pawns);
        assert_eq!(features.list().len() > 128, pawns > 1);
        let placement = ([(); 8].map(|()| 0..files * ranks), 0..3u8);
        let placements = prop::collection::vec(placement, 1..100);
        (tree(&features, ends), placements)
            .prop_map(move |(tree, placements)| (features.clone(), tree, placements))
    })
}

proptest! {
    #[test]
    fn walks_end_where_questions_lead((features, plain, placements) in cases()) {
        let (size, pieces) = (features.board().squares(), features.pieces());
        let walk = |(squares, context): &Placement| {
            let mut values: FeatureRow = [0; 256];
            features.row(&squares[..pieces], &[*context], &mut values).unwrap();
            (plain.walk(&values), values)
        };
        let mut builder = TreeBuilder::new(&features);
        plain.build(&mut builder);
        let (tree, pages) = builder.finish(|number| number % 7).unwrap();
        for placement in &placements {
            let (end, values) = walk(placement);
            prop_assert_eq!(pages.number(tree.walk(&values)), Some(end));
        }
        // By rows: the last piece goes on to the next squares.
        let (mut list, mut contexts, mut expected) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (mut squares, context) in placements {
            let last = squares[pieces - 1];
            let row = Row { squares, len: 5.min(size - last) };
            for square in last..last + row.len {
                squares[pieces - 1] = square;
                expected.insert(contexts.len(), walk(&(squares, context)).0);
                contexts.push(context);
            }
            list.push(row);
        }
        let mut rows = Rows::new(&features, pieces - 1).unwrap();
        rows.fill(&list, &contexts, |_| true);
        let mut found = BTreeMap::new();
        tree.ends_of_rows(&rows, |place, end| {
            assert_eq!(found.insert(place, pages.number(end).unwrap()), None, "placement {place}");
        });
        prop_assert_eq!(found, expected);
    }
}

/// Nodes that all ask the same take next to no bits, so that a few bytes would unfold to very
/// many of them.
#[test]
fn a_model_with_too_many_nodes_is_refused() {
    let features = features(8, 8);
    let split = Split {
        feature: 1,
        left: 0xF,
    };
    let read = |depth: usize| {
        let mut plain = Plain::End(0);
        for _ in 0..depth {
            plain = Plain::Node(split, Box::new([plain.clone(), plain]));
        }
        let (mut book, mut encoder) = (Book::new(&features, SYMBOLS), Encoder::new());
        write(&plain, &features, (&mut book, &mut encoder), Spot::ROOT);
        let bytes = encoder.finish();
        (bytes.len() << 5, Model::read(&bytes, &features, SYMBOLS, 0))
    };
    let (most, model) = read(4);
    assert!(most > 1 << 5 && model.is_ok());
    let (most, model) = read(15);
    assert!(most < 1 << 15, "{most}");
    let too_many = LearnedError::Model("it has too many nodes");
    assert_eq!(model.err(), Some(too_many));
}

/// A tree with more ends than a byte can tell from each other.
#[test]
fn all_ends_of_a_large_tree_are_told_from_each_other() {
    let features = features(8, 8);
    // Each asks for one bit of the square of a piece.
    fn halves(bit: u32, number: u32) -> Plain {
        if bit == 12 {
            return Plain::End(number);
        }
        let sets = [0xAA, 0xCC, 0xF0, 0xFF00, 0xFFFF_0000, u64::MAX << 32];
        let repeat = |set: u64, len: u32| (0..64 / len).fold(0, |all, at| all | set << (at * len));
        let place = bit as usize % 6;
        let len = [8, 8, 8, 16, 32, 64][place];
        let split = Split {
            feature: if bit < 6 { 0 } else { 3 },
            left: repeat(sets[place], len).into(),
        };
        let [right, left] = [0, 1 << bit].map(|more| halves(bit + 1, number | more));
        Plain::Node(split, Box::new([right, left]))
    }
    let mut builder = TreeBuilder::new(&features);
    halves(0, 0).build(&mut builder);
    let (tree, pages) = builder.finish(|_| 0).unwrap();
    let mut row: FeatureRow = [0; 256];
    for number in 0..1 << 12 {
        let squares = [(number & 63) as u8, (number >> 6) as u8, 0];
        features.row(&squares, &[0], &mut row).unwrap();
        assert_eq!(pages.number(tree.walk(&row)), Some(number));
    }
}

/// What a node takes: its head, of a set what is not alike at its ends, and a byte for an end.
#[test]
fn nodes_take_as_many_bytes_as_they_need() {
    let features = features(8, 8);
    let bytes = |left: u64, pawns: &Features| {
        let bytes = |nodes: usize| {
            let mut builder = TreeBuilder::new(pawns);
            for _ in 0..nodes {
                let left = left.into();
                builder.node(Split { feature: 0, left });
                builder.end(7);
            }
            let (tree, pages) = builder.finish(|_| 0).unwrap();
            let values = |square: u8| {
                let mut row: FeatureRow = [0; 256];
                row[0] = square;
                row
            };
            for square in 0..64 {
                let end = 7 * (left >> square & 1) as u32;
                assert_eq!(
                    pages.number(tree.walk(&values(square))),
                    Some(end),
                    "{left:x}"
                );
            }
            tree.bytes()
        };
        bytes(100) - bytes(99) - 3
    };
    let many = of_pieces(8, 8, 6);
    for (left, few_features, many_features) in [
        (0x3FFF, 0, 0),
        (0x5555_5555_5555_5555, 8, 8),
        (0x00FF_0000, 1, 3),
        (!0x00FF_0000, 1, 5),
        (0x1200_0000, 1, 4),
        (0x1200_FFFF, 4, 4),
        (0xFFFF_0012_FFFF_FFFF, 2, 5),
        (0xFFFF_FFFF_FFFF_0012, 2, 5),
        (0x1200_0000_0000_0000, 1, 1),
        (0x12FF_FFFF_FFFF_FFFF, 1, 5),
        (0, 1, 1),
        (u64::MAX, 1, 5),
    ] {
        assert_eq!(bytes(left, &features), few_features, "{left:x}");
        assert_eq!(bytes(left, &many), many_features, "{left:x}");
    }
}

/// The right subtree of a node may be near, or far behind the left one.
#[test]
fn subtrees_are_found_wherever_they_are() {
    let features = features(8, 8);
    let split = Split {
        feature: 0,
        left: 5,
    };
    for nodes in [1, 63, 64, 65, 30_000] {
        let mut left = Plain::End(8);
        for _ in 0..nodes {
            left = Plain::Node(split, Box::new([Plain::End(9), left]));
        }
        let right = Plain::Node(split, Box::new([Plain::End(6), Plain::End(5)]));
        let plain = Plain::Node(split, Box::new([right, left]));
        let mut builder = TreeBuilder::new(&features);
        plain.build(&mut builder);
        let (tree, pages) = builder.finish(|_| 0).unwrap();
        for square in 0..64 {
            let mut row: FeatureRow = [0; 256];
            row[0] = square;
            assert_eq!(pages.number(tree.walk(&row)), Some(plain.walk(&row)));
        }
    }
}

/// What is missing of a tree leads somewhere.
#[test]
fn a_tree_that_is_not_complete_is_one() {
    let features = features(8, 8);
    let split = Split {
        feature: 0,
        left: 5,
    };
    let mut builder = TreeBuilder::new(&features);
    for _ in 0..3 {
        let (tree, pages) = builder.finish(|_| 0).unwrap();
        for row in [[0; 256], [1; 256]] {
            assert_eq!(pages.number(tree.walk(&row)), Some(0));
        }
        builder.node(split);
    }
}
