//! Tests that tables are read back as they were written.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::common::{self, material, noise, plan, statistics_at, table_bytes};
use proptest::prelude::*;
use retrograde_probe::format::{Codec, Sides};
use retrograde_probe::index::{Chapters, Division};
use retrograde_probe::write::{PackOptions, TablePlan, Watch, WriteError, pack, pack_to_bytes};
use retrograde_probe::{Expected, Metric, Table, TableFault, ThresholdCurve, score};
use retrograde_rules::{Colour, CounterRange, Game, Material, Piece, PieceType, Square};

/// Values whose curves depend on the placement of the pawns (High Chess), read back one by
/// one.
#[test]
fn curves_by_chapters() {
    let game = Game::parse("high-chess:vitality=3").unwrap();
    let material = Material::parse(game, "KRvKP").unwrap();
    let pawn = Piece::new(Colour::Black, PieceType::Pawn);
    let curves: Vec<ThresholdCurve> = (0..50)
        .map(|rises: u128| ThresholdCurve::from_rises(CounterRange::up_to(3), rises))
        .collect();
    // Forty-eight lists of two to five places.
    let list = |digit: u32| (0..2 + digit % 4).map(move |n| (digit + 7 * n) % 50);
    let lists: Vec<Vec<u32>> = (0..48).map(|digit| list(digit).collect()).collect();
    let rook = Piece::new(Colour::White, PieceType::Rook);
    let plan = TablePlan::new(game, &material, Metric::Thresholds).unwrap();
    let by = |piece, parts| Division { piece, parts };
    // By the pawn's square; and by pairs of them and the rook's half board.
    let divisions = [vec![by(pawn, 48)], vec![by(pawn, 24), by(rook, 2)]];
    let orders = [["R", "p"], ["p", "R"]];
    for (order, by) in orders
        .iter()
        .flat_map(|o| divisions.iter().map(move |by| (o, by)))
    {
        let order = order.map(|letter| Piece::from_letter(letter.chars().next().unwrap()).unwrap());
        let plan = plan.clone().order(&order).unwrap();
        let index = plan.index();
        let digits: Vec<_> = Chapters::digits(by, index).collect();
        assert_eq!(Chapters::count(by, index), Some(48));
        let too_many = Division {
            piece: rook,
            parts: 65,
        };
        assert_eq!(Chapters::count(&[too_many], index), None);
        let chapter_of = |idx| Chapters::list(digits.iter().copied(), idx);
        let chapters = Chapters {
            by: by.clone(),
            lists: lists.clone(),
        };
        let plan = plan.clone().curves(curves.clone()).chapters(Some(chapters));
        let value = |idx: u64| (idx % (2 + chapter_of(idx) as u64 % 4)) as i16;
        // Others have the previous value, which may be that of a longer list.
        let cares = |idx: u64| idx % 5 != 4;
        let fill = |_: Colour, indices: std::ops::Range<u64>, out: &mut [i16]| {
            indices.zip(out).for_each(|(n, out)| match cares(n) {
                true => *out = value(n),
                false => *out = score::DONT_CARE,
            });
        };
        let bytes = pack_to_bytes(&plan, &PackOptions::default(), Watch::default(), fill).unwrap();
        let table = Table::from_bytes(bytes.as_slice()).unwrap();
        assert!(table.check().is_sound());
        let mut squares = [Square(0); 4];
        for idx in (0..table.index().len()).step_by(997) {
            let stored = table.get(Colour::White, idx).unwrap();
            let place = table.curve_place_or_first(idx, stored);
            assert!(place < curves.len());
            if !cares(idx) {
                continue;
            }
            assert_eq!(table.curve_place(idx, stored).unwrap(), place);
            assert!(table.index().decode(idx, &mut squares));
            // Pawns stand on 48 squares from a2 on.
            let pawn = squares[3].index() - 8;
            let chapter = match by.len() {
                1 => pawn,
                _ => pawn / 2 * 2 + squares[1].index() / 32,
            };
            let list = &lists[chapter];
            assert_eq!(place, list[value(idx) as usize] as usize);
            assert!(table.curve_place(idx, list.len() as i16).is_err());
        }
        // No byte of the lists can make it point beyond the curves.
        let (end, _) = common::places(&bytes);
        for at in end - 48 * 4..end {
            let mut bytes = bytes.clone();
            bytes[at] = 0xFF;
            common::mend(&mut bytes);
            assert!(Table::from_bytes(bytes).is_err_and(|e| e.fault.is_corrupt()));
        }
    }
}

