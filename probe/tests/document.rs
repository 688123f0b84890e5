//! A second reader, written from `docs/FORMAT.md` alone: it shares nothing
//! with the library but the checksum and Zstandard.

#![allow(clippy::unwrap_used, reason = "a reader of one sound file")]

mod common;
#[path = "common/solver.rs"]
mod solver;

use std::fs;
use std::path::PathBuf;

use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack};
use retrograde_probe::{Metric, Table};
use retrograde_rules::{Colour, Game, Position, Square};
use xxhash_rust::xxh3::xxh3_64;

fn fixture() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/KQvK.dtm")
}

/// Fields of the file at a place.
struct Bytes(Vec<u8>);

impl Bytes {
    fn number(&self, at: usize, size: usize) -> u64 {
        (0..size)
            .map(|i| u64::from(self.0[at + i]) << (8 * i))
            .sum()
    }

    fn text(&self, at: &mut usize) -> String {
        let length = self.0[*at] as usize;
        let text = &self.0[*at + 1..*at + 1 + length];
        *at += 1 + length;
        String::from_utf8(text.to_vec()).unwrap()
    }
}

/// All values of one side to move, in the order of their numbers.
fn values(file: &Bytes, side: usize) -> Vec<i16> {
    let positions = file.number(24, 8) as usize;
    let table = file.number(12, 4) as usize;
    let blocks = file.number(52, 4) as usize;
    let length = file.number(16, 8) as usize;

    let mut at = 56;
    for _ in 0..4 {
        file.text(&mut at);
    }
    at = at.next_multiple_of(8);
    let mut first_block = 0;
    for section in 0..side {
        assert_eq!(file.number(at, 1), section as u64);
        first_block += file.number(at + 8, 4) as usize;
        at += 16 + 2 * file.number(at + 12, 4) as usize;
        at = at.next_multiple_of(8);
    }
    assert_eq!(file.number(at, 1), side as u64);
    let bits = file.number(at + 1, 1) as usize;
    let block_len = file.number(at + 4, 4) as usize;
    let palette = at + 16;

    let mut values = Vec::new();
    for block in 0..positions.div_ceil(block_len) {
        let number = first_block + block;
        let entry = table + 16 * number;
        let start = file.number(entry, 8) as usize;
        let end = match number + 1 {
            next if next == blocks => length - 8,
            next => file.number(table + 16 * next, 8) as usize,
        };
        let stored = &file.0[start..end];
        assert_eq!(xxh3_64(stored), file.number(entry + 8, 8));
        let count = block_len.min(positions - block * block_len);
        let size = (count * bits).div_ceil(8);
        let packed = if stored.len() == size {
            stored.to_vec()
        } else {
            zstd::bulk::decompress(stored, size).unwrap()
        };
        for i in 0..count {
            let bit = i * bits;
            let symbol = match bits {
                16 => packed[i] as usize | (packed[count + i] as usize) << 8,
                _ => packed[bit / 8] as usize >> (bit % 8) & ((1 << bits) - 1),
            };
            values.push(file.number(palette + 2 * symbol, 2) as i16);
        }
    }
    values
}

/// The number of white king, queen and black king on squares 0..64.
fn number(king: u8, queen: u8, other: u8) -> usize {
    let image = |turn: u8, square: u8| {
        let (mut file, mut rank) = (square % 8, square / 8);
        if turn & 4 != 0 {
            (file, rank) = (rank, file);
        }
        if turn & 1 != 0 {
            file = 7 - file;
        }
        if turn & 2 != 0 {
            rank = 7 - rank;
        }
        rank * 8 + file
    };
    let lowest = |king: u8, other: u8| {
        let images = (0..8).map(|turn| (image(turn, king), image(turn, other), turn));
        images.min().unwrap()
    };
    let touch = |a: u8, b: u8| (a % 8).abs_diff(b % 8) <= 1 && (a / 8).abs_diff(b / 8) <= 1;
    let mut pairs = Vec::new();
    for a in 0..64 {
        for b in 0..64 {
            let (low_a, low_b, _) = lowest(a, b);
            if !touch(a, b) && (low_a, low_b) == (a, b) {
                pairs.push((a, b));
            }
        }
    }
    assert_eq!(pairs.len(), 462);
    let (a, b, turn) = lowest(king, other);
    let pair = pairs.iter().position(|&p| p == (a, b)).unwrap();
    pair * 64 + image(turn, queen) as usize
}

