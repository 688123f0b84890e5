//! Reads tables by a second reader, written from `docs/FORMAT.md` alone.
//!
//! It shares nothing with the library but the checksum and Zstandard.

mod learned;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use retrograde_probe::format::Codec;
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack, pack_to_bytes};
use retrograde_probe::{Metric, Table};
use retrograde_rules::{Colour, Game, Material, Position, Square};
use xxhash_rust::xxh3::xxh3_64;

use crate::common::{self, solver};

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

/// The offset of the sections, given that of the digest.
fn needs(file: &Bytes, digest: usize) -> usize {
    let mut at = digest + 10;
    for _ in 0..file.number(digest + 8, 2) {
        file.text(&mut at);
        at += 8;
    }
    at.next_multiple_of(8)
}

/// The values of one side to move, in the order of their numbers.
fn values(file: &Bytes, side: usize) -> Vec<i16> {
    let positions = file.number(24, 8) as usize;
    let table = file.number(12, 4) as usize;
    let blocks = file.number(52, 4) as usize;
    let length = file.number(16, 8) as usize;

    let mut at = 56;
    for _ in 0..4 {
        file.text(&mut at);
    }
    at = needs(file, at.next_multiple_of(8));
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

/// The digest of a table of king and queen against king.
fn digest(sides: &[Vec<i16>; 2]) -> u64 {
    let material = common::material("KQvK");
    let mut sums = Vec::new();
    for (turn, values) in Colour::BOTH.into_iter().zip(sides) {
        for (pair, values) in values.chunks(64).enumerate() {
            let mut bytes = Vec::new();
            for (queen, &value) in values.iter().enumerate() {
                let (a, b) = pairs()[pair];
                let squares = [a, queen as u8, b].map(Square);
                let pieces = material.pieces().zip(squares);
                let is_position = Position::from_pieces(Game::default(), pieces, turn).is_some();
                let value = if is_position { value } else { -32768 };
                bytes.extend(value.to_le_bytes());
            }
            sums.extend(xxh3_64(&bytes).to_le_bytes());
        }
    }
    xxh3_64(&sums)
}

/// The image of a square under a symmetry.
fn image(turn: u8, square: u8) -> u8 {
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
}

/// The lowest image of a pair of kings, and the symmetry that gives it.
fn lowest(king: u8, other: u8) -> (u8, u8, u8) {
    let images = (0..8).map(|turn| (image(turn, king), image(turn, other), turn));
    images.min().unwrap()
}

/// The pairs of kings in their order.
fn pairs() -> &'static [(u8, u8)] {
    static PAIRS: OnceLock<Vec<(u8, u8)>> = OnceLock::new();
    PAIRS.get_or_init(|| {
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
        pairs
    })
}

/// The number of white king, queen and black king on squares 0..64.
fn number(king: u8, queen: u8, other: u8) -> usize {
    let (a, b, turn) = lowest(king, other);
    let pair = pairs().iter().position(|&p| p == (a, b)).unwrap();
    pair * 64 + image(turn, queen) as usize
}

