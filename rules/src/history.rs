//! Keeps a game from its start to the current position, and finds repetitions in it.

use std::collections::{HashMap, HashSet};

use crate::fen::Setup;
use crate::moves::Move;
use crate::position::Position;

/// A game played up to some move, which knows what has occurred before.
#[derive(Clone, Debug)]
pub struct History {
    /// The positions so far, the current one last; never empty.
    positions: Vec<Position>,
}

impl History {
    /// A game that begins with a position.
    pub fn new(start: Position) -> History {
        History {
            positions: vec![start],
        }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The number of plies played.
    pub fn plies(&self) -> usize {
        self.positions.len() - 1
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.push(self.position().play(mv));
    }

    /// Goes on with a position, however the game got there.
    pub fn push(&mut self, position: Position) {
        self.positions.push(position);
    }

    /// Takes back a number of plies; returns whether there were as many.
    pub fn undo(&mut self, plies: usize) -> bool {
        let enough = plies < self.positions.len();
        if enough {
            self.positions.truncate(self.positions.len() - plies);
        }
        enough
    }

    /// The number of times that a position has occurred, now included: with these pieces, side to
    /// move, castling and e.p. rights and counters, whatever the clocks.
    pub fn occurrences(&self, position: &Position) -> u32 {
        let setup = position.timeless();
        // The boards are compared first, since that is quick.
        let same = |p: &&Position| p.board() == position.board() && p.timeless() == setup;
        self.reversible().iter().filter(same).count() as u32
    }

    /// The positions whose next occurrence would be the third or a later one, with which a
    /// draw can be claimed (O4). There are none in games without the fifty-move rule, which
    /// have no such rule either.
    pub fn drawn_next(&self) -> HashSet<Setup> {
        let has_rule = self.position().game().zeroing_limit().is_some();
        if !has_rule || self.reversible().len() < 3 {
            return HashSet::new();
        }
        let mut counts: HashMap<Setup, u32> = HashMap::new();
        for position in self.reversible() {
            *counts.entry(position.timeless()).or_default() += 1;
        }
        let twice = counts.into_iter().filter(|&(_, count)| count >= 2);
        twice.map(|(setup, _)| setup).collect()
    }

    /// Whether the current position has occurred for the third time or more often, in a game
    /// in which a draw can be claimed for that (O4).
    pub fn is_drawn_by_repetition(&self) -> bool {
        let position = self.position();
        let has_rule = position.game().zeroing_limit().is_some();
        has_rule && self.reversible().len() > 2 && self.occurrences(position) >= 3
    }

    /// The positions since the last capture or pawn move: no earlier one can occur again. All of
    /// the game where pawns may go back.
    fn reversible(&self) -> &[Position] {
        if !self.position().game().pawns_only_advance() {
            return &self.positions;
        }
        let plies = self.position().halfmoves() as usize;
        let since = self.positions.len().saturating_sub(plies.saturating_add(1));
        &self.positions[since..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    fn game(id: &str, fen: &str, moves: &str) -> History {
        let game = Game::parse(id).unwrap();
        let mut history = History::new(Position::from_fen(game, fen).unwrap());
        for text in moves.split_whitespace() {
            history.play(history.position().parse_uci(text).unwrap());
        }
        history
    }

    const FEN: &str = "8/8/8/7k/8/8/8/KQ6 w - -";
    const ROUND: &str = "a1b2 h5g5 b2a1 g5h5 ";

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let once = game("orthodox", FEN, ROUND);
        assert_eq!(once.occurrences(once.position()), 2);
        // The start, and nothing else, has been there twice.
        let start = HashSet::from([once.position().timeless()]);
        assert_eq!(once.drawn_next(), start);
        assert!(!once.is_drawn_by_repetition());
        let twice = game("orthodox", FEN, &ROUND.repeat(2));
        assert_eq!(twice.drawn_next().len(), 4);
        assert!(twice.is_drawn_by_repetition());
        // Games without the fifty-move rule go on for ever.
        let hill = game("king-of-the-hill", FEN, &ROUND.repeat(2));
        assert_eq!(hill.occurrences(hill.position()), 3);
        assert!(hill.drawn_next().is_empty() && !hill.is_drawn_by_repetition());
    }

    #[test]
    fn captures_and_pawn_moves_end_what_can_be_repeated() {
        let fen = "8/8/8/7k/8/8/P7/KQ6 w - - 7 9";
        let mut history = game("orthodox", fen, &format!("{ROUND} a2a3"));
        assert!(history.drawn_next().is_empty());
        assert!(history.undo(1) && !history.undo(5));
        assert_eq!((history.plies(), history.drawn_next().len()), (4, 1));
    }
}