#[test]
fn the_document_is_enough_to_read_a_table() {
    let file = Bytes(fs::read(fixture()).unwrap());
    assert_eq!(file.0[..8], *b"\x89RTB\r\n\x1a\n");
    assert_eq!(file.number(8, 2), 1);
    assert_eq!(file.number(16, 8), file.0.len() as u64);
    assert_eq!(file.number(24, 8), 462 * 64);
    assert_eq!(file.number(34, 1), 2);
    assert_eq!(file.number(36, 1), 1);
    assert_eq!(file.number(37, 1), 2);
    assert_eq!(file.number(48, 4), 462);
    let mut at = 56;
    let texts = [(); 4].map(|()| file.text(&mut at));
    assert_eq!(texts, ["orthodox", "KQRBNP", "KQvK", "Q"]);

    let end = file.number(12, 4) as usize + 16 * file.number(52, 4) as usize;
    assert_eq!(xxh3_64(&file.0[..end]), file.number(end, 8));
    let last = file.0.len() - 8;
    assert_eq!(xxh3_64(&file.0[..last]), file.number(last, 8));

    let sides = [values(&file, 0), values(&file, 1)];
    // Kf6 Qg6, Kh8, the document's example: mate in one ply.
    assert_eq!(number(45, 46, 63), 22225);
    assert_eq!(sides[0][22225], 1);
    assert_eq!(file.number(80 + 16 + 2 * 8, 2), 1);
    // Kf6 Qg7, Kh8: mated.
    assert_eq!(sides[1][number(45, 54, 63)], -1);
    // Kg6 Qf7, Kh8: stalemate. Ka1 Qd1, Kc1: the queen is lost.
    assert_eq!(sides[1][number(46, 53, 63)], 0);
    assert_eq!(sides[1][number(0, 3, 2)], 0);

    // The library reads the same.
    let table = Table::open(&fixture()).unwrap();
    for turn in Colour::BOTH {
        let mut read = vec![0; 462 * 64];
        table.read(turn, 0, &mut read).unwrap();
        assert!(read == sides[turn.index()]);
    }
    for (king, queen, other) in [(45, 46, 63), (3, 20, 59), (63, 0, 17), (27, 8, 0)] {
        let squares = [king, queen, other].map(Square);
        let expected = table.index().encode(&squares).unwrap();
        assert_eq!(number(king, queen, other) as u64, expected);
    }
}

/// The thresholds of a file, as a list for each walk: the least of White's
/// points for each number of Black's.
fn walks(file: &Bytes, full: usize) -> Vec<Vec<usize>> {
    let mut at = 56;
    for _ in 0..4 {
        file.text(&mut at);
    }
    at = at.next_multiple_of(8);
    for _ in 0..file.number(37, 1) {
        at += 16 + 2 * file.number(at + 12, 4) as usize;
        at = at.next_multiple_of(8);
    }
    let count = file.number(at, 4) as usize;
    at += 4;
    let size = (2 * full).div_ceil(8);
    let walks = (0..count).map(|walk| {
        let bytes = &file.0[at + walk * size..at + (walk + 1) * size];
        let mut list = Vec::new();
        let mut white = 1;
        for step in 0..2 * full {
            if bytes[step / 8] >> (step % 8) & 1 != 0 {
                white = (white + 1).min(full + 1);
            } else {
                list.push(white);
            }
        }
        list.resize(full, full + 1);
        list
    });
    let walks = walks.collect();
    let end = (at + count * size).next_multiple_of(8);
    assert!(file.0[at + count * size..end].iter().all(|&byte| byte == 0));
    assert_eq!(end as u64, file.number(12, 4));
    walks
}

#[test]
fn the_document_is_enough_to_read_high_chess() {
    for full in [3, 50] {
        let (bytes, list) = common::vitality_bytes(full, Metric::Thresholds);
        let file = Bytes(bytes.clone());
        assert_eq!([file.number(34, 1), file.number(35, 1)], [4, 2]);
        let read = walks(&file, full.into());
        assert_eq!(read.len(), list.len());
        for (read, thresholds) in read.iter().zip(list) {
            assert!(read.iter().copied().eq(thresholds.iter().map(usize::from)));
        }
        let table = Table::from_bytes(bytes).unwrap();
        for turn in Colour::BOTH {
            for (number, value) in (0..).zip(values(&file, turn.index())) {
                assert_eq!(table.get(turn, number).unwrap(), value);
                assert!((value as usize) < read.len());
            }
        }

        let (bytes, _) = common::vitality_bytes(full, Metric::Mates);
        let file = Bytes(bytes.clone());
        assert_eq!([file.number(34, 1), file.number(35, 1)], [5, 2]);
        let table = Table::from_bytes(bytes).unwrap();
        for turn in Colour::BOTH {
            for (number, value) in (0..).zip(values(&file, turn.index())) {
                assert_eq!(table.get(turn, number).unwrap(), value);
                let read = [value / 64, value % 64].map(|need| need as u8);
                assert_eq!(retrograde_probe::needs::split(value), read);
            }
        }
    }
}

#[test]
fn the_file_of_the_document_holds_true_values() {
    let table = Table::open(&fixture()).unwrap();
    assert!(table.check().is_sound());
    let material = common::material("KQvK");
    let smaller = solver::tablebase(&[], Metric::Dtm);
    let solved = solver::solve("KQvK", &smaller);
    let mut squares = [Square(0); 3];
    for turn in Colour::BOTH {
        for number in 0..table.header().positions {
            assert!(table.index().decode(number, &mut squares));
            let pieces = material.pieces().zip(squares);
            if Position::from_pieces(Game::Orthodox, pieces, turn).is_some() {
                let value = table.get(turn, number).unwrap();
                assert_eq!(value, solved[turn.index()][number as usize]);
            }
        }
    }
}

/// Makes the file anew; only for a new version of the format.
#[test]
#[ignore = "writes into the source tree"]
fn make_the_file() {
    let material = common::material("KQvK");
    let values = solver::solve("KQvK", &solver::tablebase(&[], Metric::Dtm));
    let plan = TablePlan::new(Game::Orthodox, &material, Metric::Dtm).unwrap();
    let options = PackOptions {
        block_bytes: 4096,
        level: 19,
        ..PackOptions::default()
    };
    let fill = |turn: Colour, numbers: std::ops::Range<u64>, out: &mut [i16]| {
        let range = numbers.start as usize..numbers.end as usize;
        out.copy_from_slice(&values[turn.index()][range]);
    };
    pack(&fixture(), &plan, &options, Watch::default(), fill).unwrap();
}
