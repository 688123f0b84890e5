//! Packing tables anew: the same values in other bytes, which is proved before
//! the file replaces another.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bitvec::vec::BitVec;
use retrograde_folder::{Lock, LockError, ReadError, Reader, is_exhausted, open, read_side};
use retrograde_probe::format::{Codec, Header, Need, Sides};
use retrograde_probe::write::{self, PackOptions, TablePlan, Watch, WriteError, remove_partials};
use retrograde_probe::{
    Index, IndexError, Metric, ProbeError, Reindexing, Table, TableError, Tablebase, game_folder,
    locate, score, table_path,
};
use retrograde_rules::{Colour, Game, Material};
use thiserror::Error;

use crate::packing::Packing;
use crate::settle::{SettleError, settle, settle_reader};
use retrograde_solve as solve;

/// Where tables are read and written.
#[derive(Clone, Debug, Default)]
pub struct RepackOptions {
    /// The table folder that is written to; if not given, that in which a table
    /// is found.
    pub out: Option<PathBuf>,
    /// The table folders that are read, in order.
    pub tables: Vec<PathBuf>,
    /// How tables are to be packed.
    pub packing: Packing,
    /// Whether DTM and DTZ are stored for both sides to move, where small tables would do
    /// with one.
    pub both_sides: bool,
}

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepackOutcome {
    /// The file that was written.
    pub path: PathBuf,
    /// Whether it was packed so already.
    pub kept: bool,
    /// How many bytes the file had that was read.
    pub before: u64,
    /// How many bytes it has now.
    pub after: u64,
}

/// Follows the work and may end it.
pub trait RepackObserver: Sync {
    /// A file is next.
    fn begin(&self, _material: &Material, _metric: Metric) {}
    /// So much of it is packed.
    fn progress(&self, _done: u64, _total: u64) {}
    /// It is done.
    fn end(&self, _outcome: &RepackOutcome) {}
    /// Asked between files: whether to stop there.
    fn interrupted(&self) -> bool {
        false
    }
}

/// An observer that looks away.
impl RepackObserver for () {}

/// Why tables could not be packed anew.
#[derive(Debug, Error)]
pub enum RepackError {
    /// A table is in no folder.
    #[error("there is no {}table of {material} of {game}", metric.map(|m| format!("{m} ")).unwrap_or_default())]
    Missing {
        /// The game with its options.
        game: String,
        /// The material.
        material: Material,
        /// The metric, if another one is there.
        metric: Option<Metric>,
    },
    /// The material has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file is damaged, or is not what its name says.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table that another rests on is missing, or is another one.
    #[error(transparent)]
    Ground(#[from] ProbeError),
    /// A file could not be written, or reads back as something else.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// See [`SettleError`].
    #[error(transparent)]
    Settle(SettleError),
    /// The values have another digest than the file that they come from.
    #[error("{}: its values are not those that its header speaks of", .0.display())]
    Digest(PathBuf),
    /// A file of the first version of the format, which says nothing of its values.
    #[error("{}: it was made by an older version of this program, and others cannot rest on it", .0.display())]
    Old(PathBuf),
    /// See [`LockError`].
    #[error(transparent)]
    Lock(#[from] LockError),
}

impl From<SettleError> for RepackError {
    fn from(error: SettleError) -> RepackError {
        match error {
            SettleError::Probe(error) => RepackError::Ground(error),
            error => RepackError::Settle(error),
        }
    }
}

impl From<ReadError> for RepackError {
    fn from(error: ReadError) -> RepackError {
        match error {
            ReadError::Table(error) => RepackError::Table(error),
            ReadError::Ground(error) => RepackError::Ground(error),
        }
    }
}

impl RepackError {
    /// Whether the disk is full.
    pub fn is_exhausted(&self) -> bool {
        let source: Option<&io::Error> = match self {
            RepackError::Lock(LockError { source, .. })
            | RepackError::Write(WriteError::Io { source, .. }) => Some(source),
            _ => None,
        };
        source.is_some_and(is_exhausted)
    }
}

/// How long to wait before another look at whether others still use a folder.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Packs all tables of some materials anew; says whether it came to the end.
/// Runs in the current rayon pool; the files do not depend on the index of
/// threads.
///
/// # Errors
/// See [`RepackError`]. Files that were finished before stay; the others are as
/// they were.
pub fn repack(
    game: Game,
    materials: &[Material],
    options: &RepackOptions,
    observer: &dyn RepackObserver,
) -> Result<bool, RepackError> {
    for material in materials {
        let mut found = false;
        // What is kept in memory of other tables serves all metrics of a material.
        let out = options.out.iter();
        let folders = out.chain(&options.tables);
        let open = || Tablebase::open(game, folders.clone()).map(Arc::new);
        let mut ground = open()?;
        let legal = Default::default();
        for metric in Metric::known(game) {
            if observer.interrupted() {
                return Ok(false);
            }
            let job = Job {
                game,
                material: *material,
                metric,
                options,
                observer,
                ground: &ground,
                legal: &legal,
            };
            found |= job.run()?;
            // One of the first version of the format has been written anew, and now says
            // which values it has.
            let wdl = ground.table(material, Metric::Wdl)?;
            if metric == Metric::Wdl && wdl.is_some_and(|table| table.header().digest.is_none()) {
                ground = open()?;
            }
        }
        if !found {
            return Err(RepackError::Missing {
                game: game.id(),
                material: *material,
                metric: None,
            });
        }
    }
    Ok(true)
}

/// One file.
struct Job<'a> {
    game: Game,
    material: Material,
    metric: Metric,
    options: &'a RepackOptions,
    observer: &'a dyn RepackObserver,
    /// All tables that there are; those that were written are preferred.
    ground: &'a Arc<Tablebase>,
    /// Which indices stand for positions, by side to move.
    legal: &'a OnceLock<[BitVec; 2]>,
}

impl Job<'_> {
    /// Whether there was such a table.
    fn run(&self) -> Result<bool, RepackError> {
        let Some(table) = self.open(self.metric)? else {
            return Ok(false);
        };
        self.observer.begin(&self.material, self.metric);
        let folder = match (&self.options.out, table.path().and_then(locate)) {
            (Some(out), _) => out.clone(),
            (None, Some((folder, _))) => folder,
            (None, None) => PathBuf::new(),
        };
        let path = table_path(&folder, self.game, &self.material, self.metric);
        let before = table.header().file_len;
        let outcome = |kept, after| {
            self.observer.end(&RepackOutcome {
                path: path.clone(),
                kept,
                before,
                after,
            });
            Ok(true)
        };
        let there = self.open_in(self.metric, [folder.as_path()])?;
        if let Some(there) = there
            .as_ref()
            .filter(|there| self.is_as_wanted(&table, there))
        {
            return outcome(true, there.header().file_len);
        }
        let game_folder = game_folder(&folder, self.game);
        let _lock = loop {
            if let Some(lock) = Lock::take(&game_folder, &self.material.to_string())? {
                break lock;
            }
            std::thread::sleep(LOOK_AGAIN);
        };
        let _ = remove_partials(&game_folder, &self.material);
        let header = self.write(&table, &path)?;
        outcome(false, header.file_len)
    }

