//! The parts of a material: the board, and how its pieces move.

use std::ops::BitOr;

use crate::error::LearnedError;
use crate::squares::AllMasks;

/// A rectangular board of up to 128 squares, which are numbered rank by
/// rank: `rank * files + file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodecBoard {
    files: u8,
    ranks: u8,
}

impl CodecBoard {
    /// A board of 1 to 16 files and ranks and at most 128 squares.
    ///
    /// # Errors
    /// The board is larger or empty.
    pub const fn new(files: u8, ranks: u8) -> Result<CodecBoard, LearnedError> {
        let fits = 1 <= files && files <= 16 && 1 <= ranks && ranks <= 16;
        if fits && files as u16 * ranks as u16 <= 128 {
            Ok(CodecBoard { files, ranks })
        } else {
            Err(LearnedError::Material(
                "a board has at most 16 by 16 and 128 squares",
            ))
        }
    }

    /// The number of files.
    pub const fn files(self) -> u8 {
        self.files
    }

    /// The number of ranks.
    pub const fn ranks(self) -> u8 {
        self.ranks
    }

    /// The number of squares.
    pub const fn squares(self) -> u8 {
        self.files * self.ranks
    }

    /// King steps of a royal piece to the square where a pawn promotes, less the steps of the
    /// pawn, plus 15. The pawn moves down the board or up.
    #[inline]
    pub(crate) fn race(self, down: bool, pawn: u8, royal: u8) -> u8 {
        let ((pawn_file, pawn_rank), (file, rank)) = (self.place(pawn), self.place(royal));
        let goal = if down { 0 } else { self.ranks - 1 };
        let king = pawn_file.abs_diff(file).max(goal.abs_diff(rank));
        15 + king - goal.abs_diff(pawn_rank)
    }

    /// The file and the rank of a square, counted from 0.
    pub(crate) const fn place(self, square: u8) -> (u8, u8) {
        (square % self.files, square / self.files)
    }
}

/// How a piece moves and captures: a set of ways to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moves(u8);

impl Moves {
    /// One step in each of eight directions.
    pub const KING: Moves = Moves(1);
    /// Two squares in one direction and one in the other.
    pub const KNIGHT: Moves = Moves(2);
    /// Along files and ranks up to the first piece.
    pub const STRAIGHT: Moves = Moves(4);
    /// Along diagonals up to the first piece.
    pub const DIAGONAL: Moves = Moves(8);
    /// Captures one square diagonally ahead, and promotes on the last rank.
    pub const PAWN: Moves = Moves(16);

    /// Whether these include all of `other`.
    pub const fn has(self, other: Moves) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }
}

impl BitOr for Moves {
    type Output = Moves;
    fn bitor(self, other: Moves) -> Moves {
        Moves(self.0 | other.0)
    }
}

/// A piece of a material, as far as it matters for features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodecPiece {
    /// Whether it is black; black pawns move down the board.
    pub black: bool,
    /// How it moves.
    pub moves: Moves,
    /// Whether the game can end by what happens to this piece: a king, or a piece
    /// that may be royal.
    pub royal: bool,
}

/// The relation of two squares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sight {
    /// The squares strictly between them, if they are on one line.
    pub(crate) between: u128,
    /// `|files| * ranks + |ranks|`, files + 15, ranks + 15 and king steps.
    pub(crate) shift: [u8; 4],
    /// Ways in which a piece on the first square reaches the second on an empty
    /// board: the bits of [`Moves`], [`UP`] and [`DOWN`].
    pub(crate) reach: u8,
}

/// A pawn that moves up the board attacks the other square.
pub(crate) const UP: u8 = 16;
/// A pawn that moves down the board attacks the other square.
pub(crate) const DOWN: u8 = 32;
/// The ways to move that other pieces can block.
pub(crate) const SLIDES: u8 = Moves::STRAIGHT.0 | Moves::DIAGONAL.0;

/// What is asked for most of a [`Sight`], side by side in memory.
#[derive(Clone, Copy, Debug, Default)]
struct Near {
    /// The squares below 64 of those between.
    between: u64,
    shift: [u8; 4],
    reach: u8,
}

/// Tables of a board for computing features.
#[derive(Debug)]
pub(crate) struct Sights {
    board: CodecBoard,
    squares: usize,
    near: Vec<Near>,
    /// The first number of the shift alone.
    apart: Vec<u8>,
    /// The reach alone.
    reach: Vec<u8>,
    between: Vec<u128>,
    /// The squares below 64 of these.
    between_low: Vec<u64>,
    /// The file and the rank of each square.
    places: Vec<[u8; 2]>,
    /// For many placements at once.
    pub(crate) masks: AllMasks,
}

impl Sights {
    pub(crate) fn new(board: CodecBoard) -> Sights {
        let squares = board.squares();
        let mut sights = Sights {
            board,
            squares: usize::from(squares),
            near: Vec::new(),
            apart: Vec::new(),
            reach: Vec::new(),
            between: Vec::new(),
            between_low: Vec::new(),
            places: Vec::new(),
            masks: AllMasks::default(),
        };
        for a in 0..squares {
            let (file, rank) = board.place(a);
            sights.places.push([file, rank]);
            for b in 0..squares {
                let sight = Sights::pair(board, a, b);
                sights.near.push(Near {
                    between: sight.between as u64,
                    shift: sight.shift,
                    reach: sight.reach,
                });
                sights.apart.push(sight.shift[0]);
                sights.reach.push(sight.reach);
                sights.between.push(sight.between);
                sights.between_low.push(sight.between as u64);
            }
        }
        sights
    }

