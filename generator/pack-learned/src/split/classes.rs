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
        self.present.clear();
        for &sample in samples {
            let symbol = self.samples.symbols[sample as usize];
            let count = &mut self.counts[usize::from(symbol)];
            if *count == 0 {
                self.present.push(symbol);
            }
            *count += 1;
        }
        self.present.sort_unstable();
        let mut groups = Groups::new(self.present.len(), samples.len() as u64);
        let mut sums = [0; MOST];
        for &symbol in &self.present {
            let symbol = usize::from(symbol);
            let count = std::mem::take(&mut self.counts[symbol]);
            let class = groups.next(count);
            self.class_of[symbol] = class;
            sums[usize::from(class)] += count;
        }
        sums
    }
}

/// Joins neighbouring symbols until there are at most [`MOST`] groups.
struct Groups {
    /// Whether each symbol is a group of its own.
    are_few: bool,
    /// How many samples are in no closed group.
    left: u64,
    group: u8,
    /// How many samples the group has.
    inside: u64,
}

impl Groups {
    /// Groups of so many symbols that have so many samples.
    fn new(symbols: usize, samples: u64) -> Groups {
        Groups {
            are_few: symbols <= MOST,
            left: samples,
            group: 0,
            inside: 0,
        }
    }

    /// The group of the next symbol, which has `count` samples, at least one.
    fn next(&mut self, count: u32) -> u8 {
        let count = u64::from(count);
        let open = (MOST - usize::from(self.group)) as u64;
        // A group is closed before it grows beyond its share of what is left.
        let is_full = self.are_few || (self.inside + count / 2) * open > self.left;
        if self.inside > 0 && usize::from(self.group) + 1 < MOST && is_full {
            self.left -= self.inside;
            self.inside = 0;
            self.group += 1;
        }
        self.inside += count;
        self.group
    }
}
