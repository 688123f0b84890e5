//! Tables of a board from which features are computed: the relations of any two squares.
//!
//! For many placements at once, they also say which squares of a piece give a feature a value,
//! whatever the other piece stands on.

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};
use std::sync::OnceLock;

use crate::board_and_pieces::{CodecBoard, DOWN, Moves, UP};

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

/// The parts of a [`Sight`] that are asked for most, side by side in memory.
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
    between: Vec<u128>,
    /// The file and the rank of each square.
    places: Vec<[u8; 2]>,
    /// The sets of squares for many placements at once.
    pub(crate) masks: AllMasks,
}

impl Sights {
    pub(crate) fn new(board: CodecBoard) -> Sights {
        let squares = board.squares();
        let mut sights = Sights {
            board,
            squares: usize::from(squares),
            near: Vec::new(),
            between: Vec::new(),
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
                sights.between.push(sight.between);
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

    /// The distance of two squares: the first number of their shift.
    #[inline]
    pub(crate) fn apart(&self, a: u8, b: u8) -> u8 {
        self.near(a, b).0[0]
    }

    /// The answer of [`Sights::near`], and whether a piece on one of the squares `occupied` stands
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
            reach |= Moves::KING.bits();
        }
        if files.min(ranks) == 1 && far == 2 {
            reach |= Moves::KNIGHT.bits();
        }
        if files == 1 && ranks == 1 {
            reach |= if rb > ra { UP } else { DOWN };
        }
        let mut between = 0;
        if a != b && (files == 0 || ranks == 0 || files == ranks) {
            reach |= if files == ranks {
                Moves::DIAGONAL.bits()
            } else {
                Moves::STRAIGHT.bits()
            };
            let walk = |from: u8, to: u8, step: u8| match from.cmp(&to) {
                std::cmp::Ordering::Less => from + step,
                std::cmp::Ordering::Equal => from,
                std::cmp::Ordering::Greater => from - step,
            };
            for step in 1..far {
                let square = walk(ra, rb, step) * board.files() + walk(fa, fb, step);
                between |= 1 << square;
            }
        }
        Sight {
            between,
            shift: [
                files * board.ranks() + ranks,
                15 + fa - fb,
                15 + ra - rb,
                far,
            ],
            reach,
        }
    }
}

/// A word of a bit for each square of a board.
pub(crate) trait Squares:
    Copy
    + Default
    + Eq
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The set without squares.
    const NONE: Self;

    /// The word with these bits, as far as it has them.
    fn of_bits(bits: u128) -> Self;

    /// The number of squares.
    fn count(self) -> u32;

    /// The lowest square; the number of bits if there is none.
    fn lowest(self) -> u32;

    /// The squares without the lowest.
    fn rest(self) -> Self;

    /// Whether a number is in the set: below 64 if the word has no more bits.
    fn has(self, number: u8) -> bool;

    /// The masks of a board, worked out when they are first asked for.
    fn masks(sights: &Sights) -> &Masks<Self>;

    /// The set of one square.
    #[inline(always)]
    fn one(square: u8) -> Self {
        Self::of_bits(1 << (square & 127))
    }

    /// The set of all squares if a condition holds, else of none.
    #[inline(always)]
    fn all_if(condition: bool) -> Self {
        if condition { !Self::NONE } else { Self::NONE }
    }

    /// Calls `each` with the squares in ascending order.
    #[inline(always)]
    fn each(self, mut each: impl FnMut(u8)) {
        let mut left = self;
        while left != Self::NONE {
            each(left.lowest() as u8);
            left = left.rest();
        }
    }
}

/// The masks of a board in words of either length.
#[derive(Debug, Default)]
pub(crate) struct AllMasks {
    low: OnceLock<Masks<u64>>,
    all: OnceLock<Masks<u128>>,
}

