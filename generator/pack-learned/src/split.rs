//! Finds what to ask at a node.

use retrograde_learned::{Domain, Feature, Features, layout::Split};

use crate::entropy::{POINT, TABLE, n_log_n, products};
use crate::samples::{Palette, Samples};

/// Samples that all features are tried on; the best are tried again on more.
const FIRST_LOOK: usize = 4096;
/// Samples that the best features are tried on.
const SECOND_LOOK: usize = 1 << 14;
/// Features that get a second look.
const CHOSEN: usize = 8;
/// A node leaves the worst third of its features out below, but keeps this
/// many.
const KEPT: usize = 32;
/// Classes of values with cells that leave a choice, and without.
const LOOSE: usize = 8;
const TIGHT: usize = 16;

/// What a node and the leaf that it adds take in the model, in bits with
/// [`POINT`] after the point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// Whatever is asked.
    pub(crate) node: u64,
    /// A leaf, and each symbol that it has.
    pub(crate) leaf: u64,
    /// Each symbol of a leaf besides the first.
    pub(crate) symbol: u64,
}

impl Prices {
    /// What is asked, in bits as they are counted here.
    pub(crate) fn ask(&self, feature: &Feature, left: u128) -> u64 {
        self.node
            + match feature.domain {
                Domain::Order => bits(4),
                Domain::Set { row } => set_price(left, feature.size, row),
            }
    }
}

/// About what a set takes: values that go where their neighbours do are cheap.
fn set_price(left: u128, size: u8, row: u8) -> u64 {
    let all = u128::MAX >> (128 - u32::from(size.clamp(1, 128)));
    let row = u32::from(row.max(1));
    let mut starts = 0u128;
    for start in (0..u32::from(size)).step_by(row as usize) {
        starts |= 1 << start;
    }
    let below = left << row.min(127) | left & ((1 << row.min(127)) - 1);
    let west = left << 1 & !starts | below & starts;
    let torn = (west ^ below) & all;
    let odd = (west ^ left) & !torn & all;
    let even = u32::from(size) - torn.count_ones() - odd.count_ones();
    let tenths = 10 * torn.count_ones() + 28 * odd.count_ones() + 3 * even;
    (u64::from(tenths) << POINT) / 10
}

/// What values are taken for while a node is looked at.
struct Classes {
    /// Cells that leave a choice: class, and the exact classes that will do
    /// (from, to). The widest come first.
    loose: Vec<(usize, usize, usize)>,
    weights: [u32; TIGHT],
    /// How many samples there are of each class.
    sums: [u32; TIGHT],
}

/// Looks for splits; keeps its room from node to node.
pub(crate) struct Finder<'a> {
    features: &'a Features,
    samples: &'a Samples,
    palette: &'a Palette,
    prices: Prices,
    /// Where the bins of each feature begin.
    offsets: Vec<usize>,
    /// Counts by bin and class.
    histogram: Vec<u16>,
    /// Counts by cell, zero between nodes.
    counts: Vec<u32>,
    class_of: Vec<u8>,
}

/// What to ask, and which features are worth trying further down.
pub(crate) struct Found {
    pub(crate) split: Split,
    pub(crate) features: Vec<u8>,
}

