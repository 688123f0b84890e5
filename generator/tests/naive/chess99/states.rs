//! The states of a class, without a right to take en passant, as numbers:
//! whose turn, then a digit of base 81 for each man.

use super::super::state::{MOST, Men, Side, State, kind, man, side};
use super::board::{Board, SQUARES, ahead, extra, rank_of};
use super::rules::Rules;

/// The numbers of a class.
#[derive(Clone, Debug)]
pub(crate) struct States {
    men: Men,
    count: usize,
    /// What a step of each man's square makes of the number.
    weights: [usize; MOST],
    /// How many placements there are, legal or not.
    placements: usize,
}

impl States {
    pub(crate) fn new(men: Men) -> States {
        let count = men.iter().filter(|&&man| man != 0).count();
        let mut weights = [0; MOST];
        for (slot, weight) in weights.iter_mut().enumerate().take(count) {
            *weight = SQUARES.pow((count - 1 - slot) as u32);
        }
        States {
            men,
            count,
            weights,
            placements: SQUARES.pow(count as u32),
        }
    }

    pub(crate) fn men(&self) -> &Men {
        &self.men
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        2 * self.placements
    }

    pub(crate) fn number(&self, state: &State) -> usize {
        let turn = match state.turn {
            Side::White => 0,
            Side::Black => self.placements,
        };
        let digits =
            (0..self.count).map(|slot| usize::from(state.squares[slot]) * self.weights[slot]);
        turn + digits.sum::<usize>()
    }

    pub(crate) fn state(&self, number: usize) -> State {
        let black = number >= self.placements;
        let mut rest = number % self.placements;
        let mut squares = [0; MOST];
        for (square, weight) in squares.iter_mut().zip(self.weights).take(self.count) {
            *square = (rest / weight) as u8;
            rest %= weight;
        }
        State {
            men: self.men,
            squares,
            turn: if black { Side::Black } else { Side::White },
            extra: 0,
        }
    }

    /// The classes that captures and promotions lead to.
    pub(crate) fn exits(&self) -> Vec<Men> {
        let mut exits = Vec::new();
        for slot in 0..self.count {
            let mut change = |to: u8| {
                let mut men = self.men;
                men[slot] = to;
                let men: Vec<(u8, u8)> = men.iter().filter(|&&m| m != 0).map(|&m| (m, 0)).collect();
                exits.push(State::new(&men, Side::White, 0).men);
            };
            match kind(self.men[slot]) {
                b'K' => {}
                b'P' => {
                    let owner = side(self.men[slot]);
                    change(man(b'B', owner));
                    change(man(b'N', owner));
                    change(0);
                }
                _ => change(0),
            }
        }
        exits
    }
}

/// Whether a state without a right is one of the game.
pub(crate) fn is_legal(rules: &Rules, state: &State) -> bool {
    !state.overlaps()
        && state
            .iter()
            .all(|(_, man, square)| rules.may_stand(man, square))
}

/// The states that differ from a legal one by a right to take en passant which
/// somebody could use: one for each man that may have stepped twice.
pub(crate) fn with_rights(rules: &Rules, state: &State) -> Vec<State> {
    let board = Board::of(state);
    let own = board.squares(state.turn);
    let pusher = state.turn.other();
    let mut list = Vec::new();
    for (_, man, arrival) in state.iter() {
        let last = rank_of(pusher, arrival) == 8;
        let pushed = match kind(man) {
            b'P' => true,
            b'B' | b'N' => last,
            _ => false,
        };
        if side(man) != pusher || !pushed {
            continue;
        }
        // Backwards is ahead for the other side.
        let Some(ep) = ahead(state.turn, arrival) else {
            continue;
        };
        let Some(origin) = ahead(state.turn, ep) else {
            continue;
        };
        let possible = board.man(ep) == 0 && board.man(origin) == 0 && rank_of(pusher, origin) != 0;
        if possible && rules.somebody_takes(&board, &own, ep) {
            let extra = extra(Some(ep));
            list.push(State { extra, ..*state });
        }
    }
    list
}
