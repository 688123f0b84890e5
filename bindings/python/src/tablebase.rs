//! Gives Python the class `Tablebase`, which probes the tables of one game in some folders.

mod state;

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::types::PyList;
use retrograde_probe::ProbeError;
use retrograde_probe::object::{Include, LineObject, MoveObject};
use retrograde_rules::{Game, Material};
use serde_json::to_string;

use crate::arguments;
use crate::batch::probe_many;
use crate::errors::{Trouble, advised, material_error};
use crate::folders::{absolute, add_folder, table_folder};
use crate::position::{after, read, read_at_clock_0};
use crate::results::{answer, origin, parsed, pickled_game, result};
use crate::table::PyTable;
use crate::values::{or_default, probe_dtm, probe_dtz, probe_wdl};
use state::{State, open};

/// The tables of one game. Open it with `open_tablebase`; it closes itself at the end of
/// a `with` block.
///
/// Positions are FENs, or boards of python-chess. Any number of threads may ask at once,
/// and a tablebase survives a fork and can be pickled.
#[pyclass(name = "Tablebase", module = "retrograde", frozen, weakref)]
pub(crate) struct PyTablebase {
    game: Game,
    state: RwLock<State>,
}

/// Opens the tables of a game in a folder, or in several.
///
/// Without `paths` it is the folders in the environment variable RETROGRADE_TABLES, else
/// `tables`. `game` is a game's id, with its rule options after a colon, or the path or the text
/// of a definition, or the name of one in the folders `games`, else in those of the environment
/// variable RETROGRADE_GAMES. Files are opened when they are first needed; those that appear later are not noticed. `load_wdl`, `load_dtz`
/// and `max_fds` are there for programs written for `chess.syzygy`, and change nothing.
///
/// >>> import retrograde
/// >>> with retrograde.open_tablebase("tables") as tablebase:
/// ...     tablebase.probe_wdl("8/8/8/3k4/8/8/8/KQ6 w - -")
/// 2
/// >>> retrograde.open_tablebase("tables", game="high-chess")
/// <Tablebase of high-chess, 22 tables in tables>
#[pyfunction]
#[pyo3(signature = (
    paths=None, game="orthodox".to_owned(), *, games=None, load_wdl=true, load_dtz=true,
    max_fds=None
))]
pub(crate) fn open_tablebase(
    py: Python<'_>,
    paths: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::game)] game: String,
    #[pyo3(from_py_with = arguments::games)] games: Option<Vec<PathBuf>>,
    load_wdl: bool,
    load_dtz: bool,
    max_fds: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyTablebase> {
    // Accepted for the sake of programs that are used to other tables: files are
    // opened when they are needed, whatever these say.
    let _ = (load_wdl, load_dtz, max_fds);
    PyTablebase::open(py, &game, games, paths)
}

/// Sets how many bytes of tables that were read stay in memory, all tablebases of the process
/// together; 1 GiB unless this is called. The rest is read again whenever it is asked for.
/// What is there already stays there.
#[pyfunction]
pub(crate) fn set_memory_limit(#[pyo3(from_py_with = arguments::bytes)] bytes: u64) {
    retrograde_probe::set_memory_limit(bytes);
}

/// The parts from which Python's pickle makes an object anew: a class, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (Vec<PathBuf>, String));

impl PyTablebase {
    fn wdl(&self, given: &Bound<'_, PyAny>) -> Result<i8, Trouble> {
        let position = read_at_clock_0(self.game, given)?;
        self.ask(|tables| Ok(probe_wdl(tables, &position)?.number()))
    }

    fn dtz(&self, given: &Bound<'_, PyAny>) -> Result<i32, Trouble> {
        let position = read_at_clock_0(self.game, given)?;
        self.ask(|tables| probe_dtz(tables, &position))
    }

    fn dtm(&self, given: &Bound<'_, PyAny>) -> Result<i32, Trouble> {
        let position = read_at_clock_0(self.game, given)?;
        self.ask(|tables| probe_dtm(tables, &position))
    }
}

