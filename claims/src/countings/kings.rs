//! Claims about Kings (Sibahi, 2007) and wild 9, its parent game: counts each over whole tables.

use retrograde_index::Wdl;
use retrograde_rules::{Colour, End, Game, Interchange, Move, Piece, PieceType, Position};
use serde_json::json;

use crate::claim::Claim;
use crate::compare::{Detail, comparing};
use crate::engine::{Class, Counting, Findings, Inquiry};
use crate::error::ClaimError;
use crate::example::Example;
use crate::formula::Counted;
use crate::position::carried_over;
use crate::scope::{Scope, has_spare_kings, with_option};
use crate::study::{Visitor, visiting, visiting_where};
use crate::tables::{Lookup, Results};
use crate::tally::{ClassTally, place};

/// The countings of the claims about these games.
pub(crate) const COUNTINGS: &[Counting] = &[
    Counting::of("K-1", |_| visiting(|_, _| Ok(()))).finish(solve_puzzles),
    Counting::of("K-2", promotions),
    Counting::of("K-3", tie_breaks).games(kings_and_wild9),
    Counting::of("K-4", two_kings).after_class(tell_longest_wins),
    Counting::of("K-5", escapes),
    Counting::of("K-6", flaws),
    Counting::of("K-7", boards)
        .after_class(tell_board)
        .finish(compare_boards),
    Counting::of("K-8", |_| visiting_where(|_, _| false, |_, _| Ok(())))
        .finish(take_the_spare_king),
];

/// The task of a puzzle.
#[derive(Clone, Copy)]
enum PuzzleTask {
    /// The moves that mate at once.
    MateInOne,
    /// The moves that mate in two, there being no shorter mate.
    MateInTwo,
    /// The legal moves, the mover being in check.
    Replies,
}

/// A puzzle on the designer's page.
struct Puzzle {
    name: &'static str,
    fen: &'static str,
    task: PuzzleTask,
    /// The only solution, in UCI notation.
    solution: &'static str,
}

const PUZZLES: [Puzzle; 3] = [
    Puzzle {
        name: "mate in one",
        fen: "K7/8/2K5/k7/8/k7/8/R6R w - -",
        task: PuzzleTask::MateInOne,
        solution: "c6b5",
    },
    Puzzle {
        name: "mate in two",
        fen: "K1K5/8/8/k7/8/k7/8/R6R w - -",
        task: PuzzleTask::MateInTwo,
        solution: "h1h7",
    },
    Puzzle {
        name: "the only reply to a check",
        fen: "3k3R/6R1/8/8/5K2/8/p7/8 b - -",
        task: PuzzleTask::Replies,
        solution: "a2a1k",
    },
];

/// Counts the puzzles that have just the solution given, and shows each with its key.
fn solve_puzzles(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let game = inquiry.games[0];
    let (mut rows, mut keys) = (Vec::new(), Vec::new());
    for puzzle in PUZZLES {
        found.counted.add(("puzzles", 0), 1);
        let position = Position::from_fen(game, puzzle.fen).ok();
        // None if the diagram is not a position of the game.
        let solutions = position.map_or(Vec::new(), |position| puzzle.solve(&position));
        let uci: Vec<String> = solutions
            .iter()
            .filter_map(|&mv| Some(position?.uci(mv)))
            .collect();
        found
            .counted
            .add(("right", 0), (uci == [puzzle.solution]).into());
        let mut found_san = String::new();
        if let Some(position) = position {
            let san = solutions.iter().map(|&mv| position.san(mv));
            let san: Vec<String> = san.collect();
            found_san = san.join(", ");
            keys.push(format!("{} {found_san}", puzzle.name));
            found
                .first
                .push(Example::by_the_rules(puzzle.name, &position, san));
        }
        rows.push(json!({
            "puzzle": puzzle.name,
            "fen": puzzle.fen,
            "solution": puzzle.solution,
            "found": uci.join(", "),
            "key": found_san,
        }));
    }
    found.counted.set("keys", keys.join(", "));
    found.counted.set("solutions", rows);
    Ok(())
}

