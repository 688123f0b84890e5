//! Computes the index of a value in a Syzygy file from the squares of the pieces.

use anyhow::{Result, ensure};

/// Squares of the board as bits of the same order as everywhere: a1 is 0.
type Square = usize;

const PAWN: u8 = 1;

fn file(square: Square) -> usize {
    square % 8
}

fn rank(square: Square) -> usize {
    square / 8
}

fn above_diagonal(square: Square) -> bool {
    rank(square) > file(square)
}

fn on_diagonal(square: Square) -> bool {
    rank(square) == file(square)
}

/// "n choose k".
fn choose(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |all, i| all * (n as u64).saturating_sub(i) / (i + 1))
}

/// The triangle a1-d1-d4, the squares below the diagonal first.
const TRIANGLE: [Square; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// The index of a square in the triangle.
fn in_triangle(square: Square) -> usize {
    TRIANGLE
        .iter()
        .position(|&s| s == square)
        .unwrap_or_default()
}

/// The index of a square below the diagonal, of 28, rank by rank.
fn below_diagonal(square: Square) -> usize {
    (0..square).filter(|&s| rank(s) < file(s)).count()
}

/// The distance of a pawn's square from the end of the list of all: pawns near the edge and near
/// home come last.
fn pawn_place(square: Square) -> usize {
    let column = file(square).min(7 - file(square));
    let right = usize::from(file(square) > 3);
    47 - 12 * column - 2 * (rank(square) - 1) - right
}

/// Which placements the first pieces of a file without pawns can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaders {
    /// Kings that never touch.
    Kings,
    /// Kings that may touch.
    TouchingKings,
    /// Any pieces, as no piece is royal.
    Any,
}

/// The group of pieces that symmetry is taken out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    Pawns,
    Three,
    /// Two kings that never touch.
    Kings,
    /// Two different pieces.
    Two,
    /// Two equal pieces.
    Pair,
    /// Three equal pieces or more.
    Several,
}

fn flipped(square: Square) -> Square {
    square % 8 * 8 + square / 8
}

/// The place of a square in the triangle into which symmetry takes it.
fn class(square: Square) -> usize {
    let (file, rank) = (
        file(square).min(7 - file(square)),
        rank(square).min(7 - rank(square)),
    );
    in_triangle(file.min(rank) * 8 + file.max(rank))
}

/// The distance of a square from the end of the list for equal pieces: squares near the edge come
/// last,
/// the diagonals first, and equivalent squares beside each other.
fn twisted(square: Square) -> usize {
    let class = class(square);
    let s = TRIANGLE[class];
    let t = flipped(s);
    let images = match class < 6 {
        true => vec![s, t, t ^ 56, s ^ 56, s ^ 63, t ^ 63, t ^ 7, s ^ 7],
        false => vec![s, s ^ 56, s ^ 63, s ^ 7],
    };
    let place = images.iter().position(|&image| image == square);
    let last = if class < 6 {
        63 - 8 * class
    } else {
        15 - 4 * (class - 6)
    };
    last - place.unwrap_or_default()
}

/// In the upper half of the board and left of the diagonal from a8 to h1.
fn in_upper_left(square: Square) -> bool {
    rank(square) > 3 && file(square) + rank(square) < 7
}

/// All placements of two equal pieces, the first in the triangle, in the order of their indices.
fn pairs() -> Vec<(Square, Square)> {
    let mut list = Vec::new();
    for (place, &first) in TRIANGLE.iter().enumerate() {
        let fits = |&second: &Square| {
            let twin = class(second) == place && in_upper_left(second);
            let mirrored = on_diagonal(first) && above_diagonal(second);
            second != first && class(second) >= place && !twin && !mirrored
        };
        let mut seconds: Vec<Square> = (0..64).filter(fits).collect();
        if on_diagonal(first) {
            seconds.sort_by_key(|&second| !on_diagonal(second));
        }
        list.extend(seconds.into_iter().map(|second| (first, second)));
    }
    list
}

