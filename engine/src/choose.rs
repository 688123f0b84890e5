//! Chooses the move to play: by tables, else by a proof of the search, else by captures alone.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use retrograde_probe::{Dtm, Dtz, MoveAnswer, ProbeError, Tablebase, Value, Wdl};
use retrograde_rules::{History, Move, Position};
use retrograde_search::{Limits, Proof, Search, Stop, gain};

use crate::clock::Effort;
use crate::tables::Tables;

/// The most plies of a line that are worked out; the longest of tables of up to five men
/// are shorter.
const MOST_LINE_PLIES: usize = 600;

/// The most plies of a line where no table tells how long it takes to the end.
const ENDLESS_LINE: usize = 20;

/// A task with the tables to look into.
struct Attempt<'a> {
    task: &'a Task,
    tables: &'a Tablebase,
    effort: Effort,
}

/// Chooses a move. It comes to its end soon after `stop` has been set; `report` gets what
/// is known in between.
pub(crate) fn choose(task: &Task, stop: &AtomicBool, report: &mut dyn FnMut(Choice)) -> Choice {
    let position = task.record.position();
    if position.legal_moves().is_empty() {
        return finished(position);
    }
    let began = Instant::now();
    let report = RefCell::new(report);
    let say = |choice| report.borrow_mut()(choice);
    let chosen = task.tables.ask(
        |told| say(note(told)),
        |tables| {
            let time = task.effort.time;
            let attempt = Attempt {
                task,
                tables,
                effort: Effort {
                    time: time.map(|time| time.saturating_sub(began.elapsed())),
                    ..task.effort
                },
            };
            attempt.choose(stop, &mut |choice| say(choice))
        },
    );
    chosen.unwrap_or_else(|error| captures(task, vec![reason(&error)]))
}

/// A choice without a move, which only tells people something.
fn note(text: String) -> Choice {
    Choice {
        notes: vec![text],
        ..Choice::default()
    }
}

