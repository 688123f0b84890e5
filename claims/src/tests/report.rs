//! Tests the report as a whole: files, resuming, examples that say what tables say.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use retrograde_probe::Tablebase;
use retrograde_rules::Position;
use serde_json::Value;

use super::{Shipped, game, tables};
use crate::example::UNKNOWN;
use crate::{Answer, Observer, Options, Report, claims, report};

/// Claims that need no tables but those that ship.
const TAGS: [&str; 9] = [
    "HC0", "HC5", "HC7", "HC12", "C99-3", "K-1", "EX-1", "EX-5", "O-3",
];

/// Others, which two bare kings give examples of.
const TAGS_OF_KINGS: [&str; 6] = ["HC1", "HC2", "HC4", "HC8", "HC10", "C99-7"];

fn options(out: &std::path::Path, men: usize, only: &[&str]) -> Options {
    Options {
        tables: vec![tables()],
        out: Some(out.to_owned()),
        secrets: Some(out.to_owned()),
        men,
        game: None,
        compare: None,
        only: only.iter().map(|&tag| tag.to_owned()).collect(),
    }
}

#[test]
fn every_example_says_what_the_tables_say() {
    for (men, tags, least) in [(3, &TAGS[..], 80), (2, &TAGS_OF_KINGS[..], 40)] {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path(), men, tags);
        let found: Report = report(&options, &Shipped, &()).unwrap();
        found.write(folder.path()).unwrap();
        let text = fs::read_to_string(folder.path().join("claims.json")).unwrap();
        let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(entries.len(), tags.len());
        entries.iter().for_each(check_shape);
        let examples = examples(&entries);
        examples.iter().for_each(check_value);
        assert!(examples.len() > least, "{} of {men} men", examples.len());
        check_pages(folder.path(), &entries);
    }
}

/// The report in `docs` is of all claims, and its examples are positions that say what it
/// says, as far as their tables ship.
#[test]
fn the_report_in_docs_says_what_the_tables_say() {
    let docs = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"));
    let text = fs::read_to_string(docs.join("claims.json")).unwrap();
    let entries: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut tags: Vec<&str> = entries.iter().map(|e| e["tag"].as_str().unwrap()).collect();
    let mut known: Vec<&str> = claims().map(|claim| claim.tag.as_str()).collect();
    tags.sort_unstable();
    known.sort_unstable();
    assert_eq!(tags, known);
    entries.iter().for_each(check_shape);
    check_pages(&docs, &entries);
    let mut probed = 0;
    for example in examples(&entries) {
        let game = game(example["game"].as_str().unwrap());
        let fen = example["fen"].as_str().unwrap();
        // Of another game's FEN the placement counts.
        let placement = fen.split(' ').next().unwrap();
        let men = placement.chars().filter(char::is_ascii_alphabetic).count();
        let ships = men <= 3 && !game.id().contains(':');
        if ships || example["category"] == UNKNOWN {
            check_value(&example);
            probed += 1;
        }
    }
    assert!(probed > 100, "{probed}");
}

/// All examples, and what is said about them as positions of other games.
fn examples(entries: &[Value]) -> Vec<Value> {
    let mut list = Vec::new();
    for entry in entries {
        for example in entry["examples"].as_array().unwrap() {
            list.push(example.clone());
            for other in example["also"].as_array().into_iter().flatten() {
                let mut same = other.clone();
                same["fen"] = example["fen"].clone();
                list.push(same);
            }
        }
    }
    list
}

