//! The play that a proof rests on, and the value of each move.

use std::sync::atomic::AtomicBool;

use retrograde_probe::{Dtm, Line, MoveAnswer, ProbeError, Value, Wdl};
use retrograde_rules::{Colour, Move, MoveList, Position};

use crate::allowance::Allowance;
use crate::ask::{Aim, Ask, Halt, Outcome};
use crate::best::sort;
use crate::proof::{Proof, Way};
use crate::search::{Limits, Run, Search};

impl Search<'_> {
    /// The play that a proof rests on, to the end of the game or as far as search and
    /// tables know it. It keeps the category at the half-move clock first (O7); then the
    /// winner takes the shortest way that was proved, the loser the longest, and among
    /// equal moves the first by UCI text is played. Empty for a draw; `None` if
    /// nothing is decided, if not even the first move is known, or if the limits do not
    /// suffice to find the line again.
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
        let is_draw = proof.wdl == Some(Wdl::Draw);
        let Some(way) = proof.way else {
            return Ok(is_draw.then(|| Line::new(Vec::new(), position.end())));
        };
        let mut run = Run::new(self, limits, interrupt);
        match run.line(position, way, proof.plies) {
            Ok(line) if !is_draw && line.moves.is_empty() && line.end.is_none() => Ok(None),
            Ok(line) => Ok(Some(line)),
            Err(Halt::Table(error)) => Err(*error),
            Err(_) => Ok(None),
        }
    }

    /// All legal moves with their values, the best first, like
    /// [`Tablebase::moves`](retrograde_probe::Tablebase::moves); values that no table has
    /// are searched for. The limits are for all moves together, and plies are counted from
    /// the position before them. `proof` is what was proved about that position: the first move
    /// of its line is worth as much.
    ///
    /// # Errors
    /// As [`Search::prove`].
    pub fn moves(
        &mut self,
        position: &Position,
        proof: &Proof,
        limits: Limits,
        interrupt: &AtomicBool,
    ) -> Result<Vec<MoveAnswer>, ProbeError> {
        let mut answers = self.tables().moves(position)?;
        let mut left = Allowance::new(limits, interrupt);
        let before: Vec<Option<Value>> = answers.iter().map(|answer| answer.value).collect();
        let mut open = before.iter().filter(|value| value.is_none()).count() as u32;
        // A share is left for the line.
        open += u32::from(open > 0);
        for answer in &mut answers {
            if answer.value.is_some() {
                continue;
            }
            let limits = Limits {
                plies: left.limits.plies.saturating_sub(1),
                ..left.share(open)
            };
            let proof = self.prove(&answer.after, limits, interrupt)?;
            left.spend(proof.nodes);
            open -= 1;
            answer.value = proof.value().map(Value::reversed);
        }
        let lacks_depth =
            |value: Value| proof.dtm.is_some() && value.wdl != Wdl::Draw && value.dtm.is_none();
        if answers.iter().any(|mv| mv.value.is_none_or(lacks_depth))
            && let Some((best, value)) = self.best_move(position, proof, left.left(), interrupt)?
            && let Some(best) = answers.iter_mut().find(|answer| answer.mv == best)
        {
            match &mut best.value {
                Some(known) => known.dtm = known.dtm.or(value.dtm),
                none => *none = Some(value),
            }
        }
        // What tables know alone is in order.
        if !answers.iter().map(|answer| answer.value).eq(before) {
            sort(&mut answers);
        }
        Ok(answers)
    }

    /// The first move of the line of a proof and its value, the plies counted from the position
    /// after it. `None` beyond the limit of the fifty-move rule, where the move may be worth more
    /// than the position.
    fn best_move(
        &mut self,
        position: &Position,
        proof: &Proof,
        limits: Limits,
        interrupt: &AtomicBool,
    ) -> Result<Option<(Move, Value)>, ProbeError> {
        let both = proof.value().zip(proof.way);
        let Some((value, way)) = both.filter(|_| !self.oracle.is_late(position)) else {
            return Ok(None);
        };
        let line = self.line(position, proof, limits, interrupt)?;
        let first = line.and_then(|line| line.moves.first().copied());
        // Who is saved by the fifty-move rule need not hold out longest.
        let is_longest = way.hold.is_none() || position.turn() == way.ask.side;
        let dtm = value.dtm.filter(|_| way.ask.aim == Aim::End && is_longest);
        let dtm = dtm.map(|Dtm(plies)| Dtm(plies.saturating_sub(1)));
        Ok(first.map(|first| (first, Value { dtm, ..value })))
    }
}

