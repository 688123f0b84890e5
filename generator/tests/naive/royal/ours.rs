//! The same positions as the crate of rules sees them: which there are, their
//! moves, how they end.

use retrograde_rules::{Colour, End, Game as Known, Piece, Position, Square};

use super::super::solve::Solver;
use super::super::state::{Side, State, Value};
use super::board::Shape;
use super::game::Game;

fn colour(side: Side) -> Colour {
    match side {
        Side::White => Colour::White,
        Side::Black => Colour::Black,
    }
}

/// A state as a position; `None` if the crate does not take it for one, or
/// drops its right to take en passant.
pub(super) fn position(game: Known, shape: &Shape, state: &State) -> Option<Position> {
    if state.overlaps() {
        return None;
    }
    if state.extra == 0 {
        let pieces = state
            .iter()
            .map(|(_, piece, square)| (Piece::from_letter(piece as char).unwrap(), Square(square)));
        return Position::from_pieces(game, pieces, colour(state.turn));
    }
    let position = Position::from_fen(game, &shape.diagram(state)).ok()?;
    position.ep().is_some().then_some(position)
}

/// A position as a state.
pub(super) fn state(game: Known, position: &Position) -> State {
    let turn = match position.turn() {
        Colour::White => Side::White,
        Colour::Black => Side::Black,
    };
    let pieces: Vec<(u8, u8)> = position
        .board()
        .pieces()
        .map(|(piece, square)| (piece.letter() as u8, square.0))
        .collect();
    let mut state = State::new(&pieces, turn, 0);
    if let Some(passed) = position.ep() {
        let back = if turn == Side::White { -1 } else { 1 };
        let pawn = game.geometry().offset(passed, 0, back).unwrap();
        let found = state.iter().find(|&(_, _, square)| square == pawn.0);
        state.extra = 1 + found.unwrap().0 as u32;
    }
    state
}

/// What an ended game is worth to the side to move.
fn ended(end: End, turn: Colour) -> Value {
    match end.winner(turn) {
        None => Value::Draw,
        Some(winner) if winner == turn => Value::Win(0),
        Some(_) => Value::Loss(0),
    }
}

/// The value of a position by the crate's moves and the solver's values after
/// them.
fn value_by_moves(solver: &mut Solver<Game>, game: Known, position: &Position) -> Value {
    let moves = position.legal_moves();
    let end = position.end_with(&moves);
    assert_eq!(end.is_some(), moves.is_empty());
    if let Some(end) = end {
        return ended(end, position.turn());
    }
    let (mut quickest, mut slowest) = (None, Some(0));
    for &mv in &moves {
        let after = position.play(mv);
        let value = match after.extinct() {
            Some(_) => ended(after.end().unwrap(), after.turn()),
            None => solver.value(&state(game, &after)),
        };
        match value {
            Value::Loss(plies) if quickest.is_none_or(|least| plies < least) => {
                quickest = Some(plies);
            }
            Value::Win(plies) => slowest = slowest.map(|most| plies.max(most)),
            _ => slowest = None,
        }
        assert_ne!(value, Value::Illegal, "{}", after.fen());
    }
    match (quickest, slowest) {
        (Some(plies), _) => Value::Win(plies + 1),
        (None, Some(plies)) => Value::Loss(plies + 1),
        (None, None) => Value::Draw,
    }
}

/// How many legal states of a material agree, without a right to take en passant
/// and with one. Every state is compared, or one in every `step`: whether it is a
/// position, and its value with what the crate's moves make of the values after them.
pub(super) fn agreeing(solver: &mut Solver<Game>, id: &str, name: &str, step: usize) -> [u64; 2] {
    let game = Known::parse(id).unwrap();
    let shape = Game::of(id).shape();
    let mut legal = [0; 2];
    for state in solver.states(name).step_by(step) {
        let value = solver.value(&state);
        let found = match position(game, shape, &state) {
            None => Value::Illegal,
            Some(position) => value_by_moves(solver, game, &position),
        };
        assert_eq!(found, value, "{id}: {}", shape.diagram(&state));
        if value != Value::Illegal {
            legal[usize::from(state.extra != 0)] += 1;
        }
    }
    legal
}
