//! Tests the report as a whole: files, resuming, examples that say what tables say.

use std::fs;
use std::path::PathBuf;

use retrograde_probe::Tablebase;
use retrograde_rules::Position;
use serde_json::Value;

use super::{Shipped, game, tables};
use crate::example::UNKNOWN;
use crate::{Observer, Options, Report, Verdict, claims, report};

/// Claims that need no tables but those that ship.
const TAGS: [&str; 9] = [
    "HC0", "HC5", "HC7", "C99-3", "K-1", "K-4", "EX-4", "EX-5", "O-3",
];

/// Others, which two bare kings give examples of.
const TAGS_OF_KINGS: [&str; 7] = ["HC1", "HC2", "HC6", "HC8", "HC10", "HC11", "C99-7"];

fn options(out: &std::path::Path, men: usize, only: &[&str]) -> Options {
    Options {
        tables: vec![tables()],
        out: out.to_owned(),
        secrets: Some(out.to_owned()),
        men,
        game: None,
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

/// Both pages name all claims, and the HTML page needs no network.
fn check_pages(folder: &std::path::Path, entries: &[Value]) {
    let [markdown, html] =
        ["CLAIMS.md", "claims.html"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
    for entry in entries {
        let tag = entry["tag"].as_str().unwrap();
        assert!(markdown.contains(&format!("## {tag}\n")), "{tag}");
        assert!(html.contains(&format!("id=\"{tag}\"")), "{tag}");
    }
    for outside in ["http:", "https:", "<script", "@import", "src="] {
        let found = html
            .replace("http://www.w3.org/2000/svg", "")
            .contains(outside);
        assert!(!found, "{outside}");
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
    fn end(&self, _: &str, _: Verdict, kept: bool) {
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
            out: other.path().to_owned(),
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