    /// The board.
    pub(crate) fn board(&self) -> CodecBoard {
        self.board
    }

    /// The shift and the reach of two squares; 0 off the board.
    #[inline]
    pub(crate) fn near(&self, a: u8, b: u8) -> ([u8; 4], u8) {
        let near = self.near.get(self.place(a, b)).copied().unwrap_or_default();
        (near.shift, near.reach)
    }

    /// How far apart two squares are: the first number of their shift.
    #[inline]
    pub(crate) fn apart(&self, a: u8, b: u8) -> u8 {
        self.apart.get(self.place(a, b)).copied().unwrap_or(0)
    }

    /// The same as [`Sights::near`], and whether a piece on one of the squares `occupied` stands
    /// between them.
    #[inline]
    pub(crate) fn near_or_blocked(&self, a: u8, b: u8, occupied: u128) -> ([u8; 4], u8, bool) {
        let near = self.near.get(self.place(a, b)).copied().unwrap_or_default();
        let blocked = match self.squares > 64 {
            true => self.between(a, b) & occupied != 0,
            false => near.between & occupied as u64 != 0,
        };
        (near.shift, near.reach, blocked)
    }

    /// The squares between two squares.
    #[inline]
    pub(crate) fn between(&self, a: u8, b: u8) -> u128 {
        self.between.get(self.place(a, b)).copied().unwrap_or(0)
    }

    /// The reach and the squares below 64 between them, for loops over many squares.
    #[inline]
    pub(crate) fn low(&self) -> impl Fn(u8, u8) -> (u8, u64) + '_ {
        let (squares, reach, between) = (self.squares, &self.reach[..], &self.between_low[..]);
        move |a, b| {
            let place = usize::from(a) * squares + usize::from(b);
            let reach = reach.get(place).copied().unwrap_or(0);
            (reach, between.get(place).copied().unwrap_or(0))
        }
    }

    /// The file and the rank of a square.
    #[inline]
    pub(crate) fn file_and_rank(&self, square: u8) -> [u8; 2] {
        let place = self.places.get(usize::from(square)).copied();
        place.unwrap_or_default()
    }

    #[inline]
    fn place(&self, a: u8, b: u8) -> usize {
        usize::from(a) * self.squares + usize::from(b)
    }

    fn pair(board: CodecBoard, a: u8, b: u8) -> Sight {
        let ((fa, ra), (fb, rb)) = (board.place(a), board.place(b));
        let (files, ranks) = (fa.abs_diff(fb), ra.abs_diff(rb));
        let far = files.max(ranks);
        let mut reach = 0;
        if far == 1 {
            reach |= Moves::KING.0;
        }
        if files.min(ranks) == 1 && far == 2 {
            reach |= Moves::KNIGHT.0;
        }
        if files == 1 && ranks == 1 {
            reach |= if rb > ra { UP } else { DOWN };
        }
        let mut between = 0;
        if a != b && (files == 0 || ranks == 0 || files == ranks) {
            reach |= if files == ranks {
                Moves::DIAGONAL.0
            } else {
                Moves::STRAIGHT.0
            };
            let walk = |from: u8, to: u8, step: u8| match from.cmp(&to) {
                std::cmp::Ordering::Less => from + step,
                std::cmp::Ordering::Equal => from,
                std::cmp::Ordering::Greater => from - step,
            };
            for step in 1..far {
                let square = walk(ra, rb, step) * board.files + walk(fa, fb, step);
                between |= 1 << square;
            }
        }
        Sight {
            between,
            shift: [files * board.ranks + ranks, 15 + fa - fb, 15 + ra - rb, far],
            reach,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_limits() {
        for (files, ranks) in [(8, 8), (9, 9), (10, 8), (10, 10), (11, 11), (1, 1), (16, 8)] {
            assert!(CodecBoard::new(files, ranks).is_ok());
        }
        for (files, ranks) in [(0, 8), (8, 0), (17, 1), (12, 11), (255, 255)] {
            assert!(CodecBoard::new(files, ranks).is_err());
        }
    }

    #[test]
    fn squares_see_each_other() {
        let board = CodecBoard::new(8, 8).unwrap();
        let pair = |a, b| Sights::pair(board, a, b);
        let a1_d4 = pair(0, 27);
        assert_eq!(a1_d4.shift, [27, 12, 12, 3]);
        assert_eq!(a1_d4.reach, Moves::DIAGONAL.bits());
        assert_eq!(a1_d4.between, 1 << 9 | 1 << 18);
        assert_eq!(pair(27, 0).between, a1_d4.between);
        assert_eq!(pair(0, 10).reach, Moves::KNIGHT.bits());
        assert_eq!(pair(9, 0).reach & (UP | DOWN), DOWN);
        assert_eq!(pair(0, 9).reach & (UP | DOWN), UP);
        assert_eq!(pair(0, 56).between.count_ones(), 6);
        assert_eq!(pair(5, 5).reach, 0);
        assert_eq!(Sights::new(board).near(200, 5).1, 0);
    }
}
