//! Tests indices by round trips, and against every placement on the whole board.

use proptest::prelude::*;
use retrograde_rules::{Game, Geometry, Material, PieceType, Square, Symmetry, Transform};

use super::*;

fn material(name: &str) -> Material {
    Material::parse(Game::default(), name).unwrap()
}

fn orthodox(name: &str) -> Index {
    Index::new(Game::default(), &material(name)).unwrap()
}

/// A board of another size, with the rules of orthodox pawns and kings.
fn on(geometry: Geometry, symmetry: Symmetry, touching: bool, name: &str) -> Index {
    let shape = Shape {
        geometry,
        symmetry,
        touching,
        pawn_ranks: [(1, geometry.ranks - 2); 2],
        checks: 0,
    };
    Index::with_shape(shape, &material(name), None).unwrap()
}

fn distinct(squares: &[Square]) -> bool {
    (1..squares.len()).all(|i| !squares[..i].contains(&squares[i]))
}

/// Every placement of the pieces on squares that they may stand on, with leaders
/// as the game demands, by plain enumeration; identical pieces are not told apart.
fn placements(index: &Index, mut each: impl FnMut(&[Square])) {
    fn place(
        index: &Index,
        pieces: &[Piece],
        at: &mut Vec<Square>,
        each: &mut dyn FnMut(&[Square]),
    ) {
        let Some(&piece) = pieces.get(at.len()) else {
            let board = index.shape().geometry;
            let [a, b] = index.leaders().map(|i| at[i]);
            let apart = board
                .file(a)
                .abs_diff(board.file(b))
                .max(board.rank(a).abs_diff(board.rank(b)));
            if apart > 1 || index.shape().touching {
                each(at);
            }
            return;
        };
        for square in board_squares(index, piece) {
            let twin = at
                .last()
                .filter(|_| pieces[..at.len()].last() == Some(&piece));
            if !at.contains(&square) && twin.is_none_or(|&t| t < square) {
                at.push(square);
                place(index, pieces, at, each);
                at.pop();
            }
        }
    }
    let pieces: Vec<Piece> = index.material().pieces().collect();
    place(index, &pieces, &mut Vec::new(), &mut each);
}

fn board_squares(index: &Index, piece: Piece) -> Vec<Square> {
    let board = index.shape().geometry;
    let home = [0, board.ranks - 1];
    board
        .all()
        .filter(|&s| piece.piece_type != PieceType::Pawn || !home.contains(&board.rank(s)))
        .collect()
}

/// Compares indices and placements over the whole material.
fn check_whole(index: &Index) {
    let mut squares = vec![Square(0); index.pieces()];
    let mut back = squares.clone();
    let mut weighed = 0;
    for idx in 0..index.len() {
        assert!(index.decode(idx, &mut squares));
        let [a, b] = index.leaders().map(|i| squares[i]);
        let (pair, transform) = index.pair_of(a, b).unwrap();
        assert_eq!(transform, Transform::IDENTITY);
        assert_eq!(pair as u64, idx / index.indices_per_pair());
        assert_eq!(index.encode(&squares), Some(idx));
        if distinct(&squares) {
            weighed += index.pair_weight(pair);
        }
    }
    assert!(!index.decode(index.len(), &mut squares));

    let board = index.shape().geometry;
    let mut counted = 0u64;
    let mut met = vec![false; index.len() as usize];
    placements(index, |squares| {
        counted += 1;
        let idx = index.encode(squares).unwrap();
        assert!(idx < index.len());
        met[idx as usize] = true;
        if counted.is_multiple_of(97) {
            assert!(index.decode(idx, &mut back));
            let mut normal = squares.to_vec();
            assert_eq!(index.normalize(&mut normal), Some(idx));
            assert_eq!(normal, back);
            let image = Transform::ALL.into_iter().any(|t| {
                let mut moved: Vec<Square> = squares.iter().map(|&s| board.apply(t, s)).collect();
                for group in index.groups() {
                    moved[group.places()].sort_unstable();
                }
                moved == back
            });
            assert!(image, "{squares:?} has the index of {back:?}");
        }
    });
    assert_eq!(weighed, counted, "{}", index.material());
    // Every index of a placement must be met, except that for pairs on an axis of
    // reflection one of the two mirror images suffices.
    let whole = (0..index.pairs().len()).map(|p| index.pair_weight(p)).max();
    for idx in 0..index.len() {
        if !met[idx as usize] && index.decode(idx, &mut squares) && distinct(&squares) {
            let pair = (idx / index.indices_per_pair()) as usize;
            assert!(Some(index.pair_weight(pair)) < whole);
        }
    }
}