impl Attempt<'_> {
    /// Chooses a move, as [`choose`] does.
    ///
    /// # Errors
    /// A file is damaged.
    fn choose(
        &self,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Choice),
    ) -> Result<Choice, ProbeError> {
        let task = self.task;
        let mut notes = Vec::new();
        let root = match self.tables.probe_in_game(&task.record) {
            Ok(answer) => Some(answer.value),
            Err(error) => {
                notes.push(reason(&unless_damaged(error)?));
                None
            }
        };
        let mut answers = match self.tables.moves_in_game(&task.record) {
            Ok(answers) => answers,
            // The tables contradict each other: it is as if there were none at all.
            Err(error) => {
                let reason = reason(&unless_damaged(error)?);
                if !notes.contains(&reason) {
                    notes.push(reason);
                }
                return self.without_tables(notes, stop, report);
            }
        };
        let best = answers.first().and_then(MoveAnswer::wdl);
        let hidden = root.filter(|&root| {
            root.wdl.is_win() && best.is_some_and(Wdl::is_win) && !reaches(&answers, root)
        });
        if !task.only.is_empty() {
            answers.retain(|answer| task.only.contains(&answer.mv));
        }
        let mut hits = answers.iter().filter(|a| a.value.is_some()).count() as u64;
        // The other moves come no nearer to the end.
        if let Some(root) = hidden
            && answers.iter().any(|answer| may_be_nearer(answer, root))
        {
            answers.retain(|answer| may_be_nearer(answer, root));
        }
        // Some of the moves need not be as good as the position.
        let reached = root.filter(|_| task.only.is_empty());
        if !self.is_decided(&answers, root) {
            if root.is_some() {
                let unknown = answers.iter().find(|answer| answer.value.is_none());
                let why = unknown.and_then(|answer| self.tables.probe(&answer.after).err());
                notes.extend(why.map(|error| reason(&error)));
            }
            let known = Choice {
                root: reached,
                hits,
                notes,
                ..Choice::default()
            };
            return search(self, answers, known, stop, report);
        }
        self.order(&mut answers)?;
        let mut prospects = Vec::new();
        for answer in answers.iter().take(task.lines.max(1)) {
            let (moves, value, probed) = follow(self.tables, task.record.clone(), answer, stop)?;
            hits += probed;
            prospects.push(Prospect { moves, value });
        }
        let choice = Choice {
            prospects,
            root: reached,
            plies: 1,
            hits,
            notes,
            ..Choice::default()
        };
        Ok(choice.scored())
    }

    /// Whether the tables say which of these moves, best first, is the best: all are known, or
    /// none can be better; and if one wins, it is known to come nearer to the end.
    fn is_decided(&self, answers: &[MoveAnswer], root: Option<Value>) -> bool {
        let Some((first, best)) = answers.first().and_then(|a| Some((a, a.value?))) else {
            return false;
        };
        let complete = answers.iter().all(|answer| answer.value.is_some())
            || best.wdl == Wdl::Win
            || root.is_some_and(|root| root.wdl == best.wdl);
        let has_distance = |value: Value| value.dtm.is_some() || value.dtz.is_some();
        // Tables may have a distance that the game so far makes longer.
        let nearer = || {
            first.end.is_some()
                || first.after.vitality().is_some()
                || has_distance(best)
                || self.tables.value(&first.after).is_ok_and(has_distance)
        };
        complete && (!best.wdl.is_win() || nearer())
    }

    /// Searches without any table.
    fn without_tables(
        &self,
        notes: Vec<String>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(Choice),
    ) -> Result<Choice, ProbeError> {
        let none = Tablebase::empty(self.tables.game());
        let mut answers = none.moves_in_game(&self.task.record)?;
        if !self.task.only.is_empty() {
            answers.retain(|answer| self.task.only.contains(&answer.mv));
        }
        let attempt = Attempt {
            tables: &none,
            ..*self
        };
        let known = Choice {
            notes,
            ..Choice::default()
        };
        search(&attempt, answers, known, stop, report)
    }

    /// Puts the move to play first: among those of the same category, one that does not repeat
    /// a position of the game, be it for the second time only; and where no table says how far the end is, the one that comes
    /// nearest to a capture or pawn move.
    fn order(&self, answers: &mut Vec<MoveAnswer>) -> Result<(), ProbeError> {
        let record = &self.task.record;
        let Some(best) = answers.first().and_then(|best| best.value) else {
            return Ok(());
        };
        let repeats = |answer: &MoveAnswer| {
            best.wdl.is_win()
                && answer.wdl() == Some(best.wdl)
                && record.occurrences(&answer.after) > 0
        };
        let zeroing = |answer: &MoveAnswer| match (best.wdl, best.dtm, answer.value) {
            (wdl, None, Some(value)) if wdl.is_win() && value.wdl == wdl => {
                match answer.mv.is_zeroing() || answer.end.is_some() {
                    true => 0,
                    false => value.dtz.map_or(u32::MAX, |dtz| dtz.0),
                }
            }
            _ => 0,
        };
        // Whoever has no win waits for a mistake; where there are distances a lost game is
        // drawn out instead.
        let may_trap = match record.position().game().vitality() {
            None => best.wdl == Wdl::Draw,
            Some(_) => best.wdl == Wdl::Loss,
        };
        let mut ordered = Vec::with_capacity(answers.len());
        for answer in answers.drain(..) {
            let traps = match may_trap && answer.wdl() == Some(best.wdl) {
                true => losing_replies(self.tables, &answer)?,
                false => 0,
            };
            let category = (answer.value.is_none(), answer.wdl());
            // A pass changes nothing for the better.
            let idle = may_trap && answer.mv.is_pass();
            let key = (category, repeats(&answer), zeroing(&answer), -traps, idle);
            ordered.push((key, answer));
        }
        ordered.sort_by_key(|&(key, _)| key);
        answers.extend(ordered.into_iter().map(|(_, answer)| answer));
        Ok(())
    }
}

/// The choice in a finished game: none.
fn finished(position: &Position) -> Choice {
    let end = position.end();
    let winner = end.and_then(|end| end.winner(position.turn()));
    let value = Value {
        dtm: winner.map(|_| Dtm(0)),
        ..Value::without_distances(Wdl::of_winner(winner, position.turn()))
    };
    Choice {
        root: Some(value),
        notes: vec![match end {
            Some(end) => format!("the game is over: {}", end.name()),
            None => "there is no legal move".to_owned(),
        }],
        ..Choice::default()
    }
}

