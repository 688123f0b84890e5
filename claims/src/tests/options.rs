//! Tests that games with rule options are compared with games that keep their other options.

use retrograde_index::ThresholdCurve;

use super::{Shipped, answer_of, entry, game, material};
use crate::Verdict;
use crate::scope::Scope;
use crate::tables::Curves;

/// The ids of the games whose tables a claim about a game with options takes.
fn games(tag: &str, id: &str) -> Vec<String> {
    let asked = game(id);
    let scope = Scope {
        men: 3,
        variant: Some((asked.name().to_owned(), asked)),
        supply: &Shipped,
    };
    let needs = entry(tag).needs(&scope);
    needs.iter().map(|need| need.game.id()).collect()
}

#[test]
fn one_option_is_changed_and_the_others_are_kept() {
    for (tag, id, with) in [
        (
            "HC9",
            "high-chess",
            "high-chess high-chess:vital-restores=both",
        ),
        (
            "HC9",
            "high-chess:vitality=5",
            "high-chess:vitality=5 high-chess:vital-restores=both,vitality=5",
        ),
        (
            "HC9",
            "high-chess:vital-restores=both",
            "high-chess:vital-restores=both high-chess",
        ),
        (
            "C99-1",
            "chess99:king-capture-in-check=win",
            "chess99 chess99:king-capture-in-check=win",
        ),
        (
            "C99-1",
            "chess99:ep-by=pawn",
            "chess99:ep-by=pawn chess99:ep-by=pawn,king-capture-in-check=win",
        ),
        ("C99-2", "chess99:castling=off", "chess99:castling=off"),
        (
            "K-4",
            "kings:spare-king=queen",
            "kings:spare-king=queen kings:no-progress=100,spare-king=queen",
        ),
        (
            "C99-5",
            "chess99:king-capture-in-check=win",
            "chess99:king-capture-in-check=win chess99:ep-by=pawn,king-capture-in-check=win",
        ),
        (
            "C99-6",
            "chess99:deferred-promotion=off",
            "chess99:deferred-promotion=off chess99:castling=off,deferred-promotion=off",
        ),
        (
            "K-7",
            "kings:spare-king=queen",
            "kings:spare-king=queen kings:board=10x8,spare-king=queen kings:board=10x10,spare-king=queen",
        ),
        // There is no chancellor on eight files.
        (
            "K-7",
            "kings:board=10x10,chancellor=on",
            "kings kings:board=10x8,chancellor=on kings:board=10x10,chancellor=on",
        ),
        (
            "K-3",
            "kings",
            "kings wild9 kings:tie-break=rank1 kings:promote-to-king=off",
        ),
        (
            "K-3",
            "kings:spare-king=queen",
            "kings:spare-king=queen kings:promote-to-king=off,spare-king=queen,tie-break=rank1 kings:spare-king=queen,tie-break=rank1 kings:promote-to-king=off,spare-king=queen",
        ),
        ("K-3", "kings:board=10x10", ""),
    ] {
        assert_eq!(games(tag, id).join(" "), with, "{tag} of {id}");
    }
}

/// Shares are of the pairs of counters that the game has.
#[test]
fn hc9_of_few_points() {
    let asked = game("high-chess:vitality=3");
    let outcome = answer_of("HC9", 2, Some(("high-chess", asked)), |library| {
        for (id, needs) in [
            ("high-chess:vitality=3", 2),
            ("high-chess:vital-restores=both,vitality=3", 3),
        ] {
            let game = game(id);
            let material = material(game, "KvK");
            let curve = ThresholdCurve::constant(retrograde_rules::CounterRange::up_to(3), needs);
            library.put(
                game,
                &material,
                Curves::filled(game, &material, curve, [4, 4]),
            );
        }
    });
    assert_eq!(outcome.verdict, Verdict::HoldsMostly);
    let figure = |name: &str| outcome.figures[name].as_u64().unwrap();
    assert_eq!(figure("pairs"), 9 * figure("positions"));
    assert_eq!(figure("pairs_changed"), 3 * figure("positions"));
}
