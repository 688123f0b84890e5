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
            .starts_with("HC1    holds\n1 claim answered, 0 of them")
    );
    for name in ["claims.json", "CLAIMS.md", "claims.html"] {
        assert!(out.join(name).is_file(), "{name}");
    }
    let text = fs::read_to_string(out.join("claims.json")).unwrap();
    let entries: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(entries[0]["tag"], "HC1");
    assert_eq!(entries[0]["verdict"], "holds");
    assert_eq!(entries[0]["men"], 2);
    let again = report("hc1");
    assert!(again.stdout.contains("answered before"), "{}", again.stdout);
    // Somebody else's answers, or those of this user that were changed, are not believed.
    let kept = out.join(".claims/HC1.json");
    let sealed = fs::read_to_string(&kept).unwrap();
    let forged = sealed.replace("\"holds\"", "\"fails\"");
    assert_ne!(sealed, forged);
    for text in [&forged, &forged[64..]] {
        fs::write(&kept, text).unwrap();
        let ran = report("hc1");
        assert!(ran.stdout.starts_with("HC1    holds\n"), "{}", ran.stdout);
    }
    let page = fs::read_to_string(out.join("CLAIMS.md")).unwrap();
    let command = "`retrograde claims --men 2 --only HC1`";
    assert!(page.contains(command), "{page}");
    // A claim that fails is no failure.
    assert_eq!(report("HC6").code, 0);
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
    // What that takes is said before.
    let said = made.stderr.lines().next().unwrap();
    assert!(said.starts_with("tables of 1 material are missing and made first: up to "));
    assert!(
        said.contains(" of CPU time on ") && said.contains(" of disk in "),
        "{said}"
    );
    assert!(tables.join("high-chess+vitality=3/KvK.mates").is_file());
    let text = fs::read_to_string(out.join("CLAIMS.md")).unwrap();
    assert!(
        text.contains("for high-chess:vitality=3 from all tables"),
        "{text}"
    );
}

#[test]
fn the_help_has_the_tags_of_all_claims() {
    for help in ["-h", "--help"] {
        let help = run(&["claims", help]).stdout;
        let tags = help.split_once("Tags of claims: ").unwrap().1;
        let tags: Vec<&str> = tags
            .trim_end_matches(['.', '\n'])
            .split(',')
            .map(str::trim)
            .collect();
        assert!(
            ["HC0", "C99-3", "K-1", "EX-4", "O-3"]
                .iter()
                .all(|tag| tags.contains(tag))
        );
    }
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
