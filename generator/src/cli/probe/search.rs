//! Proves by search what tables do not say, if possible, for `retrograde probe --search`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use retrograde_probe::{Dtm, Line, MoveAnswer, ProbeError, Tablebase, Value, Wdl};
use retrograde_rules::Position;
use retrograde_search::{Limits, Proof, Search, Solution};

use super::{Found, Trouble};
use crate::cli::folders::Folders;
use crate::cli::interrupt::Interrupt;
use crate::cli::numbers::{parse_size, positive, whole};
use crate::cli::terminal::message;
use crate::cli::threads::Threads;

/// The longest win whose solution is shown, in plies.
const SHORT: u32 = 11;

/// The memory for what has been proved, unless another size is given.
const MEMORY: u64 = 256 << 20;

/// How far to search where no table has the answer.
#[derive(clap::Args)]
pub(super) struct SearchOptions {
    /// If no table has the answer, search up to this many plies for a proof
    #[arg(long = "search", value_name = "PLIES", allow_negative_numbers = true)]
    #[arg(value_parser = whole(1..=Limits::MOST_PLIES))]
    plies: Option<u16>,
    /// Search each position, and with --moves all of its moves, for at most this many
    /// seconds in all; without --search, only until it is known who wins. --line and
    /// the solution of a short mate may each take as much again
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Search at most this many positions, on one thread
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = positive)]
    nodes: Option<u64>,
    /// The memory for what the search has proved, such as 512M or 2G [default:
    /// 256M]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    #[command(flatten)]
    threads: Threads,
}

/// Reads a number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "write a number of seconds, such as 10 or 0.5".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    match seconds > 0.0 && seconds <= 1e9 {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(wrong()),
    }
}

/// The result of a search.
pub(in crate::cli) struct Searched {
    pub(in crate::cli) proof: Proof,
    /// Whether the answer is that of the search rather than of tables.
    pub(in crate::cli) decides: bool,
    /// The solution of a short win of the side to move.
    pub(in crate::cli) solution: Option<Solution>,
}

/// Searches one position after another.
pub(super) struct Searcher<'a> {
    search: Search<'a>,
    limits: Limits,
    /// Set while there is something to stop.
    busy: Arc<AtomicBool>,
    /// Whether Ctrl-C has stopped a search, which then reports what it knows.
    stop: Interrupt,
}

impl SearchOptions {
    /// Whether a search is asked for.
    pub(super) fn are_given(&self) -> bool {
        self.plies.is_some() || self.time.is_some() || self.nodes.is_some()
    }

    /// The searcher, if a search is asked for.
    pub(super) fn searcher<'a>(&self, tables: &'a Tablebase) -> Option<Searcher<'a>> {
        if !self.are_given() {
            return None;
        }
        let threads = self.threads.count();
        let threads = threads.or(available_parallelism().ok().map(usize::from));
        let busy = Arc::new(AtomicBool::new(false));
        let is_busy = Arc::clone(&busy);
        Some(Searcher {
            search: Search::new(tables, threads.unwrap_or(1), self.memory.unwrap_or(MEMORY)),
            limits: Limits {
                plies: self.plies.unwrap_or(Limits::MOST_PLIES),
                time: self.time,
                nodes: self.nodes,
                // Without a number of plies it might go on for ever.
                shortest: self.plies.is_some(),
            },
            busy,
            stop: Interrupt::listen_while(
                move || is_busy.load(Ordering::Relaxed),
                "interrupted: reporting what is known so far; Ctrl-C again stops at once",
                message,
            ),
        })
    }
}

