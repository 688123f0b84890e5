//! Counts what claims count once more, by plain loops over the squares of the whole board.
//!
//! There is no index, no symmetry, no weights, and every value is probed for.

use retrograde_index::Wdl;
use retrograde_probe::Tablebase;
use retrograde_rules::{
    Colour, Counters, End, Interchange, Material, MoveKind, Piece, PieceType, Position, Square,
};
use serde_json::Value;

use super::doctored::copy;
use super::{answer, answer_of, game, material, tables};
use crate::countings::high_chess::VITALITY;
use crate::tables::{Results, Volume};

/// Every position of a material of two or three men without two of a kind.
fn positions(id: &str, name: &str) -> Vec<Position> {
    let game = game(id);
    let pieces: Vec<Piece> = material(game, name).pieces().collect();
    let squares = || (0..game.geometry().squares() as u8).map(Square);
    let mut placements: Vec<Vec<Square>> = vec![Vec::new()];
    for _ in &pieces {
        placements = placements
            .into_iter()
            .flat_map(|placed| squares().map(move |square| [placed.clone(), vec![square]].concat()))
            .collect();
    }
    let twins = pieces.windows(2).position(|pair| pair[0] == pair[1]);
    placements.retain(|placed| twins.is_none_or(|at| placed[at] < placed[at + 1]));
    placements
        .iter()
        .flat_map(|placed| {
            let placed = || pieces.iter().copied().zip(placed.iter().copied());
            Colour::BOTH.map(|turn| Position::from_pieces(game, placed(), turn))
        })
        .flatten()
        .collect()
}

fn probe(id: &str) -> Tablebase {
    Tablebase::open(game(id), [tables()]).unwrap()
}

/// The row of a material in the figures of a claim.
fn row(tag: &str, list: &str, name: &str) -> Value {
    let figures = answer(tag).figures;
    let rows = figures[list].as_array().unwrap();
    let found = rows.iter().find(|row| row["material"] == name);
    found
        .unwrap_or_else(|| panic!("{name} is none of {rows:?}"))
        .clone()
}

fn check(row: &Value, counts: &[(&str, usize)]) {
    for &(name, count) in counts {
        assert_eq!(row[name].as_u64(), Some(count as u64), "{name} of {row}");
    }
}

fn winner(tables: &Tablebase, position: &Position) -> Option<Colour> {
    tables.wdl(position).unwrap().winner(position.turn())
}

#[test]
fn hc0_of_a_bishop() {
    let (high_chess, orthodox) = (probe("high-chess"), probe("orthodox"));
    let all = positions("high-chess", "KBvK");
    let drawn: Vec<&Position> = all
        .iter()
        .filter(|position| {
            let pieces = position.board().pieces();
            let same = Position::from_pieces(orthodox.game(), pieces, position.turn()).unwrap();
            winner(&orthodox, &same).is_none()
        })
        .collect();
    let by_high = |p: &&&Position| winner(&high_chess, p) == Some(VITALITY.high(p));
    check(
        &row("HC0", "by_class", "KBvK"),
        &[
            ("positions", all.len()),
            ("drawn_in_orthodox", drawn.len()),
            ("won_by_high", drawn.iter().filter(by_high).count()),
        ],
    );
}

#[test]
fn hc5_of_a_queen() {
    let (high_chess, orthodox) = (probe("high-chess"), game("orthodox"));
    let all = positions("high-chess", "KvKQ");
    let stalemates: Vec<&Position> = all
        .iter()
        .filter(|position| {
            let pieces = position.board().pieces();
            let same = Position::from_pieces(orthodox, pieces, position.turn()).unwrap();
            same.end() == Some(End::Stalemate { winner: None })
        })
        .collect();
    let wins = |p: &&&Position| winner(&high_chess, p) == Some(p.turn());
    check(
        &row("HC5", "by_class", "KvKQ"),
        &[
            ("stalemates", stalemates.len()),
            ("won", stalemates.iter().filter(wins).count()),
        ],
    );
}

