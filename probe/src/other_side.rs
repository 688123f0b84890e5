//! The side to move that a table has no values for: one ply of search in the values
//! of the other. Only a double step that may be captured en passant takes another ply.

use retrograde_index::{Index, Metric, score};
use retrograde_rules::{Colour, Geometry, Interchange, Material, Move, MoveKind, Position, Square};

use crate::Wdl;
use crate::error::ProbeError;
use crate::format::Table;
use crate::known::Known;
use crate::tablebase::{Tablebase, squares_of};
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
    ) -> Result<i16, ProbeError> {
        self.check_needs(table)?;
        let no_side = |table: &Table, turn| {
            let error = table.section(turn).map(|_| ()).err();
            error.map_or_else(
                || self.missing(material, Some(table.header().metric)),
                |error| self.table_error(material, error.into()),
            )
        };
        let value = match table.header().metric {
            Metric::Dtz => self.dtz_from_successors(position, material, known)?,
            Metric::Dtm => self.dtm_from_successors(position, material)?,
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
        known.note(table.header().metric, value);
        Ok(value)
    }

    /// DTZ: a win takes the shortest way to a zeroing move that keeps it, a loss the
    /// longest; 0 for a draw.
    fn dtz_from_successors(
        &self,
        position: &Position,
        material: &Material,
        known: &mut Known,
    ) -> Result<i16, ProbeError> {
        let result = self.known_result(position, material, known)?;
        if result == Wdl::Draw {
            return Ok(0);
        }
        let gains = result < Wdl::Draw;
        if gains {
            let best = self.best(position, known)?;
            if self.is_zeroing(position, Metric::Dtz, best, Some(result))? {
                return Ok(1);
            }
        }
        let moves = position.legal_moves();
        // A double step that may be answered en passant is a zeroing move, too.
        for &mv in moves
            .iter()
            .filter(|mv| gains && mv.kind == MoveKind::DoubleStep)
        {
            let after = position.play(mv);
            if after.ep().is_some() && self.result(&after)?.reversed() == result {
                return Ok(1);
            }
        }
        let [wdl, dtz] =
            [Metric::Wdl, Metric::Dtz].map(|metric| self.quiet(position, material, metric));
        let limit = self.limit.and_then(|limit| i16::try_from(limit).ok());
        let limit = limit.unwrap_or(i16::MAX);
        let mut found: Option<i16> = None;
        for &mv in moves.iter().filter(|mv| !mv.is_zeroing()) {
            let mut there = Known::default();
            // Every move of a lost position loses.
            let value = match (result, wdl.kept(mv)) {
                (Wdl::Loss, _) => Wdl::Loss,
                (_, Some(kept)) => Wdl::from_value(kept).reversed(),
                (_, None) => self
                    .known_result(&position.play(mv), material, &mut there)?
                    .reversed(),
            };
            there.result = Some(value.reversed());
            // After a quiet move the clock is at 1, so a win may be cursed by it.
            let may_be = value == result || value.cursed() == result;
            if !may_be {
                continue;
            }
            let after = match dtz.kept(mv) {
                Some(kept) => kept,
                None => {
                    let after = position.play(mv);
                    self.entry_known(&after, material, Metric::Dtz, &mut there)?
                        .0
                }
            };
            // Whatever a file says must not overflow.
            let plies = after.saturating_add(1);
            let value = if plies > limit { value.cursed() } else { value };
            if value == result {
                let better = |found: i16| {
                    if gains {
                        found.min(plies)
                    } else {
                        found.max(plies)
                    }
                };
                found = Some(found.map_or(plies, better));
            }
        }
        // A loss without quiet moves: by a zeroing move, or it is mate.
        Ok(found.unwrap_or_else(|| i16::from(!moves.is_empty())))
    }

    /// The score of a position.
    fn dtm_after(&self, position: &Position) -> Result<i16, ProbeError> {
        if let Some(value) = self.value_by_rules(position) {
            return Ok(score_of(value));
        }
        if position.ep().is_some() {
            return Ok(score_of(self.search(position, Wanted::Dtm)?));
        }
        let known = &mut Known::default();
        let entry = self.entry_known(position, &position.material(), Metric::Dtm, known)?;
        Ok(entry.0)
    }

    /// Where the positions after the quiet moves of a position are in a table.
    fn quiet(&self, position: &Position, material: &Material, metric: Metric) -> Quiet<'_> {
        let find = || {
            let entry = self.store.entry(material)?;
            let table = self.store.table(&entry, metric)?.ok()?;
            let turn = match entry.swapped {
                true => position.turn(),
                false => position.turn().other(),
            };
            let values = table.kept(turn)?;
            let (squares, pieces) = squares_of(self.game(), position, &entry)?;
            let mirror = entry
                .swapped
                .then(|| self.game().interchange(&entry.normal));
            Some(Quiet {
                kept: Some((table.index(), values)),
                mirror: mirror.map(|mirror| (mirror, self.game().geometry())),
                squares,
                pieces,
            })
        };
        find().unwrap_or(Quiet::NONE)
    }

    /// DTM: the best score that a move gives.
    fn dtm_from_successors(
        &self,
        position: &Position,
        material: &Material,
    ) -> Result<i16, ProbeError> {
        let moves = position.legal_moves();
        let quiet = self.quiet(position, material, Metric::Dtm);
        let mut best: Option<i16> = None;
        for &mv in &moves {
            let there = match quiet.kept(mv) {
                Some(kept) => kept,
                None => self.dtm_after(&position.play(mv))?,
            };
            let here = one_ply_before(there);
            if best.is_none_or(|best| order(here) > order(best)) {
                best = Some(here);
            }
        }
        if let Some(best) = best {
            return Ok(best);
        }
        let end = position.end_with(&moves);
        Ok(end.map_or(score::DRAW, |end| {
            score_of(self.ended(end, position.turn()))
        }))
    }
}

/// Where the positions after quiet moves are, if all values of a table are kept in memory.
struct Quiet<'a> {
    /// The table's index and values.
    kept: Option<(&'a Index, &'a [i16])>,
    mirror: Option<(Interchange, Geometry)>,
    squares: [Square; Material::MOST_PIECES],
    pieces: usize,
}

impl Quiet<'_> {
    const NONE: Quiet<'static> = Quiet {
        kept: None,
        mirror: None,
        squares: [Square(0); Material::MOST_PIECES],
        pieces: 0,
    };

    /// The value after a move that only changes the square of a piece, if it is there.
    #[inline]
    fn kept(&self, mv: Move) -> Option<i16> {
        let (index, values) = self.kept?;
        if mv.kind != MoveKind::Ordinary || mv.captured.is_some() || mv.promotion.is_some() {
            return None;
        }
        let image = |square| match self.mirror {
            None => square,
            Some((mirror, geometry)) => mirror.image(geometry, square),
        };
        let mut squares = self.squares;
        let squares = squares.get_mut(..self.pieces)?;
        let from = image(mv.from);
        *squares.iter_mut().find(|square| **square == from)? = image(mv.to);
        values.get(index.encode(squares)? as usize).copied()
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
        (Some(Colour::White), Some(Dtm(plies))) => score::win(plies.clamp(1, score::MOST_PLIES)),
        (Some(Colour::Black), Some(Dtm(plies))) => score::loss(plies.min(score::MOST_PLIES)),
        _ => score::DRAW,
    }
}
