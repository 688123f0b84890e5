//! High Chess, ruling by ruling (H1-H8, O2).

mod heights;
mod manual;
mod notation;
mod passes;
mod properties;
mod vital;
mod vitality;

use retrograde_rules::{Game, Position, Square, Toll, Vitality, VitalityRules};

fn game() -> Game {
    Game::parse("high-chess").unwrap()
}

fn rules() -> &'static VitalityRules {
    game().vitality().unwrap()
}

fn position(fen: &str) -> Position {
    Position::from_fen(game(), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn square(name: &str) -> Square {
    game().geometry().parse(name).unwrap()
}

fn vitality(white: u8, black: u8) -> Option<Vitality> {
    Some(Vitality { white, black })
}

fn moves(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let mut names: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
    names.sort();
    names
}

/// The position after a move, and what the move cost.
fn played(before: &Position, uci: &str) -> (Position, Toll) {
    let mv = before.parse_uci(uci).unwrap();
    (before.play(mv), rules().toll(before, mv))
}

/// Plays each move from a position and looks at its toll and the counters.
#[track_caller]
fn check_tolls(game: Game, fen: &str, cases: &[(&str, Toll, u8, u8)]) {
    let before = Position::from_fen(game, fen).unwrap();
    for &(uci, toll, white, black) in cases {
        let (after, found) = played(&before, uci);
        assert_eq!(found, toll, "{fen} {uci}");
        assert_eq!(after.vitality(), vitality(white, black), "{fen} {uci}");
    }
}
