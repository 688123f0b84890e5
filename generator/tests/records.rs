//! Makes and verifies tables of many games, and compares them with the naive interpreter's values.
//!
//! The games are the built-in ones, and definitions whose keys meet in pairs. The interpreter
//! finds its values by code of its own.
//!
//! The first line of each file in `records` is a comment, the arguments that name its endings.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "cli/common.rs"]
#[allow(dead_code, reason = "only tests of the command line use all of it")]
mod common;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use retrograde_probe::{Metric, Table};
use retrograde_rules::{Colour, Game};

fn run(arguments: &[&str]) -> Result<String, String> {
    let ran = common::run(arguments);
    match ran.code {
        0 => Ok(ran.stdout),
        _ => Err(format!("{arguments:?}: {}", ran.stderr)),
    }
}

/// Makes and checks the tables of some endings of a game, both given as arguments; with those
/// that are made on request only, where the game has them.
fn check(game: &[&str], endings: &str) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let endings: Vec<&str> = endings.split(' ').collect();
    let with = |command, more: &[&str]| {
        run(&[&[command], game, &endings, &["--tables", folder], more].concat())
    };
    with("generate", &["--out", folder])?;
    if game[0] == "orthodox" {
        with("generate", &["--out", folder, "--metric", "helpmate"])?;
    }
    with("verify", &["--fresh"])?;
    with("verify", &["--independent"])?;
    Ok(())
}

