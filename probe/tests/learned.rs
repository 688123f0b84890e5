//! Tests that tables in the codec `learned` are read as written, whichever way they are asked.
//!
//! Their bytes depend on the values alone.

use std::fs;
use std::ops::Range;

use crate::common::{hash, noise, plan};
use proptest::prelude::*;
use retrograde_probe::format::{Codec, Sides};
use retrograde_probe::write::{PackOptions, TablePlan, Watch, WriteError, pack, pack_to_bytes};
use retrograde_probe::{Metric, Table, score};
use retrograde_rules::{Colour, Game, Material, Piece};

fn learned(block_bytes: usize) -> PackOptions {
    PackOptions {
        block_bytes,
        codec: Codec::Learned,
        ..PackOptions::default()
    }
}

/// Packs and compares single and whole reads with what was packed.
fn check(plan: &TablePlan, fill: impl Fn(Colour, Range<u64>, &mut [i16]) + Sync) -> Table {
    let bytes = pack_to_bytes(plan, &learned(1 << 10), Watch::default(), &fill).unwrap();
    let table = Table::from_bytes(bytes).unwrap();
    assert!(table.check().is_sound());
    assert_eq!(table.header().codec, Codec::Learned);
    let positions = table.header().positions;
    for turn in table.header().sides().turns() {
        let mut given = vec![score::DONT_CARE; positions as usize];
        fill(turn, 0..positions, &mut given);
        let mut read = vec![0; positions as usize];
        table.read(turn, 0, &mut read).unwrap();
        let mut some = vec![0; positions as usize / 3];
        table.read(turn, positions / 3, &mut some).unwrap();
        assert!(some == read[(positions / 3) as usize..][..some.len()]);
        for (index, (&given, &read)) in (0..).zip(given.iter().zip(&read)) {
            assert!(given == score::DONT_CARE || given == read, "{index}");
            assert_eq!(table.get(turn, index).unwrap(), read, "{index}");
        }
    }
    table
}

#[test]
fn every_value_is_read() {
    for name in ["KvK", "KQvK", "KPvK"] {
        for distinct in [1, 3, 200] {
            check(&plan(name, Metric::Dtm), noise(distinct));
        }
    }
}

#[test]
fn every_board_and_every_piece() {
    for (id, name) in [
        ("chess99", "KAvK"),
        ("kings", "KKvK"),
        ("kings:board=10x8", "KvKP"),
        ("extinction", "PvK"),
        ("high-chess", "KvKR"),
    ] {
        let game = Game::parse(id).unwrap();
        let material = Material::parse(game, name).unwrap().normal(game).0;
        let plan = TablePlan::new(game, &material, Metric::Dtm).unwrap();
        check(&plan, |turn, indices, values: &mut [i16]| {
            for (index, value) in indices.zip(values) {
                *value = match hash(turn.index() as u64, index) % 40 {
                    0 => 3,
                    1..20 => score::DONT_CARE,
                    _ => (index >> 7) as i16 % 5,
                };
            }
        });
    }
}

#[test]
fn one_side_alone() {
    for side in Colour::BOTH {
        let plan = plan("KQvK", Metric::Dtm).sides(Sides::Only(side));
        let table = check(&plan, noise(9));
        assert!(table.get(side.other(), 0).is_err());
        assert!(table.read(side.other(), 0, &mut [0; 9]).is_err());
    }
}

#[test]
fn numbers_that_do_not_exist() {
    let table = check(&plan("KQvK", Metric::Dtm), noise(9));
    let positions = table.header().positions;
    assert!(table.get(Colour::White, positions).is_err());
    assert!(table.get(Colour::White, u64::MAX).is_err());
    assert!(
        table
            .read(Colour::White, positions - 1, &mut [0; 2])
            .is_err()
    );
}

