//! A word: one bit for every square of the board, and the moves of many pieces
//! at once, one in each bit. The solver is written once over this trait.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use retrograde_rules::{Game, Geometry, Square, Transform};

use super::word128::WideBoard;

/// Evaluates an expression with the type of the words that a game is solved
/// with, which [`GameBoard`] chooses.
macro_rules! with_word {
    ($game:expr, $W:ident => $body:expr) => {
        match $crate::word::GameBoard::of($game) {
            $crate::word::GameBoard::Eight => {
                type $W = u64;
                $body
            }
            $crate::word::GameBoard::Wide(_) => {
                type $W = $crate::word128::Word128;
                $body
            }
        }
    };
}
pub(crate) use with_word;

/// The board of a game, by the number of machine words that hold its squares. This is the
/// one place that chooses between them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameBoard {
    /// The board of orthodox chess, in one.
    Eight,
    /// Any other, in two.
    Wide(&'static WideBoard),
}

impl GameBoard {
    pub(crate) fn of(game: Game) -> GameBoard {
        match (game.geometry(), game.pawn_home()) {
            (Geometry::EIGHT, 1) => GameBoard::Eight,
            (geometry, pawn_home) => GameBoard::Wide(WideBoard::of(geometry, pawn_home)),
        }
    }
}

/// What words need to know of the board. Nothing is looked up for the
/// 8x8 board: there it is part of the code.
pub(crate) trait BoardShape: Copy + Debug + Send + Sync + 'static {
    /// Files and ranks.
    fn geometry(self) -> Geometry;

    /// The rank that pawns start on, counted from 0 on their own side.
    fn pawn_home(self) -> usize;

    /// The file of a square, counted from 0.
    fn file(self, square: usize) -> usize;

    /// The rank of a square, counted from 0.
    fn rank(self, square: usize) -> usize;

    /// The image of a square under a symmetry of the board.
    fn image(self, transform: Transform, square: usize) -> usize;

    /// Number of files.
    #[inline(always)]
    fn files(self) -> usize {
        self.geometry().files as usize
    }

    /// Number of ranks.
    #[inline(always)]
    fn ranks(self) -> usize {
        self.geometry().ranks as usize
    }

    /// Number of squares: bits in use, and lanes in a row of words.
    #[inline(always)]
    fn squares(self) -> usize {
        self.geometry().squares()
    }
}

/// A set of squares that is fast enough for inner loops. Every operation is
/// branch-free or branches only on what is constant in a loop, so that loops
/// over many words become vector code.
///
/// The complement of a set may have bits that are not squares of the board: it
/// is for masks.
pub(crate) trait Word:
    Copy
    + Debug
    + Eq
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// Whether loops over such words gain from wide vectors.
    const VECTORS: bool;

    /// The boards that the bits can stand for.
    type Board: BoardShape;
    /// A step by some files and ranks on a board, prepared for a loop.
    type Step: Copy;
    /// A symmetry of a board, prepared for a loop.
    type Image: Copy;
    /// The empty set.
    const ZERO: Self;
    /// Every bit, including those that are not squares.
    const ALL: Self;
    /// Room for a row: a word for every square.
    type Row: Copy + AsRef<[Self]> + AsMut<[Self]>;
    /// A row of empty words.
    const EMPTY_ROW: Self::Row;

    /// The board of a game; panics if the word is not the one for it.
    fn board(board: GameBoard) -> Self::Board;

    /// All squares of a board.
    fn full(board: Self::Board) -> Self;
    /// All squares of a rank.
    fn rank(board: Self::Board, rank: usize) -> Self;
    /// The set of one square.
    fn of(square: usize) -> Self;
    /// Whether the set contains a square.
    fn has(self, square: usize) -> bool;
    /// How many squares the set has.
    fn count(self) -> u32;
    /// Whether the set is empty.
    fn is_empty(self) -> bool;
    /// Takes out and returns the lowest square; the set must not be empty.
    fn pop(&mut self) -> usize;

    /// A step; each of `files` and `ranks` lies in -2..=2, not both are 0.
    fn step(board: Self::Board, files: i32, ranks: i32) -> Self::Step;
    /// Every square moved by a step; squares that leave the board are dropped.
    fn shift(self, step: Self::Step) -> Self;
    /// All squares that can be reached from the set by sliding in one
    /// direction (a step of -1..=1 each way) over squares of `empty`, including the first
    /// square that is not empty. Kogge-Stone: one round per
    /// doubling of the distance.
    fn slide(self, empty: Self, step: Self::Step) -> Self;

    /// A symmetry of the board.
    fn image(board: Self::Board, transform: Transform) -> Self::Image;
    /// The image of the set under a symmetry of the board.
    fn apply(self, image: Self::Image) -> Self;
}

/// The board of orthodox chess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight;

impl BoardShape for Eight {
    #[inline(always)]
    fn geometry(self) -> Geometry {
        Geometry::EIGHT
    }

    #[inline(always)]
    fn pawn_home(self) -> usize {
        1
    }

    #[inline(always)]
    fn file(self, square: usize) -> usize {
        square % 8
    }

    #[inline(always)]
    fn rank(self, square: usize) -> usize {
        square / 8
    }

    #[inline(always)]
    fn image(self, transform: Transform, square: usize) -> usize {
        let square = Square(square as u8);
        Geometry::EIGHT.apply(transform, square).index()
    }
}

/// `set << by`, or right when `by` is negative.
#[inline(always)]
const fn shifted(set: u64, by: i32) -> u64 {
    if by >= 0 { set << by } else { set >> -by }
}

