//! `claims`: the report on the designers' claims.

use std::fs;
use std::path::Path;

use super::common::{Ran, run};

/// The tables that ship.
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables");

#[test]
fn a_report_is_three_files_and_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    let arguments = |only: &'static str| {
        let out = out.to_str().unwrap().to_owned();
        [
            "claims", "--men", "2", "--tables", SHIPPED, "--only", only, "--out",
        ]
        .map(str::to_owned)
        .into_iter()
        .chain([out])
        .collect::<Vec<String>>()
    };
    let report = |only| {
        let arguments = arguments(only);
        run(&arguments.iter().map(String::as_str).collect::<Vec<&str>>())
    };
    let first = report("hc1");
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(
        first
            .stdout
            .starts_with("HC1    follows from the rules\n       No game of High Chess is drawn")
    );
    let said: Vec<&str> = first.stdout.lines().collect();
    assert!(said[2].contains(" are won by mate"), "{}", said[2]);
    assert!(said[3].starts_with("1 claim answered, 0 of them"));
    let pages = ["claims/high-chess.html", "claims/index.html"];
    for name in ["claims.json", "CLAIMS.md"].iter().chain(&pages) {
        assert!(out.join(name).is_file(), "{name}");
    }
    let text = fs::read_to_string(out.join("claims.json")).unwrap();
    let entries: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(entries[0]["tag"], "HC1");
    assert_eq!(entries[0]["verdict"], "follows-from-rules");
    assert_eq!(entries[0]["men"], 2);
    let again = report("hc1");
    assert!(again.stdout.contains("answered before"), "{}", again.stdout);
    // Somebody else's answers, or those of this user that were changed, are not believed.
    let kept = out.join(".claims/HC1.json");
    let sealed = fs::read_to_string(&kept).unwrap();
    let forged = sealed.replace("\"follows-from-rules\"", "\"fails\"");
    assert_ne!(sealed, forged);
    for text in [&forged, &forged[64..]] {
        fs::write(&kept, text).unwrap();
        let ran = report("hc1");
        let words = "HC1    follows from the rules\n";
        assert!(ran.stdout.starts_with(words), "{}", ran.stdout);
    }
    let page = fs::read_to_string(out.join("CLAIMS.md")).unwrap();
    let command = "`retrograde claims --men 2 --only HC1`";
    assert!(page.contains(command), "{page}");
    // A claim that fails is no failure.
    assert_eq!(report("HC10").code, 0);
}

/// A claim about two men, which have to be made first.
fn two_men(tables: &Path, out: &Path) -> Ran {
    let [tables, out] = [tables, out].map(|path| path.to_str().unwrap());
    let claim = ["claims", "high-chess:vitality=3", "--men", "2"];
    run(&[
        &claim[..],
        &["--only", "HC1", "--tables", tables, "--out", out],
    ]
    .concat())
}

/// `--out` says where the report goes, and there is no `--force`. In `/sys` nobody can create
/// files, not even root.
#[cfg(target_os = "linux")]
#[test]
fn tables_that_cannot_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let [tables, out] = ["tables", "report"].map(|name| folder.path().join(name));
    fs::create_dir(&tables).unwrap();
    let game = "high-chess+vitality=3";
    std::os::unix::fs::symlink("/sys", tables.join(game)).unwrap();
    let ran = two_men(&tables, &out);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let advice = "name a folder that can be written to first, with --tables";
    assert!(ran.stderr.contains(advice), "{}", ran.stderr);
    assert!(!ran.stderr.contains("--out"), "{}", ran.stderr);
}