impl Puzzle {
    /// The solutions.
    fn solve(&self, position: &Position) -> Vec<Move> {
        match self.task {
            PuzzleTask::MateInOne => mates(position),
            PuzzleTask::MateInTwo if mates(position).is_empty() => {
                let keys = position.legal_moves();
                let mates = |key: &Move| is_mated_within(&position.play(*key), 1);
                keys.iter().copied().filter(mates).collect()
            }
            PuzzleTask::Replies if position.is_check() => position.legal_moves().to_vec(),
            PuzzleTask::MateInTwo | PuzzleTask::Replies => Vec::new(),
        }
    }
}

/// The moves that mate.
fn mates(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    let mates = |mv: &Move| position.play(*mv).end() == Some(End::Checkmate);
    moves.iter().copied().filter(mates).collect()
}

/// The most moves of a mate that is looked for.
const MOST_MOVES: u32 = 3;

/// Takes the spare king of the third puzzle, after its only reply, and looks for the fastest mate.
fn take_the_spare_king(inquiry: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let (game, library) = (inquiry.games[0], inquiry.study.library);
    let [.., puzzle] = PUZZLES;
    let Ok(position) = Position::from_fen(game, puzzle.fen) else {
        return Ok(());
    };
    let [reply] = puzzle.solve(&position)[..] else {
        return Ok(());
    };
    let position = position.play(reply);
    let moves = position.legal_moves();
    let Some(&takes) = moves.iter().find(|mv| mv.is_capture()) else {
        return Ok(());
    };
    let (after, class) = (position.play(takes), &inquiry.classes[0]);
    library.depths(game, class)?;
    let values = Lookup::<Results>::only(library, game, class)?;
    let is_lost = values.wdl(&after)? == Wdl::Loss;
    let plies = values.plies(&after)?;
    let mut tally = ClassTally::default();
    tally.show_played("after", &after);
    found.add(class, tally);
    let fastest = (1..=MOST_MOVES).find_map(|most| {
        let mates = |mv: &Move| is_mated_within(&position.play(*mv), most - 1);
        Some((most, moves.iter().copied().find(mates)?))
    });
    let counted = &mut found.counted;
    counted.add(("after", 0), 1);
    counted.add(("lost", 0), is_lost.into());
    counted.set("takes", position.san(takes));
    counted.set("plies", json!(plies));
    let words = match (is_lost, plies) {
        (true, Some(plies)) => format!("lost, in {plies} plies"),
        (true, None) => "lost".to_owned(),
        (false, _) => "not lost".to_owned(),
    };
    counted.set("lost_or_not", words);
    let text = match fastest {
        Some((moves, mv)) => format!("The fastest is {}, mate in {moves}.", position.san(mv)),
        None => format!("No move mates within {MOST_MOVES}."),
    };
    counted.set("fastest", text);
    counted.set("fastest_moves", json!(fastest.map(|(moves, _)| moves)));
    Ok(())
}

/// Whether the side to move is mated, or will be within so many moves whatever it does.
fn is_mated_within(position: &Position, moves: u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.end() == Some(End::Checkmate);
    }
    moves > 0
        && replies.iter().all(|&reply| {
            let then = position.play(reply);
            let answers = then.legal_moves();
            answers
                .iter()
                .any(|&mv| is_mated_within(&then.play(mv), moves - 1))
        })
}

/// Positions with a pawn one step from promotion in which only promotion to king keeps the
/// value, or answers a check.
fn promotions<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let (values, around) = (class.values::<Results>()?, class.around::<Results>()?);
    let geometry = class.game().geometry();
    visiting(move |tally, spot| {
        let (position, turn) = (spot.position, spot.turn());
        tally.add("positions");
        let seventh = match turn {
            Colour::White => geometry.ranks - 2,
            Colour::Black => 1,
        };
        let mut pawns = position.board().of(Piece::new(turn, PieceType::Pawn));
        if !pawns.any(|pawn| geometry.rank(pawn) == seventh) {
            return Ok(());
        }
        tally.add("near");
        let moves = position.legal_moves();
        let is_king = |mv: &Move| mv.promotion == Some(PieceType::King);
        if !moves.iter().any(is_king) {
            return Ok(());
        }
        if moves.iter().all(is_king) {
            if position.is_check() {
                tally.add("replies");
                tally.show("replies", position);
            }
            return Ok(());
        }
        let value = values.wdl(turn, spot.index);
        if value == Wdl::Loss {
            return Ok(());
        }
        for mv in moves.iter().filter(|mv| !is_king(mv)) {
            if around.wdl(&position.play(*mv))?.reversed() == value {
                return Ok(());
            }
        }
        tally.add("only");
        tally.add_if(value == Wdl::Win, "wins");
        tally.show("only", position);
        Ok(())
    })
}

