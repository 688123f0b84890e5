//! Tests of JSON objects where tables are missing.

use serde_json::{Value, json};

use crate::common::{copies, run, shipped};

/// The names of the fields of an object, but for those that only some answers have.
fn names(object: &Value) -> Vec<&str> {
    let names = object.as_object().unwrap().keys();
    names
        .map(String::as_str)
        .filter(|&n| n != "error")
        .collect()
}

/// A program that reads them need not know which tables there are.
#[test]
fn objects_of_a_game_have_the_same_fields() {
    for (game, fen) in [
        ("orthodox", "8/8/8/3k4/8/8/8/KQ6 w - - 7 20"),
        ("high-chess", "8/8/8/3k4/8/8/8/K6R w - - 9+8"),
        // Mated.
        ("high-chess", "3k3R/8/3K4/8/8/8/8/8 b - -"),
        ("chess99", "9/9/9/4k4/9/9/9/3R5/K8 w - -"),
        ("kings", "8/8/8/8/3K3k/8/1K6/8 w - -"),
        ("wild9", "8/8/8/8/3K3k/8/1K6/8 w - -"),
        ("extinction-mating", "8/8/8/3k4/8/8/8/K6R w - -"),
        ("extinction", "8/8/8/3k4/8/8/8/K6R w - -"),
        ("king-of-the-hill", "8/8/8/8/8/2k5/8/K6R w - -"),
    ] {
        let ask = |tables: &str| {
            let ran = run(&[
                "probe", game, fen, "--json", "--moves", "--line", "--tables", tables,
            ]);
            (ran.code, ran.json())
        };
        let (code, known) = ask(shipped().to_str().unwrap());
        assert_eq!(code, 0, "{game}: {known}");
        let (_, unknown) = ask("nowhere");
        assert_eq!(names(&unknown), names(&known), "{game}: {fen}");
        let [known, unknown] = [known, unknown].map(|object| object["moves"].clone());
        let [known, unknown] = [known, unknown].map(|moves| moves.as_array().unwrap().clone());
        assert_eq!(unknown.len(), known.len(), "{game}: {fen}");
        for (unknown, known) in unknown.iter().zip(&known) {
            assert_eq!(names(unknown), names(known), "{game}: {fen}");
        }
    }
}

/// WDL tables hold exactly that. What holds at the clock takes DTZ (O7).
#[test]
fn wdl_tells_the_category_at_clock_0() {
    let folder = copies(&["KQvK.wdl"]);
    let ask = |fen: &str| {
        let tables = folder.path().to_str().unwrap();
        let ran = run(&["probe", "orthodox", fen, "--json", "--tables", tables]);
        (ran.code, ran.json())
    };
    for (clock, code, category) in [(0, 0, "win"), (7, 3, "unknown"), (100, 3, "unknown")] {
        let (found, answer) = ask(&format!("8/8/8/3k4/8/8/8/KQ6 w - - {clock} 90"));
        assert_eq!(found, code, "{answer}");
        assert_eq!(answer["category"], category, "{answer}");
        assert_eq!(answer["category_at_clock_0"], "win", "{answer}");
    }
    let (_, lost) = ask("8/8/8/3k4/8/8/8/KQ6 b - - 7 90");
    assert_eq!(lost["category_at_clock_0"], "loss", "{lost}");
    // No table of it.
    let (_, unknown) = ask("8/8/8/3k4/8/8/8/KR6 w - - 7 90");
    assert_eq!(unknown["category_at_clock_0"], json!(null), "{unknown}");
}

/// Depths leave the clock out of account (O4), whatever wins are worth at it.
#[test]
fn depths_hold_at_any_clock() {
    let folder = copies(&["KQvK.dtm"]);
    for (clock, code) in [(0, 0), (83, 0), (84, 3), (90, 3), (100, 3)] {
        let fen = format!("8/8/8/3k4/8/8/8/KQ6 w - - {clock} 90");
        let tables = folder.path().to_str().unwrap();
        let ran = run(&["probe", "orthodox", &fen, "--json", "--tables", tables]);
        assert_eq!(ran.code, code, "{}", ran.stdout);
        let answer = ran.json();
        assert_eq!(answer["category_at_clock_0"], "win", "{answer}");
        assert_eq!(answer["depth_plies"], 17, "{answer}");
        assert_eq!(answer["dtz_plies"], json!(null), "{answer}");
    }
}