#[test]
fn the_document_is_enough_to_read_a_table() {
    let file = Bytes(fs::read(fixture()).unwrap());
    assert_eq!(file.0[..8], *b"\x89RTB\r\n\x1a\n");
    assert_eq!(file.number(8, 2), 2);
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
    at = at.next_multiple_of(8);
    assert_eq!([at, needs(&file, at)], [80, 96]);
    assert_eq!(file.number(at + 8, 2), 0);
    assert_eq!(digest(&sides), file.number(at, 8));
    // Kf6 Qg6, Kh8, the document's example: mate in one ply.
    assert_eq!(number(45, 46, 63), 22225);
    assert_eq!(sides[0][22225], 1);
    assert_eq!(file.number(96 + 16 + 2 * 8, 2), 1);
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

/// A block table of several pages: a reader of any block needs the bytes before the table, its
/// page and the block alone.
#[test]
fn the_document_is_enough_to_read_pages() {
    let bytes = common::table_bytes("KQvK", 100, 64);
    let file = Bytes(bytes.clone());
    let (table, blocks) = (file.number(12, 4) as usize, file.number(52, 4) as usize);
    assert_eq!(file.number(10, 2) & 2, 2);
    assert!(blocks > 512 && !blocks.is_multiple_of(256));
    assert_eq!(xxh3_64(&file.0[..table - 8]), file.number(table - 8, 8));
    let pages = blocks.div_ceil(256);
    for page in 0..pages {
        let first = table + 16 * 256 * page;
        let end = (first + 16 * 256 + 8).min(table + 16 * blocks);
        let sum = file.number(table - 8 - 8 * (pages - page), 8);
        assert_eq!(xxh3_64(&file.0[first..end]), sum);
    }
    // Everything else is as without pages.
    let end = table + 16 * blocks;
    assert_eq!(xxh3_64(&file.0[..end]), file.number(end, 8));
    assert_eq!(file.number(table, 8) as usize, end + 8);
    let table = Table::from_bytes(bytes).unwrap();
    assert!(table.check().is_sound());
    for turn in Colour::BOTH {
        let mut read = vec![0; 462 * 64];
        table.read(turn, 0, &mut read).unwrap();
        assert!(read == values(&file, turn.index()));
    }
    // A table of one page does without.
    let small = common::table_bytes("KQvK", 100, 1 << 10);
    assert_eq!(small[10] & 2, 0);
}

/// The statistics of one side to move: the values that occur with how many positions have
/// them, the longest positions and how many are blocked.
type Side = (Vec<[i64; 3]>, Vec<u64>, u64);

/// The statistics of a file: those of both sides, then the zugzwangs.
fn statistics(file: &Bytes) -> ([Side; 2], [u64; 3], Vec<u64>) {
    assert_eq!(file.number(10, 2), 1);
    let (table, blocks) = (file.number(12, 4), file.number(52, 4));
    let entry = (table + 16 * (blocks - 1)) as usize;
    let (start, end) = (file.number(entry, 8) as usize, file.0.len() - 8);
    assert_eq!(xxh3_64(&file.0[start..end]), file.number(entry + 8, 8));
    let mut at = start;
    let mut next = |size: usize| {
        at += size;
        file.number(at - size, size)
    };
    let side = |next: &mut dyn FnMut(usize) -> u64| {
        let counts = (0..next(4))
            .map(|_| [i64::from(next(2) as i16), next(2) as i64, next(8) as i64])
            .collect();
        let longest = (0..next(4)).map(|_| next(8)).collect();
        (counts, longest, next(8))
    };
    let sides = [side(&mut next), side(&mut next)];
    let zugzwangs = [next(8), next(8), next(8)];
    let listed = (0..next(4)).map(|_| next(8)).collect();
    assert_eq!(at, end);
    (sides, zugzwangs, listed)
}

/// King and queen against king, every placement on the board counted by the rules.
#[test]
fn the_document_is_enough_to_read_statistics() {
    let solved = solver::solve("KQvK", &solver::tablebase(&[], Metric::Dtm));
    let fill = |turn: Colour, numbers: std::ops::Range<u64>, out: &mut [i16]| {
        let range = numbers.start as usize..numbers.end as usize;
        out.copy_from_slice(&solved[turn.index()][range]);
    };
    let plan = common::plan("KQvK", Metric::Dtm);
    let options = PackOptions::default();
    let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
    let (sides, zugzwangs, listed) = statistics(&Bytes(bytes));
    let pieces: Vec<_> = common::material("KQvK").pieces().collect();
    for turn in Colour::BOTH {
        let solved = &solved[turn.index()];
        let mut counts = std::collections::BTreeMap::new();
        for placement in 0..64_u32.pow(3) {
            let [king, queen, other] = [placement / 4096, placement / 64 % 64, placement % 64];
            let squares = [king, queen, other].map(|square| square as u8);
            let placed = pieces.iter().copied().zip(squares.map(Square));
            if Position::from_pieces(Game::default(), placed, turn).is_none() {
                continue;
            }
            let value = i64::from(solved[number(squares[0], squares[1], squares[2])]);
            let plies = if value < 0 { -value - 1 } else { value };
            *counts.entry((-value.signum(), plies)).or_insert(0) += 1;
        }
        let (stored, longest, blocked) = &sides[turn.index()];
        let expected = counts
            .iter()
            .map(|(&(place, plies), &n)| [-place, plies, n]);
        assert_eq!(*stored, expected.collect::<Vec<_>>());
        let most = stored.iter().map(|count| count[1]).max().unwrap() as i16;
        let value = [most, -most - 1][turn.index()];
        let lowest = (0..solved.len() as u64).filter(|&index| solved[index as usize] == value);
        assert_eq!(*longest, lowest.take(10).collect::<Vec<_>>());
        assert_eq!(*blocked, 0);
    }
    assert_eq!((zugzwangs, listed), ([0; 3], Vec::new()));
}

/// The thresholds of a file, as a list for each walk: the least of White's
/// points for each number of Black's.
fn walks(file: &Bytes, full: usize) -> Vec<Vec<usize>> {
    let mut at = 56;
    for _ in 0..4 {
        file.text(&mut at);
    }
    at = needs(file, at.next_multiple_of(8));
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
        let (bytes, list) = common::vitality_bytes(full, Metric::Thresholds, Codec::Zstd);
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

        let (bytes, _) = common::vitality_bytes(full, Metric::Mates, Codec::Zstd);
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
            if Position::from_pieces(Game::default(), pieces, turn).is_some() {
                let value = table.get(turn, number).unwrap();
                assert_eq!(value, solved[turn.index()][number as usize]);
            }
        }
    }
}

