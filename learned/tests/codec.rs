//! Tests the reader of the codec: its features, the walks down a tree, and damaged bytes.
//!
//! Features are what their definition says, a walk down a tree ends where the questions lead
//! however the tree is kept and walked, and no bytes make a reader panic.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use retrograde_learned::node_coding::{Book, Split, Spot};
use retrograde_learned::{
    Chance, CodeShape, CodecBoard, CodecPiece, Coder, CodesBuilder, Decoder, Directory, Domain,
    Encoder, Feature, FeatureKind, FeatureRow, Features, LINE, LearnedError, Line, Model, Moves,
    Pages, Row, Rows, Section, Store, Tree, TreeBuilder, write_directory,
};

/// A piece, which is royal if it moves as a king.
fn piece(black: bool, moves: Moves) -> CodecPiece {
    CodecPiece {
        black,
        moves,
        royal: moves == Moves::KING,
    }
}

fn of_pieces(files: u8, ranks: u8, pieces: &[(bool, Moves)], contexts: &[u8]) -> Features {
    let board = CodecBoard::new(files, ranks).unwrap();
    let pieces: Vec<_> = pieces
        .iter()
        .map(|&(black, moves)| piece(black, moves))
        .collect();
    Features::new(board, &pieces, contexts).unwrap()
}

fn row_of(features: &Features, squares: &[u8], contexts: &[u8]) -> FeatureRow {
    let mut row = [0; 256];
    features.row(squares, contexts, &mut row).unwrap();
    row
}

/// The value of a feature of white king, black pawn and black rook.
fn value(kind: FeatureKind, first: u8, second: u8, squares: [u8; 3]) -> u8 {
    let pieces = [
        (false, Moves::KING),
        (true, Moves::PAWN),
        (true, Moves::STRAIGHT),
    ];
    let features = of_pieces(8, 8, &pieces, &[]);
    let row = row_of(&features, &squares, &[]);
    let same = |about: &Feature| (about.kind, about.first, about.second) == (kind, first, second);
    row[features.list().iter().position(same).unwrap()]
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
    let king = piece(false, Moves::KING);
    let features = of_pieces(8, 8, &[(false, Moves::KING)], &[5]);
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

    fn tree(&self, features: &Features, order: impl Fn(u32) -> u32) -> (Tree, Pages) {
        let mut builder = TreeBuilder::new(features);
        self.build(&mut builder);
        builder.finish(order).unwrap()
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
            write(left, features, (book, encoder), spot.child(None));
            write(
                right,
                features,
                (book, encoder),
                spot.child(Some(is_leaf(left))),
            );
        }
    }
}

/// The bytes of a model with such a tree.
fn written(plain: &Plain, features: &Features) -> Vec<u8> {
    let (mut book, mut encoder) = (Book::new(features, SYMBOLS), Encoder::new());
    write(plain, features, (&mut book, &mut encoder), Spot::ROOT);
    encoder.finish()
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
        let bytes = written(&plain, &features);
        assert_eq!(sizes.contains(&bytes.len()), is_small, "{}", bytes.len());
        let model = Model::read(&bytes, &features, SYMBOLS, 0).unwrap();
        assert!(model.bytes() > 1 << 16, "{}", model.bytes());
        for square in 0..64 {
            let row = row_of(
                &features,
                &[square, (square + 9) % 64, (square + 30) % 64],
                &[1],
            );
            let code = model.code(&features, &row, |_| Err(LearnedError::Model("no branches")));
            let symbol = code.unwrap().only().map(u32::from);
            assert_eq!(plain.walk(&row), symbol.unwrap());
        }
    }
}

fn features(files: u8, ranks: u8) -> Features {
    with_pawns(files, ranks, 1)
}