/// The game; wild 9, with the other options of the game; the game with the tie-break alone as
/// in wild 9, and with promotion alone. Otherwise why there are not.
fn kings_and_wild9(scope: &Scope, _: &Claim) -> Result<Vec<Game>, &'static str> {
    let [game, wild9] = ["kings", "wild9"].map(|id| scope.game(id));
    if game.geometry() != wild9.geometry() {
        return Err("There is wild 9 on 8x8 only, so nothing to compare this game with.");
    }
    let tie_break = with_option(game, "tie-break", "rank1");
    let promotion = with_option(game, "promote-to-king", "off");
    let both = with_option(tie_break, "promote-to-king", "off");
    if both == game {
        return Err("With these options the game has the rules of wild 9.");
    }
    // Wild 9 is a name for some options (K6), and has tables of its own.
    let is_wild9 = both.normal() == wild9.normal();
    let other = if is_wild9 { wild9 } else { both };
    Ok(vec![game, other, tie_break, promotion])
}

/// The value in both games; differences are told apart by what gives the value of wild 9: the
/// tie-break alone (place 0), promotion alone (1), either (2), or both together (3).
fn tie_breaks<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let library = class.library();
    let options: [Lookup<Results>; 2] = [
        Lookup::both(library, class.inquiry.games[2], class.material)?,
        Lookup::both(library, class.inquiry.games[3], class.material)?,
    ];
    comparing(class, Detail::default(), move |position, [_, there]| {
        let mut explains = [false; 2];
        for (n, values) in options.iter().enumerate() {
            if let Some(same) = carried_over(position, class.inquiry.games[2 + n]) {
                explains[n] = place(values.wdl(&same)?) == place(there);
            }
        }
        Ok(match explains {
            [true, false] => 0,
            [false, true] => 1,
            [true, true] => 2,
            [false, false] => 3,
        })
    })
}

/// The results of the first side (won, drawn, lost), by the side to move.
const BY_TURN: [&str; 2] = ["white_to_move", "black_to_move"];

/// Counts who wins with two kings against other men.
fn two_kings<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let values = class.values::<Results>()?;
    let limited = class.values_in::<Results>(1)?;
    let is_claimed = class.material.len() == 3;
    visiting(move |tally, spot| {
        let turn = spot.turn();
        let result = place(values.wdl(turn, spot.index));
        let for_white = match turn {
            Colour::White => result,
            Colour::Black => 2 - result,
        };
        tally.add("positions");
        tally.add((BY_TURN[turn.index()], for_white));
        tally.add(("result", for_white));
        // The same material has the same index in both.
        if limited.wdl(turn, spot.index).is_cursed() {
            tally.add("cursed");
            tally.show("cursed", spot.position);
        }
        if is_claimed {
            tally.add("claimed");
            tally.add_if(for_white == 0, "claimed_won");
            tally.show(if for_white == 0 { "win" } else { "no_win" }, spot.position);
        }
        Ok(())
    })
}

/// The plies of the longest wins of either side, by the side to move.
const LONGEST: [[&str; 2]; 2] = [
    [
        "white_to_move_first_longest",
        "white_to_move_second_longest",
    ],
    [
        "black_to_move_first_longest",
        "black_to_move_second_longest",
    ],
];

/// The longest wins of a class, and the men of the side to move.
fn tell_longest_wins(class: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    let longest = class
        .inquiry
        .study
        .longest_wins(class.game(), class.material)?;
    for (names, longest) in LONGEST.iter().zip(longest) {
        for (name, plies) in names.iter().zip(longest) {
            counted.set(name, json!(plies));
        }
    }
    let all = longest.as_flattened().iter().flatten().max();
    let text = all.map_or("none".to_owned(), u32::to_string);
    counted.set("longest_plies", text);
    for (name, side) in [
        ("white_to_move_side", "first"),
        ("black_to_move_side", "second"),
    ] {
        counted.set(name, counted.values[side].clone());
    }
    Ok(())
}

