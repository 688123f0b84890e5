//! Looks up the time, memory and disk that a table took when it was made and measured once.
//!
//! Each was made with two threads and default options: all metrics, packed fast.
//!
//! Endings of equal size may differ in their files by a factor of 200, which no formula over
//! size and pieces can know. `costs.csv` has all orthodox endings of three to five men, those
//! of up to four men of all other games, and some larger ones. `scripts/run bench costs`
//! measures them, and `scripts/run plot costs` plots them.

use std::sync::OnceLock;

use retrograde_rules::{Game, Material};
use retrograde_solve as solve;

use super::{PlannedTable, estimate};

const COSTS: &str = include_str!("costs.csv");

/// Seconds; clocks of CPU time have steps of ten milliseconds, and some tables take less.
const LEAST_SECONDS: f64 = 0.005;

/// The allowance of plans beyond the measured costs, as a share of them. Memory is also a limit,
/// and differs by a few per cent from run to run. CPU time grows when a machine has other work.
pub(super) const MORE_MEMORY: f64 = 1.0 / 8.0;
const MORE_SECONDS: f64 = 1.0 / 4.0;

/// An ending that was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ending {
    /// The game, with its default options.
    pub(super) game: Game,
    /// The material, in normal form.
    pub(super) material: Material,
    /// The number of indices of the table, both sides to move together.
    pub(super) positions: u64,
    /// The costs of the table.
    pub(super) measured: Measured,
}

/// The measured costs of one table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    /// CPU seconds, the system's included.
    pub(super) cpu_seconds: f64,
    /// The most memory of the process in bytes.
    pub(super) memory_bytes: u64,
    /// The bytes of its files together.
    pub(super) disk_bytes: u64,
}

/// The endings that were measured, in the order of the file.
pub(super) fn endings() -> &'static [Ending] {
    static ENDINGS: OnceLock<Vec<Ending>> = OnceLock::new();
    ENDINGS.get_or_init(|| COSTS.lines().skip(1).filter_map(parse).collect())
}

/// The measured costs of the table of a material; `None` if it was not measured. Games with other
/// than their default options were not.
pub(super) fn of(game: Game, material: &Material) -> Option<&'static Measured> {
    let ending = |ending: &&Ending| ending.game == game && ending.material == *material;
    Some(&endings().iter().find(ending)?.measured)
}

/// A line of the file.
fn parse(line: &str) -> Option<Ending> {
    let mut cells = line.split(',');
    let game = Game::parse(cells.next()?).ok()?;
    let material = Material::parse(game, cells.next()?).ok()?;
    let positions = cells.next()?.parse().ok()?;
    let cpu_seconds = cells.next()?.parse().ok()?;
    let memory_mib: u64 = cells.next()?.parse().ok()?;
    // Metrics that the game does not have are empty.
    let files = cells.filter(|bytes| !bytes.is_empty());
    let files: Vec<u64> = files
        .map(|bytes| bytes.parse().ok())
        .collect::<Option<_>>()?;
    Some(Ending {
        game,
        material,
        positions,
        measured: Measured {
            cpu_seconds,
            memory_bytes: memory_mib << 20,
            disk_bytes: files.iter().sum(),
        },
    })
}

impl Ending {
    /// The CPU time that it took by what the formula says.
    pub(super) fn cpu_by_formula(&self) -> f64 {
        let formula = estimate::cpu_seconds(self.game, &self.material, self.positions);
        self.measured.cpu_seconds.max(LEAST_SECONDS) / formula
    }

    /// The memory that it took by what the formula says.
    pub(super) fn memory_by_formula(&self) -> f64 {
        let taken = self.measured.memory_bytes;
        let formula = solve::estimate_bytes(self.game, &self.material).unwrap_or(taken);
        taken as f64 / formula as f64
    }
}

impl Measured {
    /// Puts what was measured in place of estimates, with something added.
    pub(super) fn correct(&self, table: &mut PlannedTable) {
        table.set_memory((self.memory_bytes as f64 * (1.0 + MORE_MEMORY)) as u64);
        table.disk_bytes = self.disk_bytes;
        table.cpu_seconds = (self.cpu_seconds * (1.0 + MORE_SECONDS)).max(LEAST_SECONDS);
    }
}
