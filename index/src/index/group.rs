//! Groups of identical pieces: the squares they stand on as a digit.

use std::ops::Range;

use retrograde_rules::{Material, Piece, Square};

/// The most pieces that a group can have.
const MOST: usize = Material::MOST_PIECES - 2;

/// `BINOMIAL[k][n]` is "n choose k", for boards of up to 128 squares.
static BINOMIAL: [[u64; 129]; MOST + 1] = {
    let mut table = [[0; 129]; MOST + 1];
    let mut n = 0;
    while n < 129 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MOST {
            if n > 0 {
                table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

/// A group of identical pieces of a material, and its digit of the index.
///
/// Pieces on squares `s1 < s2 < ... < sg`, counted from the first square that
/// they may stand on, have the digit `C(s1, 1) + C(s2, 2) + ... + C(sg, g)`:
/// for one piece its square, for two `s1 + s2 * (s2 - 1) / 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    piece: Piece,
    first: u8,
    count: u8,
    origin: u8,
    squares: u8,
    size: u64,
}

impl Group {
    /// `places` are those of the group among the pieces of the material, five at most,
    /// `squares` the range of squares that its pieces may stand on, up to 128.
    pub fn new(piece: Piece, places: Range<usize>, squares: Range<u8>) -> Group {
        let count = places.len().min(MOST);
        Group {
            piece,
            first: places.start as u8,
            count: count as u8,
            origin: squares.start,
            squares: squares.len() as u8,
            size: BINOMIAL[count][squares.len()],
        }
    }

    /// What the pieces are.
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Their places among the pieces of the material.
    #[inline]
    pub fn places(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }

    /// The squares that they may stand on, as a range of square indices.
    pub fn squares(&self) -> Range<u8> {
        self.origin..self.origin + self.squares
    }

    /// The number of digits: the binomial coefficient "squares choose pieces".
    #[inline]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The digit of the pieces' squares, given in any order; `None` if there are
    /// not as many squares as pieces, one is not in [`Group::squares`], or two are
    /// the same.
    #[inline]
    pub fn digit_of(&self, squares: &[Square]) -> Option<u64> {
        if squares.len() != self.count as usize {
            return None;
        }
        self.digit(squares, |square| square.0)
    }

    /// Writes the squares of a digit, lowest first. Returns `false` and writes
    /// nothing if the digit is not less than [`Group::size`] or the length of
    /// `squares` is not the number of pieces.
    #[inline]
    pub fn squares_of(&self, digit: u64, squares: &mut [Square]) -> bool {
        if digit >= self.size || squares.len() != self.count as usize {
            return false;
        }
        let mut rest = digit;
        let mut below = self.squares as usize;
        for (k, square) in squares.iter_mut().enumerate().rev() {
            if k == 0 {
                *square = Square(self.origin + rest as u8);
                break;
            }
            let row = &BINOMIAL[k + 1];
            // The highest square whose binomial still fits; it lies below the
            // one found before.
            let place = row[..below].partition_point(|&b| b <= rest) - 1;
            rest -= row[place];
            *square = Square(self.origin + place as u8);
            below = place;
        }
        true
    }

    /// The digit of the group in a whole placement, with every square replaced by
    /// its image.
    #[inline]
    pub(super) fn digit_of_image(&self, squares: &[Square], image: &[u8; 256]) -> Option<u64> {
        self.digit(squares.get(self.places())?, |s| image[s.0 as usize])
    }

    #[inline]
    fn digit(&self, squares: &[Square], image: impl Fn(Square) -> u8) -> Option<u64> {
        let local = |square: Square| {
            let place = image(square).wrapping_sub(self.origin);
            (place < self.squares).then_some(place)
        };
        match *squares {
            [one] => Some(u64::from(local(one)?)),
            [one, two] => {
                let (one, two) = (local(one)?, local(two)?);
                let (low, high) = (u64::from(one.min(two)), u64::from(one.max(two)));
                (low != high).then(|| low + high * (high - 1) / 2)
            }
            _ => {
                let mut sorted = [0u8; MOST];
                let sorted = sorted.get_mut(..squares.len())?;
                for (to, &square) in sorted.iter_mut().zip(squares) {
                    *to = local(square)?;
                }
                sorted.sort_unstable();
                let mut digit = 0;
                let mut before = None;
                for (k, &place) in sorted.iter().enumerate() {
                    if before == Some(place) {
                        return None;
                    }
                    before = Some(place);
                    digit += BINOMIAL[k + 1][place as usize];
                }
                Some(digit)
            }
        }
    }
}