/// The number of placements of equal pieces, the first of which is before a place in the triangle.
fn several_before(place: usize, count: usize) -> u64 {
    let choices = |&square: &Square| choose(twisted(square), count - 1);
    TRIANGLE[..place].iter().map(choices).sum()
}

/// The index of two different pieces that may stand anywhere.
fn two_pieces(a: Square, b: Square) -> u64 {
    let skip = usize::from(b > a);
    let index = if !on_diagonal(a) {
        in_triangle(a) * 63 + b - skip
    } else if !on_diagonal(b) {
        6 * 63 + rank(a) * 28 + below_diagonal(b)
    } else {
        6 * 63 + 4 * 28 + rank(a) * 7 + rank(b) - skip
    };
    index as u64
}

/// The index of two kings.
fn kings(first: Square, second: Square) -> u64 {
    let distance = |a: Square, b: Square| file(a).abs_diff(file(b)).max(rank(a).abs_diff(rank(b)));
    let mut triangle: Vec<Square> = (0..64)
        .filter(|&s| file(s) < 4 && !above_diagonal(s))
        .collect();
    triangle.sort_by_key(|&s| in_triangle(s));
    let mut index = 0;
    // Both on the diagonal come last.
    for both_on in [false, true] {
        for &a in &triangle {
            for b in 0..64 {
                let both = on_diagonal(a) && on_diagonal(b);
                if distance(a, b) < 2 || on_diagonal(a) && above_diagonal(b) || both != both_on {
                    continue;
                }
                if (a, b) == (first, second) {
                    return index;
                }
                index += 1;
            }
        }
    }
    index
}

/// The numbering of the pieces of a part.
pub struct Encoding {
    /// Codes of the pieces, in the order in which they are numbered.
    pieces: Vec<u8>,
    /// Groups: the number of pieces, and the stride.
    groups: Vec<(usize, u64)>,
    lead: Lead,
    size: u64,
    /// The indices of all placements of two kings or equal pieces, computed beforehand.
    leader_indices: Vec<u64>,
}

impl Encoding {
    /// `orders` are the places of the leading group, and of the other side's
    /// pawns, in the order of groups from the least significant; `file` is
    /// that of the leading pawn.
    pub fn new(
        pieces: Vec<u8>,
        orders: [Option<u8>; 2],
        leading_file: usize,
        leaders: Leaders,
    ) -> Result<Encoding> {
        let count = |piece| pieces.iter().filter(|&&p| p == piece).count();
        ensure!(
            pieces.iter().all(|p| (1..=6).contains(&(p & 7))),
            "codes of pieces"
        );
        let pawns = pieces[0] & 7 == PAWN;
        let alone = pieces.iter().filter(|&&p| count(p) == 1).count();
        let lead = match (alone, leaders) {
            _ if pawns => Lead::Pawns,
            (3.., _) => Lead::Three,
            (_, Leaders::Kings) => Lead::Kings,
            (2, _) | (_, Leaders::TouchingKings) => Lead::Two,
            _ if count(pieces[0]) == 2 => Lead::Pair,
            _ => Lead::Several,
        };
        let mut sizes = vec![match lead {
            Lead::Pawns | Lead::Pair | Lead::Several => count(pieces[0]),
            Lead::Kings | Lead::Two => 2,
            Lead::Three => 3,
        }];
        let mut placed = sizes[0];
        while placed < pieces.len() {
            sizes.push(count(pieces[placed]));
            placed += count(pieces[placed]);
        }
        let leading = match lead {
            Lead::Pawns => leading_pawns(sizes[0], leading_file),
            Lead::Kings => 462,
            Lead::Two => 518,
            Lead::Pair => 278,
            Lead::Several => several_before(10, sizes[0]),
            Lead::Three => 31_332,
        };
        let mut steps = vec![0; sizes.len()];
        let mut step = 1;
        let more_pawns = orders[1].is_some();
        // Pieces before the group that is placed next.
        let mut before = sizes[0] + if more_pawns { sizes[1] } else { 0 };
        let mut next = 1 + usize::from(more_pawns);
        for place in 0..sizes.len() {
            let (group, choices) = if orders[0] == Some(place as u8) {
                (0, leading)
            } else if orders[1] == Some(place as u8) {
                (1, choose(48 - sizes[0], sizes[1]))
            } else {
                ensure!(next < sizes.len(), "the order of groups");
                let choices = choose(64 - before, sizes[next]);
                before += sizes[next];
                next += 1;
                (next - 1, choices)
            };
            steps[group] = step;
            step *= choices;
        }
        let leader_indices = match lead {
            Lead::Kings => (0..64 * 64).map(|n| kings(n / 64, n % 64)).collect(),
            Lead::Pair => {
                let mut indices = vec![0; 64 * 64];
                for (index, (a, b)) in (0..).zip(pairs()) {
                    indices[a * 64 + b] = index;
                }
                indices
            }
            _ => Vec::new(),
        };
        Ok(Encoding {
            pieces,
            groups: sizes.into_iter().zip(steps).collect(),
            lead,
            size: step,
            leader_indices,
        })
    }