/// Checks that only a change of royalty answers.
fn escapes<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let escapes = Colour::BOTH.map(|side| has_spare_kings(class.game(), class.material, side));
    visiting(move |tally, spot| {
        let position = spot.position;
        tally.add("positions");
        if !escapes[spot.turn().index()] || !position.is_check() {
            return Ok(());
        }
        tally.add("checks");
        let moves = position.legal_moves();
        if moves.is_empty() || !moves.iter().all(|&mv| passes_royalty(position, mv)) {
            return Ok(());
        }
        let by_promotion = moves.iter().all(|mv| mv.promotion == Some(PieceType::King));
        tally.add("only_royalty_escapes");
        tally.add_if(by_promotion, "by_promotion");
        tally.show(
            if by_promotion {
                "by_promotion"
            } else {
                "by_move"
            },
            position,
        );
        Ok(())
    })
}

/// Whether a move makes another king royal than the one that was.
fn passes_royalty(position: &Position, mv: Move) -> bool {
    let turn = position.turn();
    let (before, after) = (position.royals(turn), position.play(mv).royals(turn));
    // The royal king itself may have moved.
    match before.contains(mv.from) {
        true => !after.contains(mv.to),
        false => before != after,
    }
}

/// Positions that have another value, or are none, with the colours swapped.
fn flaws<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let values = class.values::<Results>()?;
    let swapped = class.material.swapped();
    let swapped = Lookup::<Results>::only(class.library(), class.game(), &swapped)?;
    visiting(move |tally, spot| {
        tally.add("positions");
        let image = spot.position.with_colours_swapped(Interchange::MirrorRanks);
        let kind = match image {
            None => "not_a_position",
            Some(image) => {
                let mine = values.wdl(spot.turn(), spot.index);
                if place(mine) == place(swapped.wdl(&image)?) {
                    return Ok(());
                }
                "other_value"
            }
        };
        tally.add(kind);
        tally.show(kind, spot.position);
        Ok(())
    })
}

/// Whether the first side wins, by the side to move.
fn boards<'a>(class: &'a Class<'a>) -> Result<Visitor<'a>, ClaimError> {
    let values = class.values::<Results>()?;
    visiting(move |tally, spot| {
        let turn = spot.turn();
        let result = place(values.wdl(turn, spot.index));
        let wins = result == if turn == Colour::White { 0 } else { 2 };
        tally.add("positions");
        tally.add(("turn", turn.index()));
        tally.add_if(wins, ("turn_won", turn.index()));
        if turn == Colour::White && !wins && class.at > 0 {
            tally.show("not_won", spot.position);
        }
        Ok(())
    })
}

/// Whether a class counts as won on a board.
fn tell_board(class: &Class, counted: &mut Counted) -> Result<(), ClaimError> {
    let geometry = class.game().geometry();
    let [[longest, _], _] = class
        .inquiry
        .study
        .longest_wins(class.game(), class.material)?;
    let won = counted.signed("10*turn_won - 9*turn") >= 0;
    counted.set("board", format!("{}x{}", geometry.files, geometry.ranks));
    counted.set("longest", json!(longest));
    counted.set("counts_as_won", won);
    let lead = match class.at {
        0 => format!("; {}: ", class.material),
        _ => ", ".to_owned(),
    };
    counted.set("lead", lead);
    counted.set("won", if won { "won" } else { "not won" });
    let plies = longest.map_or("no win".to_owned(), |plies| format!("{plies} plies"));
    counted.set("plies", plies);
    let board = if class.at == 0 { "on_8x8" } else { "on_larger" };
    counted.add((board, class.number), won.into());
    Ok(())
}

/// Counts the larger boards, two for each class that is won on 8x8, and those on which it is
/// won as well.
fn compare_boards(_: &Inquiry, found: &mut Findings) -> Result<(), ClaimError> {
    let counted = &mut found.counted;
    let (all, won): (Vec<u64>, Vec<u64>) =
        std::iter::zip(counted.list("on_8x8"), counted.list("on_larger"))
            .map(|(&here, &there)| (2 * here, here * there))
            .unzip();
    counted.add(("larger_boards", 0), all.iter().sum());
    counted.add(("larger_boards_won", 0), won.iter().sum());
    let text = counted.say("{each_class}");
    counted.set("each_class", text.trim_start_matches("; "));
    Ok(())
}
