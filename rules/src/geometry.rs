//! Shape of a board: its files and ranks, the names of its squares, and its symmetries.

use crate::square::{Square, SquareSet};

/// One of the eight symmetries of a square board, made of three flips that
/// are applied in this order: diagonal (a1-h8), files, ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transform(u8);

impl Transform {
    /// Leaves every square where it is.
    pub const IDENTITY: Transform = Transform(0);
    /// Swaps left and right (a with h).
    pub const FLIP_FILES: Transform = Transform(1);
    /// Swaps bottom and top (rank 1 with rank 8).
    pub const FLIP_RANKS: Transform = Transform(2);
    /// Turns the board around.
    pub(crate) const HALF_TURN: Transform = Transform(3);

    /// The eight transforms in the order of their numbers, the identity first.
    pub const ALL: [Transform; 8] = [
        Transform(0),
        Transform(1),
        Transform(2),
        Transform(3),
        Transform(4),
        Transform(5),
        Transform(6),
        Transform(7),
    ];

    /// A number from 0 to 7; the identity is 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether left and right are swapped (after the diagonal flip).
    pub const fn flips_files(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether bottom and top are swapped (after the diagonal flip).
    pub const fn flips_ranks(self) -> bool {
        self.0 & 2 != 0
    }

    /// Whether files and ranks are swapped first.
    pub const fn flips_diagonal(self) -> bool {
        self.0 & 4 != 0
    }

    /// The step that a step of files and ranks becomes.
    pub(crate) const fn turn(self, (files, ranks): (i8, i8)) -> (i8, i8) {
        let (files, ranks) = match self.flips_diagonal() {
            true => (ranks, files),
            false => (files, ranks),
        };
        (
            if self.flips_files() { -files } else { files },
            if self.flips_ranks() { -ranks } else { ranks },
        )
    }

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Transform {
        // With the diagonal flip in front, undoing it swaps the roles of the
        // two other flips; without it every flip undoes itself.
        if self.flips_diagonal() {
            Transform(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
        } else {
            self
        }
    }
}

/// A rectangular board of up to 128 squares, some of which may be holes (D16).
///
/// A hole has a number, and a place in every table by squares, but nothing leads there: it has no
/// name, is [no square a step away](Geometry::offset), and is in no set of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Geometry {
    /// Number of files, 1..=16.
    pub files: u8,
    /// Number of ranks, 1..=16.
    pub ranks: u8,
    /// The holes: squares that do not exist.
    pub holes: SquareSet,
}

impl Geometry {
    /// The board of orthodox chess.
    pub const EIGHT: Geometry = Geometry::new(8, 8);
    /// The board of Chess 99.
    pub const NINE: Geometry = Geometry::new(9, 9);
    /// The smaller of the two large boards of kings (K7).
    pub const TEN_BY_EIGHT: Geometry = Geometry::new(10, 8);
    /// The larger of the two large boards of kings (K7).
    pub const TEN: Geometry = Geometry::new(10, 10);

    /// A board without holes.
    pub const fn new(files: u8, ranks: u8) -> Geometry {
        Geometry {
            files,
            ranks,
            holes: SquareSet::EMPTY,
        }
    }

    /// The board with its holes filled in.
    pub(crate) const fn filled(self) -> Geometry {
        Geometry::new(self.files, self.ranks)
    }

    /// Number of squares, holes included.
    #[inline]
    pub const fn squares(self) -> usize {
        self.files as usize * self.ranks as usize
    }

    /// Whether there are as many files as ranks.
    #[inline]
    pub const fn is_square(self) -> bool {
        self.files == self.ranks
    }

    /// The symmetries of the board: all eight if it is a square, otherwise
    /// the four of a rectangle. The identity comes first.
    pub fn transforms(self) -> impl Iterator<Item = Transform> {
        let all = Transform::ALL.into_iter();
        all.filter(move |t| self.is_square() || !t.flips_diagonal())
    }

    /// Every square, holes included, a1 first, rank by rank.
    pub fn all(self) -> impl Iterator<Item = Square> {
        (0..self.squares() as u8).map(Square)
    }

    /// The set of all squares, without holes.
    pub const fn full(self) -> SquareSet {
        SquareSet(u128::MAX >> (128 - self.squares()) & !self.holes.0)
    }

    /// The squares of a rank, counted from 0, without holes.
    #[inline]
    pub const fn rank_squares(self, rank: u8) -> SquareSet {
        SquareSet(((1 << self.files) - 1) << (rank * self.files) & !self.holes.0)
    }

    /// The square on a file and a rank, both counted from 0.
    #[inline]
    pub const fn square(self, file: u8, rank: u8) -> Square {
        Square(rank * self.files + file)
    }