/// The features of two kings, some pawns before the second, and a context.
fn with_pawns(files: u8, ranks: u8, pawns: usize) -> Features {
    let mut pieces = vec![(false, Moves::PAWN); pawns + 2];
    pieces[0] = (false, Moves::KING);
    pieces[pawns + 1] = (true, Moves::KING);
    of_pieces(files, ranks, &pieces, &[3])
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
        let features = with_pawns(files, ranks, pawns);
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
            let values = row_of(&features, &squares[..pieces], &[*context]);
            (plain.walk(&values), values)
        };
        let (tree, pages) = plain.tree(&features, |number| number % 7);
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
        let bytes = written(&plain, &features);
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
    let (tree, pages) = halves(0, 0).tree(&features, |_| 0);
    for number in 0..1 << 12 {
        let row = row_of(
            &features,
            &[(number & 63) as u8, (number >> 6) as u8, 0],
            &[0],
        );
        assert_eq!(pages.number(tree.walk(&row)), Some(number));
    }
}

/// A node takes its head, of a set what is not alike at its ends, and a byte for an end.
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
    let many = with_pawns(8, 8, 6);
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
        let (tree, pages) = plain.tree(&features, |_| 0);
        for square in 0..64 {
            let mut row: FeatureRow = [0; 256];
            row[0] = square;
            assert_eq!(pages.number(tree.walk(&row)), Some(plain.walk(&row)));
        }
    }
}

/// A walk to a missing part of a tree leads somewhere.
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

struct Stored {
    lines: Vec<[u8; LINE]>,
    branches: Vec<Vec<u8>>,
}

impl Store for Stored {
    type Error = LearnedError;

    fn line(&self, number: u32) -> Result<[u8; LINE], LearnedError> {
        Ok(self.lines[number as usize])
    }

    fn branch(&self, number: u32) -> Result<Vec<u8>, LearnedError> {
        Ok(self.branches[number as usize].clone())
    }
}

/// King and rook against king and pawn, with a context.
fn rook_against_pawn() -> Features {
    let white = [(false, Moves::KING), (false, Moves::STRAIGHT)];
    let black = [(true, Moves::KING), (true, Moves::PAWN)];
    of_pieces(8, 8, &[white, black].concat(), &[6])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn models_and_lines_of_any_bytes(
        model in prop::collection::vec(any::<u8>(), 0..200),
        branches in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..100), 0..4),
        symbols in 1u32..400,
        lines in prop::collection::vec(any::<[u8; LINE]>(), 1..4),
        asked in prop::collection::vec(any::<[u8; 5]>(), 1..20),
    ) {
        let features = rook_against_pawn();
        // Any bytes are a model once it is known where it ends.
        let Some(model) = (0..=model.len())
            .find_map(|end| {
                let many = branches.len() as u32;
                Model::read(&model[..end], &features, symbols, many).ok()
            })
        else {
            return Ok(());
        };
        let indices = 1000;
        let firsts: Vec<u64> = (0..lines.len() as u64).map(|n| n * 300).collect();
        let directory = write_directory(&firsts, indices, 8);
        let directory = Directory::new(&directory, indices, 8, lines.len() as u32).unwrap();
        let section = Section::new(features, model, directory);
        let store = Stored { lines, branches };
        for raw in asked {
            let index = u64::from(raw[0]) * 5;
            let squares = [raw[0] % 64, raw[1] % 64, raw[2] % 64, raw[3] % 64];
            match section.symbol(index, &squares, &[raw[4] % 6], &store) {
                Ok(symbol) => prop_assert!(u32::from(symbol) < symbols),
                Err(fault) => {
                    // Branches are read late.
                    let expected = matches!(
                        fault,
                        LearnedError::Line(_) | LearnedError::Question(_) | LearnedError::Branch(..)
                    );
                    prop_assert!(expected, "{fault}");
                }
            }
        }
    }

    #[test]
    fn directories_of_any_bytes(
        bytes in prop::collection::vec(any::<u8>(), 0..120),
        indices in 0u64..5000,
        bits in 0u32..40,
        lines in 0u32..40,
        asked in any::<u64>(),
    ) {
        let size = Directory::<&[u8]>::size(indices, bits, lines);
        let fitting = size.and_then(|size| bytes.get(..size as usize));
        prop_assert!(Directory::new(&bytes[..], indices, bits, lines).is_ok()
            == (size == Some(bytes.len() as u64)));
        if let Some(bytes) = fitting {
            let directory = Directory::new(bytes, indices, bits, lines).unwrap();
            for index in [asked, asked % 5000, 0] {
                if let Ok(line) = directory.find(index) {
                    prop_assert!(line < lines);
                }
            }
        }
    }

    #[test]
    fn shapes_are_checked(
        levels in prop::collection::vec((any::<u16>(), 0u8..20), 0..5),
        rest in prop::collection::vec((any::<u16>(), 0u8..20), 0..8),
    ) {
        let shape = CodeShape { levels, rest };
        let sum: u32 = shape.rest.iter().map(|&(_, length)| 1u32 << (20 - length)).sum();
        let fits = shape.levels.len() <= 3
            && shape.levels.iter().all(|&(_, filter)| filter <= 15)
            && shape.rest.iter().all(|&(_, length)| length <= 15)
            && sum == 1 << 20;
        prop_assert_eq!(CodesBuilder::new(1 << 16).add(&shape).is_ok(), fits);
    }

    #[test]
    fn bits_come_back(bits in prop::collection::vec((0usize..3, prop::bool::weighted(0.03)), 0..3000)) {
        let mut encoder = Encoder::new();
        let mut chances = [Chance::NEW; 3];
        for &(place, bit) in &bits {
            encoder.bit(&mut chances[place], bit);
        }
        let bytes = encoder.finish();
        prop_assert!(bytes.len() < 40 + bits.len() / 12);
        let mut decoder = Decoder::new(&bytes);
        let mut chances = [Chance::NEW; 3];
        for &(place, bit) in &bits {
            prop_assert_eq!(decoder.bit(&mut chances[place], false), bit);
        }
        prop_assert!(decoder.is_done() && !decoder.is_over());
    }

    #[test]
    fn numbers_come_back(numbers in prop::collection::vec(0u32..65536, 1..100)) {
        let mut encoder = Encoder::new();
        let mut chances = [Chance::NEW; 64];
        for &number in &numbers {
            encoder.any(&mut chances, number);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut chances = [Chance::NEW; 64];
        for &number in &numbers {
            prop_assert_eq!(decoder.any(&mut chances, 0), number);
        }
        prop_assert!(decoder.is_done());
    }
}

