//! Chooses the codec and options to pack a table with, and the metrics that must be made for it.

use retrograde_probe::Metric;
use retrograde_probe::format::Codec;
use retrograde_probe::write::PackOptions;

/// The number of indices from which Zstandard's third level is enough: with the twelfth, large
/// tables take twice as long to make, all else included, for 10 to 20 % fewer bytes (see
/// `docs/COMPRESSION.md`). Smaller tables are packed in no time.
const MANY: u64 = 1 << 20;

/// The two packings that users choose from. The values are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Zstandard: packs quickly, for tables that others are about to be made
    /// from.
    #[default]
    Fast,
    /// The codec `learned`: much smaller, and single values are read without
    /// unpacking anything, but it takes longer to pack. For tables that are
    /// kept or published.
    Small,
}

impl Packing {
    /// The options for packing a metric with so many indices.
    pub fn options(self, metric: Metric, indices: u64) -> PackOptions {
        // Threshold curves by chapters are never packed small, so they get all the effort now.
        let is_quick = indices >= MANY && metric != Metric::Thresholds;
        PackOptions {
            codec: self.codec(),
            level: if is_quick { 3 } else { 12 },
            ..PackOptions::default()
        }
    }

    /// The metrics to make so that these can be packed: packed small, distances depend on
    /// who wins.
    pub fn with_needed(self, mut metrics: Vec<Metric>) -> Vec<Metric> {
        let rests_on_wdl = |metric| matches!(metric, &Metric::Dtm | &Metric::Dtz);
        let needs = self == Packing::Small && metrics.iter().any(rests_on_wdl);
        metrics.extend((needs && !metrics.contains(&Metric::Wdl)).then_some(Metric::Wdl));
        metrics
    }

    /// The codec.
    pub fn codec(self) -> Codec {
        match self {
            Packing::Fast => Codec::Zstd,
            Packing::Small => Codec::Learned,
        }
    }
}
