//! Generates the moves of atomic, antichess and shatranj by walking over bitboards.

use pyrrhic_rs::{Color, EngineAdapter};

use crate::attacks::{Attacks, walk};
use crate::diagram::Diagram;
use crate::play::squares;

const KING: usize = 0;
const QUEEN: usize = 1;
const BISHOP: usize = 3;
const PAWN: usize = 5;
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// A game as far as its tables need it: endings without castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// A capture removes the captor and all neighbours but pawns; kings do not capture.
    Atomic,
    /// Captures are compulsory, and a side without men has won. A side that cannot move has won,
    /// too, or the side with fewer men has.
    Antichess { fewer_men: bool },
    /// Queens go one square diagonally, bishops leap two; a side that cannot move has lost, and
    /// one with a king alone, unless it makes the other bare at once.
    Shatranj,
}

/// A diagram after a move.
pub struct After {
    pub diagram: Diagram,
    pub capture: bool,
    /// A capture or pawn move.
    pub zeroing: bool,
    /// The result for the side that is to move, if the move settles the game.
    pub settled: Option<i8>,
}

impl Rules {
    fn attacks(self, piece_type: usize, turn: usize, from: u64, occupied: u64) -> u64 {
        match piece_type {
            KING => Attacks::king_attacks(from),
            QUEEN if self == Rules::Shatranj => {
                Attacks::king_attacks(from) & Attacks::bishop_attacks(from, 0)
            }
            QUEEN => Attacks::queen_attacks(from, occupied),
            2 => Attacks::rook_attacks(from, occupied),
            BISHOP if self == Rules::Shatranj => {
                walk(from, &[(2, 2), (2, -2), (-2, 2), (-2, -2)], false, 0)
            }
            BISHOP => Attacks::bishop_attacks(from, occupied),
            4 => Attacks::knight_attacks(from),
            _ if turn == 0 => Attacks::pawn_attacks(Color::White, from),
            _ => Attacks::pawn_attacks(Color::Black, from),
        }
    }

    /// Whether the king of a side is in check.
    fn in_check(self, diagram: &Diagram, side: usize) -> bool {
        let kings = diagram.piece_types[KING];
        let king = kings & diagram.sides[side];
        if matches!(self, Rules::Antichess { .. }) || king == 0 {
            return false;
        }
        let touches = Attacks::king_attacks(king.trailing_zeros().into()) & kings != 0;
        if self == Rules::Atomic && touches {
            return false;
        }
        let occupied = diagram.sides[0] | diagram.sides[1];
        let enemy = 1 - side;
        (0..6).any(|piece_type| {
            let able = !(self == Rules::Atomic && piece_type == KING);
            able && squares(diagram.piece_types[piece_type] & diagram.sides[enemy])
                .any(|from| self.attacks(piece_type, enemy, from, occupied) & king != 0)
        })
    }

    /// Whether a diagram is a position.
    pub fn is_legal(self, diagram: &Diagram) -> bool {
        diagram.piece_types[PAWN] & LAST_RANKS == 0 && !self.in_check(diagram, 1 - diagram.turn)
    }

    /// The result for the side to move if it has no move.
    pub fn without_moves(self, diagram: &Diagram) -> i8 {
        let count = |side: usize| diagram.sides[side].count_ones();
        match self {
            Rules::Antichess { fewer_men: false } => 2,
            Rules::Antichess { fewer_men: true } => {
                match count(diagram.turn).cmp(&count(1 - diagram.turn)) {
                    std::cmp::Ordering::Less => 2,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => -2,
                }
            }
            Rules::Atomic if self.in_check(diagram, diagram.turn) => -2,
            Rules::Atomic => 0,
            Rules::Shatranj => -2,
        }
    }

