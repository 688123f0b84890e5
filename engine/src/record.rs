//! The game so far.

use retrograde_rules::{Move, Position};

/// A game from its start to the current position.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// All positions, the current one last; never empty.
    positions: Vec<Position>,
}

impl Record {
    /// A game that begins with a position.
    pub(crate) fn new(start: Position) -> Record {
        Record {
            positions: vec![start],
        }
    }

    /// The current position.
    pub(crate) fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The number of moves that the side to move has made.
    pub(crate) fn own_moves(&self) -> usize {
        (self.positions.len() - 1) / 2
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, mv: Move) {
        self.positions.push(self.position().play(mv));
    }

    /// Takes back a number of plies; returns whether there were as many.
    pub(crate) fn undo(&mut self, plies: usize) -> bool {
        let enough = plies < self.positions.len();
        if enough {
            self.positions.truncate(self.positions.len() - plies);
        }
        enough
    }

    /// How often a position has occurred, the current one included, whatever the clocks.
    pub(crate) fn occurrences(&self, position: &Position) -> usize {
        let setup = position.timeless();
        let same = |p: &&Position| p.turn() == position.turn() && p.timeless() == setup;
        self.positions.iter().filter(same).count()
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Game;

    use super::*;

    #[test]
    fn moves_before_the_start_do_not_count() {
        let start = Position::from_fen(Game::default(), "8/8/8/3k4/8/8/8/KQ6 b - - 0 39");
        let mut record = Record::new(start.expect("it is one"));
        for own_moves in [0, 0, 1, 1, 2] {
            assert_eq!(record.own_moves(), own_moves);
            record.play(record.position().legal_moves()[0]);
        }
        assert!(record.undo(5) && !record.undo(1));
    }
}
