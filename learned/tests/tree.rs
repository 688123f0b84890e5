//! Trees: however they are kept and walked, a walk ends where the questions lead.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use retrograde_learned::layout::{Book, Split, Spot};
use retrograde_learned::{
    CodeShape, CodecBoard, CodecPiece, Domain, Encoder, End, FeatureRow, Features, LearnedError,
    Model, Moves, Overflow, Row, Rows, TreeBuilder,
};

/// A tree as it is thought of.
#[derive(Clone, Debug)]
enum Plain {
    End(End),
    Node(Split, Box<[Plain; 2]>),
}

impl Plain {
    fn walk(&self, row: &FeatureRow) -> End {
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
            Plain::End(End::Leaf(leaf)) => tree.leaf(*leaf),
            Plain::End(End::Branch(branch)) => tree.branch(*branch),
            Plain::Node(split, children) => {
                let [right, left] = &**children;
                let node = tree.node(*split);
                left.build(tree);
                let is_leaf = matches!(left, Plain::End(End::Leaf(_)));
                assert_eq!(tree.has_left_leaf(node), is_leaf);
                right.build(tree);
            }
        }
    }

    fn leaves(&self) -> usize {
        match self {
            Plain::End(End::Leaf(_)) => 1,
            Plain::End(End::Branch(_)) => 0,
            Plain::Node(_, children) => children.iter().map(Plain::leaves).sum(),
        }
    }
}

const BRANCHES: u32 = 100;
const SYMBOLS: u32 = 300;

/// A tree with all leaves at one depth.
fn complete(depth: u32, splits: &mut impl FnMut() -> Split, leaves: &mut u32) -> Plain {
    if depth == 0 {
        *leaves += 1;
        return Plain::End(End::Leaf(*leaves % SYMBOLS));
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
        Plain::End(End::Leaf(symbol)) => {
            let mut shape = CodeShape {
                levels: Vec::new(),
                rest: vec![(*symbol as u16, 0)],
            };
            book.shape(encoder, &mut shape).unwrap();
        }
        Plain::End(End::Branch(_)) => unreachable!("there are none"),
        Plain::Node(split, children) => {
            let [right, left] = &**children;
            book.split(encoder, features, *split).unwrap();
            write(left, features, (book, encoder), spot.below());
            write(right, features, (book, encoder), spot.beside(is_leaf(left)));
        }
    }
}

/// Models with more nodes than small places have numbers for, of few bytes and of many.
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
            assert_eq!(plain.walk(&row), End::Leaf(symbol.unwrap()));
        }
    }
}

fn features(files: u8, ranks: u8) -> Features {
    let board = CodecBoard::new(files, ranks).unwrap();
    let piece = |black, moves, royal| CodecPiece {
        black,
        moves,
        royal,
    };
    let pieces = [
        piece(false, Moves::KING, true),
        piece(false, Moves::PAWN, false),
        piece(true, Moves::KING, true),
    ];
    Features::new(board, &pieces, &[3]).unwrap()
}

/// A tree with leaves below a number.
fn tree(features: &Features, leaves: u32) -> impl Strategy<Value = Plain> + use<> {
    let list = features.list().to_vec();
    let end = prop_oneof![
        (0..leaves).prop_map(End::Leaf),
        (0..BRANCHES).prop_map(End::Branch)
    ];
    let split = (0..list.len(), any::<u128>(), any::<bool>()).prop_map(move |(at, bits, few)| {
        let feature = &list[at];
        let size = u32::from(feature.size);
        let up_to = (2 << (bits % u128::from(size - 1))) - 1;
        let left = match feature.domain {
            Domain::Order => up_to,
            Domain::Set { .. } if few => up_to,
            Domain::Set { .. } => bits & (u128::MAX >> (128 - size)),
        };
        let feature = at as u8;
        Split { feature, left }
    });
    let end = end.prop_map(Plain::End);
    end.prop_recursive(12, 300, 2, move |below| {
        (split.clone(), below.clone(), below)
            .prop_map(|(split, right, left)| Plain::Node(split, Box::new([right, left])))
    })
}

