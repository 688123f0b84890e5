//! Definitions whose keys meet in pairs: tables are made, verified, and compared with what the
//! interpreter finds by code of its own.
//!
//! The first line of each file in `records` is a comment, the arguments that name its endings.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;

fn run(arguments: &[&str]) -> Result<String, String> {
    let ran = Command::new(env!("CARGO_BIN_EXE_retrograde"))
        .args(arguments)
        .env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match ran.status.success() {
        true => Ok(text(&ran.stdout)),
        false => Err(format!("{arguments:?}: {}", text(&ran.stderr))),
    }
}

/// Makes and checks the tables of a definition.
fn check(file: &Path) -> Result<(), String> {
    let definition = std::fs::read_to_string(file).unwrap();
    let first = definition.lines().next().unwrap();
    let endings = first
        .strip_prefix("# ")
        .expect("the first line names endings");
    let folder = tempfile::tempdir().unwrap();
    let (file, folder) = (file.to_str().unwrap(), folder.path().to_str().unwrap());
    let named: Vec<&str> = endings.split(' ').collect();
    let with = |before: &[&str], after: &[&str]| run(&[before, &named[..], after].concat());
    with(&["generate", file], &["--tables", folder, "--out", folder])?;
    with(&["verify", file], &["--tables", folder, "--fresh"])?;
    with(&["verify", file], &["--tables", folder, "--independent"])?;
    Ok(())
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
            check(file)
                .err()
                .map(|e| format!("{}: {e}", file.display()))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
