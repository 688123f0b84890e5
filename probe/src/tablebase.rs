//! Gives users of the library the tables of one game, to probe positions, moves and lines.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_index::{Helpmate, Metric, Wdl};
use retrograde_rules::Colour;
use retrograde_rules::{Game, History, Material, Position};

#[cfg(doc)]
use crate::Unsupported;
use crate::answers::{self, Answer, Line, MoveAnswer};
use crate::error::{ProbeError, TableError};
use crate::format::{Access, Statistics, Table, Unchanging};
use crate::lookup::vitality::VitalityAnswer;
use crate::lookup::{self, range};
#[cfg(feature = "remote")]
use crate::remote::Fetch;
use crate::store::{Squares, Store};
use crate::value::{Dtm, Dtz, Value};

/// The tables of one game.
///
/// Opening it looks at the names of files only; a table is opened when it is
/// first needed. It can be shared among threads, and after a table's first
/// use no thread waits for another. No bytes whatever in the files make it
/// panic.
pub struct Tablebase {
    pub(crate) store: Store,
}

impl Tablebase {
    /// The tables in some folders; what is in an earlier folder is preferred. With the feature
    /// `http`, a folder may be the address of one on a web server, such as
    /// `https://example.org/tables`. Files that appear later are not noticed. Every table that was
    /// asked for keeps its file open; should that be changed or cut, it is an error when it is met.
    ///
    /// # Errors
    /// A folder cannot be read. One that does not exist is taken as empty.
    pub fn open<P: AsRef<Path>>(
        game: Game,
        folders: impl IntoIterator<Item = P>,
    ) -> Result<Tablebase, TableError> {
        Tablebase::open_except(game, folders, |_| false)
    }

