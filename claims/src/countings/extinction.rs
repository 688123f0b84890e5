//! Claims about extinction chess, with mating rules and without: counts each over whole tables.
//!
//! The games are extinction chess with mating rules (2011) and its base game (Schmittberger,
//! 1985).

use std::sync::LazyLock;

use retrograde_index::Wdl;
use retrograde_rules::{Colour, End, Game, Move, Position, Square, SquareSet};
use serde_json::{Value, json};

use crate::compare::{Detail, comparing};
use crate::engine::{Class, Counting, Findings, Inquiry};
use crate::error::ClaimError;
use crate::example::Example;
use crate::formula::count;
use crate::position::carried_over;
use crate::study::{Visitor, visiting};
use crate::tables::Results;
use crate::tally::place;

/// The countings of the claims about these games.
pub(crate) const COUNTINGS: &[Counting] = &[
    Counting::of("EX-1", rule_change).finish(tell_differences),
    Counting::of("EX-2", |class| {
        mates(class, "by_a_fork_alone", is_fork_alone)
    }),
    Counting::of("EX-3", |class| {
        mates(class, "would_expose_another", would_expose_another)
    }),
    Counting::of("EX-4", forks).finish(add_forks_of_more),
    Counting::of("EX-5", stalemates).finish(tell_plies),
];

/// The value under both rules; stalemates are told apart.
fn rule_change<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    comparing(class, Detail::default(), |position, _| {
        let is_stalemate = matches!(position.end(), Some(End::Stalemate { .. }));
        Ok(usize::from(is_stalemate))
    })
}

/// Says whether every difference is a draw against a decided result.
fn tell_differences(_: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let counted = &mut found.counted;
    let text = match counted.get("won.2 + lost.0") {
        0 => "Every difference is a draw against a win or a loss: no winner changes.".to_owned(),
        another => format!(
            "Of these {} are a draw against a win or a loss, and {} have another winner.",
            count(counted.get("other_value - won.2 - lost.0")),
            count(another)
        ),
    };
    counted.set("differences", text);
    Ok(())
}

/// Mates of a kind among all mates.
fn mates<'a>(
    class: &'a Class<'a>,
    kind: &'static str,
    is_such: fn(&Position) -> bool,
) -> Result<Visitor<'a>, ClaimError> {
    let values = class.values::<Results>()?;
    visiting(move |tally, spot| {
        let position = spot.position;
        tally.add("positions");
        let lost = values.wdl(spot.turn(), spot.index) == Wdl::Loss;
        if !lost || !position.is_check() || position.end() != Some(End::Checkmate) {
            return Ok(());
        }
        tally.add("mates");
        if is_such(position) {
            tally.add(kind);
            tally.show(kind, position);
        }
        Ok(())
    })
}

/// Whether several royal men are attacked, each of which could be saved alone.
fn is_fork_alone(position: &Position) -> bool {
    let mut royals = threats(position).royals;
    royals.len() > 1 && royals.all(|man| can_be_saved(position, man, false))
}

/// Whether the only attacked royal man could move away, were no other royal.
fn would_expose_another(position: &Position) -> bool {
    let mut royals = threats(position).royals;
    let first = royals.next();
    royals.next().is_none() && first.is_some_and(|man| can_be_saved(position, man, true))
}

/// The royal men of the side to move that are attacked, and who attacks them.
struct Threats {
    /// The squares of the attacked royal men.
    royals: SquareSet,
    /// The squares of the men that attack them.
    attackers: SquareSet,
}

/// The threats against the side to move of a position of extinction chess with mating rules:
/// from the moves of the base game, in which nothing is illegal because of check.
fn threats(position: &Position) -> Threats {
    let royals = position.royals(position.turn());
    let mut found = Threats {
        royals: SquareSet::EMPTY,
        attackers: SquareSet::EMPTY,
    };
    if let Some(free) = free(position, position.turn().other()) {
        for mv in &free.legal_moves() {
            if let Some(square) = mv.captured.filter(|&square| royals.contains(square)) {
                found.royals.insert(square);
                found.attackers.insert(mv.from);
            }
        }
    }
    found
}

