//! Tests that bytes that are no sound table give errors or right values, never a panic.

use std::fs;
use std::ops::Range;

use crate::common::{
    bytes_with_branches, mend, metric_bytes, places, plan, statistics_at, table_bytes,
    vitality_bytes,
};
use proptest::prelude::*;
use retrograde_probe::format::Codec;
use retrograde_probe::write::{PackOptions, Watch, pack_to_bytes};
use retrograde_probe::{Metric, Table, TableError, TableFault, Tablebase};
use retrograde_rules::{Colour, Game, Position};

/// Everything that can be read; `None` where there was an error.
fn values(table: &Table) -> Vec<Option<i16>> {
    let positions = table.header().positions;
    let indices = Colour::BOTH
        .into_iter()
        .flat_map(|turn| (0..positions).map(move |n| (turn, n)));
    indices.map(|(turn, n)| table.get(turn, n).ok()).collect()
}

/// Reads what can be read of anything; only that nothing panics matters.
fn devour(bytes: &[u8]) {
    if let Ok(table) = Table::from_bytes(bytes) {
        let _ = table.check();
        let _ = table.statistics();
        let positions = table.header().positions;
        for turn in Colour::BOTH {
            for index in [0, 1, positions / 2, positions - 1, positions] {
                let _ = table.get(turn, index);
            }
            let _ = table.read(turn, positions / 3, &mut [0; 100]);
        }
    }
}

/// Tables of every metric of orthodox chess, of few values and of many.
fn some_of_every_metric() -> impl Iterator<Item = Vec<u8>> {
    let metrics = [Metric::Wdl, Metric::Dtm, Metric::Dtz].into_iter();
    metrics.flat_map(|metric| {
        [Codec::Zstd, Codec::Learned]
            .into_iter()
            .flat_map(move |codec| {
                [1, 3, 100].map(|distinct| metric_bytes(metric, distinct, codec))
            })
    })
}

#[test]
fn flipped_bytes() {
    for sound in some_of_every_metric() {
        let table = Table::from_bytes(sound.as_slice()).unwrap();
        table.check_bytes().unwrap();
        let right = values(&table);
        let (header_end, statistics) = (places(&sound).1 + 8, statistics_at(&sound));
        for at in 0..sound.len() {
            for flip in [0x01, 0x80, 0xFF] {
                let mut bytes = sound.clone();
                bytes[at] ^= flip;
                match Table::from_bytes(bytes.as_slice()) {
                    Err(error) => {
                        // Models and directories are read at once.
                        assert!(at < header_end || sound[36] == 2, "{at}");
                        let fault = &error.fault;
                        assert!(fault.is_foreign() || fault.is_corrupt(), "{error}");
                    }
                    Ok(table) => {
                        assert!(at >= header_end, "{at}");
                        assert!(table.check_bytes().is_err(), "{at}");
                        let report = table.check();
                        let in_block = at < sound.len() - 8;
                        assert_eq!(report.faults.len(), 1 + usize::from(in_block));
                        assert_eq!(table.statistics().is_err(), in_block && at >= statistics);
                        let read = values(&table);
                        let mut wrong = read.iter().zip(&right).filter(|(r, _)| r.is_some());
                        assert!(wrong.all(|(read, right)| read == right));
                        assert_eq!(read.contains(&None), at < statistics);
                    }
                }
            }
        }
    }
}

#[test]
fn cut_and_lengthened() {
    for sound in some_of_every_metric() {
        for length in 0..sound.len() {
            let error = Table::from_bytes(&sound[..length]).unwrap_err();
            assert!(
                matches!(error.fault, TableFault::Truncated { .. }),
                "{length}"
            );
        }
        let longer = [sound.as_slice(), &[0]].concat();
        let error = Table::from_bytes(longer).unwrap_err();
        assert!(error.fault.is_corrupt());
    }
}

#[test]
fn every_bad_block_is_listed() {
    let mut bytes = table_bytes("KQvK", 100, 1 << 10);
    let (table_at, end) = places(&bytes);
    let entry = |bytes: &[u8], block: usize| {
        let at = table_at + 16 * block;
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
    };
    // The last one has statistics.
    let blocks = (end - table_at) / 16 - 1;
    let bad = [0, 3, blocks - 1];
    for block in bad.into_iter().chain([blocks]) {
        let at = entry(&bytes, block) + 5;
        bytes[at] ^= 4;
    }
    let table = Table::from_bytes(bytes).unwrap();
    let report = table.check();
    assert_eq!(report.blocks, blocks as u64);
    let listed: Vec<usize> = report
        .faults
        .iter()
        .filter_map(|fault| match fault {
            TableFault::Block { block, .. } => Some(*block as usize),
            _ => None,
        })
        .collect();
    assert_eq!(listed, bad);
    let [.., statistics, last] = report.faults.as_slice() else {
        panic!("{:?}", report.faults);
    };
    assert!(matches!(statistics, TableFault::Statistics(_)));
    assert!(matches!(last, TableFault::Checksum));
}

