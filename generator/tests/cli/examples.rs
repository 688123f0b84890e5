//! The games in `games/examples/`, on which the tables of `docs/EXAMPLES.md` rest.
//! `scripts/run games examples` does more of them, and compares their moves with another program.

use std::fs;

use crate::common::run;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/examples");

/// Their names.
fn names() -> Vec<String> {
    let files = fs::read_dir(EXAMPLES).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect()
}

/// Games on small boards are made, proved and compared with the interpreter.
#[test]
fn made_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    for (game, men, materials) in [
        ("gardner", "3", 5),
        ("losalamos", "3", 4),
        ("hexapawn", "5", 6),
        ("hexapawn:board=4x4", "4", 4),
        ("hexapawn:board=5x5", "3", 2),
    ] {
        let (name, options) = game.split_once(':').unwrap_or((game, ""));
        let colon = if options.is_empty() { "" } else { ":" };
        let game = format!("{EXAMPLES}/{name}.toml{colon}{options}");
        let there = |args: &[&str]| {
            let ran = run(&[args, &[&game, "--men", men, "--tables", tables]].concat());
            assert_eq!(ran.code, 0, "{game}: {}", ran.stderr);
            ran
        };
        let made = there(&["generate", "--out", tables]).stderr;
        assert!(
            made.contains(&format!("{materials} materials made")),
            "{made}"
        );
        let right = "all of them right";
        assert!(there(&["verify"]).stderr.contains(right), "{game}");
        let compared = there(&["verify", "--independent"]).stderr;
        assert!(compared.contains(right), "{compared}");
    }
}

/// The second player wins on the board of 3x3, in three moves.
#[test]
fn hexapawn_is_won_by_black() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let game = format!("{EXAMPLES}/hexapawn.toml");
    let made = run(&["generate", &game, "PPPvPPP", "--out", tables]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let array = "ppp/3/PPP w - -";
    let answer = run(&[
        "probe", &game, array, "--json", "--line", "--tables", tables,
    ])
    .json();
    assert_eq!(answer["category"], "loss");
    assert_eq!(answer["depth_plies"], 6);
    assert_eq!(answer["line_end"], "hill");
    // A game that is over has a position that can be read.
    let over = "1P1/1pp/2P b - -";
    let answer = run(&["probe", &game, over, "--json", "--tables", tables]).json();
    assert_eq!(answer["end"], "hill");
    assert_eq!(answer["winner"], "white");
}

/// The rows of three men in the tables name the longest wins of all such materials.
#[test]
fn longest_wins_of_three_men() {
    let pages = include_str!("../../../docs/EXAMPLES.md");
    let mut rows = 0;
    for section in pages.split("\n## ").skip(1) {
        let name = section.split("`games/examples/").nth(1).unwrap();
        let name = name.split('`').next().unwrap();
        let of_board = section.split("| longest win on ").nth(1);
        for row in section.lines().filter(|line| line.starts_with("| 3")) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let board = of_board.or(cells[1].strip_prefix("3, "));
            let board = board.and_then(|text| text.split_whitespace().next());
            let options = board.map_or_else(String::new, |board| format!(":board={board}"));
            let game = format!("{EXAMPLES}/{name}{options}");
            let folder = tempfile::tempdir().unwrap();
            let tables = ["--tables", folder.path().to_str().unwrap()];
            let there = |args: &[&str]| {
                let ran = run(&[&[args[0], &game], &args[1..], &tables].concat());
                assert_eq!(ran.code, 0, "{game}: {}", ran.stderr);
                ran
            };
            there(&["generate", "--men", "3", "--out", tables[1]]);
            let made = there(&["tables", "--json"]).json();
            let made = made.as_array().unwrap().iter();
            let wdl = made.filter(|table| table["metric"] == "wdl");
            let wdl = wdl.map(|table| table["material"].as_str().unwrap());
            let longest = wdl.filter(|name| name.len() == 4).map(|material| {
                let stats = there(&["stats", material, "--json"]).json();
                let plies = ["white", "black"].map(|side| &stats["longest_win_plies"][side]);
                let plies = plies
                    .into_iter()
                    .filter_map(serde_json::Value::as_u64)
                    .max();
                (plies, material.to_owned())
            });
            let (plies, material) = longest.max().unwrap();
            let expected: u64 = cells[3].parse().unwrap();
            assert_eq!(
                (plies, material.as_str()),
                (Some(expected), cells[2]),
                "{game}"
            );
            let shown = there(&["probe", cells[4].trim_matches('`'), "--json"]).json();
            assert_eq!(shown["depth_plies"], expected, "{game}");
            assert_eq!(shown["category"], "win", "{game}");
            rows += 1;
        }
    }
    assert_eq!(rows, 9);
}

/// Every example is read, has its tables of three men planned, and a page of its own.
#[test]
fn every_example_is_there() {
    let pages = include_str!("../../../docs/EXAMPLES.md");
    let names = names();
    assert_eq!(names.len(), 8, "{names:?}");
    for name in names {
        let ran = run(&["games", &format!("{EXAMPLES}/{name}.toml")]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        assert!(ran.stdout.contains("--men 3: "), "{name}: {}", ran.stdout);
        assert!(
            pages.contains(&format!("games/examples/{name}.toml")),
            "{name}"
        );
    }
}

/// Materials are called by the letters of the game everywhere, as its files are: the royal
/// knight of Knightmate is K, and M moves like a king.
#[test]
fn materials_have_the_letters_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let game = format!("{EXAMPLES}/knightmate.toml");
    let there = |args: &[&str]| {
        let ran = run(&[args, &["--tables", tables]].concat());
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        ran
    };
    let made = there(&["generate", &game, "KMvK", "--out", tables]);
    assert!(made.stderr.contains("KMvK"), "{}", made.stderr);
    there(&["check", &folder.path().display().to_string()]);
    let files: Vec<String> = (there(&["tables", "--json"])
        .json()
        .as_array()
        .unwrap()
        .iter())
    .map(|file| file["material"].as_str().unwrap().to_owned())
    .collect();
    assert!(files.contains(&"KMvK".to_owned()), "{files:?}");
    let planned = |format: &str| run(&["plan", &game, "KMMvK", "--format", format]);
    let plan = planned("json").json();
    let last = plan.as_array().unwrap().last().unwrap();
    assert_eq!(last["material"], "KMMvK");
    assert!(last["needs"].to_string().contains("KMvK"), "{last}");
    for format in ["text", "dot", "snakemake"] {
        let plan = planned(format).stdout;
        assert!(plan.contains("KMMvK") && plan.contains("KMvK"), "{plan}");
    }
    assert_eq!(
        there(&["stats", &game, "KMvK", "--json"]).json()["material"],
        "KMvK"
    );
    assert!(there(&["stats", &game, "KMvK"]).stdout.contains("KMvK"));
    assert!(there(&["verify", &game, "KMvK"]).stdout.contains("KMvK: "));
    let absent = run(&[
        "probe",
        &game,
        "3k4/8/8/8/8/8/8/MMK5 w - -",
        "--tables",
        tables,
    ]);
    assert!(absent.stderr.contains("KMMvK"), "{}", absent.stderr);
}