/// Whether one of the moves that tables know is as good as the value of the position says that
/// the best one is. If none is, the best one leads to a table that is missing.
fn reaches(answers: &[MoveAnswer], value: Value) -> bool {
    answers.iter().any(|answer| {
        let Some(left) = answer
            .value
            .filter(|left| left.wdl.is_win() == value.wdl.is_win())
        else {
            return false;
        };
        match (value.dtm, value.dtz) {
            (Some(Dtm(plies)), _) => left.dtm.is_some_and(|Dtm(left)| left + 1 == plies),
            (None, Some(Dtz(1))) if answer.mv.is_zeroing() => true,
            (None, Some(Dtz(plies))) => left.dtz.is_some_and(|Dtz(left)| left + 1 == plies),
            (None, None) => true,
        }
    })
}

/// Whether a move may come nearer to a win although no table says so.
fn may_be_nearer(answer: &MoveAnswer, root: Value) -> bool {
    answer.value.is_none_or(|left| {
        let is_far = match root.dtm {
            Some(_) => left.dtm.is_none(),
            None => left.dtz.is_none(),
        };
        left.wdl.is_win() && is_far
    })
}

/// The share of the replies to a move that lose, in thousandths.
fn losing_replies(tables: &Tablebase, answer: &MoveAnswer) -> Result<i64, ProbeError> {
    let replies = match tables.moves(&answer.after) {
        Ok(replies) => replies,
        Err(error) => return unless_damaged(error).map(|_| 0),
    };
    let loses = |reply: &&MoveAnswer| reply.wdl() == Some(Wdl::Loss);
    let losing = replies.iter().filter(loses).count() as i64;
    Ok(1000 * losing / (replies.len() as i64).max(1))
}

/// A move with the best play after it, its value counted from the position before it, and
/// the number of positions that tables were asked for.
fn follow(
    tables: &Tablebase,
    mut game: History,
    first: &MoveAnswer,
    stop: &AtomicBool,
) -> Result<(Vec<Move>, Option<Value>, u64), ProbeError> {
    let mut moves = vec![first.mv];
    let mut hits = 0;
    let Some(value) = first.value else {
        return Ok((moves, None, hits));
    };
    let most = match (value.wdl, value.dtm) {
        (Wdl::Draw, _) => 0,
        (_, None) => ENDLESS_LINE,
        (_, Some(_)) => MOST_LINE_PLIES,
    };
    let mut end = first.end;
    game.play(first.mv);
    // For the side to move.
    let mut left = value.reversed();
    while end.is_none() && moves.len() < most && !stop.load(Ordering::Relaxed) {
        // That the line comes back to a position is all that has to be avoided here.
        let drawn = game.drawn_next();
        let answers = match tables.moves(game.position()) {
            Ok(answers) => answers,
            Err(error) => {
                unless_damaged(error)?;
                break;
            }
        };
        hits += answers.len() as u64;
        // Behind a table that is missing the line would go round in circles.
        if !reaches(&answers, left) {
            break;
        }
        let mut going_on = answers
            .iter()
            .filter(|answer| !drawn.contains(&answer.after.timeless()));
        let Some((best, value)) = going_on.next().and_then(|best| Some((best, best.value?))) else {
            break;
        };
        moves.push(best.mv);
        game.play(best.mv);
        (end, left) = (best.end, value.reversed());
    }
    let value = Value {
        dtm: match (value.dtm, end) {
            // Within the fifty-move rule the end may take longer than the depth says.
            (Some(_), Some(_)) => Some(Dtm(moves.len() as u32)),
            (Some(Dtm(plies)), None) => Some(Dtm(plies + 1)),
            (None, _) => first.end.filter(|_| value.wdl != Wdl::Draw).map(|_| Dtm(1)),
        },
        ..value
    };
    Ok((moves, Some(value), hits))
}

