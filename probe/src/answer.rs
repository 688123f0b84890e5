//! Answers: what rules and tables say about a position.

use retrograde_index::Wdl;
use retrograde_rules::{Colour, End, Move, MoveName, Position};

use crate::facts::Facts;
use crate::value::Value;
use crate::vitality::answer::{VitalityAnswer, WinBy};

/// Everything that rules and tables say about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Answer {
    /// What the rules alone know.
    pub facts: Facts,
    /// The value for the side to move. Its WDL holds at the position's half-move
    /// clock (O7).
    pub value: Value,
    /// What the tables of the game add to that.
    pub extra: Extra,
    /// Whether no table has the position, and the value follows from those of its moves that
    /// rules and tables know. Distances are there only if they are certain.
    pub by_moves: bool,
}

impl Answer {
    /// An answer that comes from elsewhere, such as a search.
    pub const fn new(facts: Facts, value: Value, extra: Extra) -> Answer {
        Answer {
            facts,
            value,
            extra,
            by_moves: false,
        }
    }
}

/// What the tables of a game say beyond the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extra {
    /// Nothing.
    None,
    /// Where there is a fifty-move rule: who wins with the half-move clock at 0
    /// (O7).
    Clock {
        /// For the side to move.
        wdl_at_clock_0: Wdl,
    },
    /// In games with vitality.
    Vitality {
        /// Who wins with which counters.
        answer: VitalityAnswer,
        /// How the winner wins with the counters of the position; `None` where no
        /// table says it.
        win_by: Option<WinBy>,
    },
}

/// What rules and tables say about a move. Everything is from the view of the side that
/// makes it, and counted from the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MoveAnswer {
    /// The move.
    pub mv: Move,
    /// Its name.
    pub uci: MoveName,
    /// The position after it.
    pub after: Position,
    /// The value of the move for the side that makes it, at the half-move clock
    /// that it leaves (O7); a mating move has a distance of 0. `None` if the
    /// table of the position after it is missing, or there can be none.
    pub value: Option<Value>,
    /// How the move ends the game, if it does.
    pub end: Option<End>,
}

impl MoveAnswer {
    /// Who wins; `None` for draws and where it is not known.
    pub fn winner(&self) -> Option<Colour> {
        let mover = self.after.turn().other();
        self.value.and_then(|value| value.winner(mover))
    }

    /// Who wins for the side that makes the move; `None` where it is not known.
    pub fn wdl(&self) -> Option<Wdl> {
        self.value.map(|value| value.wdl)
    }
}

/// Best play to the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Line {
    /// The moves; none for a draw.
    pub moves: Vec<Move>,
    /// How the line ends; `None` for a draw that is not the end of the game.
    pub end: Option<End>,
}

impl Line {
    /// These moves, which lead to this end.
    pub const fn new(moves: Vec<Move>, end: Option<End>) -> Line {
        Line { moves, end }
    }
}