impl Run<'_, '_> {
    /// The legal moves in the order of their UCI text.
    pub(crate) fn moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let mut moves = moves.to_vec();
        moves.sort_by_cached_key(|&mv| position.uci(mv));
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

    /// The best play. Where the draw can be claimed, only a capture or pawn move wins within the
    /// fifty-move rule again; it is sought with at most so many plies, if the limits suffice.
    fn line(&mut self, position: &Position, way: Way, most: u16) -> Result<Line, Halt> {
        let line = self.follow(position, way, 0)?;
        if way.hold.is_none() {
            return Ok(line);
        }
        match self.follow(position, way, most) {
            Err(Halt::Limit(_)) => Ok(line),
            better => better,
        }
    }

    /// A capture or pawn move that wins within the fifty-move rule, the position after it and the
    /// way from there, if fewer than so many plies are enough.
    fn fresh_win(
        &mut self,
        position: &Position,
        side: Colour,
        most: u16,
    ) -> Result<Option<(Move, Position, Way)>, Halt> {
        let aim = Aim::WinNow;
        let ask = Ask { side, aim };
        let moves = self.moves(position);
        let zeroing: Vec<Move> = moves.into_iter().filter(|mv| mv.is_zeroing()).collect();
        for plies in 0..most {
            for &mv in &zeroing {
                let after = position.play(mv);
                if self.is_enough(&after, plies, ask)? {
                    let hold = None;
                    return Ok(Some((mv, after, Way { ask, plies, hold })));
                }
            }
        }
        Ok(None)
    }

    /// The moves from a position on from which the side to move chooses: if the fifty-move rule
    /// saves it, those that leave it so, as long as there are any.
    fn candidates(&mut self, position: &Position, way: Way) -> Result<Vec<Move>, Halt> {
        let moves = self.moves(position);
        let Some(hold) = way.hold.filter(|_| position.turn() != way.ask.side) else {
            return Ok(moves);
        };
        let ask = Ask {
            side: position.turn(),
            aim: Aim::DrawNow,
        };
        let mut kept = Vec::new();
        for &mv in &moves {
            let after = position.play(mv);
            if self.is_enough(&after, hold.saturating_sub(1), ask)? {
                kept.push(mv);
            }
        }
        Ok(if kept.is_empty() { moves } else { kept })
    }

    /// The best play, given that the plies of the way are proved to be enough and no fewer are;
    /// `most` as in [`Run::line`].
    fn follow(&mut self, position: &Position, mut way: Way, most: u16) -> Result<Line, Halt> {
        let mut position = *position;
        let mut line = Vec::new();
        loop {
            let may_win = way.hold.is_some() && position.turn() == way.ask.side;
            if may_win
                && self.oracle().is_late(&position)
                && let Some((mv, after, fresh)) = self.fresh_win(&position, way.ask.side, most)?
            {
                line.push(mv);
                (position, way) = (after, fresh);
            }
            let (ask, plies) = (way.ask, way.plies);
            let moves = self.candidates(&position, way)?;
            if moves.is_empty() || plies == 0 || self.oracle().is_known(&position, ask, plies)? {
                break;
            }
            let mut best = None;
            for mv in moves {
                let after = position.play(mv);
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
            way.plies -= 1;
            way.hold = way.hold.map(|hold| hold.saturating_sub(1));
        }
        let end = position.end();
        if end.is_some() {
            return Ok(Line::new(line, end));
        }
        let rest = self.oracle().tables().line_if_known(&position)?;
        let (rest, end) = rest.map_or((Vec::new(), None), |rest| (rest.moves, rest.end));
        line.extend(rest);
        Ok(Line::new(line, end))
    }
}
