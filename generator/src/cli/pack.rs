//! Defines the choice between packings, fast or small, of the commands that write tables.

use clap::ValueEnum;
use retrograde::packing::Packing;

/// The ways to pack tables.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Pack {
    /// Quickly: for tables that others are made from
    Fast,
    /// Small, and quick to probe: for tables that are kept; packing takes longer
    Small,
}

impl From<Pack> for Packing {
    fn from(pack: Pack) -> Packing {
        match pack {
            Pack::Fast => Packing::Fast,
            Pack::Small => Packing::Small,
        }
    }
}