#[test]
fn king_pairs() {
    assert_eq!(orthodox("KvK").len(), 462);
    assert_eq!(orthodox("KQvK").pairs().len(), 462);
    assert_eq!(orthodox("KPvK").pairs().len(), 1806);
    assert_eq!(orthodox("KQvK").len(), 462 * 64);
    assert_eq!(orthodox("KPvK").len(), 1806 * 48);
    assert_eq!(orthodox("KRRvK").len(), 462 * 2016);
    assert_eq!(orthodox("KPPvKP").len(), 1806 * 48 * (48 * 47 / 2));

    let index = orthodox("KQvK");
    let board = Geometry::EIGHT;
    for &(white, black) in index.pairs() {
        let (file, rank) = (board.file(white), board.rank(white));
        assert!(file < 4 && rank <= file);
        assert!(rank < file || board.rank(black) <= board.file(black));
    }
    let all: u64 = (0..462).map(|p| index.pair_weight(p)).sum();
    assert_eq!(all, 3612);
    assert_eq!(index.pair_weight(462), 0);
    for &(white, _) in orthodox("KPvK").pairs() {
        assert!(board.file(white) < 4);
    }
}

#[test]
fn transforms_lead_to_the_pair() {
    for index in [
        orthodox("KQvK"),
        orthodox("KPvK"),
        on(Geometry::NINE, Symmetry::Files, true, "KRvK"),
        on(Geometry::NINE, Symmetry::Full, true, "KRvK"),
        on(Geometry::EIGHT, Symmetry::None, false, "KRvK"),
        on(Geometry::TEN_BY_EIGHT, Symmetry::Rectangle, false, "KRvK"),
        on(Geometry::TEN, Symmetry::Full, true, "KRvK"),
    ] {
        let board = index.shape().geometry;
        for a in board.all() {
            for b in board.all() {
                if let Some((pair, t)) = index.pair_of(a, b) {
                    let image = (board.apply(t, a), board.apply(t, b));
                    assert_eq!(index.pairs()[pair], image);
                } else {
                    let near = board.file(a).abs_diff(board.file(b)) <= 1
                        && board.rank(a).abs_diff(board.rank(b)) <= 1;
                    assert!(a == b || near && !index.shape().touching);
                }
            }
        }
    }
}

#[test]
fn three_pieces() {
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KvKQ", "KvKP"] {
        check_whole(&orthodox(name));
    }
}

#[test]
fn four_pieces() {
    for name in ["KRRvK", "KPPvK", "KQvKR"] {
        check_whole(&orthodox(name));
    }
}

/// Where checks are counted, each pair of counters has a layer with the same placements; the first
/// is that of full counters.
#[test]
fn layers() {
    let game = Game::parse("three-check").unwrap();
    let index = Index::new(game, &material("KPvKP")).unwrap();
    let plain = orthodox("KPvKP");
    assert_eq!((index.layers(), index.layer_len()), (9, plain.len()));
    assert_eq!(index.len(), 9 * plain.len());
    let left = |white, black| Some(Counters { white, black });
    for (layer, counters) in [
        (0, left(3, 3)),
        (1, left(3, 2)),
        (5, left(2, 1)),
        (8, left(1, 1)),
    ] {
        assert_eq!(
            (index.layer(counters), index.counters(layer)),
            (layer, counters)
        );
    }
    assert_eq!((plain.layer(left(1, 1)), plain.counters(0)), (0, None));
    let (mut squares, mut there) = ([Square(0); 4], [Square(0); 4]);
    for number in (0..plain.len()).step_by(997) {
        let last = number + 8 * index.layer_len();
        assert!(plain.decode(number, &mut squares) && index.decode(last, &mut there));
        assert_eq!(squares, there);
        assert_eq!(index.encode(&there), Some(number));
        assert_eq!(index.in_layer_of(number, left(1, 1)), last);
        assert_eq!(index.canonical(last), Some(last));
        // What is counted is counted with full counters.
        assert_eq!(
            (index.weight(number), index.weight(last)),
            (plain.weight(number), 0)
        );
        let pieces = plain.material().pieces().zip(squares);
        if let Some(position) = Position::from_pieces(game, pieces, Colour::White) {
            assert_eq!(position.counters(), left(3, 3));
            assert_eq!(index.counted(last, position).counters(), left(1, 1));
        }
    }
    assert!(!index.decode(index.len(), &mut there));
}

