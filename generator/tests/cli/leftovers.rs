//! Tests that leftovers of killed processes are removed, even where nothing is left to do.

use std::fs;
use std::path::Path;

use crate::common::{copies, run, shipped};

const ALL: [&str; 3] = ["KQvK.dtm", "KQvK.dtz", "KQvK.wdl"];

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A process was killed between its last file and the end, or while it packed anew.
#[test]
fn unfinished_files_of_tables_that_are_there() {
    for command in [
        &["generate", "orthodox", "KQvK"][..],
        &["repack", "orthodox", "KQvK", "--pack", "fast"],
    ] {
        let folder = copies(&ALL);
        let game = folder.path().join("orthodox");
        let lock = game.join(".KQvK.lock");
        // Of the table that is asked for, and of one that is not.
        for name in ["KQvK", "KRvK"] {
            fs::write(game.join(format!(".{name}.lock")), "").unwrap();
            fs::write(game.join(format!("{name}.dtm.99999999.partial")), "half").unwrap();
        }
        let tables = ["--tables", folder.path().to_str().unwrap()];

        // The process that is at it may still be running.
        let held = fs::File::open(&lock).unwrap();
        held.lock().unwrap();
        let ran = run(&[command, &tables].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert_eq!(names(&game).len(), 5, "{command:?}");
        held.unlock().unwrap();

        let ran = run(&[command, &tables].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(ran.stderr.contains(" kept, "), "{}", ran.stderr);
        assert_eq!(names(&game), ALL, "{command:?}");
    }
}

/// A process was killed while it wrote down how far it had come.
#[test]
fn unfinished_notes_of_verify() {
    let [folder, notes] = [copies(&ALL), tempfile::tempdir().unwrap()];
    let journal = notes.path().join("progress");
    fs::write(journal.with_added_extension("partial"), "{").unwrap();
    let ran = run(&[
        "verify",
        "orthodox",
        "--journal",
        journal.to_str().unwrap(),
        "--tables",
        folder.path().to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(names(notes.path()).is_empty());
    assert_eq!(names(&folder.path().join("orthodox")), ALL);
}

/// A process was killed while it wrote an answer or the report.
#[test]
fn unfinished_reports() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join(".claims");
    fs::create_dir(&kept).unwrap();
    for left in [kept.join("HC1.json"), folder.path().join("CLAIMS.md")] {
        fs::write(left.with_added_extension("partial"), "half").unwrap();
    }
    let ran = run(&[
        "claims",
        "--men",
        "2",
        "--only",
        "HC1",
        "--tables",
        shipped().to_str().unwrap(),
        "--out",
        folder.path().to_str().unwrap(),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report = [".claims", "CLAIMS.md", "claims", "claims.json"];
    assert_eq!(names(folder.path()), report);
    assert_eq!(names(&kept), ["HC1.json"]);
}