    /// The letters of White's and Black's pieces, in the order of material names. Some files have
    /// the sides the other way round than their names.
    pub fn sides(&self) -> [Vec<u8>; 2] {
        [0, 8].map(|side| {
            let codes = [6, 5, 4, 3, 2, 1].map(|code| code | side);
            let counts = codes.map(|code| self.pieces.iter().filter(|&&p| p == code).count());
            let letters = b"KQRBNP".iter().zip(counts);
            letters
                .flat_map(|(&letter, count)| vec![letter; count])
                .collect()
        })
    }

    /// The number of indices.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The squares of the pieces, those of a group in ascending order.
    fn squares(&self, squares: impl Fn(u8) -> u64) -> Vec<Square> {
        let mut list = Vec::with_capacity(self.pieces.len());
        while list.len() < self.pieces.len() {
            let mut set = squares(self.pieces[list.len()]);
            while set != 0 {
                list.push(set.trailing_zeros() as usize);
                set &= set - 1;
            }
        }
        list
    }

    /// The file of the leading pawn, the outermost and, on one file, the one
    /// nearest home; mirrored to 0 to 3.
    pub fn leading_file(&self, squares: impl Fn(u8) -> u64) -> usize {
        let list = self.squares(squares);
        let leading = list[..self.groups[0].0]
            .iter()
            .copied()
            .max_by_key(|&s| pawn_place(s));
        let file = leading.map_or(0, file);
        file.min(7 - file)
    }

    /// The index of a position; `squares` says where a piece of each code is.
    pub fn encode(&self, squares: impl Fn(u8) -> u64) -> u64 {
        let mut list = self.squares(squares);
        let leading = self.groups[0].0;
        match self.lead {
            // The leading pawn first, then from the last of the list on.
            Lead::Pawns => list[..leading].sort_by_key(|&s| std::cmp::Reverse(pawn_place(s))),
            // Of equal pieces the one nearest the start of the triangle leads.
            Lead::Pair | Lead::Several => {
                for other in 1..leading {
                    if class(list[0]) > class(list[other]) {
                        list.swap(0, other);
                    }
                }
            }
            _ => {}
        }
        if file(list[0]) > 3 {
            list.iter_mut().for_each(|s| *s ^= 7);
        }
        if self.lead != Lead::Pawns {
            if rank(list[0]) > 3 {
                list.iter_mut().for_each(|s| *s ^= 56);
            }
            let counted = if self.lead == Lead::Several {
                1
            } else {
                leading
            };
            let off = list[..counted].iter().find(|&&s| !on_diagonal(s));
            if off.is_some_and(|&s| above_diagonal(s)) {
                list.iter_mut().for_each(|s| *s = flipped(*s));
            }
        }
        let first = match self.lead {
            Lead::Pawns => self.pawn_index(&mut list[..leading]),
            Lead::Kings => self.leader_indices[list[0] * 64 + list[1]],
            Lead::Two => two_pieces(list[0], list[1]),
            Lead::Pair => {
                if class(list[0]) == class(list[1]) && in_upper_left(list[1]) {
                    list.swap(0, 1);
                    list.iter_mut().for_each(|s| *s = flipped(*s ^ 56));
                }
                self.leader_indices[list[0] * 64 + list[1]]
            }
            Lead::Several => {
                list[1..leading].sort_by_key(|&s| twisted(s));
                let others = (1..).zip(&list[1..leading]);
                let others: u64 = others.map(|(k, &s)| choose(twisted(s), k)).sum();
                several_before(in_triangle(list[0]), leading) + others
            }
            Lead::Three => three_pieces(&list),
        };
        let mut index = first * self.groups[0].1;
        let mut from = leading;
        for (place, &(count, step)) in self.groups.iter().enumerate().skip(1) {
            list[from..from + count].sort_unstable();
            let other_pawns = place == 1 && self.pieces[from] & 7 == PAWN;
            let mut digit = 0;
            for (k, &square) in (1..).zip(&list[from..from + count]) {
                let skipped = list[..from].iter().filter(|&&s| s < square).count();
                let below = if other_pawns { 8 } else { 0 };
                digit += choose(square - skipped - below, k);
            }
            index += digit * step;
            from += count;
        }
        index
    }

