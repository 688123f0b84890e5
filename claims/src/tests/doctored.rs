//! Tests that other values or other rules give each claim another verdict.

use retrograde_index::{Helpmate, ThresholdCurve, Wdl};
use retrograde_rules::{Colour, Game, Interchange, Piece, PieceType, Position};
use serde_json::Value;

use super::{
    Shipped, answer, answer_if_lost, answer_of, answer_of_kings, doctor_winners, game, material,
};
use crate::Verdict::{self, Fails, Holds, HoldsMostly, NotDecidable};
use crate::countings::high_chess::VITALITY;
use crate::scope::Supply;
use crate::tables::{Curves, Helpmates, Library, Results};

/// The verdict on KvK of High Chess if the winners are those that `winner` says.
fn with_winners(tag: &str, winner: impl Fn(&Position) -> Option<Colour>) -> Verdict {
    answer_of(tag, 2, None, |library| doctor_winners(library, 2, &winner)).verdict
}

fn distance(position: &Position, colour: Colour) -> u8 {
    let king = position.board().of(Piece::new(colour, PieceType::King));
    VITALITY.distance(king.first().unwrap())
}

#[test]
fn hc0_and_hc2_depend_on_who_wins() {
    assert_eq!(answer_of_kings("HC0").verdict, HoldsMostly);
    assert_eq!(with_winners("HC0", |p| Some(VITALITY.high(p))), Holds);
    assert_eq!(
        with_winners("HC0", |p| Some(VITALITY.high(p).other())),
        Fails
    );
    assert_eq!(answer_of_kings("HC2").verdict, HoldsMostly);
    let first = |p: &Position| match distance(p, Colour::White).cmp(&distance(p, Colour::Black)) {
        std::cmp::Ordering::Less => Some(Colour::White),
        std::cmp::Ordering::Greater => Some(Colour::Black),
        std::cmp::Ordering::Equal => Some(p.turn()),
    };
    assert_eq!(with_winners("HC2", first), Holds);
    assert_eq!(with_winners("HC2", |p| first(p).map(Colour::other)), Fails);
}

#[test]
fn hc1_finds_the_draws_of_a_game_that_has_them() {
    assert_eq!(answer_of_kings("HC1").verdict, Holds);
    let orthodox = answer_of("HC1", 3, Some(("high-chess", Game::default())), |_| {});
    assert_ne!(orthodox.verdict, Holds);
    assert!(orthodox.figures["drawn"].as_u64() > Some(0));
}

#[test]
fn hc3_is_of_four_men_and_compares_needs() {
    assert_eq!(answer("HC3").verdict, NotDecidable);
    for (least, mates, verdict) in [(1, 51, Holds), (9, 9, Fails)] {
        let outcome = answer_of("HC3", 4, None, |library| {
            let high = game("high-chess");
            for (name, curve) in [
                (
                    "KBNvK",
                    ThresholdCurve::constant(retrograde_rules::Counters::up_to(50), least),
                ),
                (
                    "KvKBN",
                    ThresholdCurve::constant(retrograde_rules::Counters::up_to(50), 51),
                ),
            ] {
                let material = material(high, name);
                let curves = Curves::filled(high, &material, curve, [mates, 51]);
                library.put(high, &material, curves);
            }
            let orthodox = game("orthodox");
            let material = material(orthodox, "KBNvK");
            let values = Results::filled(orthodox, &material, |_, _| Wdl::Draw);
            library.put(orthodox, &material, values);
        });
        assert_eq!(outcome.verdict, verdict);
    }
}

#[test]
fn hc4_sees_a_zugzwang_of_high() {
    assert_eq!(answer("HC4").verdict, Holds);
    // Whoever is to move loses.
    assert_ne!(with_winners("HC4", |p| Some(p.turn().other())), Holds);
}

#[test]
fn hc5_asks_who_loses_a_stalemate() {
    assert_eq!(answer("HC5").verdict, Holds);
    let winning = |library: &Library| doctor_winners(library, 3, |p| Some(p.turn()));
    assert_eq!(answer_of("HC5", 3, None, winning).verdict, Fails);
}

#[test]
fn hc6_weighs_white_against_black() {
    assert_eq!(answer_of_kings("HC6").verdict, Fails);
    let even = |p: &Position| {
        let pieces = p.board().pieces().map(|(_, square)| usize::from(square.0));
        Some(if pieces.sum::<usize>() % 2 == 0 {
            Colour::White
        } else {
            Colour::Black
        })
    };
    assert_ne!(with_winners("HC6", even), Fails);
}

