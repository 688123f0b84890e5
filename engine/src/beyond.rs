//! The choice of a move above the tables: what a search proves, and where it proves
//! nothing, captures.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use retrograde_probe::{Dtm, MoveAnswer, ProbeError, Value, Wdl};
use retrograde_rules::Move;
use retrograde_search::{Limits, Proof, Search, Stop};

use crate::captures::gain_and_replies;
use crate::choice::{Choice, Prospect, Task, reason, unless_damaged};
use crate::choose::Attempt;
use crate::clock::Effort;

/// How far each move is searched if the position itself is not decided, and for how long
/// altogether unless a time is given.
const SHORT: u16 = 4;
const BRIEF: Duration = Duration::from_millis(100);

/// The least time to find the way of a proof again.
const AGAIN: Duration = Duration::from_millis(10);

/// Searches for a proof, deeper and deeper, then for what each move is worth. `known` is what
/// tables say.
pub(crate) fn search(
    attempt: &Attempt<'_>,
    answers: Vec<MoveAnswer>,
    known: Choice,
    stop: &AtomicBool,
    report: &mut dyn FnMut(Choice),
) -> Result<Choice, ProbeError> {
    let task = attempt.task;
    // Why there is something to search is said first.
    report(known.clone());
    let mut thought = Thought {
        task,
        effort: attempt.effort,
        search: search_of(attempt, false),
        attempt,
        began: Instant::now(),
        choice: Choice {
            notes: Vec::new(),
            ..known
        },
    };
    // Moves to choose from that the other program names are looked at one by one.
    if task.only.is_empty() {
        match thought.whole(stop, report) {
            Ok(true) => return Ok(thought.choice.scored()),
            Ok(false) => {}
            Err(error) => thought.choice.notes.push(reason(&unless_damaged(error)?)),
        }
    }
    thought.each(answers, stop)?;
    Ok(thought.choice.scored())
}

/// The move that captures alone speak for.
pub(crate) fn captures(task: &Task, notes: Vec<String>) -> Choice {
    let position = task.record.position();
    let mut moves: Vec<Move> = match task.only.is_empty() {
        true => position.legal_moves().to_vec(),
        false => task.only.clone(),
    };
    moves.sort_by_cached_key(|&mv| by_captures(task, mv));
    Choice {
        prospects: moves.first().map(|&mv| unknown(mv)).into_iter().collect(),
        notes,
        ..Choice::default()
    }
}

/// A move that nothing is known of.
fn unknown(mv: Move) -> Prospect {
    Prospect {
        moves: vec![mv],
        value: None,
    }
}

/// The order of moves of which nothing is proved: the most material, rather a move than a
/// pass, then the fewest replies.
fn by_captures(task: &Task, mv: Move) -> (Reverse<i32>, bool, usize, String) {
    let position = task.record.position();
    let (gain, replies) = gain_and_replies(position, mv);
    (Reverse(gain), mv.is_pass(), replies, position.uci(mv))
}

/// A search that knows which positions would occur for the third time. A way to win does not
/// come back to where it begins, and so that position counts only for its moves.
fn search_of<'a>(attempt: &Attempt<'a>, of_moves: bool) -> Search<'a> {
    let Task {
        record,
        threads,
        memory,
        ..
    } = attempt.task;
    let mut drawn = record.drawn_next();
    if !of_moves {
        drawn.remove(&record.position().timeless());
    }
    Search::new(attempt.tables, *threads, *memory).drawn(drawn)
}

struct Thought<'a> {
    attempt: &'a Attempt<'a>,
    task: &'a Task,
    effort: Effort,
    search: Search<'a>,
    began: Instant,
    choice: Choice,
}

