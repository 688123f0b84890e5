//! A node that is looked at, and what splitting it amounts to.

/// The samples of a node that are looked at.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// Those of the first look before the others.
    pub(crate) samples: Vec<u32>,
    /// How many get the first look.
    pub(crate) first: usize,
    /// How many the node has.
    pub(crate) total: usize,
    /// How many positions each stands for, with 8 bits after the point.
    pub(crate) weight: Weight,
}

/// How many positions the samples that are looked at stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Weight {
    /// All of the node's samples for as many, with 8 bits after the point.
    Same(u64),
    /// Not all for as many.
    Apart {
        /// The symbol of which fewer samples are looked at than of others.
        common: Option<u16>,
        /// For the first look and the second: how many samples there are with this symbol,
        /// and with others, for each that is looked at, with 8 bits after the point.
        factors: [[u64; 2]; 2],
    },
}

impl Look {
    /// What a gain on some samples amounts to on all positions.
    pub(super) fn worth(&self, gain: i64, seen: usize) -> i64 {
        match self.weight {
            Weight::Same(scale) => {
                let all = i128::from(gain) * self.total as i128 * i128::from(scale);
                ((all / seen as i128) >> 8) as i64
            }
            Weight::Apart { .. } => gain >> 8,
        }
    }
}