/// Checksums of pages are for readers from afar; others find out when they check the table.
#[test]
fn damaged_checksums_of_pages() {
    let sound = table_bytes("KQvK", 100, 64);
    let table_at = places(&sound).0;
    let damaged = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        // The sum of the front is behind those of the pages.
        if at < table_at - 8 {
            let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..table_at - 8]);
            bytes[table_at - 8..table_at].copy_from_slice(&sum.to_le_bytes());
        }
        mend(&mut bytes);
        Table::from_bytes(bytes)
    };
    let error = damaged(table_at - 8).unwrap_err();
    assert!(matches!(error.fault, TableFault::Header(_)), "{error}");
    let report = damaged(table_at - 16).unwrap().check();
    let [page, file] = report.faults.as_slice() else {
        panic!("{:?}", report.faults);
    };
    assert!(matches!(page, TableFault::Header(_)), "{page}");
    assert!(matches!(file, TableFault::Checksum));
}

/// Branches of models are read late: damage is an error or harmless, and `check` finds it,
/// even where checksums fit.
#[test]
fn damaged_branches() {
    let sound = bytes_with_branches();
    let table = Table::from_bytes(sound.as_slice()).unwrap();
    let sections = &table.header().sections;
    assert!(sections.iter().all(|section| section.branches > 1));
    let (table_at, _) = places(&sound);
    let entry = |block: u64| {
        let at = table_at + 16 * block as usize;
        let from = u64::from_le_bytes(sound[at..at + 8].try_into().unwrap());
        (at + 8, from as usize)
    };
    let indices = || (0..table.header().positions).step_by(53);
    let mut harmful = 0;
    for section in sections {
        let first = section.first_block + 2;
        let right: Vec<i16> = indices()
            .map(|index| table.get(section.turn, index).unwrap())
            .collect();
        for block in first..first + u64::from(section.branches) {
            let ((sum_at, from), (_, to)) = (entry(block), entry(block + 1));
            for (at, mended) in [(0, false), (0, true), (1, true), (40, true)] {
                let mut bytes = sound.clone();
                bytes[from + at] ^= 0x24;
                if mended {
                    let sum = xxhash_rust::xxh3::xxh3_64(&bytes[from..to]);
                    bytes[sum_at..sum_at + 8].copy_from_slice(&sum.to_le_bytes());
                    mend(&mut bytes);
                }
                let damaged = Table::from_bytes(bytes).unwrap();
                let read = || indices().map(|index| damaged.get(section.turn, index));
                let faults = damaged.check().faults;
                let listed = |fault: &TableFault| matches!(fault, TableFault::Block { block: bad, .. } if *bad == block);
                if !mended {
                    assert!(faults.iter().any(listed), "{faults:?}");
                    let blamed = |error: TableError| listed(&error.fault);
                    assert!(read().any(|value| value.is_err_and(blamed)));
                    let mut both = read().zip(&right);
                    assert!(both.all(|(read, right)| read.ok().is_none_or(|read| read == *right)));
                }
                let bad = read().filter_map(Result::err);
                harmful += bad
                    .inspect(|bad| assert!(listed(&bad.fault), "{bad}"))
                    .count();
                assert_eq!(
                    faults.iter().any(listed),
                    read().any(|value| value.is_err())
                );
            }
        }
    }
    assert!(harmful > 0);
}

#[test]
fn other_games_versions_and_revisions() {
    let sound = table_bytes("KQvK", 5, 1 << 10);
    let id = sound.windows(8).position(|w| w == b"orthodox").unwrap();
    let fault = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        mend(&mut bytes);
        Table::from_bytes(bytes).unwrap_err().fault
    };
    for fault in [
        fault(0, b'P'),
        fault(8, 9),
        fault(10, 4),
        fault(32, 9),
        fault(34, 77),
        fault(36, 9),
        fault(id, b'p'),
    ] {
        assert!(fault.is_foreign() && !fault.is_corrupt(), "{fault}");
    }
    assert!(matches!(fault(0, b'P'), TableFault::NotATable));
    assert!(matches!(
        fault(8, 9),
        TableFault::Version { found: 9, known: 3 }
    ));
    assert!(matches!(
        fault(32, 9),
        TableFault::Revision { found: 9, .. }
    ));
    match fault(id, b'p') {
        TableFault::Game { found, .. } => assert_eq!(found, "prthodox"),
        other => panic!("{other}"),
    }
    let error = Table::from_bytes(b"[Event \"?\"]\n".as_slice()).unwrap_err();
    assert!(matches!(error.fault, TableFault::NotATable));
}