/// The game without mating rules.
static BASE: LazyLock<Game> = LazyLock::new(|| {
    Game::parse("extinction").unwrap_or_else(|error| unreachable!("the base game: {error}"))
});

/// A position of the base game with the same placement and this side to move.
fn free(position: &Position, turn: Colour) -> Option<Position> {
    Position::from_board(*BASE, position.board(), turn)
}

/// Whether the side to move of a position can capture what stands on a square, in the base
/// game: a pawn after its double step en passant, too (E3).
fn is_attacked(position: &Position, square: Square) -> bool {
    // Made anew, since in the base game the last move may have ended the game.
    Position::new(*BASE, &position.setup()).is_ok_and(|free| {
        let moves = free.legal_moves();
        moves.iter().any(|mv| mv.captured == Some(square))
    })
}

/// Whether a man could be saved if it alone were royal: after some move of the base game it
/// is not attacked. `by_itself` asks for moves of that man.
fn can_be_saved(position: &Position, man: Square, by_itself: bool) -> bool {
    let Some(free) = free(position, position.turn()) else {
        return false;
    };
    free.legal_moves().iter().any(|&mv| {
        let is_its_own = mv.from == man;
        if by_itself && !is_its_own || mv.promotion.is_some() && is_its_own {
            return false;
        }
        let square = if is_its_own { mv.to } else { man };
        !is_attacked(&free.play(mv), square)
    })
}

/// Forks that more men are in than tables have, checked by the rules alone: here a promotion
/// to a second rook blocks the check, and the attacked rook is royal no longer.
const FORKS_OF_MORE: [&str; 1] = ["8/5p2/8/8/r7/8/6p1/3Q3k b - -"];

/// A threat that is ended although the attacked man stays attacked: promotion to a second
/// king makes it an ordinary man.
const STAYS_ATTACKED: &str = "4r3/2P5/8/8/8/P7/8/4K3 w - -";

/// Forks that can be answered, and whether only by captures.
fn forks<'a>(_: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    visiting(|tally, spot| {
        tally.add("positions");
        if let Some(by_capture) = ends_by_capture(spot.position) {
            tally.add("forks");
            tally.add_if(by_capture, "only_captures");
            tally.show(
                if by_capture { "capture" } else { "another" },
                spot.position,
            );
        }
        Ok(())
    })
}

/// Whether every answer to a fork captures an attacker; `None` if there is no fork or no legal
/// answer.
fn ends_by_capture(position: &Position) -> Option<bool> {
    if !position.is_check() {
        return None;
    }
    let threats = threats(position);
    if threats.royals.len() < 2 {
        return None;
    }
    let moves = position.legal_moves();
    let captures = |square| threats.attackers.contains(square);
    (!moves.is_empty()).then(|| moves.iter().all(|mv| mv.captured.is_some_and(captures)))
}

/// Adds positions of more men, which the rules alone tell.
fn add_forks_of_more(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let (mut text, mut rows) = (String::new(), Vec::new());
    let checked = |fen: &str| Checked::new(inquiry.games[0], fen);
    for fork in FORKS_OF_MORE.into_iter().filter_map(checked) {
        rows.push(fork.row());
        let Some(by_capture) = fork.by_capture else {
            continue;
        };
        found.counted.add(("forks_of_more", 0), 1);
        found
            .counted
            .add(("captures_of_more", 0), by_capture.into());
        if !by_capture {
            text.push_str(&format!(
                "In {} the fork of {} is ended by {}, as the rules alone show. ",
                fork.position.fen(),
                fork.royals.join(" and "),
                fork.others.join(", "),
            ));
            let kind = "a fork of more men that another move ends, by the rules alone";
            let example = Example::by_the_rules(kind, &fork.position, fork.others);
            found.first.push(example);
        }
    }
    if let Some(stays) = checked(STAYS_ATTACKED) {
        rows.push(stays.row());
        if !stays.staying.is_empty() {
            let kind = "the threat is ended, but the man stays attacked, by the rules alone";
            let example = Example::by_the_rules(kind, &stays.position, stays.staying);
            found.first.push(example);
        }
    }
    found.counted.set("refutations", text);
    found.counted.set("by_the_rules_alone", rows);
    Ok(())
}

