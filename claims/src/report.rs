//! Works out the report claim by claim, and keeps finished answers for the next run.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use retrograde_folder::{FileHashes, Lock, Seal, replace};
use retrograde_probe::Metric;
use retrograde_rules::{Game, Material};
use serde::{Deserialize, Serialize};

use crate::catalogue::ENTRIES;
use crate::claim::{Answer, Claim, Outcome, Verdict};
use crate::compare;
use crate::definition;
use crate::engine::{Entry, answer};
use crate::error::ClaimError;
use crate::scope::{Need, Observer, Scope, Supply};
use crate::study::{Study, Tallies};
use crate::tables::Library;
use crate::tally::{ClassTally, KeptTally};

/// The subject of the report, and where it goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The table folders, in order of search.
    pub tables: Vec<PathBuf>,
    /// The folder that the report is written to, where answers are kept; none are without it.
    pub out: Option<PathBuf>,
    /// The folder of the user's secret, without which no answers are kept: see
    /// [`retrograde_folder::Seal`].
    pub secrets: Option<PathBuf>,
    /// The most men of a table.
    pub men: usize,
    /// The game whose claims are answered, maybe with options; all games by default.
    pub game: Option<Game>,
    /// The game that `game` is compared with instead of answering claims.
    pub compare: Option<Comparison>,
    /// The tags of the claims that are answered; all by default.
    pub only: Vec<String>,
}

/// Materials of a game, and the metrics of their tables.
pub type TablesOfGame = (Game, Vec<Material>, &'static [Metric]);

/// A game to compare with, and on which classes.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The other game.
    pub with: Game,
    /// The classes of the first game; all if none are named.
    pub materials: Vec<Material>,
}

impl Options {
    /// The tables that the claims are worked out from: materials of a game, and metrics.
    ///
    /// # Errors
    /// See [`Options::claims`].
    pub fn tables_needed(&self, supply: &dyn Supply) -> Result<Vec<TablesOfGame>, ClaimError> {
        let scope = self.scope(supply);
        let needs = self
            .entries()?
            .into_iter()
            .flat_map(|entry| entry.needs(&scope));
        let needs = needs.map(|need| (need.game, need.materials.clone(), need.metrics()));
        Ok(needs.collect())
    }

    fn scope<'a>(&self, supply: &'a dyn Supply) -> Scope<'a> {
        Scope {
            men: self.men,
            variant: self.game.map(|game| (game.name().to_owned(), game)),
            supply,
        }
    }

    /// The claims that are asked for, in the order of [all](crate::claims).
    ///
    /// # Errors
    /// [`ClaimError::Definition`] if a claim in the definition of the game is wrong;
    /// [`ClaimError::Boards`] if the games of a comparison have other boards.
    pub fn claims(&self) -> Result<Vec<Arc<Claim>>, ClaimError> {
        let entries = self.entries()?.into_iter();
        Ok(entries.map(|entry| entry.claim).collect())
    }

    fn entries(&self) -> Result<Vec<Entry>, ClaimError> {
        if let (Some(game), Some(Comparison { with, materials })) = (self.game, &self.compare) {
            return Ok(vec![compare::entry([game, *with], materials)?]);
        }
        let own = self.game.filter(|game| !game.is_built_in());
        let own = own.map_or(Ok(Vec::new()), definition::claims)?;
        let name = self.game.map(Game::name);
        // A game may have a name of its own that is that of one that is built in.
        let is_own = |claim: &Claim| own.iter().any(|entry| entry.claim.tag == claim.tag);
        let is_of_game = |claim: &Claim| {
            is_own(claim) || name.is_none_or(|name| claim.games.iter().any(|game| game == name))
        };
        let is_named = |claim: &Claim| {
            let mut tags = self.only.iter();
            self.only.is_empty() || tags.any(|tag| tag.eq_ignore_ascii_case(&claim.tag))
        };
        let asked = |entry: &&Entry| is_of_game(&entry.claim) && is_named(&entry.claim);
        let entries = own.iter().chain(ENTRIES.iter()).filter(asked);
        Ok(entries.cloned().collect())
    }
}

/// The answers to all claims that were asked for, what surprises first.
#[derive(Clone)]
pub struct Report {
    /// The most men of a table.
    pub men: usize,
    /// The game whose claims are answered; all games if there is none.
    pub game: Option<Game>,
    /// The tags of the claims, if only some were asked for.
    pub only: Vec<String>,
    /// The answers.
    pub answers: Vec<Answer>,
}

