//! Best play from a position whose value is known, by the values of moves.

use std::sync::atomic::AtomicBool;

use retrograde_probe::{Dtm, Line, MoveAnswer, ProbeError, Value, Wdl};
use retrograde_rules::{Colour, Move, Position};

use crate::allowance::Allowance;
use crate::ask::{Aim, Ask, Halt};
use crate::search::{Limits, Run, Search};

impl Search<'_> {
    /// Best play to the end from a position of this value: every move is proved to be the
    /// best, by its category and then by the plies to the end, the winner's the shortest and
    /// the loser's the longest; among equal moves the first by UCI text is played. Empty for a
    /// draw. `None` if that is not proved within the limits, which are for all of the line.
    ///
    /// `moves` are the position's own, if they have been valued by [`Search::moves`]: then the
    /// line begins with the first of them, or there is none.
    ///
    /// # Errors
    /// As [`Search::prove`].
    pub fn best_line(
        &mut self,
        position: &Position,
        value: Value,
        moves: Option<&[MoveAnswer]>,
        limits: Limits,
        interrupt: &AtomicBool,
    ) -> Result<Option<Line>, ProbeError> {
        if value.wdl == Wdl::Draw {
            return Ok(Some(Line::new(Vec::new(), position.end())));
        }
        let mut left = Allowance::new(limits, interrupt);
        match self.play_out(position, value, moves, &mut left) {
            Ok(line) => Ok(line),
            Err(Halt::Table(error)) => Err(*error),
            Err(_) => Ok(None),
        }
    }

    fn play_out(
        &mut self,
        position: &Position,
        mut value: Value,
        mut moves: Option<&[MoveAnswer]>,
        left: &mut Allowance,
    ) -> Result<Option<Line>, Halt> {
        let mut position = *position;
        let mut line = Vec::new();
        let first = moves.and_then(|moves| moves.first()).map(|mv| mv.mv);
        let end = loop {
            if let Some(end) = position.end() {
                break end;
            }
            if let Some(rest) = self.tables().line_if_known(&position)?
                && let Some(end) = rest.end
            {
                line.extend(rest.moves);
                break end;
            }
            if left.limits.plies == 0 {
                return Ok(None);
            }
            let given = moves.take();
            let best = match self.exact_depth(&position, value, left) {
                Some(plies) => self.keeps_depth(&position, value, plies, given, left)?,
                None => self.best_by_value(&position, value, given, left)?,
            };
            let Some((mv, after)) = best else {
                return Ok(None);
            };
            line.push(mv);
            (position, value) = (position.play(mv), after.reversed());
            left.limits.plies = left.limits.plies.saturating_sub(1);
        };
        let is_first = first.is_none_or(|first| line.first() == Some(&first));
        Ok(is_first.then_some(Line::new(line, Some(end))))
    }

    /// The plies to the end, if a move is the best just because it agrees with them: not where
    /// the fifty-move rule makes other moves better (O7).
    fn exact_depth(&self, position: &Position, value: Value, left: &Allowance) -> Option<u16> {
        let Dtm(plies) = value.dtm?;
        let mine = value.winner(position.turn()) == Some(position.turn());
        let is_exact = self.oracle.limit().is_none_or(|limit| {
            let is_in_time = position.halfmoves().saturating_add(plies) <= limit;
            is_in_time || value.wdl.is_cursed() && mine && !self.oracle.is_late(position)
        });
        let plies = u16::try_from(plies).ok()?;
        (is_exact && (1..=left.limits.plies).contains(&plies)).then_some(plies)
    }

    /// The first move that keeps the plies to the end, and the value that it has.
    fn keeps_depth(
        &mut self,
        position: &Position,
        value: Value,
        plies: u16,
        given: Option<&[MoveAnswer]>,
        left: &mut Allowance,
    ) -> Result<Option<(Move, Value)>, Halt> {
        let Some(side) = value.winner(position.turn()) else {
            return Ok(None);
        };
        let rest = plies - 1;
        let after = Value {
            dtm: Some(Dtm(rest.into())),
            ..Value::without_distances(value.wdl)
        };
        if let Some(best) = given.and_then(|moves| moves.first())
            && best.winner() == Some(side)
            && best.value.and_then(|value| value.dtm) == after.dtm
        {
            return Ok(Some((best.mv, after)));
        }
        let mut run = Run::new(self, left.left(), left.interrupt);
        let best = run.keeping(position, side, rest);
        let nodes = run.nodes();
        left.spend(nodes);
        Ok(best?.map(|mv| (mv, after)))
    }

    /// The best of the moves, if their values tell, and its value.
    fn best_by_value(
        &mut self,
        position: &Position,
        value: Value,
        given: Option<&[MoveAnswer]>,
        left: &mut Allowance,
    ) -> Result<Option<(Move, Value)>, Halt> {
        let valued = match given {
            Some(_) => None,
            None => self.valued(position, left)?,
        };
        let moves = given.or(valued.as_deref()).unwrap_or(&[]);
        let values: Option<Vec<Value>> = moves.iter().map(|mv| mv.value).collect();
        let (Some(best), Some(values)) = (moves.first(), values) else {
            return Ok(None);
        };
        let equal = values.iter().filter(|value| Some(value.wdl) == best.wdl());
        let is_best = equal.clone().count() == 1 || equal.clone().all(|value| value.dtm.is_some());
        let is_kept = best.winner() == value.winner(position.turn());
        Ok((is_best && is_kept).then_some((best.mv, values[0])))
    }

    /// The moves with their values, the best first; `None` as soon as one is not known.
    fn valued(
        &mut self,
        position: &Position,
        left: &mut Allowance,
    ) -> Result<Option<Vec<MoveAnswer>>, Halt> {
        let mut answers = self.tables().moves(position)?;
        for answer in &mut answers {
            if answer.value.is_some() {
                continue;
            }
            let limits = Limits {
                plies: left.limits.plies.saturating_sub(1),
                ..left.left()
            };
            let proof = self.prove(&answer.after, limits, left.interrupt)?;
            left.spend(proof.nodes);
            let Some(value) = proof.value() else {
                return Ok(None);
            };
            answer.value = Some(value.reversed());
        }
        sort(&mut answers);
        Ok(Some(answers))
    }
}