/// A position in which royal men are attacked, and what the rules say about it.
struct Checked {
    position: Position,
    /// The squares of the attacked royal men.
    royals: Vec<String>,
    /// The legal moves.
    moves: Vec<String>,
    /// Answers that capture no attacker.
    others: Vec<String>,
    /// Answers after which a man that was attacked still is.
    staying: Vec<String>,
    /// Whether every legal move captures an attacker, for a fork that can be answered.
    by_capture: Option<bool>,
}

impl Checked {
    /// `None` if it is no position of the game, or no royal man is attacked.
    fn new(game: Game, fen: &str) -> Option<Checked> {
        let position = Position::from_fen(game, fen).ok()?;
        if !position.is_check() {
            return None;
        }
        let threats = threats(&position);
        let legal = position.legal_moves();
        let san = |is_such: &dyn Fn(&Move) -> bool| {
            let moves = legal.iter().filter(|mv| is_such(mv));
            moves.map(|&mv| position.san(mv)).collect()
        };
        Some(Checked {
            royals: threats
                .royals
                .map(|square| game.geometry().name(square))
                .collect(),
            moves: san(&|_| true),
            others: san(&|mv| !mv.captured.is_some_and(|s| threats.attackers.contains(s))),
            staying: san(&|mv| {
                let (mut royals, after) = (threats.royals, position.play(*mv));
                royals.any(|man| man != mv.from && is_attacked(&after, man))
            }),
            by_capture: ends_by_capture(&position),
            position,
        })
    }

    fn row(&self) -> Value {
        json!({
            "fen": self.position.fen(),
            "attacked_royal_men": self.royals.join(", "),
            "legal_moves": self.moves.join(", "),
            "only_captures": self.by_capture,
            "leave_the_man_attacked": self.staying.join(", "),
        })
    }
}

/// Longer losses are counted as of so many plies.
const MOST_PLIES: usize = 199;

/// Counts stalemates by their value in the base game.
fn stalemates<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (values, base) = (class.values::<Results>()?, class.inquiry.games[1]);
    // Read with depths, and so looked up with them.
    class
        .library()
        .depths(base, &class.material.normal(base).0)?;
    let others = class.only::<Results>(1)?;
    visiting(move |tally, spot| {
        let position = spot.position;
        tally.add("positions");
        let drawn = values.wdl(spot.turn(), spot.index) == Wdl::Draw;
        if !drawn || position.is_check() || !matches!(position.end(), Some(End::Stalemate { .. })) {
            return Ok(());
        }
        let Some(same) = carried_over(position, base) else {
            return Ok(());
        };
        let result = place(others.wdl(&same)?);
        tally.add("stalemates");
        tally.add(("result", result));
        tally.add_if(same.end() == Some(End::Blocked), "blocked");
        if result == 2 {
            let plies = others.plies(&same)?.unwrap_or_default();
            tally.add(("plies", MOST_PLIES.min(plies as usize)));
        }
        tally.show(("result", result), position);
        Ok(())
    })
}

/// Lists the losses by plies.
fn tell_plies(_: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let losses = found.counted.list("plies").iter().enumerate();
    let losses: Vec<Value> = losses
        .filter(|&(_, &losses)| losses > 0)
        .map(|(plies, losses)| json!({ "lost_in_plies": plies, "positions": losses }))
        .collect();
    found.counted.set("losses_by_plies", losses);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After its double step a lone pawn could be taken en passant, and so would be attacked
    /// still (E3): nothing else is exposed.
    #[test]
    fn a_double_step_into_capture_en_passant_is_no_escape() {
        let game = Game::parse("extinction-mating").unwrap();
        for fen in [
            "8/8/8/8/p7/8/1P6/K1k5 w - -",
            "8/8/8/8/2p5/8/1P6/K1k5 w - -",
        ] {
            let position = Position::from_fen(game, fen).unwrap();
            assert_eq!(position.end(), Some(End::Checkmate), "{fen}");
            assert!(!would_expose_another(&position), "{fen}");
        }
    }
}
