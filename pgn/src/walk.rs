//! A game played move by move, with its repetitions.

use std::collections::HashMap;

use retrograde_rules::{Move, MoveError, Position, Setup};

/// A game played up to some move.
#[derive(Clone, Debug)]
pub struct Walk {
    position: Position,
    ply: u32,
    /// How often each position has occurred, whatever the clocks.
    seen: HashMap<Setup, u32>,
}

/// A ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the ply, counted from 1.
    pub ply: u32,
    /// The position before the move.
    pub before: Position,
    /// How often that position had occurred before: the same pieces, side to move,
    /// castling and e.p. rights and vitality. 2 makes it the third time.
    pub repetitions: u32,
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub after: Position,
}

impl Walk {
    /// A game that begins with this position.
    pub fn new(start: Position) -> Walk {
        let seen = HashMap::from([(start.timeless(), 1)]);
        Walk {
            position: start,
            ply: 0,
            seen,
        }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// How often the current position has occurred before.
    pub fn repetitions(&self) -> u32 {
        self.seen
            .get(&self.position.timeless())
            .map_or(0, |n| n - 1)
    }

    /// Plays a move in algebraic notation or in UCI's long form.
    ///
    /// # Errors
    /// The text is not a legal move; then nothing is played.
    pub fn play(&mut self, text: &str) -> Result<Step, MoveError> {
        let mv = read_move(&self.position, text)?;
        let before = self.position;
        let repetitions = self.repetitions();
        self.position = before.play(mv);
        self.ply += 1;
        *self.seen.entry(self.position.timeless()).or_default() += 1;
        Ok(Step {
            ply: self.ply,
            before,
            repetitions,
            mv,
            after: self.position,
        })
    }
}

/// Reads a legal move in UCI's long form or in algebraic notation.
///
/// # Errors
/// The text is not a legal move.
pub fn read_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let uci = match position.parse_uci(text) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    match position.parse_san(text) {
        Err(MoveError::Syntax { .. }) if matches!(uci, MoveError::Illegal { .. }) => Err(uci),
        result => result,
    }
}
