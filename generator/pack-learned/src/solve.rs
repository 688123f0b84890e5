//! Linear equations over GF(2), each in a window of 64 columns.

use retrograde_learned::{Equation, Region};

/// Equations that do not contradict each other, in a form that is easy to
/// solve: no two begin at the same column.
pub(crate) struct System {
    columns: u32,
    /// The window of the equation that begins at a column; 0 if none does.
    rows: [u64; 512],
    values: [bool; 512],
}

/// How many equations are reduced side by side.
const SIDE_BY_SIDE: usize = 4;

/// What becomes of an equation.
enum Step {
    /// What is left of it.
    On(usize, u64, bool),
    /// It is added, or says nothing new.
    Done,
    Contradiction,
}

impl System {
    /// No equations.
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
    use retrograde_learned::Line;

    /// How many of 200 systems of `equations` in `columns` have a solution; each
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
