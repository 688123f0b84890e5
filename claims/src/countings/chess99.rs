//! Counts what each claim about Chess 99 (Claude Lapointe) asks for, over whole tables.

use std::sync::Arc;

use retrograde_index::Wdl;
use retrograde_rules::{
    Colour, End, Material, Move, MoveKind, Piece, PieceType, Position, Royalty,
};
use serde_json::json;

use crate::compare::{comparing, place};
use crate::engine::{Class, Counting, Findings, Inquiry};
use crate::error::ClaimError;
use crate::example::{Example, carried_over, examples};
use crate::formula::{Counted, percent_of, rounded};
use crate::study::{Visitor, visiting, visiting_where, with_rights};
use crate::tables::{Lookup, Results};

/// The countings of the claims about this game.
pub(crate) const COUNTINGS: &[Counting] = &[
    Counting::of("C99-1", first_moves)
        .after_class(tell_results)
        .finish(compare_advantages),
    Counting::of("C99-2", double_checks_that_draw),
    Counting::of("C99-3", bare_kings).after_class(tell_longest_win),
    Counting::of("C99-4", blocked).finish(add_blocked_of_more),
    Counting::of("C99-5", en_passant),
    Counting::of("C99-6", castling),
    Counting::of("C99-7", standoffs).finish(tell_series),
];

/// Whether both kings are attacked.
fn is_double_check(position: &Position) -> bool {
    Colour::BOTH
        .into_iter()
        .all(|colour| position.in_check(colour))
}

/// The value for the side to move in the game that is walked over, counted by game.
const BY_GAME: [&str; 2] = ["result", "result_without"];

/// The value with the designer's rule or without, and how that changes it.
fn first_moves<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let values = class.values::<Results>()?;
    let others = class.values_in::<Results>(1 - class.at)?;
    visiting(move |tally, spot| {
        // The same material has the same index in both.
        let [result, other] =
            [&values, &others].map(|values| place(values.wdl(spot.turn(), spot.index)));
        tally.add((BY_GAME[class.at], result));
        if class.at == 0 {
            match other {
                0 if result > 0 => tally.show("would_win", spot.position),
                2 if result < 2 => tally.show("would_lose", spot.position),
                _ => {}
            }
        }
        Ok(())
    })
}

/// The value in the game that is walked over, by class: three places for each.
const BY_CLASS: [&str; 2] = ["class_result", "class_result_without"];

/// The share won less the share lost.
fn advantage(results: &[u64]) -> f64 {
    let of = |place: usize| results.get(place).copied().unwrap_or_default();
    let all = of(0) + of(1) + of(2);
    (of(0) as f64 - of(2) as f64) / all.max(1) as f64
}

/// The values of a class in one of the games.
fn tell_results(class: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    let mut results = counted.list(BY_GAME[class.at]).to_vec();
    results.resize(3, 0);
    for (place, &number) in results.iter().enumerate() {
        counted.add(("here", place), number);
        counted.add(("all", 0), number);
        counted.add((BY_CLASS[class.at], 3 * class.number + place), number);
    }
    counted.set("game", class.game().id());
    counted.set("rule", ["rule", "none"][class.at]);
    counted.set("advantage", rounded(advantage(&results)));
    Ok(())
}

/// Counts the classes in which the advantage of the move is smaller with the rule, and sums the
/// advantage up over all of them.
fn compare_advantages(_: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let counted = &mut found.counted;
    let [with, without] = BY_CLASS.map(|name| counted.list(name).chunks(3).map(advantage));
    let smaller = with
        .zip(without)
        .filter(|(with, without)| with.abs() < without.abs());
    let smaller = smaller.count() as u64;
    let classes = counted.list(BY_CLASS[0]).len() as u64 / 3;
    counted.add(("smaller", 0), smaller);
    counted.add(("even_classes", 0), classes);
    let [with, without] = BY_GAME.map(|name| advantage(counted.list(name)));
    counted.set("advantage_with", rounded(with));
    counted.set("percent_with", percent_of(with));
    counted.set("advantage_without", rounded(without));
    counted.set("percent_without", percent_of(without));
    Ok(())
}