/// Whether an example has the value that is reported.
fn check_value(example: &Value) {
    let game = game(example["game"].as_str().unwrap());
    let tables = Tablebase::open(game, [tables()]).unwrap();
    // Of another game's FEN the placement counts.
    let fen = example["fen"].as_str().unwrap();
    let fields: Vec<&str> = fen.split(' ').collect();
    let short = fields[..4].join(" ");
    let position = Position::from_fen(
        game,
        if fields.len() == 7 && game.vitality().is_none() {
            &short
        } else {
            fen
        },
    );
    if example["category"] == UNKNOWN {
        assert!(tables.probe(&position.unwrap()).is_err(), "{example}");
        return;
    }
    let answer = tables.probe(&position.unwrap()).unwrap();
    assert_eq!(example["category"], answer.value.wdl.name(), "{example}");
    assert_eq!(
        example["depth_plies"].as_u64(),
        answer.value.dtm.map(|dtm| dtm.0.into()),
        "{example}"
    );
}

/// The fields that `docs/claims.schema.json` demands, and their types.
fn check_shape(entry: &Value) {
    let schema = include_str!("../../../docs/claims.schema.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    check_against(&schema, &schema["items"], entry);
}

/// Checks the part of JSON Schema that the schema uses.
fn check_against(root: &Value, schema: &Value, value: &Value) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/$defs/");
        return check_against(root, &root["$defs"][name], value);
    }
    let is = |name: &str| match name {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    match &schema["type"] {
        Value::String(name) => assert!(is(name), "{value} is no {name}"),
        Value::Array(names) => assert!(names.iter().any(|n| is(n.as_str().unwrap())), "{value}"),
        _ => {}
    }
    if let Some(allowed) = schema["enum"].as_array() {
        assert!(allowed.contains(value), "{value}");
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(
            value.get(name.as_str().unwrap()).is_some(),
            "{name} of {value}"
        );
    }
    let properties = schema["properties"].as_object();
    for (name, value) in value.as_object().into_iter().flatten() {
        match properties.and_then(|properties| properties.get(name)) {
            Some(schema) => check_against(root, schema, value),
            None => assert_ne!(schema["additionalProperties"], Value::Bool(false), "{name}"),
        }
    }
    if schema["items"].is_object() {
        value
            .as_array()
            .into_iter()
            .flatten()
            .for_each(|v| check_against(root, &schema["items"], v));
    }
}

/// The most bytes of a page.
const PAGE: usize = 600_000;

/// The most lines of the overview in Markdown.
const OVERVIEW: usize = 600;

/// Every claim has its place once, on a page that is not too long; links lead somewhere, boards
/// are drawn with what the page has, and nothing needs a network.
fn check_pages(folder: &std::path::Path, entries: &[Value]) {
    let overview = fs::read_to_string(folder.join("CLAIMS.md")).unwrap();
    assert!(overview.lines().count() <= OVERVIEW);
    let pages: BTreeMap<String, String> = fs::read_dir(folder.join("claims"))
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    let all: String = pages.values().cloned().collect();
    for entry in entries {
        let tag = entry["tag"].as_str().unwrap();
        let article = format!("<article id=\"{tag}\">");
        assert_eq!(all.matches(&article).count(), 1, "{tag}");
        assert_eq!(overview.matches(&format!("| [{tag}](")).count(), 1, "{tag}");
        let first = entry["examples"][0]["fen"].as_str();
        assert!(first.is_none_or(|fen| all.contains(fen)), "{tag}");
    }
    let targets = |text: &str, before: &str, after: char| -> Vec<String> {
        let pieces = text.split(before).skip(1);
        let links = pieces.map(|piece| piece.split(after).next().unwrap().to_owned());
        links.collect()
    };
    let leads_somewhere = |here: &str, link: &str| {
        let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
        let page = if page.is_empty() { here } else { page };
        let text = pages.get(page).unwrap_or_else(|| panic!("{here}: {link}"));
        assert!(
            anchor.is_empty() || text.contains(&format!("id=\"{anchor}\"")),
            "{here}: {link}"
        );
    };
    for link in targets(&overview, "](claims/", ')') {
        leads_somewhere("CLAIMS.md", &link);
    }
    for (name, page) in &pages {
        assert!(page.len() <= PAGE, "{name}: {}", page.len());
        assert!(page.contains("class=\"board\""), "{name} has no board");
        for link in targets(page, "href=\"", '"') {
            leads_somewhere(name, &link);
        }
        for outside in ["http:", "https:", "//", "@import", "src=", "url("] {
            assert!(!page.contains(outside), "{name}: {outside}");
        }
    }
}

