//! What the solver needs from a game. Forward moves only: the solver reverses the graph
//! itself, so there is no second set of rules to get wrong.

use super::state::{Pieces, Side, State, Value};

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// To a state, of this material or another. It may be illegal: then the move
    /// was not legal.
    State(State),
    /// To the end of the game, with this value for the side then to move.
    #[allow(dead_code, reason = "orthodox games end without a move")]
    Over(Value),
}

pub(crate) trait Rules {
    /// The squares on which the piece in a slot of a material can stand. With
    /// `folded`, only those where [`Rules::fold`] leaves it.
    fn squares(&self, pieces: &Pieces, slot: usize, folded: bool) -> Vec<u8>;

    /// The values that `extra` can take, 0 first.
    fn extras(&self, pieces: &Pieces, turn: Side) -> Vec<u32>;

    /// Whether the state belongs to the game.
    fn legal(&self, state: &State) -> bool;

    /// Every move. One that leads to an illegal state does not count.
    fn moves(&self, state: &State, out: &mut Vec<Next>);

    /// The value of a legal state without legal moves.
    fn stuck(&self, state: &State) -> Value;

    /// Whether a move is a capture or a pawn move; both states as the move
    /// left them.
    fn is_zeroing(&self, from: &State, to: &State) -> bool;

    /// The number of steps that the pawns have made in all. No move decreases it, only pawn
    /// moves increase it, and equivalent states have the same number.
    fn pawn_steps(&self, state: &State) -> usize;

    /// A state of equal value, the same for as many states as possible: the
    /// game's symmetries of board and colours. Used only where asked for.
    fn fold(&self, state: &State) -> State;
}
