//! Which sides can be mated with help: the game graph, reversed and walked from the mates.

use std::collections::HashMap;

use super::indexing::Indexing;
use super::orthodox::Orthodox;
use super::rules::{Next, Rules};
use super::state::{Pieces, Side, State, Value, pieces_of};

/// Orthodox materials with the sides that can be mated in each state, by index: 1 for
/// White, plus 2 for Black.
pub(crate) struct Helpmates {
    tables: HashMap<Pieces, (Indexing, Vec<u8>)>,
    /// Room for the moves of one state.
    moves: Vec<Next>,
}

impl Helpmates {
    pub(crate) fn new() -> Helpmates {
        Helpmates {
            tables: HashMap::new(),
            moves: Vec::new(),
        }
    }

    /// The sides that can be mated in a legal state.
    pub(crate) fn of(&mut self, state: &State) -> u8 {
        if !self.tables.contains_key(&state.pieces) {
            self.solve(state.pieces);
        }
        let (indexing, bits) = &self.tables[&state.pieces];
        bits[indexing.index_of(state).unwrap() as usize]
    }

    /// Visits every legal state of a material.
    pub(crate) fn each(&mut self, name: &str, mut visit: impl FnMut(&State, u8)) {
        let indexing = Indexing::new(&Orthodox, pieces_of(name), false);
        let states = (0..indexing.len()).map(|index| indexing.state(index));
        for state in states.filter(|state| Orthodox.legal(state)) {
            visit(&state, self.of(&state));
        }
    }

    fn solve(&mut self, pieces: Pieces) {
        let indexing = Indexing::new(&Orthodox, pieces, false);
        let mut bits = vec![0; indexing.len() as usize];
        // From each state, in the upper half, to those before it.
        let mut edges: Vec<u64> = Vec::new();
        let mut reached: Vec<(u32, u8)> = Vec::new();
        for index in 0..indexing.len() {
            let state = indexing.state(index);
            if !Orthodox.legal(&state) {
                continue;
            }
            let mut moves = std::mem::take(&mut self.moves);
            moves.clear();
            Orthodox.moves(&state, &mut moves);
            let mut has_move = false;
            for next in &moves {
                let Next::State(next) = next else {
                    unreachable!("orthodox games end without a move")
                };
                if !Orthodox.legal(next) {
                    continue;
                }
                has_move = true;
                if next.pieces == pieces {
                    let to = indexing.index_of(next).unwrap();
                    edges.push(u64::from(to) << 32 | u64::from(index));
                } else {
                    reached.push((index, self.of(next)));
                }
            }
            if !has_move && Orthodox.stuck(&state) == Value::Loss(0) {
                reached.push((index, if state.turn == Side::White { 1 } else { 2 }));
            }
            self.moves = moves;
        }
        edges.sort_unstable();
        while let Some((index, new)) = reached.pop() {
            let old = bits[index as usize];
            if old | new == old {
                continue;
            }
            bits[index as usize] = old | new;
            let first = edges.partition_point(|edge| edge >> 32 < u64::from(index));
            let before = edges[first..].iter();
            let before = before.take_while(|&edge| edge >> 32 == u64::from(index));
            reached.extend(before.map(|&edge| (edge as u32, new)));
        }
        self.tables.insert(pieces, (indexing, bits));
    }
}
