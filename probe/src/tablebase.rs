//! Probing: from a position to its value, through files and rules.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "keep")]
use std::sync::OnceLock;

use retrograde_rules::{BareKings, Colour, End, Game, Material, PieceType, Position};

use crate::Wdl;
use crate::answer::{Answer, Extra};
use crate::best::Best;
use crate::error::{ProbeError, TableError, Unsupported};
use crate::facts::Facts;
use crate::format::{Access, Statistics, Table, Unchanging};
#[cfg(feature = "keep")]
use crate::keep::OnePly;
use crate::known::Known;
use crate::store::{MaterialTables, Store};
use crate::stored::Stored;
use crate::value::{Dtm, Dtz, Value};
use crate::wanted::Wanted;
use retrograde_index::{Helpmate, Metric};

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
    #[cfg(feature = "keep")]
    pub(crate) one_ply: OnceLock<Arc<dyn OnePly>>,
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
        let folders = folders.into_iter().map(|folder| folder.as_ref().to_owned());
        Tablebase::open_by(game, folders.collect(), Access::Read)
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
        Tablebase::open_by(game, folders.collect(), Access::Map(promise))
    }

    fn open_by(game: Game, folders: Vec<PathBuf>, access: Access) -> Result<Tablebase, TableError> {
        let mut store = Store::new(game, access);
        for folder in &folders {
            store.add_folder(folder)?;
        }
        let absent = folders.iter().filter(|folder| !folder.exists());
        Ok(Tablebase {
            game,
            limit: game.zeroing_limit(),
            absent: absent.cloned().collect(),
            folders,
            store,
            #[cfg(feature = "keep")]
            one_ply: OnceLock::new(),
        })
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
        let mut store = Store::new(game, Access::Read);
        for table in tables {
            store.add_table(table)?;
        }
        Ok(Tablebase {
            game,
            limit: game.zeroing_limit(),
            folders: Vec::new(),
            absent: Vec::new(),
            store,
            #[cfg(feature = "keep")]
            one_ply: OnceLock::new(),
        })
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

    /// The materials and metrics that there are tables of, in no particular
    /// order.
    pub fn tables(&self) -> impl Iterator<Item = (Material, Metric)> + '_ {
        self.store.list()
    }

    /// The table of a material, which is brought into normal form; `None` if
    /// there is no such table.
    ///
    /// # Errors
    /// [`ProbeError::Table`].
    pub fn table(&self, material: &Material, metric: Metric) -> Result<Option<&Table>, ProbeError> {
        let Some(entry) = self.store.entry(material) else {
            return Ok(None);
        };
        self.store
            .table(entry, metric)
            .transpose()
            .map_err(|error| self.table_error(&entry.normal, error))
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

    /// What the tables say about a position: the value alone, which is all
    /// that most programs need.
    ///
    /// A position with an e.p. right gets its exact value from its successors
    /// (O2). The half-move clock is taken as 0 (O4).
    ///
    /// # Errors
    /// See [`ProbeError`]. Without a WDL table, the other tables do not tell
    /// whether the fifty-move rule turns some long wins into draws: then it is
    /// [`ProbeError::Missing`].
    pub fn value(&self, position: &Position) -> Result<Value, ProbeError> {
        self.expect_game(position)?;
        self.value_of(position)
    }

    /// Who wins, for the side to move, at the position's half-move clock (O7).
    ///
    /// This reads a table of [`Metric::Wdl`] alone, in High Chess one of
    /// [`Metric::Thresholds`]. Under the fifty-move rule it takes
    /// [`Metric::Dtz`] too if the clock is not at 0 or a value has to be found
    /// among the successors, as with an e.p. right (O2).
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn wdl(&self, position: &Position) -> Result<Wdl, ProbeError> {
        self.expect_game(position)?;
        if self.game.counters().is_some() {
            return Ok(self.value_with_vitality(position)?.wdl);
        }
        let wanted = match position.halfmoves() {
            0 => Wanted::Wdl,
            _ => Wanted::Wdl.of_successors(),
        };
        let at_0 = self.read_wanted(position, wanted)?;
        Ok(self.now(position, at_0)?.wdl)
    }

    /// Depth to mate, or to how the game ends otherwise; `None` for a draw. The
    /// fifty-move rule is left out of account (O4). Reads tables of
    /// [`Metric::Dtm`], and what those that are packed small rest on.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`Unsupported::Metric`] in High Chess, which has no
    /// such tables.
    pub fn dtm(&self, position: &Position) -> Result<Option<Dtm>, ProbeError> {
        self.expect_game(position)?;
        self.expect_metric(Metric::Dtm)?;
        let value = self.read_wanted(position, Wanted::Dtm)?;
        self.distance(position, value, value.dtm, Metric::Dtm)
    }

    /// Depth to zeroing, with the half-move clock at 0; `None` for a draw. A
    /// table of [`Metric::Dtz`] says nothing about draws, so this reads one of
    /// [`Metric::Wdl`] as well.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`Unsupported::Metric`] in games without the
    /// fifty-move rule.
    pub fn dtz(&self, position: &Position) -> Result<Option<Dtz>, ProbeError> {
        self.expect_game(position)?;
        self.expect_metric(Metric::Dtz)?;
        let value = self.read_wanted(position, Wanted::Dtz)?;
        self.distance(position, value, value.dtz, Metric::Dtz)
    }

    /// A distance that must be known unless the position is drawn.
    fn distance<D>(
        &self,
        position: &Position,
        value: Value,
        distance: Option<D>,
        metric: Metric,
    ) -> Result<Option<D>, ProbeError> {
        match (value.wdl, &distance) {
            (Wdl::Draw, _) | (_, Some(_)) => Ok(distance),
            (_, None) => Err(self.missing(&position.material(), Some(metric))),
        }
    }

    /// Checks that a position is of the game of the tables.
    pub(crate) fn expect_game(&self, position: &Position) -> Result<(), ProbeError> {
        if position.game() == self.game {
            return Ok(());
        }
        Err(ProbeError::Unsupported(Unsupported::Game {
            position: position.game().id(),
            tables: self.game.id(),
        }))
    }

    /// Checks that the game has tables of a metric.
    pub(crate) fn expect_metric(&self, metric: Metric) -> Result<(), ProbeError> {
        if Metric::of(self.game).contains(&metric) {
            return Ok(());
        }
        let game = self.game.id();
        Err(ProbeError::Unsupported(Unsupported::Metric {
            game,
            metric,
        }))
    }

    /// [`Tablebase::value`] of a position of the game.
    pub(crate) fn value_of(&self, position: &Position) -> Result<Value, ProbeError> {
        if self.game.counters().is_some() {
            return self.value_with_vitality(position);
        }
        self.read_wanted(position, Wanted::All)
    }

    /// What the wanted tables say about a position, in games without vitality.
    fn read_wanted(&self, position: &Position, wanted: Wanted) -> Result<Value, ProbeError> {
        if let Some(end) = position.finished() {
            return Ok(self.ended(end, position.turn()));
        }
        if let Err(error) = refuse_castling(position) {
            // The rules know how a game has ended.
            let end = position.end().ok_or(error)?;
            return Ok(self.ended(end, position.turn()));
        }
        if position.ep().is_some() {
            return self.search(position, wanted);
        }
        let material = position.material();
        if self.game.needs_no_table(&material) {
            return Ok(self.value_without_table(position));
        }
        let (mut stored, mut unsupported) = (Stored::default(), None);
        let mut known = Known::default();
        for &metric in wanted.metrics(self.game) {
            match self.entry_known(position, &material, metric, &mut known) {
                Ok((value, ..)) => stored.set(metric, value),
                // A table that this one rests on cannot be done without.
                Err(error) if self.lacks(&material, &error) => {}
                Err(error @ ProbeError::Unsupported(_)) => unsupported = Some(error),
                Err(error) => return Err(error),
            }
        }
        if let Some(value) = stored.value(wanted.limit(self.limit)) {
            return Ok(value);
        }
        // What the rules know needs no table.
        if let Some(end) = position.end() {
            return Ok(self.ended(end, position.turn()));
        }
        // Nobody wins where neither side can be mated.
        if position.dead() == Some(true) || self.helpmate(position)?.is_some_and(Helpmate::is_dead)
        {
            return Ok(Value::DRAW);
        }
        let missing = || {
            let has_tables = self.store.entry(&material).is_some();
            self.missing(&material, has_tables.then_some(wanted.first()))
        };
        Err(unsupported.unwrap_or_else(missing))
    }

    /// A place in the order in which values are stored: positions that are near each
    /// other in it are likely to be in one block. To look up many positions, sort
    /// them by this. `None` if the order does not matter, because the value is read
    /// without unpacking others, and if there is no table of the metric for the
    /// position, or it cannot be opened.
    pub fn place(&self, position: &Position, metric: Metric) -> Option<(u64, u64)> {
        let entry = self.store.entry(&position.material())?;
        let table = self.store.table(entry, metric)?.ok()?;
        let index = index_of(table, position, entry)?;
        let is_other = (position.turn() == Colour::Black) != entry.swapped;
        let turn = Colour::BOTH[usize::from(is_other)];
        let place = (table.id() << 1 | u64::from(is_other), index);
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
        let (entry, table, turn) = self.table_for(position, material, metric)?;
        let index = self.index_in(table, position, entry)?;
        let value = self.resolve(position, material, (table, turn, index), known)?;
        Ok((value, index, table))
    }

    /// The table of a metric for a position, and the side to move there.
    pub(crate) fn table_for(
        &self,
        position: &Position,
        material: &Material,
        metric: Metric,
    ) -> Result<(&MaterialTables, &Table, Colour), ProbeError> {
        let Some(entry) = self.store.entry(material) else {
            return Err(self.missing(material, None));
        };
        let table = match self.store.table(entry, metric) {
            Some(Ok(table)) => table,
            Some(Err(error)) => return Err(self.table_error(&entry.normal, error)),
            None => return Err(self.missing(material, Some(metric))),
        };
        let turn = if entry.swapped {
            position.turn().other()
        } else {
            position.turn()
        };
        Ok((entry, table, turn))
    }

    /// The index of a position in a table.
    pub(crate) fn index_in(
        &self,
        table: &Table,
        position: &Position,
        entry: &MaterialTables,
    ) -> Result<u64, ProbeError> {
        let index = index_of(table, position, entry);
        index.ok_or(ProbeError::Unsupported(Unsupported::Placement))
    }

    /// Everything that rules and tables say about a position, except its moves.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn probe(&self, position: &Position) -> Result<Answer, ProbeError> {
        let at_0 = self.value(position)?;
        let value = self.now(position, at_0)?;
        let facts = Facts::of(position);
        let extra = match (position.vitality(), self.limit) {
            (Some(counters), _) => match self.vitality(position) {
                Ok(answer) => Extra::Vitality {
                    answer,
                    win_by: answer.win_by(counters),
                },
                // Everything about a finished game is known without it.
                Err(ProbeError::Missing { .. } | ProbeError::Unsupported(_))
                    if facts.end.is_some() =>
                {
                    Extra::None
                }
                Err(error) => return Err(error),
            },
            (None, Some(_)) => Extra::Clock {
                wdl_at_clock_0: at_0.wdl,
            },
            (None, None) => Extra::None,
        };
        Ok(Answer {
            facts,
            value,
            extra,
        })
    }

    /// The value of a position at its half-move clock (O7), `at_0` being the
    /// one at 0.
    ///
    /// # Errors
    /// [`ProbeError::Missing`] if it takes a table of DTZ to tell.
    pub(crate) fn now(&self, position: &Position, at_0: Value) -> Result<Value, ProbeError> {
        at_0.at_clock(position.halfmoves(), self.limit)
            .ok_or_else(|| self.missing(&position.material(), Some(Metric::Dtz)))
    }

    /// The value of a position from those of its successors.
    pub(crate) fn search(&self, position: &Position, wanted: Wanted) -> Result<Value, ProbeError> {
        let wanted = wanted.of_successors();
        let moves = position.legal_moves();
        let mut best = Best::default();
        for &mv in &moves {
            // Every step of this recursion takes an e.p. right, a piece or the
            // other side to move, so it ends.
            let after = position.play(mv);
            let value = self.read_wanted(&after, wanted)?.reversed();
            let clock = u32::from(!mv.is_zeroing());
            let value = value
                .at_clock(clock, wanted.limit(self.limit))
                .ok_or_else(|| self.missing(&after.material(), Some(Metric::Dtz)))?;
            best.add(mv, value);
        }
        if let Some(best) = best.value() {
            return Ok(best);
        }
        let end = position.end_with(&moves);
        Ok(end.map_or(Value::DRAW, |end| self.ended(end, position.turn())))
    }

    /// The value of a finished game.
    pub(crate) fn ended(&self, end: End, turn: Colour) -> Value {
        match end.winner(turn) {
            None => Value::DRAW,
            Some(winner) => Value {
                wdl: if winner == turn { Wdl::Win } else { Wdl::Loss },
                dtm: Some(Dtm(0)),
                dtz: self.limit.map(|_| Dtz(0)),
            },
        }
    }

    /// The value of a position of two kings: a draw, or a win by taking the
    /// other king, which in extinction chess may stand there to be taken. It
    /// need not be left there: from no square are all steps, but not the king
    /// himself, next to the other king.
    pub(crate) fn value_without_table(&self, position: &Position) -> Value {
        let kings = position.board().piece_type(PieceType::King);
        let mut squares = kings.into_iter();
        let touch = squares.next().zip(squares.next()).is_some_and(|(a, b)| {
            let board = self.game.geometry();
            let files = board.file(a).abs_diff(board.file(b));
            files.max(board.rank(a).abs_diff(board.rank(b))) == 1
        });
        match self.game.bare_kings() {
            BareKings::DrawnUnlessTaken if touch => Value {
                wdl: Wdl::Win,
                dtm: Some(Dtm(1)),
                dtz: None,
            },
            BareKings::DrawnUnlessTaken | BareKings::Drawn | BareKings::Table => Value::DRAW,
        }
    }

    /// Whether an error says that a material has no such table, so that its others may tell.
    pub(crate) fn lacks(&self, material: &Material, error: &ProbeError) -> bool {
        let normal = material.normal(self.game).0;
        matches!(error, ProbeError::Missing { material: named, .. } if *named == normal)
    }

    /// Why there is no table of some material, or none of this metric.
    pub(crate) fn missing(&self, material: &Material, metric: Option<Metric>) -> ProbeError {
        let (pieces, most) = (material.len(), Material::MOST_PIECES);
        if pieces > most {
            return ProbeError::Unsupported(Unsupported::Pieces { pieces, most });
        }
        ProbeError::Missing {
            game: self.game.id(),
            material: material.normal(self.game).0,
            metric,
            folders: self.folders.clone(),
            absent: self.absent.clone(),
        }
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

/// No table has positions with castling rights (O1).
pub(crate) fn refuse_castling(position: &Position) -> Result<(), ProbeError> {
    if position.castling().is_empty() {
        return Ok(());
    }
    Err(ProbeError::Unsupported(Unsupported::CastlingRights))
}

/// The index of a position in a table, whatever the colours.
fn index_of(table: &Table, position: &Position, entry: &MaterialTables) -> Option<u64> {
    let (squares, pieces) = entry.squares_of(position)?;
    table.index().encode(squares.get(..pieces)?)
}
