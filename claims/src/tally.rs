//! Tallies a walk over positions: numbers, and a few of the positions of each kind.

use std::hash::{Hash, Hasher};

use retrograde_index::Wdl;
use retrograde_rules::{Game, Material, Position};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use crate::formula::{Counted, NumberKey, Numbers, interned};

/// Numbers, and samples of some kinds of positions. The sum of several does not depend on their
/// order.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassTally {
    pub(crate) counted: Counted,
    pub(crate) samples: Vec<(NumberKey, Sample)>,
    /// The number of positions that the one that is looked at stands for.
    pub(crate) weight: u64,
    /// The number of that position.
    pub(crate) number: u64,
}

/// The kind of a sample, and the FENs of its positions with their keys.
type KeptSample = (String, usize, Vec<(u64, String)>);

/// A tally as it is kept for the next run.
#[derive(Serialize, Deserialize)]
pub(crate) struct KeptTally {
    numbers: Numbers,
    samples: Vec<KeptSample>,
}

impl KeptTally {
    /// The tally of positions of a game; `None` if they are none.
    pub(crate) fn tally(self, game: Game) -> Option<ClassTally> {
        let mut tally = ClassTally::default();
        for (name, list) in self.numbers {
            for (place, number) in list.into_iter().enumerate() {
                tally.counted.add((interned(&name), place), number);
            }
        }
        for (name, place, kept) in self.samples {
            let kept = kept.into_iter().map(|(key, fen)| {
                let position = Position::from_fen(game, &fen).ok()?;
                Some((key, position))
            });
            let kept = kept.collect::<Option<_>>()?;
            let kind = (interned(&name), place);
            tally.samples.push((kind, Sample { kept }));
        }
        Some(tally)
    }
}

impl ClassTally {
    /// The part of it that the next run needs.
    pub(crate) fn kept(&self) -> KeptTally {
        let samples = self.samples.iter().map(|((name, place), sample)| {
            let kept = sample.kept.iter();
            let kept = kept.map(|(key, position)| (*key, position.fen()));
            ((*name).to_owned(), *place, kept.collect())
        });
        KeptTally {
            numbers: self.counted.numbers(),
            samples: samples.collect(),
        }
    }
}

/// A key to count under: a name, or a name and a place.
pub(crate) trait Counter {
    fn key(self) -> NumberKey;
}

impl Counter for &'static str {
    fn key(self) -> NumberKey {
        (self, 0)
    }
}

impl Counter for NumberKey {
    fn key(self) -> NumberKey {
        self
    }
}

/// The place that a value is counted under: 0 for a win, 1 for a draw, 2 for a loss, the fifty-move
/// rule apart.
pub(crate) fn place(wdl: Wdl) -> usize {
    match wdl {
        Wdl::Win | Wdl::CursedWin => 0,
        Wdl::Draw => 1,
        Wdl::Loss | Wdl::BlessedLoss => 2,
    }
}

impl ClassTally {
    /// Counts the position.
    #[inline]
    pub(crate) fn add(&mut self, counter: impl Counter) {
        self.counted.add(counter.key(), self.weight);
    }

    /// Counts the position if something is so.
    #[inline]
    pub(crate) fn add_if(&mut self, is_so: bool, counter: impl Counter) {
        self.counted
            .add(counter.key(), self.weight * u64::from(is_so));
    }

    /// Counts the position so many times.
    #[inline]
    pub(crate) fn add_times(&mut self, times: u64, counter: impl Counter) {
        self.counted.add(counter.key(), self.weight * times);
    }

    fn sample(&mut self, kind: NumberKey) -> &mut Sample {
        let at = self.samples.iter().position(|(known, _)| *known == kind);
        let at = at.unwrap_or_else(|| {
            self.samples.push((kind, Sample::default()));
            self.samples.len() - 1
        });
        &mut self.samples[at].1
    }

    /// Offers the position, perhaps with other counters, as an example of a kind.
    #[inline]
    pub(crate) fn show(&mut self, kind: impl Counter, position: &Position) {
        let number = self.number;
        self.sample(kind.key()).offer(number, position);
    }

    /// Offers a position that is not walked to but played to, perhaps from several others.
    pub(crate) fn show_played(&mut self, kind: impl Counter, position: &Position) {
        self.sample(kind.key()).offer(digest(position), position);
    }

    /// Offers a position that is played to, before all of a higher rank.
    pub(crate) fn show_ranked(&mut self, kind: impl Counter, rank: u8, position: &Position) {
        self.sample(kind.key()).offer_ranked(rank, position);
    }

    /// Adds another tally.
    pub(crate) fn merge(&mut self, other: ClassTally) {
        self.counted.merge(&other.counted);
        for (kind, sample) in other.samples {
            self.sample(kind).merge(sample);
        }
    }
}

/// The most examples of a kind that are reported.
pub(crate) const EXAMPLES: usize = 10;

/// The bits of a key below the rank.
const RANKS: u32 = 56;

/// At most [`EXAMPLES`] of the positions that were offered, those whose numbers are lowest
/// after mixing: a sample that depends neither on the order nor on the threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    /// The positions with their mixed numbers, in ascending order.
    kept: Vec<(u64, Position)>,
}

impl Sample {
    /// Offers a position with a number of its own.
    #[inline]
    fn offer(&mut self, number: u64, position: &Position) {
        let key = mixed(number);
        if self.kept.len() == EXAMPLES && self.kept.last().is_some_and(|&(last, _)| key >= last) {
            return;
        }
        self.keep(key, *position);
    }

