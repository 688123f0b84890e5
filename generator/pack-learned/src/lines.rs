//! Fills lines of 64 bytes with the bits of positions, by solving linear equations.
//!
//! The equations are over GF(2), each in a window of 64 columns.

use retrograde_learned::{Code, Equation, LINE, Line, Region};

/// A code in the form needed to fill lines.
#[derive(Clone, Debug)]
pub(crate) struct LinePlan {
    /// The filter bits of the levels.
    filters: Vec<u8>,
    /// The symbols, those of the levels first, then by the lengths of their codes.
    ranks: Vec<Rank>,
}

/// A symbol of a code.
#[derive(Clone, Copy, Debug)]
struct Rank {
    symbol: u16,
    /// The code of the symbol and its length, unless it has a level.
    code: u16,
    length: u8,
    /// The filter bits of its own level, if it has one.
    filter: Option<u8>,
    /// The filter bits of the levels before its own.
    filters_before: u8,
    /// About how many bits it takes, [`FINE`] of them after the point.
    cost: u32,
}

impl LinePlan {
    /// The plan of a code.
    pub(crate) fn new(code: &Code<'_>) -> LinePlan {
        let (levels, rest) = code.parts();
        let (mut ranks, mut filters_before, mut cost) = (Vec::new(), 0, 0);
        for &(symbol, filter) in &levels {
            ranks.push(Rank {
                symbol,
                code: 0,
                length: 0,
                filter: Some(filter),
                filters_before,
                cost: cost + (1 << FINE >> filter),
            });
            filters_before += filter;
            cost += u32::from(filter + 1) << FINE;
        }
        ranks.extend(rest.into_iter().map(|(symbol, code, length)| Rank {
            symbol,
            code,
            length,
            filter: None,
            filters_before,
            cost: cost + (u32::from(length) << FINE),
        }));
        LinePlan {
            filters: levels.iter().map(|&(_, filter)| filter).collect(),
            ranks,
        }
    }

    /// Whether nothing needs to be stored.
    pub(crate) fn is_trivial(&self) -> bool {
        self.ranks.len() <= 1
    }
}

/// Bits after the point of costs: positions of large leaves take very little.
const FINE: u32 = 20;

/// A position whose symbol is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredPosition {
    index: u64,
    plan: u32,
    cost: u32,
    rank: u16,
    /// The filter bits of its own level, if it has one.
    filter: Option<u8>,
    /// The filter bits of the levels before its own.
    filters_before: u8,
}

