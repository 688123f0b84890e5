//! Pairs of pieces that features tell of: any two, and pawns with royal pieces.

use crate::board::{CodecPiece, DOWN, Moves, SLIDES, UP};

/// Two pieces, and the ways in which each can attack the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) first: u8,
    pub(crate) second: u8,
    /// Bits of [`Sight::reach`](crate::board::Sight) from the first square to
    /// the second by which the first attacks the second.
    pub(crate) there: u8,
    /// And by which the second attacks the first.
    pub(crate) back: u8,
    /// What an attack adds to the tally of the piece that is attacked.
    pub(crate) counts: u8,
    /// What each value of [`FeatureKind::Touch`](super::FeatureKind::Touch) adds to the tallies of all pieces, a byte each.
    /// None overflows: a piece is attacked by at most 7 others.
    pub(super) adds: [u64; 4],
}

/// A pawn and a royal piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) pawn: u8,
    pub(crate) royal: u8,
    pub(crate) down: bool,
}

impl Pair {
    /// Whether its pieces are of one colour, so that an attack defends.
    pub(crate) fn defends(&self) -> bool {
        self.counts == 1
    }

    /// Whether the first piece attacks the second, and the second the first.
    #[inline]
    pub(crate) fn attacks(&self, reach: u8, blocked: bool) -> (u8, u8) {
        // Neither a blocked way nor an attack can be predicted, so this has no branches. A set of
        // the six ways is below 64, so adding 63 carries into bit 6 unless it is empty.
        let reach = reach & !(SLIDES & u8::from(blocked).wrapping_neg());
        let any = |ways: u8| ((reach & ways & 63) + 63) >> 6;
        (any(self.there), any(self.back))
    }
}

/// The feature for a tally of attackers (in the high half) and defenders.
#[inline]
pub(crate) fn hanging(tally: u8) -> u8 {
    (tally >> 4).min(3) * 4 + (tally & 15).min(3)
}

/// All pairs of some pieces.
pub(super) fn pairs(pieces: &[CodecPiece]) -> Vec<Pair> {
    // A pawn that attacks backwards along a pair is one of the other colour
    // that attacks forwards.
    let ways = |piece: &CodecPiece, forwards: bool| {
        let moves = piece.moves.bits() & !Moves::PAWN.bits();
        let up = piece.black != forwards;
        match piece.moves.has(Moves::PAWN) {
            true if up => moves | UP,
            true => moves | DOWN,
            false => moves,
        }
    };
    let mut pairs = Vec::new();
    for (first, a) in pieces.iter().enumerate() {
        for (second, b) in pieces.iter().enumerate().skip(first + 1) {
            let counts = if a.black == b.black { 1 } else { 16 };
            let to = |piece: usize| u64::from(counts) << (8 * piece);
            pairs.push(Pair {
                first: first as u8,
                second: second as u8,
                there: ways(a, true),
                back: ways(b, false),
                counts,
                adds: [0, to(second), to(first), to(second) + to(first)],
            });
        }
    }
    pairs
}

/// All pawns with all royal pieces.
pub(super) fn races(pieces: &[CodecPiece]) -> Vec<Race> {
    let mut races = Vec::new();
    for (pawn, piece) in pieces.iter().enumerate() {
        if !piece.moves.has(Moves::PAWN) {
            continue;
        }
        for (royal, other) in pieces.iter().enumerate() {
            if other.royal && royal != pawn {
                races.push(Race {
                    pawn: pawn as u8,
                    royal: royal as u8,
                    down: piece.black,
                });
            }
        }
    }
    races
}