    /// Whether the file in the folder to be written has the values of `table`,
    /// packed as they should be.
    fn is_as_wanted(&self, table: &Table, there: &Table) -> bool {
        let header = there.header();
        header.codec == self.options.packing.codec(self.metric)
            && (header.sides() == Sides::Both || !self.options.both_sides)
            && header.digest.is_some()
            && (header.digest == table.header().digest || there.path() == table.path())
            && self.has_statistics(there)
    }

    /// Whether a file keeps sound statistics, or could not keep any.
    fn has_statistics(&self, there: &Table) -> bool {
        match there.statistics() {
            Ok(Some(_)) => true,
            Ok(None) => match results_of(self.metric) {
                Some(metric) => matches!(self.open(metric), Ok(None)),
                None => self.metric == Metric::Helpmate,
            },
            Err(_) => false,
        }
    }

    fn open(&self, metric: Metric) -> Result<Option<Reader>, RepackError> {
        let out = self.options.out.iter().map(PathBuf::as_path);
        let folders = self.options.tables.iter().map(PathBuf::as_path);
        self.open_in(metric, folders.chain(out))
    }

    fn open_in<'a>(
        &self,
        metric: Metric,
        folders: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Option<Reader>, RepackError> {
        Ok(open(self.game, &self.material, metric, folders)?)
    }