#[test]
fn hc7_counts_where_the_curve_bends() {
    assert_eq!(answer_of_kings("HC7").verdict, Holds);
    // So many points White needs: few are rarely missing, many often.
    for (needs, verdict) in [(3, HoldsMostly), (50, Fails)] {
        let outcome = answer_of("HC7", 2, None, |library| {
            let high = game("high-chess");
            let material = material(high, "KvK");
            let curve = ThresholdCurve::constant(retrograde_rules::Counters::up_to(50), needs);
            library.put(
                high,
                &material,
                Curves::filled(high, &material, curve, [1, 1]),
            );
        });
        assert_eq!(outcome.verdict, verdict, "{needs}");
    }
}

#[test]
fn hc8_compares_winning_moves_with_all_moves() {
    assert_eq!(answer_of_kings("HC8").verdict, Holds);
    // Whoever has stayed away from the centre wins.
    let outside = |p: &Position| {
        let mover = p.turn().other();
        Some(if distance(p, mover) >= 2 {
            mover
        } else {
            p.turn()
        })
    };
    assert_ne!(with_winners("HC8", outside), Holds);
}

/// Puts the values of a game in place of those of the same game with options.
fn copy_curves(library: &Library, every: u64, change: Option<ThresholdCurve>) {
    let (from, to) = (game("high-chess"), game("high-chess:vital-restores=both"));
    for material in Shipped.materials(from, 2) {
        let mut curves = Curves::clone(&*library.read(from, &material).unwrap());
        curves.doctor(|_, n| change.filter(|_| n % every == 0));
        library.put(to, &material, curves);
    }
}

#[test]
fn hc9_compares_both_readings() {
    let verdict =
        |every, change| answer_of("HC9", 2, None, |l| copy_curves(l, every, change)).verdict;
    assert_eq!(verdict(1, None), Holds);
    // White wins there, and so another side in half of these.
    let white = Some(ThresholdCurve::constant(
        retrograde_rules::Counters::up_to(50),
        1,
    ));
    assert_eq!(verdict(7, white), HoldsMostly);
    assert_eq!(verdict(2, white), Fails);
    // With full counters the winner is the same.
    let few = answer_of("HC9", 2, None, |library| {
        copy_curves(
            library,
            1,
            Some(ThresholdCurve::constant(
                retrograde_rules::Counters::up_to(50),
                50,
            )),
        );
        let (from, to) = (game("high-chess:vital-restores=both"), game("high-chess"));
        let material = material(to, "KvK");
        let curve = ThresholdCurve::constant(retrograde_rules::Counters::up_to(50), 49);
        let curves = Curves::filled(to, &material, curve, [51, 51]);
        assert!(library.read::<Curves>(from, &material).is_ok());
        library.put(to, &material, curves);
    });
    assert_eq!(few.verdict, HoldsMostly);
    assert_eq!(few.figures["other_winner"], 0);
}

#[test]
fn hc10_asks_what_decides() {
    assert_eq!(answer_of_kings("HC10").verdict, Fails);
    assert_eq!(answer("HC10").verdict, HoldsMostly);
    let outcome = answer_of("HC10", 2, None, |library| {
        let high = game("high-chess");
        for material in Shipped.materials(high, 2) {
            let mut curves = Curves::clone(&*library.read(high, &material).unwrap());
            curves.doctor_mates([1, 1]);
            library.put(high, &material, curves);
        }
    });
    assert_eq!(outcome.verdict, Holds);
}

#[test]
fn hc11_asks_which_game_is_nearer_to_one_half() {
    assert_eq!(answer("HC11").verdict, Holds);
    assert_eq!(with_winners("HC11", |_| Some(Colour::White)), Fails);
}

/// Puts the values of a game in place of those of another, changed.
pub(super) fn copy(library: &Library, from: &str, to: &str, change: impl Fn(u64, Wdl) -> Wdl) {
    let (from, to) = (game(from), game(to));
    for material in Shipped.materials(from, 3) {
        if to.needs_no_table(&material) {
            continue;
        }
        let mut values = Results::clone(&*library.depths(from, &material).unwrap());
        values.doctor(|_, n, wdl| change(n, wdl));
        library.put(to, &material, values);
        // What is one table there may be two here.
        let (other, _) = material.swapped().normal(to);
        if from.interchange(&material) != Interchange::Never && other != material {
            let values = Results::filled(to, &other, |_, n| change(n, Wdl::Draw));
            library.put(to, &other, values);
        }
    }
}

const WIN: &str = "chess99:king-capture-in-check=win";
const NO_CASTLING: &str = "chess99:castling=off";

