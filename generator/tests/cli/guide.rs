//! The examples of the guide and of the README print what is shown there.

use std::path::{Path, PathBuf};

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

/// The project's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The pages of the guide, in the order in which they are read.
fn guide() -> Vec<PathBuf> {
    let folder = root().join("docs/guide");
    let contents = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let pages = links(&contents).filter(|link| !link.contains(['/', '#']));
    pages.map(|page| folder.join(page)).collect()
}

/// The targets of the links of a Markdown text.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let beside = text.split("](").skip(1);
    let below = text.lines().filter(|line| line.starts_with('['));
    let below = below.filter_map(|line| Some(line.split_once("]: ")?.1));
    beside
        .chain(below)
        .filter_map(|rest| rest.split([')', ' ']).next())
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

    let pages = guide();
    assert!(pages.len() > 10);
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(page).unwrap();
        let examples = examples(&text);
        check(&examples, folder.path());
        count += examples.len();
    }
    assert!(count > 10);
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

/// The lines of a Markdown text outside blocks of code.
fn prose(text: &str) -> String {
    let mut code = false;
    let outside = text.lines().filter(|line| {
        code ^= line.starts_with("```");
        !code
    });
    outside.collect::<Vec<_>>().join("\n")
}

/// The anchors of a text's headings, as forges and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    let headings = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
    let slug = |heading: String| {
        let kept = heading
            .chars()
            .filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(slug).collect()
}

/// Links between pages lead somewhere, pages are short, and the book has all of them.
#[test]
fn the_pages_hang_together() {
    let docs = root().join("docs").canonicalize().unwrap();
    let pages = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.extension().is_some_and(|end| end == "md"))
            .collect()
    };
    let short = pages(&docs.join("guide"));
    let mut book = pages(&docs);
    book.extend(pages(&docs.join("history")));
    book.extend(short.clone());
    let mut all = book.clone();
    all.extend(pages(root()));
    all.extend(pages(&root().join("bindings")));
    let read = |path: &Path| prose(&std::fs::read_to_string(path).unwrap());
    for page in &all {
        let text = read(page);
        for link in links(&text).filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => page.clone(),
                _ => page.parent().unwrap().join(path),
            };
            assert!(target.exists(), "{}: {link}", page.display());
            // The book has nothing else.
            let inside =
                !page.starts_with(&docs) || target.canonicalize().unwrap().starts_with(&docs);
            assert!(inside, "{}: {link} leads out of docs", page.display());
            let is_page = target.extension().is_some_and(|end| end == "html");
            let there = match anchor {
                "" => true,
                _ if is_page => read(&target).contains(&format!("id=\"{anchor}\"")),
                _ => anchors(&read(&target)).iter().any(|a| a == anchor),
            };
            assert!(there, "{}: {link}", page.display());
        }
    }
    let summary = read(&docs.join("SUMMARY.md"));
    let contents = read(&docs.join("guide/README.md"));
    for page in short {
        let name = page.file_name().unwrap().to_str().unwrap();
        let lines = std::fs::read_to_string(&page).unwrap().lines().count();
        assert!(lines <= 200, "{name} has {lines} lines");
        assert!(
            name == "README.md" || contents.contains(&format!("]({name})")),
            "{name}"
        );
    }
    for page in book.iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let name = page.strip_prefix(&docs).unwrap().to_str().unwrap();
        let name = name.replace('\\', "/");
        assert!(summary.contains(&format!("]({name})")), "{name}");
    }
}
