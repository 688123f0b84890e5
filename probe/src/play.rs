//! What moves lead to, and best play to the end.

use retrograde_rules::Position;

use crate::Category;
use crate::answer::{Line, MoveAnswer, Value};
use crate::error::ProbeError;
use crate::tablebase::Tablebase;

/// Longer than any line of tables that agree with each other: distances have
/// 15 bits.
const LONGEST_LINE: usize = 1 << 15;

impl Tablebase {
    /// All legal moves with their values, the best first: by category, wins
    /// by smaller and losses by larger depth, then by UCI text. In High Chess
    /// wins by mate come before wins by exhaustion, then it counts what the
    /// winner has to spare. Moves to positions whose table is missing, or that
    /// no table has, come last, as [`Category::Unknown`].
    ///
    /// # Errors
    /// [`ProbeError`], but not for missing tables.
    pub fn moves(&self, position: &Position) -> Result<Vec<MoveAnswer>, ProbeError> {
        if self.game().counters().is_some() {
            return self.moves_with_vitality(position);
        }
        let mut answers = Vec::new();
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            let value = match self.value(&after) {
                Err(ProbeError::Missing { .. } | ProbeError::Unsupported(_)) => Value::UNKNOWN,
                value => value?.reversed().at_clock(after.halfmoves(), self.limit),
            };
            answers.push(MoveAnswer {
                mv,
                uci: position.uci(mv),
                after,
                category: value.category,
                winner: value.category.winner(position.turn()),
                depth_plies: value.depth_plies,
                dtz_plies: value.dtz_plies,
                end: after.end(),
            });
        }
        answers.sort_by(|a, b| {
            let by_value = a.value().rank().cmp(&b.value().rank());
            by_value.then_with(|| a.uci.cmp(&b.uci))
        });
        Ok(answers)
    }

    /// Best play to the end: always the first of [`Tablebase::moves`]. So the
    /// category comes before the depth, and the line may be longer than that
    /// (O7). Empty for a draw; `None` where no table says the depth.
    ///
    /// # Errors
    /// See [`ProbeError`]. [`ProbeError::Contradiction`] if the best move is not
    /// as good as the value of its position.
    pub fn line(&self, position: &Position) -> Result<Option<Line>, ProbeError> {
        if self.game().counters().is_some() {
            return self.line_with_vitality(position).map(Some);
        }
        let mut value = self.now(position, self.value(position)?)?;
        let mut position = *position;
        let mut moves = Vec::new();
        let mut end = position.end();
        while value.category != Category::Draw && end.is_none() {
            let Some(plies) = value.depth_plies else {
                return Ok(None);
            };
            let answers = self.moves(&position)?;
            let winner = value.category.winner(position.turn());
            // Some move is best with the rule apart.
            let follows = |m: &MoveAnswer| {
                m.winner == winner && m.depth_plies.is_some_and(|left| left + 1 == plies)
            };
            // Who keeps a real win within the rule may take longer. It ends: the
            // clock runs, and captures and pawn moves are not endless.
            let nearer = |m: &MoveAnswer| {
                let is_real = self.limit.is_some() && !m.category.is_cursed();
                is_real || m.depth_plies.is_some_and(|left| left < plies)
            };
            let fits = |best: &MoveAnswer| {
                best.winner == winner && nearer(best) && answers.iter().any(follows)
            };
            let best = match answers.first() {
                Some(best) if fits(best) && moves.len() < LONGEST_LINE => best,
                _ => return Err(self.no_best_move(&position, &answers)),
            };
            moves.push(best.mv);
            position = best.after;
            value = best.value().reversed();
            end = best.end;
        }
        Ok(Some(Line { moves, end }))
    }

    /// Why no move is the best: one without a table would be it, or the
    /// tables contradict each other.
    pub(crate) fn no_best_move(&self, position: &Position, answers: &[MoveAnswer]) -> ProbeError {
        answers
            .iter()
            .find(|m| m.category == Category::Unknown)
            .and_then(|m| self.value(&m.after).err())
            .unwrap_or_else(|| ProbeError::Contradiction {
                fen: position.fen(),
                game: self.game().id(),
            })
    }
}
