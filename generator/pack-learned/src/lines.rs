//! Filling lines with the bits of positions.

use retrograde_learned::{Code, Equation, LINE, Line};

use crate::solve::System;

/// A code in the form needed to fill lines.
#[derive(Clone, Debug)]
pub(crate) struct LinePlan {
    /// The filter bits of the levels.
    filters: Vec<u8>,
    /// The symbols, those of the levels first, then by the lengths of their
    /// codes: symbol, code, length.
    ranks: Vec<(u16, u16, u8)>,
}

impl LinePlan {
    /// The plan of a code.
    pub(crate) fn new(code: &Code<'_>) -> LinePlan {
        let (levels, rest) = code.parts();
        let mut ranks: Vec<(u16, u16, u8)> = levels.iter().map(|&(s, _)| (s, 0, 0)).collect();
        ranks.extend(rest);
        LinePlan {
            filters: levels.iter().map(|&(_, filter)| filter).collect(),
            ranks,
        }
    }

    /// Whether nothing needs to be stored.
    pub(crate) fn is_trivial(&self) -> bool {
        self.ranks.len() <= 1
    }

    /// The place of a symbol.
    fn rank(&self, symbol: u16) -> Option<usize> {
        self.ranks.iter().position(|&(known, _, _)| known == symbol)
    }

    /// The approximate cost of a symbol in bits, [`FINE`] after the point.
    fn cost(&self, rank: usize) -> u32 {
        let mut cost = 0;
        for (level, &filter) in self.filters.iter().enumerate() {
            if rank == level {
                return cost + (1 << FINE >> filter);
            }
            cost += u32::from(filter + 1) << FINE;
        }
        cost + (u32::from(self.ranks[rank].2) << FINE)
    }
}

/// Bits after the point of costs: positions of large leaves take very little.
const FINE: u32 = 20;

/// A position whose symbol is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredPosition {
    index: u64,
    plan: u32,
    rank: u16,
    cost: u32,
}

impl StoredPosition {
    /// `None` if the plan does not have the symbol.
    pub(crate) fn new(
        index: u64,
        plan: u32,
        plans: &[LinePlan],
        symbol: u16,
    ) -> Option<StoredPosition> {
        let about = &plans[plan as usize];
        let rank = about.rank(symbol)?;
        Some(StoredPosition {
            index,
            plan,
            rank: rank as u16,
            cost: about.cost(rank),
        })
    }
}

/// Lines and the first index of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) bytes: Vec<[u8; LINE]>,
    pub(crate) firsts: Vec<u64>,
    pub(crate) tries: u64,
    /// The approximate number of bits in them.
    pub(crate) bits: u64,
}

/// The bits that a line should take.
const HOPED: u64 = 500 << FINE;
const SEEDS: u32 = 8;

/// Fills lines with positions, in the order of their indices. `None` if one
/// position does not fit into a line of its own.
pub(crate) fn fill(stored: &[StoredPosition], plans: &[LinePlan]) -> Option<Lines> {
    let mut lines = Lines::default();
    let mut filler = Filler {
        plans,
        filters: System::new(),
        values: System::new(),
        passes: Vec::new(),
        tries: 0,
    };
    let mut left = stored;
    while !left.is_empty() {
        let mut hoped = 0u64;
        let mut count = left
            .iter()
            .position(|position| {
                hoped += u64::from(position.cost);
                hoped > HOPED
            })
            .unwrap_or(left.len())
            .max(1);
        let bytes = loop {
            match filler.line(&left[..count]) {
                Ok(bytes) => break bytes,
                Err(_) if count == 1 => break filler.alone(&left[..1])?,
                Err(fit) => count = fewer(left, count, fit),
            }
        };
        lines.bytes.push(bytes);
        lines.firsts.push(left[0].index);
        left = &left[count..];
    }
    lines.tries = filler.tries;
    lines.bits = stored.iter().map(|p| u64::from(p.cost)).sum::<u64>() >> FINE;
    Some(lines)
}

/// How many of `count` positions to try next if about `fit` would fit: the last ones
/// are dropped until they amount to a few bits, since a single one may take next to
/// nothing.
fn fewer(positions: &[StoredPosition], count: usize, fit: usize) -> usize {
    let (mut count, mut saved) = (count - 1, u64::from(positions[count - 1].cost));
    while count > 1 && (count > fit || saved < STEP) {
        count -= 1;
        saved += u64::from(positions[count].cost);
    }
    count
}

/// A shortfall in bits that no other seed will make up.
const FAR: u64 = 4 << FINE;
/// The least that is dropped.
const STEP: u64 = 2 << FINE;

struct Filler<'a> {
    plans: &'a [LinePlan],
    filters: System,
    values: System,
    /// Whether each position passes the filter of its own level.
    passes: Vec<bool>,
    tries: u64,
}

