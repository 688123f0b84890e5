//! Computes attacks on bitboards, a1 the lowest bit, by walking from square to square.

use pyrrhic_rs::{Color, EngineAdapter};

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// The squares that are so many files and ranks away, or, going on in the
/// same direction, up to and with the first occupied one.
pub fn walk(square: u64, directions: &[(i8, i8)], far: bool, occupied: u64) -> u64 {
    let mut found = 0;
    for &(files, ranks) in directions {
        let (mut file, mut rank) = ((square % 8) as i8, (square / 8) as i8);
        loop {
            (file, rank) = (file + files, rank + ranks);
            if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                break;
            }
            let bit = 1u64 << (rank * 8 + file);
            found |= bit;
            if !far || occupied & bit != 0 {
                break;
            }
        }
    }
    found
}

/// Answers the Syzygy reader's questions.
#[derive(Clone)]
pub struct Attacks;

impl EngineAdapter for Attacks {
    fn pawn_attacks(colour: Color, square: u64) -> u64 {
        let ranks = if colour == Color::White { 1 } else { -1 };
        walk(square, &[(-1, ranks), (1, ranks)], false, 0)
    }

    fn knight_attacks(square: u64) -> u64 {
        walk(square, &LEAPS, false, 0)
    }

    fn bishop_attacks(square: u64, occupied: u64) -> u64 {
        walk(square, &DIAGONAL, true, occupied)
    }

    fn rook_attacks(square: u64, occupied: u64) -> u64 {
        walk(square, &STRAIGHT, true, occupied)
    }

    fn queen_attacks(square: u64, occupied: u64) -> u64 {
        Attacks::bishop_attacks(square, occupied) | Attacks::rook_attacks(square, occupied)
    }

    fn king_attacks(square: u64) -> u64 {
        walk(square, &STRAIGHT, false, 0) | walk(square, &DIAGONAL, false, 0)
    }
}