    fn write(&self, table: &Reader, path: &Path) -> Result<Header, RepackError> {
        let index = Index::new(self.game, &self.material)?;
        let results = self.results(&index)?;
        let mut values: [Vec<i16>; 2] = Default::default();
        for turn in Colour::BOTH {
            let results = results
                .as_ref()
                .map(|results| results[turn.index()].as_slice());
            values[turn.index()] = self.values(table, &index, turn, results)?;
        }
        let values_in = |order: &Index| {
            let order = Reindexing::new(order, &index);
            filler(order, &values, |value: i16| value)
        };
        let header = table.header();
        let packing = PackOptions {
            both_sides: self.options.both_sides,
            ..self.options.packing.options(self.metric, index.len())
        };
        let progress = |done, total| self.observer.progress(done, total);
        let watch = Watch {
            stop: None,
            progress: Some(&progress),
        };
        let mut plan = TablePlan::new(self.game, &self.material, self.metric)?
            .curves(header.curves.clone())
            .chapters(header.chapters.clone())
            .statistics(table.statistics().ok().flatten());
        if packing.codec == Codec::Learned {
            plan = self.on_ground(plan)?;
        } else {
            plan = write::best_order(&plan, &packing, Watch::default(), values_in)?;
        }
        let fill = values_in(plan.index());
        let results = results.as_ref().map(|results| -> Box<write::Fill<'_>> {
            let order = Reindexing::new(plan.index(), &index);
            Box::new(filler(order, results, |value: i8| match value {
                NO_POSITION => score::DONT_CARE,
                value => value.into(),
            }))
        });
        let results = results.as_deref();
        let pending = write::prepare_counted(path, &plan, &packing, watch, &fill, results)?;
        // With the codec `learned` that has been done.
        if packing.codec != Codec::Learned {
            pending.prove(&plan, &fill)?;
        }
        if header.digest.is_some() && header.digest != pending.header().digest {
            return Err(RepackError::Digest(table.path().unwrap_or(path).to_owned()));
        }
        Ok(pending.publish()?)
    }

    /// The same plan with the tables that its values rest on.
    fn on_ground(&self, plan: TablePlan) -> Result<TablePlan, RepackError> {
        if !matches!(self.metric, Metric::Wdl | Metric::Dtm | Metric::Dtz) {
            return Ok(plan);
        }
        let mut materials = solve::successors(self.game, &self.material);
        materials.retain(|material| !self.game.needs_no_table(material));
        let mut needs = Vec::new();
        for &material in &materials {
            needs.push(self.need(material, Metric::Wdl)?);
        }
        if self.metric != Metric::Wdl {
            needs.push(self.need(self.material, Metric::Wdl)?);
        }
        if self.metric == Metric::Dtm {
            // For the side to move that may be left out; without them both are stored.
            for &material in &materials {
                match self.need(material, Metric::Dtm) {
                    Ok(need) => needs.push(need),
                    Err(RepackError::Missing { .. } | RepackError::Old(_)) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        for need in &needs {
            self.keep(&need.material, need.metric)?;
        }
        settle(self.ground, plan.index())?;
        // What the side that may be left out is proved with.
        self.keep(&self.material, self.metric)?;
        Ok(plan.resting_on(Arc::clone(self.ground), needs))
    }

    /// Keeps a table that others rest on in memory. It is read from the folders of tables
    /// that are read if they have one with the same values that rests on no other, because
    /// that is much quicker.
    fn keep(&self, material: &Material, metric: Metric) -> Result<(), RepackError> {
        let Some(table) = self.ground.table(material, metric)? else {
            return Ok(());
        };
        // Of distances of successors only the sides to move that their tables have are asked
        // for: that of a side that is missing would take two plies of search.
        let turns: Vec<Colour> = match metric == Metric::Dtm && *material != self.material {
            true => table.header().sides().turns().collect(),
            false => Colour::BOTH.to_vec(),
        };
        let is_kept = |&turn: &Colour| self.ground.kept(material, metric, turn).is_some();
        if turns.iter().all(is_kept) {
            return Ok(());
        }
        let folders = self.options.tables.iter().map(PathBuf::as_path);
        let quick = open(self.game, material, metric, folders)?.filter(|quick| {
            let (quick, digest) = (quick.header(), table.header().digest);
            quick.codec != Codec::Learned && digest.is_some() && quick.digest == digest
        });
        match quick {
            Some(quick) => {
                for turn in turns {
                    let values = in_order(&quick, table.index(), turn)?;
                    self.ground.set_kept(table, turn, values);
                }
            }
            // Those that are asked for are read when the table is packed.
            None if turns.len() < 2 => {}
            None => self.ground.keep(material, metric)?,
        }
        Ok(())
    }

    /// A table that others rest on.
    fn need(&self, material: Material, metric: Metric) -> Result<Need, RepackError> {
        let missing = || RepackError::Missing {
            game: self.game.id(),
            material,
            metric: Some(metric),
        };
        let table = self.ground.table(&material, metric)?.ok_or_else(missing)?;
        let path = || table.path().unwrap_or(Path::new("")).to_owned();
        let digest = table
            .header()
            .digest
            .ok_or_else(|| RepackError::Old(path()))?;
        Ok(Need {
            material,
            metric,
            digest,
        })
    }

    /// The values of a table in the order of `index`, with
    /// [`score::DONT_CARE`] for indices that stand for no position, and for
    /// distances of draws, given who wins if the values do not say it.
    fn values(
        &self,
        table: &Reader,
        index: &Index,
        turn: Colour,
        results: Option<&[i8]>,
    ) -> Result<Vec<i16>, RepackError> {
        let mut values = in_order(table, index, turn)?;
        let legal = &self.legal(index)?[turn.index()];
        for (value, legal) in values.iter_mut().zip(legal) {
            if !legal {
                *value = score::DONT_CARE;
            }
        }
        if self.metric == Metric::Dtz {
            let results = results.ok_or_else(|| self.missing(Metric::Wdl))?;
            for (value, &result) in values.iter_mut().zip(results) {
                if result == 0 {
                    *value = score::DONT_CARE;
                }
            }
        }
        Ok(values)
    }

    /// Who wins, by side to move, as values of WDL in the order of `index`, [`NO_POSITION`]
    /// for indices that stand for none; `None` if the values of the metric say it
    /// themselves, or the table that says it is missing. Of High Chess both sides have full
    /// counters.
    fn results(&self, index: &Index) -> Result<Option<[Vec<i8>; 2]>, RepackError> {
        let Some(metric) = results_of(self.metric) else {
            return Ok(None);
        };
        let Some(table) = self.open(metric)? else {
            return Ok(None);
        };
        let legal = self.legal(index)?;
        let mut results: [Vec<i8>; 2] = Default::default();
        for turn in Colour::BOTH {
            settle_reader(&table)?;
            let mut values = read_side(&table, turn)?;
            if metric == Metric::Thresholds {
                at_full_counters(&table, turn, &mut values);
            }
            let values = reordered(values, Reindexing::new(table.index(), index));
            let legal = &legal[turn.index()];
            let result = |(value, legal)| if legal { value as i8 } else { NO_POSITION };
            let values = values.into_iter().zip(legal.iter().by_vals());
            results[turn.index()] = values.map(result).collect();
        }
        Ok(Some(results))
    }

    /// Which indices stand for positions, by side to move.
    fn legal(&self, index: &Index) -> Result<&[BitVec; 2], RepackError> {
        if let Some(legal) = self.legal.get() {
            return Ok(legal);
        }
        let legal = solve::legal_positions(self.game, index).map_err(SettleError::from)?;
        let bits = |bytes: Vec<u8>| bytes.into_iter().map(|byte| byte != 0).collect();
        Ok(self.legal.get_or_init(|| legal.map(bits)))
    }

    fn missing(&self, metric: Metric) -> RepackError {
        RepackError::Missing {
            game: self.game.id(),
            material: self.material,
            metric: Some(metric),
        }
    }
}

/// The metric that says who wins, if a metric does not say it itself.
fn results_of(metric: Metric) -> Option<Metric> {
    match metric {
        Metric::Dtz => Some(Metric::Wdl),
        Metric::Thresholds | Metric::Mates => Some(Metric::Thresholds),
        _ => None,
    }
}

/// A result of an index that stands for no position.
const NO_POSITION: i8 = i8::MIN;

/// Turns the threshold curves of a side to move into values of WDL, both sides having
/// full counters.
fn at_full_counters(table: &Reader, turn: Colour, values: &mut [i16]) {
    let curves = table.header().curves.iter();
    let white_wins: Vec<bool> = curves.map(|c| c.white_wins(c.full(), c.full())).collect();
    for (index, value) in values.iter_mut().enumerate() {
        let place = table.curve_place_or_first(index as u64, *value);
        let wins = white_wins.get(place) == Some(&(turn == Colour::White));
        *value = if wins { 1 } else { -1 };
    }
}

/// Writes values, which are there by side to move, for the indices of another order.
fn filler<'v, T: Copy + Sync>(
    order: Option<Reindexing>,
    values: &'v [Vec<T>; 2],
    to_value: impl Fn(T) -> i16 + Sync + 'v,
) -> impl Fn(Colour, Range<u64>, &mut [i16]) + Sync + 'v {
    move |turn, indices, out| {
        let (Some(order), values) = (&order, &values[turn.index()]) else {
            return;
        };
        let mut out = out.iter_mut();
        order.each(indices, |index| {
            if let (Some(out), Some(&value)) = (out.next(), values.get(index as usize)) {
                *out = to_value(value);
            }
        });
    }
}

/// All values of a table in the order of another index of its material.
fn in_order(table: &Reader, index: &Index, turn: Colour) -> Result<Vec<i16>, RepackError> {
    settle_reader(table)?;
    let values = read_side(table, turn)?;
    Ok(reordered(values, Reindexing::new(table.index(), index)))
}

/// Values in another order.
fn reordered(values: Vec<i16>, order: Option<Reindexing>) -> Vec<i16> {
    let Some(order) = order else {
        return values;
    };
    let mut ordered = vec![0; values.len()];
    let mut read = values.iter();
    order.each(0..values.len() as u64, |index| {
        if let (Some(value), Some(&read)) = (ordered.get_mut(index as usize), read.next()) {
            *value = read;
        }
    });
    ordered
}