/// The task of choosing a move.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) tables: Arc<Tables>,
    pub(crate) record: History,
    /// The only moves to choose from; empty for all.
    pub(crate) only: Vec<Move>,
    pub(crate) effort: Effort,
    pub(crate) threads: usize,
    /// Memory for what a search has proved, in bytes.
    pub(crate) memory: u64,
    /// The number of moves to report on, the best first.
    pub(crate) lines: usize,
}

/// A move that was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Prospect {
    /// The move, and the best play after it as far as it is known.
    pub(crate) moves: Vec<Move>,
    /// The value of the position if that is played, for the side to move; `None` if it is
    /// not known.
    pub(crate) value: Option<Value>,
}

/// The result of a thought.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The best moves, the one to play first; none if the game is over.
    pub(crate) prospects: Vec<Prospect>,
    /// The value that rules or tables give the position itself, for the side to move, whatever is
    /// known of its moves.
    pub(crate) root: Option<Value>,
    /// The number of plies that were searched; 1 where tables knew everything.
    pub(crate) plies: u16,
    /// The number of positions searched.
    pub(crate) nodes: u64,
    /// The number of positions that tables were asked for.
    pub(crate) hits: u64,
    /// Notes for people, such as that a table is missing.
    pub(crate) notes: Vec<String>,
}

impl Choice {
    /// The move to play.
    pub(crate) fn best(&self) -> Option<Move> {
        self.prospects.first()?.moves.first().copied()
    }

    /// Adds the value that a table has of the position where nothing is known of the best move, or
    /// not how far the end is.
    pub(crate) fn scored(mut self) -> Choice {
        if let (Some(root), Some(best)) = (self.root, self.prospects.first_mut()) {
            let says_more =
                |value: Value| value.wdl == root.wdl && value.dtm.is_none() && root.dtm.is_some();
            if best.value.is_none_or(says_more) {
                best.value = Some(root);
            }
        }
        self
    }

    /// The value of the position, if it is known.
    pub(crate) fn value(&self) -> Option<Value> {
        match self.prospects.first() {
            Some(best) => best.value,
            None => self.root,
        }
    }
}

/// The reason why there is no answer, in few words.
fn reason(error: &ProbeError) -> String {
    match error {
        ProbeError::Missing {
            game,
            material,
            metric,
            ..
        } => {
            let material = material.name_in(game);
            match metric {
                None => format!("no table {material}"),
                Some(metric) => format!("no table {material}.{metric}"),
            }
        }
        ProbeError::Unsupported(why) => format!("no table of the position: {why}"),
        _ => format!("no table: {error}"),
    }
}

/// The error, unless it is that a file is damaged: then there is another try without that file.
///
/// # Errors
/// A file is damaged.
fn unless_damaged(error: ProbeError) -> Result<ProbeError, ProbeError> {
    match error {
        ProbeError::Table { .. } => Err(error),
        error => Ok(error),
    }
}

/// The plies that each move is searched if the position itself is not decided, and for how long
/// altogether unless a time is given.
const SHORT: u16 = 4;
const BRIEF: Duration = Duration::from_millis(100);

/// The least time to find the way of a proof again.
const AGAIN: Duration = Duration::from_millis(10);

/// Searches for a proof, deeper and deeper, then for what each move is worth. `known` is what
/// tables say.
fn search(
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
fn captures(task: &Task, notes: Vec<String>) -> Choice {
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

/// The gain of a move less the most that a reply gains, and the number of replies.
fn gain_and_replies(position: &Position, mv: Move) -> (i32, usize) {
    let after = position.play(mv);
    let replies = after.legal_moves();
    let lost = replies.iter().map(|&reply| gain(&after, reply)).max();
    (gain(position, mv) - lost.unwrap_or(0), replies.len())
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Game;

    use super::*;

    #[test]
    fn material_is_counted_after_the_best_reply() {
        let fen = "4k3/8/2p5/3p4/4P3/8/8/3QK3 w - -";
        let position = Position::from_fen(Game::default(), fen).unwrap();
        let of = |text| gain_and_replies(&position, position.parse_uci(text).unwrap()).0;
        assert_eq!(of("e4d5"), 0);
        assert_eq!(of("d1d5"), 1 - 9);
        assert_eq!(of("e1e2"), -1);
        assert_eq!(of("e4e5"), 0);
    }
}
