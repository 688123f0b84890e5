//! K-1: the designer's puzzles have the solutions that RULES.md gives.

use retrograde_rules::{End, Game, Move, Position};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::error::ClaimError;
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "K-1",
    games: &["kings"],
    title: "The three puzzles on the designer's page have their solutions and no others.",
    source: "Sibahi, designer of kings (2007).",
    method: "The rules alone: all mates in one, all first moves that mate in two against every \
             reply, all legal moves, by playing every move.",
    rule: "The claim holds if all three puzzles have just the solutions given.",
    limits: "Puzzles test the rules, not the endings.",
    needs: |_| Vec::new(),
    examine,
};

/// What is asked of a puzzle.
#[derive(Clone, Copy)]
enum Task {
    /// The moves that mate at once.
    MateInOne,
    /// The moves that mate in two, there being no shorter mate.
    MateInTwo,
    /// The legal moves, the mover being in check.
    Replies,
}

const PUZZLES: [(&str, &str, Task, &str); 3] = [
    (
        "mate in one",
        "K7/8/2K5/k7/8/k7/8/R6R w - -",
        Task::MateInOne,
        "c6b5",
    ),
    (
        "mate in two",
        "K1K5/8/8/k7/8/k7/8/R6R w - -",
        Task::MateInTwo,
        "h1h7",
    ),
    (
        "the only reply to a check",
        "3k3R/6R1/8/8/5K2/8/p7/8 b - -",
        Task::Replies,
        "a2a1k",
    ),
];

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("kings");
    if game.geometry() != Game::default().geometry() {
        return Ok(Outcome::not_decidable(
            "The puzzles are positions on 8x8, and so none of this game.",
        ));
    }
    let (mut rows, mut right) = (Vec::new(), 0);
    for (name, fen, task, expected) in PUZZLES {
        let found = solutions(game, fen, task);
        right += u64::from(found == [expected]);
        rows.push(json!({
            "puzzle": name,
            "fen": fen,
            "solution": expected,
            "found": found.join(", "),
        }));
    }
    let answer = format!(
        "{right} of {} puzzles have just the solution given.",
        PUZZLES.len()
    );
    let all = PUZZLES.len() as u64;
    Ok(Outcome::of(right, all, all, answer).figure("puzzles", Value::Array(rows)))
}

/// The solutions in UCI notation; none if the diagram is not a position of the game.
fn solutions(game: Game, fen: &str, task: Task) -> Vec<String> {
    let Ok(position) = Position::from_fen(game, fen) else {
        return Vec::new();
    };
    let moves = match task {
        Task::MateInOne => mates(&position),
        Task::MateInTwo if mates(&position).is_empty() => {
            let keys = position.legal_moves();
            keys.iter()
                .copied()
                .filter(|&key| mates_next(&position.play(key)))
                .collect()
        }
        Task::MateInTwo => Vec::new(),
        Task::Replies if position.is_check() => position.legal_moves().to_vec(),
        Task::Replies => Vec::new(),
    };
    moves.into_iter().map(|mv| position.uci(mv)).collect()
}

/// The moves that mate.
fn mates(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    let mates = |mv: &Move| position.play(*mv).end() == Some(End::Checkmate);
    moves.iter().copied().filter(mates).collect()
}

/// Whether there is a mate after every move, of which there is one.
fn mates_next(position: &Position) -> bool {
    let replies = position.legal_moves();
    !replies.is_empty()
        && replies
            .iter()
            .all(|&reply| !mates(&position.play(reply)).is_empty())
}
