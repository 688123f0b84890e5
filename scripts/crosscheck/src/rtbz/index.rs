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

/// The index of a square in the triangle a1-d1-d4: those below the diagonal
/// first.
fn in_triangle(square: Square) -> usize {
    const SQUARES: [Square; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];
    SQUARES
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
    /// Whether the two kings are the leading group, rather than three pieces of
    /// which each is alone of its piece type.
    kings_lead: bool,
    size: u64,
    /// The indices of all placements of two kings, computed beforehand.
    king_indices: Vec<u64>,
}

impl Encoding {
    /// `orders` are the places of the leading group, and of the other side's
    /// pawns, in the order of groups from the least significant; `file` is
    /// that of the leading pawn.
    pub fn new(pieces: Vec<u8>, orders: [Option<u8>; 2], leading_file: usize) -> Result<Encoding> {
        let count = |piece| pieces.iter().filter(|&&p| p == piece).count();
        ensure!(
            pieces.iter().all(|p| (1..=6).contains(&(p & 7))),
            "codes of pieces"
        );
        let pawns = pieces[0] & 7 == PAWN;
        let alone = pieces.iter().filter(|&&p| count(p) == 1).count();
        let kings_lead = !pawns && alone < 3;
        let mut sizes = vec![match (pawns, kings_lead) {
            (true, _) => count(pieces[0]),
            (false, true) => 2,
            (false, false) => 3,
        }];
        let mut placed = sizes[0];
        while placed < pieces.len() {
            sizes.push(count(pieces[placed]));
            placed += count(pieces[placed]);
        }
        let leading = match (pawns, kings_lead) {
            (true, _) => leading_pawns(sizes[0], leading_file),
            (false, true) => 462,
            (false, false) => 31_332,
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
        let king_indices = match kings_lead {
            true => (0..64 * 64).map(|n| kings(n / 64, n % 64)).collect(),
            false => Vec::new(),
        };
        Ok(Encoding {
            pieces,
            groups: sizes.into_iter().zip(steps).collect(),
            kings_lead,
            size: step,
            king_indices,
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
        let pawns = self.pieces[0] & 7 == PAWN;
        let leading = self.groups[0].0;
        if pawns {
            // The leading pawn first, then from the last of the list on.
            list[..leading].sort_by_key(|&s| std::cmp::Reverse(pawn_place(s)));
        }
        if file(list[0]) > 3 {
            list.iter_mut().for_each(|s| *s ^= 7);
        }
        if !pawns {
            if rank(list[0]) > 3 {
                list.iter_mut().for_each(|s| *s ^= 56);
            }
            let off = list[..leading].iter().find(|&&s| !on_diagonal(s));
            if off.is_some_and(|&s| above_diagonal(s)) {
                list.iter_mut().for_each(|s| *s = *s % 8 * 8 + *s / 8);
            }
        }
        let first = if pawns {
            self.pawn_index(&mut list[..leading])
        } else if self.kings_lead {
            self.king_indices[list[0] * 64 + list[1]]
        } else {
            three_pieces(&list)
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