#[pymethods]
impl PyTablebase {
    #[new]
    #[pyo3(signature = (paths=None, game="orthodox".to_owned(), *, games=None))]
    fn new(
        py: Python<'_>,
        paths: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::game)] game: String,
        #[pyo3(from_py_with = arguments::games)] games: Option<Vec<PathBuf>>,
    ) -> PyResult<PyTablebase> {
        PyTablebase::open(py, &game, games, paths)
    }

    /// The id of the game with its options.
    #[getter(game)]
    fn game_id(&self) -> String {
        self.game.id()
    }

    /// The table folders, in the order in which they are searched.
    #[getter]
    fn paths(&self) -> Vec<PathBuf> {
        self.folders()
    }

    /// Whether the tablebase has been closed.
    #[getter]
    fn closed(&self) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.tables.is_none()
    }

    /// The result for the side to move: 2 win, 1 cursed win, 0 draw, -1 blessed loss, -2 loss.
    ///
    /// The half-move clock is taken as 0, as in `chess.syzygy`; `probe` and the library
    /// for C heed it. Where the game has ended, where the pieces alone make it a draw, and
    /// where moves that are known settle it, no table of the position is needed; otherwise a
    /// missing table is a `MissingTableError`, and castling rights or too many pieces are
    /// an `UnsupportedPositionError`, both of them `KeyError`.
    ///
    /// >>> tablebase = retrograde.open_tablebase("tables")
    /// >>> tablebase.probe_wdl("8/8/8/3k4/8/8/8/KQ6 b - -")
    /// -2
    /// >>> tablebase.probe_wdl("8/8/8/3k3r/8/8/8/KQR5 w - -")
    /// Traceback (most recent call last):
    /// ...
    /// retrograde._errors.MissingTableError: the table KQRvKR of orthodox is missing ...
    fn probe_wdl(&self, position: &Bound<'_, PyAny>) -> PyResult<i8> {
        Ok(self.wdl(position)?)
    }

    /// `probe_wdl`, or the default if there is no such table.
    ///
    /// >>> tablebase = retrograde.open_tablebase("tables")
    /// >>> tablebase.get_wdl("8/8/8/3k3r/8/8/8/KQR5 w - -", default="?")
    /// '?'
    #[pyo3(signature = (position, default=None))]
    fn get_wdl<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_default(position.py(), self.wdl(position), default)
    }

    /// Plies to the next capture, pawn move or mate, negative for a loss, 100 more
    /// for cursed results, 0 for a draw, -1 if mated.
    ///
    /// The half-move clock is taken as 0. A draw takes the WDL table alone; what is raised
    /// is as with `probe_wdl`.
    ///
    /// >>> retrograde.open_tablebase("tables").probe_dtz("8/8/8/8/4P3/8/3K4/k7 w - -")
    /// 1
    fn probe_dtz(&self, position: &Bound<'_, PyAny>) -> PyResult<i32> {
        Ok(self.dtz(position)?)
    }

    /// `probe_dtz`, or the default if there is no such table.
    #[pyo3(signature = (position, default=None))]
    fn get_dtz<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_default(position.py(), self.dtz(position), default)
    }

    /// Plies to the end of the game, negative for a loss, 0 for a draw and where
    /// the game has ended. The fifty-move rule is left out of account.
    ///
    /// This takes the DTM table alone; what is raised is as with `probe_wdl`.
    ///
    /// >>> retrograde.open_tablebase("tables").probe_dtm("8/8/8/3k4/8/8/8/KQ6 b - -")
    /// -18
    fn probe_dtm(&self, position: &Bound<'_, PyAny>) -> PyResult<i32> {
        Ok(self.dtm(position)?)
    }

    /// `probe_dtm`, or the default if there is no such table.
    #[pyo3(signature = (position, default=None))]
    fn get_dtm<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        or_default(position.py(), self.dtm(position), default)
    }

    /// The answer about a position, with the half-move clock taken into account.
    ///
    /// Where no table has the answer the category is `unknown`, `error` says why, and
    /// what the rules alone know is there.
    ///
    /// >>> tablebase = retrograde.open_tablebase("tables")
    /// >>> tablebase.probe("8/8/8/3k4/8/8/8/KQ6 w - - 90 120")
    /// <Answer "8/8/8/3k4/8/8/8/KQ6 w - - 90 120": cursed-win, depth 17 plies, DTZ 17>
    #[pyo3(signature = (position, *, moves=false, line=false))]
    fn probe<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        moves: bool,
        line: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = position.py();
        let position = read(self.game, position)?;
        let tables = self.tables()?;
        let include = Include { moves, line };
        let object = py.detach(|| tables.answer_object(&position, include, advised));
        answer(py, &position, &object.map_err(Trouble::from)?)
    }

    /// The legal moves with what they lead to, best first.
    ///
    /// >>> for move in retrograde.open_tablebase("tables").moves("8/8/8/8/8/k7/p7/K7 b - -"):
    /// ...     print(move.san, move.category)
    /// Ka4 draw
    /// Kb3 draw
    /// Kb4 draw
    fn moves<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = position.py();
        let position = read(self.game, position)?;
        let tables = self.tables()?;
        let moves = py.detach(|| {
            let moves = tables.moves(&position)?;
            let moves = moves.iter().map(|mv| MoveObject::new(&position, mv));
            Ok::<Vec<_>, ProbeError>(moves.collect())
        });
        let moves = to_string(&moves.map_err(Trouble::from)?);
        result(py, "_moves", (origin(&position), parsed(py, moves)?))
    }

    /// Best play to the end.
    ///
    /// >>> line = retrograde.open_tablebase("tables").line("k7/8/2K5/8/8/8/8/7R w - -")
    /// >>> line.moves, line.end
    /// (['c6b6', 'a8b8', 'h1h8'], 'checkmate')
    fn line<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = position.py();
        let position = read(self.game, position)?;
        let tables = self.tables()?;
        let line = py.detach(|| tables.line(&position));
        let line = LineObject::new(&position, &line.map_err(Trouble::from)?);
        let line = parsed(py, to_string(&line))?;
        result(py, "Line", (origin(&position), line))
    }

    /// The answer about a position that no table has, as far as a search down to the tables or to
    /// the end proves it: within so many plies, seconds and nodes, at least one of them. Without
    /// `plies` it ends when it is known who wins. What `retrograde probe --search --json` adds is in
    /// `as_dict()`. It runs in a process of its own.
    ///
    /// >>> tablebase = retrograde.open_tablebase("tables")
    /// >>> tablebase.search("7k/8/5KQ1/8/8/8/6Q1/8 w - -", plies=3, line=True).line
    /// <Line g2a8 (checkmate)>
    #[pyo3(signature = (position, *, plies=None, seconds=None, nodes=None, moves=false, line=false))]
    fn search<'py>(
        &self,
        position: &Bound<'py, PyAny>,
        plies: Option<u16>,
        seconds: Option<f64>,
        nodes: Option<u64>,
        moves: bool,
        line: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = position.py();
        let origin = origin(&read(self.game, position)?);
        let limits = (plies, seconds, nodes);
        let command = py.import("retrograde._command")?.getattr("search")?;
        command.call1((origin, self.folders(), limits, moves, line))
    }

    /// The legal moves of a position in UCI's long form, in alphabetical order. No table is
    /// needed.
    ///
    /// >>> retrograde.open_tablebase("tables").legal_moves("8/8/8/8/8/k7/p7/K7 b - -")
    /// ['a3a4', 'a3b3', 'a3b4']
    fn legal_moves(&self, position: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let position = read(self.game, position)?;
        let moves = position.legal_moves();
        let mut moves: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
        moves.sort_unstable();
        Ok(moves)
    }

    /// The FEN of the position after a legal move, which is given in UCI's long form. No
    /// table is needed.
    ///
    /// >>> retrograde.open_tablebase("tables").play("8/8/8/8/8/k7/p7/K7 b - -", "a3b3")
    /// '8/8/8/8/8/1k6/p7/K7 w - - 1 2'
    fn play(
        &self,
        position: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::uci)] uci: &str,
    ) -> PyResult<String> {
        after(&read(self.game, position)?, uci)
    }

    /// The values of many positions as arrays of numpy. All processors are used, and the
    /// interpreter is free meanwhile.
    ///
    /// `metrics` are those that are wanted beside the result: `"dtm"`, `"dtz"`, in High
    /// Chess `"thresholds"`, which are there unless only others are named. A position
    /// without an answer has -128, its distances -32768, and its exception is in `errors`.
    ///
    /// >>> tablebase = retrograde.open_tablebase("tables")
    /// >>> fens = ["8/8/8/3k4/8/8/8/KQ6 w - -", "8/8/8/3k4/8/8/8/KQ6 b - -", "?"]
    /// >>> batch = tablebase.probe_many(fens, ["dtm"])
    /// >>> batch.wdl.tolist(), batch.dtm.tolist()
    /// ([2, -2, -128], [17, -18, -32768])
    /// >>> list(batch.errors)
    /// [2]
    #[pyo3(signature = (positions, metrics=None))]
    fn probe_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        metrics: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        probe_many(&*self.tables()?, positions, metrics)
    }

    /// The table of a material, for reading it whole. It stays open when the tablebase is
    /// closed.
    ///
    /// >>> retrograde.open_tablebase("tables").table("KPK")
    /// <Table of orthodox KPvK: wdl, dtm, dtz; 86688 indices>
    fn table(
        &self,
        #[pyo3(from_py_with = arguments::material)] material: &str,
    ) -> PyResult<PyTable> {
        let parsed = Material::parse(self.game, material).map_err(|e| material_error(&e))?;
        PyTable::open(self.tables()?, &parsed)
    }

    /// The materials that there are tables of, each with its metrics.
    fn list_tables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let tables = self.tables()?;
        let mut rows: Vec<(String, Vec<&'static str>)> = Vec::new();
        for (material, metric) in tables.tables() {
            let name = material.name(self.game);
            match rows.last_mut() {
                Some((last, metrics)) if *last == name => metrics.push(metric.name()),
                _ => rows.push((name, vec![metric.name()])),
            }
        }
        PyList::new(py, rows)
    }

    /// Adds a table folder, and returns how many files that adds. One that was added before
    /// is looked through again. Threads may add folders at the same time.
    fn add_directory(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::path)] path: PathBuf,
    ) -> PyResult<usize> {
        loop {
            let before = self.tables()?;
            let mut folders = self.folders();
            add_folder(&mut folders, table_folder(self.game, path.clone())?);
            let tables = Arc::new(py.detach(|| open(self.game, &folders))?);
            let added = tables.tables().count();
            let added = added.saturating_sub(before.tables().count());
            // Another thread may have added a folder meanwhile, which is not to be lost.
            if self.replace(&before, folders, tables)? {
                return Ok(added);
            }
        }
    }

    /// Closes all files. What is asked afterwards is a `ValueError`.
    fn close(&self) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        state.tables = None;
    }

    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        match slf.get().closed() {
            true => Err(Trouble::Closed.into()),
            false => Ok(slf),
        }
    }

    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        self.close();
    }

    /// Tablebases can be sent to other processes, which open them for themselves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        if self.closed() {
            return Err(Trouble::Closed.into());
        }
        let class = py.get_type::<PyTablebase>().into_any();
        let folders = self.folders().into_iter().map(absolute).collect();
        Ok((class, (folders, pickled_game(self.game))))
    }

    fn __repr__(&self) -> PyResult<String> {
        if self.closed() {
            return Ok(format!("<Tablebase of {}, closed>", self.game));
        }
        let count = self.tables()?.tables().count();
        let folders = self.folders();
        let names: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
        let names = names.join(", ");
        let word = if count == 1 { "table" } else { "tables" };
        Ok(format!(
            "<Tablebase of {}, {count} {word} in {names}>",
            self.game
        ))
    }
}