    /// The square a step away, or `None` off the board and in a hole.
    pub fn offset(self, square: Square, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file(square) as i8 + files;
        let rank = self.rank(square) as i8 + ranks;
        let is_on = (0..self.files as i8).contains(&file) && (0..self.ranks as i8).contains(&rank);
        is_on
            .then(|| self.square(file as u8, rank as u8))
            .filter(|&square| !self.holes.contains(square))
    }

    /// The file of a square, counted from 0.
    #[inline]
    pub const fn file(self, square: Square) -> u8 {
        square.0 % self.files
    }

    /// The rank of a square, counted from 0.
    #[inline]
    pub const fn rank(self, square: Square) -> u8 {
        square.0 / self.files
    }

    /// The name of a square: `a1`.
    pub fn name(self, square: Square) -> String {
        let mut name = String::with_capacity(3);
        self.spell(square, |letter| name.push(letter.into()));
        name
    }

    /// The letters of the name of a square, one after the other.
    #[inline]
    pub(crate) fn spell(self, square: Square, mut each: impl FnMut(u8)) {
        let rank = self.rank(square) + 1;
        each(b'a' + self.file(square));
        if rank > 9 {
            each(b'0' + rank / 10);
        }
        each(b'0' + rank % 10);
    }

    /// The square of a name, `None` if there is no such square.
    pub fn parse(self, name: &str) -> Option<Square> {
        let (&file, rank) = name.as_bytes().split_first()?;
        if rank.first() == Some(&b'0') || !rank.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let file = file.checked_sub(b'a')?;
        let rank = name[1..].parse::<u8>().ok()?.checked_sub(1)?;
        (file < self.files && rank < self.ranks)
            .then(|| self.square(file, rank))
            .filter(|&square| !self.holes.contains(square))
    }

    /// Splits the name of a square off the start of a text: the square and the rest.
    /// `None` if the text does not begin with one. A name has as many digits as follow
    /// each other, so `e1e10` is e1 and e10.
    pub(crate) fn split_name(self, text: &str) -> Option<(Square, &str)> {
        let rank = text.get(1..)?;
        let digits = rank.bytes().take_while(u8::is_ascii_digit).count();
        let (name, rest) = text.split_at(1 + digits);
        Some((self.parse(name)?, rest))
    }

    /// The image of a square. A transform with the diagonal flip needs a
    /// board with as many files as ranks.
    #[inline]
    pub const fn apply(self, transform: Transform, square: Square) -> Square {
        let (mut file, mut rank) = (self.file(square), self.rank(square));
        if transform.flips_diagonal() {
            (file, rank) = (rank, file);
        }
        if transform.flips_files() {
            file = self.files - 1 - file;
        }
        if transform.flips_ranks() {
            rank = self.ranks - 1 - rank;
        }
        self.square(file, rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARDS: [Geometry; 4] = [
        Geometry::EIGHT,
        Geometry::NINE,
        Geometry::TEN_BY_EIGHT,
        Geometry::TEN,
    ];

    #[test]
    fn names_round_trip_on_all_boards() {
        for board in BOARDS {
            for square in board.all() {
                let name = board.name(square);
                assert_eq!(board.parse(&name), Some(square));
                assert_eq!(board.split_name(&name), Some((square, "")));
            }
            for bad in ["", "a", "a0", "a01", "k1", "a11", "a100", "1a", "é1", "a1 "] {
                assert_eq!(board.parse(bad), None, "{bad}");
            }
        }
        assert_eq!(Geometry::EIGHT.parse("i8"), None);
        assert_eq!(Geometry::NINE.parse("j9"), None);
        assert_eq!(Geometry::NINE.parse("a10"), None);
        assert_eq!(Geometry::TEN_BY_EIGHT.parse("a9"), None);
        assert_eq!(Geometry::TEN.parse("j10"), Some(Square(99)));
    }

    #[test]
    fn names_are_split_off_the_front_of_a_text() {
        let split = |text| Geometry::TEN.split_name(text);
        assert_eq!(split("a10b1q"), Some((Square(90), "b1q")));
        assert_eq!(split("a1b10q"), Some((Square(0), "b10q")));
        for bad in ["", "a", "q1", "a11", "a0", "e\u{301}1", "é1"] {
            assert_eq!(split(bad), None, "{bad}");
        }
    }

    #[test]
    fn ranks_have_their_squares() {
        for board in BOARDS {
            for rank in 0..board.ranks {
                let squares = board.all().filter(|&square| board.rank(square) == rank);
                assert!(board.rank_squares(rank).eq(squares));
            }
        }
    }

    #[test]
    fn transforms_have_inverses_and_differ() {
        for board in BOARDS {
            for t in board.transforms() {
                for square in board.all() {
                    let there = board.apply(t, square);
                    assert_eq!(board.apply(t.inverse(), there), square);
                }
                let same = board
                    .transforms()
                    .filter(|&u| board.all().all(|s| board.apply(u, s) == board.apply(t, s)));
                assert_eq!(same.count(), 1);
            }
        }
    }
}