impl Filler<'_> {
    /// A line of some positions, or about how many would fit.
    fn line(&mut self, positions: &[StoredPosition]) -> Result<[u8; LINE], usize> {
        let mut most = 0;
        for seed in 0..SEEDS {
            self.tries += 1;
            // A little more room: systems that are just full often have no
            // solution.
            let room = if seed < SEEDS / 2 { 2 } else { 3 };
            match self.attempt(positions, seed, room) {
                Ok(bytes) => return Ok(bytes),
                Err(fit) => {
                    most = most.max(fit);
                    let missing: u64 = positions[fit..].iter().map(|p| u64::from(p.cost)).sum();
                    // Far too many: no other seed will do.
                    if missing > FAR {
                        return Err(most);
                    }
                }
            }
        }
        Err(most)
    }

    /// A line of one position that a little more room was not enough for.
    fn alone(&mut self, position: &[StoredPosition]) -> Option<[u8; LINE]> {
        for room in [8, 32, 128] {
            for seed in 0..SEEDS {
                self.tries += 1;
                if let Ok(bytes) = self.attempt(position, seed, room) {
                    return Some(bytes);
                }
            }
        }
        None
    }

    /// A line with a seed, and with so many columns more than there are filter bits.
    fn attempt(
        &mut self,
        positions: &[StoredPosition],
        seed: u32,
        room: u32,
    ) -> Result<[u8; LINE], usize> {
        let plans = self.plans;
        let mut count = 0;
        for (place, position) in positions.iter().enumerate() {
            if position.rank > 0 {
                let filters = &plans[position.plan as usize].filters;
                let passed = filters.iter().take(usize::from(position.rank));
                count += passed.map(|&filter| u32::from(filter)).sum::<u32>();
                if count > 490 {
                    return Err(place);
                }
            }
        }
        let split = match count {
            0 => 0,
            _ => count + room,
        };
        let [first, second] = Line::regions(split);
        let mut columns = [0; 9];
        self.filters.clear(split);
        for position in positions {
            if position.rank == 0 {
                continue;
            }
            let filters = &plans[position.plan as usize].filters;
            let key = Line::key_of(position.index, seed);
            for (level, &filter) in filters.iter().enumerate().take(usize::from(position.rank)) {
                for bit in 0..u32::from(filter) {
                    let number = Line::filter_number(level as u32, bit);
                    if !self.filters.add(Equation::new(key, number, split), true) {
                        // Conflicting filters say nothing about how many fit.
                        return Err(positions.len() - 1);
                    }
                }
            }
        }
        self.filters.solve(first, &mut columns);
        let half = Line::of_columns(&columns, split, seed);
        self.pass(positions, &half, (seed, second.columns))?;
        self.values.clear(second.columns);
        for (place, position) in positions.iter().enumerate() {
            if !self.values_of(position, self.passes[place], second.columns, seed) {
                return Err(place);
            }
        }
        self.values.solve(second, &mut columns);
        let mut words = [0; 8];
        words.copy_from_slice(&columns[..8]);
        Ok(Line::to_bytes(words, split, seed))
    }

    /// Sees which positions pass the filters of their own levels, and so have a correction. That
    /// says how many equations there will be: if they are more than columns, none need be solved.
    fn pass(
        &mut self,
        positions: &[StoredPosition],
        half: &Line,
        (seed, columns): (u32, u32),
    ) -> Result<(), usize> {
        self.passes.clear();
        let mut equations = 0;
        for (place, position) in positions.iter().enumerate() {
            let (plan, rank) = (
                &self.plans[position.plan as usize],
                u32::from(position.rank),
            );
            let mut passes = false;
            equations += match plan.filters.get(usize::from(position.rank)) {
                Some(&filter) => {
                    let key = Line::key_of(position.index, seed);
                    let pass = |bit| half.filter(key, Line::filter_number(rank, bit));
                    passes = (0..u32::from(filter)).all(pass);
                    rank + u32::from(passes)
                }
                None => {
                    let length = plan.ranks[usize::from(position.rank)].2;
                    plan.filters.len() as u32 + u32::from(length)
                }
            };
            if equations > columns {
                return Err(place);
            }
            self.passes.push(passes);
        }
        Ok(())
    }

    /// Adds the equations of corrections and codes of a position, which passes the filters of
    /// all levels before its own.
    fn values_of(
        &mut self,
        position: &StoredPosition,
        passes: bool,
        columns: u32,
        seed: u32,
    ) -> bool {
        let plan = &self.plans[position.plan as usize];
        let key = Line::key_of(position.index, seed);
        let (rank, levels) = (usize::from(position.rank), plan.filters.len());
        for level in 0..levels.min(rank + usize::from(passes)) {
            let number = Line::correction_number(level as u32);
            let equation = Equation::new(key, number, columns);
            if !self.values.add(equation, rank > level) {
                return false;
            }
        }
        if rank < levels {
            return true;
        }
        let (_, code, length) = plan.ranks[rank];
        (0..length).all(|bit| {
            let equation = Equation::new(key, Line::rest_number(bit.into()), columns);
            self.values
                .add(equation, code >> (length - 1 - bit) & 1 != 0)
        })
    }
}
