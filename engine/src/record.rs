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