/// Compares a table with its original values, index by index and in blocks.
fn compare(table: &Table, fill: impl Fn(Colour, std::ops::Range<u64>, &mut [i16])) {
    let positions = table.header().positions;
    assert!(table.check().is_sound(), "{:?}", table.check());
    for turn in table.header().sides().turns() {
        let mut expected = vec![score::DONT_CARE; positions as usize];
        fill(turn, 0..positions, &mut expected);
        let mut all = vec![0; positions as usize];
        table.read(turn, 0, &mut all).unwrap();
        for (index, (&want, &got)) in expected.iter().zip(&all).enumerate() {
            assert!(want == got || want == score::DONT_CARE, "{index}");
            if index % 11 == 0 {
                assert_eq!(table.get(turn, index as u64).unwrap(), got);
            }
        }
        let block = table.block_len(turn).unwrap();
        for first in [0, 1, block - 1, block, block + 1, positions / 2] {
            let first = first.min(positions - 1);
            let count = (positions - first).min(block + 3) as usize;
            let mut part = vec![0; count];
            table.read(turn, first, &mut part).unwrap();
            assert_eq!(part, all[first as usize..first as usize + count]);
        }
        let error = table.get(turn, positions).unwrap_err();
        assert!(matches!(error.fault, TableFault::NoSuchIndex { .. }));
        assert!(table.read(turn, positions, &mut [0]).is_err());
        assert!(table.read(turn, u64::MAX, &mut [0]).is_err());
        assert!(table.read(turn, positions, &mut []).is_ok());
    }
}

#[test]
fn all_widths_and_numbers_of_blocks() {
    for (distinct, bits) in [
        (1, 0),
        (2, 1),
        (3, 2),
        (4, 2),
        (5, 4),
        (16, 4),
        (17, 8),
        (256, 8),
        (257, 16),
        (9000, 16),
    ] {
        for block_bytes in [16, 1 << 10, 1 << 14, 1 << 18] {
            for codec in [Codec::Raw, Codec::Zstd] {
                let options = PackOptions {
                    block_bytes,
                    codec,
                    level: 3,
                    ..PackOptions::default()
                };
                let plan = plan("KQvK", Metric::Dtm);
                let watch = Watch::default();
                let bytes = pack_to_bytes(&plan, &options, watch, noise(distinct)).unwrap();
                let table = Table::from_bytes(bytes).unwrap();
                for section in &table.header().sections {
                    assert_eq!(section.bits, bits, "{distinct}");
                    assert!(bits > 0 || section.blocks == 0);
                }
                compare(&table, noise(distinct));
            }
        }
    }
}

#[test]
fn constant_tables_have_no_blocks() {
    for value in [0, 1, -1, 500, score::DONT_CARE] {
        let fill = |_: Colour, _: std::ops::Range<u64>, values: &mut [i16]| values.fill(value);
        let plan = plan("KRRvK", Metric::Dtm);
        let options = PackOptions::default();
        let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
        // Beside the statistics.
        assert!(statistics_at(&bytes) < 200);
        let table = Table::from_bytes(bytes).unwrap();
        assert_eq!(table.header().blocks(), 0);
        compare(&table, fill);
        let read = table.get(Colour::Black, 77).unwrap();
        assert_eq!(read, if value == score::DONT_CARE { 0 } else { value });
    }
}

#[test]
fn one_side_and_another_order() {
    let order = ['q', 'R', 'N'].map(|c| Piece::from_letter(c).unwrap());
    // A small material in place of larger ones: few different values.
    let fill = |_: Colour, indices: std::ops::Range<u64>, values: &mut [i16]| {
        for (index, value) in indices.zip(values) {
            *value = (index % 3) as i16 - 1;
        }
    };
    let small = ['q', 'R'].map(|c| Piece::from_letter(c).unwrap());
    let plan = plan("KRvKQ", Metric::Wdl);
    assert!(plan.clone().order(&order).is_err());
    let plan = plan
        .order(&small)
        .unwrap()
        .sides(Sides::Only(Colour::Black));
    let options = PackOptions {
        level: 1,
        ..PackOptions::default()
    };
    let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
    let table = Table::from_bytes(bytes).unwrap();
    assert_eq!(table.header().order, small);
    assert_eq!(table.header().sides(), Sides::Only(Colour::Black));
    assert_eq!(table.get(Colour::Black, 5).unwrap(), 1);
    let error = table.get(Colour::White, 5).unwrap_err();
    assert!(matches!(error.fault, TableFault::Side(Colour::White)));
    assert_eq!(table.index().groups()[0].piece(), small[0]);
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let make = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| table_bytes("KRRvK", 100, 4096))
    };
    let one = make(1);
    assert!(one.len() > 100_000);
    for threads in [2, 3, 1] {
        assert!(make(threads) == one, "{threads} threads");
    }
}

#[test]
fn files_appear_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orthodox").join("KQvK.dtm");
    let plan = plan("KQvK", Metric::Dtm);
    let calls = AtomicU64::new(0);
    let progress = |done, all| {
        assert!(done <= all);
        calls.fetch_add(1, Ordering::Relaxed);
    };
    let watch = Watch {
        stop: None,
        progress: Some(&progress),
    };
    let header = pack(&path, &plan, &PackOptions::default(), watch, noise(100)).unwrap();
    assert!(calls.into_inner() > 0);
    assert_eq!(fs::metadata(&path).unwrap().len(), header.file_len);
    let table = Table::open(&path).unwrap();
    assert_eq!(table.header(), &header);
    compare(&table, noise(100));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    assert_eq!(fs::read(&path).unwrap(), table_bytes("KQvK", 100, 16 << 10));

    // A second one replaces it, though it is open.
    pack(
        &path,
        &plan,
        &PackOptions::default(),
        Watch::default(),
        noise(7),
    )
    .unwrap();
    compare(&Table::open(&path).unwrap(), noise(7));
    compare(&table, noise(100));
}

