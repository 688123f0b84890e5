//! Plays a recorded game move by move, and counts the repetitions of positions.

use retrograde_rules::{End, Game, History, Move, MoveError, Position, PositionError};

use crate::record::{Record, StartError};

/// A game played up to some move.
#[derive(Clone, Debug)]
pub struct Walk {
    game: History,
}

/// A ply of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The number of the ply, counted from 1.
    pub ply: u32,
    /// The position before the move.
    pub before: Position,
    /// The number of times that the position had occurred before, with these pieces, side to move,
    /// castling and e.p. rights and vitality. 2 makes it the third time.
    pub repetitions: u32,
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub after: Position,
    /// The number of times that the position had occurred before.
    pub repetitions_after: u32,
}

/// A recorded game, played as far as its moves are legal.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The starting position.
    pub start: Position,
    /// The moves.
    pub steps: Vec<Step>,
    /// The game after them.
    pub walk: Walk,
    /// The fault of the next move, with its place; `None` if all moves were played.
    pub fault: Option<String>,
}

impl Record {
    /// Plays the moves until one is not legal.
    ///
    /// # Errors
    /// The record has no starting position in the game.
    pub fn replay(&self, game: Game) -> Result<Replay, StartError> {
        let start = self.start(game)?;
        let mut replay = Replay {
            start,
            steps: Vec::new(),
            walk: Walk::new(start),
            fault: None,
        };
        for place in 0..self.moves.len() {
            let Some(text) = self.text_of_move(place, &replay.walk) else {
                break;
            };
            match replay.walk.play(text) {
                Ok(step) => replay.steps.push(step),
                Err(error) => {
                    let (line, column) = (self.moves[place].line, self.moves[place].column);
                    replay.fault = Some(format!("line {line}, column {column}: {error}"));
                    break;
                }
            }
        }
        Ok(replay)
    }

    /// The text of a move, by its place, as it is to be played after the moves before it; `None`
    /// for a courtesy move at the end, and behind the last one.
    pub fn text_of_move(&self, place: usize, walk: &Walk) -> Option<&str> {
        let text = &*self.moves.get(place)?.text;
        let is_last = place + 1 == self.moves.len();
        if is_last && walk.is_courtesy(text) {
            return None;
        }
        // A star behind the last move may be the result.
        let bare = text
            .strip_suffix('*')
            .filter(|_| is_last && self.outcome.is_none());
        match bare {
            Some(bare) if read_move(walk.position(), text).is_err() => Some(bare),
            _ => Some(text),
        }
    }
}

impl Walk {
    /// A game that begins with this position.
    pub fn new(start: Position) -> Walk {
        Walk {
            game: History::new(start),
        }
    }

    /// The game so far.
    pub fn game(&self) -> &History {
        &self.game
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The number of times that the current position has occurred before.
    pub fn repetitions(&self) -> u32 {
        self.game.occurrences(self.position()) - 1
    }

    /// Plays a move in algebraic notation or in UCI's long form.
    ///
    /// # Errors
    /// The text is not a legal move; then nothing is played.
    pub fn play(&mut self, text: &str) -> Result<Step, MoveError> {
        let before = *self.position();
        let mv = read_move(&before, text)?;
        let repetitions = self.repetitions();
        self.game.play(mv);
        Ok(Step {
            ply: self.game.plies() as u32,
            before,
            repetitions,
            mv,
            after: *self.position(),
            repetitions_after: self.repetitions(),
        })
    }

    /// Goes on as if the side to move had done nothing, which is a null move in a game without
    /// passes.
    ///
    /// # Errors
    /// The other side cannot be to move there: then nothing is played.
    pub fn null_move(&mut self) -> Result<(), PositionError> {
        let mut setup = self.position().setup();
        setup.fullmoves = setup.fullmoves.saturating_add(setup.turn.index() as u32);
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        setup.turn = setup.turn.other();
        setup.ep = None;
        let position = Position::new(self.position().game(), &setup)?;
        self.game.push(position);
        Ok(())
    }

    /// Whether a text is the courtesy move after a king capture that only draws, which is no
    /// move of the game (C2).
    pub fn is_courtesy(&self, text: &str) -> bool {
        let is_move = || {
            !matches!(
                read_move(self.position(), text),
                Err(MoveError::Syntax { .. })
            )
        };
        self.position().end() == Some(End::KingCaptureDraw) && is_move()
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
    position.parse_san(text).map_err(|error| match uci {
        MoveError::Illegal { .. } => uci,
        _ => error,
    })
}
