//! Lists the tables that there are to make, with their estimated costs, for Python's `plan`.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use retrograde_make::plan::{Plan, PlannedTable};
use retrograde_probe::default_folders;
use retrograde_rules::{Game, Material};

use crate::arguments;
use crate::errors::{find_game, material_error};
use crate::results::result;

/// The fields of a `PlannedTable`, in their order.
#[derive(IntoPyObject)]
struct Fields {
    game: String,
    material: String,
    positions: u64,
    memory_bytes: u64,
    least_memory_bytes: u64,
    disk_bytes: u64,
    cpu_seconds: f64,
    needs: Vec<String>,
}

impl Fields {
    fn new(game: Game, table: &PlannedTable) -> Fields {
        Fields {
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
pub(crate) fn plan<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arguments::game)] game: String,
    materials: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::men)] men: Option<usize>,
    #[pyo3(from_py_with = arguments::games)] games: Option<Vec<PathBuf>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let game = find_game(&game, games, default_folders())?;
    let plan = read_plan(game, materials, men)?;
    let table = |table| result(py, "PlannedTable", (Fields::new(game, table),));
    plan.tables().iter().map(table).collect()
}