#[test]
fn other_boards() {
    let six = Geometry::new(6, 6);
    let wide = Geometry::new(7, 5);
    check_whole(&on(Geometry::NINE, Symmetry::Files, true, "KQvK"));
    check_whole(&on(Geometry::NINE, Symmetry::Files, true, "KPvK"));
    check_whole(&on(Geometry::NINE, Symmetry::Full, false, "KRvK"));
    check_whole(&on(Geometry::EIGHT, Symmetry::None, true, "KRvK"));
    check_whole(&on(six, Symmetry::Full, true, "KRRvK"));
    check_whole(&on(wide, Symmetry::Files, false, "KNPvKN"));
    check_whole(&on(wide, Symmetry::Rectangle, true, "KNNvKR"));
    check_whole(&on(
        Geometry::TEN_BY_EIGHT,
        Symmetry::Rectangle,
        false,
        "KQvK",
    ));
    check_whole(&on(Geometry::TEN, Symmetry::Full, false, "KQvK"));
    let game = Game::parse("kings:board=10x8,chancellor=on").unwrap();
    for name in ["KCvK", "KPvK", "KvKP"] {
        let material = Material::parse(game, name).unwrap();
        check_whole(&Index::new(game, &material).unwrap());
    }
}

#[test]
fn order_of_groups() {
    let material = material("KRPvKNN");
    let piece = |letter| Piece::from_letter(letter).unwrap();
    let order = [piece('n'), piece('R'), piece('P')];
    let index = Index::with_order(Game::default(), &material, &order).unwrap();
    let pieces: Vec<Piece> = index.order().collect();
    assert_eq!(pieces, order);
    assert_eq!(index.leaders(), [0, 3]);
    assert_eq!(index.groups()[0].places(), 4..6);
    let squares = [4, 20, 12, 60, 50, 40].map(Square);
    let idx = index.encode(&squares).unwrap();
    let (pair, t) = index.pair_of(Square(4), Square(60)).unwrap();
    let file_flipped = t == Transform::FLIP_FILES;
    assert!(file_flipped);
    let knights = {
        let (low, high) = (47u64, 53);
        low + high * (high - 1) / 2
    };
    let expected = ((pair as u64 * 2016 + knights) * 64 + 19) * 48 + (11 - 8);
    assert_eq!(idx, expected);

    for bad in [&order[..2], &[piece('n'), piece('R'), piece('R')], &[]] {
        let error = Index::with_order(Game::default(), &material, bad).unwrap_err();
        assert_eq!(error, IndexError::Order);
    }
}

#[test]
fn placements_without_indices() {
    let index = orthodox("KPPvK");
    let encode = |squares: [u8; 4]| index.encode(&squares.map(Square));
    assert!(encode([0, 8, 9, 63]).is_some());
    assert_eq!(encode([0, 8, 8, 63]), None);
    assert_eq!(encode([0, 8, 7, 63]), None);
    assert_eq!(encode([0, 8, 56, 63]), None);
    assert_eq!(encode([0, 8, 10, 9]), None);
    assert_eq!(encode([0, 8, 200, 63]), None);
    assert_eq!(encode([64, 8, 9, 63]), None);
    assert_eq!(encode([0, 8, 9, 255]), None);
    assert_eq!(index.encode(&[Square(0); 3]), None);
    let mut short = [Square(0); 3];
    assert!(!index.decode(0, &mut short));
}

#[test]
fn materials_without_index() {
    let piece = |letter| Piece::from_letter(letter).unwrap();
    let of = |pieces: &str| Material::of(pieces.chars().map(piece));
    let new = |pieces: &str| Index::new(Game::default(), &of(pieces)).map(|_| ());
    assert_eq!(new(""), Err(IndexError::EmptySide));
    assert_eq!(new("K"), Err(IndexError::EmptySide));
    assert_eq!(new("kq"), Err(IndexError::EmptySide));
    assert_eq!(new("KKk"), Ok(()));
    assert_eq!(new("KQRBNPkq"), Err(IndexError::TooMany(8)));
    let shape = Shape {
        geometry: Geometry::new(8, 9),
        symmetry: Symmetry::Full,
        touching: true,
        pawn_ranks: [(1, 7); 2],
        checks: 0,
    };
    let error = Index::with_shape(shape, &material("KQvK"), None).unwrap_err();
    assert_eq!(error, IndexError::NotSquare { files: 8, ranks: 9 });
}

