//! The side to move that a table has no values for: if both sides have the same pieces, the
//! values of the other with colours swapped, otherwise one ply of search in them. Only a
//! double step that may be captured en passant takes another ply.

use retrograde_index::{Metric, score};
use retrograde_rules::{Colour, Material, Position};

use crate::Wdl;
use crate::error::ProbeError;
use crate::format::Table;
use crate::known::{Known, Successors};
use crate::near::{AfterMoves, Near};
use crate::tablebase::Tablebase;
use crate::value::{Dtm, Value};
use crate::wanted::Wanted;

impl Tablebase {
    /// What a table would have for a position without e.p. right whose side to move,
    /// `turn` in the table, it has no values for.
    pub(crate) fn value_from_successors(
        &self,
        position: &Position,
        material: &Material,
        (table, turn): (&Table, Colour),
        known: &mut Known,
        near: Option<&Near>,
    ) -> Result<i16, ProbeError> {
        self.check_needs(table)?;
        let metric = table.header().metric;
        if matches!(metric, Metric::Wdl | Metric::Dtm | Metric::Dtz)
            && material.is_symmetric(self.game())
            && table.section(turn.other()).is_ok()
            && let Some(swapped) = position.with_colours_swapped(self.game().interchange(material))
        {
            return Ok(self.entry_known(&swapped, material, metric, known)?.0);
        }
        let no_side = |table: &Table, turn| {
            let error = table.section(turn).map(|_| ()).err();
            error.map_or_else(
                || self.missing(material, Some(table.header().metric)),
                |error| self.table_error(material, error.into()),
            )
        };
        let quiet;
        let found;
        let near = match near {
            Some(near) => near,
            None => {
                quiet = self.quiet(material, position.turn(), table);
                found = quiet.near_position(position);
                &found
            }
        };
        let value = match metric {
            Metric::Dtz => self.dtz_from_successors(position, material, known, near)?,
            Metric::Dtm => self.dtm_from_successors(position, material, known, near)?,
            Metric::Wdl => {
                // One that has the other side only would ask for this one again.
                match self.table(material, Metric::Dtz)? {
                    Some(dtz) if dtz.header().section(turn.other()).is_none() => {
                        return Err(no_side(dtz, turn.other()));
                    }
                    _ => self.search(position, Wanted::Wdl)?.wdl.to_value(),
                }
            }
            _ => return Err(no_side(table, turn)),
        };
        known.note(metric, value);
        Ok(value)
    }

    /// The most plies to a zeroing move under the fifty-move rule.
    fn most_plies(&self) -> i16 {
        let limit = self.limit.and_then(|limit| i16::try_from(limit).ok());
        limit.unwrap_or(i16::MAX)
    }

    /// Finds out who wins after the moves that are asked for, and lead to positions of the same
    /// material without e.p. right, as far as that is not known.
    fn find_results(
        &self,
        material: &Material,
        names: &AfterMoves,
        successors: &mut Successors,
    ) -> Result<(), ProbeError> {
        for after in &mut successors.list {
            after.asked &= after.known.result.is_none();
        }
        let Successors {
            list, placements, ..
        } = successors;
        // What they are is noted in each.
        let table = (material, Metric::Wdl);
        self.entries(table, names, list, placements, |_, _, _| {})
    }

    /// DTZ: a win takes the shortest way to a zeroing move that keeps it, a loss the
    /// longest; 0 for a draw.
    fn dtz_from_successors(
        &self,
        position: &Position,
        material: &Material,
        known: &mut Known,
        near: &Near,
    ) -> Result<i16, ProbeError> {
        let result = self.known_result(position, material, known)?;
        if result == Wdl::Draw {
            return Ok(0);
        }
        let gains = result.is_win();
        if gains && self.wins_by_zeroing(position, result)? {
            return Ok(1);
        }
        let moves = position.legal_moves();
        let limit = self.most_plies();
        let mut found: Option<i16> = None;
        // Takes a move to a position with this DTZ that is worth so much into account.
        let mut add = |after: i16, value: Wdl| {
            // Whatever a file says must not overflow.
            let plies = after.saturating_add(1);
            let value = if plies > limit { value.cursed() } else { value };
            if value == result {
                let better = |found: i16| match gains {
                    true => found.min(plies),
                    false => found.max(plies),
                };
                found = Some(found.map_or(plies, better));
            }
        };
        let quiet_moves = || moves.iter().copied().filter(|mv| !mv.is_zeroing());
        let names = AfterMoves { position, near };
        let successors = known.successors.get();
        // Every move of a lost position loses.
        if result != Wdl::Loss {
            for mv in quiet_moves().filter(|&mv| near.result(mv).is_none()) {
                successors.after(mv).asked = true;
            }
            self.find_results(material, &names, successors)?;
        }
        for mv in quiet_moves() {
            let value = match (result, near.result(mv)) {
                (Wdl::Loss, _) => Wdl::Loss,
                (_, Some(kept)) => kept.reversed(),
                (_, None) => {
                    let known = &mut successors.after(mv).known;
                    let there = match known.result {
                        Some(there) => there,
                        None => self.known_result(&position.play(mv), material, known)?,
                    };
                    there.reversed()
                }
            };
            // After a quiet move the clock is at 1, so a win may be cursed by it.
            let may_be = value == result || value.cursed() == result;
            if !may_be {
                continue;
            }
            match near.value(mv) {
                Some(kept) => add(kept, value),
                None => {
                    let after = successors.after(mv);
                    after.known.result = Some(value.reversed());
                    after.asked = true;
                }
            }
        }
        let Successors {
            list, placements, ..
        } = successors;
        let table = (material, Metric::Dtz);
        self.entries(table, &names, list, placements, |_, plies, after| {
            add(plies, after.known.result.unwrap_or(Wdl::Draw).reversed());
        })?;
        // A loss without quiet moves: by a zeroing move, or it is mate.
        Ok(found.unwrap_or_else(|| i16::from(!moves.is_empty())))
    }

