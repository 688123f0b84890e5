//! Kings, wild 9 and both extinction games on the command line.

use crate::common::{fails, run};

/// Three pieces, of which two are identical and could lead.
const FEN: &str = "8/8/8/8/3K3k/8/1K6/8 w - -";

#[test]
fn made_probed_counted_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let there = |args: &[&str]| run(&[args, &["--tables", tables]].concat());
    for game in ["kings", "wild9", "extinction-mating", "extinction"] {
        let missing = there(&["probe", game, FEN, "--json"]);
        assert_eq!(missing.code, 3, "{game}");
        assert_eq!(missing.json()["error"]["kind"], "missing-table");

        let ran = there(&["generate", game, "KKvK", "--out", tables]);
        assert_eq!(ran.code, 0, "{game}: {}", ran.stderr);
        assert!(ran.stderr.contains("1 material made"), "{}", ran.stderr);
        let again = there(&["generate", game, "KKvK", "--out", tables]);
        assert!(
            again.stderr.contains("0 materials made"),
            "{}",
            again.stderr
        );

        let ran = there(&["probe", game, FEN, "--moves", "--line", "--json"]);
        assert_eq!(ran.code, 0, "{game}: {}", ran.stderr);
        let answer = ran.json();
        assert_eq!(answer["category"], "win", "{game}");
        let depth = answer["depth_plies"].as_u64().unwrap();
        let line = answer["line"].as_array().unwrap();
        assert_eq!(line.len() as u64, depth, "{game}");
        let end = match game {
            "extinction" => "extinction",
            _ => "checkmate",
        };
        assert_eq!(answer["line_end"], end, "{game}");
        let royal = answer["royal"].clone();
        let (white, black) = match game {
            "extinction" => {
                assert!(royal.is_null());
                continue;
            }
            "extinction-mating" => (serde_json::json!([]), ["h4"]),
            _ => (serde_json::json!(["b2"]), ["h4"]),
        };
        assert_eq!((&royal["white"], &royal["black"]), (&white, &black.into()));
        assert_eq!(answer["moves"][0]["uci"], line[0], "{game}");

        let stats = there(&["stats", game, "KvKK", "--json"]).json();
        let side = |name: &str| -> u64 {
            let counts = ["win", "draw", "loss"].map(|k| stats[k][name].as_u64().unwrap());
            counts.iter().sum()
        };
        for name in ["white", "black"] {
            assert_eq!(
                stats["positions"][name].as_u64(),
                Some(side(name)),
                "{game}"
            );
        }
        let proved = there(&["verify", game]);
        assert_eq!(proved.code, 0, "{game}: {}", proved.stdout);
        assert!(proved.stdout.contains("all right"), "{}", proved.stdout);
    }
    assert_eq!(there(&["check"]).code, 0);
    // A file of another game, or of other options, is refused.
    for (from, to) in [
        ("kings", "wild9"),
        ("kings", "kings+tie-break=rank1"),
        ("extinction", "extinction-mating"),
    ] {
        let file = |game: &str| folder.path().join(game).join("KKvK.dtm");
        std::fs::create_dir_all(folder.path().join(to)).unwrap();
        std::fs::copy(file(from), file(to)).unwrap();
        let id = to.replacen('+', ":", 1);
        let ran = there(&["probe", &id, FEN, "--json"]);
        assert_eq!(ran.code, 4, "{from} {to}: {}", ran.stdout);
        assert_eq!(ran.json()["error"]["kind"], "corrupt-table");
    }
}

#[test]
fn names_and_options() {
    for (args, message) in [
        (&["plan", "kings", "KvK"][..], "KvK needs no table"),
        (&["plan", "extinction", "KvK"], "KvK needs no table"),
        (&["plan", "kings", "KKQ"], "does not name two sides"),
        (&["plan", "kings", "QvK"], "needs a king"),
        (&["plan", "extinction", "vK"], "no pieces"),
        (&["plan", "wild9:spare-king=queen", "KKvK"], "spare-king"),
        (&["plan", "kings:spare-king=rook", "KKvK"], "spare-king"),
    ] {
        fails(args, 2, message);
    }
    for (args, line) in [
        (["plan", "extinction", "RvQ"], "QvR "),
        (["plan", "wild9", "KPvKK"], "KPvKK "),
        (["plan", "kings:spare-king=king", "KvKK"], "KKvK "),
    ] {
        let ran = run(&args);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(
            ran.lines().iter().any(|l| l.starts_with(line)),
            "{args:?}: {}",
            ran.stdout
        );
    }
}