#[test]
fn digits_of_groups() {
    for name in [
        "KQvK", "KQQvK", "KPPvK", "KNNNvK", "KPPPvK", "KBBBBvK", "KPPPPPvK",
    ] {
        let index = orthodox(name);
        let group = &index.groups()[0];
        let mut squares = vec![Square(0); group.places().len()];
        let mut before = squares.clone();
        for digit in (0..group.size()).step_by(1 + group.size() as usize / 50_000) {
            assert!(group.squares_of(digit, &mut squares));
            assert!(squares.windows(2).all(|w| w[0] < w[1]));
            assert!(squares.iter().all(|s| group.squares().contains(&s.0)));
            assert!(digit == 0 || squares.iter().rev().gt(before.iter().rev()));
            before.copy_from_slice(&squares);
            assert_eq!(group.digit_of(&squares), Some(digit));
            squares.reverse();
            assert_eq!(group.digit_of(&squares), Some(digit));
        }
        assert!(!group.squares_of(group.size(), &mut squares));
        assert_eq!(group.digit_of(&[]), None);
    }
}

proptest! {
    #[test]
    fn large_materials_round_trip(
        name in prop::sample::select(vec!["KQRvKBN", "KPPPvKPP", "KNNNNNvK", "KQRBNPvK"]),
        part in 0.0..1.0f64,
        nine in any::<bool>(),
    ) {
        let index = if nine {
            on(Geometry::NINE, Symmetry::Files, true, name)
        } else {
            orthodox(name)
        };
        let idx = (index.len() as f64 * part) as u64;
        let mut squares = vec![Square(0); index.pieces()];
        prop_assert!(index.decode(idx, &mut squares));
        prop_assert_eq!(index.encode(&squares), Some(idx));
        for t in [Transform::IDENTITY, Transform::FLIP_FILES] {
            let board = index.shape().geometry;
            let moved: Vec<Square> = squares.iter().map(|&s| board.apply(t, s)).collect();
            let image = index.encode(&moved).unwrap();
            let pair = (idx / index.indices_per_pair()) as usize;
            prop_assert_eq!(image / index.indices_per_pair(), pair as u64);
        }
    }

    #[test]
    fn any_squares_are_answered(squares in prop::collection::vec(any::<u8>(), 0..7)) {
        let squares: Vec<Square> = squares.into_iter().map(Square).collect();
        for index in [orthodox("KQRvK"), orthodox("KPPvKP")] {
            if let Some(idx) = index.encode(&squares) {
                prop_assert!(idx < index.len());
            }
        }
    }
}

#[test]
fn equal_leaders() {
    const EIGHT: (u8, u8) = (8, 8);
    for (game, name, (files, ranks)) in [
        ("kings", "KKvK", EIGHT),
        ("kings", "KPvK", EIGHT),
        ("extinction", "KKvK", EIGHT),
        ("extinction", "QQvR", EIGHT),
        ("extinction", "QQvQ", EIGHT),
        ("extinction", "RRvRR", EIGHT),
        ("extinction", "NNBvN", EIGHT),
        ("extinction-mating", "KKvKP", EIGHT),
        ("extinction", "PPvP", EIGHT),
        // All symmetries keep the square in the middle.
        ("extinction", "KKvK", (5, 5)),
        ("extinction", "QQvQQ", (5, 5)),
        ("extinction", "RRRvN", (3, 5)),
    ] {
        let game = Game::parse(game).unwrap();
        let material = Material::parse(game, name).unwrap();
        let shape = Shape {
            geometry: Geometry::new(files, ranks),
            ..Shape::new(game, &material)
        };
        let shape = match (files == ranks, shape.symmetry) {
            (false, Symmetry::Full) => Shape {
                symmetry: Symmetry::Rectangle,
                ..shape
            },
            _ => shape,
        };
        let plain = Index::with_shape(shape, &material, None).unwrap();
        let mut pieces: Vec<Piece> = plain.order().collect();
        pieces.reverse();
        let index = Index::with_shape(shape, &material, Some(&pieces)).unwrap();
        let mut counted = 0;
        let mut met = vec![0u64; index.len() as usize];
        placements(&index, |squares| {
            counted += 1;
            let idx = index.encode(squares).unwrap();
            assert_eq!(index.canonical(idx), Some(idx));
            met[idx as usize] += 1;
            let mut backwards = squares.to_vec();
            for (leader, equals) in index.leaders().into_iter().zip(index.equals) {
                backwards[leader..leader + equals].reverse();
            }
            assert_eq!(index.encode(&backwards), Some(idx));
        });
        let mut squares = vec![Square(0); index.pieces()];
        let reindexing = Reindexing::new(&index, &plain).unwrap();
        let (mut weighed, mut idx) = (0, 0);
        reindexing.each(0..index.len(), |other| {
            index.decode(idx, &mut squares);
            if distinct(&squares) {
                assert_eq!(index.weight(idx), met[idx as usize], "{name}");
                weighed += index.weight(idx);
                // The same placements count whatever the order of groups.
                assert_eq!(index.is_canonical(idx), plain.is_canonical(other));
            }
            let is_its_own = index.canonical(idx) == Some(idx);
            assert_eq!(index.is_canonical(idx), is_its_own, "{name}: {idx}");
            idx += 1;
        });
        assert_eq!(weighed, counted, "{name}");
        for range in [0..index.len(), 7..index.len() / 2 - 5] {
            let mut idx = range.start;
            index.each_canonical(range.clone(), |canonical| {
                assert_eq!(canonical, index.is_canonical(idx), "{name}: {idx}");
                idx += 1;
            });
            assert_eq!(idx, range.end);
        }
    }
}