    /// Opens tables without some files, which are as if they were not there: those that have been
    /// found to be damaged, for example. Their paths begin with that of a folder as it is given.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    pub fn open_except<P: AsRef<Path>>(
        game: Game,
        folders: impl IntoIterator<Item = P>,
        is_left_out: impl Fn(&Path) -> bool,
    ) -> Result<Tablebase, TableError> {
        let folders = folders.into_iter().map(|folder| folder.as_ref().to_owned());
        Tablebase::open_by(game, folders.collect(), Access::Read, is_left_out)
    }

    /// Opens tables that are mapped into memory: they take no file
    /// handles, and blocks are not copied before they are unpacked.
    ///
    /// # Safety
    /// That of [`Table::open_mapped`], for all tables of the game in the
    /// folders: as long as the tablebase lives, nobody may change them or cut
    /// them off.
    ///
    /// # Errors
    /// As [`Tablebase::open`].
    #[expect(unsafe_code, reason = "a map is only as good as its file")]
    pub unsafe fn open_mapped<P: AsRef<Path>>(
        game: Game,
        folders: impl IntoIterator<Item = P>,
    ) -> Result<Tablebase, TableError> {
        let folders = folders.into_iter().map(|folder| folder.as_ref().to_owned());
        // SAFETY: the caller promises it.
        let promise = unsafe { Unchanging::promised() };
        Tablebase::open_by(game, folders.collect(), Access::Map(promise), |_| false)
    }

    fn open_by(
        game: Game,
        folders: Vec<PathBuf>,
        access: Access,
        is_left_out: impl Fn(&Path) -> bool,
    ) -> Result<Tablebase, TableError> {
        let mut store = Store::new(game, access);
        for folder in &folders {
            store.add_folder(folder, &is_left_out)?;
        }
        Ok(Tablebase { store })
    }

    /// The tables at an address that begins with `http://` or `https://`, parts of which are
    /// fetched in a way of the caller's. With the feature `http`, [`Tablebase::open`] takes
    /// addresses like folders.
    #[cfg(feature = "remote")]
    pub fn open_remote(game: Game, address: &str, fetch: Arc<dyn Fetch>) -> Tablebase {
        let mut tables = Tablebase::empty(game);
        tables.store.add_remote(Path::new(address), &fetch);
        tables
    }

    /// A tablebase without tables: see [`Tablebase::add`].
    pub fn empty(game: Game) -> Tablebase {
        Tablebase {
            store: Store::new(game, Access::Read),
        }
    }

    /// Tables that are open already, in memory for example
    /// ([`Table::from_bytes`]).
    ///
    /// # Errors
    /// A table is of another game.
    pub fn from_tables(
        game: Game,
        tables: impl IntoIterator<Item = Table>,
    ) -> Result<Tablebase, TableError> {
        let mut all = Tablebase::empty(game);
        tables.into_iter().try_for_each(|table| all.add(table))?;
        Ok(all)
    }

    /// Adds a table that is open already. Where there is one of the same material and
    /// metric, that one counts, unless it is at an address.
    ///
    /// # Errors
    /// The table is of another game.
    pub fn add(&mut self, table: Table) -> Result<(), TableError> {
        self.store.add_table(table)
    }

    /// Reads the tables as made with a fifty-move rule of another number of plies (see
    /// [`Game::zeroing_limit`]). The files do not say which: this is for tests.
    #[must_use]
    pub fn with_zeroing_limit(mut self, limit: u32) -> Tablebase {
        self.store.limit = Some(limit);
        self
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.store.game()
    }

    /// The materials and metrics that there are tables of, those of fewer pieces
    /// first, then by their names.
    pub fn tables(&self) -> impl Iterator<Item = (Material, Metric)> + use<> {
        let game = self.game();
        let mut all: Vec<_> = self.store.list().collect();
        all.sort_by_cached_key(|(material, metric)| (material.len(), material.name(game), *metric));
        all.into_iter()
    }

    /// The table of a material, which is brought into normal form; `None` if
    /// there is no such table.
    ///
    /// # Errors
    /// [`ProbeError::Table`].
    pub fn table(&self, material: &Material, metric: Metric) -> Result<Option<&Table>, ProbeError> {
        self.store.table(material, metric)
    }

    /// The statistics that the table of a material keeps, which is brought into normal form;
    /// `None` if there is no such table or it keeps none.
    ///
    /// # Errors
    /// [`ProbeError::Table`].
    pub fn statistics(
        &self,
        material: &Material,
        metric: Metric,
    ) -> Result<Option<Statistics>, ProbeError> {
        let Some(table) = self.store.table(material, metric)? else {
            return Ok(None);
        };
        let statistics = table.statistics();
        statistics.map_err(|error| {
            self.store
                .table_error(&table.header().material, Arc::new(error))
        })
    }

    /// A place in the order in which values are stored: positions that are near each
    /// other in it are likely to be in one block. To look up many positions, sort
    /// them by this. `None` if the order does not matter, because the value is read
    /// without unpacking others, and if there is no table of the metric for the
    /// position, or it cannot be opened.
    pub fn place(&self, position: &Position, metric: Metric) -> Option<(u64, u64)> {
        let entry = self.store.entry(&position.material())?;
        let table = self.store.open(entry, metric)?.ok()?;
        let (index, _) = lookup::index_of(table, position, entry, &mut Squares::default())?;
        let turn = entry.turn(position.turn());
        let place = (table.id() << 1 | turn.index() as u64, index);
        (!table.is_at_hand(turn, index)).then_some(place)
    }

    /// The error that there is no table of some material, or none of this metric.
    pub fn missing(&self, material: &Material, metric: Option<Metric>) -> ProbeError {
        self.store.missing(material, metric)
    }

    /// The value of a position by the tables, and nothing else, which is all
    /// that most programs need.
    ///
    /// A position with an e.p. right gets its exact value from its successors
    /// (O2). The half-move clock is taken as 0 (O4). What the moves of a position without a table
    /// tell is left to [`Tablebase::probe`] and [`Tablebase::wdl`].
    ///
    /// # Errors
    /// See [`ProbeError`]. Without a WDL table, the other tables do not tell
    /// whether the fifty-move rule turns some long wins into draws: then it is
    /// [`ProbeError::Missing`].
    pub fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        answers::checked_value(&self.store, position)
    }

    /// The result for the side to move, at the position's half-move clock (O7).
    ///
    /// This reads a table of [`Metric::Wdl`] alone, in games with vitality one of
    /// [`Metric::Thresholds`]. Under the fifty-move rule it takes
    /// [`Metric::Dtz`] too if the clock is not at 0 or a value has to be found
    /// among the successors, as with an e.p. right (O2). Where no table of the position tells,
    /// its moves may, as in [`Tablebase::probe`]; so it is with [`Tablebase::dtm`] and
    /// [`Tablebase::dtz`].
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        answers::wdl(&self.store, position)
    }

    /// Depth to mate, or to how the game ends otherwise; `None` for a draw. The
    /// fifty-move rule is left out of account (O4). Reads tables of
    /// [`Metric::Dtm`], and what those that are packed small depend on.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`Unsupported::Metric`] in games with vitality, which have no
    /// such tables.
    pub fn dtm(&self, position: &Position) -> Result<Option<Dtm>, ProbeError> {
        answers::dtm(&self.store, position)
    }

    /// [`Tablebase::dtm`] as a signed number: negative for a loss; 0 for a draw and
    /// where the game has ended.
    ///
    /// # Errors
    /// As [`Tablebase::dtm`].
    pub fn signed_dtm(&self, position: &Position) -> Result<i32, ProbeError> {
        answers::signed_dtm(&self.store, position)
    }

    /// Depth to zeroing, with the half-move clock at 0; `None` for a draw. A
    /// table of [`Metric::Dtz`] says nothing about draws, so this reads one of
    /// [`Metric::Wdl`] as well.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`Unsupported::Metric`] in games without the
    /// fifty-move rule.
    pub fn dtz(&self, position: &Position) -> Result<Option<Dtz>, ProbeError> {
        answers::dtz(&self.store, position)
    }

    /// [`Tablebase::dtz`] as a signed number: see [`Dtz::signed`]; 0 for a draw. Whether
    /// the result is cursed is that at the position's half-move clock.
    ///
    /// # Errors
    /// As [`Tablebase::dtz`].
    pub fn signed_dtz(&self, position: &Position) -> Result<i32, ProbeError> {
        answers::signed_dtz(&self.store, position)
    }

    /// The answer of rules and tables about a position, except its moves. Where no table has the
    /// position, its moves may settle who wins ([`Answer::by_moves`]).
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn probe(&self, position: &Position) -> Result<Answer, ProbeError> {
        answers::probe(&self.store, position)
    }

    /// Looks up many positions: who wins in each, in their order, with the half-move clock at 0,
    /// and the distances of these metrics. No tables of other metrics are asked, apart from WDL.
    /// Where tables are packed small this takes less time than one position after the other.
    ///
    /// # Errors
    /// Those of [`Tablebase::wdl`], for each position. A distance that cannot be had because a
    /// table is missing is left out.
    pub fn probe_batch(
        &self,
        positions: &[Position],
        metrics: &[Metric],
    ) -> Vec<Result<Value, ProbeError>> {
        answers::probe_batch(&self.store, positions, metrics)
    }

    /// The sides that can be mated from a position by some series of legal moves of both (O5). The
    /// rules know it where the pieces alone make the position dead, and where the game has ended;
    /// else this reads tables of [`Metric::Helpmate`] alone, with an e.p. right (O2) also those of
    /// the materials that a capture en passant leads to. `None` where no table tells: there is none
    /// of the material, the game has none at all, or there are castling rights (O1).
    ///
    /// # Errors
    /// The position is of another game; a table is damaged, or is not what its name says.
    pub fn helpmate(&self, position: &Position) -> Result<Option<Helpmate>, ProbeError> {
        lookup::helpmate(&self.store, position)
    }

    /// The answer to the placement of a position with vitality, with its
    /// e.p. right if it has one that counts; its counters do not matter. This takes a
    /// table of [`Metric::Thresholds`]; without one of [`Metric::Mates`] it says less.
    ///
    /// With such a right all follows from the successors.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::Unsupported`] in other games.
    pub fn vitality(&self, position: &Position) -> Result<VitalityAnswer, ProbeError> {
        lookup::vitality::vitality(&self.store, position)
    }

    /// The legal moves with their values, the best first: by category, wins by smaller and losses
    /// by larger depth, then by UCI text. With vitality, wins by mate come before wins by
    /// exhaustion; then what the winner has to spare decides. Moves to positions whose table is
    /// missing, or that no table has, come last, without a value.
    ///
    /// # Errors
    /// [`ProbeError`], but not for missing tables.
    pub fn moves(&self, position: &Position) -> Result<Vec<MoveAnswer>, ProbeError> {
        answers::ranked_moves(&self.store, position)
    }

    /// Best play to the end: always the first of [`Tablebase::moves`]. So the
    /// category comes before the depth, and the line may be longer than that
    /// (O7). Empty for a draw.
    ///
    /// # Errors
    /// See [`ProbeError`]: it takes tables that say the depth.
    /// [`ProbeError::Contradiction`] if the best move is not as good as the value
    /// of its position.
    pub fn line(&self, position: &Position) -> Result<Line, ProbeError> {
        answers::best_line(&self.store, position)
    }

    /// The answer of rules and tables about the current position of a game, as by
    /// [`Tablebase::probe`], but by moves that know the game so far. The third occurrence of a
    /// position is a draw.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn probe_in_game(&self, game: &History) -> Result<Answer, ProbeError> {
        answers::probe_in_game(&self.store, game)
    }

    /// The legal moves of the current position of a game, like [`Tablebase::moves`], with
    /// values that know the game so far: a move after which a position has occurred three
    /// times is a draw, and so is one that lets the other side reach such a position instead
    /// of losing. Where distances depend on the game so far they are left out; such moves come
    /// behind others of their category.
    ///
    /// # Errors
    /// As [`Tablebase::moves`].
    pub fn moves_in_game(&self, game: &History) -> Result<Vec<MoveAnswer>, ProbeError> {
        answers::moves_in_game(&self.store, game)
    }

    /// Reads the values of the indices from `first` on in a table, as many as `values`
    /// has room for, for a side to move, even if the table does not store it. If the table
    /// depends on no other, this is [`Table::read`].
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn read_range(
        &self,
        table: &Table,
        turn: Colour,
        first: u64,
        values: &mut [i16],
    ) -> Result<(), ProbeError> {
        range::read_some(&self.store, table, turn, first, values, |_| true)
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("game", &self.game().id())
            .field("folders", &self.store.folders())
            .field("tables", &self.tables().count())
            .finish_non_exhaustive()
    }
}
