//! Packs tables anew, and proves that the new file has the same values before it replaces the old.

mod dependencies;
mod values;

use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::{Arc, OnceLock};

use retrograde_folder::{Lock, LockError, ReadError, Reader, check_bytes, is_exhausted, open};
use retrograde_probe::format::{Codec, Header, SideValues, Sides};
use retrograde_probe::write::{
    self, PackOptions, Pending, TablePlan, Watch, WriteError, remove_partials,
};
use retrograde_probe::{
    Index, IndexError, Metric, ProbeError, Reindexing, Table, TableError, Tablebase, game_folder,
    locate, table_path, whole,
};
use retrograde_rules::{Colour, Game, Material};
use retrograde_solve::SolveError;
use thiserror::Error;

use self::values::{Bits, filler, results_of};
use crate::LOOK_AGAIN;
use crate::leftovers::remove_leftovers;
use crate::packing::Packing;
use crate::unstored::prepare;

/// The options of [`repack`]: the folders to read and write, and the way to pack.
#[derive(Clone, Debug, Default)]
pub struct RepackOptions {
    /// The table folder that is written to; if not given, that in which a table
    /// is found.
    pub out: Option<PathBuf>,
    /// The table folders that are read, in order.
    pub tables: Vec<PathBuf>,
    /// The packing of the new files.
    pub packing: Packing,
    /// Whether DTM and DTZ are stored for both sides to move, where small tables would do
    /// with one.
    pub both_sides: bool,
}

/// The outcome of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepackOutcome {
    /// The file that was written.
    pub path: PathBuf,
    /// Whether it was packed so already.
    pub kept: bool,
    /// The bytes of the file that was read.
    pub before: u64,
    /// The bytes of the file that was written.
    pub after: u64,
}

/// Follows the work and may end it.
pub trait RepackObserver: Sync {
    /// A file is next.
    fn begin(&self, _material: &Material, _metric: Metric) {}
    /// The work waits for another process that is making files of this material.
    fn waiting(&self, _material: &Material) {}
    /// `done` of `total` of the file is packed.
    fn progress(&self, _done: u64, _total: u64) {}
    /// The file is done.
    fn end(&self, _outcome: &RepackOutcome) {}
    /// Asked between files, and while waiting: whether to stop there.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Ignores everything.
impl RepackObserver for () {}

/// The errors of packing tables anew.
#[derive(Debug, Error)]
pub enum RepackError {
    /// The material has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file is damaged, or is not what its name says.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table is missing, or one that another depends on is another one.
    #[error(transparent)]
    Ground(#[from] ProbeError),
    /// A file could not be written, or reads back as something else.
    #[error(transparent)]
    Write(WriteError),
    /// The material cannot be solved.
    #[error(transparent)]
    Solve(SolveError),
    /// The values do not fit those of the tables that they depend on.
    #[error(
        "{}: its values contradict those of the tables that they rest on ({source})",
        path.display()
    )]
    Contradiction {
        /// The table that was to be packed.
        path: PathBuf,
        /// The contradiction that was noticed.
        source: WriteError,
    },
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

impl From<WriteError> for RepackError {
    fn from(error: WriteError) -> RepackError {
        match error {
            WriteError::Ground(error) => RepackError::Ground(error),
            error => RepackError::Write(error),
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
        self.io_error().is_some_and(is_exhausted)
    }

    /// The error of the system, if a file or folder could not be written or locked.
    pub fn io_error(&self) -> Option<&io::Error> {
        match self {
            RepackError::Lock(LockError { source, .. })
            | RepackError::Write(WriteError::Io { source, .. }) => Some(source),
            _ => None,
        }
    }
}

/// Packs all tables of some materials anew; says whether it came to the end.
/// Runs in the current rayon pool; the files do not depend on the number of
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
    let written: &[PathBuf] = match &options.out {
        Some(out) => slice::from_ref(out),
        None => &options.tables,
    };
    for folder in written {
        remove_leftovers(&game_folder(folder, game), game);
    }
    for material in materials {
        let mut found = false;
        // What is kept in memory of other tables serves all metrics of a material.
        let out = options.out.iter();
        let folders = out.chain(&options.tables);
        let open = || Tablebase::open(game, folders.clone()).map(Arc::new);
        let mut ground = open()?;
        let legal = Default::default();
        for metric in Metric::known(game) {
            let job = Job {
                game,
                material: *material,
                metric,
                options,
                observer,
                ground: &ground,
                legal: &legal,
            };
            found |= match job.run() {
                Err(RepackError::Ground(ProbeError::Stopped)) => return Ok(false),
                found => found?,
            };
            // One of the first version of the format has been written anew, and now says
            // which values it has.
            let wdl = ground.table(material, Metric::Wdl)?;
            if metric == Metric::Wdl && wdl.is_some_and(|table| table.header().digest.is_none()) {
                ground = open()?;
            }
        }
        if !found {
            return Err(ground.missing(material, None).into());
        }
    }
    Ok(true)
}

/// A digest of what a table of a material says, as 16 hexadecimal digits that do not depend on
/// how it is packed: worked out from all values, whatever its header says of them. `None` if
/// there is no such table.
///
/// # Errors
/// See [`RepackError`].
pub fn fingerprint(
    game: Game,
    material: &Material,
    metric: Metric,
    tables: &[PathBuf],
) -> Result<Option<String>, RepackError> {
    let job = Job {
        game,
        material: *material,
        metric,
        options: &RepackOptions {
            tables: tables.to_vec(),
            ..RepackOptions::default()
        },
        observer: &(),
        ground: &Arc::new(Tablebase::open(game, tables)?),
        legal: &OnceLock::default(),
    };
    let Some(table) = job.open(metric)? else {
        return Ok(None);
    };
    let index = Index::new(game, material)?;
    let (values, _) = job.contents(&table, &index)?;
    let header = table.header();
    let plan = TablePlan::new(game, material, metric)?
        .curves(header.curves.clone())
        .chapters(header.chapters.clone());
    let fill = filler(Reindexing::new(plan.index(), &index), &values);
    let digest = write::digest(&plan, Watch::default(), &fill)?;
    // Values of games with vitality are numbers of curves.
    let mut hasher = blake3::Hasher::new();
    hasher.update(&digest.to_le_bytes());
    for curve in &header.curves {
        let [low, high] = curve.rises().0;
        hasher.update(&[curve.counters().full.white]);
        hasher.update(&low.to_le_bytes());
        if high > 0 {
            hasher.update(&high.to_le_bytes());
        }
    }
    Ok(Some(hasher.finalize().to_hex()[..16].to_owned()))
}

/// The values of a table by side to move, and who wins.
type Contents = ([SideValues; 2], Option<[SideValues; 2]>);

/// The work on one file.
struct Job<'a> {
    game: Game,
    material: Material,
    metric: Metric,
    options: &'a RepackOptions,
    observer: &'a dyn RepackObserver,
    /// All tables that there are; those that were already written here are preferred.
    ground: &'a Arc<Tablebase>,
    /// The indices that stand for positions, by side to move.
    legal: &'a OnceLock<[Bits; 2]>,
}