#[test]
fn files_are_read_by_position_and_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KQvK.dtm");
    let fill = noise(50);
    pack(
        &path,
        &plan("KQvK", Metric::Dtm),
        &learned(1 << 12),
        Watch::default(),
        &fill,
    )
    .unwrap();
    let opened = Table::open(&path).unwrap();
    // SAFETY: nobody else knows the file.
    #[expect(unsafe_code, reason = "what is tested")]
    let mapped = unsafe { Table::open_mapped(&path) }.unwrap();
    let memory = Table::from_bytes(fs::read(&path).unwrap()).unwrap();
    for index in (0..opened.header().positions).rev() {
        for turn in Colour::BOTH {
            let values = [&opened, &mapped, &memory].map(|t| t.get(turn, index).unwrap());
            assert_eq!(values, [values[0]; 3]);
        }
    }
    // What has been read is kept; what has not is gone with the file.
    let cut = Table::open(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    cut.get(Colour::White, 0).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    cut.get(Colour::White, 0).unwrap();
    let last = cut.header().positions - 1;
    let error = cut.get(Colour::Black, last).unwrap_err();
    assert!(error.fault.is_corrupt(), "{error}");
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let bytes = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let plan = plan("KQvK", Metric::Dtm);
        pool.install(|| {
            pack_to_bytes(&plan, &learned(1 << 12), Watch::default(), noise(30)).unwrap()
        })
    });
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

/// The digest is that of the values: neither the codec nor the order of groups
/// changes it, a single value does.
#[test]
fn the_digest_is_of_the_values() {
    let fill = |order: &[Piece], changed: bool| {
        let plain = plan("KQvKR", Metric::Dtm);
        let plan = plain.clone().order(order).unwrap();
        let (index, plain) = (plan.index().clone(), plain.index().clone());
        let values = move |turn: Colour, indices: Range<u64>, out: &mut [i16]| {
            let mut squares = [retrograde_rules::Square(0); 4];
            for (idx, value) in indices.zip(out) {
                index.decode(idx, &mut squares);
                let idx = plain.encode(&squares).unwrap();
                // Runs, so that packing takes no time.
                let change = changed && turn == Colour::Black && idx == 77_777;
                *value = (idx >> 14) as i16 % 3 + i16::from(change);
            }
        };
        (plan, values)
    };
    let pieces = ['Q', 'r'].map(|letter| Piece::from_letter(letter).unwrap());
    let digest = |order: [Piece; 2], changed, codec| {
        let (plan, values) = fill(&order, changed);
        let options = PackOptions {
            codec,
            level: 1,
            ..PackOptions::default()
        };
        let bytes = pack_to_bytes(&plan, &options, Watch::default(), values).unwrap();
        Table::from_bytes(bytes).unwrap().header().digest.unwrap()
    };
    let [q, r] = pieces;
    let known = digest([q, r], false, Codec::Zstd);
    assert_eq!(digest([r, q], false, Codec::Zstd), known);
    assert_eq!(digest([q, r], false, Codec::Learned), known);
    assert_ne!(digest([q, r], true, Codec::Zstd), known);
}

/// Values that change between the passes are noticed, in whichever of them.
#[test]
fn what_reads_back_differently_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("KQvK.dtm");
    // How it ends if values change after so many calls, and how many calls there were.
    let changed_after = |most: u64| {
        let calls = std::sync::atomic::AtomicU64::new(0);
        let fill = |turn: Colour, indices: Range<u64>, values: &mut [i16]| {
            let call = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            noise(9)(turn, indices, values);
            if call >= most {
                values.iter_mut().for_each(|value| *value ^= 1);
            }
        };
        let result = pack(
            &path,
            &plan("KQvK", Metric::Dtm),
            &learned(1 << 12),
            Watch::default(),
            fill,
        );
        (result, calls.into_inner())
    };
    let (result, calls) = changed_after(u64::MAX);
    assert!(result.is_ok(), "{result:?}");
    std::fs::remove_file(&path).unwrap();
    for most in 1..calls {
        let (result, _) = changed_after(most);
        let refused = matches!(
            result,
            Err(WriteError::Pack(_) | WriteError::ReadBack { .. })
        );
        assert!(refused, "after {most} of {calls} calls: {result:?}");
        assert!(!path.exists());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn whatever_is_packed_is_read(seed: u16, distinct in 1u64..3000, every in 1u64..60) {
        check(&plan("KvK", Metric::Dtm), move |turn, indices, values: &mut [i16]| {
            for (index, value) in indices.zip(values) {
                let drawn = hash(u64::from(seed) << 1 | turn.index() as u64, index);
                *value = match drawn.is_multiple_of(every) {
                    true => (drawn >> 20) as i16 % distinct as i16,
                    false => score::DONT_CARE,
                };
            }
        });
    }
}
