//! Builds the native module of the Python package `retrograde`.
//!
//! Everything here is thin: it turns what Python gives into positions, asks the
//! libraries, and turns what they say into Python's types. Long work is done
//! without the interpreter's lock.
#![cfg(feature = "extension")]

mod arguments;
mod array;
mod batch;
mod command;
mod errors;
mod folders;
mod fork;
mod games;
mod generate;
mod plan;
mod position;
mod results;
mod rows;
mod signals;
mod table;
mod tablebase;
mod values;

use pyo3::prelude::*;

/// Endgame tablebases for chess and its variants: the native part.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::command::run;
    #[pymodule_export]
    use super::fork::after_fork;
    #[pymodule_export]
    use super::games::games;
    #[pymodule_export]
    use super::generate::generate;
    #[pymodule_export]
    use super::plan::plan;
    #[pymodule_export]
    use super::results::{afters, bytes, san};
    #[pymodule_export]
    use super::rows::PyPositions;
    #[pymodule_export]
    use super::table::PyTable;
    #[pymodule_export]
    use super::tablebase::{PyTablebase, open_tablebase, set_memory_limit};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
