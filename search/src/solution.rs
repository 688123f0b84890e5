//! Finds the solution of a mate problem: keys, threats and variations of a win in a few plies.

use std::sync::atomic::AtomicBool;

use retrograde_probe::{Dtm, ProbeError, Wdl};
use retrograde_rules::{Move, Position};

use crate::questions::{Ask, Halt, Proof};
use crate::search::{Limits, Run, Search};

/// The longest win, in plies, for which all keys are sought.
const ALL_KEYS: u16 = 7;

/// The longest win, in plies, whose variations are followed to the end.
const WHOLE_TREE: u16 = 5;

/// The solution of a position that the side to move wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The plies that it takes to win.
    pub plies: u16,
    /// The moves that win in that many plies, in the order of their UCI text.
    pub keys: Vec<Key>,
    /// Whether the list is complete.
    pub is_complete: bool,
}

/// A move that wins in a number of plies, and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The move.
    pub mv: Move,
    /// The plies that it takes to win, this move included.
    pub plies: u16,
    /// The threats that would win soonest if the other side could pass. `None` if that makes no
    /// sense, because it is in check or has no move.
    pub threats: Option<Threats>,
    /// The replies of the other side, in the order of the UCI text. Left out if the move
    /// ends the game, or if the tree would be large.
    pub variations: Vec<Variation>,
}

/// Moves that a side would play if the other could pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threats {
    /// The position after a pass.
    pub position: Position,
    /// The moves that win soonest; none if nothing wins in time, so that the
    /// other side is in zugzwang.
    pub moves: Vec<Move>,
}

/// Replies of the other side with the same answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The moves.
    pub replies: Vec<Move>,
    /// The answer that wins soonest; one of the threats, if one does.
    pub answer: Key,
}

impl Search<'_> {
    /// The solution of a position, if it is proved that the side to move wins and in how
    /// many plies; `None` otherwise, if the fifty-move rule ends the game before that (O7),
    /// and if the limits do not suffice to find it.
    ///
    /// # Errors
    /// As [`Search::prove`].
    pub fn solution(
        &mut self,
        position: &Position,
        proof: &Proof,
        limits: Limits,
        interrupt: &AtomicBool,
    ) -> Result<Option<Solution>, ProbeError> {
        // The way is longer than the shortest mate if that comes too late.
        let (plies, ask) = match (proof.wdl, proof.dtm, proof.way) {
            (Some(Wdl::Win), Some(Dtm(plies)), Some(way))
                if plies > 0 && plies == u32::from(way.plies) =>
            {
                (way.plies, way.ask)
            }
            _ => return Ok(None),
        };
        let mut run = Run::new(self, limits, interrupt);
        match run.solve(position, plies, ask) {
            Ok(solution) => Ok(Some(solution)),
            Err(Halt::Table(error)) => Err(*error),
            Err(_) => Ok(None),
        }
    }
}

impl Run<'_, '_> {
    fn solve(&mut self, position: &Position, plies: u16, ask: Ask) -> Result<Solution, Halt> {
        let all = plies <= ALL_KEYS;
        let mut keys = Vec::new();
        for mv in self.moves(position) {
            let after = position.play(mv);
            if self.is_enough(&after, plies - 1, ask)? {
                keys.push(self.key(mv, &after, plies, ask, 0)?);
                if !all {
                    break;
                }
            }
        }
        Ok(Solution {
            plies,
            keys,
            is_complete: all,
        })
    }

    /// The play that follows a move that wins in `plies`, the move included.
    fn key(
        &mut self,
        mv: Move,
        after: &Position,
        plies: u16,
        ask: Ask,
        depth: u16,
    ) -> Result<Key, Halt> {
        let mut key = Key {
            mv,
            plies,
            threats: None,
            variations: Vec::new(),
        };
        let replies = self.moves(after);
        if replies.is_empty() || plies < 2 {
            return Ok(key);
        }
        if !after.is_check()
            && let Some(passed) = self.oracle().passed(after)
        {
            key.threats = Some(Threats {
                position: passed,
                moves: self.winning(&passed, plies - 2, ask)?.0,
            });
        }
        if depth > 0 && plies + depth > WHOLE_TREE {
            return Ok(key);
        }
        let threats = key.threats.as_ref();
        let threats = threats.map_or(Vec::new(), |threats| threats.moves.clone());
        for reply in replies {
            let position = after.play(reply);
            let (answers, left) = self.winning(&position, plies - 2, ask)?;
            let threat = threats.iter().find(|threat| answers.contains(threat));
            // Without an answer, the reply itself ends the game.
            let Some(&answer) = threat.or(answers.first()) else {
                continue;
            };
            let next = position.play(answer);
            let answer = self.key(answer, &next, left, ask, depth + 2)?;
            match key.variations.iter_mut().find(|v| v.answer == answer) {
                Some(variation) => variation.replies.push(reply),
                None => key.variations.push(Variation {
                    replies: vec![reply],
                    answer,
                }),
            }
        }
        Ok(key)
    }

    /// The moves that win soonest, and in how many plies, if that is in time.
    fn winning(
        &mut self,
        position: &Position,
        plies: u16,
        ask: Ask,
    ) -> Result<(Vec<Move>, u16), Halt> {
        for plies in 1..=plies {
            if !self.is_enough(position, plies, ask)? {
                continue;
            }
            let mut winning = Vec::new();
            for mv in self.moves(position) {
                let after = position.play(mv);
                if self.is_enough(&after, plies - 1, ask)? {
                    winning.push(mv);
                }
            }
            return Ok((winning, plies));
        }
        Ok((Vec::new(), 0))
    }
}