/// With the values of a game being those of another, changed.
#[test]
fn verdicts_depend_on_values() {
    type Change = fn(u64, Wdl) -> Wdl;
    let some: Change = |n, wdl| if n % 1000 == 0 { wdl.reversed() } else { wdl };
    let cursed: Change = |n, wdl| if n % 99 == 0 { wdl.cursed() } else { wdl };
    let cases: [(&str, &str, &str, Change, Verdict); 13] = [
        ("C99-2", "chess99", WIN, |_, _| Wdl::Loss, Holds),
        ("C99-2", "chess99", WIN, |_, _| Wdl::Win, Fails),
        ("C99-3", "chess99", "chess99", |_, _| Wdl::Draw, Holds),
        ("C99-6", "chess99", NO_CASTLING, |_, wdl| wdl, NotDecidable),
        ("C99-6", "chess99", NO_CASTLING, some, Holds),
        ("C99-7", "chess99", "chess99", |_, _| Wdl::Draw, Holds),
        ("C99-7", "chess99", "chess99", |_, _| Wdl::Win, Fails),
        ("K-4", "kings", "kings", |_, _| Wdl::Draw, Fails),
        ("K-4", "kings", "kings", |_, wdl| wdl, HoldsMostly),
        ("K-6", "wild9", "wild9", some, Holds),
        ("EX-5", "extinction", "extinction", |_, _| Wdl::Loss, Holds),
        ("EX-5", "extinction", "extinction", |_, _| Wdl::Win, Fails),
        ("O-3", "orthodox", "orthodox", cursed, Holds),
    ];
    for (tag, from, to, change, verdict) in cases {
        let outcome = answer_of(tag, 3, None, |library| copy(library, from, to, change));
        assert_eq!(outcome.verdict, verdict, "{tag}: {to} as {from}");
    }
}

/// In the place of a game another one, or the game with an option, its values as they are.
#[test]
fn verdicts_depend_on_rules() {
    for (tag, of, rules, verdict) in [
        ("C99-3", "chess99", "chess99", HoldsMostly),
        ("C99-6", "chess99", NO_CASTLING, Fails),
        ("C99-7", "chess99", "chess99", Fails),
        ("K-2", "kings", "kings", NotDecidable),
        ("K-2", "kings", "kings:promote-to-king=off", Fails),
        ("K-5", "kings", "kings", NotDecidable),
        ("K-5", "kings", "orthodox", Fails),
        ("K-6", "wild9", "wild9", NotDecidable),
        ("K-6", "wild9", "kings", Fails),
        (
            "EX-2",
            "extinction-mating",
            "extinction-mating",
            NotDecidable,
        ),
        ("EX-2", "extinction-mating", "orthodox", Fails),
        (
            "EX-3",
            "extinction-mating",
            "extinction-mating",
            NotDecidable,
        ),
        ("EX-3", "extinction-mating", "orthodox", Fails),
        ("EX-4", "extinction-mating", "orthodox", NotDecidable),
        ("O-1", "orthodox", "king-of-the-hill", NotDecidable),
        ("O-3", "orthodox", "orthodox", NotDecidable),
        ("O-3", "orthodox", "king-of-the-hill", Fails),
    ] {
        let outcome = answer_of(tag, 3, Some((of, game(rules))), |library| {
            if rules.contains(':') {
                copy(library, of, rules, |_, wdl| wdl);
            }
        });
        assert_eq!(outcome.verdict, verdict, "{tag}: {rules} for {of}");
    }
}

/// If all positions of a class are lost by the side to move.
#[test]
fn verdicts_depend_on_classes() {
    for (tag, id, class, verdict) in [
        ("K-5", "kings", "KKvKR", Holds),
        ("EX-2", "extinction-mating", "KRvKB", Holds),
        ("EX-3", "extinction-mating", "KRvKB", Holds),
    ] {
        assert_eq!(answer_if_lost(tag, id, class).verdict, verdict, "{tag}");
    }
}

#[test]
fn c99_4_finds_stalemates_where_there_are_any() {
    // None in the tables, but one of more men.
    let as_it_is = answer("C99-4");
    assert_eq!(as_it_is.verdict, HoldsMostly);
    assert_eq!(as_it_is.figures["blocked"], 0);
    assert_eq!(as_it_is.figures["blocked_by_the_rules_alone"], 1);
    let orthodox = answer_of("C99-4", 3, Some(("chess99", Game::default())), |_| {});
    assert_eq!(orthodox.verdict, HoldsMostly);
    assert!(orthodox.figures["blocked"].as_u64() > Some(0));
    // Two bare kings never block each other.
    let hill = game("king-of-the-hill");
    let kings = answer_of("C99-4", 2, Some(("chess99", hill)), |_| {});
    assert_eq!(kings.verdict, Holds);
}

