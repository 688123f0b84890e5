//! What moves lead to, and best play to the end.

use retrograde_rules::{Move, Position};

use crate::answer::{Line, MoveAnswer};
use crate::error::ProbeError;
use crate::single::or_else;
use crate::tablebase::Tablebase;
use crate::value::{Dtm, Dtz, Value};
use crate::{Metric, Wdl};

/// Longer than any line of tables that agree with each other: distances have
/// 15 bits.
const LONGEST_LINE: usize = 1 << 15;

impl Tablebase {
    /// All legal moves with their values, the best first: by category, wins
    /// by smaller and losses by larger depth, then by UCI text. With vitality,
    /// wins by mate come before wins by exhaustion; then what the winner has to
    /// spare decides. Moves to positions whose table is missing, or that
    /// no table has, come last, without a value.
    ///
    /// # Errors
    /// [`ProbeError`], but not for missing tables.
    pub fn moves(&self, position: &Position) -> Result<Vec<MoveAnswer>, ProbeError> {
        self.expect_game(position)?;
        if self.game().vitality().is_some() {
            return self.moves_with_vitality(position);
        }
        let moves = position.legal_moves();
        let after: Vec<Position> = moves.iter().map(|&mv| position.play(mv)).collect();
        let material = position.material();
        let metrics = Metric::of(self.game());
        let mut values = self.plain_values(metrics, &after, |place| {
            let mv = moves[place];
            match mv.captured.is_some() || mv.promotion.is_some() {
                true => after[place].material(),
                false => material,
            }
        });
        let mut order = Vec::with_capacity(moves.len());
        for (place, value) in values.iter_mut().enumerate() {
            let (mv, after) = (moves[place], &after[place]);
            let found = match *value {
                Some(value) => Ok(value),
                None => self.value_of(after),
            };
            *value = match found.and_then(|at_0| self.now(after, at_0)) {
                Err(error) if error.is_unknown() => None,
                found => Some(found?.reversed()),
            };
            order.push((rank(mv, *value), position.move_name(mv), place));
        }
        order.sort_unstable();
        let answers = order.into_iter().map(|(_, uci, place)| {
            let (value, after) = (values[place], &after[place]);
            MoveAnswer {
                mv: moves[place],
                uci,
                after: *after,
                value,
                end: match value.is_some_and(goes_on) {
                    true => None,
                    false => after.end(),
                },
            }
        });
        Ok(answers.collect())
    }

    /// Best play to the end: always the first of [`Tablebase::moves`]. So the
    /// category comes before the depth, and the line may be longer than that
    /// (O7). Empty for a draw.
    ///
    /// # Errors
    /// See [`ProbeError`]: it takes tables that say the depth.
    /// [`ProbeError::Contradiction`] if the best move is not as good as the value
    /// of its position.
    pub fn line(&self, position: &Position) -> Result<Line, ProbeError> {
        self.expect_game(position)?;
        if self.game().vitality().is_some() {
            return self.line_with_vitality(position);
        }
        let told = self.value_of(position);
        let told = told.and_then(|at_0| self.now(position, at_0));
        let mut value = or_else(told, || {
            // Without a depth there is no telling which moves are best.
            let tells = |value: &Value| value.wdl == Wdl::Draw || value.dtm.is_some();
            Ok(self.value_by_moves(position)?.filter(tells))
        })?;
        let mut position = *position;
        let mut moves = Vec::new();
        let mut end = position.end();
        while value.wdl != Wdl::Draw && end.is_none() {
            let Some(dtm) = value.dtm else {
                return Err(self.missing(&position.material(), Some(Metric::Dtm)));
            };
            let answers = self.moves(&position)?;
            let winner = value.winner(position.turn());
            // Some move is best if the rule is ignored.
            let left = |m: &MoveAnswer| m.value.and_then(|value| value.dtm);
            let follows = |m: &MoveAnswer| {
                m.winner() == winner && left(m).is_some_and(|Dtm(left)| left + 1 == dtm.0)
            };
            // Keeping a win within the rule may take longer, but it ends: the
            // clock runs, and captures and pawn moves are limited.
            let nearer = |m: &MoveAnswer| {
                let is_real = self.limit.is_some() && m.wdl().is_some_and(|wdl| !wdl.is_cursed());
                is_real || left(m).is_some_and(|left| left < dtm)
            };
            let fits = |best: &MoveAnswer| {
                best.winner() == winner && nearer(best) && answers.iter().any(follows)
            };
            let best = answers.first().filter(|best| fits(best));
            let best = best.filter(|_| moves.len() < LONGEST_LINE);
            let Some((best, left)) = best.and_then(|best| Some((best, best.value?))) else {
                return Err(self.no_best_move(&position, &answers));
            };
            moves.push(best.mv);
            position = best.after;
            value = left.reversed();
            end = best.end;
        }
        Ok(Line { moves, end })
    }

    /// The same; `None` where a table along the line is missing.
    ///
    /// # Errors
    /// As [`Tablebase::line`], but not for missing tables and positions that no table has.
    pub fn line_if_known(&self, position: &Position) -> Result<Option<Line>, ProbeError> {
        match self.line(position) {
            Err(error) if error.is_unknown() => Ok(None),
            line => line.map(Some),
        }
    }

    /// Why there is no best move: one without a table would be it, or one whose depth no
    /// table says, or the tables contradict each other.
    pub(crate) fn no_best_move(&self, position: &Position, answers: &[MoveAnswer]) -> ProbeError {
        let unknown = answers.iter().find(|m| m.value.is_none());
        if let Some(error) = unknown.and_then(|m| self.value_of(&m.after).err()) {
            return error;
        }
        let lacks_depth = |value: Value| value.wdl != Wdl::Draw && value.dtm.is_none();
        let far = answers.iter().find(|m| m.value.is_some_and(lacks_depth));
        match far.filter(|_| self.game().vitality().is_none()) {
            Some(m) => self.missing(&m.after.material(), Some(Metric::Dtm)),
            None => ProbeError::Contradiction {
                fen: position.fen(),
                game: self.game().id(),
            },
        }
    }
}

/// Whether a value says that the end of the game, or the next zeroing move, is still to come, so
/// that there is no need to look for a legal move.
fn goes_on(value: Value) -> bool {
    value.dtm.is_some_and(|Dtm(plies)| plies > 0) || value.dtz.is_some_and(|Dtz(plies)| plies > 0)
}

/// The place of a move in the order from the best to the worst; one whose value
/// is not known comes last. Where no table says how far the end is, a win goes the
/// shortest way to a zeroing move, and a loss the longest.
pub(crate) fn rank(mv: Move, value: Option<Value>) -> (bool, Option<(Wdl, u32, u32)>) {
    let place = value.map(|value| {
        let (wdl, plies) = value.rank();
        let zeroing = match (value.dtm, value.dtz) {
            (None, Some(_)) if mv.is_zeroing() => 1,
            (None, Some(Dtz(plies))) => plies.saturating_add(1),
            _ => 0,
        };
        (
            wdl,
            plies,
            if wdl.is_win() {
                zeroing
            } else {
                u32::MAX - zeroing
            },
        )
    });
    (value.is_none(), place)
}