macro_rules! squares {
    ($word:ty, $place:ident) => {
        impl Squares for $word {
            const NONE: $word = 0;

            #[inline(always)]
            fn of_bits(bits: u128) -> $word {
                bits as $word
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn rest(self) -> $word {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn has(self, number: u8) -> bool {
                self >> (number & (<$word>::BITS - 1) as u8) & 1 != 0
            }

            fn masks(sights: &Sights) -> &Masks<$word> {
                sights.masks.$place.get_or_init(|| Masks::new(sights))
            }
        }
    };
}
squares!(u64, low);
squares!(u128, all);

/// Thresholds of ordered features are below this.
pub(crate) const THRESHOLDS: usize = 32;

/// The squares up to each threshold, in each list.
type UpTo<W> = [Vec<W>; THRESHOLDS];

/// The sets of squares of a board by values of features.
#[derive(Debug)]
pub(crate) struct Masks<W> {
    files: u8,
    ranks: u8,
    /// The squares whose value of an ordered feature is up to a threshold, by the number of
    /// [`Ordered`].
    up_to: [UpTo<W>; Ordered::ALL.len()],
    /// The squares that each square and way to move reaches on an empty board.
    reach: Vec<[W; WAYS]>,
    /// The squares that a piece on the second of two squares hides from the first, for each pair.
    beyond: Vec<W>,
    /// The squares of the first file on each set of ranks.
    on_first_file: Vec<W>,
}

/// The number of ways to move: see [`Sight::reach`].
const WAYS: usize = 6;
/// The way of pawns that move up; down is the next.
const WAY_UP: usize = 4;
const WAY_DOWN: usize = 5;

/// The lists of squares that an ordered feature chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ordered {
    /// The file or the rank of the moving piece.
    File,
    Rank,
    /// Less that of another piece, by its file or rank.
    FilesFrom,
    RanksFrom,
    /// The file or rank of another piece less that of the moving piece.
    FilesTo,
    RanksTo,
    /// King steps to a square.
    Steps,
    /// The race of a moving royal piece with a pawn, which moves up or down, by its square.
    RaceWithUp,
    RaceWithDown,
    /// The race of a moving pawn, which moves up or down, with a royal piece, by its square.
    RaceOfUp,
    RaceOfDown,
}

impl Ordered {
    /// The ordered features.
    const ALL: [Ordered; 11] = [
        Ordered::File,
        Ordered::Rank,
        Ordered::FilesFrom,
        Ordered::RanksFrom,
        Ordered::FilesTo,
        Ordered::RanksTo,
        Ordered::Steps,
        Ordered::RaceWithUp,
        Ordered::RaceWithDown,
        Ordered::RaceOfUp,
        Ordered::RaceOfDown,
    ];

    /// The number of lists.
    fn lists(self, sights: &Sights) -> u8 {
        match self {
            Ordered::File | Ordered::Rank => 1,
            Ordered::FilesFrom | Ordered::FilesTo => sights.board().files(),
            Ordered::RanksFrom | Ordered::RanksTo => sights.board().ranks(),
            _ => sights.board().squares(),
        }
    }

    /// The value if the moving piece is on `square`, in a list by its number.
    fn value(self, sights: &Sights, list: u8, square: u8) -> u8 {
        let board = sights.board();
        let [file, rank] = sights.file_and_rank(square);
        match self {
            Ordered::File => file,
            Ordered::Rank => rank,
            Ordered::FilesFrom => 15 + file - list,
            Ordered::RanksFrom => 15 + rank - list,
            Ordered::FilesTo => 15 + list - file,
            Ordered::RanksTo => 15 + list - rank,
            Ordered::Steps => sights.near(list, square).0[3],
            Ordered::RaceWithUp => board.race(false, list, square),
            Ordered::RaceWithDown => board.race(true, list, square),
            Ordered::RaceOfUp => board.race(false, square, list),
            Ordered::RaceOfDown => board.race(true, square, list),
        }
    }
}

impl<W: Squares> Masks<W> {
    pub(crate) fn new(sights: &Sights) -> Masks<W> {
        let board = sights.board();
        let squares = board.squares();
        let up_to = Ordered::ALL.map(|ordered| {
            let lists = ordered.lists(sights);
            let mut up_to: UpTo<W> = from_fn(|_| vec![W::NONE; lists.into()]);
            for list in 0..lists {
                for square in 0..squares {
                    let value = usize::from(ordered.value(sights, list, square));
                    for lists in up_to.iter_mut().skip(value) {
                        let squares = &mut lists[usize::from(list)];
                        *squares = *squares | W::one(square);
                    }
                }
            }
            up_to
        });
        let (mut reach, mut beyond) = (Vec::new(), Vec::new());
        for from in 0..squares {
            let mut ways = [W::NONE; WAYS];
            let mut hidden = vec![W::NONE; squares.into()];
            for to in 0..squares {
                let (_, reached) = sights.near(from, to);
                for (way, squares) in ways.iter_mut().enumerate() {
                    if reached >> way & 1 != 0 {
                        *squares = *squares | W::one(to);
                    }
                }
                sights.between(from, to).each(|by| {
                    let hidden = &mut hidden[usize::from(by)];
                    *hidden = *hidden | W::one(to);
                });
            }
            reach.push(ways);
            beyond.append(&mut hidden);
        }
        let on_first_file = (0..1u32 << board.ranks()).map(|ranks| {
            let mut squares = W::NONE;
            u64::from(ranks).each(|rank| squares = squares | W::one(rank * board.files()));
            squares
        });
        Masks {
            files: board.files(),
            ranks: board.ranks(),
            up_to,
            reach,
            beyond,
            on_first_file: on_first_file.collect(),
        }
    }

    /// The squares up to a threshold in each list of an ordered feature.
    #[inline]
    pub(crate) fn up_to(&self, ordered: Ordered, threshold: usize) -> &[W] {
        &self.up_to[ordered as usize][threshold % THRESHOLDS]
    }

    /// The squares that a piece on `from` reaches on an empty board by some ways to move, a bit
    /// for each, or from which it is reached.
    pub(crate) fn reach(&self, from: u8, ways: u8, is_reached: bool) -> W {
        let reach = self.reach.get(usize::from(from)).copied();
        let mut reach = reach.unwrap_or([W::NONE; WAYS]);
        if is_reached {
            reach.swap(WAY_UP, WAY_DOWN);
        }
        let ways = reach
            .into_iter()
            .enumerate()
            .filter(|(way, _)| ways >> way & 1 != 0);
        ways.fold(W::NONE, |all, (_, squares)| all | squares)
    }

    /// The squares that a piece on `by` hides from one on `from`.
    #[inline]
    pub(crate) fn beyond(&self, from: u8, by: u8) -> W {
        let place = usize::from(from) * self.reach.len() + usize::from(by);
        self.beyond.get(place).copied().unwrap_or(W::NONE)
    }

    /// The squares that are so far apart from a file and rank as a set of
    /// [`Apart`](crate::FeatureKind::Apart) says.
    pub(crate) fn apart(&self, file: u8, rank: u8, set: u128) -> W {
        let (files, ranks) = (self.files, self.ranks);
        let on_board = (1u32 << ranks) - 1;
        let mut found = W::NONE;
        for away in 0..files {
            let steps = (set >> (away * ranks)) as u32 & on_board;
            if steps == 0 || (away > file && file + away >= files) {
                continue;
            }
            // Bit 0 of `steps` is the rank itself.
            let above = steps << rank;
            let below = steps.reverse_bits() >> (31 - rank);
            let squares = self
                .on_first_file
                .get(((above | below) & on_board) as usize);
            let squares = squares.copied().unwrap_or(W::NONE);
            if file + away < files {
                found = found | squares << u32::from(file + away);
            }
            if away <= file {
                found = found | squares << u32::from(file - away);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
