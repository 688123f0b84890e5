//! What values are taken for while a node is looked at: histograms of a few classes
//! instead of all symbols.

use super::Finder;

/// Classes of values with cells that leave a choice, and without.
pub(super) const LOOSE: usize = 8;
pub(super) const TIGHT: usize = 16;

/// What values are taken for while a node is looked at.
pub(super) struct Classes {
    /// Cells that leave a choice: class, and the exact classes that will do
    /// (from, to). The widest come first.
    pub(super) loose: Vec<(usize, usize, usize)>,
    pub(super) weights: [u32; TIGHT],
    /// How many samples there are of each class.
    pub(super) sums: [u32; TIGHT],
    /// Whether none leaves a choice, and all samples count alike.
    pub(super) plain: bool,
}

impl Finder<'_> {
    /// Works out what the values of some samples are taken for.
    pub(super) fn classify(&mut self, samples: &[u32]) -> Classes {
        let mut present: Vec<usize> = Vec::new();
        for &sample in samples {
            let place = usize::from(self.samples.cells[sample as usize]);
            if self.counts[place] == 0 {
                present.push(place);
            }
            self.counts[place] += 1;
        }
        present.sort_unstable();
        let cells = &self.palette.cells;
        let (exact, mut ranges): (Vec<usize>, Vec<usize>) =
            present.iter().partition(|&&place| cells[place].is_exact());
        // The widest first; in each the lowest symbol is there to be taken.
        ranges.sort_by_key(|&place| (cells[place].high - cells[place].low, place));
        ranges.reverse();
        let both = exact.iter().chain(&ranges);
        let mut symbols: Vec<u16> = both.map(|&place| cells[place].low).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let below = |symbol: u16| symbols.partition_point(|&s| s < symbol);
        let up_to = |symbol: u16| symbols.partition_point(|&s| s <= symbol);
        let mut classes = Classes {
            loose: vec![],
            weights: [0; TIGHT],
            sums: [0; TIGHT],
            plain: false,
        };
        if !ranges.is_empty() && symbols.len() + ranges.len() <= LOOSE {
            for &place in &exact {
                self.class_of[place] = below(cells[place].low) as u8;
            }
            for (weight, &symbol) in classes.weights.iter_mut().zip(&symbols) {
                *weight = 2 * u32::from(symbol);
            }
            for (class, &place) in (symbols.len()..).zip(&ranges) {
                let cell = cells[place];
                self.class_of[place] = class as u8;
                classes.weights[class] = u32::from(cell.low) + u32::from(cell.high);
                classes
                    .loose
                    .push((class, below(cell.low), up_to(cell.high)));
            }
        } else {
            // Choices are made for the whole node: the most frequent that will
            // do.
            let mut counts = vec![0u32; symbols.len()];
            let mut taken: Vec<(usize, usize)> = Vec::new();
            for &place in &exact {
                let symbol = below(cells[place].low);
                counts[symbol] += self.counts[place];
                taken.push((place, symbol));
            }
            for &place in &ranges {
                let (low, high) = (below(cells[place].low), up_to(cells[place].high));
                let best = (low..high).max_by_key(|&s| (counts[s], usize::MAX - s));
                let best = best.unwrap_or(low);
                counts[best] += self.counts[place];
                taken.push((place, best));
            }
            let groups = group(&counts);
            for (place, symbol) in taken {
                self.class_of[place] = groups[symbol];
            }
            for (class, weight) in classes.weights.iter_mut().enumerate() {
                *weight = class as u32;
            }
        }
        for place in present {
            classes.sums[usize::from(self.class_of[place])] += self.counts[place];
            self.counts[place] = 0;
        }
        classes
    }
}

/// Joins neighbouring symbols until there are at most [`TIGHT`] groups: the
/// group of each.
fn group(counts: &[u32]) -> Vec<u8> {
    if counts.len() <= TIGHT {
        return (0..counts.len() as u8).collect();
    }
    let mut groups = Vec::with_capacity(counts.len());
    let mut left: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let (mut group, mut inside) = (0u8, 0u64);
    for &count in counts {
        let count = u64::from(count);
        let open = (TIGHT - usize::from(group)) as u64;
        // A group is closed before it grows beyond its share of what is left.
        if inside > 0 && usize::from(group) + 1 < TIGHT && (inside + count / 2) * open > left {
            left -= inside;
            inside = 0;
            group += 1;
        }
        inside += count;
        groups.push(group);
    }
    groups
}