/// Drawn positions in which only a double check draws: the value without the rule, and whether
/// the mover has less (place 0), the same (1) or more material (2).
fn double_checks_that_draw<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (values, around) = (class.values::<Results>()?, class.around::<Results>()?);
    let others = class.only::<Results>(1)?;
    let drawn = {
        let values = Arc::clone(&values);
        move |turn, index| values.wdl(turn, index) == Wdl::Draw
    };
    let balance = balance(class.material);
    visiting_where(drawn, move |tally, spot| {
        tally.add("drawn_positions");
        if !needs_double_check(&around, spot.position)? {
            return Ok(());
        }
        let Some(same) = carried_over(spot.position, class.inquiry.games[1]) else {
            return Ok(());
        };
        let stands = place(others.wdl(&same)?);
        let mine = match spot.turn() {
            Colour::White => balance,
            Colour::Black => -balance,
        };
        tally.add("only_a_double_check_draws");
        tally.add(("without", stands));
        tally.add(("material", (mine.signum() + 1) as usize));
        tally.show(
            if stands == 2 { "worse" } else { "no_worse" },
            spot.position,
        );
        Ok(())
    })
}

/// Whether some double check keeps the draw, and other moves, of which there are some, lose.
fn needs_double_check(around: &Lookup<Results>, position: &Position) -> Result<bool, ClaimError> {
    let (mut keeps, mut loses) = (false, false);
    for &mv in &position.legal_moves() {
        let after = position.play(mv);
        if around.wdl(&after)? != Wdl::Draw {
            loses = true;
            continue;
        }
        if after.finished().is_some() || !is_double_check(&after) {
            return Ok(false);
        }
        keeps = true;
    }
    Ok(keeps && loses)
}

/// White's men less Black's, by the usual values.
fn balance(material: &Material) -> i32 {
    let value = |piece_type| match piece_type {
        PieceType::King => 0,
        PieceType::Queen => 9,
        PieceType::Chancellor => 8,
        PieceType::Paladin => 6,
        PieceType::Rook => 5,
        PieceType::Bishop | PieceType::Knight => 3,
        PieceType::Pawn => 1,
    };
    let of = |piece: Piece| match piece.colour {
        Colour::White => value(piece.piece_type),
        Colour::Black => -value(piece.piece_type),
    };
    material.pieces().map(of).sum()
}

/// The plies of the designer's limit of 99 moves.
const LIMIT: u32 = 198;

/// Longer wins are counted as of so many plies.
const MOST_PLIES: usize = 999;

/// Whether two pieces, which should, and lone men, which should not, win against the bare king;
/// positions that a capture settles apart, and those with bishops of one colour too.
fn bare_kings<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let values = class
        .inquiry
        .study
        .library
        .depths(class.game(), class.material)?;
    let around = class.around::<Results>()?;
    let should_win = class.material.len() > 3;
    visiting(move |tally, spot| {
        let turn = spot.turn();
        let value = values.wdl(turn, spot.index);
        let wins = value.winner(turn) == Some(Colour::White);
        let settled = settling_capture(&around, spot.position, value)?;
        tally.add("positions");
        match settled {
            Some(true) => tally.add("by_king"),
            Some(false) => tally.add("by_man"),
            None => {
                tally.add("rest");
                tally.add_if(wins, "rest_won");
                tally.add_if(wins == should_win, "as_claimed");
            }
        }
        if has_bishops_of_one_colour(spot.position) {
            tally.add("same");
            tally.add_if(wins, "same_won");
            tally.add_if(settled.is_none(), "same_rest");
            tally.add_if(settled.is_none() && wins, "same_rest_won");
        }
        if wins {
            let plies = values.plies(turn, spot.index).unwrap_or_default();
            tally.add("won");
            tally.add_if(plies > LIMIT, "exceed");
            tally.add(("plies", MOST_PLIES.min(plies as usize)));
        }
        if wins != should_win {
            let kind = match settled {
                Some(_) => "otherwise_by_a_capture",
                None if should_win => "pieces_do_not_win",
                None => "lone_man_wins",
            };
            tally.show(kind, spot.position);
        }
        Ok(())
    })
}

/// Whether a capture settles a position: it gets for the mover what the position is worth, a
/// win or a draw. A capture of the king if it says true, else of another man alone.
fn settling_capture(
    around: &Lookup<Results>,
    position: &Position,
    value: Wdl,
) -> Result<Option<bool>, ClaimError> {
    let mut settled = None;
    if value == Wdl::Loss {
        return Ok(settled);
    }
    for &mv in position.legal_moves().iter().filter(|mv| mv.is_capture()) {
        let after = position.play(mv);
        let is_king = after.finished().is_some();
        if around.wdl(&after)?.reversed() == value {
            settled = Some(is_king || settled == Some(true));
        }
    }
    Ok(settled)
}

