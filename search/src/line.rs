//! Gives lines of play: how a proved win is won, and best play as far as that is proved.

use std::sync::atomic::AtomicBool;

use retrograde_probe::{Dtm, Line, MoveAnswer, ProbeError, Value, Wdl, if_known};
use retrograde_rules::{Colour, Move, MoveList, Position};

use crate::questions::{Aim, Ask, Halt, Outcome, Proof, Way};
use crate::search::{Allowance, Limits, Run, Search};

impl Search<'_> {
    /// The play that a proof depends on, to the end of the game or as far as search and
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

    /// The legal moves with their values, the best first, as by
    /// [`Tablebase::moves`](retrograde_probe::Tablebase::moves); values that no table has are
    /// searched for. The limits are for all moves together, and plies are counted from the position
    /// before them. `proof` is what was proved about that position: the first move of its line is
    /// worth as much.
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
        let rest = if_known(self.oracle().tables().line(&position))?;
        let (rest, end) = rest.map_or((Vec::new(), None), |rest| (rest.moves, rest.end));
        line.extend(rest);
        Ok(Line::new(line, end))
    }
}

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
            if let Some(rest) = if_known(self.tables().line(&position))?
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
fn sort(answers: &mut [MoveAnswer]) {
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
