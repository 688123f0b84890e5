//! How small tables are packed, and what that takes.

use retrograde_probe::Metric;
use retrograde_probe::format::Codec;
use retrograde_probe::write::PackOptions;

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
    /// How a metric is packed.
    pub fn options(self, metric: Metric) -> PackOptions {
        PackOptions {
            codec: self.codec(metric),
            ..PackOptions::default()
        }
    }

    /// The codec of a metric.
    pub fn codec(self, metric: Metric) -> Codec {
        match (self, metric) {
            (Packing::Fast, _) => Codec::Zstd,
            // Numbers of curves are names, which a tree cannot guess.
            (Packing::Small, Metric::Thresholds) => Codec::Zstd,
            (Packing::Small, _) => Codec::Learned,
        }
    }
}