/// Whether there are two bishops and both stand on squares of one colour.
fn has_bishops_of_one_colour(position: &Position) -> bool {
    let geometry = position.game().geometry();
    let mut bishops = position
        .board()
        .of(Piece::new(Colour::White, PieceType::Bishop));
    let mut shade = || {
        bishops
            .next()
            .map(|square| (geometry.file(square) + geometry.rank(square)) % 2)
    };
    let [first, second] = [shade(), shade()];
    first.is_some() && first == second
}

/// The longest win of a class, in plies and in moves.
fn tell_longest_win(_: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    let longest = counted.list("plies").len().checked_sub(1);
    let moves = longest.map(|plies| plies.div_ceil(2));
    counted.set("longest_plies", json!(longest));
    counted.set("longest_moves", json!(moves));
    Ok(())
}

/// A position of more men than tables have: the king in the corner, a knight and pawns that stand
/// in each other's way.
const BLOCKED_OF_MORE: [&str; 1] = ["KN1r5/PPpP5/P1P6/9/4k4/9/9/9/9 w - -"];

/// Positions in which the side to move cannot move.
fn blocked<'a>(_: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    visiting(|tally, spot| {
        tally.add("positions");
        if is_blocked(spot.position) {
            tally.add("blocked");
            tally.show("blocked", spot.position);
        }
        Ok(())
    })
}

/// Whether the side to move has no move and is not mated.
fn is_blocked(position: &Position) -> bool {
    // A king that can step to a square is the quickest proof, where check forbids nothing.
    if position.game().royalty() == Royalty::None && king_can_step(position) {
        return false;
    }
    position.legal_moves().is_empty()
        && position
            .end()
            .is_some_and(|end| end.winner(position.turn()).is_none())
}

fn king_can_step(position: &Position) -> bool {
    let geometry = position.game().geometry();
    let own = position.board().by(position.turn());
    let mut kings = position
        .board()
        .of(Piece::new(position.turn(), PieceType::King));
    kings.any(|king| {
        let steps = (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)));
        let mut squares = steps.filter_map(|(files, ranks)| geometry.offset(king, files, ranks));
        squares.any(|square| !own.contains(square))
    })
}

/// Adds blocked positions of more men, which the rules alone tell.
fn add_blocked_of_more(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let positions = BLOCKED_OF_MORE
        .into_iter()
        .filter_map(|fen| Position::from_fen(inquiry.games[0], fen).ok());
    let mut text = String::new();
    for position in positions.filter(is_blocked) {
        found.counted.add(("of_more", 0), 1);
        let fen = position.fen();
        text.push_str(&format!(
            " With more men there are others: in {fen} the side to move has no move."
        ));
        let kind = "blocked, by the rules alone";
        found
            .first
            .push(Example::by_the_rules(kind, &position, Vec::new()));
    }
    found.counted.set("others", text);
    Ok(())
}

/// The value with and without captures en passant by every man, with rights to these and
/// without.
fn en_passant<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let without_rights = comparing(class, |_, _| Ok(0))?;
    let (by_pawns, here) = (class.inquiry.games[1], class.around::<Results>()?);
    let there: Lookup<Results> = Lookup::around(class.library(), by_pawns, class.material)?;
    visiting(move |tally, spot| {
        without_rights.visit(tally, spot)?;
        for right in with_rights(spot.position) {
            // In the other game the same right, if it counts.
            let Ok(same) = Position::new(by_pawns, &right.setup()) else {
                continue;
            };
            tally.add("rights");
            if place(here.wdl(&right)?) != place(there.wdl(&same)?) {
                tally.add("rights_changed");
                tally.show_played("rights_changed", &right);
            }
        }
        Ok(())
    })
}

/// The value with and without castling; told apart if the mover can castle out of check.
fn castling<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    comparing(class, |position, _| {
        let castles = |mv: &Move| mv.kind == MoveKind::Castling;
        let out_of_check = position.is_check() && position.legal_moves().iter().any(castles);
        Ok(usize::from(out_of_check))
    })
}

/// The most double checks of a series that are looked at.
const LONGEST: usize = 31;

