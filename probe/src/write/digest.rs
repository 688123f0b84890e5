//! The digest of the values of a table, which does not depend on how they are
//! packed.

use rayon::prelude::*;
use retrograde_index::{Index, Reindexing, score};

use super::{Fill, TablePlan, Watch, WriteError};
use crate::format::checksum;

/// About how many values are digested at once.
const CHUNK: u64 = 1 << 16;

/// The digest: see `docs/FORMAT.md`.
pub(super) fn digest(plan: &TablePlan, watch: Watch, fill: &Fill) -> Result<u64, WriteError> {
    let plain = Index::with_shape(*plan.index.shape(), plan.material(), None);
    let order = plain
        .ok()
        .and_then(|plain| Reindexing::new(&plan.index, &plain));
    let order = order.ok_or(WriteError::Options("the index is not that of the material"))?;
    let pair = plan.index.indices_per_pair();
    let (chunk, positions) = (pair * CHUNK.div_ceil(pair), plan.index.len());
    let mut sums = Vec::new();
    for turn in plan.sides.turns() {
        let parts: Vec<Vec<u8>> = (0..positions.div_ceil(chunk))
            .into_par_iter()
            .map(|part| {
                watch.go_on()?;
                let indices = part * chunk..positions.min((part + 1) * chunk);
                let count = (indices.end - indices.start) as usize;
                let mut values = vec![score::DONT_CARE; count];
                fill(turn, indices.clone(), &mut values);
                let mut bytes = vec![0; 2 * count];
                let mut values = values.into_iter();
                order.each(indices.clone(), |index| {
                    let value = values.next().unwrap_or_default().to_le_bytes();
                    let place = 2 * (index - indices.start) as usize;
                    bytes[place..place + 2].copy_from_slice(&value);
                });
                let pairs = bytes.chunks(2 * pair as usize);
                Ok(pairs
                    .flat_map(|pair| checksum(pair).to_le_bytes())
                    .collect())
            })
            .collect::<Result<_, WriteError>>()?;
        sums.extend(parts.into_iter().flatten());
    }
    Ok(checksum(&sums))
}