#[test]
fn c99_5_asks_both_with_a_right_and_without() {
    let option = "chess99:ep-by=pawn";
    let with = |change: fn(u64, Wdl) -> Wdl| {
        answer_of("C99-5", 3, None, |library| {
            copy(library, "chess99", option, change);
        })
    };
    assert_eq!(with(|_, wdl| wdl).verdict, NotDecidable);
    // The pawn wins, unless the king may take it.
    let rights = answer_of("C99-5", 3, None, |library| {
        for id in ["chess99", option] {
            let game = game(id);
            copy(library, "chess99", id, |_, wdl| wdl);
            let material = material(game, "KPvK");
            let values = Results::filled(game, &material, |turn, _| match turn {
                Colour::White => Wdl::Win,
                Colour::Black => Wdl::Loss,
            });
            library.put(game, &material, values);
        }
    });
    assert_eq!(rights.verdict, Holds);
    assert_eq!(rights.figures["other_value"], 0);
    assert!(rights.figures["other_value_with_an_ep_right"].as_u64() > Some(0));
    let values = with(|n, wdl| if n % 1000 == 0 { wdl.reversed() } else { wdl });
    assert!(values.figures["other_value"].as_u64() > Some(0));
    // Where the rule is missing it cannot matter.
    let without = answer_of("C99-5", 3, Some(("chess99", game(option))), |library| {
        copy(library, "chess99", option, |_, wdl| wdl);
    });
    assert_eq!(without.verdict, Fails);
}

#[test]
fn k1_needs_promotion_to_king() {
    assert_eq!(answer("K-1").verdict, Holds);
    let off = game("kings:promote-to-king=off");
    assert_eq!(
        answer_of("K-1", 3, Some(("kings", off)), |_| {}).verdict,
        HoldsMostly
    );
    // The puzzles are positions of eight files.
    let wide = game("kings:board=10x10");
    let outcome = answer_of("K-1", 3, Some(("kings", wide)), |_| {});
    assert_eq!(outcome.verdict, NotDecidable);
    assert!(outcome.answer.contains("8x8"), "{}", outcome.answer);
}

#[test]
fn k2_asks_what_promotion_to_king_is_worth() {
    // Two kings win, everything else is drawn, and waiting is no win.
    let outcome = answer_of("K-2", 3, None, |library| {
        let kings = game("kings");
        for name in ["KPvK", "KKvK", "KQvK", "KRvK", "KBvK", "KNvK"] {
            let material = material(kings, name);
            let values = Results::filled(kings, &material, |turn, _| match (name, turn) {
                ("KPvK", Colour::White) => Wdl::Win,
                ("KKvK", Colour::Black) => Wdl::Loss,
                _ => Wdl::Draw,
            });
            library.put(kings, &material, values);
        }
    });
    assert_eq!(outcome.verdict, Holds);
}

#[test]
fn k3_asks_which_option_explains_the_difference() {
    const OPTIONS: [&str; 2] = ["kings:tie-break=rank1", "kings:promote-to-king=off"];
    let with = |values: [Option<Wdl>; 2]| {
        answer_of("K-3", 3, None, |library| {
            copy(library, "wild9", "wild9", |_, _| Wdl::Win);
            for (option, value) in OPTIONS.into_iter().zip(values) {
                copy(library, "kings", option, |_, wdl| value.unwrap_or(wdl));
            }
        })
        .verdict
    };
    assert_eq!(with([Some(Wdl::Win), None]), Holds);
    assert_eq!(with([None, Some(Wdl::Win)]), Fails);
    let same = answer_of("K-3", 3, None, |library| {
        for id in ["wild9", OPTIONS[0], OPTIONS[1]] {
            copy(library, "kings", id, |_, _| Wdl::Draw);
        }
        copy(library, "kings", "kings", |_, _| Wdl::Draw);
    });
    assert_eq!(same.verdict, NotDecidable);
    assert!(same.answer.ends_with("are the same."), "{}", same.answer);
    // There is no wild 9 to compare with.
    for (id, words) in [
        ("kings:board=10x10", "8x8"),
        ("kings:promote-to-king=off,tie-break=rank1", "wild 9"),
    ] {
        let outcome = answer_of("K-3", 3, Some(("kings", game(id))), |_| {});
        assert_eq!(outcome.verdict, NotDecidable, "{id}");
        assert!(outcome.answer.contains(words), "{}", outcome.answer);
    }
}