#[test]
fn hc7_of_two_kings() {
    let high_chess = probe("high-chess");
    let all = positions("high-chess", "KvK");
    let changes = |position: &Position, side: Colour| {
        let curve = high_chess.vitality(position).unwrap().curve;
        (1..=50).any(|other| {
            let wins = |mine: u8| match side {
                Colour::White => curve.white_wins(Counters {
                    white: mine,
                    black: other,
                }),
                Colour::Black => !curve.white_wins(Counters {
                    white: other,
                    black: mine,
                }),
            };
            (1..50).any(|mine| wins(mine) != wins(50))
        })
    };
    let high = |position: &&Position| changes(position, VITALITY.high(position));
    let low = |position: &&Position| changes(position, VITALITY.high(position).other());
    let by_low = all.iter().filter(low).count();
    assert!(by_low > 0);
    check(
        &row("HC7", "by_class", "KvK"),
        &[
            ("positions", all.len()),
            ("changed_somewhere", all.iter().filter(high).count()),
            ("changed_somewhere_by_low_counter", by_low),
        ],
    );
}

#[test]
fn c99_3_of_a_knight() {
    let chess99 = probe("chess99");
    let all = positions("chess99", "KNvK");
    let won = |position: &&Position| winner(&chess99, position) == Some(Colour::White);
    check(
        &row("C99-3", "by_class", "KNvK"),
        &[
            ("positions", all.len()),
            ("won", all.iter().filter(won).count()),
        ],
    );
}

/// A made-up value: all positions in check are drawn, and all others are lost by whoever led
/// to them. With a right to capture en passant a capture may be better.
fn made_up(tables: &Tablebase, position: &Position) -> Wdl {
    let turn = position.turn();
    if let Some(end) = position.finished() {
        return Wdl::of_winner(end.winner(turn), turn);
    }
    if position.board().occupied().len() < 3 {
        return tables.wdl(position).unwrap();
    }
    let moves = position.legal_moves();
    let captures = moves.iter().filter(|mv| mv.kind == MoveKind::EnPassant);
    let captures = captures.map(|mv| made_up(tables, &position.play(*mv)).reversed());
    let quiet = if position.is_check() {
        Wdl::Draw
    } else {
        Wdl::Win
    };
    captures.min().map_or(quiet, |best| best.min(quiet))
}

/// Double checks that are needed, with rights to capture en passant and without.
#[test]
fn c99_2_of_a_pawn_with_made_up_values() {
    let (chess99, tables) = (game("chess99"), probe("chess99"));
    let attacked = |position: &Position| Colour::BOTH.into_iter().all(|c| position.in_check(c));
    let [mut drawn, mut needed, mut by_one, mut rights] = [0; 4];
    for position in positions("chess99", "KPvK") {
        let with_rights = (0..81).map(Square).filter_map(|square| {
            let setup = retrograde_rules::Setup {
                ep: Some(square),
                ..position.setup()
            };
            let right = Position::new(chess99, &setup).ok()?;
            right.ep().is_some().then_some(right)
        });
        for position in with_rights.chain([position]) {
            if !position.is_check() || made_up(&tables, &position) != Wdl::Draw {
                continue;
            }
            drawn += 1;
            let moves = position.legal_moves();
            let after: Vec<Position> = moves.iter().map(|mv| position.play(*mv)).collect();
            let (losing, keeping): (Vec<&Position>, Vec<&Position>) =
                (after.iter()).partition(|after| made_up(&tables, after) == Wdl::Win);
            let is_such = |after: &&Position| {
                made_up(&tables, after) == Wdl::Draw
                    && after.finished().is_none()
                    && attacked(after)
            };
            if !losing.is_empty() && !keeping.is_empty() && keeping.iter().all(is_such) {
                needed += 1;
                by_one += usize::from(keeping.len() == 1);
                rights += usize::from(position.ep().is_some());
            }
        }
    }
    let outcome = answer_of("C99-2", 3, None, |library| {
        for name in ["KQvK", "KAvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
            let material = material(chess99, name);
            let pieces: Vec<Piece> = material.pieces().collect();
            let mut values = Results::clone(&*library.read(chess99, &material).unwrap());
            let index = values.index().clone();
            values.doctor(|turn, n, wdl| {
                let mut squares = vec![Square(0); pieces.len()];
                index.decode(n, &mut squares);
                let placed = pieces.iter().copied().zip(squares);
                let position = Position::from_pieces(chess99, placed, turn);
                position.map_or(wdl, |position| made_up(&tables, &position))
            });
            library.put(chess99, &material, values);
        }
    });
    let rows = outcome.figures["by_class"].as_array().unwrap();
    let row = rows.iter().find(|row| row["material"] == "KPvK").unwrap();
    check(
        row,
        &[
            ("only_a_double_check_draws", needed),
            ("by_a_single_move", by_one),
            ("with_an_ep_right", rights),
        ],
    );
    assert!(drawn > needed && needed > by_one && by_one > rights && rights > 0);
}