/// Answers the claims. Runs in the current rayon pool; the answers do not depend on the
/// number of threads. Answers are kept in the folder of the report, and worked out again
/// only if the tables, the number of men, the program or the user has changed.
///
/// # Errors
/// Any [`ClaimError`]. Claims that were answered before the error are kept.
pub fn report(
    options: &Options,
    supply: &dyn Supply,
    observer: &dyn Observer,
) -> Result<Report, ClaimError> {
    let scope = options.scope(supply);
    let library = Library::new(options.tables.clone());
    let secrets = options.secrets.as_deref();
    let kept = match &options.out {
        Some(out) => Some(Kept::new(out, secrets, options.men, options.game)?),
        None => None,
    };
    let mut hashes = FileHashes::default();
    let entries = options.entries()?;
    let mut answers = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        let claim = &entry.claim;
        if observer.interrupted() {
            return Err(ClaimError::Interrupted);
        }
        observer.begin(place, entries.len(), &claim.tag);
        let needs = entry.needs(&scope);
        for need in &needs {
            supply.ensure(need.game, &need.materials, need.metrics())?;
        }
        library.refresh();
        let (tables, files) = tables(&needs, &options.tables, &mut hashes)?;
        let earlier = kept.as_ref().and_then(|kept| kept.read(claim, &files));
        let was_kept = earlier.is_some();
        let outcome = match earlier {
            Some(outcome) => outcome,
            None => {
                let tallies = kept.as_ref().map(|kept| kept.tallies(claim, &files));
                let tallies = tallies.as_ref().map(|tallies| tallies as &dyn Tallies);
                let study = Study::new(&scope, &library, observer).keeping(tallies);
                let outcome = answer(&study, entry)?;
                if let Some(kept) = &kept {
                    kept.write(claim, &files, &outcome)?;
                }
                outcome
            }
        };
        let answer = Answer {
            claim: Arc::clone(claim),
            tables,
            outcome,
        };
        observer.end(&answer, was_kept);
        answers.push(answer);
    }
    sort(&mut answers);
    Ok(Report {
        men: options.men,
        game: options.game,
        only: match options.only.is_empty() {
            true => Vec::new(),
            false => entries
                .iter()
                .map(|entry| entry.claim.tag.clone())
                .collect(),
        },
        answers,
    })
}

/// Puts surprises first: the least borne out, then the undecided.
fn sort(answers: &mut [Answer]) {
    answers.sort_by(|a, b| {
        let key = |answer: &Answer| {
            let verdict = answer.outcome.verdict;
            let group = Verdict::ALL.into_iter().position(|v| v == verdict);
            // What has no such share comes after what has one.
            (group, answer.outcome.support.unwrap_or(f64::INFINITY))
        };
        let ((a_group, a), (b_group, b)) = (key(a), key(b));
        a_group.cmp(&b_group).then(a.total_cmp(&b))
    });
}

/// The names of all tables that a claim is worked out from, and hashes of their files.
fn tables(
    needs: &[Need],
    folders: &[PathBuf],
    hashes: &mut FileHashes,
) -> Result<(Vec<String>, Vec<String>), ClaimError> {
    let folders: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
    let mut names = Vec::new();
    let mut files = Vec::new();
    for need in needs {
        let materials = (need.materials.iter()).filter(|m| !need.game.needs_no_table(m));
        let suffix = match need.metrics {
            None => String::new(),
            Some(metrics) => metrics.iter().map(|metric| format!(".{metric}")).collect(),
        };
        let mut tables = Vec::new();
        for &material in materials {
            names.push(format!("{} {material}{suffix}", need.game.id()));
            tables.extend(need.metrics().iter().map(|&metric| (material, metric)));
        }
        files.extend(hashes.of(need.game, tables, &folders)?);
    }
    Ok((names, files))
}

/// The folder of kept answers inside that of the report, so that interrupted work goes on where
/// it stopped.
const FOLDER: &str = ".claims";

/// The things that an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct AnswerKey {
    /// The claim, as its table or the definition of a game says it.
    claim: String,
    men: usize,
    game: Option<String>,
    /// The tables that the claim takes, with hashes of their files.
    files: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    key: AnswerKey,
    outcome: Outcome,
}