/// Double checks that answer a check: the value after them, and how many follow by force.
fn standoffs<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    // A series goes on after captures.
    let beyond = Lookup::beyond(class.library(), class.game(), class.material)?;
    visiting(move |tally, spot| {
        let position = spot.position;
        tally.add("positions");
        if !position.is_check() {
            return Ok(());
        }
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            if after.finished().is_some() || !is_double_check(&after) {
                continue;
            }
            let result = beyond.wdl(&after)?;
            tally.add("double_checks");
            tally.add(("result", place(result)));
            tally.show_played(("result", place(result)), &after);
            if result == Wdl::Win && !wins_by_capture(&after) {
                tally.add("saving_wins");
                tally.show_played("saving_wins", &after);
            }
            // A double check that is forced keeps a draw: the king may be captured (C3).
            if result == Wdl::Draw {
                let length = series(&beyond, &after)?.len();
                tally.add(("series", length));
                if length > 0 {
                    tally.show_ranked("series", (LONGEST + 1 - length) as u8, &after);
                }
            }
        }
        Ok(())
    })
}

/// Whether capturing the king wins (C2).
fn wins_by_capture(position: &Position) -> bool {
    let moves = position.legal_moves();
    let wins = |mv: &Move| position.play(*mv).finished() == Some(End::KingCapture);
    moves.iter().any(wins)
}

/// The double checks that follow on each other from here: as long as one is the only move
/// that keeps the value.
fn series(beyond: &Lookup<Results>, position: &Position) -> Result<Vec<Move>, ClaimError> {
    let (mut series, mut position) = (Vec::new(), *position);
    while series.len() < LONGEST {
        let value = beyond.wdl(&position)?.reversed();
        let mut only = None;
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            if beyond.wdl(&after)? == value {
                if only.is_some() {
                    return Ok(series);
                }
                only = Some((mv, after));
            }
        }
        match only {
            Some((mv, after)) if after.finished().is_none() && is_double_check(&after) => {
                series.push(mv);
                position = after;
            }
            _ => return Ok(series),
        }
    }
    Ok(series)
}

/// The longest series of all, and examples of it.
fn tell_series(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let longest = found.counted.list("series").len().saturating_sub(1);
    let text = match longest {
        0 => "No further double check follows by force.".to_owned(),
        1 => "At most one more double check follows by force.".to_owned(),
        most => format!("At most {most} more double checks follow by force."),
    };
    found.counted.set("longest", longest);
    found.counted.set("series_at_most", text);
    let spread = found.spread(("series", 0));
    spread.keep_lowest_rank();
    let kind = "the longest forced series of double checks";
    let mut shown = examples(inquiry.study.library, kind, spread, &[])?;
    for (example, mut position) in shown.iter_mut().zip(spread.pick()) {
        let beyond = Lookup::beyond(
            inquiry.study.library,
            inquiry.games[0],
            &position.material(),
        )?;
        example.line.clear();
        for mv in series(&beyond, &position)? {
            example.line.push(position.san(mv));
            position = position.play(mv);
        }
    }
    found.last = shown;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Verdict;
    use crate::scope::Scope;
    use crate::study::Study;
    use crate::tables::Library;
    use crate::tests::{Shipped, entry, game, material, tables};

    /// The verdict on two bare kings, were the rule of any use to them.
    #[test]
    fn the_advantage_of_the_move_is_compared() {
        let games = ["chess99", "chess99:king-capture-in-check=win"].map(game);
        let kings = material(games[0], "KvK");
        let scope = Scope {
            men: 2,
            variant: None,
            supply: &Shipped,
        };
        let verdict = |without: fn(Wdl) -> Wdl| {
            let library = Library::new(vec![tables()]);
            let mut values = Results::clone(&*library.depths(games[0], &kings).unwrap());
            values.doctor(|_, _, wdl| without(wdl));
            library.put(games[1], &kings, values);
            let entry = entry("C99-1");
            let inquiry = Inquiry {
                study: &Study::new(&scope, &library, &()),
                claim: &entry.claim,
                games: &games,
                classes: &[kings],
            };
            inquiry.answer(entry.counting).unwrap().verdict
        };
        assert_eq!(verdict(|wdl| wdl), Verdict::Fails);
        assert_eq!(verdict(|_| Wdl::Win), Verdict::Holds);
    }
}
