//! Plans tables: which exist, which others each one needs, and roughly what making them costs.

mod estimate;
mod measured;
mod similar;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use retrograde_probe::index::{Index, IndexError};
use retrograde_probe::{Metric, table_path};
use retrograde_rules::{Colour, Game, LastOfType, Material, Piece, PieceType};
use thiserror::Error;

use retrograde_solve as solve;

/// The fewest pieces in a table: one on each side.
pub const FEWEST_PIECES: usize = 2;

/// The errors of planning.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No material has so many pieces.
    #[error(
        "there are no tables of {number} {pieces}; name a number from {FEWEST_PIECES} to {most}",
        number = .0,
        pieces = if *.0 == 1 { "piece" } else { "pieces" },
        most = Material::MOST_PIECES
    )]
    Pieces(usize),
    /// A named material needs no table, because its value is known without one:
    /// two bare kings.
    #[error("{0} needs no table: positions of two bare kings are answered without one")]
    NoTable(String),
    /// A named material has no index.
    #[error("there can be no table of {material}: {source}")]
    Index {
        /// The material.
        material: String,
        /// The reason why it has none.
        source: IndexError,
    },
}

/// The tables to make, each after all that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    game: Game,
    tables: Vec<PlannedTable>,
}

/// A table of a plan, with its cost: as measured once for the endings in `plan/costs.csv`, among
/// them all orthodox ones of up to five men and those of up to four men of all games; for all
/// others as estimated from size, pieces and the most similar endings of the game that were
/// measured. Costs cover all metrics of [`Metric::of`], packed fast.
///
/// [`Metric::of`]: retrograde_probe::Metric::of
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedTable {
    /// The game.
    pub game: Game,
    /// The material, in normal form.
    pub material: Material,
    /// The number of indices of the table, both sides to move together. Some of them stand for no
    /// position.
    pub positions: u64,
    /// The memory in bytes with which it can be made at once: of an ending that was measured,
    /// an eighth more than it took then; of any other an estimate, which it may exceed by a
    /// fifth, but never [`solve::estimate_bytes`].
    pub memory_bytes: u64,
    /// The least memory with which it can be made: see
    /// [`solve::estimate_bytes_in_slices`].
    pub least_memory_bytes: u64,
    /// The size of its files together in bytes.
    pub disk_bytes: u64,
    /// The time in seconds that one thread takes to solve, pack and write the table; of an
    /// ending that was measured, a quarter more than the CPU time of two.
    pub cpu_seconds: f64,
    /// The tables that its moves lead to by captures, promotions and captures en
    /// passant; all earlier in the plan.
    pub needs: Vec<Material>,
}

impl Plan {
    /// The plan for some named materials, for all materials with up to `pieces`
    /// pieces, or for both, and for everything that they need. Every table occurs
    /// once, whichever way round its material was named.
    ///
    /// The order depends only on the game and the materials: fewer pieces first,
    /// then fewer pawns, then by the pieces in the order of material names. If
    /// nothing is named, the plan is empty.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn new(
        game: Game,
        materials: &[Material],
        pieces: Option<usize>,
    ) -> Result<Plan, PlanError> {
        let no_index = |material: &Material| {
            let material = material.name(game);
            |source| PlanError::Index { material, source }
        };
        let mut wanted: Vec<Material> = Vec::new();
        for named in materials {
            let (material, _) = named.normal(game);
            Index::new(game, &material).map_err(no_index(&material))?;
            if game.needs_no_table(&material) {
                return Err(PlanError::NoTable(material.name(game)));
            }
            wanted.push(material);
        }
        if let Some(pieces) = pieces {
            if !(FEWEST_PIECES..=Material::MOST_PIECES).contains(&pieces) {
                return Err(PlanError::Pieces(pieces));
            }
            wanted.extend(self::materials(game, pieces));
        }
        let mut found: BTreeMap<OrderKey, PlannedTable> = BTreeMap::new();
        while let Some(material) = wanted.pop() {
            let key = order_key(&material);
            if found.contains_key(&key) {
                continue;
            }
            let mut needs = solve::successors(game, &material);
            needs.retain(|exit| !game.needs_no_table(exit));
            sort(&mut needs);
            debug_assert!(needs.iter().all(|exit| order_key(exit) < key));
            wanted.extend(&needs);
            let table = PlannedTable::new(game, material, needs).map_err(no_index(&material))?;
            found.insert(key, table);
        }
        Ok(Plan {
            game,
            tables: found.into_values().collect(),
        })
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The tables in the order in which they can be made.
    pub fn tables(&self) -> &[PlannedTable] {
        &self.tables
    }
}

impl Plan {
    /// The materials of which a folder has some table.
    pub fn found_in(&self, folder: &Path) -> Vec<Material> {
        let materials = self.tables.iter().map(|table| table.material);
        let is_there = |material: &Material| {
            let mut metrics = Metric::known(self.game);
            metrics.any(|metric| table_path(folder, self.game, material, metric).exists())
        };
        materials.filter(is_there).collect()
    }
}

