//! Claims about Chess 99 (Claude Lapointe), such as saving double checks: counts each over tables.

use retrograde_index::Wdl;
use retrograde_rules::{
    Colour, End, Material, Move, MoveKind, Piece, PieceType, Position, Royalty,
};
use serde_json::json;

use crate::compare::{Detail, comparing};
use crate::engine::{Class, Counting, Findings, Inquiry};
use crate::error::ClaimError;
use crate::example::{Example, examples};
use crate::formula::{Counted, percent_of, rounded};
use crate::study::{Visitor, visiting, with_rights};
use crate::tables::{Lookup, Results};
use crate::tally::place;

/// The countings of the claims about this game.
pub(crate) const COUNTINGS: &[Counting] = &[
    Counting::of("C99-1", first_moves)
        .after_class(tell_advantages)
        .finish(tell_all_advantages),
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

/// The values with the designer's rule and without, over all positions and over those in which the
/// side to move cannot take the king.
const ALL: [&str; 2] = ["all_with", "all_without"];
const CALM: [&str; 2] = ["calm_with", "calm_without"];

/// The value with the designer's rule and without.
fn first_moves<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let values = [class.values::<Results>()?, class.values_in::<Results>(1)?];
    visiting(move |tally, spot| {
        // The same material has the same index in both.
        let turn = spot.turn();
        let [with, without] = [0, 1].map(|game: usize| place(values[game].wdl(turn, spot.index)));
        let is_calm = !spot.position.in_check(turn.other());
        tally.add("positions");
        tally.add_if(is_calm, "calm");
        for (game, value) in [with, without].into_iter().enumerate() {
            tally.add((ALL[game], value));
            tally.add_if(is_calm, (CALM[game], value));
        }
        match (with, without) {
            (1 | 2, 0) if is_calm => tally.show("would_win", spot.position),
            (0 | 1, 2) if is_calm => tally.show("would_lose", spot.position),
            _ => {}
        }
        Ok(())
    })
}

/// The share won less the share lost.
fn advantage(results: &[u64]) -> f64 {
    let of = |place: usize| results.get(place).copied().unwrap_or_default();
    let all = of(0) + of(1) + of(2);
    (of(0) as f64 - of(2) as f64) / all.max(1) as f64
}

/// The advantage of the move in a class, and whether it is smaller with the rule.
fn tell_advantages(_: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    const TEXTS: [[&str; 2]; 4] = [
        ["all_with_advantage", "all_with_rule"],
        ["all_without_advantage", "all_without_rule"],
        ["calm_with_advantage", "calm_with_rule"],
        ["calm_without_advantage", "calm_without_rule"],
    ];
    for (name, [of_advantage, of_rule]) in ALL.into_iter().chain(CALM).zip(TEXTS) {
        let advantage = rounded(advantage(counted.list(name)));
        counted.set(of_advantage, advantage);
        let rules = ["the designer's", "none"];
        counted.set(of_rule, rules[usize::from(name.ends_with("without"))]);
    }
    let [with, without] = CALM.map(|name| advantage(counted.list(name)).abs());
    counted.add(("even_classes", 0), (with != without).into());
    counted.add(("smaller", 0), (with < without).into());
    Ok(())
}

/// The advantage over all classes.
fn tell_all_advantages(_: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let counted = &mut found.counted;
    for (name, percent, of) in [
        ("advantage_with", "percent_with", CALM[0]),
        ("advantage_without", "percent_without", CALM[1]),
        ("advantage_all_with", "percent_all_with", ALL[0]),
        ("advantage_all_without", "percent_all_without", ALL[1]),
    ] {
        let advantage = advantage(counted.list(of));
        counted.set(name, rounded(advantage));
        counted.set(percent, percent_of(advantage));
    }
    Ok(())
}

/// Drawn positions in check in which only double checks draw, those with a right to capture en
/// passant too: whether the mover has less (place 0), the same (1) or more material (2).
fn double_checks_that_draw<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let around = class.around::<Results>()?;
    let balance = balance(class.material);
    visiting(move |tally, spot| {
        // A right adds moves, but no attack on the king.
        if !spot.position.is_check() {
            return Ok(());
        }
        let mine = match spot.turn() {
            Colour::White => balance,
            Colour::Black => -balance,
        };
        let material = ("material", (mine.signum() + 1) as usize);
        let rights = with_rights(spot.position);
        for position in std::iter::once(spot.position).chain(&rights) {
            if around.wdl(position)? != Wdl::Draw {
                continue;
            }
            tally.add("drawn_checks");
            let keeping = double_checks_needed(&around, position)?;
            if keeping == 0 {
                continue;
            }
            tally.add("only_a_double_check_draws");
            tally.add_if(keeping == 1, "by_one_move");
            tally.add(material);
            tally.show_played(material, position);
            if position.ep().is_some() {
                tally.add("with_right");
                tally.show_played("with_right", position);
            }
        }
        Ok(())
    })
}

/// The number of moves that keep the draw, if these are double checks and all other moves, of
/// which there are some, lose; else 0.
fn double_checks_needed(
    around: &Lookup<Results>,
    position: &Position,
) -> Result<usize, ClaimError> {
    let (moves, mut keeping) = (position.legal_moves(), 0);
    for &mv in &moves {
        let after = position.play(mv);
        match around.wdl(&after)? {
            Wdl::Win => {}
            Wdl::Draw if after.finished().is_none() && is_double_check(&after) => keeping += 1,
            // Another move draws; none wins, or the position would be no draw.
            _ => return Ok(0),
        }
    }
    Ok(if keeping < moves.len() { keeping } else { 0 })
}

/// White's men less Black's, by the usual values.
fn balance(material: &Material) -> i32 {
    let value = |piece_type| match piece_type {
        PieceType::Queen => 9,
        PieceType::Chancellor => 8,
        PieceType::Paladin => 6,
        PieceType::Rook => 5,
        PieceType::Bishop | PieceType::Knight => 3,
        PieceType::Pawn => 1,
        _ => 0,
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
    if position.game().royalty(position.turn()) == Royalty::None && king_can_step(position) {
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
    let without_rights = comparing(class, Detail::default(), |_, _| Ok(0))?;
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
    comparing(class, Detail::default(), |position, _| {
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
            if result == Wdl::Win {
                let is_taken = wins_by_capture(&after);
                tally.add_if(is_taken, "king_taken");
                tally.show_played(
                    if is_taken {
                        "king_taken"
                    } else {
                        "saving_wins"
                    },
                    &after,
                );
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
        let verdict = |with: fn(Wdl) -> Wdl, without: fn(Wdl) -> Wdl| {
            let library = Library::new(vec![tables()]);
            let real = Results::clone(&*library.depths(games[0], &kings).unwrap());
            for (game, change) in [(games[0], with), (games[1], without)] {
                let mut values = real.clone();
                values.doctor(|_, _, wdl| change(wdl));
                library.put(game, &kings, values);
            }
            let entry = entry("C99-1");
            let inquiry = Inquiry {
                study: &Study::new(&scope, &library, &()),
                claim: &entry.claim,
                games: &games,
                classes: &[kings],
            };
            inquiry.answer(entry.counting).unwrap().verdict
        };
        assert_eq!(verdict(|wdl| wdl, |wdl| wdl), Verdict::NotDecidable);
        assert_eq!(verdict(|_| Wdl::Draw, |_| Wdl::Win), Verdict::Holds);
        assert_eq!(verdict(|_| Wdl::Win, |_| Wdl::Draw), Verdict::Fails);
    }
}
