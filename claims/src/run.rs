//! Working out the report, claim by claim.

use std::path::{Path, PathBuf};

use retrograde_folder::FileHashes;
use retrograde_probe::Metric;
use retrograde_rules::{Game, Material};

use crate::claim::{Claim, Outcome};
use crate::error::ClaimError;
use crate::kept::Kept;
use crate::need::Need;
use crate::scope::{Observer, Scope, Supply};
use crate::study::Study;
use crate::tables::Library;
use crate::{CLAIMS, Verdict};

/// What the report is about, and where it goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The table folders, in order of search.
    pub tables: Vec<PathBuf>,
    /// The folder that the report is written to.
    pub out: PathBuf,
    /// The folder of the user's secret, without which no answers are kept: see
    /// [`retrograde_folder::Seal`].
    pub secrets: Option<PathBuf>,
    /// The most men of a table.
    pub men: usize,
    /// The game whose claims are answered, maybe with options; all games by default.
    pub game: Option<Game>,
    /// The tags of the claims that are answered; all by default.
    pub only: Vec<String>,
}

impl Options {
    /// The tables that the claims are worked out from: materials of a game, and metrics.
    pub fn tables_needed(
        &self,
        supply: &dyn Supply,
    ) -> Vec<(Game, Vec<Material>, &'static [Metric])> {
        let scope = self.scope(supply);
        let needs = self
            .claims()
            .into_iter()
            .flat_map(|claim| (claim.needs)(&scope));
        let needs = needs.map(|need| (need.game, need.materials.clone(), need.metrics()));
        needs.collect()
    }

    fn scope<'a>(&self, supply: &'a dyn Supply) -> Scope<'a> {
        Scope {
            men: self.men,
            variant: self.game.map(|game| (game.name().to_owned(), game)),
            supply,
        }
    }

    /// The claims that are asked for, in the order of [`CLAIMS`](crate::claims).
    pub fn claims(&self) -> Vec<&'static Claim> {
        let of_game = |claim: &&Claim| {
            let name = self.game.map(Game::name);
            name.is_none_or(|name| claim.games.contains(&name))
        };
        let named = |claim: &&Claim| {
            self.only.is_empty()
                || self
                    .only
                    .iter()
                    .any(|tag| tag.eq_ignore_ascii_case(claim.tag))
        };
        let all = CLAIMS.iter().flat_map(|claims| claims.iter().copied());
        all.filter(of_game).filter(named).collect()
    }
}

/// The answer to a claim.
#[derive(Clone)]
pub struct Answer {
    /// The claim.
    pub claim: &'static Claim,
    /// The tables that it was worked out from.
    pub(crate) tables: Vec<String>,
    pub(crate) outcome: Outcome,
}

impl Answer {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.outcome.verdict
    }

    /// The FENs of the examples, each with its game and what the report says of it: the
    /// category for the side to move.
    pub fn examples(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let examples = self.outcome.examples.iter();
        examples.map(|e| {
            (
                e.says.game.as_str(),
                e.fen.as_str(),
                e.says.category.as_str(),
            )
        })
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
    pub only: Vec<&'static str>,
    /// The answers.
    pub answers: Vec<Answer>,
}

/// Answers the claims. Runs in the current rayon pool; the answers do not depend on the
/// number of threads. Answers are kept in the folder of the report, and worked out again
/// only if the tables, the number of men, the program or the user has changed.
///
/// # Errors
/// See [`ClaimError`]. Claims that were answered before the error are kept.
pub fn report(
    options: &Options,
    supply: &dyn Supply,
    observer: &dyn Observer,
) -> Result<Report, ClaimError> {
    let scope = options.scope(supply);
    let library = Library::new(options.tables.clone());
    let secrets = options.secrets.as_deref();
    let kept = Kept::new(&options.out, secrets, options.men, options.game)?;
    let mut hashes = FileHashes::default();
    let claims = options.claims();
    let mut answers = Vec::new();
    for (place, &claim) in claims.iter().enumerate() {
        if observer.interrupted() {
            return Err(ClaimError::Interrupted);
        }
        observer.begin(place, claims.len(), claim.tag);
        let needs = (claim.needs)(&scope);
        for need in &needs {
            supply.ensure(need.game, &need.materials, need.metrics())?;
        }
        library.refresh();
        let (tables, files) = tables(&needs, &options.tables, &mut hashes)?;
        let earlier = kept.read(claim, &files);
        let was_kept = earlier.is_some();
        let outcome = match earlier {
            Some(outcome) => outcome,
            None => {
                let study = Study::new(&scope, &library, observer);
                let outcome = claim.answer(&study)?;
                kept.write(claim, &files, &outcome)?;
                outcome
            }
        };
        observer.end(claim.tag, outcome.verdict, was_kept);
        answers.push(Answer {
            claim,
            tables,
            outcome,
        });
    }
    sort(&mut answers);
    Ok(Report {
        men: options.men,
        game: options.game,
        only: match options.only.is_empty() {
            true => Vec::new(),
            false => claims.iter().map(|claim| claim.tag).collect(),
        },
        answers,
    })
}

/// What surprises first: the least borne out, then the undecided.
fn sort(answers: &mut [Answer]) {
    answers.sort_by(|a, b| {
        let key = |answer: &Answer| {
            let group = match answer.outcome.verdict {
                Verdict::Fails => 0,
                Verdict::HoldsMostly => 1,
                Verdict::Holds => 2,
                Verdict::NotDecidable => 3,
            };
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