impl StoredPosition {
    /// `None` if the plan does not have the symbol.
    pub(crate) fn new(
        index: u64,
        plan: u32,
        plans: &[LinePlan],
        symbol: u16,
    ) -> Option<StoredPosition> {
        let ranks = &plans[plan as usize].ranks;
        let rank = ranks.iter().position(|rank| rank.symbol == symbol)?;
        let about = &ranks[rank];
        Some(StoredPosition {
            index,
            plan,
            cost: about.cost,
            rank: rank as u16,
            filter: about.filter,
            filters_before: about.filters_before,
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
/// The bits that may be left for the next line rather than to try another seed.
const LOST: u64 = 6 << FINE;

/// Fills lines with positions, in the order of their indices. `None` if one
/// position does not fit into a line of its own.
pub(crate) fn fill(stored: &[StoredPosition], plans: &[LinePlan]) -> Option<Lines> {
    let mut lines = Lines::default();
    let mut filler = Filler {
        plans,
        filters: System::new(),
        values: System::new(),
        passes: Vec::new(),
        keys: Default::default(),
        places: Vec::new(),
        equations: Vec::new(),
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
        filler.keys.iter_mut().for_each(Vec::clear);
        let (bytes, count) = loop {
            match filler.line(&left[..count]) {
                Ok(line) => break line,
                Err(_) if count == 1 => break (filler.alone(&left[..1])?, 1),
                Err(fit) => count = fewer(left, count, fit),
            }
        };
        lines.bytes.push(bytes);
        lines.firsts.push(left[0].index);
        left = &left[count..];
    }
    lines.tries = filler.tries;
    lines.bits = cost(stored) >> FINE;
    Some(lines)
}

/// About how many bits some positions take, [`FINE`] after the point.
fn cost(positions: &[StoredPosition]) -> u64 {
    positions.iter().map(|p| u64::from(p.cost)).sum()
}

/// The number of `count` positions to try next if about `fit` would fit: the last ones
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

/// The least that is dropped.
const STEP: u64 = 2 << FINE;

/// The columns that get no equation if positions are left for the next line.
const SPARE: usize = 1;

struct Filler<'a> {
    plans: &'a [LinePlan],
    filters: System,
    values: System,
    /// Whether each position passes the filter of its own level.
    passes: Vec<bool>,
    /// The hashes of the positions, for each seed.
    keys: [Vec<u64>; SEEDS as usize],
    /// The places of some positions, ascending.
    places: Vec<u32>,
    equations: Vec<(Equation, bool)>,
    tries: u64,
}

impl Filler<'_> {
    /// A line of some positions and how many of these are in it, or about how many would fit.
    fn line(&mut self, positions: &[StoredPosition]) -> Result<([u8; LINE], usize), usize> {
        let mut most = 0;
        for seed in 0..SEEDS {
            self.tries += 1;
            // A little more room: systems that are just full often have no
            // solution.
            let room = if seed < SEEDS / 2 { 2 } else { 3 };
            match self.attempt(positions, seed, room) {
                Ok(line) => return Ok(line),
                Err(fit) => most = most.max(fit),
            }
        }
        Err(most)
    }

    /// A line of one position that a little more room was not enough for.
    fn alone(&mut self, position: &[StoredPosition]) -> Option<[u8; LINE]> {
        for room in [8, 32, 128] {
            for seed in 0..SEEDS {
                self.tries += 1;
                if let Ok((bytes, 1)) = self.attempt(position, seed, room) {
                    return Some(bytes);
                }
            }
        }
        None
    }

    /// A line with a seed, and with so many columns more than there are filter bits, and how
    /// many positions are in it: the last few are left for the next line if they do not fit.
    fn attempt(
        &mut self,
        positions: &[StoredPosition],
        seed: u32,
        room: u32,
    ) -> Result<([u8; LINE], usize), usize> {
        let mut count = 0;
        for (place, position) in positions.iter().enumerate() {
            count += u32::from(position.filters_before);
            if count > 490 {
                return Err(place);
            }
        }
        let split = match count {
            0 => 0,
            _ => count + room,
        };
        let mut keys = std::mem::take(&mut self.keys[seed as usize]);
        let known = keys.len().min(positions.len());
        let more = positions[known..].iter();
        keys.extend(more.map(|position| Line::key_of(position.index, seed)));
        let result = self.attempt_with(positions, &keys, seed, split);
        self.keys[seed as usize] = keys;
        result
    }

    /// A line as [`Filler::attempt`] makes it, given the hashes of the positions and the number of
    /// filter columns.
    fn attempt_with(
        &mut self,
        positions: &[StoredPosition],
        keys: &[u64],
        seed: u32,
        split: u32,
    ) -> Result<([u8; LINE], usize), usize> {
        let plans = self.plans;
        let [first, second] = Line::regions(split);
        let mut columns = [0; 9];
        self.equations.clear();
        gather(&mut self.places, positions.len(), |place| {
            positions[place].filters_before > 0
        });
        for &place in &self.places {
            let (position, key) = (&positions[place as usize], keys[place as usize]);
            let filters = plans[position.plan as usize].filters.iter();
            for (level, &filter) in (0..).zip(filters).take(position.rank.into()) {
                self.equations.extend((0..filter).map(|bit| {
                    let number = Line::filter_number(level, bit.into());
                    (Equation::new(key, number, split), true)
                }));
            }
        }
        self.filters.clear(split);
        if !self.filters.add_all(&self.equations) {
            // Conflicting filters say nothing about how many fit.
            return Err(positions.len() - 1);
        }
        self.filters.solve(first, &mut columns);
        let half = Line::of_columns(&columns, split, seed);
        self.pass(positions, keys, &half);
        let passes = &self.passes;
        gather(&mut self.places, positions.len(), |place| {
            let position = &positions[place];
            (position.rank > 0) | passes[place] | position.filter.is_none()
        });
        self.equations.clear();
        let mut count = positions.len();
        for number in 0..self.places.len() {
            let (place, before) = (self.places[number] as usize, self.equations.len());
            self.values_of(&positions[place], place, keys[place], second.columns);
            // Positions whose equations have no columns are left for the next line.
            if self.equations.len() + SPARE > second.columns as usize {
                if place == 0 {
                    return Err(place);
                }
                self.equations.truncate(before);
                count = place;
                break;
            }
        }
        self.values.clear(second.columns);
        if !self.values.add_all(&self.equations) {
            let fit = self.first_conflict(&positions[..count], keys, second.columns);
            // What fits is solved, unless more than a little is lost.
            if fit == 0 || cost(&positions[fit..count]) > LOST {
                return Err(fit);
            }
            count = fit;
        }
        self.values.solve(second, &mut columns);
        let mut words = [0; 8];
        words.copy_from_slice(&columns[..8]);
        Ok((Line::to_bytes(words, split, seed), count))
    }

    /// Sees which positions pass the filters of their own levels, and so have a correction.
    fn pass(&mut self, positions: &[StoredPosition], keys: &[u64], half: &Line) {
        self.passes.clear();
        let passes = positions.iter().map(|position| position.filter == Some(0));
        self.passes.extend(passes);
        gather(&mut self.places, positions.len(), |place| {
            positions[place].filter.is_some_and(|bits| bits > 0)
        });
        // Bit by bit: which positions a bit stops cannot be foreseen, so nothing branches on it.
        for bit in 0.. {
            let mut left = 0;
            for read in 0..self.places.len() {
                let place = self.places[read] as usize;
                let position = &positions[place];
                let number = Line::filter_number(position.rank.into(), bit);
                let passes = half.filter(keys[place], number);
                self.passes[place] = passes;
                self.places[left] = place as u32;
                let goes_on = passes & (bit + 1 < position.filter.unwrap_or(0).into());
                left += usize::from(goes_on);
            }
            self.places.truncate(left);
            if left == 0 {
                break;
            }
        }
    }

    /// Adds the equations of corrections and codes of a position to the list. It passes the
    /// filters of all levels before its own.
    fn values_of(&mut self, position: &StoredPosition, place: usize, key: u64, columns: u32) {
        let plan = &self.plans[position.plan as usize];
        let passes = self.passes[place];
        let (rank, levels) = (usize::from(position.rank), plan.filters.len());
        for level in 0..levels.min(rank + usize::from(passes)) {
            let number = Line::correction_number(level as u32);
            let equation = Equation::new(key, number, columns);
            self.equations.push((equation, rank > level));
        }
        if rank < levels {
            return;
        }
        let Rank { code, length, .. } = plan.ranks[rank];
        self.equations.extend((0..length).map(|bit| {
            let equation = Equation::new(key, Line::rest_number(bit.into()), columns);
            (equation, code >> (length - 1 - bit) & 1 != 0)
        }));
    }

    /// The first position whose equations contradict those before them.
    fn first_conflict(
        &mut self,
        positions: &[StoredPosition],
        keys: &[u64],
        columns: u32,
    ) -> usize {
        self.values.clear(columns);
        for (place, position) in positions.iter().enumerate() {
            self.equations.clear();
            self.values_of(position, place, keys[place], columns);
            let mut equations = self.equations.iter();
            if !equations.all(|&(equation, value)| self.values.add(equation, value)) {
                return place;
            }
        }
        positions.len() - 1
    }
}

/// Replaces `places` by those below `len` that pass a test, without a branch on the outcome, which
/// would be mispredicted.
fn gather(places: &mut Vec<u32>, len: usize, test: impl Fn(usize) -> bool) {
    places.resize(len, 0);
    let mut passed = 0;
    for place in 0..len {
        places[passed] = place as u32;
        passed += usize::from(test(place));
    }
    places.truncate(passed);
}

/// Equations that do not contradict each other, in a form that is easy to
/// solve: no two begin at the same column.
pub(crate) struct System {
    columns: u32,
    /// The window of the equation that begins at a column; 0 if none does.
    rows: [u64; 512],
    values: [bool; 512],
}

/// The number of equations that are reduced side by side.
const SIDE_BY_SIDE: usize = 4;

/// The outcome of a step on an equation.
enum Step {
    /// The rest of the equation.
    On(usize, u64, bool),
    /// The equation is added, or says nothing new.
    Done,
    Contradiction,
}

impl System {
    /// A system without equations.
    pub(crate) fn new() -> System {
        System {
            columns: 0,
            rows: [0; 512],
            values: [false; 512],
        }
    }

    /// Drops all equations; the next ones have `columns`.
    pub(crate) fn clear(&mut self, columns: u32) {
        self.columns = columns;
        self.rows[..columns as usize].fill(0);
    }

    /// Adds an equation unless it contradicts the present ones.
    pub(crate) fn add(&mut self, equation: Equation, value: bool) -> bool {
        self.reduce(equation.start as usize, equation.window, value)
    }

    fn reduce(&mut self, mut at: usize, mut window: u64, mut value: bool) -> bool {
        loop {
            match self.step(at, window, value) {
                Step::On(to, rest, odd) => (at, window, value) = (to, rest, odd),
                Step::Done => return true,
                Step::Contradiction => return false,
            }
        }
    }

    /// Takes the first column out of what is left of an equation.
    #[inline(always)]
    fn step(&mut self, at: usize, window: u64, value: bool) -> Step {
        if window == 0 {
            return match value {
                false => Step::Done,
                true => Step::Contradiction,
            };
        }
        let zeros = window.trailing_zeros();
        let (at, window) = (at + zeros as usize, window >> zeros);
        let row = self.rows[at & 511];
        if row == 0 {
            self.rows[at & 511] = window;
            self.values[at & 511] = value;
            return Step::Done;
        }
        Step::On(at, window ^ row, value ^ self.values[at & 511])
    }

    /// Adds equations unless they contradict each other or the present ones. In which order they
    /// are added makes no difference to the solution, so some are reduced side by side: each
    /// step of one waits for a row to be read.
    pub(crate) fn add_all(&mut self, equations: &[(Equation, bool)]) -> bool {
        let mut left = equations.iter();
        // Each begins with an equation that says nothing.
        let mut open = [(0, 0, false); SIDE_BY_SIDE];
        // Until there are fewer left than are reduced side by side.
        'all: loop {
            for lane in &mut open {
                let &mut (at, window, value) = lane;
                *lane = match self.step(at, window, value) {
                    Step::On(at, window, value) => (at, window, value),
                    Step::Contradiction => return false,
                    Step::Done => match left.next() {
                        Some(&(equation, value)) => {
                            (equation.start as usize, equation.window, value)
                        }
                        None => {
                            *lane = (0, 0, false);
                            break 'all;
                        }
                    },
                };
            }
        }
        open.into_iter()
            .all(|(at, window, value)| self.reduce(at, window, value))
    }

    /// Writes a solution into the columns of a region; free columns are left as they
    /// are.
    pub(crate) fn solve(&self, region: Region, columns: &mut [u64; 9]) {
        for at in (0..self.columns).rev() {
            let row = self.rows[at as usize];
            if row == 0 {
                continue;
            }
            let column = region.first + at;
            let (word, bit) = ((column >> 6) as usize, column & 63);
            let seen = columns[word] >> bit | columns[word + 1] << 1 << (63 - bit);
            // The lowest bit of the window is this very column, still unset.
            let odd = (seen & row & !1).count_ones() & 1 != 0;
            if odd != self.values[at as usize] {
                columns[word] |= 1 << bit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of 200 systems of `equations` in `columns` that have a solution; each
    /// solution is checked.
    fn solved(equations: u64, columns: u32) -> usize {
        let region = Region { first: 37, columns };
        let mut system = System::new();
        let of = |seed: u64, n: u64| {
            Equation::new(
                Line::key_of(seed * 1000 + n / 4, 3),
                (n % 4) as u32,
                columns,
            )
        };
        let value = |n: u64| (n * 7).is_multiple_of(3);
        let sound = |&seed: &u64| {
            system.clear(columns);
            if !(0..equations).all(|n| system.add(of(seed, n), value(n))) {
                return false;
            }
            let mut bits = [0; 9];
            system.solve(region, &mut bits);
            let all: Vec<_> = (0..equations).map(|n| (of(seed, n), value(n))).collect();
            let mut together = System::new();
            together.clear(columns);
            assert!(together.add_all(&all));
            let mut same = [0; 9];
            together.solve(region, &mut same);
            assert_eq!(same, bits);
            let (first, odd) = all[0];
            assert!(!together.add_all(&[(first, !odd)]), "it is contradicted");
            for n in 0..equations {
                let equation = of(seed, n);
                let odd = (0..64)
                    .filter(|bit| equation.window >> bit & 1 != 0)
                    .filter(|bit| {
                        let at = region.first + equation.start + bit;
                        assert!(at < region.first + columns);
                        bits[at as usize / 64] >> (at % 64) & 1 != 0
                    })
                    .count();
                assert_eq!(odd % 2 == 1, value(n));
            }
            true
        };
        (0..200).filter(sound).count()
    }

    #[test]
    fn systems_that_are_nearly_full_have_solutions() {
        for columns in [5, 20, 63, 64, 65, 80, 130, 250, 460] {
            let equations = u64::from(columns) - 3;
            let count = solved(equations, columns);
            println!("{columns}: {count}");
            assert!(count > 140, "{columns} columns: {count}");
        }
        assert!(solved(70, 64) < 10);
    }
}