/// The kept answers of a folder.
struct Kept {
    folder: PathBuf,
    /// The seal, by which nobody else's answers are believed; `None` if there can be no seal, and
    /// nothing is kept.
    seal: Option<Seal>,
    men: usize,
    game: Option<String>,
}

impl Kept {
    /// The answers kept for reports in `out`, which is made if it is not there.
    /// `secrets` is the folder of the user's secret.
    fn new(
        out: &Path,
        secrets: Option<&Path>,
        men: usize,
        game: Option<Game>,
    ) -> Result<Kept, ClaimError> {
        let folder = out.join(FOLDER);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Kept {
            folder,
            seal: secrets.and_then(|folder| Seal::open(folder).ok()),
            men,
            // A game without options asks for some claims, but changes none of them.
            game: game.map(Game::id).filter(|id| id.contains(':')),
        })
    }

    fn path(&self, claim: &Claim) -> PathBuf {
        self.folder.join(format!("{}.json", claim.tag))
    }

    /// The tallies of the classes of a claim that is not answered yet.
    fn tallies(&self, claim: &Claim, files: &[String]) -> KeptTallies<'_> {
        KeptTallies {
            kept: self,
            folder: self.folder.join(&claim.tag),
            key: self.key(claim, files),
        }
    }

    fn key(&self, claim: &Claim, files: &[String]) -> AnswerKey {
        AnswerKey {
            claim: format!("{claim:?}"),
            men: self.men,
            game: self.game.clone(),
            files: files.to_vec(),
        }
    }

    /// The answer of an earlier run, if nothing that it depends on has changed.
    fn read(&self, claim: &Claim, files: &[String]) -> Option<Outcome> {
        let entry: KeptAnswer = self.seal.as_ref()?.read(&self.path(claim)).ok()??;
        (entry.key == self.key(claim, files)).then_some(entry.outcome)
    }

    /// Keeps an answer.
    fn write(&self, claim: &Claim, files: &[String], outcome: &Outcome) -> Result<(), ClaimError> {
        let Some(seal) = &self.seal else {
            return Ok(());
        };
        let entry = KeptAnswer {
            key: self.key(claim, files),
            outcome: outcome.clone(),
        };
        let path = self.path(claim);
        let _lock = lock(&self.folder)?;
        seal.write(&path, &entry).map_err(at(&path))?;
        // They have done their service.
        let _ = fs::remove_dir_all(self.folder.join(&claim.tag));
        Ok(())
    }
}

/// The tally of a class in a file.
#[derive(Serialize, Deserialize)]
struct KeptClass {
    key: AnswerKey,
    tally: KeptTally,
}

/// The tallies of the classes of a claim, in a folder of its own.
struct KeptTallies<'a> {
    kept: &'a Kept,
    folder: PathBuf,
    key: AnswerKey,
}

impl KeptTallies<'_> {
    fn path(&self, walk: &str) -> PathBuf {
        self.folder.join(format!("{walk}.json"))
    }
}

impl Tallies for KeptTallies<'_> {
    fn read(&self, walk: &str, game: Game) -> Option<ClassTally> {
        let seal = self.kept.seal.as_ref()?;
        let entry: KeptClass = seal.read(&self.path(walk)).ok()??;
        (entry.key == self.key).then_some(entry.tally)?.tally(game)
    }

    fn write(&self, walk: &str, tally: &ClassTally) -> Result<(), ClaimError> {
        let Some(seal) = &self.kept.seal else {
            return Ok(());
        };
        fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
        let entry = KeptClass {
            key: self.key.clone(),
            tally: tally.kept(),
        };
        let path = self.path(walk);
        seal.write(&path, &entry).map_err(at(&path))
    }
}

/// Writes a file, which is either there completely or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), ClaimError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let _lock = lock(folder)?;
    replace(path, |file| file.write_all(text.as_bytes())).map_err(at(path))
}

/// Waits for the lock of a folder; nobody holds it for long.
fn lock(folder: &Path) -> Result<Lock, ClaimError> {
    loop {
        let lock = Lock::take(folder, "claims");
        match lock.map_err(|error| at(&error.path)(error.source))? {
            Some(lock) => return Ok(lock),
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// An error at a path.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> ClaimError {
    let path = path.to_owned();
    |source| ClaimError::Io { path, source }
}