/// A copy of each built-in game with another name and another letter for one piece has its values.
#[test]
fn copies_of_built_in_games_have_their_values() {
    Game::all().par_iter().for_each(|&game| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copy.toml");
        let renamed = format!("name = \"{}\"", game.name());
        let text = game.definition().replace(&renamed, "name = \"copy\"");
        std::fs::write(&file, text).unwrap();
        let with_x = |letters: &str| letters.replace('N', "X").replace('n', "x");
        let promotions: String = game
            .all_promotions()
            .iter()
            .map(|&t| game.letter(t))
            .collect();
        let sets = [
            format!("pieces.order={}", with_x(&game.letters())),
            "pieces.X=N".to_owned(),
            format!("pawns.promotes-to={}", with_x(&promotions)),
            format!("board.array={}", with_x(&game.array().fen())),
        ];
        let sets: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
        let (file, folder) = (file.to_str().unwrap(), folder.path().to_str().unwrap());
        let made = |game: &str, sets: &[&str], ending: &str| {
            let with = [
                &[
                    "generate", game, ending, "--out", folder, "--tables", folder,
                ],
                sets,
            ];
            run(&with.concat()).unwrap();
        };
        // Racing kings have no pawns.
        let has_pawns = game.letters().contains('P');
        let king = ["", "K"][game.kings(Colour::White).1.min(1)];
        for other in ["N", "P"].into_iter().take(1 + usize::from(has_pawns)) {
            let ending = format!("{king}{other}vK");
            made(&game.id(), &[], &ending);
            made(file, &sets, &with_x(&ending));
        }
        let mut compared = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let copies = entry.unwrap().path();
            if copies
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with("copy@")
            {
                for entry in std::fs::read_dir(copies).unwrap() {
                    let copy = entry.unwrap();
                    let name = copy.file_name().into_string().unwrap().replace('X', "N");
                    let original = Path::new(folder).join(game.id()).join(name);
                    let digest = |path: &Path| Table::open(path).unwrap().header().digest.unwrap();
                    assert_eq!(
                        digest(&copy.path()),
                        digest(&original),
                        "{}",
                        original.display()
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared >= Metric::of(game).len(), "{game}: {compared}");
        // The letter of a knight stands in FENs alone.
        if game == Game::default() {
            let rows = |game: &str, sets: &[&str], ending: &str| {
                run(&[&["export", game, ending, "--tables", folder], sets].concat()).unwrap()
            };
            let (ours, copy) = (rows("orthodox", &[], "KNvK"), rows(file, &sets, "KXvK"));
            let (ours, copy) = (
                ours.split_once('\n').unwrap(),
                copy.split_once('\n').unwrap(),
            );
            assert_eq!(ours.0, copy.0);
            assert!(with_x(ours.1) == copy.1.replace('N', "X"));
        }
    });
}

/// Checks several games at once, each followed by its endings.
fn check_all(games: &[(&str, &str)]) {
    games.par_iter().for_each(|(game, endings)| {
        let game: Vec<&str> = game.split(' ').collect();
        check(&game, endings).unwrap();
    });
}

/// The options of built-in games that end games in other ways, and endings that show it.
const OPTIONS: [(&str, &str); 12] = [
    (
        "high-chess:pays=both,vitality=1 --set board.size=3x5 \
         --set counters.vitality.centre=[\"b3\"]",
        "KRvK KPvK",
    ),
    (
        "high-chess:pays=both,vital-restores=both,vitality=2 --set board.size=4x4 \
         --set counters.vitality.centre=[\"b2\",\"c3\"]",
        "KQvK KvKR",
    ),
    (
        "high-chess:en-passant=legal,vitality=1 --set board.size=3x5 \
         --set pawns.promotes-to=Q --set counters.vitality.centre=[\"b3\"]",
        "KPvKP",
    ),
    (
        "high-chess:en-passant=made,pays=both,vitality=1 --set board.size=3x5 \
         --set pawns.promotes-to=Q --set counters.vitality.centre=[\"b3\"]",
        "KPvKP",
    ),
    (
        "high-chess:en-passant=off,ties=white,vitality=1 --set board.size=3x5 \
         --set pawns.promotes-to=Q --set counters.vitality.centre=[\"b3\"]",
        "KPvKP",
    ),
    (
        "high-chess:exhaustion=before-mate,ties=white,vitality=2 --set board.size=4x4 \
         --set counters.vitality.centre=[\"b2\",\"c3\"]",
        "KQvK KvKR",
    ),
    ("kings:no-progress=100", "KKvK"),
    (
        "kings:no-progress=100,promote-to-king=off,spare-king=queen --set board.size=6x6",
        "KRvK",
    ),
    ("extinction:no-progress=100", "QvP"),
    (
        "extinction-mating:no-progress=100 --set board.size=6x6",
        "KQvK",
    ),
    ("extinction-mating:stalemate=loss", "KPvK"),
    (
        "extinction-mating:promote-to-king=off,stalemate=loss",
        "KPvK",
    ),
];

#[test]
fn options_give_the_values_of_the_interpreter() {
    check_all(&OPTIONS);
}

/// Three men of the built-in games, most of those with pawns on smaller boards, since they take most
/// of the time. A limit of five moves makes most wins cursed.
const THREE_MEN: [(&str, &str); 21] = [
    ("orthodox", "KPvK"),
    ("orthodox --set end.no-progress=10", "KRvK"),
    ("high-chess:vitality=9", "KvK"),
    (
        "high-chess:vital-restores=both,vitality=2 --set board.size=6x6 \
         --set counters.vitality.centre=[\"c3\",\"d3\",\"c4\",\"d4\"]",
        "KRvK",
    ),
    (
        "high-chess:vitality=3 --set board.size=4x4 \
         --set counters.vitality.centre=[\"b2\",\"c3\"]",
        "KQvK KPvK KvKP",
    ),
    (
        "high-chess:vital-restores=both,vitality=1 --set board.size=3x5 \
         --set pawns.promotes-to=Q --set counters.vitality.centre=[\"b3\"]",
        "KPvKP",
    ),
    (
        "high-chess:vitality=2 --set pawns.promotes-to=Q --set board.size=5x5 \
         --set counters.vitality.centre=[\"c3\"]",
        "KPvK",
    ),
    ("chess99 --set board.size=7x7", "KPvK"),
    (
        "chess99:king-capture-in-check=win --set board.size=7x7",
        "KNvK",
    ),
    ("kings:spare-king=queen,tie-break=rank1", "KKvK"),
    ("kings:black-corner=h8,spare-king=duke", "KKvK"),
    (
        "kings:board=10x8,chancellor=on --set board.size=6x5",
        "KCvK",
    ),
    ("wild9", "KKvK"),
    ("extinction-mating --set board.size=6x6", "KKvK PPvR"),
    ("extinction --set board.size=6x6", "KPvK QNvK PvP"),
    ("king-of-the-hill --set board.size=6x6", "KvK KPvK"),
    (
        "antichess --set board.size=4x5 --set pawns.promotes-to=KN",
        "QvP KvKN PvPP",
    ),
    (
        "antichess:stalemate=fewer-men --set board.size=4x6 --set pawns.promotes-to=KQ",
        "PvPP",
    ),
    ("atomic --set board.size=5x5", "KPvK KRvK"),
    (
        "racing-kings --set board.size=4x5 --set end.reach.squares=[\"rank5\"]",
        "KQvK KvKR",
    ),
    (
        "racing-kings --set board.size=4x5 --set end.reach.squares=[\"rank5\"]",
        "KRvKN",
    ),
];

#[test]
fn three_men_have_the_values_of_the_interpreter() {
    check_all(&THREE_MEN);
}

/// Endings that take minutes each, and up to 12 GB of memory. Some boards are smaller than the
/// game's, so that the interpreter's graph fits.
const DEEP: [(&str, &str); 24] = [
    (
        "high-chess:en-passant=made,pays=both,vitality=2 --set board.size=3x5 \
         --set counters.vitality.centre=[\"b3\"]",
        "KPvKP",
    ),
    ("high-chess:vitality=2 --set pieces.N=NN", "KNvK"),
    ("high-chess:vitality=2 --set pieces.K=R", "KRvK"),
    ("orthodox", "KQvKR KBNvK KNNvK KPvKP"),
    ("orthodox --set end.no-progress=10", "KPvK KPvKP"),
    ("high-chess", "KvK"),
    ("high-chess:vitality=5", "--men 3"),
    ("high-chess:vital-restores=both,vitality=5", "--men 3"),
    ("high-chess:vitality=1", "KPvKP KRvKP KNvKP KPvKR"),
    ("high-chess:vital-restores=both,vitality=1", "KPvKP KQvKR"),
    ("chess99", "--men 3"),
    ("chess99:king-capture-in-check=win", "--men 3"),
    (
        "chess99 --set board.size=7x7",
        "KBBvK KBNvK KNNvK KRvKR KAvKN KPvKP",
    ),
    (
        "chess99:castling=off,deferred-promotion=off,ep-by=pawn,king-capture-in-check=win \
         --set board.size=7x7",
        "KPvKP",
    ),
    ("kings", "KPvK KKvKR KKvKK KPvKP"),
    ("kings:spare-king=queen,tie-break=rank1", "KPvK KvKP"),
    ("kings:black-corner=h8,spare-king=duke", "KPvK KKvKK"),
    ("kings:board=10x10,chancellor=on", "--men 3"),
    ("wild9", "KPvK KKvKR KKvKK KPvKP KKvKP KPvKK"),
    ("extinction-mating", "QvR RNvR KQvKR KNNvK KPPvK KPvKP"),
    ("extinction", "QvR RNvR KQvKR KNNvK KPPvK KPvKP"),
    ("king-of-the-hill", "--men 3 KQvKR KPvKP"),
    ("three-check", "--men 3"),
    ("capablanca", "--men 3"),
];

#[test]
#[ignore = "hours and gigabytes"]
fn whole_endings_have_the_values_of_the_interpreter() {
    for game in DEEP {
        check_all(&[game]);
    }
}

/// The first line of what a probe says.
fn probe(game: &[&str], fen: &str, more: &[&str]) -> String {
    let said = run(&[&["probe"][..], game, &[fen], more].concat()).unwrap();
    said.lines().next().unwrap().to_owned()
}

#[test]
fn clocks_count_towards_any_limit() {
    for limit in ["100", "25", "24"] {
        let set = format!("end.no-progress={limit}");
        let game = ["kings", "--set", &set];
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().to_str().unwrap();
        let tables = ["--tables", folder];
        let out = ["KKvK", "--out", folder];
        run(&[&["generate"][..], &game, &out, &tables].concat()).unwrap();
        let says = |clock: &str| {
            let fen = format!("8/8/8/8/3K3k/8/1K6/8 w - - {clock} 80");
            let said = probe(&game, &fen, &tables);
            said.strip_prefix(&format!("{fen}: ")).unwrap().to_owned()
        };
        let would = "White would mate in 13 moves (25 plies), but";
        match limit {
            "100" => {
                assert_eq!(says("75"), "White mates in 13 moves (25 plies)");
                let late = format!("{would} the fifty-move rule ends the game first");
                assert_eq!(says("76"), late);
                assert_eq!(says("100"), late + "; the draw can be claimed");
            }
            "25" => {
                assert_eq!(says("0"), "White mates in 13 moves (25 plies)");
                let late =
                    format!("{would} the limit of 25 plies without progress ends the game first");
                assert_eq!(says("1"), late);
                assert_eq!(says("25"), late + "; the draw can be claimed");
            }
            _ => {
                let cursed = format!("{would} for the limit of 24 plies without progress");
                assert_eq!(says("0"), cursed);
            }
        }
    }
}

#[test]
fn bare_kings_in_extinction_know_the_clock() {
    let fen = "8/8/8/8/8/8/k7/K7 w - - 3 1";
    let said = run(&["probe", "extinction:no-progress=100", fen, "--moves"]).unwrap();
    assert!(said.contains("Kb1      Black wins in 1 ply\n"), "{said}");
}

#[test]
fn stalemates_that_lose_are_found_by_search_and_told() {
    let game = ["orthodox", "--set", "end.stalemate=loss"];
    let folder = tempfile::tempdir().unwrap();
    let more = ["--search", "1", "--tables", folder.path().to_str().unwrap()];
    let said = probe(&game, "k7/P7/8/K7/7p/7P/8/8 w - - 0 1", &more);
    assert!(said.ends_with("White wins with the next move"), "{said}");
    let game = ["extinction", "--set", "end.stalemate=loss"];
    let said = probe(&game, "8/8/8/8/8/p7/P7/8 w - - 0 1", &more[2..]);
    assert!(said.ends_with("stalemate, Black has won"), "{said}");
}

#[test]
fn stalemates_that_win_are_won_before_a_move() {
    let game = ["orthodox", "--set", "end.stalemate=win"];
    let folder = tempfile::tempdir().unwrap();
    let tables = ["--tables", folder.path().to_str().unwrap()];
    let out = ["KQvK", "--out", tables[1]];
    run(&[&["generate"][..], &game, &out, &tables].concat()).unwrap();
    let said = probe(&game, "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", &tables);
    assert!(said.ends_with("stalemate, Black has won"), "{said}");
    // Without the stalemate, which loses, every move mates.
    let said = run(&[
        &["probe"][..],
        &game,
        &["k7/8/1K6/8/8/8/2Q5/8 w - - 0 1", "--moves"],
        &tables,
    ]
    .concat());
    let said = said.unwrap();
    assert!(said.contains("Qc7      stalemate, Black has won"), "{said}");
    let stats = run(&[&["stats"][..], &game, &["KQvK"], &tables].concat()).unwrap();
    assert!(stats.contains("0 plies"), "{stats}");
}

#[test]
fn values_are_those_of_the_interpreter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records");
    let files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(!files.is_empty());
    let faults: Vec<String> = files
        .par_iter()
        .filter_map(|file| {
            let definition = std::fs::read_to_string(file).unwrap();
            let endings = definition.lines().next().unwrap().strip_prefix("# ");
            let endings = endings.expect("the first line names endings");
            let fault = check(&[file.to_str().unwrap()], endings).err()?;
            Some(format!("{}: {fault}", file.display()))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
