//! Generates the legal moves of a diagram by walking over its bitboards.

use pyrrhic_rs::{Color, EngineAdapter};

use crate::attacks::Attacks;
use crate::diagram::Diagram;

const KING: usize = 0;
const PAWN: usize = 5;
/// The piece types that pawns become: queen, rook, bishop, knight.
const PROMOTIONS: [usize; 4] = [1, 2, 3, 4];
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// Visits the diagram after every legal move, and whether the move was a
/// capture or a pawn move.
pub fn successors(diagram: &Diagram, mut visit: impl FnMut(&Diagram, bool)) {
    let (mine, theirs) = (diagram.sides[diagram.turn], diagram.sides[1 - diagram.turn]);
    let occupied = mine | theirs;
    let mut visit_legal = |after: &Diagram, zeroing: bool| {
        if after.is_legal() {
            visit(after, zeroing);
        }
    };
    for (piece_type, &pieces) in diagram.piece_types.iter().enumerate() {
        for from in squares(pieces & mine) {
            let to = match piece_type {
                KING => Attacks::king_attacks(from),
                1 => Attacks::queen_attacks(from, occupied),
                2 => Attacks::rook_attacks(from, occupied),
                3 => Attacks::bishop_attacks(from, occupied),
                4 => Attacks::knight_attacks(from),
                _ => pawn_targets(diagram, from),
            };
            for to in squares(to & !mine) {
                let taken = theirs >> to & 1 != 0;
                if piece_type != PAWN {
                    visit_legal(&diagram.moved(from, to, piece_type), taken);
                } else if 1 << to & LAST_RANKS != 0 {
                    for piece_type in PROMOTIONS {
                        visit_legal(&diagram.moved(from, to, piece_type), true);
                    }
                } else {
                    visit_legal(&diagram.moved(from, to, PAWN), true);
                }
            }
        }
    }
}

/// The squares of a set, smallest first.
pub fn squares(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros();
            set &= set - 1;
            u64::from(square)
        })
    })
}

fn pawn_attacks(turn: usize, square: u64) -> u64 {
    let colour = if turn == 0 {
        Color::White
    } else {
        Color::Black
    };
    Attacks::pawn_attacks(colour, square)
}

/// The squares that a pawn of the side to move can go to, pieces of its own apart.
fn pawn_targets(diagram: &Diagram, from: u64) -> u64 {
    let theirs = diagram.sides[1 - diagram.turn];
    let empty = !(diagram.sides[0] | diagram.sides[1]);
    let ep = if diagram.ep == 0 { 0 } else { 1 << diagram.ep };
    let ahead = |set: u64| {
        if diagram.turn == 0 {
            set << 8
        } else {
            set >> 8
        }
    };
    let home = if diagram.turn == 0 { 1 } else { 6 };
    let one = ahead(1 << from) & empty;
    let two = if from / 8 == home {
        ahead(one) & empty
    } else {
        0
    };
    one | two | pawn_attacks(diagram.turn, from) & (theirs | ep)
}

impl Diagram {
    /// The diagram after a piece went from one square to another and became one
    /// of that piece type.
    fn moved(&self, from: u64, to: u64, piece_type: usize) -> Diagram {
        let mut after = *self;
        let pawn = self.piece_types[PAWN] >> from & 1 != 0;
        // The piece taken en passant stands beside where the pawn came from.
        let passing = pawn && self.ep != 0 && to == u64::from(self.ep);
        let taken = if passing { from / 8 * 8 + to % 8 } else { to };
        let gone = !(1 << from | 1 << taken);
        after.piece_types.iter_mut().for_each(|set| *set &= gone);
        after.sides.iter_mut().for_each(|set| *set &= gone);
        after.piece_types[piece_type] |= 1 << to;
        after.sides[self.turn] |= 1 << to;
        after.turn = 1 - self.turn;
        after.ep = 0;
        if pawn && from.abs_diff(to) == 16 {
            let passed = (from + to) / 2;
            let takers = after.piece_types[PAWN] & after.sides[after.turn];
            if pawn_attacks(self.turn, passed) & takers != 0 {
                after.ep = passed as u32;
            }
        }
        after
    }
}
