//! Answers for people.

use retrograde_probe::{Category, Line};
use retrograde_rules::{Colour, End, Game};

use super::Found;
use crate::cli::failure::Failure;
use crate::cli::output::Output;

/// Writes the answer for a position: a line, then moves and best play if they
/// were asked for.
pub(super) fn answer(game: Game, found: &Found, output: &mut Output) -> Result<(), Failure> {
    let answer = &found.answer;
    let mut words = verdict(
        answer.category,
        answer.winner,
        answer.depth_plies,
        answer.end,
    );
    if answer.dead == Some(true) {
        words.push_str(" (dead position)");
    }
    output.line(format_args!("{}: {words}", found.position.fen(game)))?;
    for mv in found.moves.iter().flatten() {
        let words = verdict(mv.category, mv.winner, mv.depth_plies, mv.end);
        let san = mv.mv.san(game, &found.position);
        output.line(format_args!("  {san:<8} {words}"))?;
    }
    match &found.line {
        Some(Some(line)) if !line.moves.is_empty() => {
            output.line(format_args!("  {}", play(game, found, line)))?;
        }
        Some(None) => output.line("  no table knows the way")?,
        _ => {}
    }
    Ok(())
}

/// A value in words. `plies` count from the position that is spoken of.
fn verdict(
    category: Category,
    winner: Option<Colour>,
    plies: Option<u32>,
    end: Option<End>,
) -> String {
    if let Some(end) = end {
        return match winner {
            Some(winner) => format!("{}, {} has won", end.name(), name(winner)),
            None => format!("{}, draw", end.name()),
        };
    }
    let Some(winner) = winner else {
        return match category {
            Category::Unknown => "unknown, a table is missing".to_owned(),
            _ => "draw".to_owned(),
        };
    };
    let mut words = name(winner).to_owned();
    match plies {
        Some(1) => words.push_str(" mates with the next move"),
        Some(plies) => {
            // The winner makes the last move, and every other one before.
            let moves = plies.div_ceil(2);
            let plural = if moves == 1 { "" } else { "s" };
            words.push_str(&format!(" mates in {moves} move{plural} ({plies} plies)"));
        }
        None => words.push_str(" wins"),
    }
    if matches!(category, Category::CursedWin | Category::BlessedLoss) {
        words.push_str(", but for the fifty-move rule");
    }
    words
}

fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// Best play with numbers of moves: `12. Qb5+ Ke6 13. ...`.
fn play(game: Game, found: &Found, line: &Line) -> String {
    let mut position = found.position;
    let mut words = Vec::new();
    for &mv in &line.moves {
        if position.turn() == Colour::White {
            words.push(format!("{}.", position.fullmoves()));
        } else if words.is_empty() {
            words.push(format!("{}...", position.fullmoves()));
        }
        words.push(mv.san(game, &position));
        position = game.play(&position, mv);
    }
    words.join(" ")
}
