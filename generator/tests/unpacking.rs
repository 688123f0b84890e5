//! Tests how soon work on all positions of small tables begins, and that it can be stopped.
//!
//! The tables are unpacked for that.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::make;
use crate::packing::packed;
use retrograde::export::{Encoder, Export, Row};
use retrograde::packing::Packing;
use retrograde::values::ValuesError;
use retrograde::verify::{VerifyObserver, VerifyOptions, verify};
use retrograde_probe::{ProbeError, Tablebase};
use retrograde_rules::{Game, Material};

/// Rows as lines.
#[derive(Default)]
struct Lines(Vec<u8>);

impl Encoder for Lines {
    fn add(&mut self, row: &Row) {
        let cells: Vec<String> = row.cells().map(|cell| cell.to_string()).collect();
        self.0.extend(cells.join(",").bytes());
        self.0.push(b'\n');
    }

    fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Stops a proof the n-th time it is asked.
struct Impatient {
    patience: usize,
    asked: AtomicUsize,
    /// The number of questions asked when the first positions were derived.
    at_first: OnceLock<usize>,
}

impl VerifyObserver for Impatient {
    fn progress(&self, _: u64, _: u64) {
        let asked = self.asked.load(Ordering::Relaxed);
        self.at_first.get_or_init(|| asked);
    }

    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

#[test]
fn a_proof_can_be_stopped_while_tables_are_unpacked() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(Game::default(), fast, &["KPvK"], None);
    packed(Game::default(), &materials, fast, small, Packing::Small);
    let options = VerifyOptions {
        tables: vec![small.to_owned()],
        ..VerifyOptions::default()
    };
    let proof = |patience| {
        let observer = Impatient {
            patience,
            asked: AtomicUsize::new(0),
            at_first: OnceLock::new(),
        };
        let last = &materials[materials.len() - 1..];
        let report = verify(Game::default(), last, &options, &observer).unwrap();
        (report, observer.at_first.into_inner())
    };
    let (report, at_first) = proof(usize::MAX);
    assert!(report.is_sound() && !report.interrupted);
    // For each of many parts that are unpacked.
    assert!(at_first > Some(10), "{at_first:?}");
    let (report, at_first) = proof(5);
    assert!(report.interrupted && at_first.is_none(), "{at_first:?}");
}

/// Small tables have the same rows as fast ones, and the first rows do not wait until
/// everything that the others rest on has been worked out.
#[test]
fn first_rows_come_at_once() {
    let game = Game::default();
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(game, fast, &["KPvK"], None);
    packed(game, &materials, fast, small, Packing::Small);
    let material = Material::parse(game, "KPvK").unwrap();
    let rows = |folder: &Path| {
        let tables = Tablebase::open(game, [folder]).unwrap();
        let export = Export::new(&tables, &material, Vec::new()).unwrap();
        let asked = AtomicUsize::new(0);
        let stop = || {
            asked.fetch_add(1, Ordering::Relaxed);
            false
        };
        let (mut all, mut first) = (Vec::new(), None);
        let write = |bytes: &[u8]| {
            first.get_or_insert(asked.load(Ordering::Relaxed));
            all.extend_from_slice(bytes);
            Ok::<_, ValuesError>(())
        };
        export.run(Lines::default, write, &stop).unwrap();
        (all, first, asked.into_inner())
    };
    let (expected, ..) = rows(fast);
    let (found, first, asked) = rows(small);
    assert!(!expected.is_empty() && found == expected);
    // Preparing asks for every part of every table.
    assert_eq!(first, Some(1));
    assert!(asked > 100, "{asked}");

    let tables = Tablebase::open(game, [small]).unwrap();
    let export = Export::new(&tables, &material, Vec::new()).unwrap();
    let stopped = export.run(Lines::default, |_| Ok::<_, ValuesError>(()), &|| true);
    let stopped = stopped.unwrap_err();
    assert!(matches!(stopped, ValuesError::Probe(ProbeError::Stopped)));
}