/// A board, a tree, and placements with a context.
fn cases() -> impl Strategy<Value = (Features, Plain, Vec<([u8; 3], u8)>)> {
    let boards = prop_oneof![Just((8, 8)), Just((9, 9)), Just((10, 8)), Just((16, 8))];
    // Their places take one byte, two and four.
    let leaves = prop_oneof![Just(150), Just(60_000), Just(1 << 20)];
    (boards, leaves).prop_flat_map(|((files, ranks), leaves)| {
        let features = features(files, ranks);
        let square = 0..files * ranks;
        let placement = (square.clone(), square.clone(), square, 0..3u8);
        let placement = placement.prop_map(|(a, b, c, context)| ([a, b, c], context));
        let placements = prop::collection::vec(placement, 1..100);
        (tree(&features, leaves), placements)
            .prop_map(move |(tree, placements)| (features.clone(), tree, placements))
    })
}

proptest! {
    #[test]
    fn walks_end_where_questions_lead((features, plain, placements) in cases()) {
        let mut values: FeatureRow = [0; 256];
        let mut expected = Vec::new();
        for (squares, context) in &placements {
            features.row(squares, &[*context], &mut values).unwrap();
            expected.push(plain.walk(&values));
        }
        let mut builder = TreeBuilder::new(&features);
        plain.build(&mut builder);
        prop_assert_eq!(builder.leaves(), plain.leaves());
        let tree = builder.finish().unwrap();
        for ((squares, context), &end) in placements.iter().zip(&expected) {
            features.row(squares, &[*context], &mut values).unwrap();
            prop_assert_eq!(tree.walk(&values), end);
        }
        // By rows: the last piece goes on to the next squares.
        let size = features.board().squares();
        let (mut list, mut contexts, mut expected) = (Vec::new(), Vec::new(), BTreeMap::new());
        for ([a, b, c], context) in placements {
            let row = Row { squares: [a, b, c, 0, 0, 0, 0, 0], len: 5.min(size - c) };
            for c in c..c + row.len {
                features.row(&[a, b, c], &[context], &mut values).unwrap();
                if let End::Leaf(leaf) = plain.walk(&values) {
                    expected.insert(contexts.len(), leaf);
                }
                contexts.push(context);
            }
            list.push(row);
        }
        let mut rows = Rows::new(&features, 2).unwrap();
        rows.fill(&list, &contexts, |_| true);
        let mut found = BTreeMap::new();
        tree.leaves_of_rows(&rows, |place, leaf| {
            assert_eq!(found.insert(place, leaf), None, "placement {place}");
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
        let mut plain = Plain::End(End::Leaf(0));
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

/// Trees whose places take one byte, two and four, by their leaves and by their nodes.
#[test]
fn places_are_as_large_as_they_must_be() {
    let features = features(8, 8);
    let split = Split {
        feature: 0,
        left: 5,
    };
    let finish = |left: Plain, leaf, branch| {
        let mut builder = TreeBuilder::new(&features);
        builder.node(split);
        left.build(&mut builder);
        builder.node(split);
        builder.leaf(leaf);
        match branch {
            Some(branch) => builder.branch(branch),
            None => builder.leaf(0),
        }
        builder.finish()
    };
    let row = |square| {
        let mut row: FeatureRow = [0; 256];
        features.row(&[square, 63, 56], &[0], &mut row).unwrap();
        row
    };
    let mut bytes = Vec::new();
    for leaf in [253, 254, 65_533, 65_534] {
        let tree = finish(Plain::End(End::Leaf(7)), leaf, Some(1)).unwrap();
        assert_eq!(tree.walk(&row(0)), End::Leaf(7));
        assert_eq!(tree.walk(&row(1)), End::Branch(1));
        bytes.push(tree.bytes());
    }
    // Of three ends.
    assert_eq!(
        bytes.iter().map(|all| all - bytes[0]).collect::<Vec<_>>(),
        [0, 3, 3, 9]
    );
    assert_eq!(
        finish(Plain::End(End::Leaf(7)), u32::MAX, None).err(),
        Some(Overflow)
    );
    for nodes in [5_000, 6_000] {
        let mut left = Plain::End(End::Leaf(8));
        for _ in 0..nodes {
            left = Plain::Node(split, Box::new([Plain::End(End::Leaf(9)), left]));
        }
        let tree = finish(left, 6, None).unwrap();
        // A head, a set and the place of an end for each node, which takes four bytes if that
        // of a node does not fit in two.
        let more = if nodes == 5_000 { 1 } else { 4 };
        assert!(tree.bytes() / nodes == 10 + more, "{}", tree.bytes());
        assert_eq!(tree.walk(&row(0)), End::Leaf(8));
        assert_eq!(tree.walk(&row(1)), End::Leaf(0));
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
        let tree = builder.finish().unwrap();
        for row in [[0; 256], [1; 256]] {
            assert_eq!(tree.walk(&row), End::Leaf(0));
        }
        builder.node(split);
    }
}