/// Rights to capture en passant in KPvK, which only the king can use: does that change who
/// wins?
#[test]
fn c99_5_of_a_pawn_that_a_king_may_take() {
    let chess99 = probe("chess99");
    let (mut rights, mut changed) = (0, 0);
    for position in positions("chess99", "KPvK") {
        // A pawn passes squares of its own file alone.
        let pawns = position.board().piece_type(PieceType::Pawn);
        let files = (0..81).filter(|at| pawns.into_iter().any(|pawn| pawn.0 % 9 == at % 9));
        for square in files.map(Square) {
            let setup = retrograde_rules::Setup {
                ep: Some(square),
                ..position.setup()
            };
            let right = Position::new(game("chess99"), &setup).ok();
            if let Some(right) = right.filter(|right| right.ep().is_some()) {
                rights += 1;
                changed += usize::from(winner(&chess99, &right) != winner(&chess99, &position));
            }
        }
    }
    let figures = answer_of("C99-5", 3, None, |library| {
        copy(library, "chess99", "chess99:ep-by=pawn", |_, wdl| wdl);
    })
    .figures;
    let row = &figures["by_class_with_an_ep_right"][0];
    check(row, &[("positions", rights), ("other_value", changed)]);
    assert!(rights > 0);
}

/// Lone knights whose position a capture settles.
#[test]
fn c99_3_of_a_knight_and_captures() {
    let chess99 = probe("chess99");
    let (mut by_king, mut by_man) = (0, 0);
    for position in positions("chess99", "KNvK") {
        let value = chess99.wdl(&position).unwrap();
        let after = |mv: &retrograde_rules::Move| position.play(*mv);
        let keeps = |mv: &&retrograde_rules::Move| {
            mv.is_capture() && chess99.wdl(&after(mv)).unwrap().reversed() == value
        };
        let moves = position.legal_moves();
        let keeping: Vec<bool> = moves
            .iter()
            .filter(keeps)
            .map(|mv| after(mv).finished().is_some())
            .collect();
        if value != retrograde_probe::Wdl::Loss {
            by_king += usize::from(keeping.contains(&true));
            by_man += usize::from(!keeping.is_empty() && !keeping.contains(&true));
        }
    }
    check(
        &row("C99-3", "by_class", "KNvK"),
        &[
            ("settled_by_capturing_the_king", by_king),
            ("settled_by_capturing_a_man", by_man),
        ],
    );
}

/// A bare king has no other king that could become royal, so checks to it do not count; and it
/// cannot give check itself.
#[test]
fn k5_leaves_out_checks_to_a_bare_king() {
    let all = positions("kings", "KKvK");
    let mut checks = all.iter().filter(|position| position.is_check());
    assert!(checks.clone().count() > 0);
    assert!(checks.all(|position| position.turn() == Colour::Black));
    let figures = answer("K-5").figures;
    assert_eq!(figures["checks"], 0);
    assert_eq!(figures["by_class"], serde_json::json!([]));
}

/// Classes that differ in their colours alone count once.
#[test]
fn k6_of_two_kings_once() {
    let wild9 = probe("wild9");
    let all = positions("wild9", "KKvK");
    let swapped = |position: &Position| position.with_colours_swapped(Interchange::MirrorRanks);
    let wdl = |position: &Position| wild9.wdl(position).unwrap();
    let foreign = all.iter().filter(|p| swapped(p).is_none()).count();
    let changed = all
        .iter()
        .filter(|p| swapped(p).is_some_and(|other| wdl(p) != wdl(&other)))
        .count();
    let outcome = answer("K-6");
    check(
        &Value::Object(outcome.figures.clone()),
        &[
            ("positions", all.len()),
            ("other_value", changed),
            ("not_a_position", foreign),
        ],
    );
    let rows = outcome.figures["by_class"].as_array().unwrap();
    let names: Vec<&Value> = rows.iter().map(|row| &row["material"]).collect();
    assert_eq!(names, ["KKvK"]);
    assert!(foreign > 0);
    let is_foreign = |e: &&crate::example::Example| e.kind.contains("no position");
    assert!(outcome.examples.iter().any(|e| is_foreign(&e)));
}