/// The blocks of a section of the codec learned, with its palette.
fn blocks(file: &Bytes, side: usize) -> (learned::About, Vec<i16>, Vec<Vec<u8>>) {
    let table = file.number(12, 4) as usize;
    let all = file.number(52, 4) as usize;
    let mut at = 56;
    let texts = [(); 4].map(|()| file.text(&mut at));
    at = needs(file, at.next_multiple_of(8));
    let mut first = 0;
    // Where the palette of a section is, and how many branches its model has.
    let branches = |at: usize| match file.number(at + 3, 1) {
        0 => (at + 16, 0),
        _ => (at + 20, file.number(at + 16, 4) as usize),
    };
    for _ in 0..side {
        first += file.number(at + 8, 4) as usize;
        at = branches(at).0 + 2 * file.number(at + 12, 4) as usize;
        at = at.next_multiple_of(8);
    }
    let begins = |block: usize| match block {
        block if block == all => file.number(16, 8) as usize - 8,
        block => file.number(table + 16 * block, 8) as usize,
    };
    let count = file.number(at + 8, 4) as usize;
    let blocks: Vec<Vec<u8>> = (first..first + count)
        .map(|block| {
            let bytes = file.0[begins(block)..begins(block + 1)].to_vec();
            assert_eq!(xxh3_64(&bytes), file.number(table + 16 * block + 8, 8));
            bytes
        })
        .collect();
    let palette: Vec<i16> = (0..file.number(at + 12, 4) as usize)
        .map(|symbol| file.number(branches(at).0 + 2 * symbol, 2) as i16)
        .collect();
    assert!(palette.is_sorted());
    let mut black = false;
    let mut pieces = Vec::new();
    for letter in texts[2].chars() {
        match letter {
            'v' => black = true,
            letter => pieces.push(learned::Piece {
                black,
                letter,
                royal: letter == 'K',
            }),
        }
    }
    let about = learned::About {
        branches: branches(at).1,
        files: file.number(39, 1) as usize,
        ranks: file.number(40, 1) as usize,
        pieces,
        contexts: Vec::new(),
        indices: file.number(24, 8),
        symbols: palette.len(),
        bits: file.number(at + 1, 1) as usize,
    };
    (about, palette, blocks)
}

/// A function that writes the values of some indices.
type Fill<'a> = dyn Fn(Colour, std::ops::Range<u64>, &mut [i16]) + Sync + 'a;

/// Real values, noise, one piece and several, pawns, another board.
#[test]
fn the_documents_are_enough_to_read_the_codec_learned() {
    let solved = solver::solve("KQvK", &solver::tablebase(&[], Metric::Dtm));
    let solved = |turn: Colour, numbers: std::ops::Range<u64>, out: &mut [i16]| {
        let range = numbers.start as usize..numbers.end as usize;
        out.copy_from_slice(&solved[turn.index()][range]);
    };
    let options = PackOptions {
        codec: Codec::Learned,
        block_bytes: 1 << 10,
        ..PackOptions::default()
    };
    let pack = |plan: &TablePlan, fill: &Fill| {
        pack_to_bytes(plan, &options, Watch::default(), fill).unwrap()
    };
    let game = Game::parse("chess99").unwrap();
    let archer =
        TablePlan::new(game, &Material::parse(game, "KAvK").unwrap(), Metric::Dtm).unwrap();
    let some = |turn: Colour, numbers: std::ops::Range<u64>, out: &mut [i16]| {
        for (number, value) in numbers.zip(out) {
            let drawn = common::hash(turn.index() as u64, number);
            *value = if drawn.is_multiple_of(50) {
                9
            } else {
                (number >> 9) as i16 % 4
            };
        }
    };
    let mut has_branches = false;
    for bytes in [
        pack(&common::plan("KQvK", Metric::Dtm), &solved),
        pack(&common::plan("KvK", Metric::Dtm), &common::noise(200)),
        common::bytes_with_branches(),
        pack(&common::plan("KPvK", Metric::Dtm), &common::noise(7)),
        pack(&archer, &some),
    ] {
        let file = Bytes(bytes.clone());
        assert_eq!([file.number(8, 2), file.number(36, 1)], [2, 2]);
        let table = Table::from_bytes(bytes).unwrap();
        let mut squares = vec![Square(0); table.index().pieces()];
        for turn in Colour::BOTH {
            let (about, palette, blocks) = blocks(&file, turn.index());
            let (branches, lines) = blocks[2..].split_at(about.branches);
            has_branches |= about.branches > 2;
            let lines = lines.concat();
            let section = learned::Section::new(&about, &blocks[0], branches, &blocks[1], &lines);
            assert!(!lines.is_empty() && about.symbols == palette.len());
            for number in (0..about.indices).step_by(3) {
                table.index().decode(number, &mut squares);
                let squares: Vec<usize> = squares.iter().map(|s| s.index()).collect();
                let symbol = section.symbol(number, &squares, &[]);
                assert_eq!(
                    palette[symbol],
                    table.get(turn, number).unwrap(),
                    "{number}"
                );
            }
        }
    }
    assert!(has_branches);
}

/// Makes the file anew; only for a new version of the format.
#[test]
#[ignore = "writes into the source tree"]
fn make_the_file() {
    let material = common::material("KQvK");
    let values = solver::solve("KQvK", &solver::tablebase(&[], Metric::Dtm));
    let plan = TablePlan::new(Game::default(), &material, Metric::Dtm).unwrap();
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
