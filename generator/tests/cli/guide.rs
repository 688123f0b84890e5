//! The examples of the guide and of the README print what is shown there.

use std::path::Path;

use assert_cmd::Command;

use crate::common::shipped;

/// A command of the guide, and its output.
struct Example<'a> {
    command: &'a str,
    printed: Vec<&'a str>,
}

/// The commands in blocks marked as `console`.
fn examples(guide: &str) -> Vec<Example<'_>> {
    let mut list: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in guide.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if !inside {
        } else if let Some(command) = line.strip_prefix("$ ") {
            let printed = Vec::new();
            list.push(Example { command, printed });
        } else {
            list.last_mut().unwrap().printed.push(line);
        }
    }
    list
}

/// Whether a line is as expected; `…` matches any text.
fn line_fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    for (place, part) in parts.iter().enumerate() {
        let at = if place + 1 == parts.len() {
            rest.len().checked_sub(part.len())
        } else {
            rest.find(part)
        };
        match at {
            Some(at) if rest[at..].starts_with(part) => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty()
}

/// Whether the lines are as expected; a line `…` matches any lines.
fn fits(expected: &[&str], lines: &[&str]) -> bool {
    match expected {
        [] => lines.is_empty(),
        ["…", rest @ ..] => (0..=lines.len()).any(|skip| fits(rest, &lines[skip..])),
        [first, rest @ ..] => {
            let line = lines.split_first();
            line.is_some_and(|(line, lines)| line_fits(first, line) && fits(rest, lines))
        }
    }
}

/// Runs commands in a folder; `retrograde` is the program that was built.
fn check(examples: &[Example], folder: &Path) {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("retrograde"));
    let path = std::env::var_os("PATH").unwrap();
    let folders = [program.parent().unwrap().to_owned()];
    let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path)));
    let path = path.unwrap();
    for Example { command, printed } in examples {
        let command = command.replace("cargo run --release --", "retrograde");
        let output = std::process::Command::new("sh")
            .args(["-c", &format!("({command}) 2>&1")])
            .env("PATH", &path)
            .env_remove("RETROGRADE_TABLES")
            .current_dir(folder)
            .output()
            .unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = output.lines().collect();
        assert!(fits(printed, &lines), "{command} prints:\n{output}");
    }
}

/// Copies those of a game into a table folder.
fn ship(game: &str, tables: &Path) {
    std::fs::create_dir_all(tables.join(game)).unwrap();
    for file in std::fs::read_dir(shipped().join(game)).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), tables.join(game).join(file.file_name())).unwrap();
    }
}

#[test]
fn the_guide_tells_the_truth() {
    // The guide's examples run beside the tables that ship, all of them.
    let folder = tempfile::tempdir().unwrap();
    let games = std::fs::read_dir(shipped()).unwrap().map(Result::unwrap);
    for game in games.filter(|game| game.file_type().unwrap().is_dir()) {
        let name = game.file_name().into_string().unwrap();
        ship(&name, &folder.path().join("tables"));
    }

    let examples = examples(include_str!("../../../docs/GUIDE.md"));
    assert!(examples.len() > 10);
    check(&examples, folder.path());
}

/// Except those that make or prove all materials of four pieces.
#[test]
fn the_readme_tells_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let mut made = Command::cargo_bin("retrograde").unwrap();
    made.args(["generate", "orthodox", "KBNvK", "--tables"]);
    made.arg(&tables).assert().success();
    for game in [
        "orthodox",
        "high-chess",
        "chess99",
        "kings",
        "king-of-the-hill",
    ] {
        ship(game, &tables);
    }

    let mut examples = examples(include_str!("../../../README.md"));
    examples.retain(|example| !example.command.contains("--men 4"));
    assert!(examples.len() > 4);
    check(&examples, folder.path());
}
