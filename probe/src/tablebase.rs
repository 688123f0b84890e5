//! The tables of a game: where they are, and where the value of a position stands in them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_index::Metric;
use retrograde_rules::{Game, Material, Position};

use crate::error::{ProbeError, TableError, Unsupported};
use crate::format::{Access, Statistics, Table, Unchanging};
use crate::known::Known;
use crate::store::{MaterialTables, Squares, Store};

/// The tables of one game.
///
/// Opening it looks at the names of files only; a table is opened when it is
/// first needed. It can be shared among threads, and after a table's first
/// use no thread waits for another. No bytes whatever in the files make it
/// panic.
pub struct Tablebase {
    game: Game,
    /// See [`Game::zeroing_limit`].
    pub(crate) limit: Option<u32>,
    folders: Vec<PathBuf>,
    /// Those of the folders that did not exist.
    absent: Vec<PathBuf>,
    pub(crate) store: Store,
}

impl Tablebase {
    /// The tables in some folders; what is in an earlier folder is preferred.
    /// Files that appear later are not noticed. Every table that was asked for
    /// keeps its file open; should that be changed or cut, it is an error when
    /// it is met.
    ///
    /// # Errors
    /// A folder cannot be read. One that does not exist is taken as empty.
    pub fn open<P: AsRef<Path>>(
        game: Game,
        folders: impl IntoIterator<Item = P>,
    ) -> Result<Tablebase, TableError> {
        Tablebase::open_except(game, folders, |_| false)
    }

    /// The same without some files, which are as if they were not there: those that have been
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

    /// The same with tables that are mapped into memory: they take no file
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
        let absent = folders.iter().filter(|folder| !folder.exists());
        Ok(Tablebase {
            absent: absent.cloned().collect(),
            folders,
            store,
            ..Tablebase::empty(game)
        })
    }

    /// No tables yet: see [`Tablebase::add`].
    pub fn empty(game: Game) -> Tablebase {
        Tablebase {
            game,
            limit: game.zeroing_limit(),
            folders: Vec::new(),
            absent: Vec::new(),
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
    /// metric, that one counts.
    ///
    /// # Errors
    /// The table is of another game.
    pub fn add(&mut self, table: Table) -> Result<(), TableError> {
        self.store.add_table(table)
    }

    /// The same tables, read as made with a fifty-move rule of another number of
    /// plies (see [`Game::zeroing_limit`]). The files do not say which: this is
    /// for tests.
    #[must_use]
    pub fn with_zeroing_limit(mut self, limit: u32) -> Tablebase {
        self.limit = Some(limit);
        self
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
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
        match self.store.entry(material) {
            Some(entry) => self.table_of(entry, metric),
            None => Ok(None),
        }
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
        let Some(table) = self.table(material, metric)? else {
            return Ok(None);
        };
        let statistics = table.statistics();
        statistics.map_err(|error| self.table_error(&table.header().material, Arc::new(error)))
    }

    /// A place in the order in which values are stored: positions that are near each
    /// other in it are likely to be in one block. To look up many positions, sort
    /// them by this. `None` if the order does not matter, because the value is read
    /// without unpacking others, and if there is no table of the metric for the
    /// position, or it cannot be opened.
    pub fn place(&self, position: &Position, metric: Metric) -> Option<(u64, u64)> {
        let entry = self.store.entry(&position.material())?;
        let table = self.store.table(entry, metric)?.ok()?;
        let (index, _) = index_of(table, position, entry, &mut Squares::default())?;
        let turn = entry.turn(position.turn());
        let place = (table.id() << 1 | turn.index() as u64, index);
        (!table.is_at_hand(turn, index)).then_some(place)
    }

    /// What the table of a metric has for a position, the index of the position,
    /// and the table. An e.p. right is ignored.
    pub(crate) fn entry(
        &self,
        position: &Position,
        material: &Material,
        metric: Metric,
    ) -> Result<(i16, u64, &Table), ProbeError> {
        self.entry_known(position, material, metric, &mut Known::default())
    }

    /// The same; what is found out about the position is kept in `known`.
    pub(crate) fn entry_known(
        &self,
        position: &Position,
        material: &Material,
        metric: Metric,
        known: &mut Known,
    ) -> Result<(i16, u64, &Table), ProbeError> {
        let (entry, table) = self.table_for(material, metric)?;
        self.entry_in(entry, table, position, material, known)
    }

    /// The same, given the table and where it is.
    #[inline]
    pub(crate) fn entry_in<'a>(
        &self,
        entry: &MaterialTables,
        table: &'a Table,
        position: &Position,
        material: &Material,
        known: &mut Known,
    ) -> Result<(i16, u64, &'a Table), ProbeError> {
        let mut squares = Squares::default();
        let (index, pieces) = index_of(table, position, entry, &mut squares)
            .ok_or(ProbeError::Unsupported(Unsupported::Placement))?;
        let turn = entry.turn(position.turn());
        let squares = squares.get(..pieces).unwrap_or(&[]);
        let place = (table, turn, (index, squares));
        let value = self.resolve(position, material, place, known)?;
        Ok((value, index, table))
    }

    /// The table of a metric for positions of a material, and where it is.
    pub(crate) fn table_for(
        &self,
        material: &Material,
        metric: Metric,
    ) -> Result<(&MaterialTables, &Table), ProbeError> {
        let Some(entry) = self.store.entry(material) else {
            return Err(self.missing(material, None));
        };
        match self.table_of(entry, metric)? {
            Some(table) => Ok((entry, table)),
            None => Err(self.missing(material, Some(metric))),
        }
    }

    /// The table of a metric, given where those of its material are; `None` if there is none.
    #[inline]
    pub(crate) fn table_of(
        &self,
        entry: &MaterialTables,
        metric: Metric,
    ) -> Result<Option<&Table>, ProbeError> {
        let table = self.store.table(entry, metric).transpose();
        table.map_err(|error| self.table_error(&entry.normal, error))
    }

    /// Whether an error says that a material has no such table, so that its others may tell.
    pub(crate) fn lacks(&self, material: &Material, error: &ProbeError) -> bool {
        let normal = material.normal(self.game).0;
        matches!(error, ProbeError::Missing { material: named, .. } if *named == normal)
    }

    /// The error that there is no table of some material, or none of this metric.
    pub fn missing(&self, material: &Material, metric: Option<Metric>) -> ProbeError {
        let (pieces, most) = (material.len(), Material::MOST_PIECES);
        if pieces > most {
            return ProbeError::Unsupported(Unsupported::Pieces { pieces, most });
        }
        let (folders, absent) = (self.folders.clone(), self.absent.clone());
        ProbeError::missing_from(self.game, (material, metric), folders, absent)
    }

    pub(crate) fn table_error(&self, material: &Material, error: Arc<TableError>) -> ProbeError {
        ProbeError::Table {
            error,
            game: self.game.id(),
            material: *material,
        }
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebase")
            .field("game", &self.game.id())
            .field("folders", &self.folders)
            .field("tables", &self.tables().count())
            .finish_non_exhaustive()
    }
}

/// The index of a position in a table, whatever the colours, and how many pieces it has.
/// `squares` become those of the index.
#[inline]
fn index_of(
    table: &Table,
    position: &Position,
    entry: &MaterialTables,
    squares: &mut Squares,
) -> Option<(u64, usize)> {
    let pieces = entry.squares_of(position, squares)?;
    let index = table.index().normalize(squares.get_mut(..pieces)?)?;
    Some((index, pieces))
}