#[test]
fn images_do_not_tell_identical_pieces_apart() {
    let extinction = Game::parse("extinction").unwrap();
    let names = ["QQvR", "QQvQ", "NNBvN", "QvRR", "QvR"];
    let among = |name| Index::new(extinction, &Material::parse(extinction, name).unwrap());
    let indices = names.map(|name| among(name).unwrap()).into_iter();
    for index in indices.chain(["KBBvK", "KPPvK"].map(orthodox)) {
        let pieces: Vec<Piece> = index.material().pieces().collect();
        let mut squares = vec![Square(0); index.pieces()];
        let mut fewer = 0;
        for number in (0..index.len()).step_by(7) {
            index.decode(number, &mut squares);
            if !distinct(&squares) {
                continue;
            }
            let image = |transform| {
                let squares = squares
                    .iter()
                    .map(|&s| index.shape().geometry.apply(transform, s));
                let mut image: Vec<(Piece, Square)> = pieces.iter().copied().zip(squares).collect();
                image.sort_unstable();
                image
            };
            let mut images: Vec<_> = index.shape().symmetry.transforms().map(image).collect();
            fewer += usize::from(index.images(number) < images.len() as u64);
            images.sort_unstable();
            images.dedup();
            assert_eq!(index.images(number), images.len() as u64, "{number}");
        }
        assert!(
            fewer > 0 || index.material().count(pieces[0]) == 1,
            "{:?}",
            index.material()
        );
    }
}

#[test]
fn reindexing_keeps_every_placement() {
    for name in ["KvK", "KQvK", "KRvKB", "KPPvK", "KRPvKP"] {
        let from = orthodox(name);
        let mut order: Vec<Piece> = from.order().collect();
        order.reverse();
        let to = Index::with_order(Game::default(), from.material(), &order).unwrap();
        let reindexing = Reindexing::new(&from, &to).unwrap();
        assert_eq!(reindexing.keeps_order(), order.len() < 2, "{name}");
        assert!(Reindexing::new(&to, &to).unwrap().keeps_order());
        let mut squares = vec![Square(0); from.pieces()];
        let range = from.len() / 3..from.len().min(from.len() / 3 + 300_000);
        let mut index = range.start;
        reindexing.each(range.clone(), |there| {
            assert!(from.decode(index, &mut squares));
            let mut again = squares.clone();
            assert!(to.decode(there, &mut again));
            assert_eq!(again, squares, "{name}: {index}");
            index += 1;
        });
        assert_eq!(index, range.end);
    }
    let [a, b] = ["KQvK", "KRvK"].map(orthodox);
    assert!(Reindexing::new(&a, &b).is_none());
}

#[test]
fn rows_have_all_indices_in_order() {
    let materials = ["KvK", "KRvKN", "KPvK", "KNNvK", "KBBBvK", "KPPvKP"];
    for index in materials.map(orthodox) {
        let (mut squares, pieces) = ([Square(0); Material::MOST_PIECES], index.pieces());
        let mut next = 0;
        for row in index.rows(0..u64::MAX) {
            assert_eq!(row.first, next, "{}", index.material());
            assert!(row.len > 0);
            let mut expected = row.squares;
            for _ in 0..row.len {
                assert!(index.decode(next, &mut squares[..pieces]));
                assert_eq!(squares, expected, "{} {next}", index.material());
                expected[index.moving_piece()].0 += 1;
                next += 1;
            }
        }
        assert_eq!(next, index.len());
        // Parts of rows.
        let part: Vec<Row> = index.rows(70..75).collect();
        assert_eq!(part.iter().map(|row| u64::from(row.len)).sum::<u64>(), 5);
        assert_eq!(part.first().map(|row| row.first), Some(70));
    }
}
