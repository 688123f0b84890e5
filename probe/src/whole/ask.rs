//! What is asked of the positions of an index.

use retrograde_index::{Index, Metric};
use retrograde_rules::{Colour, Game, Piece, Position, Square};

use crate::Wdl;

/// Whose positions, and what is asked of them.
pub(crate) struct Ask<'a> {
    game: Game,
    pub(super) index: &'a Index,
    pieces: Vec<Piece>,
    pub(super) turn: Colour,
    pub(super) metric: Metric,
    /// Whether it is asked who wins.
    pub(super) result: bool,
    /// Whether it is asked what settling moves are worth.
    pub(super) settled: bool,
}

impl<'a> Ask<'a> {
    /// The positions of an index with a side to move, for values of a metric.
    pub(crate) fn new(game: Game, index: &'a Index, turn: Colour, metric: Metric) -> Ask<'a> {
        Ask {
            game,
            index,
            pieces: index.material().pieces().collect(),
            turn,
            metric,
            result: false,
            settled: false,
        }
    }

    /// The same, and who wins them.
    pub(crate) fn with_result(self) -> Ask<'a> {
        Ask {
            result: true,
            ..self
        }
    }

    /// The same, and what their settling moves are worth.
    pub(crate) fn with_settled(self) -> Ask<'a> {
        Ask {
            settled: true,
            ..self
        }
    }

    /// The facts, if they follow from what is known of a position and from its best
    /// pawn move that does not settle anything.
    #[inline]
    pub(super) fn facts(
        &self,
        best: Option<Option<Wdl>>,
        result: Option<Wdl>,
        pawns: impl Fn() -> Option<Option<Wdl>>,
    ) -> Option<Context> {
        let best = match self.settled {
            true => best?,
            false => None,
        };
        let result = match self.result {
            true => Some(result?),
            false => None,
        };
        let gains = self.metric == Metric::Dtz && result.is_some_and(Wdl::is_win);
        Some(Context {
            best,
            result,
            is_zeroing: gains && (best == result || pawns()? == result),
        })
    }

    /// The position of an index, if it stands for one.
    pub(crate) fn position(&self, index: u64, squares: &mut [Square]) -> Option<Position> {
        if !self.index.decode(index, squares) {
            return None;
        }
        let pieces = self.pieces.iter().copied().zip(squares.iter().copied());
        Position::from_pieces(self.game, pieces, self.turn)
    }
}

/// What is known of a position beside what is stored of it.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// The value of its best settling move.
    pub(crate) best: Option<Wdl>,
    /// Who wins, if that is asked for.
    pub(crate) result: Option<Wdl>,
    /// Whether a zeroing move keeps the win, for the metric that asks.
    pub(crate) is_zeroing: bool,
}
