//! `plan`: which tables there are to make, and what they cost.

use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use retrograde_make::plan::{Plan, PlannedTable};
use retrograde_probe::default_folders;
use retrograde_rules::{Game, Material};

use crate::arguments;
use crate::errors::{find_game, material_error};
use crate::pickle::{Reduced, reduced};

/// A table to make, with estimates of its cost.
///
/// Such tables can be compared, hashed, copied and pickled.
#[pyclass(
    name = "PlannedTable",
    module = "retrograde",
    frozen,
    get_all,
    eq,
    hash
)]
#[derive(PartialEq)]
pub(crate) struct PyPlannedTable {
    /// The id of the game with its options.
    game: String,
    /// The material in normal form.
    material: String,
    /// How many indices it has, for both sides to move together.
    positions: u64,
    /// The memory that it takes.
    memory_bytes: u64,
    /// The memory that suffices if it may take longer.
    least_memory_bytes: u64,
    /// The size of its files, packed fast.
    disk_bytes: u64,
    /// The time that it takes, of all processors together.
    cpu_seconds: f64,
    /// The materials of the tables that it is made from.
    needs: Vec<String>,
}

/// The fields, in their order.
pub(crate) type Fields = (String, String, u64, u64, u64, u64, f64, Vec<String>);

impl Hash for PyPlannedTable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.game, &self.material, self.positions, &self.needs).hash(state);
    }
}

impl PyPlannedTable {
    fn new(game: Game, table: &PlannedTable) -> PyPlannedTable {
        PyPlannedTable {
            game: game.id(),
            material: table.material.name(game),
            positions: table.positions,
            memory_bytes: table.memory_bytes,
            least_memory_bytes: table.least_memory_bytes,
            disk_bytes: table.disk_bytes,
            cpu_seconds: table.cpu_seconds,
            needs: table.needs.iter().map(|need| need.name(game)).collect(),
        }
    }
}

impl From<Fields> for PyPlannedTable {
    fn from(fields: Fields) -> PyPlannedTable {
        let (game, material, positions, memory_bytes, least_memory_bytes, ..) = fields;
        let (.., disk_bytes, cpu_seconds, needs) = fields;
        PyPlannedTable {
            game,
            material,
            positions,
            memory_bytes,
            least_memory_bytes,
            disk_bytes,
            cpu_seconds,
            needs,
        }
    }
}

#[pymethods]
impl PyPlannedTable {
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Fields,)> {
        let fields = (
            self.game.clone(),
            self.material.clone(),
            self.positions,
            self.memory_bytes,
            self.least_memory_bytes,
            self.disk_bytes,
            self.cpu_seconds,
            self.needs.clone(),
        );
        reduced(py, "_planned_table", (fields,))
    }

    fn __repr__(&self) -> String {
        let needs = match self.needs.as_slice() {
            [] => String::new(),
            needs => format!(", needs {}", needs.join(" ")),
        };
        let (material, positions) = (&self.material, self.positions);
        format!("<PlannedTable {material}, {positions} positions{needs}>")
    }
}

/// The plan for the named materials, one or several, or for all of up to `men` pieces.
pub(crate) fn read_plan(
    game: Game,
    materials: Option<&Bound<'_, PyAny>>,
    men: Option<usize>,
) -> PyResult<Plan> {
    let names = arguments::materials(materials)?;
    if names.is_empty() && men.is_none() {
        let text = "name materials, such as [\"KQvKR\"], or a number of men, such as men=4";
        return Err(PyValueError::new_err(text));
    }
    let parsed = names.iter().map(|name| Material::parse(game, name));
    let parsed: Vec<Material> = parsed
        .collect::<Result<_, _>>()
        .map_err(|error| material_error(&error))?;
    Plan::new(game, &parsed, men).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The tables to make, each after all that it needs; makes nothing.
///
/// >>> for table in retrograde.plan("orthodox", ["KQvKR"]):
/// ...     print(table.material, table.positions, table.needs)
/// KQvK 59136 []
/// KRvK 59136 []
/// KQvKR 3784704 ['KQvK', 'KRvK']
#[pyfunction]
#[pyo3(signature = (game, materials=None, *, men=None, games=None))]
pub(crate) fn plan(
    #[pyo3(from_py_with = arguments::game)] game: String,
    materials: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::men)] men: Option<usize>,
    #[pyo3(from_py_with = arguments::games)] games: Option<Vec<PathBuf>>,
) -> PyResult<Vec<PyPlannedTable>> {
    let game = find_game(&game, games, default_folders())?;
    let plan = read_plan(game, materials, men)?;
    let tables = plan.tables().iter();
    Ok(tables
        .map(|table| PyPlannedTable::new(game, table))
        .collect())
}
