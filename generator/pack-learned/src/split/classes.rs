//! Classes of symbols: while a node is looked at, samples are counted by class, since there
//! may be far more symbols than a histogram of every feature has room for.

use super::Finder;

/// The most classes of a node.
pub(super) const MOST: usize = 16;
/// Most nodes have no more classes than this, and take less room and time then.
pub(super) const FEW: usize = 8;

impl Finder<'_> {
    /// Assigns the symbols of some samples to classes, in ascending order. Gives how many
    /// samples each class has.
    pub(super) fn classify(&mut self, samples: &[u32]) -> [u32; MOST] {
        let mut present: Vec<usize> = Vec::new();
        for &sample in samples {
            let symbol = usize::from(self.samples.symbols[sample as usize]);
            if self.counts[symbol] == 0 {
                present.push(symbol);
            }
            self.counts[symbol] += 1;
        }
        present.sort_unstable();
        let counts: Vec<u32> = present.iter().map(|&symbol| self.counts[symbol]).collect();
        let mut sums = [0; MOST];
        for ((symbol, count), class) in present.into_iter().zip(&counts).zip(group(&counts)) {
            self.class_of[symbol] = class;
            sums[usize::from(class)] += count;
            self.counts[symbol] = 0;
        }
        sums
    }
}

/// Joins neighbouring symbols until there are at most [`MOST`] groups: the
/// group of each.
fn group(counts: &[u32]) -> Vec<u8> {
    if counts.len() <= MOST {
        return (0..counts.len() as u8).collect();
    }
    let mut groups = Vec::with_capacity(counts.len());
    let mut left: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let (mut group, mut inside) = (0u8, 0u64);
    for &count in counts {
        let count = u64::from(count);
        let open = (MOST - usize::from(group)) as u64;
        // A group is closed before it grows beyond its share of what is left.
        if inside > 0 && usize::from(group) + 1 < MOST && (inside + count / 2) * open > left {
            left -= inside;
            inside = 0;
            group += 1;
        }
        inside += count;
        groups.push(group);
    }
    groups
}
