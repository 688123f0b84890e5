//! The states of a material, without a right to take en passant, as indices:
//! the side to move, then a digit of base 81 for each piece.

use super::super::state::{MOST, Pieces, Side, State, piece, piece_type, side};
use super::board::{Board, SQUARES, ahead, extra, rank_of};
use super::rules::Rules;

/// The indices of a material.
#[derive(Clone, Debug)]
pub(crate) struct States {
    pieces: Pieces,
    count: usize,
    /// The stride of each piece's square in the index.
    weights: [usize; MOST],
    /// How many placements there are, legal or not.
    placements: usize,
}

impl States {
    pub(crate) fn new(pieces: Pieces) -> States {
        let count = pieces.iter().filter(|&&piece| piece != 0).count();
        let mut weights = [0; MOST];
        for (slot, weight) in weights.iter_mut().enumerate().take(count) {
            *weight = SQUARES.pow((count - 1 - slot) as u32);
        }
        States {
            pieces,
            count,
            weights,
            placements: SQUARES.pow(count as u32),
        }
    }

    pub(crate) fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// The number of indices.
    pub(crate) fn len(&self) -> usize {
        2 * self.placements
    }

    pub(crate) fn index_of(&self, state: &State) -> usize {
        let turn = match state.turn {
            Side::White => 0,
            Side::Black => self.placements,
        };
        let digits =
            (0..self.count).map(|slot| usize::from(state.squares[slot]) * self.weights[slot]);
        turn + digits.sum::<usize>()
    }

    pub(crate) fn state(&self, index: usize) -> State {
        let black = index >= self.placements;
        let mut rest = index % self.placements;
        let mut squares = [0; MOST];
        for (square, weight) in squares.iter_mut().zip(self.weights).take(self.count) {
            *square = (rest / weight) as u8;
            rest %= weight;
        }
        State {
            pieces: self.pieces,
            squares,
            turn: if black { Side::Black } else { Side::White },
            extra: 0,
        }
    }

    /// The materials that captures and promotions lead to.
    pub(crate) fn successors(&self) -> Vec<Pieces> {
        let mut successors = Vec::new();
        for slot in 0..self.count {
            let mut change = |to: u8| {
                let mut pieces = self.pieces;
                pieces[slot] = to;
                let pieces: Vec<(u8, u8)> = pieces
                    .iter()
                    .filter(|&&m| m != 0)
                    .map(|&m| (m, 0))
                    .collect();
                successors.push(State::new(&pieces, Side::White, 0).pieces);
            };
            match piece_type(self.pieces[slot]) {
                b'K' => {}
                b'P' => {
                    let owner = side(self.pieces[slot]);
                    change(piece(b'B', owner));
                    change(piece(b'N', owner));
                    change(0);
                }
                _ => change(0),
            }
        }
        successors
    }
}

/// Whether a state without a right is one of the game.
pub(crate) fn is_legal(rules: &Rules, state: &State) -> bool {
    !state.overlaps()
        && state
            .iter()
            .all(|(_, piece, square)| rules.may_stand(piece, square))
}

/// The states that differ from a legal one by a right to take en passant which
/// somebody could use: one for each piece that may have stepped twice.
pub(crate) fn with_rights(rules: &Rules, state: &State) -> Vec<State> {
    let board = Board::of(state);
    let own = board.squares(state.turn);
    let pusher = state.turn.other();
    let mut list = Vec::new();
    for (_, piece, arrival) in state.iter() {
        let last = rank_of(pusher, arrival) == 8;
        let pushed = match piece_type(piece) {
            b'P' => true,
            b'B' | b'N' => last,
            _ => false,
        };
        if side(piece) != pusher || !pushed {
            continue;
        }
        // Backwards is ahead for the other side.
        let Some(ep) = ahead(state.turn, arrival) else {
            continue;
        };
        let Some(origin) = ahead(state.turn, ep) else {
            continue;
        };
        let possible =
            board.piece(ep) == 0 && board.piece(origin) == 0 && rank_of(pusher, origin) != 0;
        if possible && rules.somebody_takes(&board, &own, ep) {
            let extra = extra(Some(ep));
            list.push(State { extra, ..*state });
        }
    }
    list
}