impl Run<'_, '_> {
    /// The first move after which a side wins in so many plies, and no fewer.
    fn keeping(
        &mut self,
        position: &Position,
        side: Colour,
        plies: u16,
    ) -> Result<Option<Move>, Halt> {
        let aim = Aim::End;
        let ask = Ask { side, aim };
        for mv in self.moves(position) {
            let after = position.play(mv);
            let keeps = match position.turn() == side {
                // It would win sooner if fewer were enough.
                true => self.is_enough(&after, plies, ask)?,
                false => plies == 0 || !self.is_enough(&after, plies - 1, ask)?,
            };
            if keeps {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }
}

/// Puts the best moves first: by category, then the shortest wins and the longest losses. In
/// games with vitality, which count no plies, moves of one category stay in the order in which they
/// are.
pub(crate) fn sort(answers: &mut [MoveAnswer]) {
    answers.sort_by_cached_key(|answer| {
        let dtm = answer.value.and_then(|value| value.dtm);
        let mover = answer.after.turn().other();
        let depth = match (answer.winner(), dtm) {
            (_, None) => i64::MAX,
            (Some(winner), Some(Dtm(plies))) if winner != mover => -i64::from(plies),
            (_, Some(Dtm(plies))) => i64::from(plies),
        };
        let place = (answer.value.is_none(), answer.wdl());
        let has_depths = answer.after.game().vitality().is_none();
        (place, depth, has_depths.then_some(answer.uci))
    });
}