/// A split by one feature, and what it gains on the samples that were looked
/// at.
#[derive(Clone, Copy)]
struct Offer {
    feature: u8,
    gain: i64,
    left: u128,
    price: u64,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(
        features: &'a Features,
        samples: &'a Samples,
        palette: &'a Palette,
        prices: Prices,
    ) -> Finder<'a> {
        let mut bins = 0;
        let offsets = features
            .list()
            .iter()
            .map(|feature| {
                bins += usize::from(feature.size);
                bins - usize::from(feature.size)
            })
            .collect();
        Finder {
            features,
            samples,
            palette,
            prices,
            offsets,
            histogram: vec![0; bins * TIGHT],
            counts: vec![0; palette.cells.len()],
            class_of: vec![0; palette.cells.len()],
        }
    }

    /// A finder for other samples of the same class.
    pub(crate) fn with<'b>(&self, samples: &'b Samples) -> Finder<'b>
    where
        'a: 'b,
    {
        Finder::new(self.features, samples, self.palette, self.prices)
    }

    /// The samples that it looks at.
    pub(crate) fn samples(&self) -> &'a Samples {
        self.samples
    }

    /// All features.
    pub(crate) fn all(&self) -> Vec<u8> {
        (0..self.offsets.len() as u16)
            .map(|feature| feature as u8)
            .collect()
    }

    /// The best split of some samples, each of which stands for `scale`
    /// positions (8 bits after the point), by some features; `None` if none
    /// pays.
    pub(crate) fn best(&mut self, samples: &[u32], features: &[u8], scale: u64) -> Option<Found> {
        if samples.is_empty() {
            return None;
        }
        let looked = &samples[..samples.len().min(SECOND_LOOK)];
        let classes = self.classify(looked);
        if !classes.loose.is_empty() {
            let cost = |counts: &[u32; LOOSE]| cost_loose(counts, &classes);
            self.best_of::<LOOSE>(samples, features, scale, &classes, cost)
        } else if classes.sums[LOOSE..].iter().all(|&sum| sum == 0) {
            self.best_of::<LOOSE>(samples, features, scale, &classes, cost_tight)
        } else {
            self.best_of::<TIGHT>(samples, features, scale, &classes, cost_tight)
        }
    }

    fn best_of<const K: usize>(
        &mut self,
        samples: &[u32],
        features: &[u8],
        scale: u64,
        classes: &Classes,
        cost: impl Fn(&[u32; K]) -> i64,
    ) -> Option<Found> {
        let looked = &samples[..samples.len().min(SECOND_LOOK)];
        let worth = |gain: i64, seen: usize| -> i64 {
            let all = i128::from(gain) * samples.len() as i128 * i128::from(scale);
            ((all / seen as i128) >> 8) as i64
        };
        // What cannot gain enough even if everything were known is left.
        let sums = std::array::from_fn(|class| classes.sums[class]);
        let least = (self.prices.node + self.prices.leaf) as i64;
        if worth(cost(&sums), looked.len()) <= least {
            return None;
        }
        let first = &looked[..looked.len().min(FIRST_LOOK)];
        let mut offers = self.offers(first, features, classes, &cost);
        let rank = |offer: &Offer, seen| worth(offer.gain, seen) - offer.price as i64;
        let seen = first.len();
        offers.sort_by_key(|offer| (-rank(offer, seen), offer.feature));
        let mut kept: Vec<u8> = offers.iter().map(|offer| offer.feature).collect();
        kept.truncate(KEPT.max(kept.len() * 2 / 3));
        kept.sort_unstable();
        if looked.len() > first.len() {
            let mut chosen: Vec<u8> = offers
                .iter()
                .take(CHOSEN)
                .map(|offer| offer.feature)
                .collect();
            chosen.sort_unstable();
            offers = self.offers(looked, &chosen, classes, &cost);
        }
        let seen = looked.len();
        let best = offers
            .iter()
            .max_by_key(|offer| (rank(offer, seen), u8::MAX - offer.feature))?;
        if rank(best, seen) <= 0 {
            return None;
        }
        let about = self.features.list()[usize::from(best.feature)];
        let left = match about.domain {
            Domain::Order => best.left,
            Domain::Set { row } => {
                self.simplify::<K>(best, &about, row, |gain| worth(gain, seen), cost)
            }
        };
        Some(Found {
            split: Split {
                feature: best.feature,
                left,
            },
            features: kept,
        })
    }

    /// Puts the samples that go left before those that go right, both in the
    /// order in which they are; gives how many go left.
    pub(crate) fn part(&self, order: &mut [u32], spare: &mut [u32], split: Split) -> usize {
        let (mut lefts, mut rights) = (0, 0);
        for read in 0..order.len() {
            let sample = order[read];
            let value = self.samples.row(sample)[usize::from(split.feature)];
            let left = split.left >> (value & 127) & 1 != 0;
            order[lefts] = sample;
            spare[rights] = sample;
            lefts += usize::from(left);
            rights += usize::from(!left);
        }
        order[lefts..].copy_from_slice(&spare[..rights]);
        lefts
    }

    /// The best split by each feature.
    fn offers<const K: usize>(
        &mut self,
        samples: &[u32],
        features: &[u8],
        classes: &Classes,
        cost: &impl Fn(&[u32; K]) -> i64,
    ) -> Vec<Offer> {
        self.tally::<K>(samples, features);
        let scan = |&feature: &u8| self.scan::<K>(feature, classes, cost);
        features.iter().filter_map(scan).collect()
    }

    fn tally<const K: usize>(&mut self, samples: &[u32], features: &[u8]) {
        let starts: Vec<(u8, u32)> = features
            .iter()
            .map(|&feature| {
                let start = self.offsets[usize::from(feature)] * K;
                let size = usize::from(self.features.list()[usize::from(feature)].size);
                self.histogram[start..start + size * K].fill(0);
                (feature, start as u32)
            })
            .collect();
        for &sample in samples {
            let row = self.samples.row(sample);
            let class = u32::from(self.class_of[usize::from(self.samples.cells[sample as usize])]);
            for &(feature, start) in &starts {
                let bin = u32::from(row[usize::from(feature)]);
                self.histogram[(start + bin * K as u32 + class) as usize] += 1;
            }
        }
    }

    /// Works out what the values of some samples are taken for.
    fn classify(&mut self, samples: &[u32]) -> Classes {
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

    /// The bins of a feature that are not empty, in the order in which they
    /// are cut.
    fn order<const K: usize>(&self, feature: u8, weights: &[u32; TIGHT]) -> Vec<u8> {
        let about = &self.features.list()[usize::from(feature)];
        let is_set = about.domain != Domain::Order;
        let mut keys: Vec<u64> = Vec::with_capacity(usize::from(about.size));
        for bin in 0..about.size {
            let counts = self.counts::<K>(feature, bin);
            if *counts == [0; K] {
                continue;
            }
            let mut key = 0;
            if is_set {
                let sum: u32 = counts.iter().map(|&count| u32::from(count)).sum();
                let weighed = counts.iter().zip(weights);
                let weighed: u64 = weighed.map(|(&c, &w)| u64::from(c) * u64::from(w)).sum();
                key = (weighed << 20) / u64::from(sum);
            }
            keys.push(key << 8 | u64::from(bin));
        }
        if is_set {
            keys.sort_unstable();
        }
        keys.into_iter().map(|key| key as u8).collect()
    }

    /// What is in a bin, by class.
    #[inline]
    fn counts<const K: usize>(&self, feature: u8, bin: u8) -> &[u16; K] {
        let bins = self.histogram.as_chunks().0;
        &bins[self.offsets[usize::from(feature)] + usize::from(bin)]
    }

    fn scan<const K: usize>(
        &self,
        feature: u8,
        classes: &Classes,
        cost: &impl Fn(&[u32; K]) -> i64,
    ) -> Option<Offer> {
        let bins = self.order::<K>(feature, &classes.weights);
        if bins.len() < 2 {
            return None;
        }
        let mut right: [u32; K] = [0; K];
        for &bin in &bins {
            for (sum, &count) in right.iter_mut().zip(self.counts::<K>(feature, bin)) {
                *sum += u32::from(count);
            }
        }
        let mut left = [0u32; K];
        let (mut best, mut cut) = (0, 0);
        let whole = cost(&right);
        if classes.loose.is_empty() {
            let table = products();
            let log = |n: u32| i64::from(table[(n as usize).min(TABLE)]);
            let all: u32 = right.iter().sum();
            let (mut left_all, mut left_parts) = (0u32, 0i64);
            let mut right_parts: i64 = right.iter().map(|&n| log(n)).sum();
            for (place, &bin) in bins.iter().enumerate().take(bins.len() - 1) {
                let counts = self.counts::<K>(feature, bin);
                for ((l, r), &count) in left.iter_mut().zip(&mut right).zip(counts) {
                    if count > 0 {
                        let count = u32::from(count);
                        left_parts += log(*l + count) - log(*l);
                        right_parts += log(*r - count) - log(*r);
                        *l += count;
                        *r -= count;
                        left_all += count;
                    }
                }
                let gain =
                    whole - (log(left_all) - left_parts) - (log(all - left_all) - right_parts);
                if gain > best {
                    (best, cut) = (gain, place + 1);
                }
            }
        } else {
            for (place, &bin) in bins.iter().enumerate().take(bins.len() - 1) {
                let counts = self.counts::<K>(feature, bin);
                for ((l, r), &count) in left.iter_mut().zip(&mut right).zip(counts) {
                    *l += u32::from(count);
                    *r -= u32::from(count);
                }
                let gain = whole - cost(&left) - cost(&right);
                if gain > best {
                    (best, cut) = (gain, place + 1);
                }
            }
        }
        (cut > 0).then(|| self.offer(feature, &bins, cut, best))
    }

    fn offer(&self, feature: u8, bins: &[u8], cut: usize, gain: i64) -> Offer {
        let about = &self.features.list()[usize::from(feature)];
        let left = match about.domain {
            Domain::Order => (2u128 << bins[cut - 1]) - 1,
            Domain::Set { row } => {
                let set = |bins: &[u8]| bins.iter().fold(0u128, |set, &bin| set | 1 << bin);
                let left = set(&bins[..cut]);
                smooth(left, left | set(&bins[cut..]), about.size, row)
            }
        };
        Offer {
            feature,
            gain,
            left,
            price: self.prices.ask(about, left) + self.prices.leaf,
        }
    }

    /// Moves values to where their neighbours go, if that costs less than it
    /// saves in the model.
    fn simplify<const K: usize>(
        &self,
        best: &Offer,
        about: &Feature,
        row: u8,
        worth: impl Fn(i64) -> i64,
        cost: impl Fn(&[u32; K]) -> i64,
    ) -> u128 {
        let counts = |bin: u8| self.counts::<K>(best.feature, bin);
        let (mut left, mut known) = (best.left, 0u128);
        let mut sides = [[0u32; K]; 2];
        for bin in 0..about.size {
            let side = &mut sides[(left >> bin & 1) as usize];
            for (sum, &count) in side.iter_mut().zip(counts(bin)) {
                *sum += u32::from(count);
                known |= u128::from(count > 0) << bin;
            }
        }
        let mut now = cost(&sides[0]) + cost(&sides[1]);
        for bin in 0..about.size {
            let (here, column) = (left >> bin & 1, bin % row);
            let mut others = 0i64;
            let mut look = |is_there: bool, near: u8| {
                if is_there {
                    others += if left >> near & 1 == here { -1 } else { 1 };
                }
            };
            look(column > 0, bin.wrapping_sub(1));
            look(column + 1 < row && bin + 1 < about.size, bin + 1);
            look(bin >= row, bin.wrapping_sub(row));
            look(bin + row < about.size, bin + row);
            if known >> bin & 1 == 0 || others <= 0 {
                continue;
            }
            let mut moved = sides;
            for (place, &count) in counts(bin).iter().enumerate() {
                moved[here as usize][place] -= u32::from(count);
                moved[1 - here as usize][place] += u32::from(count);
            }
            let then = cost(&moved[0]) + cost(&moved[1]);
            if worth(then - now) < others * SAVED as i64 {
                (sides, now) = (moved, then);
                left ^= 1 << bin;
            }
        }
        smooth(left, known, about.size, row)
    }
}

