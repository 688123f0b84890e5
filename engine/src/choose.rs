//! The choice of a move: by tables where they decide, else by search.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use retrograde_probe::{Dtm, Dtz, MoveAnswer, ProbeError, Tablebase, Value, Wdl};
use retrograde_rules::{History, Move, Position};

use crate::beyond;
use crate::choice::{Choice, Prospect, Task, reason, unless_damaged};
use crate::clock::Effort;

/// The most plies of a line that are worked out; the longest of tables of up to five men
/// are shorter.
const MOST_LINE_PLIES: usize = 600;

/// The most plies of a line where no table tells how long it takes to the end.
const ENDLESS_LINE: usize = 20;

/// A task with the tables to look into.
pub(crate) struct Attempt<'a> {
    pub(crate) task: &'a Task,
    pub(crate) tables: &'a Tablebase,
    pub(crate) effort: Effort,
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
    chosen.unwrap_or_else(|error| beyond::captures(task, vec![reason(&error)]))
}

/// Something to tell people before all else.
fn note(text: String) -> Choice {
    Choice {
        notes: vec![text],
        ..Choice::default()
    }
}

impl Attempt<'_> {
    /// See [`choose`].
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
            return beyond::search(self, answers, known, stop, report);
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
        beyond::search(&attempt, answers, known, stop, report)
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

/// What is said of a finished game.
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
