//! Provides tables, positions and folders that several tests need.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "a module of tests, of which not every one needs everything"
)]

pub mod solver;

use std::ops::Range;

use retrograde_probe::format::Codec;
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack_to_bytes};
use retrograde_probe::{Metric, ThresholdCurve, needs, score};
use retrograde_rules::{Colour, CounterRange, Game, Material};

pub fn material(name: &str) -> Material {
    Material::parse(Game::default(), name).unwrap()
}

pub fn plan(name: &str, metric: Metric) -> TablePlan {
    TablePlan::new(Game::default(), &material(name), metric).unwrap()
}

/// A fixed scatter of indices.
pub fn hash(seed: u64, index: u64) -> u64 {
    let x = (seed << 40 ^ index).wrapping_add(1);
    let x = (x ^ x >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ x >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 20
}

/// Values with about `distinct` different ones, some of them don't-cares.
pub fn noise(distinct: u64) -> impl Fn(Colour, Range<u64>, &mut [i16]) + Sync {
    move |turn, indices, values| {
        for (index, value) in indices.zip(values) {
            let hash = hash(turn.index() as u64, index);
            *value = match hash % 5 {
                0 => score::DONT_CARE,
                // Runs and noise, as in real tables.
                1 | 2 => (index / 50 % distinct) as i16 - 3,
                _ => (hash / 8 % distinct) as i16 - 3,
            };
        }
    }
}

/// The bytes of a table with blocks of the given size.
pub fn table_bytes(name: &str, distinct: u64, block_bytes: usize) -> Vec<u8> {
    let options = PackOptions {
        block_bytes,
        ..PackOptions::default()
    };
    let plan = plan(name, Metric::Dtm);
    pack_to_bytes(&plan, &options, Watch::default(), noise(distinct)).unwrap()
}

/// The bytes of a table of two kings, of a metric of orthodox chess, in blocks
/// of 64 bytes. The values are some that the metric can have and mean nothing.
pub fn metric_bytes(metric: Metric, distinct: u64, codec: Codec) -> Vec<u8> {
    let options = PackOptions {
        block_bytes: 64,
        codec,
        ..PackOptions::default()
    };
    let fill = noise(distinct);
    let fill = move |turn: Colour, indices: Range<u64>, values: &mut [i16]| {
        fill(turn, indices, values);
        for value in values.iter_mut().filter(|v| **v != score::DONT_CARE) {
            *value = match metric {
                Metric::Wdl => (*value + 3) % 5 - 2,
                Metric::Dtz => *value + 3,
                _ => *value,
            };
        }
    };
    pack_to_bytes(&plan("KvK", metric), &options, Watch::default(), fill).unwrap()
}

/// The bytes of a table of the codec `learned` whose models have branches, in blocks of one
/// kibibyte. The values mean nothing.
pub fn bytes_with_branches() -> Vec<u8> {
    let options = PackOptions {
        block_bytes: 1 << 10,
        codec: Codec::Learned,
        ..PackOptions::default()
    };
    let plan = plan("KPvK", Metric::Dtm);
    let fill = |_: Colour, indices: Range<u64>, values: &mut [i16]| {
        for (index, value) in indices.zip(values) {
            *value = (hash(3, index / 24) % 50 + index % 2) as i16;
        }
    };
    pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap()
}

/// The offsets of the block table and of the checksum of the header.
pub fn places(bytes: &[u8]) -> (usize, usize) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    (word(12), word(12) + 16 * word(52))
}

/// Makes the checksum of a changed header fit again.
pub fn mend(bytes: &mut [u8]) {
    let at = places(bytes).1;
    let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..at]);
    bytes[at..at + 8].copy_from_slice(&sum.to_le_bytes());
}

/// The bytes of a table of two kings of High Chess with this full counter,
/// and the thresholds that it holds. The values mean nothing.
pub fn vitality_bytes(full: u8, metric: Metric, codec: Codec) -> (Vec<u8>, Vec<ThresholdCurve>) {
    let game = Game::parse(&format!("high-chess:vitality={full}")).unwrap();
    let material = Material::parse(game, "KvK").unwrap();
    let list: Vec<ThresholdCurve> = (0..7)
        .map(|seed| {
            let bits = u128::from(hash(seed, 1)) | u128::from(hash(seed, 2)) << 44;
            ThresholdCurve::from_rises(CounterRange::up_to(full), bits)
        })
        .collect();
    let plan = TablePlan::new(game, &material, metric).unwrap();
    let plan = match metric {
        Metric::Thresholds => plan.curves(list.clone()),
        _ => plan,
    };
    let options = PackOptions {
        block_bytes: 64,
        codec,
        ..PackOptions::default()
    };
    let full = u64::from(full);
    let bytes = pack_to_bytes(&plan, &options, Watch::default(), |turn, indices, out| {
        for (index, value) in indices.zip(out) {
            let hash = hash(turn.index() as u64, index);
            *value = match metric {
                Metric::Thresholds => (hash % 7) as i16,
                _ => {
                    let [white, black] = [hash, hash / 64].map(|h| (h % (full + 1) + 1) as u8);
                    needs::join([white, black])
                }
            };
        }
    });
    (bytes.unwrap(), list)
}

/// The offset where the statistics begin, or would.
pub fn statistics_at(bytes: &[u8]) -> usize {
    if bytes[10] & 1 == 0 {
        return bytes.len() - 8;
    }
    let entry = places(bytes).1 - 16;
    u64::from_le_bytes(bytes[entry..entry + 8].try_into().unwrap()) as usize
}
