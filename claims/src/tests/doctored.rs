//! Tests that other values or other rules give each claim another verdict.

use retrograde_index::{Helpmate, Index, ThresholdCurve, Thresholds, Wdl};
use retrograde_rules::{
    Colour, CounterRange, Game, Interchange, Piece, PieceType, Position, Square,
};
use serde_json::Value;

use super::{
    Only, Shipped, answer, answer_if_lost, answer_of, answer_of_kings, doctor_winners, examine,
    game, material,
};
use crate::Verdict::{self, Fails, Follows, Holds, HoldsMostly, NotDecidable, Refuted};
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
    assert_eq!(answer_of_kings("HC1").verdict, Follows);
    let orthodox = answer_of("HC1", 3, Some(("high-chess", Game::default())), |_| {});
    assert_eq!(orthodox.verdict, Fails);
    assert!(orthodox.figures["drawn"].as_u64() > Some(0));
}

/// A curve that one side wins whatever the counters are.
fn won_by(winner: Colour) -> ThresholdCurve {
    ThresholdCurve::always(CounterRange::up_to(50), winner)
}

#[test]
fn hc3_compares_how_many_moves_keep_the_win() {
    assert_eq!(answer("HC3").verdict, NotDecidable);
    // Of the positions after a move of White, every so many is won in the two games.
    for (every_high, every_orthodox, verdict) in [(1, 2, Holds), (2, 1, Fails)] {
        let outcome = answer_of("HC3", 4, None, |library| {
            let (high, orthodox) = (game("high-chess"), game("orthodox"));
            for name in ["KBNvK", "KvKBN"] {
                let material = material(high, name);
                let mut curves = Curves::filled(high, &material, won_by(Colour::Black), [51, 51]);
                curves.doctor(|turn, n| {
                    let is_won = match turn {
                        Colour::White => n % 99 == 0,
                        Colour::Black => n % every_high == 0,
                    };
                    (name == "KBNvK" && is_won).then(|| won_by(Colour::White))
                });
                library.put(high, &material, curves);
            }
            let material = material(orthodox, "KBNvK");
            let values = Results::filled(orthodox, &material, |turn, n| match turn {
                Colour::White => Wdl::Win,
                Colour::Black if n % every_orthodox == 0 => Wdl::Loss,
                Colour::Black => Wdl::Draw,
            });
            library.put(orthodox, &material, values);
        });
        assert_eq!(outcome.verdict, verdict);
        assert_eq!(outcome.figures["dearer"], 0);
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

/// The verdict on a class with the same men on both sides, if White, to move, wins so many of a
/// hundred positions in each game, and Black the others; in orthodox chess and on the hill the last
/// ten are drawn.
fn of_even_class(tag: &str, [in_high, in_orthodox, on_the_hill]: [u64; 3]) -> Verdict {
    let library = Library::new(Vec::new());
    let high = game("high-chess");
    let class = material(high, "KNvKN");
    let mut curves = Curves::filled(high, &class, won_by(Colour::Black), [51, 51]);
    curves.doctor(|_, n| (n % 100 < in_high).then(|| won_by(Colour::White)));
    library.put(high, &class, curves);
    for (id, won) in [("orthodox", in_orthodox), ("king-of-the-hill", on_the_hill)] {
        let values = Results::filled(game(id), &class, |_, n| match n % 100 {
            n if n < won => Wdl::Win,
            90.. => Wdl::Draw,
            _ => Wdl::Loss,
        });
        library.put(game(id), &class, values);
    }
    examine(tag, 4, None, &Only(class), &library).verdict
}

#[test]
fn hc6_and_hc11_ask_which_game_is_nearer_to_one_half() {
    assert_eq!(answer("HC6").verdict, NotDecidable);
    assert_eq!(of_even_class("HC6", [55, 80, 50]), Holds);
    assert_eq!(of_even_class("HC6", [20, 44, 50]), Fails);
    assert_eq!(answer("HC11").verdict, NotDecidable);
    assert_eq!(of_even_class("HC11", [55, 80, 80]), Holds);
    assert_eq!(of_even_class("HC11", [80, 45, 46]), Fails);
}

/// Puts the values of every class of orthodox chess in place of those that there are.
fn put_orthodox(library: &Library, value: impl Fn(Colour, u64) -> Wdl) {
    let orthodox = Game::default();
    for material in Shipped.materials(orthodox, 3) {
        let values = Results::filled(orthodox, &material, &value);
        library.put(orthodox, &material, values);
    }
}

#[test]
fn hc12_and_hc13_compare_with_orthodox_chess() {
    assert_eq!(answer("HC12").verdict, HoldsMostly);
    let by_white = |turn, _| match turn {
        Colour::White => Wdl::Win,
        Colour::Black => Wdl::Loss,
    };
    for (winner, verdict) in [(Colour::White, Holds), (Colour::Black, Fails)] {
        let outcome = answer_of("HC12", 3, None, |library| {
            put_orthodox(library, by_white);
            // Classes whose stronger side is Black are looked up with the colours swapped.
            doctor_winners(library, 3, |p| {
                let is_first = p.material().side_len(Colour::White) > 1;
                Some(if is_first { winner } else { winner.other() })
            });
        });
        assert_eq!(outcome.verdict, verdict);
    }
    assert_ne!(answer("HC13").verdict, NotDecidable);
    let hill = |value: Wdl| {
        answer_of("HC13", 3, None, |library| {
            put_orthodox(library, |_, _| Wdl::Draw);
            copy(library, "king-of-the-hill", "king-of-the-hill", |_, _| {
                value
            });
        })
        .verdict
    };
    assert_eq!(hill(Wdl::Win), Holds);
    assert_eq!(hill(Wdl::Draw), Fails);
}

#[test]
fn hc7_counts_where_the_curve_bends() {
    assert_eq!(answer_of_kings("HC7").verdict, Holds);
    // Whoever has fewer points loses: some counter of either side always matters.
    let least: Vec<u8> = (1..=50).collect();
    let even = Thresholds::of(CounterRange::up_to(50), &least)
        .unwrap()
        .curve();
    for (every, verdict) in [(3, HoldsMostly), (1, Fails)] {
        let outcome = answer_of("HC7", 2, None, |library| {
            let high = game("high-chess");
            let material = material(high, "KvK");
            let mut curves = Curves::filled(high, &material, won_by(Colour::White), [1, 1]);
            curves.doctor(|_, n| (n % every == 0).then_some(even));
            library.put(high, &material, curves);
        });
        assert_eq!(outcome.verdict, verdict, "{every}");
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
    assert_eq!(verdict(7, Some(won_by(Colour::White))), HoldsMostly);
    let opposite = answer_of("HC9", 2, None, |library| {
        let (from, to) = (game("high-chess"), game("high-chess:vital-restores=both"));
        let material = material(from, "KvK");
        let curves = [Colour::White, Colour::Black]
            .map(|winner| Curves::filled(from, &material, won_by(winner), [51, 51]));
        let [here, there] = curves;
        library.put(from, &material, here);
        library.put(to, &material, there);
    });
    assert_eq!(opposite.verdict, Fails);
    // With full counters the winner is the same.
    let few = answer_of("HC9", 2, None, |library| {
        copy_curves(
            library,
            1,
            Some(ThresholdCurve::constant(CounterRange::up_to(50), 50)),
        );
        let (from, to) = (game("high-chess:vital-restores=both"), game("high-chess"));
        let material = material(to, "KvK");
        let curve = ThresholdCurve::constant(CounterRange::up_to(50), 49);
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

const NO_CASTLING: &str = "chess99:castling=off";

/// With the values of a game being those of another, changed.
#[test]
fn verdicts_depend_on_values() {
    type Change = fn(u64, Wdl) -> Wdl;
    let some: Change = |n, wdl| if n % 1000 == 0 { wdl.reversed() } else { wdl };
    let cursed: Change = |n, wdl| if n % 99 == 0 { wdl.cursed() } else { wdl };
    let cases: [(&str, &str, &str, Change, Verdict); 10] = [
        (
            "C99-2",
            "chess99",
            "chess99",
            |_, _| Wdl::Draw,
            NotDecidable,
        ),
        ("C99-3", "chess99", "chess99", |_, _| Wdl::Draw, Holds),
        ("C99-6", "chess99", NO_CASTLING, |_, wdl| wdl, NotDecidable),
        ("C99-6", "chess99", NO_CASTLING, some, Holds),
        ("C99-7", "chess99", "chess99", |_, _| Wdl::Draw, Holds),
        ("C99-7", "chess99", "chess99", |_, _| Wdl::Win, Fails),
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
        ("C99-7", "chess99", "chess99", Holds),
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
    assert_eq!(as_it_is.verdict, Refuted);
    assert_eq!(as_it_is.support, Some(1.0));
    assert_eq!(as_it_is.figures["blocked"], 0);
    assert_eq!(as_it_is.figures["blocked_by_the_rules_alone"], 1);
    let orthodox = answer_of("C99-4", 3, Some(("chess99", Game::default())), |_| {});
    assert_eq!(orthodox.verdict, Refuted);
    assert!(orthodox.figures["blocked"].as_u64() > Some(0));
    // Two bare kings never block each other.
    let hill = game("king-of-the-hill");
    let kings = answer_of("C99-4", 2, Some(("chess99", hill)), |_| {});
    assert_eq!(kings.verdict, Holds);
}

/// Black needs a double check if all is drawn with Black to move, and all else but a double check
/// is won by White: a bare king has less than its opponent.
#[test]
fn c99_2_asks_how_much_material_the_mover_has() {
    let chess99 = game("chess99");
    let outcome = answer_of("C99-2", 3, None, |library| {
        for material in Shipped.materials(chess99, 3) {
            let index = Index::new(chess99, &material).unwrap();
            let pieces: Vec<Piece> = material.pieces().collect();
            let values = Results::filled(chess99, &material, |turn, n| {
                let mut squares = vec![Square(0); pieces.len()];
                index.decode(n, &mut squares);
                let placed = pieces.iter().copied().zip(squares);
                let position = Position::from_pieces(chess99, placed, turn);
                match position.map(|p| Colour::BOTH.map(|side| p.in_check(side))) {
                    _ if turn == Colour::Black => Wdl::Draw,
                    Some([true, true]) => Wdl::Draw,
                    _ => Wdl::Win,
                }
            });
            library.put(chess99, &material, values);
        }
    });
    assert_eq!(outcome.verdict, Holds);
    let rows = outcome.figures["by_material_of_the_mover"]
        .as_array()
        .unwrap();
    assert!(rows[0]["positions"].as_u64() > Some(0));
    assert_eq!(rows[2]["positions"], 0);
}

#[test]
fn k8_asks_the_table_after_the_capture() {
    assert_eq!(answer("K-8").verdict, NotDecidable);
    for (value, verdict) in [(Wdl::Loss, Holds), (Wdl::Draw, Fails)] {
        let outcome = answer_of("K-8", 4, None, |library| {
            let kings = game("kings");
            let material = material(kings, "KRRvK");
            library.put(
                kings,
                &material,
                Results::filled(kings, &material, |_, _| value),
            );
        });
        assert_eq!(outcome.verdict, verdict);
        assert!(outcome.answer.contains("After Rxd8"), "{}", outcome.answer);
    }
}

#[test]
fn k4_asks_who_wins_with_two_kings() {
    let verdict = |change: fn(u64, Wdl) -> Wdl| {
        answer_of("K-4", 3, None, |library| {
            copy(library, "kings", "kings:no-progress=100", change);
            copy(library, "kings", "kings", change);
        })
        .verdict
    };
    assert_eq!(verdict(|_, _| Wdl::Draw), Fails);
    assert_eq!(verdict(|_, wdl| wdl), HoldsMostly);
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
    assert_eq!(answer("EX-4").verdict, Refuted);
    let fork = answer_if_lost("EX-4", "extinction-mating", "KKvKN");
    assert_eq!((fork.verdict, fork.support), (Refuted, Some(1.0)));
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