impl Thought<'_> {
    /// The time that is left of some part of what was given.
    fn left(&self, share: u32) -> Option<Duration> {
        let time = self.effort.time?;
        Some((time / share).saturating_sub(self.began.elapsed()))
    }

    /// The number of positions that may still be searched, if it is limited.
    fn nodes_left(&self) -> Option<u64> {
        let most = self.effort.nodes?;
        Some(most.saturating_sub(self.choice.nodes))
    }

    /// Searches the position itself; returns whether that gave a move to play.
    fn whole(
        &mut self,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Choice),
    ) -> Result<bool, ProbeError> {
        let position = *self.task.record.position();
        let effort = self.effort;
        let most = effort
            .plies
            .unwrap_or(Limits::MOST_PLIES)
            .min(Limits::MOST_PLIES);
        for plies in 1..=most.max(1) {
            let limits = Limits {
                time: self.left(2),
                nodes: self.nodes_left().map(|left| left.max(1)),
                ..Limits::plies(plies)
            };
            let proof = self.search.prove(&position, limits, stop)?;
            self.choice.plies = proof.plies.max(1);
            self.choice.nodes += proof.nodes;
            let out_of = proof.stop.filter(|&stop| stop != Stop::Plies);
            let done = proof.stop.is_none() || out_of.is_some() || plies == most;
            if done {
                return self.conclude(&proof);
            }
            if proof.nodes > 0 {
                report(self.choice.clone());
            }
        }
        Ok(false)
    }

    /// Takes the move that a proof gives.
    fn conclude(&mut self, proof: &Proof) -> Result<bool, ProbeError> {
        let Some(value) = proof.value().filter(|value| value.wdl != Wdl::Draw) else {
            return Ok(false);
        };
        let position = self.task.record.position();
        // The way is remembered, so that finding it again is quick.
        let limits = Limits {
            time: Some(self.left(1).map_or(BRIEF, |left| left.max(AGAIN))),
            ..Limits::plies(proof.proof_plies().unwrap_or(Limits::MOST_PLIES))
        };
        let go_on = AtomicBool::new(false);
        let line = self.search.line(position, proof, limits, &go_on)?;
        let Some(line) = line.filter(|line| !line.moves.is_empty()) else {
            return Ok(false);
        };
        // Within the fifty-move rule the end may take longer than the depth says.
        let dtm = match (value.dtm, line.end) {
            (Some(_), Some(_)) => Some(Dtm(line.moves.len() as u32)),
            (dtm, _) => dtm,
        };
        self.choice.prospects = vec![Prospect {
            moves: line.moves,
            value: Some(Value { dtm, ..value }),
        }];
        Ok(true)
    }

    /// Looks at each move for what time is left, and takes the best: a proved win; then
    /// one that is not decided, or a proved draw if captures do not speak for more; then
    /// the longest loss.
    ///
    /// # Errors
    /// A file is damaged.
    fn each(&mut self, mut answers: Vec<MoveAnswer>, stop: &AtomicBool) -> Result<(), ProbeError> {
        let effort = self.effort;
        if self.task.record.occurrences(self.task.record.position()) > 1 {
            self.search = search_of(self.attempt, true);
        }
        let time = self.left(1).unwrap_or(BRIEF);
        let mut open = answers.iter().filter(|a| a.value.is_none()).count() as u32;
        let stopped = stop.load(Ordering::Relaxed);
        let go_on = AtomicBool::new(false);
        // A thought that has been stopped has a moment left for this.
        let (stop, time) = match stopped {
            true => (&go_on, time.min(BRIEF)),
            false => (stop, time),
        };
        let deadline = Instant::now() + time;
        for answer in answers.iter_mut().filter(|answer| answer.value.is_none()) {
            let plies = effort.plies.map_or(SHORT, |plies| plies.saturating_sub(1));
            let limits = Limits {
                time: Some(deadline.saturating_duration_since(Instant::now()) / open),
                nodes: self
                    .nodes_left()
                    .map(|left| (left / u64::from(open)).max(1)),
                ..Limits::plies(plies)
            };
            open -= 1;
            match self.search.prove(&answer.after, limits, stop) {
                Ok(proof) => {
                    self.choice.nodes += proof.nodes;
                    answer.value = proof.value().map(Value::reversed);
                }
                Err(error) => self.choice.notes.push(reason(&unless_damaged(error)?)),
            }
        }
        // What is worse than the position itself is not the best move.
        if let Some(root) = self.choice.root {
            let may_be_best = |a: &MoveAnswer| a.value.is_none_or(|value| value.wdl <= root.wdl);
            if answers.iter().any(may_be_best) {
                answers.retain(may_be_best);
            }
        }
        let order = |answer: &MoveAnswer| {
            let prospect = by_captures(self.task, answer.mv);
            let dtm = answer
                .value
                .and_then(|value| value.dtm)
                .map_or(0, |Dtm(n)| i64::from(n));
            let (category, distance) = match answer.value.map(|value| value.wdl) {
                Some(Wdl::Win) => (0, dtm),
                Some(Wdl::CursedWin) => (1, dtm),
                None if prospect.0.0 >= 0 => (2, 0),
                Some(Wdl::Draw) => (3, 0),
                None => (4, 0),
                Some(Wdl::BlessedLoss) => (5, -dtm),
                Some(Wdl::Loss) => (6, -dtm),
            };
            let repeated = self.task.record.occurrences(&answer.after);
            (category, distance, repeated, prospect)
        };
        answers.sort_by_cached_key(order);
        let Some(best) = answers.first() else {
            return Ok(());
        };
        let value = best.value.map(|value| Value {
            dtm: value.dtm.map(|Dtm(plies)| Dtm(plies + 1)),
            ..value
        });
        // A win is one whatever the other moves are worth; anything else is the value of
        // the position only if all of them are known.
        let complete = answers.iter().all(|answer| answer.value.is_some());
        self.choice.prospects = vec![Prospect {
            moves: vec![best.mv],
            value: value.filter(|value| complete || value.wdl == Wdl::Win),
        }];
        self.choice.plies = self.choice.plies.max(1);
        Ok(())
    }
}
