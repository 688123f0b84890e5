//! Writes the answer about a position as lines of text for people.

use retrograde_probe::{Answer, Dtm, Extra, Facts, Helpmate, Line, Value, VitalityAnswer, WinBy};
use retrograde_rules::{Bare, Colour, Counters, End, Game, Goal, Material};

use super::{Found, solution};
use crate::cli::advice;
use crate::cli::failure::Failure;
use crate::cli::folders::Folders;
use crate::cli::numbers::plural;
use crate::cli::output::Output;

/// Writes the answer for a position: one line, then moves and best play if they
/// were asked for. `reason` says whether the line tells why nothing is known; `folders`
/// are those that were read.
pub(super) fn answer(
    game: Game,
    found: &Found,
    (reason, folders): (bool, &Folders),
    output: &mut Output,
) -> Result<(), Failure> {
    let mut words = match &found.answer {
        Ok(answer) => known(game, found, answer),
        Err(_) => unknown(&found.facts),
    };
    if found.facts.checks == Some([true; 2]) {
        words.push_str(" (double check)");
    }
    if found.facts.dead == Some(true) && found.answer.is_ok() {
        words.push_str(" (dead position)");
    } else if found.helpmate.is_some_and(Helpmate::is_dead) && found.facts.end.is_none() {
        words.push_str(" (dead: neither side can be mated)");
    }
    let decides = found.searched.as_ref().is_some_and(|s| s.decides);
    if decides {
        words.push_str(", by search");
    }
    if let (Err(trouble), true) = (&found.answer, reason) {
        words.push_str(&format!(": {}", trouble.error.message));
    }
    output.foreign_line(&format!("{}: {words}", found.position.fen()))?;
    for mv in found.moves.iter().flatten() {
        let mut words = match found.searched {
            Some(_) if mv.value.is_none() => "not decided".to_owned(),
            _ => verdict(game, mv.value, mv.winner(), mv.end),
        };
        if let Some(counters) = mv.after.counters() {
            words.push_str(&format!(", {counters}"));
        }
        if mv.end.is_none() && Facts::of(&mv.after).checks == Some([true; 2]) {
            words.push_str(", double check");
        }
        let san = found.position.san(mv.mv);
        output.line(format_args!("  {san:<8} {words}"))?;
    }
    match &found.line {
        Some(Some(line)) if !line.moves.is_empty() => {
            output.line(format_args!("  {}", play(found, line)))?;
        }
        Some(None) if found.answer.is_ok() && decides => {
            let reason = match found.value().and_then(|value| value.dtm) {
                Some(_) => "the limits of the search are too low to find it",
                None => {
                    "who wins is proved, but not which moves are best; a larger --search may tell"
                }
            };
            output.line(format_args!("  no best line: {reason}"))?;
        }
        Some(None) if found.facts.material.len() > Material::MOST_PIECES => {
            output.line("  no best line: there are no tables of so many pieces")?;
        }
        Some(None) if found.answer.is_ok() => {
            let material = [found.facts.material];
            let command = advice::generate(&game.id(), material, &folders.option());
            // That makes what the position itself has, and what its line leads to.
            let lacks = match found.value().and_then(|value| value.dtm) {
                None if game.vitality().is_none() => "it takes the DTM tables",
                _ => "some table along it is missing",
            };
            output.line(format_args!(
                "  no best line: {lacks}; make what is missing with: {command}"
            ))?;
        }
        _ => {}
    }
    let solution = found.searched.as_ref().and_then(|s| s.solution.as_ref());
    for line in solution.map_or(Vec::new(), |s| solution::lines(&found.position, s)) {
        output.line(line)?;
    }
    Ok(())
}

/// The verdict of tables and rules together.
fn known(game: Game, found: &Found, answer: &Answer) -> String {
    let facts = &found.facts;
    // The fifty-move rule matters only because of the clock.
    let value = answer.value;
    let at_0 = match answer.extra {
        Extra::Clock { wdl_at_clock_0 } => Some(wdl_at_clock_0),
        _ => None,
    };
    let by_the_clock = value.wdl.is_cursed() && at_0 != Some(value.wdl);
    let mut words = match found.winner() {
        Some(winner) if by_the_clock => {
            let rule = game.zeroing_rule().unwrap_or_default();
            outcome(game, value, winner, true) + &format!(", but the {rule} ends the game first")
        }
        winner => verdict(game, Some(value), winner, facts.end),
    };
    let clock = found.position.halfmoves();
    // The game has ended in a dead position.
    let goes_on = facts.end.is_none() && facts.dead != Some(true);
    if goes_on && game.zeroing_limit().is_some_and(|limit| clock >= limit) {
        words.push_str("; the draw can be claimed");
    }
    if let (Extra::Vitality { answer, win_by }, Some(counters)) =
        (answer.extra, found.position.vitality())
        && facts.end.is_none()
    {
        let high = facts.high.map(|high| high.side);
        words.push_str(&because(&answer, win_by, counters, high, game));
    }
    words
}

/// The verdict of the rules alone.
fn unknown(facts: &Facts) -> String {
    let mut words = "unknown".to_owned();
    if let Some(end) = facts.end {
        words.push_str(&format!(" ({})", end.name()));
    } else if facts.check {
        words.push_str(" (check)");
    }
    if let Some(high) = facts.high {
        words.push_str(&format!(" ({} is High)", name(high.side)));
    }
    words
}