/// The lengths of two codes of no bits sum up to more than a prefix code has room for.
#[test]
fn two_codes_of_no_bits_do_not_fit() {
    let shape = CodeShape {
        levels: Vec::new(),
        rest: vec![(11_235, 0), (0, 0)],
    };
    assert!(CodesBuilder::new(1 << 16).add(&shape).is_err());
}

#[test]
fn a_split_behind_the_last_column_is_damage() {
    for split in 0..512u32 {
        let bytes = Line::to_bytes([u64::MAX; 8], split, 5);
        assert_eq!(Line::new(&bytes).is_ok(), split <= 500);
    }
}

#[test]
fn models_are_cut_off_or_too_long() {
    let features = rook_against_pawn();
    let mut encoder = Encoder::new();
    let mut book = Book::new(&features, 5);
    let root = Spot::ROOT;
    book.is_leaf(&mut encoder, root, true);
    let mut shape = CodeShape {
        levels: vec![(3, 7)],
        rest: vec![(1, 0)],
    };
    book.shape(&mut encoder, &mut shape).unwrap();
    let bytes = encoder.finish();
    assert!(Model::read(&bytes, &features, 5, 0).is_ok());
    assert!(Model::read(&bytes, &features, 3, 0).is_err(), "no symbol 3");
    assert!(Model::read(&bytes, &features, 0, 0).is_err());
    assert!(Model::read(&bytes, &features, 1 << 17, 0).is_err());
    assert!(Model::read(&bytes[..bytes.len() - 1], &features, 5, 0).is_err());
    let longer = [&bytes[..], &[0]].concat();
    assert!(Model::read(&longer, &features, 5, 0).is_err());
    assert!(Model::read(&bytes, &features, 5, 1).is_err(), "no branch");
}
