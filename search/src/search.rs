//! Runs the whole search of a position: question after question, with more and more plies.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use retrograde_probe::{ProbeError, Tablebase};
use retrograde_rules::{Position, Setup};

use crate::hold::{Holding, Means};
use crate::lookup::Oracle;
use crate::prove::{MoveHistory, Prover, SharedSearch};
use crate::questions::{Aim, Ask, Halt, Outcome, Proof, Stop};
use crate::state::{RootQuestion, RootState};
use crate::transpositions::Transpositions;

/// The number of positions that one thread visits before it pays to start others.
const ALONE: u64 = 2000;

/// The positions that an attempt to hold for ever may visit before the first ply; twice as
/// many after each.
const FIRST_HOLD: u64 = 500;

/// The share of the search's visits that an attempt to hold may make, if time or nodes are limited:
/// one in this many.
const HOLD_SHARE: u64 = 4;

/// An attempt begins anew when it may visit so many times more.
const HOLD_AGAIN: u64 = 4;

/// The least limit to the positions that an attempt to hold may keep.
const LEAST_HELD: usize = 1 << 14;

/// Perpetual check needs fewer positions than holding by any means.
const CHECKS_SHARE: u64 = 8;

/// The stack of a thread: many times what the largest number of plies needs.
const STACK: usize = 16 << 20;

/// The most plies that are searched on the stack of the caller, who may have little.
const SHALLOW: u16 = 32;

/// The limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most plies, from 0 to [`Limits::MOST_PLIES`].
    pub plies: u16,
    /// The most time.
    pub time: Option<Duration>,
    /// The most positions to visit. Such a search runs on one thread, so that its answer
    /// is always the same.
    pub nodes: Option<u64>,
    /// Whether to continue once it is known who wins, as far as the plies allow, until the
    /// shortest win is known.
    pub shortest: bool,
}

impl Limits {
    /// The largest number of plies.
    pub const MOST_PLIES: u16 = 500;

    /// A number of plies and no other limit, for the shortest win.
    pub fn plies(plies: u16) -> Limits {
        Limits {
            plies: plies.min(Limits::MOST_PLIES),
            time: None,
            nodes: None,
            shortest: true,
        }
    }
}

/// Searches positions of one game, and remembers what it has proved from one search to the
/// next.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use retrograde_probe::{Dtm, Tablebase, Wdl};
/// use retrograde_rules::{Game, Position};
/// use retrograde_search::{Limits, Search};
///
/// let game = Game::parse("kings")?;
/// let tables = Tablebase::empty(game);
/// let mut search = Search::new(&tables, 2, 1 << 20);
/// let position = Position::from_fen(game, "K7/8/2K5/k7/8/k7/8/R6R w - -")?;
/// let proof = search.prove(&position, Limits::plies(1), &AtomicBool::new(false))?;
/// assert_eq!((proof.wdl, proof.dtm), (Some(Wdl::Win), Some(Dtm(1))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search<'a> {
    pub(crate) oracle: Oracle<'a>,
    known: Transpositions,
    histories: Vec<Box<MoveHistory>>,
    /// The most positions of one attempt to hold for ever.
    most_held: usize,
}

impl<'a> Search<'a> {
    /// A search down to the positions in some tables, on a number of threads (at least one),
    /// which remembers what fits into a number of bytes.
    pub fn new(tables: &'a Tablebase, threads: usize, memory: u64) -> Search<'a> {
        Search {
            oracle: Oracle::new(tables),
            known: Transpositions::new(memory),
            histories: (0..threads.max(1)).map(|_| MoveHistory::new()).collect(),
            // What has been proved takes half of the memory or a little more.
            most_held: usize::try_from(memory / 3 / Holding::BYTES)
                .unwrap_or(usize::MAX)
                .max(LEAST_HELD),
        }
    }

    /// Makes positions, given without their clocks, count as drawn, because they would occur for
    /// the third time ([`History::drawn_next`]).
    ///
    /// [`History::drawn_next`]: retrograde_rules::History::drawn_next
    #[must_use]
    pub fn drawn(mut self, drawn: HashSet<Setup>) -> Search<'a> {
        self.oracle.drawn = drawn;
        self
    }

    /// The tables that it searches down to.
    pub fn tables(&self) -> &'a Tablebase {
        self.oracle.tables()
    }

    /// Proves as much about a position as the limits allow. It stops soon after `interrupt`
    /// has been set, with what it has proved so far.
    ///
    /// # Errors
    /// A table cannot be read or is damaged. Missing tables are not an error.
    pub fn prove(
        &mut self,
        position: &Position,
        limits: Limits,
        interrupt: &AtomicBool,
    ) -> Result<Proof, ProbeError> {
        let mut run = Run::new(self, limits, interrupt);
        let mut state = RootState::of(run.oracle(), position);
        let end = run.deepen(position, limits, &mut state);
        let stop = match end {
            Ok(stop) => stop,
            Err(Halt::Limit(stop)) => Some(stop),
            Err(Halt::Table(error)) => return Err(*error),
            Err(Halt::Beaten | Halt::Alone) => None,
        };
        Ok(state.proof(run.nodes(), stop))
    }
}