/// A value in words; plies count from the position that it belongs to.
pub(in crate::cli) fn verdict(
    game: Game,
    value: Option<Value>,
    winner: Option<Colour>,
    end: Option<End>,
) -> String {
    if let Some(end) = end {
        return match winner {
            Some(winner) => format!("{}, {} has won", end.name(), name(winner)),
            None => format!("{}, draw", end.name()),
        };
    }
    let Some(value) = value else {
        return "unknown, no table tells".to_owned();
    };
    let Some(winner) = winner else {
        return "draw".to_owned();
    };
    let is_cursed = value.wdl.is_cursed();
    let mut words = outcome(game, value, winner, is_cursed);
    if let Some(rule) = game.zeroing_rule().filter(|_| is_cursed) {
        words.push_str(&format!(", but for the {rule}"));
    }
    words
}

/// The words for who wins, how, and how soon, or `would` do so, but for a rule that turns the win
/// into a draw.
fn outcome(game: Game, value: Value, winner: Colour, would: bool) -> String {
    let mut words = name(winner).to_owned();
    let wins = if would { "would win" } else { "wins" };
    let does = match (game.goal(), would) {
        (Goal::Mate, _) if game.lacks_royals() || game.stuck_may_win() => None,
        (Goal::Mate, _) if game.bare() == Bare::Win => None,
        (Goal::Mate, _) if game.bare() != Bare::Off => Some(wins),
        (Goal::Mate, _) if game.stalemate_may_lose() || game.explodes() => Some(wins),
        (Goal::Mate, _) if game.checks() > 0 => Some(wins),
        (Goal::Mate, true) => Some("would mate"),
        (Goal::Mate, false) => Some("mates"),
        (Goal::KingCapture(_), true) => Some("would capture the king"),
        (Goal::KingCapture(_), false) => Some("captures the king"),
        (Goal::Reach(_), _) if !game.has_extinction() => Some(wins),
        // The loser's move may be the last one (E6), here and where there is nothing to mate.
        (Goal::Extinction | Goal::Reach(_), _) => None,
    };
    match (value.dtm.map(u32::from), does) {
        (Some(plies), None) => {
            let plies = plural(plies.into(), "ply", "plies");
            words.push_str(&format!(" {wins} in {plies}"));
        }
        (Some(1), Some(does)) => words.push_str(&format!(" {does} with the next move")),
        (Some(plies), Some(does)) => {
            // The winner makes the last move, and every other one before.
            let moves = plural(plies.div_ceil(2).into(), "move", "moves");
            let plies = plural(plies.into(), "ply", "plies");
            words.push_str(&format!(" {does} in {moves} ({plies})"));
        }
        (None, _) => words.push_str(&format!(" {wins}")),
    }
    // Without captures and pawn moves, DTZ equals the depth.
    if let Some(dtz) = value.dtz
        && value.dtm != Some(Dtm(dtz.0))
    {
        words.push_str(&format!(", DTZ {dtz}"));
    }
    words
}

/// The words for how a state with vitality is won, and what the winner needs for that.
fn because(
    vitality: &VitalityAnswer,
    by: Option<WinBy>,
    counters: Counters,
    high: Option<Colour>,
    game: Game,
) -> String {
    let winner = vitality.winner(counters);
    let way = match by {
        Some(WinBy::Mate) => "can force mate; ",
        Some(WinBy::Exhaustion) => "by exhaustion; ",
        None => "",
    };
    let needs = vitality.needs(winner, counters);
    let loser = winner.other();
    let enough = vitality.needs(loser, counters);
    let full = game.full_vitality().map_or(0, |full| full.of(loser));
    let hope = if enough > full {
        format!("{} would lose with any", name(loser))
    } else {
        format!("{} would win with {enough}", name(loser))
    };
    let points = counters.of(winner);
    let high = high.map_or(String::new(), |side| format!("; {} is High", name(side)));
    format!(" ({way}needs {needs} of {points} points, {hope}{high})")
}

pub(in crate::cli) fn name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// Best play with move numbers: `12. Qb5+ Ke6 13. ...`.
fn play(found: &Found, line: &Line) -> String {
    let mut position = found.position;
    let mut words = Vec::new();
    for &mv in &line.moves {
        if position.turn() == Colour::White {
            words.push(format!("{}.", position.fullmoves()));
        } else if words.is_empty() {
            words.push(format!("{}...", position.fullmoves()));
        }
        words.push(position.san(mv));
        position = position.play(mv);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use retrograde_probe::{Dtz, Wdl};

    use super::*;

    #[test]
    fn a_cursed_win_would_be_one() {
        let says = |game, wdl, dtm| {
            let value = Value {
                wdl,
                dtm,
                dtz: dtm.map(|_| Dtz(103)),
            };
            verdict(game, Some(value), Some(Colour::White), None)
        };
        assert_eq!(
            says(Game::default(), Wdl::CursedWin, Some(Dtm(141))),
            "White would mate in 71 moves (141 plies), DTZ 103, but for the fifty-move rule"
        );
        assert_eq!(
            says(Game::default(), Wdl::BlessedLoss, None),
            "White would win, but for the fifty-move rule"
        );
        assert_eq!(says(Game::default(), Wdl::Win, None), "White wins");
    }
}