impl PlannedTable {
    /// The name of the material, in the letters of the game.
    pub fn name(&self) -> String {
        self.material.name(self.game)
    }

    fn new(
        game: Game,
        material: Material,
        needs: Vec<Material>,
    ) -> Result<PlannedTable, IndexError> {
        let mut table = PlannedTable::by_formula(game, material, needs)?;
        if let Some(measured) = measured::of(game, &material) {
            measured.correct(&mut table);
        } else if let Some(correction) =
            similar::correction(game, &material, measured::endings().iter())
        {
            correction.correct(&mut table);
        }
        Ok(table)
    }

    /// Puts another estimate of the memory in place of that by formula.
    fn set_memory(&mut self, bytes: u64) {
        let in_slices = self.least_memory_bytes < self.memory_bytes;
        self.memory_bytes = bytes;
        self.least_memory_bytes = match in_slices {
            true => self.least_memory_bytes.min(bytes),
            false => bytes,
        };
    }

    /// Plans a table by size and pieces alone.
    fn by_formula(
        game: Game,
        material: Material,
        needs: Vec<Material>,
    ) -> Result<PlannedTable, IndexError> {
        let positions = 2 * Index::new(game, &material)?.len();
        let memory_bytes = solve::estimate_bytes(game, &material)?;
        let in_slices = solve::estimate_bytes_in_slices(game, &material)?;
        Ok(PlannedTable {
            game,
            material,
            positions,
            memory_bytes,
            least_memory_bytes: in_slices.map_or(memory_bytes, |bytes| bytes.min(memory_bytes)),
            disk_bytes: estimate::disk_bytes(positions),
            cpu_seconds: estimate::cpu_seconds(game, &material, positions),
            needs,
        })
    }
}

/// The materials with up to `pieces` pieces and a king on each side that have tables, in normal
/// form and in the order of plans. Above [`Material::MOST_PIECES`] there are no more.
pub fn materials(game: Game, pieces: usize) -> Vec<Material> {
    let pieces = pieces.min(Material::MOST_PIECES);
    let mut list = Vec::new();
    // Each side has one piece and up to `pieces - 2` others.
    let others = pieces.saturating_sub(FEWEST_PIECES);
    let [whites, blacks] = Colour::BOTH.map(|side| sides(game, side, others));
    for white in &whites {
        for black in blacks.iter().filter(|b| white.len() + b.len() <= pieces) {
            let side = |colour, piece_types: &[PieceType]| -> Vec<Piece> {
                piece_types
                    .iter()
                    .map(|&piece_type| Piece::new(colour, piece_type))
                    .collect()
            };
            let pieces = [side(Colour::White, white), side(Colour::Black, black)];
            let material = Material::of(pieces.concat());
            if material.is_normal(game) && !game.needs_no_table(&material) {
                list.push(material);
            }
        }
    }
    sort(&mut list);
    list
}

/// Sorts materials in the order of plans.
pub fn sort(materials: &mut [Material]) {
    materials.sort_by_cached_key(order_key);
}

/// A colour's sides of one to `most + 1` pieces. Each has as many kings as it needs, one where that
/// decides the game, and a piece of the types that may be royal where only some may.
fn sides(game: Game, colour: Colour, most: usize) -> Vec<Vec<PieceType>> {
    let (fewest_kings, most_kings) = game.kings(colour);
    let types = game.piece_types();
    let royal_types = game.royal_types();
    let some_are_royal = !royal_types.is_empty() && royal_types.len() < types.len();
    let king_decides = game.one_of_type(PieceType::King, 1) != LastOfType::Free;
    let needs_king = most_kings > 0
        && types.contains(&PieceType::King)
        && (fewest_kings > 0 || king_decides && !some_are_royal);
    let mut sides = match needs_king {
        true => vec![vec![PieceType::King; fewest_kings.max(1)]],
        false => vec![Vec::new()],
    };
    for &piece_type in types {
        // The sides so far, each with 0, 1, ... of this piece type added.
        sides = sides
            .into_iter()
            .flat_map(|side| {
                let room = (most + 1).saturating_sub(side.len());
                let room = match piece_type {
                    PieceType::King => room.min(most_kings.saturating_sub(side.len())),
                    _ => room,
                };
                (0..=room).map(move |count| [side.clone(), vec![piece_type; count]].concat())
            })
            .collect();
    }
    let has_royal = |side: &[PieceType]| royal_types.iter().any(|royal| side.contains(royal));
    sides.retain(|side| !side.is_empty() && (!some_are_royal || has_royal(side)));
    sides
}

/// The key by which plans are sorted.
type OrderKey = (usize, usize, Reverse<usize>, Vec<Piece>);

/// A material's place in plans. Captures leave fewer pieces and promotions fewer
/// pawns, so whatever a material needs has a smaller key.
fn order_key(material: &Material) -> OrderKey {
    let pawns = Colour::BOTH.map(|colour| material.count(Piece::new(colour, PieceType::Pawn)));
    (
        material.len(),
        pawns.iter().sum(),
        Reverse(material.side_len(Colour::White)),
        material.pieces().collect(),
    )
}