#[test]
fn pieces_of_no_game_in_the_order() {
    let sound = table_bytes("KQvK", 5, 1 << 10);
    // The order of the pieces follows the name of the material and a length.
    let order = sound.windows(4).position(|w| w == b"KQvK").unwrap() + 5;
    for piece in [b'X', b'q'] {
        let mut bytes = sound.clone();
        assert!(bytes[order].is_ascii_alphabetic());
        bytes[order] = piece;
        mend(&mut bytes);
        let error = Table::from_bytes(bytes).unwrap_err();
        assert!(
            error.to_string().contains("its groups of pieces are not"),
            "{error}"
        );
    }
}

/// Changes every byte of the header, checksum and all, and reads what can be
/// read.
fn lie_everywhere(sound: &[u8], devour: impl Fn(&[u8])) {
    let end = places(sound).1;
    for at in 0..end {
        for byte in [0, 1, 2, 3, 7, 8, 16, 17, 0x7F, 0x80, 0xFE, 0xFF] {
            let mut bytes = sound.to_vec();
            bytes[at] = byte;
            // The place of the checksum may be a lie too.
            if places(&bytes).1 + 8 <= bytes.len() {
                mend(&mut bytes);
            }
            devour(&bytes);
        }
    }
}

/// Fields that earlier versions left out are not taken for damage.
#[test]
fn files_of_earlier_versions_are_named() {
    let options = PackOptions {
        codec: Codec::Learned,
        ..PackOptions::default()
    };
    let fill = |_: Colour, indices: Range<u64>, values: &mut [i16]| {
        for (index, value) in indices.zip(values) {
            *value = (index % 2) as i16;
        }
    };
    for metric in [Metric::Wdl, Metric::Dtm] {
        let plan = plan("KQvK", metric);
        let sound = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
        let refused = |number: u8, is_reason: fn(&TableFault) -> bool| {
            let changed = (0..places(&sound).0).filter(|&at| {
                let mut bytes = sound.clone();
                bytes[at] = number;
                if places(&bytes) != places(&sound) {
                    return false;
                }
                mend(&mut bytes);
                let error = Table::from_bytes(bytes).err();
                error.is_some_and(|error| is_reason(&error.fault))
            });
            changed.count()
        };
        // One place for each side to move.
        let is_earlier = |fault: &TableFault| matches!(fault, TableFault::Earlier);
        let counts = [0, 1, 2, 3, 6, 8].map(|number| refused(number, is_earlier));
        assert_eq!(counts, [0, 0, 2, 2, 2, 0], "{metric}");
        // Distances that ask who wins must name the table that tells.
        let asks = refused(1, |fault| fault.to_string().contains("it asks who wins"));
        assert_eq!(asks, if metric == Metric::Dtm { 2 } else { 0 });
    }
}

#[test]
fn headers_that_lie_with_a_fitting_checksum() {
    for sound in some_of_every_metric() {
        lie_everywhere(&sound, devour);
    }
}

/// Asks a pair of tables of High Chess for positions.
fn ask(thresholds: &[u8], mates: &[u8]) {
    let tables: Result<Vec<Table>, _> = [thresholds, mates]
        .into_iter()
        .map(Table::from_bytes)
        .collect();
    let Ok(tables) = tables else { return };
    let game = Game::parse("high-chess:vitality=3").unwrap();
    let Ok(tables) = Tablebase::from_tables(game, tables) else {
        return;
    };
    for fen in [
        "8/8/8/3k4/8/8/8/K7 w - - 3+1",
        "8/8/8/8/4k3/8/8/6K1 b - - 2+2",
    ] {
        let position = Position::from_fen(game, fen).unwrap();
        if let Ok(answer) = tables.vitality(&position) {
            let full = position.vitality().unwrap();
            let _ = (answer.winner(full), answer.win_by(full));
            assert_eq!(answer.curve.iter().count(), 3);
        }
        let _ = (tables.probe(&position), tables.moves(&position));
    }
}

#[test]
fn tables_of_high_chess_that_lie() {
    for codec in [Codec::Zstd, Codec::Learned] {
        let sound =
            [Metric::Thresholds, Metric::Mates].map(|metric| vitality_bytes(3, metric, codec).0);
        let [thresholds, mates] = &sound;
        ask(thresholds, mates);
        for (sound, first) in [(thresholds, true), (mates, false)] {
            lie_everywhere(sound, |bytes| {
                devour(bytes);
                if first {
                    ask(bytes, mates);
                } else {
                    ask(thresholds, bytes);
                }
            });
            for length in 0..sound.len() {
                assert!(Table::from_bytes(&sound[..length]).is_err());
            }
            // Blocks are damaged one byte at a time.
            let data = places(sound).1 + 8;
            for at in data..sound.len() {
                let mut bytes = sound.clone();
                bytes[at] ^= 0x55;
                let table = Table::from_bytes(bytes.as_slice());
                // A model and a directory are read with the header.
                assert!(table.is_err() || !table.unwrap().check().is_sound());
                devour(&bytes);
            }
        }
    }
}