/// The longest wins with either side to move.
#[test]
fn k4_of_two_kings() {
    let kings = probe("kings");
    let all = positions("kings", "KKvK");
    let longest = |turn| {
        let plies = all
            .iter()
            .filter(|position| position.turn() == turn)
            .map(|position| kings.probe(position).unwrap().value)
            .filter(|value| value.winner(turn) == Some(Colour::White))
            .map(|value| value.dtm.unwrap().0);
        plies.max()
    };
    let figures = answer_of("K-4", 3, None, |library| {
        copy(library, "kings", "kings:no-progress=100", |_, wdl| wdl);
    })
    .figures;
    let rows = figures["by_class_and_side_to_move"].as_array().unwrap();
    let found = |n: usize| rows[n]["first_side_longest_win_plies"].as_u64();
    for (n, turn) in Colour::BOTH.into_iter().enumerate() {
        assert_eq!(found(n), longest(turn).map(u64::from), "{turn:?}");
    }
    assert_ne!(found(0), found(1));
}

/// With the counters that are shown High loses, and with a full one of its own it wins.
#[test]
fn hc7_shows_counters_that_matter() {
    let high_chess = probe("high-chess");
    let outcome = answer("HC7");
    assert!(!outcome.examples.is_empty());
    for example in &outcome.examples {
        let position = Position::from_fen(game("high-chess"), &example.fen).unwrap();
        let high = VITALITY.high(&position);
        let counters = position.vitality().unwrap();
        let full = position.with_vitality(counters.with(high, 50)).unwrap();
        let winners = [position, full].map(|position| winner(&high_chess, &position));
        assert_eq!(winners, [Some(high.other()), Some(high)], "{}", example.fen);
    }
}

#[test]
fn every_kind_of_what_is_counted_is_shown() {
    for (tag, kind) in [
        ("C99-7", "is drawn"),
        ("O-3", "the longest win"),
        ("K-6", "no position"),
    ] {
        let outcome = answer(tag);
        let is_such = |e: &crate::example::Example| e.kind.contains(kind);
        assert!(outcome.examples.iter().any(is_such), "{tag}");
    }
}

#[test]
fn ex5_of_a_queen() {
    let (mating, base) = (game("extinction-mating"), probe("extinction"));
    let all = positions("extinction-mating", "KQvK");
    let stalemates = all
        .iter()
        .filter(|position| position.end() == Some(End::Stalemate { winner: None }));
    let results: Vec<Option<bool>> = stalemates
        .map(|position| {
            let pieces = position.board().pieces();
            let same = Position::from_pieces(base.game(), pieces, position.turn()).unwrap();
            winner(&base, &same).map(|winner| winner == position.turn())
        })
        .collect();
    let count = |result| results.iter().filter(|&&r| r == result).count();
    assert_eq!(mating.id(), "extinction-mating");
    check(
        &row("EX-5", "by_class", "KQvK"),
        &[
            ("lost", count(Some(false))),
            ("drawn", count(None)),
            ("won", count(Some(true))),
        ],
    );
}

/// In wild 9 White's tie-break is that of kings, Black's is not: so two kings of Black tell.
#[test]
fn k3_of_two_kings_of_either_colour() {
    let (kings, wild9) = (probe("kings"), probe("wild9"));
    let figures = answer_of("K-3", 3, None, |library| {
        for option in ["kings:tie-break=rank1", "kings:promote-to-king=off"] {
            copy(library, "kings", option, |_, wdl| wdl);
        }
    })
    .figures;
    let rows = figures["by_class"].as_array().unwrap();
    let mut both = Vec::new();
    for name in ["KKvK", "KvKK"] {
        let pairs: Vec<(Position, Position)> = positions("kings", name)
            .into_iter()
            .filter_map(|position| {
                let pieces = position.board().pieces();
                let same = Position::from_pieces(wild9.game(), pieces, position.turn())?;
                Some((position, same))
            })
            .collect();
        let differ = |(a, b): &&(Position, Position)| winner(&kings, a) != winner(&wild9, b);
        let differing = pairs.iter().filter(differ).count();
        let row = rows.iter().find(|row| row["material"] == name).unwrap();
        check(
            row,
            &[("positions", pairs.len()), ("other_value", differing)],
        );
        both.push((pairs.len(), differing));
    }
    assert_ne!(both[0], both[1]);
}

/// A [`Material`] is named alike in all of these.
#[test]
fn loops_see_the_whole_board() {
    assert_eq!(positions("high-chess", "KvK").len(), 2 * 3612);
    let name = |id, name| Material::parse(game(id), name).unwrap().to_string();
    assert_eq!(name("kings", "KKvK"), "KKvK");
}
