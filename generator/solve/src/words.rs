//! Chooses the type of word that a game is solved with: one machine word, or two.
//!
//! This is the one place that chooses.

use retrograde_rules::Game;

use crate::word64::Eight;

/// Evaluates an expression with the type of the words that a game is solved with.
macro_rules! with_word {
    ($game:expr, $W:ident => $body:expr) => {
        if $crate::words::is_one_word($game) {
            type $W = u64;
            $body
        } else {
            type $W = $crate::word128::Word128;
            $body
        }
    };
}
pub(crate) use with_word;

/// Whether the board of a game fits a machine word.
pub(crate) fn is_one_word(game: Game) -> bool {
    Eight::is(game.geometry(), game.pawn_home())
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Game, Geometry, Square};

    use crate::steps::MoveTable;
    use crate::word::{BoardShape, Word};
    use crate::word128::{Wide, Word128};

    fn board<W: Word>(game: Game) -> W::Board {
        W::board(game.geometry(), game.pawn_home(), MoveTable::of(game))
    }

    /// The boards of two words that games have, one of 8x8 and some of no
    /// game.
    fn wide_boards() -> Vec<Wide> {
        let sizes = [
            [(9, 9), (10, 8), (10, 10), (8, 8), (8, 10)],
            [(7, 9), (4, 10), (11, 11), (12, 8), (8, 12)],
            [(16, 8), (8, 16), (9, 14), (13, 9), (2, 2)],
        ];
        let moves = MoveTable::of(Game::default());
        let board = |(files, ranks)| Word128::board(Geometry::new(files, ranks), 1, moves);
        sizes.concat().into_iter().map(board).collect()
    }

    fn plain_slide<W: Word>(board: W::Board, from: W, empty: W, files: i8, ranks: i8) -> W {
        plain_ride(board, from, empty, (files, ranks), u8::MAX)
    }

    /// Plain stepping over the board, square by square.
    fn plain_ride<W: Word>(
        board: W::Board,
        from: W,
        empty: W,
        (files, ranks): (i8, i8),
        most: u8,
    ) -> W {
        let geometry = board.geometry();
        let mut reached = W::ZERO;
        for start in geometry.all().filter(|s| from.has(s.index())) {
            let mut square = start;
            for _ in 0..most {
                let Some(next) = geometry.offset(square, files, ranks) else {
                    break;
                };
                reached |= W::of(next.index());
                if !empty.has(next.index()) {
                    break;
                }
                square = next;
            }
        }
        reached
    }

    fn image<W: Word>(board: W::Board, set: W, to: impl Fn(Square) -> Option<Square>) -> W {
        board
            .geometry()
            .all()
            .filter(|s| set.has(s.index()))
            .filter_map(to)
            .fold(W::ZERO, |set, s| set | W::of(s.index()))
    }

    /// Sets of many densities.
    fn some_sets<W: Word>(board: W::Board) -> impl Iterator<Item = W> {
        let mut seed = 1_u64;
        (0..500).map(move |round| {
            let mut set = W::ZERO;
            for square in 0..board.squares() {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if seed >> 33 & 7 <= round % 8 {
                    set |= W::of(square);
                }
            }
            set
        })
    }

    fn moves_equal_plain_stepping<W: Word>(board: W::Board) {
        let geometry = board.geometry();
        let sets: Vec<W> = some_sets(board).collect();
        for (i, &from) in sets.iter().enumerate() {
            let empty = !sets[(i + 7) % sets.len()];
            for files in -1..=1_i8 {
                for ranks in -1..=1_i8 {
                    if (files, ranks) == (0, 0) {
                        continue;
                    }
                    let step = W::step(board, files.into(), ranks.into());
                    let fast = from.slide(empty, step);
                    assert_eq!(fast, plain_slide(board, from, empty, files, ranks));
                    // All the way over an empty board.
                    let fast = from.slide(W::ALL, step);
                    assert_eq!(fast, plain_slide(board, from, W::ALL, files, ranks));
                }
            }
            for files in -3..=3_i8 {
                for ranks in -3..=3_i8 {
                    if (files, ranks) == (0, 0) {
                        continue;
                    }
                    let plain = image(board, from, |s| geometry.offset(s, files, ranks));
                    let step = W::step(board, files.into(), ranks.into());
                    assert_eq!(from.shift(step), plain);
                    for most in [1, 2, 15] {
                        let plain = plain_ride(board, from, empty, (files, ranks), most);
                        assert_eq!(from.ride(empty, step, most), plain);
                    }
                }
            }
            for transform in geometry.transforms() {
                let plain = image(board, from, |s| Some(geometry.apply(transform, s)));
                assert_eq!(from.apply(W::image(board, transform)), plain);
            }
        }
    }

    fn sets_are_sets<W: Word>(board: W::Board) {
        let full = W::full(board);
        assert_eq!(full.count() as usize, board.squares());
        for set in some_sets::<W>(board) {
            let squares: Vec<usize> = (0..board.squares()).filter(|&s| set.has(s)).collect();
            assert_eq!(set.count() as usize, squares.len());
            assert_eq!(set.is_empty(), squares.is_empty());
            let mut left = set;
            let mut popped = Vec::new();
            while !left.is_empty() {
                popped.push(left.pop());
            }
            assert_eq!(popped, squares);
            assert_eq!(!!set, set);
            assert_eq!((set | !set) & full, full);
            assert_eq!(set & !set, W::ZERO);
            assert_eq!(set & W::ALL, set);
        }
    }

    fn squares_have_places<W: Word>(board: W::Board) {
        let geometry = board.geometry();
        for square in geometry.all() {
            let (file, rank) = (geometry.file(square), geometry.rank(square));
            assert_eq!(board.file(square.index()), usize::from(file));
            assert_eq!(board.rank(square.index()), usize::from(rank));
            assert!(W::rank(board, rank.into()).has(square.index()));
            for transform in geometry.transforms() {
                let image = geometry.apply(transform, square).index();
                assert_eq!(board.image(transform, square.index()), image);
            }
        }
        for rank in 0..board.ranks() {
            assert_eq!(W::rank(board, rank).count() as usize, board.files());
        }
    }

    #[test]
    fn slides_shifts_and_images_equal_plain_stepping() {
        moves_equal_plain_stepping::<u64>(board::<u64>(Game::default()));
        wide_boards()
            .into_iter()
            .for_each(moves_equal_plain_stepping::<Word128>);
    }

    #[test]
    fn words_are_sets_of_squares() {
        sets_are_sets::<u64>(board::<u64>(Game::default()));
        squares_have_places::<u64>(board::<u64>(Game::default()));
        for board in wide_boards() {
            sets_are_sets::<Word128>(board);
            squares_have_places::<Word128>(board);
        }
    }

    #[test]
    fn every_game_has_its_word() {
        for id in Game::names() {
            let game = Game::parse(id).unwrap();
            let squares = with_word!(game, W => board::<W>(game).squares());
            assert_eq!(squares, game.geometry().squares());
        }
        for (id, squares, home) in [
            ("kings:board=10x8", 80, 1),
            ("kings:board=10x10,chancellor=on", 100, 2),
        ] {
            let game = Game::parse(id).unwrap();
            let board = with_word!(game, W => {
                let board = board::<W>(game);
                (board.squares(), board.pawn_home())
            });
            assert_eq!(board, (squares, home));
        }
    }

    #[test]
    #[should_panic(expected = "more than one word")]
    fn one_word_is_not_enough_for_large_boards() {
        board::<u64>(Game::parse("kings:board=10x8").unwrap());
    }
}