/// The files that a step of `files` can lead to on the 8x8 board.
#[inline(always)]
const fn reachable_files(files: i32) -> u64 {
    const A: u64 = 0x0101_0101_0101_0101;
    match files {
        1 => !A,
        2 => !(A | A << 1),
        -1 => !(A << 7),
        -2 => !(A << 7 | A << 6),
        _ => !0,
    }
}

impl Word for u64 {
    type Board = Eight;
    /// Files and ranks.
    type Step = (i32, i32);
    type Image = Transform;
    const ZERO: u64 = 0;
    const ALL: u64 = !0;
    type Row = [u64; 64];
    const VECTORS: bool = true;
    const EMPTY_ROW: [u64; 64] = [0; 64];

    #[inline(always)]
    fn board(board: GameBoard) -> Eight {
        match board {
            GameBoard::Eight => Eight,
            GameBoard::Wide(_) => panic!("a board of more than one word"),
        }
    }

    #[inline(always)]
    fn full(_: Eight) -> u64 {
        !0
    }

    #[inline(always)]
    fn rank(_: Eight, rank: usize) -> u64 {
        0xFF << (8 * rank)
    }

    #[inline(always)]
    fn of(square: usize) -> u64 {
        1 << square
    }

    #[inline(always)]
    fn has(self, square: usize) -> bool {
        self >> square & 1 != 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn pop(&mut self) -> usize {
        let square = self.trailing_zeros() as usize;
        *self &= self.wrapping_sub(1);
        square
    }

    #[inline(always)]
    fn step(_: Eight, files: i32, ranks: i32) -> (i32, i32) {
        (files, ranks)
    }

    #[inline(always)]
    fn shift(self, (files, ranks): (i32, i32)) -> u64 {
        shifted(self, 8 * ranks + files) & reachable_files(files)
    }

    #[inline(always)]
    fn image(_: Eight, transform: Transform) -> Transform {
        transform
    }

    #[inline(always)]
    fn apply(self, transform: Transform) -> u64 {
        let mut set = self;
        if transform.flips_diagonal() {
            for (by, mask) in [
                (28, 0x0F0F_0F0F_0000_0000_u64),
                (14, 0x3333_0000_3333_0000),
                (7, 0x5500_5500_5500_5500),
            ] {
                let swap = mask & (set ^ set << by);
                set ^= swap ^ swap >> by;
            }
        }
        if transform.flips_files() {
            for (by, mask) in [
                (1, 0x5555_5555_5555_5555_u64),
                (2, 0x3333_3333_3333_3333),
                (4, 0x0F0F_0F0F_0F0F_0F0F),
            ] {
                set = (set >> by & mask) | (set & mask) << by;
            }
        }
        if transform.flips_ranks() {
            set = set.swap_bytes();
        }
        set
    }

    #[inline(always)]
    fn slide(self, empty: u64, (files, ranks): (i32, i32)) -> u64 {
        let by = 8 * ranks + files;
        let mut through = empty & reachable_files(files);
        let mut set = self;
        set |= through & shifted(set, by);
        through &= shifted(through, by);
        set |= through & shifted(set, 2 * by);
        through &= shifted(through, 2 * by);
        set |= through & shifted(set, 4 * by);
        set.shift((files, ranks))
    }
}

#[cfg(test)]
mod tests {
    use super::super::word128::{WideBoard, Word128};
    use super::*;

    /// The boards of two words that games have, one of 8x8 and some of no
    /// game.
    fn wide_boards() -> Vec<&'static WideBoard> {
        let sizes = [(9, 9), (10, 8), (10, 10), (8, 8), (8, 10), (7, 9), (4, 10)];
        let board = |(files, ranks)| WideBoard::of(Geometry { files, ranks }, 1);
        sizes.map(board).to_vec()
    }

    /// Plain stepping over the board, square by square.
    fn plain_slide<W: Word>(board: W::Board, from: W, empty: W, files: i8, ranks: i8) -> W {
        let geometry = board.geometry();
        let mut reached = W::ZERO;
        for start in geometry.all().filter(|s| from.has(s.index())) {
            let mut square = start;
            while let Some(next) = geometry.offset(square, files, ranks) {
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
            for files in -2..=2_i8 {
                for ranks in -2..=2_i8 {
                    if (files, ranks) == (0, 0) {
                        continue;
                    }
                    let plain = image(board, from, |s| geometry.offset(s, files, ranks));
                    let step = W::step(board, files.into(), ranks.into());
                    assert_eq!(from.shift(step), plain);
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
        moves_equal_plain_stepping::<u64>(Eight);
        wide_boards()
            .into_iter()
            .for_each(moves_equal_plain_stepping::<Word128>);
    }

    #[test]
    fn words_are_sets_of_squares() {
        sets_are_sets::<u64>(Eight);
        squares_have_places::<u64>(Eight);
        for board in wide_boards() {
            sets_are_sets::<Word128>(board);
            squares_have_places::<Word128>(board);
        }
    }

    #[test]
    fn every_game_has_its_word() {
        for id in Game::names() {
            let game = Game::parse(id).unwrap();
            let squares = with_word!(game, W => W::board(GameBoard::of(game)).squares());
            assert_eq!(squares, game.geometry().squares());
        }
        for (id, squares, home) in [
            ("kings:board=10x8", 80, 1),
            ("kings:board=10x10,chancellor=on", 100, 2),
        ] {
            let game = Game::parse(id).unwrap();
            let board = with_word!(game, W => {
                let board = W::board(GameBoard::of(game));
                (board.squares(), board.pawn_home())
            });
            assert_eq!(board, (squares, home));
        }
    }

    #[test]
    #[should_panic(expected = "more than one word")]
    fn one_word_is_not_enough_for_large_boards() {
        u64::board(GameBoard::of(Game::parse("kings:board=10x8").unwrap()));
    }
}
