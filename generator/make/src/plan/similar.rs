//! Corrects the estimated cost of an unmeasured table by similar, measured ones of its game.
//!
//! What an index of a table costs depends on the game, on who is stronger and on how often
//! the other side holds a draw, which no formula over sizes knows but a similar ending shows.
//! So the formulas for CPU time and memory are corrected by the factors by which they were
//! wrong for the two most similar endings, and the bytes an index are theirs.

use retrograde_rules::{Colour, Game, Material, PieceType};

use super::measured::{Ending, MORE_MEMORY};
use super::{PlannedTable, estimate};

/// The number of similar endings that an estimate is based on.
const ENDINGS: usize = 2;
/// Smaller tables than these indices say little: starting the program, headers and models
/// cost more than their positions.
const LEAST_POSITIONS: u64 = 1_000_000;

/// The correction of formulas over sizes: by how much they are wrong, and the bytes of files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Correction {
    /// The factor for CPU seconds.
    cpu: f64,
    /// The factor for memory.
    memory: f64,
    /// The bytes of files an index.
    bytes: f64,
}

impl Correction {
    /// Corrects what the formulas say.
    pub(super) fn correct(&self, table: &mut PlannedTable) {
        table.cpu_seconds = estimate::rounded(table.cpu_seconds * self.cpu);
        table.disk_bytes = (table.positions as f64 * self.bytes) as u64;
        // By formula it is the most that can be needed.
        let memory = table.memory_bytes as f64 * (self.memory * (1.0 + MORE_MEMORY)).min(1.0);
        table.set_memory(memory as u64);
    }
}

/// The correction by those measured endings that are most similar to a material of a game; `None`
/// if none of them is of the game and has [`LEAST_POSITIONS`]. Options of games are ignored.
pub(super) fn correction<'a>(
    game: Game,
    material: &Material,
    endings: impl Iterator<Item = &'a Ending>,
) -> Option<Correction> {
    let of_game = endings
        .filter(|ending| ending.game.name() == game.name() && ending.positions >= LEAST_POSITIONS);
    let mut near: Vec<(u32, &Ending)> = of_game
        .map(|ending| (distance(game, material, &ending.material), ending))
        .collect();
    // Stable, so equally similar ones stay in the order of the file.
    near.sort_by_key(|&(distance, _)| distance);
    near.truncate(ENDINGS);
    let bytes = |ending: &Ending| ending.measured.disk_bytes as f64 / ending.positions as f64;
    Some(Correction {
        cpu: mean(&near, Ending::cpu_by_formula)?,
        bytes: mean(&near, bytes)?,
        memory: mean(&near, Ending::memory_by_formula)?,
    })
}

/// The geometric mean of a value of some endings, nearer ones weighing more; `None` of none.
fn mean(near: &[(u32, &Ending)], value: impl Fn(&Ending) -> f64) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for &(distance, ending) in near {
        // Something added, so that one at distance 0 does not decide alone.
        let weight = 1.0 / f64::from(distance + 3).powi(2);
        sum += weight * value(ending).ln();
        weights += weight;
    }
    (weights > 0.0).then(|| (sum / weights).exp())
}

/// The difference between two materials, in tenths of a piece replaced by a similar one.
fn distance(game: Game, a: &Material, b: &Material) -> u32 {
    let [white, black] = sides(a);
    let [own, other] = sides(b);
    let same = between(game, &white, &own) + between(game, &black, &other);
    let swapped = 1 + between(game, &white, &other) + between(game, &black, &own);
    same.min(swapped)
}

/// The pieces of White and of Black, in the order of material names.
fn sides(material: &Material) -> [Vec<PieceType>; 2] {
    Colour::BOTH.map(|colour| {
        let pieces = material.pieces().filter(|piece| piece.colour == colour);
        pieces.map(|piece| piece.piece_type).collect()
    })
}

/// The cost of turning one side into another by adding, removing and replacing pieces: the edit
/// distance of their names.
fn between(game: Game, from: &[PieceType], to: &[PieceType]) -> u32 {
    // One row of the usual table: from the first pieces of `from` to those of `to`.
    let mut row = vec![0; to.len() + 1];
    for (i, &piece) in to.iter().enumerate() {
        row[i + 1] = row[i] + added(piece);
    }
    for &old in from {
        let mut diagonal = row[0];
        row[0] += added(old);
        for (i, &new) in to.iter().enumerate() {
            let best = (diagonal + replaced(game, old, new))
                .min(row[i] + added(new))
                .min(row[i + 1] + added(old));
            diagonal = std::mem::replace(&mut row[i + 1], best);
        }
    }
    row[to.len()]
}

/// The distance that a piece more or less makes.
fn added(piece: PieceType) -> u32 {
    15 + special(piece)
}

/// The distance that another piece in the place of one makes.
fn replaced(game: Game, old: PieceType, new: PieceType) -> u32 {
    match old == new {
        true => 0,
        false => 10 + game.worth(old).abs_diff(game.worth(new)) + special(old).max(special(new)),
    }
}

/// Pawns bring promotions and another index, kings other rules of winning.
fn special(piece: PieceType) -> u32 {
    match piece {
        PieceType::King | PieceType::Pawn => 10,
        _ => 0,
    }
}