impl Searcher<'_> {
    /// Whether no more answers are wanted.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.happened()
    }

    /// Completes what is known about a position: its value, and moves and best play if
    /// asked for.
    pub(super) fn add(
        &mut self,
        found: &mut Found,
        folders: &Folders,
        (moves, line): (bool, bool),
    ) -> Result<(), Trouble> {
        self.busy.store(true, Ordering::Relaxed);
        let added = self.add_all(found, (moves, line));
        self.busy.store(false, Ordering::Relaxed);
        added.map_err(|error| Trouble::of_probe(folders, &error))
    }

    fn add_all(
        &mut self,
        found: &mut Found,
        (moves, line): (bool, bool),
    ) -> Result<(), ProbeError> {
        let (search, limits, stop) = (&mut self.search, self.limits, self.stop.flag());
        let position = found.position;
        let began = Instant::now();
        let own = if moves { half(limits) } else { limits };
        let proof = search.prove(&position, own, stop)?;
        let mut decides = merge(found, &proof);
        if moves {
            let left = Limits {
                time: limits.time.map(|time| time.saturating_sub(began.elapsed())),
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(proof.nodes)),
                ..limits
            };
            let answers = search.moves(&position, &proof, left, stop)?;
            if let Ok(answer) = &mut found.answer
                && answer.value.dtm.is_none()
                && let Some(depth) = depth(answer.value.wdl, &answers)
            {
                answer.value.dtm = Some(depth);
                decides = true;
            }
            found.moves = Some(answers);
        }
        if line {
            let value = found.value();
            let best = match value {
                Some(value) => {
                    search.best_line(&position, value, found.moves.as_deref(), limits, stop)?
                }
                None => None,
            };
            if let (Ok(answer), Some(best)) = (&mut found.answer, &best)
                && answer.value.dtm.is_none()
                && let Some(depth) = length(&position, best)
            {
                answer.value.dtm = Some(depth);
                decides = true;
            }
            found.line = Some(best);
        }
        let is_short = proof.dtm.is_some_and(|Dtm(plies)| plies <= SHORT);
        let solution = match is_short {
            true => search.solution(&position, &proof, limits, stop)?,
            false => None,
        };
        found.searched = Some(Searched {
            proof,
            decides,
            solution,
        });
        Ok(())
    }
}

/// The limits of a position itself where its moves are searched, too.
fn half(limits: Limits) -> Limits {
    Limits {
        time: limits.time.map(|time| time / 2),
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)),
        ..limits
    }
}

/// The plies to the end that follow from the moves of a position that is won or lost, if no
/// move that is not known can change them.
fn depth(wdl: Wdl, moves: &[MoveAnswer]) -> Option<Dtm> {
    let values: Vec<Value> = moves.iter().map(|mv| mv.value).collect::<Option<_>>()?;
    // From the view of the side that moves, as `wdl` is.
    let depths = |kept: fn(Wdl) -> bool| -> Option<Vec<u32>> {
        let kept = values.iter().filter(|value| kept(value.wdl));
        kept.map(|value| value.dtm.map(|Dtm(plies)| plies))
            .collect()
    };
    let plies = match wdl {
        Wdl::Win | Wdl::CursedWin => depths(Wdl::is_win)?.into_iter().min(),
        Wdl::Draw => None,
        Wdl::BlessedLoss | Wdl::Loss => depths(|_| true)?.into_iter().max(),
    };
    Some(Dtm(plies?.checked_add(1)?))
}

/// The plies to the end that follow from best play. If it ends within the fifty-move rule,
/// there is no shorter way beyond that rule.
fn length(position: &Position, best: &Line) -> Option<Dtm> {
    let game = position.game();
    let plies = u32::try_from(best.moves.len()).ok()?;
    let is_in_time = |limit| position.halfmoves().saturating_add(plies) <= limit;
    let tells = plies > 0 && game.vitality().is_none();
    let tells = tells && game.zeroing_limit().is_none_or(is_in_time);
    tells.then_some(Dtm(plies))
}

/// Fills in what was proved where tables do not tell; returns whether it did.
fn merge(found: &mut Found, proof: &Proof) -> bool {
    match &mut found.answer {
        Ok(answer) => {
            let is_new = answer.value.dtm.is_none() && proof.dtm.is_some();
            if is_new {
                answer.value.dtm = proof.dtm;
            }
            is_new
        }
        Err(trouble) => {
            let Some(answer) = proof.answer(&found.position) else {
                let told = &trouble.error.message;
                trouble.error.message = format!("{}; {told}", proof.undecided());
                return false;
            };
            found.answer = Ok(answer);
            true
        }
    }
}