/// A search within its limits.
pub(crate) struct Run<'s, 'a> {
    search: &'s mut Search<'a>,
    deadline: Option<Instant>,
    most_nodes: Option<u64>,
    nodes: AtomicU64,
    interrupt: &'s AtomicBool,
    /// The number of positions that the last attempt to hold for ever was allowed to visit.
    held_with: u64,
}

impl<'s, 'a> Run<'s, 'a> {
    pub(crate) fn new(
        search: &'s mut Search<'a>,
        limits: Limits,
        interrupt: &'s AtomicBool,
    ) -> Run<'s, 'a> {
        Run {
            search,
            deadline: limits
                .time
                .and_then(|time| Instant::now().checked_add(time)),
            most_nodes: limits.nodes,
            nodes: AtomicU64::new(0),
            interrupt,
            held_with: 0,
        }
    }

    pub(crate) fn oracle(&self) -> &Oracle<'a> {
        &self.search.oracle
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The state that the threads of one question share.
    fn shared(&self) -> SharedSearch<'_> {
        SharedSearch {
            oracle: &self.search.oracle,
            known: &self.search.known,
            deadline: self.deadline,
            most_nodes: self.most_nodes,
            interrupt: self.interrupt,
            nodes: AtomicU64::new(self.nodes()),
        }
    }

    /// Answers a question, on all threads if it takes long.
    pub(crate) fn ask(
        &mut self,
        position: &Position,
        plies: u16,
        ask: Ask,
    ) -> Result<Outcome, Halt> {
        self.search.known.grow();
        let mut histories = std::mem::take(&mut self.search.histories);
        let shared = self.shared();
        let attempt = Attempt {
            shared: &shared,
            found: AtomicBool::new(false),
            position,
            plies,
            ask,
        };
        let several = histories.len() > 1 && self.most_nodes.is_none();
        let mut answer = attempt.by(&mut histories[..1], several.then_some(ALONE));
        if matches!(answer, Err(Halt::Alone)) {
            answer = attempt.by(&mut histories, None);
        }
        self.nodes = shared.nodes;
        self.search.histories = histories;
        answer
    }

    /// Asks with more and more plies until everything is known or the plies are used up.
    fn deepen(
        &mut self,
        position: &Position,
        limits: Limits,
        state: &mut RootState,
    ) -> Result<Option<Stop>, Halt> {
        for plies in 0..=limits.plies.min(Limits::MOST_PLIES) {
            while let Some(next) = state.next(self.oracle(), position, plies, limits.shortest) {
                let asked = match next.fresh_clock {
                    true => self.oracle().at_clock_0(position).unwrap_or(*position),
                    false => *position,
                };
                match self.ask(&asked, plies, next.ask)? {
                    Outcome::Yes(_) => state.record(next, plies, true),
                    Outcome::No(no) => state.record(next, no.max(plies), false),
                }
            }
            state.plies = plies;
            if !state.is_settled(limits.shortest) {
                self.hold(position, plies, state)?;
            }
            if state.is_settled(limits.shortest) {
                return Ok(None);
            }
        }
        Ok(Some(Stop::Plies))
    }

    /// Tries whether the sides can hold for ever, if that is worth it by now.
    fn hold(&mut self, position: &Position, plies: u16, state: &mut RootState) -> Result<(), Halt> {
        // Without other limits the answer may depend on the plies alone.
        let may_visit = match (self.deadline, self.most_nodes) {
            (None, None) => FIRST_HOLD << plies.min(40),
            _ => (self.nodes() / HOLD_SHARE).max(FIRST_HOLD),
        };
        let sides = state.may_draw();
        if sides.is_empty() || may_visit < self.held_with * HOLD_AGAIN {
            return Ok(());
        }
        self.held_with = may_visit;
        let shared = self.shared();
        let most = self.search.most_held;
        let mut attempts = sides.into_iter().map(|side| {
            let by_checks = may_visit / CHECKS_SHARE;
            let holds =
                |means, visits| Holding::new(&shared, side, means, most, visits).holds(position);
            let holds = holds(Means::Checks, by_checks)? == Some(true)
                || holds(Means::Any, may_visit)? == Some(true);
            if holds {
                let aim = Aim::Draw;
                let ask = Ask { side, aim };
                let fresh_clock = false;
                state.record(RootQuestion { ask, fresh_clock }, 0, true);
            }
            Ok(())
        });
        let done = attempts.try_for_each(|attempt| attempt);
        drop(attempts);
        self.nodes = shared.nodes;
        done
    }
}