#[test]
fn nothing_stays_of_what_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KQvK.dtm");
    let plan = plan("KQvK", Metric::Wdl);
    let options = PackOptions::default();
    let stop = AtomicBool::new(true);
    let watch = Watch {
        stop: Some(&stop),
        progress: None,
    };
    let error = pack(&path, &plan, &options, watch, noise(2)).unwrap_err();
    assert!(matches!(error, WriteError::Stopped));
    let error = pack(&path, &plan, &options, Watch::default(), noise(100)).unwrap_err();
    assert!(matches!(error, WriteError::Value { .. }));

    // Values that change between the two passes over them.
    let calls = AtomicU64::new(0);
    let fickle = |_: Colour, _: std::ops::Range<u64>, values: &mut [i16]| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        values.iter_mut().zip(0..).for_each(|(v, i)| *v = i % 2);
        values[0] = if call < 2 { 0 } else { -1 };
    };
    let error = pack(&path, &plan, &options, Watch::default(), fickle).unwrap_err();
    assert!(matches!(error, WriteError::Value { value: -1, .. }));

    for (block_bytes, level) in [(0, 3), (1 << 30, 3), (1 << 10, 0), (1 << 10, 99)] {
        let options = PackOptions {
            block_bytes,
            level,
            ..options
        };
        let error = pack(&path, &plan, &options, Watch::default(), noise(2)).unwrap_err();
        assert!(matches!(error, WriteError::Options(_)));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);

    fs::write(folder.path().join("file"), "").unwrap();
    let below = folder.path().join("file").join("KQvK.dtm");
    let error = pack(&below, &plan, &options, Watch::default(), noise(2)).unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");
}

#[test]
fn leftovers_are_removed() {
    use retrograde_probe::write::remove_partials;
    let folder = tempfile::tempdir().unwrap();
    let names = [
        "KQvK.dtm",
        "KQvK.depth.123.partial",
        "KQvK.result.7.partial",
        "KQvKR.depth.123.partial",
        // Tables that were to be replaced: by one that is there, and by one that is not.
        "KQvK.dtm.old.partial",
        "KQvK.dtz.old.partial",
        "KQvK.dtz.9.partial",
        // Somebody's own.
        "KQvK.dtm.old",
    ];
    for name in names {
        fs::write(folder.path().join(name), name).unwrap();
    }
    remove_partials(folder.path(), Game::default(), &material("KQvK")).unwrap();
    let left = names.map(|name| folder.path().join(name).exists());
    assert_eq!(left, [true, false, false, true, false, false, false, true]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("KQvK.dtm"), "KQvK.dtm");
    assert_eq!(read("KQvK.dtz"), "KQvK.dtz.old.partial");
    remove_partials(
        &folder.path().join("none"),
        Game::default(),
        &material("KQvK"),
    )
    .unwrap();
}

#[test]
fn tables_know_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KQvK.dtm");
    fs::write(&path, table_bytes("KQvK", 5, 1 << 10)).unwrap();
    let right = Expected {
        game: Game::default(),
        material: material("KQvK"),
        metric: Metric::Dtm,
    };
    assert!(Table::open_as(&path, &right).is_ok());
    let other = Expected {
        material: material("KRvK"),
        ..right
    };
    let error = Table::open_as(&path, &other).unwrap_err();
    assert!(matches!(error.fault, TableFault::Material { .. }));
    assert!(error.fault.is_foreign());
    assert!(error.to_string().contains("KQvK.dtm"));
    let other = Expected {
        metric: Metric::Wdl,
        ..right
    };
    let error = Table::open_as(&path, &other).unwrap_err();
    assert!(matches!(error.fault, TableFault::Metric { .. }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_values_come_back(
        distinct in 1u64..400,
        block_bytes in 16usize..2000,
        seed in any::<u64>(),
        level in 1..=22,
    ) {
        let fill = |turn: Colour, indices: std::ops::Range<u64>, values: &mut [i16]| {
            for (index, value) in indices.zip(values) {
                let hash = common::hash(seed >> 40, index * 2 + turn.index() as u64);
                *value = (hash % distinct) as i16 - (distinct / 2) as i16;
            }
        };
        let options = PackOptions { block_bytes, level, codec: Codec::Zstd, ..PackOptions::default() };
        let plan = plan("KvK", Metric::Dtm);
        let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
        compare(&Table::from_bytes(bytes).unwrap(), fill);
    }
}