#[test]
fn blocks_that_lie_with_a_fitting_checksum() {
    // A symbol beyond the palette: 100 values in symbols of 8 bits, raw.
    let sound = table_bytes("KvK", 100, 64);
    let (table_at, end) = places(&sound);
    let first = u64::from_le_bytes(sound[table_at..table_at + 8].try_into().unwrap()) as usize;
    let second = u64::from_le_bytes(sound[table_at + 16..table_at + 24].try_into().unwrap());
    let second = second as usize;
    for byte in [200, 255] {
        let mut bytes = sound.clone();
        bytes[first..second].fill(byte);
        let sum = xxhash_rust::xxh3::xxh3_64(&bytes[first..second]);
        bytes[table_at + 8..table_at + 16].copy_from_slice(&sum.to_le_bytes());
        mend(&mut bytes);
        assert!(end < first);
        let table = Table::from_bytes(bytes).unwrap();
        let error = table.get(Colour::White, 0).unwrap_err();
        assert!(matches!(error.fault, TableFault::Block { block: 0, .. }));
        assert!(table.read(Colour::White, 0, &mut [0; 9]).is_err());
        assert!(table.get(Colour::White, 460).is_ok());
    }
}

/// Whatever stands in a model, a directory or a line: with fitting checksums it
/// is refused, or gives values that the table can have.
#[test]
fn learned_blocks_that_lie_with_a_fitting_checksum() {
    let sound = metric_bytes(Metric::Dtm, 100, Codec::Learned);
    let (table_at, end) = places(&sound);
    let word = |at: usize| u64::from_le_bytes(sound[at..at + 8].try_into().unwrap()) as usize;
    let blocks = (end - table_at) / 16;
    let (mut refused, mut read) = (0, 0);
    for block in 0..blocks {
        let entry = table_at + 16 * block;
        let to = match block + 1 {
            next if next == blocks => sound.len() - 8,
            _ => word(entry + 16),
        };
        for at in word(entry)..to {
            for flip in [0x01, 0x08, 0x80, 0xFF] {
                let mut bytes = sound.clone();
                bytes[at] ^= flip;
                let sum = xxhash_rust::xxh3::xxh3_64(&bytes[word(entry)..to]);
                bytes[entry + 8..entry + 16].copy_from_slice(&sum.to_le_bytes());
                mend(&mut bytes);
                let Ok(table) = Table::from_bytes(bytes) else {
                    refused += 1;
                    continue;
                };
                for turn in Colour::BOTH {
                    let palette = &table.header().section(turn).unwrap().palette;
                    for index in 0..table.header().positions {
                        if let Ok(value) = table.get(turn, index) {
                            assert!(palette.contains(&value));
                            read += 1;
                        }
                    }
                }
                let _ = table.check();
                let _ = table.statistics();
            }
        }
    }
    assert!(refused > 0 && read > 0);
}

#[test]
fn things_that_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Table::open(&folder.path().join("KQvK.dtm")).unwrap_err();
    assert!(matches!(missing.fault, TableFault::Io(_)));
    assert!(missing.to_string().contains("KQvK.dtm"));
    let error = Table::open(folder.path()).unwrap_err();
    assert!(matches!(error.fault, TableFault::Io(_)));
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    let error = Table::open(&empty).unwrap_err();
    assert!(matches!(error.fault, TableFault::Truncated { .. }));
}

proptest! {
    #[test]
    fn noise_is_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..300), magic: bool) {
        let sound = table_bytes("KvK", 1, 64);
        if magic && bytes.len() > 60 {
            bytes[..60].copy_from_slice(&sound[..60]);
            let length = bytes.len() as u64;
            bytes[16..24].copy_from_slice(&length.to_le_bytes());
            if places(&bytes).1 + 8 <= bytes.len() {
                mend(&mut bytes);
            }
        }
        devour(&bytes);
    }

    #[test]
    fn many_lies_at_once(
        changes in prop::collection::vec((0usize..1000, any::<u8>()), 1..6),
    ) {
        let mut bytes = table_bytes("KvK", 20, 64);
        let end = bytes.len();
        for (at, byte) in changes {
            bytes[at % end] = byte;
        }
        if places(&bytes).1.saturating_add(8) <= bytes.len() {
            mend(&mut bytes);
        }
        devour(&bytes);
    }
}
