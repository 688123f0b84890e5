//! Feeds the corpus of the fuzz targets to the same functions without a fuzzer.
//!
//! So past faults stay fixed.

use std::fs;
use std::path::Path;

#[allow(unreachable_pub, reason = "a crate of its own for the fuzzer")]
#[path = "../../fuzz/src/lib.rs"]
mod harness;

/// Feeds the files of a folder of the repository.
fn replay(folder: &str, feed: impl Fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join(folder);
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        println!("{}", path.display());
        feed(&bytes);
        // Truncated or extended files must not make a reader panic.
        for end in 0..bytes.len().min(512) {
            feed(&bytes[..end]);
        }
        files += 1;
    }
    assert!(files > 0, "{}", folder.display());
}

#[test]
fn tables() {
    replay("fuzz/corpus/table", harness::table);
}

#[test]
fn fens() {
    replay("fuzz/corpus/fen", harness::fen);
}

#[test]
fn records() {
    replay("fuzz/corpus/pgn", harness::pgn);
}

#[test]
fn moves() {
    replay("fuzz/corpus/moves", harness::moves);
}

#[test]
fn definitions() {
    for folder in ["fuzz/corpus/definition", "rules/games", "games/examples"] {
        replay(folder, harness::definition);
    }
}