    /// Offers a position that is played to and comes before all of a higher rank.
    fn offer_ranked(&mut self, rank: u8, position: &Position) {
        self.keep(
            u64::from(rank) << RANKS | mixed(digest(position)) >> (64 - RANKS),
            *position,
        );
    }

    #[cold]
    fn keep(&mut self, key: u64, position: Position) {
        let place = self.kept.partition_point(|&(other, _)| other < key);
        // What is offered again has the same key.
        if self.kept.get(place).is_some_and(|&(other, _)| other == key) {
            return;
        }
        self.kept.insert(place, (key, position));
        self.kept.truncate(EXAMPLES);
    }

    /// Adds what another has kept.
    fn merge(&mut self, other: Sample) {
        for (key, position) in other.kept {
            self.keep(key, position);
        }
    }
}

/// Samples by material, of which the examples are taken.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spread {
    samples: Vec<(Material, Sample)>,
}

impl Spread {
    /// Adds the sample of a material.
    pub(crate) fn add(&mut self, material: &Material, sample: Sample) {
        if !sample.kept.is_empty() {
            self.samples.push((*material, sample));
        }
    }

    /// Lets all positions go that are not of the lowest rank.
    pub(crate) fn keep_lowest_rank(&mut self) {
        let ranks = |sample: &Sample| sample.kept.first().map(|(key, _)| key >> RANKS);
        let lowest = self
            .samples
            .iter()
            .filter_map(|(_, sample)| ranks(sample))
            .min();
        for (_, sample) in &mut self.samples {
            sample.kept.retain(|(key, _)| Some(key >> RANKS) == lowest);
        }
        self.samples.retain(|(_, sample)| !sample.kept.is_empty());
    }

    /// At most [`EXAMPLES`] positions, of as many materials as possible.
    pub(crate) fn pick(&self) -> Vec<Position> {
        let materials = self.samples.len();
        if materials > EXAMPLES {
            let places = (0..EXAMPLES).map(|n| n * materials / EXAMPLES);
            return places.map(|n| self.samples[n].1.kept[0].1).collect();
        }
        let mut picked: Vec<(usize, Position)> = Vec::new();
        for round in 0..EXAMPLES {
            for (place, (_, sample)) in self.samples.iter().enumerate() {
                if picked.len() < EXAMPLES
                    && let Some((_, position)) = sample.kept.get(round)
                {
                    picked.push((place, *position));
                }
            }
        }
        picked.sort_by_key(|&(place, _)| place);
        picked.into_iter().map(|(_, position)| position).collect()
    }
}

/// A number of a position, practically its own.
fn digest(position: &Position) -> u64 {
    let mut hasher = FxHasher::default();
    position.hash(&mut hasher);
    hasher.finish()
}

/// SplitMix64's finaliser: every number has one image.
#[inline]
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_rules::Game;

    #[test]
    fn samples_do_not_depend_on_the_order() {
        let position = Position::from_fen(Game::default(), "8/8/8/3k4/8/8/8/KQ6 w - -").unwrap();
        let keys = |sample: &Sample| sample.kept.iter().map(|k| k.0).collect::<Vec<u64>>();
        let (mut up, mut down) = (Sample::default(), Sample::default());
        (0..500).for_each(|n| up.offer(n, &position));
        (0..250).rev().for_each(|n| down.offer(n, &position));
        let mut rest = Sample::default();
        (250..500).for_each(|n| rest.offer(n, &position));
        down.merge(rest);
        assert_eq!(keys(&up), keys(&down));
        assert_eq!(keys(&up).len(), EXAMPLES);
    }

    #[test]
    fn kept_tallies_are_those_that_were_made() {
        let game = Game::parse("high-chess").unwrap();
        let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/KQ6 w - - 50+3 0 1").unwrap();
        let mut tally = ClassTally {
            weight: 4,
            number: 77,
            ..ClassTally::default()
        };
        tally.add("positions");
        tally.add(("result", 2));
        tally.show(("result", 2), &position);
        let text = serde_json::to_string(&tally.kept()).unwrap();
        let kept: KeptTally = serde_json::from_str(&text).unwrap();
        let again = kept.tally(game).unwrap();
        assert_eq!(again.counted.numbers(), tally.counted.numbers());
        assert_eq!(again.samples[0].0, ("result", 2));
        assert_eq!(again.samples[0].1.kept, tally.samples[0].1.kept);
    }

    #[test]
    fn a_position_that_several_lead_to_is_kept_once() {
        let fens = ["8/8/8/3k4/8/8/8/KQ6 w - -", "8/8/8/3k4/8/8/8/K1Q5 w - -"];
        let [a, b] = fens.map(|fen| Position::from_fen(Game::default(), fen).unwrap());
        let of = |list: &[&Position]| {
            let mut sample = Sample::default();
            list.iter()
                .for_each(|position| sample.offer_ranked(3, position));
            let mut other = Sample::default();
            other.offer_ranked(3, &a);
            sample.merge(other);
            sample.kept.iter().map(|k| k.1).collect::<Vec<Position>>()
        };
        assert_eq!(of(&[&a, &b, &a]), of(&[&b, &b]));
        assert_eq!(of(&[&a, &b]).len(), 2);
    }
}