#[test]
fn k7_asks_what_is_won_on_larger_boards() {
    let with = |value: Wdl| {
        answer_of("K-7", 3, None, |library| {
            for board in ["kings:board=10x8", "kings:board=10x10"] {
                let game = game(board);
                for name in ["KQvK", "KRvK", "KKvK"] {
                    let material = material(game, name);
                    let values = Results::filled(game, &material, |_, _| value);
                    library.put(game, &material, values);
                }
            }
        })
        .verdict
    };
    assert_eq!(with(Wdl::Win), Holds);
    assert_eq!(with(Wdl::Draw), Fails);
}

#[test]
fn ex1_gives_figures_and_no_verdict() {
    let differ = |outcome: crate::claim::Outcome| outcome.figures["other_value"].as_u64();
    let as_it_is = answer("EX-1");
    assert_eq!(as_it_is.verdict, NotDecidable);
    assert!(differ(as_it_is) > Some(0));
    let same = answer_of("EX-1", 3, None, |library| {
        copy(library, "extinction-mating", "extinction", |_, wdl| wdl);
    });
    assert_eq!(differ(same), Some(0));
}

#[test]
fn ex4_heeds_a_refutation_by_the_rules() {
    // In these tables no fork can be answered: there is the refutation alone.
    assert_eq!(answer("EX-4").verdict, Fails);
    let fork = answer_if_lost("EX-4", "extinction-mating", "KKvKN");
    assert_eq!(fork.verdict, HoldsMostly);
    assert_eq!(
        fork.figures["only_captures"],
        fork.figures["forks_with_an_answer"]
    );
    assert!(fork.answer.contains("8/5p2/8/8/r7/8/6p1/3Q3k b"));
    let rows = &fork.figures["by_the_rules_alone"];
    assert_eq!(rows[0]["attacked_royal_men"], "h1, a4");
    assert_eq!(rows[0]["only_captures"], Value::Bool(false));
    assert_eq!(rows[1]["only_captures"], Value::Null);
    assert_eq!(rows[1]["leave_the_man_attacked"], "c8=K");
    assert_eq!(fork.examples.len(), 2);
}

/// The answer to a claim about helpmates in the classes of three men, if those can be mated
/// that `value` says; where it says nothing, Black can, but for the classes of one minor
/// piece.
fn with_helpmates(
    tag: &str,
    value: impl Fn(&str, Colour, u64) -> Option<Helpmate>,
) -> crate::claim::Outcome {
    let game = Game::default();
    answer_of(tag, 3, None, |library| {
        for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
            let material = material(game, name);
            let usual = match name {
                "KBvK" | "KNvK" => Helpmate::DEAD,
                _ => Helpmate::of_mated(Colour::Black),
            };
            let helpmates = Helpmates::filled(game, &material, |turn, n| {
                value(name, turn, n).unwrap_or(usual)
            });
            library.put(game, &material, helpmates);
        }
    })
}

#[test]
fn o1_asks_whether_the_list_is_dead_and_what_else_is() {
    let verdict =
        |value: fn(&str, Colour, u64) -> Option<Helpmate>| with_helpmates("O-1", value).verdict;
    assert_eq!(verdict(|_, _, _| None), NotDecidable);
    let others = |name: &str, _, n| (name == "KRvK" && n % 999 == 0).then_some(Helpmate::DEAD);
    assert_eq!(verdict(others), Holds);
    const WHITE: Helpmate = Helpmate::of_mated(Colour::White);
    assert_eq!(
        verdict(|_, _, n| (n % 999 == 0).then_some(WHITE)),
        HoldsMostly
    );
    assert_eq!(verdict(|_, _, _| Some(WHITE)), Fails);
}

#[test]
fn o2_compares_mating_material_with_mates() {
    let usual = with_helpmates("O-2", |_, _, _| None);
    // Where the game is over by stalemate or mate, mating material is too late.
    assert_eq!(usual.verdict, Holds);
    assert_eq!(usual.figures["classes_that_differ"], serde_json::json!([]));
    let few = with_helpmates("O-2", |_, _, n| (n % 999 == 0).then_some(Helpmate::DEAD));
    assert_eq!(few.verdict, HoldsMostly);
    let knight = with_helpmates("O-2", |name, _, _| {
        (name == "KNvK").then_some(Helpmate::of_mated(Colour::Black))
    });
    assert_eq!(
        knight.figures["classes_that_differ"],
        serde_json::json!(["KN in KNvK"])
    );
    // The other way round everywhere.
    let fails = with_helpmates("O-2", |name, _, _| {
        Some(match name {
            "KBvK" | "KNvK" => Helpmate {
                white: true,
                black: true,
            },
            _ => Helpmate::of_mated(Colour::White),
        })
    });
    assert_eq!(fails.verdict, Fails);
}