/// An attempt to answer one question, shared by the threads that take part.
struct Attempt<'a> {
    shared: &'a SharedSearch<'a>,
    found: AtomicBool,
    position: &'a Position,
    plies: u16,
    ask: Ask,
}

impl Attempt<'_> {
    /// The answer of those with these histories, each of whom may visit so many positions
    /// before [`Halt::Alone`].
    fn by(&self, histories: &mut [Box<MoveHistory>], alone: Option<u64>) -> Result<Outcome, Halt> {
        let answer = Mutex::new(Err(Halt::Beaten));
        let seek = &|place: usize, history: &mut MoveHistory| {
            let mut prover = Prover::new(self.shared, &self.found, place, history);
            prover.alone = alone;
            let mine = prover.prove(self.position, self.plies, self.ask);
            prover.tell();
            if mine.is_ok() || matches!(mine, Err(Halt::Table(_))) {
                self.found.store(true, Ordering::Relaxed);
            }
            // An answer takes precedence over why others stopped.
            let mut first = answer.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(*first, Err(Halt::Beaten | Halt::Limit(_)))
                && !matches!(mine, Err(Halt::Beaten))
            {
                *first = mine;
            }
        };
        let mut started = 0;
        if histories.len() > 1 || self.plies > SHALLOW {
            thread::scope(|scope| {
                for (place, history) in histories.iter_mut().enumerate() {
                    let builder = thread::Builder::new().stack_size(STACK);
                    let thread = builder.spawn_scoped(scope, move || seek(place, history));
                    // If a thread cannot be started, the search does without it.
                    started += usize::from(thread.is_ok());
                }
            });
        }
        if started == 0 {
            seek(0, &mut histories[0]);
        }
        answer.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The rest of the limits that several searches share.
pub(crate) struct Allowance<'s> {
    pub(crate) limits: Limits,
    deadline: Option<Instant>,
    pub(crate) interrupt: &'s AtomicBool,
}

impl<'s> Allowance<'s> {
    pub(crate) fn new(limits: Limits, interrupt: &'s AtomicBool) -> Allowance<'s> {
        let end = |time| Instant::now().checked_add(time);
        Allowance {
            limits: Limits {
                plies: limits.plies.min(Limits::MOST_PLIES),
                ..limits
            },
            deadline: limits.time.and_then(end),
            interrupt,
        }
    }

    /// The rest for one search, or an equal share of it for each of several.
    pub(crate) fn share(&self, searches: u32) -> Limits {
        let time = |end: Instant| -> Duration { end.saturating_duration_since(Instant::now()) };
        Limits {
            time: self.deadline.map(|end| time(end) / searches),
            nodes: self.limits.nodes.map(|nodes| nodes / u64::from(searches)),
            ..self.limits
        }
    }

    /// The rest for one search.
    pub(crate) fn left(&self) -> Limits {
        self.share(1)
    }

    pub(crate) fn spend(&mut self, nodes: u64) {
        let left = self.limits.nodes;
        self.limits.nodes = left.map(|left| left.saturating_sub(nodes));
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Colour, Game};

    use super::*;

    #[test]
    fn a_caller_with_little_stack_may_ask_for_the_most_plies() {
        let little = thread::Builder::new().stack_size(STACK / 32);
        let caller = little.spawn(|| {
            let tables = Tablebase::empty(Game::default());
            let position = Position::from_fen(Game::default(), "8/8/8/8/8/7R/8/K1k5 w - - 0 1");
            let (limits, interrupt) = (Limits::plies(Limits::MOST_PLIES), AtomicBool::new(false));
            for nodes in [None, Some(2 * ALONE)] {
                let mut search = Search::new(&tables, 2, 1 << 20);
                let time = Some(Duration::from_millis(100));
                let limits = Limits {
                    time,
                    nodes,
                    ..limits
                };
                let mut run = Run::new(&mut search, limits, &interrupt);
                let ask = Ask {
                    side: Colour::White,
                    aim: Aim::Win,
                };
                // The first way that is tried is followed to its end.
                let answer = run.ask(&position.clone().expect("it is one"), limits.plies, ask);
                assert!(matches!(answer, Err(Halt::Limit(_))), "{answer:?}");
                assert!(run.nodes() > u64::from(Limits::MOST_PLIES));
            }
        });
        caller.expect("it starts").join().expect("it fits");
    }
}