    /// The score of a position that is not to be asked for together with others: one of
    /// another material, with an e.p. right, or finished.
    fn dtm_apart(
        &self,
        material: &Material,
        position: &Position,
        known: &mut Known,
    ) -> Result<Option<i16>, ProbeError> {
        if let Some(value) = self.value_by_rules(position, &position.material()) {
            return Ok(Some(score_of(value)));
        }
        if position.ep().is_some() {
            return Ok(Some(score_of(self.search(position, Wanted::Dtm)?)));
        }
        let there = position.material();
        if there == *material {
            return Ok(None);
        }
        let entry = self.entry_known(position, &there, Metric::Dtm, known)?;
        Ok(Some(entry.0))
    }

    /// DTM: the best score that a move gives.
    fn dtm_from_successors(
        &self,
        position: &Position,
        material: &Material,
        known: &mut Known,
        near: &Near,
    ) -> Result<i16, ProbeError> {
        let result = match self.known_result(position, material, known) {
            Ok(Wdl::Draw) => return Ok(score::DRAW),
            Ok(result) => Some(result),
            // Not every table of DTM rests on one of WDL.
            Err(ProbeError::Missing { .. }) => None,
            Err(error) => return Err(error),
        };
        let wins = result.is_some_and(Wdl::is_win);
        // Every move of a lost position loses.
        let result_after = (result == Some(Wdl::Loss)).then_some(Wdl::Win);
        let moves = position.legal_moves();
        let names = AfterMoves { position, near };
        let successors = known.successors.get();
        let mut best: Option<i16> = None;
        // Takes a move to a position with this score into account.
        let mut add = |there| {
            let here = one_ply_before(there);
            best = Some(best.map_or(here, |best| better(best, here)));
        };
        for &mv in &moves {
            if let Some(kept) = near.value(mv) {
                add(kept);
                continue;
            }
            let known = &mut Known {
                result: result_after,
                ..Known::default()
            };
            if let Some(there) = self.dtm_apart(material, &position.play(mv), known)? {
                add(there);
                continue;
            }
            let after = successors.after(mv);
            after.known.result = after.known.result.or(result_after);
            after.asked = true;
        }
        // A position is not won by a move that does not win.
        if wins {
            let asked: Vec<bool> = successors.list.iter().map(|after| after.asked).collect();
            self.find_results(material, &names, successors)?;
            for (after, asked) in successors.list.iter_mut().zip(asked) {
                after.asked = asked && after.known.result.is_some_and(|result| result > Wdl::Draw);
            }
        }
        let Successors {
            list, placements, ..
        } = successors;
        let table = (material, Metric::Dtm);
        self.entries(table, &names, list, placements, |_, there, _| add(there))?;
        if let Some(best) = best {
            return Ok(best);
        }
        let end = position.end_with(&moves);
        Ok(end.map_or(score::DRAW, |end| {
            score_of(self.ended(end, position.turn()))
        }))
    }
}

/// The score of a position from that after its best move.
fn one_ply_before(after: i16) -> i16 {
    match score::plies(after) {
        None => score::DRAW,
        // Whatever a file says must not overflow.
        Some(plies) if after > 0 => score::loss((plies + 1).min(score::MOST_PLIES)),
        Some(plies) => score::win((plies + 1).min(score::MOST_PLIES)),
    }
}

/// The better of two scores.
fn better(a: i16, b: i16) -> i16 {
    if order(b) > order(a) { b } else { a }
}

/// A number that is larger for better scores: short wins, draws, long losses.
fn order(score: i16) -> i32 {
    match i32::from(score) {
        score @ 1.. => (1 << 16) - score,
        0 => 0,
        score => -(1 << 16) - score,
    }
}

/// The score of a value that has a distance or is a draw.
fn score_of(value: Value) -> i16 {
    match (value.wdl.winner(Colour::White), value.dtm) {
        (Some(Colour::White), Some(Dtm(plies))) => score::win(plies.min(score::MOST_PLIES)),
        (Some(Colour::Black), Some(Dtm(plies))) => score::loss(plies.min(score::MOST_PLIES)),
        _ => score::DRAW,
    }
}