    fn pawn_index(&self, pawns: &mut [Square]) -> u64 {
        let column = file(pawns[0]);
        let mut index: u64 = (1..rank(pawns[0]))
            .map(|rank| choose(pawn_place(8 * rank + column), pawns.len() - 1))
            .sum();
        pawns[1..].sort_by_key(|&s| std::cmp::Reverse(pawn_place(s)));
        for (place, &pawn) in pawns.iter().enumerate().skip(1) {
            index += choose(pawn_place(pawn), pawns.len() - place);
        }
        index
    }
}

/// The number of placements of some pawns whose leading one is on a file.
fn leading_pawns(count: usize, leading_file: usize) -> u64 {
    (1..7)
        .map(|rank| choose(pawn_place(8 * rank + leading_file), count - 1))
        .sum()
}

/// The index of three different pieces, the first in the triangle a1-d1-d4.
fn three_pieces(list: &[Square]) -> u64 {
    let [a, b, c] = [list[0], list[1], list[2]];
    let skip_b = usize::from(b > a);
    let skip_c = usize::from(c > a) + usize::from(c > b);
    let index = if !on_diagonal(a) {
        in_triangle(a) * 63 * 62 + (b - skip_b) * 62 + c - skip_c
    } else if !on_diagonal(b) {
        6 * 63 * 62 + rank(a) * 28 * 62 + below_diagonal(b) * 62 + c - skip_c
    } else if !on_diagonal(c) {
        6 * 63 * 62 + 4 * 28 * 62 + rank(a) * 7 * 28 + (rank(b) - skip_b) * 28 + below_diagonal(c)
    } else {
        6 * 63 * 62
            + 4 * 28 * 62
            + 4 * 7 * 28
            + rank(a) * 7 * 6
            + (rank(b) - skip_b) * 6
            + (rank(c) - skip_c)
    };
    index as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pieces_have_their_places() {
        assert_eq!(pairs().len(), 278);
        assert_eq!(several_before(10, 1), 10);
        // a1, b1, h1, h8, e4, d4.
        let places = [0, 1, 7, 63, 28, 27].map(twisted);
        assert_eq!(places, [15, 63, 12, 13, 0, 3]);
    }

    #[test]
    fn kings_have_462_indices() {
        let mut seen = [false; 462];
        for a in (0..64).filter(|&s| file(s) < 4 && !above_diagonal(s)) {
            for b in 0..64 {
                let index = kings(a, b);
                if index < 462 {
                    assert!(!std::mem::replace(&mut seen[index as usize], true));
                }
            }
        }
        assert_eq!(seen, [true; 462]);
    }

    #[test]
    fn pawns_have_their_places() {
        // a2, h2, a7, h7, b2, d7, e7.
        let places = [8, 15, 48, 55, 9, 51, 52].map(pawn_place);
        assert_eq!(places, [47, 46, 37, 36, 35, 1, 0]);
    }
}