/// Stops after so many claims, and counts those kept from earlier runs.
#[derive(Default)]
struct Counter {
    ended: std::sync::atomic::AtomicUsize,
    kept: std::sync::atomic::AtomicUsize,
    stop_after: Option<usize>,
}

impl Observer for Counter {
    fn end(&self, _: &Answer, kept: bool) {
        let one = |n: &std::sync::atomic::AtomicUsize, by| {
            n.fetch_add(by, std::sync::atomic::Ordering::Relaxed)
        };
        one(&self.ended, 1);
        one(&self.kept, usize::from(kept));
    }

    fn interrupted(&self) -> bool {
        let ended = self.ended.load(std::sync::atomic::Ordering::Relaxed);
        self.stop_after.is_some_and(|most| ended >= most)
    }
}

/// Claims that were asked for by their tags are asked for by them again.
#[test]
fn the_head_names_the_command_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let command = |only: &[&str]| {
        let report = report(&options(folder.path(), 3, only), &Shipped, &()).unwrap();
        let text = report.markdown();
        text.split('`').nth(1).unwrap().to_owned()
    };
    assert_eq!(command(&["k-1"]), "retrograde claims --men 3 --only K-1");
    let several = command(&["K-1", "HC2"]);
    assert_eq!(several, "retrograde claims --men 3 --only HC2 --only K-1");
}

/// Stops in the middle of a claim.
#[derive(Default)]
struct Halfway {
    stopped: std::sync::atomic::AtomicBool,
    stops: bool,
}

impl Observer for Halfway {
    fn progress(&self, done: u64, total: u64) {
        let is_enough = self.stops && 2 * done > total;
        self.stopped
            .fetch_or(is_enough, std::sync::atomic::Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.stopped.load(std::sync::atomic::Ordering::Relaxed)
    }
}

#[test]
fn an_interrupted_claim_goes_on_with_the_next_class() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let run = |folder: &std::path::Path, observer: &Halfway| {
        let options = options(folder, 3, &["HC0"]);
        pool.install(|| report(&options, &Shipped, observer))
    };
    let first = Halfway {
        stops: true,
        ..Halfway::default()
    };
    assert!(run(folder.path(), &first).is_err());
    let classes = folder.path().join(".claims/HC0");
    let kept = fs::read_dir(&classes).unwrap().count();
    assert!(kept > 0);
    let resumed = run(folder.path(), &Halfway::default()).unwrap();
    assert!(!classes.exists());
    let anew = run(other.path(), &Halfway::default()).unwrap();
    assert_eq!(resumed.json(), anew.json());
}

#[test]
fn interrupted_work_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), 3, &["HC0", "HC1", "K-1"]);
    let first = Counter {
        stop_after: Some(2),
        ..Counter::default()
    };
    let stopped = report(&options, &Shipped, &first);
    assert!(matches!(stopped, Err(crate::ClaimError::Interrupted)));
    let second = Counter::default();
    let resumed = report(&options, &Shipped, &second).unwrap();
    assert_eq!(second.kept.into_inner(), 2);
    let other = tempfile::tempdir().unwrap();
    let anew = report(
        &Options {
            out: Some(other.path().to_owned()),
            ..options.clone()
        },
        &Shipped,
        &(),
    )
    .unwrap();
    assert_eq!(resumed.json(), anew.json());
    // Another number of men is another report.
    let third = Counter::default();
    report(&Options { men: 2, ..options }, &Shipped, &third).unwrap();
    assert_eq!(third.kept.into_inner(), 0);
}