    /// The diagrams after all legal moves.
    pub fn successors(self, diagram: &Diagram) -> Vec<After> {
        let turn = diagram.turn;
        let (mine, theirs) = (diagram.sides[turn], diagram.sides[1 - turn]);
        let occupied = mine | theirs;
        let ep = if diagram.ep == 0 { 0 } else { 1 << diagram.ep };
        let mut list = Vec::new();
        for piece_type in 0..6 {
            for from in squares(diagram.piece_types[piece_type] & mine) {
                let attacked = self.attacks(piece_type, turn, from, occupied);
                let captures = match piece_type {
                    PAWN => attacked & (theirs | ep),
                    KING if self == Rules::Atomic => 0,
                    _ => attacked & theirs,
                };
                let quiet = match piece_type {
                    PAWN => self.steps(diagram, from),
                    _ => attacked & !occupied,
                };
                for to in squares(captures | quiet) {
                    let capture = captures >> to & 1 != 0;
                    let becomes: &[usize] = match self {
                        _ if piece_type != PAWN || 1 << to & LAST_RANKS == 0 => &[piece_type],
                        Rules::Atomic => &[1, 2, 3, 4],
                        Rules::Antichess { .. } => &[0, 1, 2, 3, 4],
                        Rules::Shatranj => &[QUEEN],
                    };
                    for &becomes in becomes {
                        let zeroing = capture || piece_type == PAWN;
                        let moved = self.moved(diagram, from, to, becomes, capture);
                        list.extend(moved.map(|(diagram, settled)| After {
                            diagram,
                            capture,
                            zeroing,
                            settled,
                        }));
                    }
                }
            }
        }
        if matches!(self, Rules::Antichess { .. }) && list.iter().any(|after| after.capture) {
            list.retain(|after| after.capture);
        }
        list
    }

    /// Where a pawn can go without taking.
    fn steps(self, diagram: &Diagram, from: u64) -> u64 {
        let empty = !(diagram.sides[0] | diagram.sides[1]);
        let ahead = |set: u64| {
            if diagram.turn == 0 {
                set << 8
            } else {
                set >> 8
            }
        };
        let home = if diagram.turn == 0 { 1 } else { 6 };
        let one = ahead(1 << from) & empty;
        match from / 8 == home && self != Rules::Shatranj {
            true => one | ahead(one) & empty,
            false => one,
        }
    }

    /// The diagram after a move, with the result if that is settled; nothing if it is illegal.
    fn moved(
        self,
        diagram: &Diagram,
        from: u64,
        to: u64,
        becomes: usize,
        capture: bool,
    ) -> Option<(Diagram, Option<i8>)> {
        let mut after = *diagram;
        let turn = diagram.turn;
        let pawn = diagram.piece_types[PAWN] >> from & 1 != 0;
        // The piece taken en passant stands beside where the pawn came from.
        let passing = pawn && capture && diagram.ep != 0 && to == u64::from(diagram.ep);
        let taken = if passing { from / 8 * 8 + to % 8 } else { to };
        let mut gone = 1 << from | 1 << taken;
        if self == Rules::Atomic && capture {
            gone |= Attacks::king_attacks(to) & !diagram.piece_types[PAWN];
        }
        after.piece_types.iter_mut().for_each(|set| *set &= !gone);
        after.sides.iter_mut().for_each(|set| *set &= !gone);
        if !(self == Rules::Atomic && capture) {
            after.piece_types[becomes] |= 1 << to;
            after.sides[turn] |= 1 << to;
        }
        after.turn = 1 - turn;
        after.ep = 0;
        if pawn && from.abs_diff(to) == 16 {
            let passed = (from + to) / 2;
            let takers = after.piece_types[PAWN] & after.sides[1 - turn];
            if self.attacks(PAWN, turn, passed, 0) & takers != 0 {
                after.ep = passed as u32;
            }
        }
        let kings = after.piece_types[KING];
        let settled = match self {
            Rules::Atomic if kings & after.sides[turn] == 0 => return None,
            Rules::Atomic if kings & after.sides[1 - turn] == 0 => return Some((after, Some(-2))),
            Rules::Antichess { .. } if after.sides[1 - turn] == 0 => Some(2),
            Rules::Shatranj if after.sides[1 - turn].count_ones() == 1 => Some(-2),
            _ => None,
        };
        if self.in_check(&after, turn) {
            return None;
        }
        let answered = self == Rules::Shatranj && settled.is_some() && self.strips(&after);
        Some((after, if answered { Some(0) } else { settled }))
    }

    /// Whether a bare king takes the other side's last man.
    fn strips(self, diagram: &Diagram) -> bool {
        let king = diagram.piece_types[KING] & diagram.sides[diagram.turn];
        let theirs = diagram.sides[1 - diagram.turn];
        let last = theirs & !diagram.piece_types[KING];
        let from = king.trailing_zeros().into();
        if theirs.count_ones() != 2 || Attacks::king_attacks(from) & last == 0 {
            return false;
        }
        let guard = diagram.piece_types[KING] & theirs;
        Attacks::king_attacks(guard.trailing_zeros().into()) & last == 0
    }
}