/// Lets values that nobody has go where their neighbours do: such sets are
/// cheap to write down.
fn smooth(left: u128, known: u128, size: u8, row: u8) -> u128 {
    let mut out = left & known;
    let row = u32::from(row.max(1));
    let all = u128::MAX >> (128 - u32::from(size.clamp(1, 128)));
    let mut unknown = !known & all;
    while unknown != 0 {
        let value = unknown.trailing_zeros();
        unknown &= unknown - 1;
        let has = |near: u32| (out >> near & 1) as u32;
        let west = !value.is_multiple_of(row);
        let mut votes = 0;
        let mut voices = 0;
        if west {
            votes += 3 * has(value - 1);
            voices += 3;
        }
        if value >= row {
            votes += 2 * has(value - row);
            voices += 2;
            if west {
                votes += has(value - row - 1);
                voices += 1;
            }
            if value % row + 1 < row {
                votes += has(value - row + 1);
                voices += 1;
            }
        }
        if voices == 0 {
            // At the first value: as the next that is known.
            let next = (known >> value).trailing_zeros();
            votes = u32::from(next < 128 && left >> (value + next.min(127 - value)) & 1 != 0);
            voices = 1;
        }
        if 2 * votes > voices {
            out |= 1 << value;
        }
    }
    out
}