#[test]
fn missing_tables_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let [tables, out] = ["tables", "report"].map(|name| folder.path().join(name));
    let made = two_men(&tables, &out);
    assert_eq!(made.code, 0, "{}", made.stderr);
    // What that takes is said before, and nobody is asked.
    let said = made.stderr.lines().next().unwrap();
    assert!(said.starts_with("tables of 1 material are missing and made first: up to "));
    for part in [" of CPU time on ", " of memory, ", " of disk in "] {
        assert!(said.contains(part), "{said}");
    }
    let which = made.stderr.lines().nth(1);
    assert_eq!(which, Some("  high-chess:vitality=3: KvK"));
    // A report on one game is one page.
    let pages: Vec<_> = fs::read_dir(out.join("claims"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(pages, ["high-chess+vitality=3.html"]);
    assert!(tables.join("high-chess+vitality=3/KvK.mates").is_file());
    let text = fs::read_to_string(out.join("CLAIMS.md")).unwrap();
    assert!(
        text.contains("for high-chess:vitality=3 from all tables"),
        "{text}"
    );
}

/// Two games are compared in the same way.
#[test]
fn missing_tables_of_both_games_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let games = [3, 4].map(|points| format!("high-chess:vitality={points}"));
    let compare = ["compare", &games[0], &games[1], "--men", "2", "--yes"];
    let ran = run(&[&compare[..], &["--tables", tables]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let mut said = ran.stderr.lines();
    assert!(said.next().unwrap().starts_with("tables of 2 materials "));
    for game in games {
        assert_eq!(said.next(), Some(format!("  {game}: KvK").as_str()));
    }
}

#[test]
fn the_help_has_all_claims() {
    const TAGS: [&str; 5] = ["HC0", "C99-3", "K-1", "EX-4", "O-3"];
    let short = run(&["claims", "-h"]).stdout;
    let tags = short.split_once("Tags of claims: ").unwrap().1;
    let tags: Vec<&str> = tags
        .trim_end_matches(['.', '\n'])
        .split(',')
        .map(str::trim)
        .collect();
    assert!(TAGS.iter().all(|tag| tags.contains(tag)));
    let long = run(&["claims", "--help"]).stdout;
    let manual = run(&["man", "claims"]).stdout;
    for tag in TAGS {
        let line = long.lines().find(|line| line.trim_start().starts_with(tag));
        assert!(
            line.is_some_and(|line| line.split(' ').count() > 5),
            "{tag}"
        );
    }
    assert!(manual.contains("No game of High Chess is drawn"));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("report");
    for (arguments, words) in [
        (&["--only", "HC99"][..], "the claims are: HC0, HC1,"),
        (&["--men", "9"], "name a number from 2 to 7"),
        (&["--men", "1"], "there are no tables of 1 piece;"),
        (
            &["kings", "--only", "HC1"],
            "there is no claim \"HC1\" about kings; the claims are: K-1,",
        ),
        (
            &["kings", "--only", "K-1", "--only", "hc4"],
            "there is no claim \"hc4\" about kings",
        ),
    ] {
        let arguments = [&["claims", "--out", out.to_str().unwrap()], arguments].concat();
        let refused = run(&arguments);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
    assert!(!Path::exists(&out));
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let blocked = run(&[
        "claims",
        "--only",
        "K-1",
        "--out",
        file.join("report").to_str().unwrap(),
    ]);
    assert_eq!(blocked.code, 5, "{}", blocked.stderr);
    assert!(blocked.stderr.contains("name another folder with --out"));
}

/// A definition with claims of its own.
const MINE: &str = r#"format = 1
name = "mine"
author = "Somebody"

[end]
stalemate = "loss"

[[claims]]
say = "The queen beats the bare king wherever they stand."
classes = ["KQvK"]
of = "white-to-move"
count = "white-wins"

[[claims]]
say = "Fewer positions are drawn than in orthodox chess."
classes = ["KQvK", "KPvK"]
against = "orthodox"
count = "drawn"
is = "fewer"

[[claims]]
say = "No stalemate is lost where orthodox chess draws it."
classes = ["KQvK"]
against = "end.stalemate=draw"
of = "stalemate"
count = "lost and there drawn"
is = "none"
"#;

#[test]
fn a_definition_carries_claims() {
    let folder = tempfile::tempdir().unwrap();
    let [mine, out, tables] =
        ["mine.toml", "report", "tables"].map(|name| folder.path().join(name));
    fs::write(&mine, MINE).unwrap();
    let [mine, out, tables] = [&mine, &out, &tables].map(|path| path.to_str().unwrap());
    let claims = |more: &[&str]| {
        let all = [
            "claims", mine, "--men", "3", "--tables", tables, "--out", out,
        ];
        run(&[&all[..], &["--tables", SHIPPED], more].concat())
    };
    let ran = claims(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let text = fs::read_to_string(Path::new(out).join("claims.json")).unwrap();
    let entries: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let entry = |tag: &str| entries.iter().find(|entry| entry["tag"] == tag).unwrap();
    for (tag, verdict) in [
        ("mine-1", "holds"),
        ("mine-2", "holds"),
        ("mine-3", "fails"),
    ] {
        assert_eq!(entry(tag)["verdict"], verdict, "{tag}");
    }
    assert_eq!(entry("mine-1")["who"], "Somebody");
    // As many as orthodox statistics say: 872 stalemates and their mirror images are one class.
    assert_eq!(entry("mine-3")["figures"]["asked"], 872);
    assert_eq!(entry("mine-3")["figures"]["counted_share"], 1.0);
    let wrong = MINE.replace("white-wins", "white-loses");
    fs::write(mine, wrong).unwrap();
    let ran = claims(&[]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let words = "line 12, `count`: there is no term \"white-loses\"";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

/// The values are those that `export` lists for the same indices, and mirror images count once.
#[test]
fn two_games_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let compare = |more: &[&str]| {
        let games = ["compare", "extinction-mating", "extinction", "KQvK"];
        run(&[&games[..], &["--tables", SHIPPED], more].concat())
    };
    let ran = compare(&["--json", "--out", out.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let entries = ran.json();
    let figures = &entries[0]["figures"];
    assert_eq!(entries[0]["tag"], "compare");
    assert_eq!(
        (&figures["positions"], &figures["other_value"]),
        (&344_932.into(), &872.into())
    );
    let values = figures["values"].as_array().unwrap();
    assert_eq!(values[1]["lost_in_the_second"], 872);
    let examples = entries[0]["examples"].as_array().unwrap();
    let kind = "drawn in extinction-mating, lost in extinction";
    let of_kind = examples.iter().filter(|example| example["kind"] == kind);
    assert_eq!(of_kind.clone().count(), 10);
    for example in of_kind {
        assert_eq!(example["category"], "draw");
        assert_eq!(example["also"][0]["category"], "loss");
    }
    for name in ["compare.json", "compare.md", "compare.html"] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let text = fs::read_to_string(out.join("compare.json")).unwrap();
    assert_eq!(text.trim(), ran.stdout.trim());
    // With the answer that was kept.
    assert_eq!(
        compare(&["--json", "--out", out.to_str().unwrap()]).stdout,
        ran.stdout
    );
    for (second, words) in [
        ("chess99", "9x9"),
        ("kings:board=10x8", "only games on boards of one size"),
    ] {
        let refused = run(&["compare", "orthodox", second, "KQvK"]);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains(words), "{}", refused.stderr);
    }
}
