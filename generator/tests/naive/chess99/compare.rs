//! Asking Retrograde the same questions. The only file here that knows it.

use retrograde_probe::{Dtm, Tablebase, Wdl};
use retrograde_rules::{Colour, End, Game, MoveList, Piece, Position, Square};
use tempfile::TempDir;

use crate::common::make;

use super::super::state::{Side, State, Value, pieces_of};
use super::board::{Board, extra};
use super::rules::{Flow, Rules};
use super::solve::Solver;
use super::states::{States, is_legal, with_rights};

/// For one of this many states, the texts of the moves are also compared. A prime reaches
/// squares of every kind.
const STRIDE: usize = 101;

/// How many states were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compared {
    /// Without and with a right to take en passant.
    pub(crate) states: [u64; 2],
    /// Their moves.
    pub(crate) moves: u64,
    /// States without a move.
    pub(crate) blocked: u64,
}

/// Retrograde's name of the rules.
pub(crate) fn game(rules: &Rules) -> Game {
    let word = |on, words: [&'static str; 2]| words[usize::from(on)];
    let id = format!(
        "chess99:castling={},deferred-promotion={},ep-by={},king-capture-in-check={}",
        word(rules.castling, ["off", "on"]),
        word(rules.deferred, ["off", "on"]),
        word(rules.ep_by_any, ["pawn", "any"]),
        word(rules.draw_in_check, ["win", "draw"]),
    );
    Game::parse(&id).unwrap()
}

/// Tables of some materials, freshly made, and the folder that they are in.
pub(crate) fn tables(rules: &Rules, names: &[&str]) -> (TempDir, Tablebase) {
    let game = game(rules);
    let folder = TempDir::new().unwrap();
    make(game, folder.path(), names, None);
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    (folder, tables)
}

/// The position of a state; `None` if it does not belong to the game.
fn position(game: Game, state: &State) -> Option<Position> {
    if state.extra != 0 {
        let position = Position::from_fen(game, &Board::of(state).fen()).ok()?;
        assert!(position.ep().is_some(), "{}", Board::of(state).fen());
        return Some(position);
    }
    let pieces = state
        .iter()
        .map(|(_, piece, square)| (Piece::from_letter(piece as char).unwrap(), Square(square)));
    let turn = match state.turn {
        Side::White => Colour::White,
        Side::Black => Colour::Black,
    };
    Position::from_pieces(game, pieces, turn)
}

/// The state of a position with both kings.
fn state(position: &Position) -> State {
    let mut pieces = Vec::with_capacity(6);
    for square in position.board().occupied() {
        let piece = position.board().piece_at(square).unwrap();
        pieces.push((piece.letter() as u8, square.0));
    }
    let turn = match position.turn() {
        Colour::White => Side::White,
        Colour::Black => Side::Black,
    };
    State::new(&pieces, turn, extra(position.ep().map(|square| square.0)))
}

/// What a move leads to: a state, or the end by a king's capture.
type Outcome = Result<State, Value>;

/// A key for what a move leads to, the same for all orders of identical pieces.
fn key(outcome: &Outcome) -> u128 {
    let state = match outcome {
        Ok(state) => state,
        Err(Value::Draw) => return 1,
        Err(_) => return 0,
    };
    let mut pieces = [0; 6];
    for (slot, piece, square) in state.iter() {
        pieces[slot] = u128::from(piece) << 8 | u128::from(square);
    }
    pieces.sort_unstable();
    let pieces = pieces.into_iter().fold(1, |all, piece| all << 16 | piece);
    (pieces << 1 | (state.turn as u128)) << 8 | u128::from(state.extra)
}

/// What all moves lead to by the rules here, sorted, with their texts if asked
/// for.
fn plays(rules: &Rules, state: &State, texts: bool) -> Vec<(u128, String)> {
    let board = Board::of(state);
    let own = board.squares(board.turn);
    let mut list = Vec::new();
    let _ = rules.each_play(&board, &own, &mut |play| {
        let outcome = match rules.takes_king(&board, play) {
            Some(true) => Err(Value::Loss(0)),
            Some(false) => Err(Value::Draw),
            None => Ok(rules.played(&board, play).state()),
        };
        let text = if texts { play.name() } else { String::new() };
        list.push((key(&outcome), text));
        Flow::Continue(())
    });
    list.sort_unstable();
    list
}

/// Compares the moves of all states of a material, including those with an e.p. right, with
/// those of Retrograde's rules: where they lead, how they end the game, and for some their
/// texts. One state in `step` is compared.
pub(crate) fn compare_moves(rules: &Rules, name: &str, step: usize) -> Compared {
    let game = game(rules);
    let states = States::new(pieces_of(name));
    let mut compared = Compared::default();
    let mut list = MoveList::new();
    for index in (0..states.len()).step_by(step) {
        let state = states.state(index);
        let found = position(game, &state);
        assert_eq!(found.is_some(), is_legal(rules, &state), "{state}");
        if found.is_none() {
            continue;
        }
        let texts = step > 1 || index % STRIDE == 0;
        compare_moves_of(rules, game, &state, texts, &mut list, &mut compared);
        for state in with_rights(rules, &state) {
            compare_moves_of(rules, game, &state, true, &mut list, &mut compared);
        }
    }
    println!("{} {name}: {compared:?} agree", game.id());
    compared
}

fn compare_moves_of(
    rules: &Rules,
    game: Game,
    from: &State,
    texts: bool,
    list: &mut MoveList,
    compared: &mut Compared,
) {
    let fen = || Board::of(from).fen();
    let position = position(game, from).unwrap();
    position.legal_moves_into(list);
    let mut found = Vec::with_capacity(list.len());
    for &mv in list.iter() {
        let after = position.play(mv);
        let outcome = match after.end() {
            Some(End::KingCapture) => Err(Value::Loss(0)),
            Some(End::KingCaptureDraw) => Err(Value::Draw),
            Some(End::Blocked) | None => Ok(state(&after)),
            end => panic!("{}: {end:?}", fen()),
        };
        let text = if texts {
            position.uci(mv)
        } else {
            String::new()
        };
        found.push((key(&outcome), text));
    }
    found.sort_unstable();
    let expected = plays(rules, from, texts);
    compared.states[usize::from(from.extra != 0)] += 1;
    compared.moves += expected.len() as u64;
    compared.blocked += u64::from(expected.is_empty());
    let end = expected.is_empty().then_some(End::Blocked);
    assert_eq!(position.end_with(list), end, "{}", fen());
    if found != expected {
        let [found, expected] = [found, plays(rules, from, true)];
        panic!("{}: {found:?}, not {expected:?}", fen());
    }
}

/// Compares the values of all states of a material, including those with an e.p. right, with
/// those of the tables.
pub(crate) fn compare_values(solver: &mut Solver, tables: &Tablebase, name: &str) -> Compared {
    let game = game(solver.rules());
    assert_eq!(tables.game(), game);
    let mut compared = Compared::default();
    solver.each(name, |state, expected| {
        let Some(position) = position(game, state) else {
            assert_eq!(expected, Value::Illegal, "{state}");
            return;
        };
        let fen = || position.fen();
        let found = tables.value(&position).unwrap();
        let plies = found.dtm.map(|Dtm(plies)| plies as u16);
        assert_eq!(tables.wdl(&position).unwrap(), found.wdl);
        assert_eq!(tables.dtm(&position).unwrap(), found.dtm);
        let found = match (found.wdl, plies) {
            (Wdl::Win, Some(plies)) => Value::Win(plies),
            (Wdl::Loss, Some(plies)) => Value::Loss(plies),
            (Wdl::Draw, None) => Value::Draw,
            other => panic!("{}: {other:?}", fen()),
        };
        assert_eq!(found, expected, "{}", fen());
        compared.states[usize::from(state.extra != 0)] += 1;
    });
    println!("{} {name}: {compared:?} agree", game.id());
    compared
}