/// What it saves in the model that a value goes where one neighbour more does.
const SAVED: u64 = bits(1);

/// The entropy of counts.
fn cost_tight<const K: usize>(counts: &[u32; K]) -> i64 {
    let parts: u64 = counts.iter().map(|&n| n_log_n(u64::from(n))).sum();
    n_log_n(counts.iter().map(|&n| u64::from(n)).sum()) as i64 - parts as i64
}

/// The entropy of counts of which some are free to choose: the widest first,
/// each joins the most frequent that will do.
#[inline]
fn cost_loose(counts: &[u32; LOOSE], classes: &Classes) -> i64 {
    let mut sums = *counts;
    for &(class, low, high) in &classes.loose {
        let count = sums[class & (LOOSE - 1)];
        if count == 0 {
            continue;
        }
        sums[class & (LOOSE - 1)] = 0;
        let mut best = low & (LOOSE - 1);
        for exact in low + 1..high {
            if sums[exact & (LOOSE - 1)] > sums[best] {
                best = exact & (LOOSE - 1);
            }
        }
        sums[best] += count;
    }
    let table = products();
    let log = |n: u32| i64::from(table[(n as usize).min(TABLE)]);
    let all: u32 = sums.iter().sum();
    let parts: i64 = sums.iter().map(|&n| log(n)).sum();
    log(all) - parts
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

/// Bits as they are counted here.
pub(crate) const fn bits(bits: u64) -> u64 {
    bits << POINT
}
