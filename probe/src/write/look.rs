//! What a small table need not store: a first look at every position.

use rayon::prelude::*;
use retrograde_index::{Metric, Wdl, score};
use retrograde_pack_learned::Cell;
use retrograde_rules::Colour;

use super::blocks::slot;
use super::{CHUNK, Fill, TablePlan, WriteError};
use crate::error::ProbeError;
use crate::format::Contexts;
use crate::resolve::{Left, left};
use crate::whole::Ask;

/// What is stored of a position, and the contexts that a reader will have, as
/// one byte; 0 if nothing is stored.
#[derive(Clone, Copy)]
pub(super) struct Look(u8);

impl Look {
    const NOTHING: Look = Look(0);

    fn new(left: Left, [first, second]: [u8; 2]) -> Look {
        match left {
            Left::Nothing(_) => Look::NOTHING,
            Left::AtMost => Look(1 + first * 6 + second),
            Left::Exact => Look(37 + first * 6 + second),
        }
    }

    /// What is allowed for a symbol.
    pub(super) fn cell(self, symbol: u16) -> Cell {
        match self.0 {
            0 => Cell::FREE,
            1..37 => Cell::up_to(symbol),
            _ => Cell::exact(symbol),
        }
    }

    pub(super) fn contexts(self) -> [u8; 2] {
        let both = self.0.saturating_sub(1) % 36;
        [both / 6, both % 6]
    }
}

/// What is stored of the positions that were looked at.
pub(super) struct Seen {
    /// The set of values.
    values: Vec<u64>,
    pub(super) wins: Wins,
}

impl Seen {
    fn none() -> Seen {
        Seen {
            values: vec![0; 1 << 10],
            wins: Wins::default(),
        }
    }

    #[inline]
    fn insert(&mut self, value: i16) {
        let slot = slot(value);
        self.values[slot >> 6] |= 1 << (slot & 63);
    }

    fn add(&mut self, others: &Seen) {
        for (word, other) in self.values.iter_mut().zip(&others.values) {
            *word |= other;
        }
        self.wins.add(&others.wins);
    }

    /// The values in ascending order, at least one.
    pub(super) fn palette(&self) -> Vec<i16> {
        let all = i16::MIN..=i16::MAX;
        let has = |value: &i16| self.values[slot(*value) >> 6] >> (slot(*value) & 63) & 1 != 0;
        let mut palette: Vec<i16> = all.filter(has).collect();
        if palette.is_empty() {
            palette.push(0);
        }
        palette
    }
}

/// How often wins are stored, and how often settling moves win.
#[derive(Default)]
pub(super) struct Wins {
    /// Positions of which something is stored, and those of them that are won.
    stored: u64,
    stored_won: u64,
    /// Positions that a settling move wins, and those with settling moves that are won though
    /// none of these wins.
    settled: u64,
    beside_settled: u64,
}

impl Wins {
    #[inline]
    fn count(&mut self, is_stored: bool, is_won: bool, best: Option<Wdl>) {
        self.stored += u64::from(is_stored);
        self.stored_won += u64::from(is_stored && is_won);
        self.settled += u64::from(best == Some(Wdl::Win));
        self.beside_settled += u64::from(is_won && best.is_some_and(|best| best != Wdl::Win));
    }

    fn add(&mut self, other: &Wins) {
        self.stored += other.stored;
        self.stored_won += other.stored_won;
        self.settled += other.settled;
        self.beside_settled += other.beside_settled;
    }

    /// Whether a reader had better read the value before it looks at settling moves. That
    /// spares it these where the value is a win. Where a settling move wins, some value or
    /// other is read, a win as often as elsewhere; if it is none, it was read in vain. So
    /// what counts is the share of wins in what is stored, plus wins beside settling moves for
    /// each win by one. KRvKN and KBBvKN, where the sum is 0.30 and 0.37, were probed faster
    /// with settling moves first, those from 1.01 on (KQRvKB) slower; the limit is between.
    pub(super) fn are_read_first(&self) -> bool {
        let [stored, won, settled, beside] = [
            self.stored,
            self.stored_won,
            self.settled,
            self.beside_settled,
        ]
        .map(u128::from);
        // won / stored + beside / settled > 4 / 5
        5 * (won * settled + beside * stored) > 4 * settled * stored
    }
}

/// Looks at every position with a side to move: what is stored of it, and what that takes in
/// all.
pub(super) fn look(
    plan: &TablePlan,
    turn: Colour,
    contexts: Contexts,
    fill: &Fill,
) -> Result<(Seen, Vec<Look>), WriteError> {
    let Some(ground) = &plan.ground else {
        return Ok((Seen::none(), Vec::new()));
    };
    let positions = plan.index.len();
    let ask = Ask::new(plan.game, &plan.index, turn, plan.metric, contexts);
    let mut all = vec![Look::NOTHING; positions as usize];
    let chunk = |(chunk, looks): (usize, &mut [Look])| -> Result<Seen, ProbeError> {
        let first = chunk as u64 * CHUNK;
        let indices = first..first + looks.len() as u64;
        let mut values = vec![score::DONT_CARE; looks.len()];
        fill(turn, indices.clone(), &mut values);
        let mut facts = Vec::new();
        ground.tables.facts_of(&ask, indices, &mut facts)?;
        let mut seen = Seen::none();
        for ((value, facts), look) in values.into_iter().zip(facts).zip(looks) {
            *look = match facts {
                Some(facts) if value != score::DONT_CARE => {
                    let result = match plan.metric {
                        Metric::Wdl => Some(Wdl::from_value(value)),
                        _ => facts.result,
                    };
                    let left = left(plan.metric, facts.best, result, facts.is_zeroing);
                    let mut given = [0; 2];
                    contexts.write(facts.best, facts.result, &mut given);
                    Look::new(left, given)
                }
                _ => Look::NOTHING,
            };
            if look.0 > 0 {
                seen.insert(value);
            }
            if let Some(facts) = facts
                && plan.metric == Metric::Wdl
            {
                let is_won = value == Wdl::Win.to_value();
                seen.wins.count(look.0 > 0, is_won, facts.best);
            }
        }
        Ok(seen)
    };
    let parts: Vec<Seen> = all
        .par_chunks_mut(CHUNK as usize)
        .enumerate()
        .map(chunk)
        .collect::<Result<_, ProbeError>>()
        .map_err(WriteError::Ground)?;
    let mut seen = Seen::none();
    parts.iter().for_each(|part| seen.add(part));
    Ok((seen, all))
}
