//! The line of play to a proved win, and the value of each move.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use retrograde_probe::{Dtm, Line, MoveAnswer, ProbeError, Value, Wdl};
use retrograde_rules::{Move, MoveList, Position};

use crate::ask::{Ask, Halt, Outcome};
use crate::proof::Proof;
use crate::search::{Limits, Run, Search};

impl Search<'_> {
    /// The play that a proof rests on, to the end of the game or as far as search and
    /// tables know it: the winner takes the shortest way that was proved, the loser the
    /// longest, and among equal moves the first by UCI text. Empty for a draw; `None` if
    /// nothing is decided, or if the limits do not suffice to find the line again.
    ///
    /// # Errors
    /// As [`Search::prove`].
    pub fn line(
        &mut self,
        position: &Position,
        proof: &Proof,
        limits: Limits,
        interrupt: &AtomicBool,
    ) -> Result<Option<Line>, ProbeError> {
        let Some((ask, plies)) = proof.way else {
            let is_draw = proof.wdl == Some(Wdl::Draw);
            return Ok(is_draw.then(|| Line::new(Vec::new(), position.end())));
        };
        let mut run = Run::new(self, limits, interrupt);
        match run.follow(position, ask, plies) {
            Ok(line) => Ok(Some(line)),
            Err(Halt::Table(error)) => Err(*error),
            Err(_) => Ok(None),
        }
    }

    /// All legal moves with their values, the best first, like
    /// [`Tablebase::moves`](retrograde_probe::Tablebase::moves); values that no table has
    /// are searched for. The limits are for all moves together, and plies are counted from
    /// the position before them.
    ///
    /// # Errors
    /// As [`Search::prove`].
    pub fn moves(
        &mut self,
        position: &Position,
        limits: Limits,
        interrupt: &AtomicBool,
    ) -> Result<Vec<MoveAnswer>, ProbeError> {
        let mut answers = self.tables().moves(position)?;
        let deadline = limits
            .time
            .and_then(|time| Instant::now().checked_add(time));
        let mut nodes = limits.nodes;
        let mut open = answers
            .iter()
            .filter(|answer| answer.value.is_none())
            .count() as u32;
        for answer in &mut answers {
            if answer.value.is_some() {
                continue;
            }
            let limits = Limits {
                plies: limits.plies.saturating_sub(1),
                time: deadline.map(|end| end.saturating_duration_since(Instant::now()) / open),
                nodes: nodes.map(|nodes| nodes / u64::from(open)),
                ..limits
            };
            let proof = self.prove(&answer.after, limits, interrupt)?;
            nodes = nodes.map(|nodes| nodes.saturating_sub(proof.nodes));
            open -= 1;
            answer.value = proof.value().map(Value::reversed);
        }
        answers.sort_by_cached_key(|answer| {
            let dtm = answer.value.and_then(|value| value.dtm);
            let depth = match (answer.winner(), dtm) {
                (_, None) => i64::MAX,
                (Some(winner), Some(Dtm(plies))) if winner != position.turn() => -i64::from(plies),
                (_, Some(Dtm(plies))) => i64::from(plies),
            };
            let place = (answer.value.is_none(), answer.wdl());
            (place, depth, answer.uci.clone())
        });
        Ok(answers)
    }
}

impl Run<'_, '_> {
    /// The legal moves in the order of their UCI text.
    pub(crate) fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = MoveList::new();
        self.oracle().moves(position, &mut moves);
        let mut moves = moves.to_vec();
        moves.sort_by_cached_key(|&mv| self.oracle().uci(position, mv));
        moves
    }

    /// Whether `plies` are enough.
    pub(crate) fn is_enough(
        &mut self,
        position: &Position,
        plies: u16,
        ask: Ask,
    ) -> Result<bool, Halt> {
        Ok(matches!(self.ask(position, plies, ask)?, Outcome::Yes(_)))
    }

    /// The best play, given that `plies` are proved to be enough and no fewer are.
    fn follow(&mut self, position: &Position, ask: Ask, plies: u16) -> Result<Line, Halt> {
        let mut position = *position;
        let mut line = Vec::new();
        for plies in (0..=plies).rev() {
            let moves = self.moves(&position);
            if moves.is_empty() || plies == 0 || self.oracle().is_known(&position, ask, plies)? {
                break;
            }
            let mut best = None;
            for mv in moves {
                let after = self.oracle().play(&position, mv);
                let is_best = match position.turn() == ask.side {
                    true => self.is_enough(&after, plies - 1, ask)?,
                    false => plies == 1 || !self.is_enough(&after, plies - 2, ask)?,
                };
                if is_best {
                    best = Some((mv, after));
                    break;
                }
                best = best.or(Some((mv, after)));
            }
            let Some((mv, after)) = best else { break };
            line.push(mv);
            position = after;
        }
        let end = position.end();
        if end.is_some() {
            return Ok(Line::new(line, end));
        }
        let rest = match self.oracle().tables().line(&position) {
            Ok(rest) => rest,
            Err(ProbeError::Missing { .. } | ProbeError::Unsupported(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let (rest, end) = rest.map_or((Vec::new(), None), |rest| (rest.moves, rest.end));
        line.extend(rest);
        Ok(Line::new(line, end))
    }
}