impl Job<'_> {
    /// Whether there was such a table.
    fn run(&self) -> Result<bool, RepackError> {
        let Some(table) = self.open(self.metric)? else {
            return Ok(false);
        };
        if self.observer.interrupted() {
            return Err(ProbeError::Stopped.into());
        }
        self.observer.begin(&self.material, self.metric);
        let folder = match (&self.options.out, table.path().and_then(locate)) {
            (Some(out), _) => out.clone(),
            (None, Some((folder, _))) => folder,
            (None, None) => PathBuf::new(),
        };
        let path = table_path(&folder, self.game, &self.material, self.metric);
        let game_folder = game_folder(&folder, self.game);
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
            check_bytes(there)?;
            whole::check_usable(self.ground, &self.material, self.metric)?;
            return outcome(true, there.header().file_len);
        }
        let Some(_lock) = Lock::take(&game_folder, &self.material.name(self.game))? else {
            self.wait(&game_folder)?;
            // The other process may have done all there is to do.
            return self.run();
        };
        let _ = remove_partials(&game_folder, self.ground.game(), &self.material);
        let header = self.write(&table, &path)?;
        outcome(false, header.file_len)
    }

    /// Waits until no other process makes files of the material.
    fn wait(&self, game_folder: &Path) -> Result<(), RepackError> {
        self.observer.waiting(&self.material);
        let name = self.material.name(self.game);
        while Lock::take(game_folder, &name)?.is_none() {
            if self.observer.interrupted() {
                return Err(ProbeError::Stopped.into());
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        Ok(())
    }

    /// Whether the file in the folder to be written has the values of `table`,
    /// packed as they should be.
    fn is_as_wanted(&self, table: &Table, there: &Table) -> bool {
        let header = there.header();
        header.codec == self.packing(table).codec()
            && (header.sides() == Sides::Both || !self.options.both_sides)
            && header.digest.is_some()
            && (header.digest == table.header().digest || there.path() == table.path())
            && self.has_statistics(there)
            // Without the tables that it rests on nothing can be left out.
            && !self.has_a_side_too_many(there).unwrap_or(false)
    }

    /// The packing of the values of a table. A number of a curve stands for another one in each
    /// chapter, which a tree cannot know.
    fn packing(&self, table: &Table) -> Packing {
        match table.header().chapters {
            Some(_) => Packing::Fast,
            None => self.options.packing,
        }
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

    /// The values of a table, in the order of `index`, and the results if the values do not say
    /// them.
    fn contents(&self, table: &Reader, index: &Index) -> Result<Contents, RepackError> {
        let results = self.results(index)?;
        let values_of = |turn: Colour| {
            let results = results.as_ref().map(|results| &results[turn.index()]);
            self.values(table, index, turn, results)
        };
        let values = [values_of(Colour::White)?, values_of(Colour::Black)?];
        Ok((values, results))
    }

    fn write(&self, table: &Reader, path: &Path) -> Result<Header, RepackError> {
        let index = Index::new(self.game, &self.material)?;
        let (values, results) = self.contents(table, &index)?;
        let values_in = |order: &Index| filler(Reindexing::new(order, &index), &values);
        let header = table.header();
        let packing = PackOptions {
            both_sides: self.options.both_sides,
            ..self.packing(table).options(self.metric, index.len())
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
            Box::new(filler(order, results))
        });
        let results = results.as_deref();
        let prove = |pending: &Pending| {
            let written = pending.open()?;
            if plan.depends_on_others() {
                let prepared = prepare(self.ground, &written, &|| false);
                prepared.map_err(|error| WriteError::on_proof(written.path(), error))?;
            }
            write::prove(&written, &plan, &fill)
        };
        let pending = write::prepare_with_results(path, &plan, &packing, watch, &fill, results);
        let pending = pending.and_then(|pending| prove(&pending).map(|()| pending));
        let pending = pending.map_err(|error| match error {
            // What rests on other tables is read back with them.
            source if plan.depends_on_others() && source.is_other_value() => {
                let path = table.path().unwrap_or(path).to_owned();
                RepackError::Contradiction { path, source }
            }
            error => error.into(),
        })?;
        if header.digest.is_some() && header.digest != pending.header().digest {
            return Err(RepackError::Digest(table.path().unwrap_or(path).to_owned()));
        }
        Ok(pending.publish()?)
    }
}
