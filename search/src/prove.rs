//! Proves by tree search that a side can reach an aim within a number of plies.
//!
//! The answer to a question is *yes* if the side that it is about can reach its aim within
//! the plies, whatever the other side does, either at the end of the game or in positions
//! that the tables know. The answer depends only on the position and the number of plies,
//! so it may be stored and reused wherever the position occurs: repetitions and the moves
//! that led there make no difference, and a proof never rests on itself.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use retrograde_rules::{Colour, Move, MoveList, PieceType, Position};

use crate::lookup::Oracle;
use crate::questions::{Aim, Ask, Halt, NEVER, Outcome, Stop};
use crate::transpositions::{Bounds, Transpositions};

impl Stop {
    /// The word used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Plies => "plies",
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Interrupted => "interrupted",
        }
    }
}

/// The state that all threads of a search share.
pub(crate) struct SharedSearch<'a> {
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) known: &'a Transpositions,
    pub(crate) deadline: Option<Instant>,
    pub(crate) most_nodes: Option<u64>,
    pub(crate) interrupt: &'a AtomicBool,
    /// The number of positions visited.
    pub(crate) nodes: AtomicU64,
}

/// The number of positions that a thread visits before it checks the clock.
const ROUND: u64 = 256;

impl SharedSearch<'_> {
    /// Counts a position, and stops if a limit is reached. `fresh` is what a thread has
    /// visited since it last told the others.
    pub(crate) fn count(&self, fresh: &mut u64, is_beaten: impl Fn() -> bool) -> Result<(), Halt> {
        if let Some(most) = self.most_nodes
            && self.nodes.load(Ordering::Relaxed) + *fresh >= most
        {
            return Err(Halt::Limit(Stop::Nodes));
        }
        *fresh += 1;
        if *fresh < ROUND {
            return Ok(());
        }
        self.tell(fresh);
        if is_beaten() {
            return Err(Halt::Beaten);
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Halt::Limit(Stop::Interrupted));
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Halt::Limit(Stop::Time)),
            _ => Ok(()),
        }
    }

    /// Adds what a thread has visited to the shared count.
    pub(crate) fn tell(&self, fresh: &mut u64) {
        self.nodes
            .fetch_add(std::mem::take(fresh), Ordering::Relaxed);
    }
}

/// Counts of how often moves have been good, by side, piece type and square.
pub(crate) struct MoveHistory([[[u32; 128]; PieceType::COUNT]; 2]);

impl MoveHistory {
    pub(crate) fn new() -> Box<MoveHistory> {
        Box::new(MoveHistory([[[0; 128]; PieceType::COUNT]; 2]))
    }

    fn add(&mut self, turn: Colour, mv: Move, plies: u16) {
        let count = &mut self.0[turn.index()][mv.piece.index()][mv.to.index() & 127];
        *count = count.saturating_add(plies.into());
    }

    fn of(&self, turn: Colour, mv: Move) -> u32 {
        self.0[turn.index()][mv.piece.index()][mv.to.index() & 127]
    }
}

/// The search of one thread.
pub(crate) struct Prover<'a> {
    pub(crate) shared: &'a SharedSearch<'a>,
    /// The place among the threads: each tries moves in its own order.
    pub(crate) place: u32,
    pub(crate) history: &'a mut MoveHistory,
    /// The positions visited since the shared count was updated.
    pub(crate) fresh: u64,
    /// The number of positions that may still be visited before [`Halt::Alone`].
    pub(crate) alone: Option<u64>,
    /// Set by the thread that has found the answer.
    pub(crate) found: &'a AtomicBool,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(
        shared: &'a SharedSearch<'a>,
        found: &'a AtomicBool,
        place: usize,
        history: &'a mut MoveHistory,
    ) -> Prover<'a> {
        Prover {
            shared,
            place: place as u32,
            history,
            fresh: 0,
            alone: None,
            found,
        }
    }

    /// Answers a question about a position.
    pub(crate) fn prove(
        &mut self,
        position: &Position,
        plies: u16,
        ask: Ask,
    ) -> Result<Outcome, Halt> {
        let mine = position.turn() == ask.side;
        let by_winner = ask.aim == Aim::End && self.shared.oracle.winner_moves_last();
        if !by_winner || (plies % 2 == 1) == mine {
            return self.node(position, plies, ask);
        }
        // The last of these plies would be the loser's, which does not help.
        let Some(fewer) = plies.checked_sub(1) else {
            return Ok(Outcome::No(0));
        };
        Ok(match self.node(position, fewer, ask)? {
            Outcome::No(no) => Outcome::No(no.max(plies)),
            yes => yes,
        })
    }

    fn node(&mut self, position: &Position, plies: u16, ask: Ask) -> Result<Outcome, Halt> {
        self.count()?;
        let oracle = self.shared.oracle;
        if plies == 0
            && !ask.aim.accepts_draw()
            && !oracle.may_be_known(position)
            && !oracle.may_be_won(position)
        {
            return Ok(Outcome::No(0));
        }
        let key = oracle.key(position, ask.aim.has_clock(), ask.salt());
        let seen = match plies {
            0 => Bounds::NOTHING,
            _ => self.shared.known.get(key),
        };
        if seen.yes <= plies {
            return Ok(Outcome::Yes(seen.yes));
        }
        if let Some(no) = seen.no.filter(|&no| no >= plies) {
            return Ok(Outcome::No(no));
        }
        let known = oracle.known(position)?;
        if let Some(outcome) = known.and_then(|known| known.answer(ask, plies)) {
            return Ok(outcome);
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        if moves.is_empty() {
            return Ok(ask.of_end(oracle.winner_at_end(position)));
        }
        if ask.aim.has_clock() && oracle.is_late(position) {
            // The game goes on, and a draw can be claimed.
            return Ok(ask.of_end(None));
        }
        if plies == 0 {
            return Ok(Outcome::No(0));
        }
        let (outcome, best) = self.moves(position, &moves, plies, ask, seen.best)?;
        let best = best.and_then(|place| u8::try_from(place).ok());
        let bounds = match outcome {
            Outcome::Yes(yes) => Bounds { yes, best, ..seen },
            Outcome::No(no) => Bounds {
                no: Some(no),
                best: best.or(seen.best),
                ..seen
            },
        };
        self.shared.known.put(key, bounds);
        Ok(outcome)
    }

    /// Answers a question by trying the moves, and returns which of them settled it.
    fn moves(
        &mut self,
        position: &Position,
        moves: &MoveList,
        plies: u16,
        ask: Ask,
        best: Option<u8>,
    ) -> Result<(Outcome, Option<usize>), Halt> {
        let mine = position.turn() == ask.side;
        let order = self.order(position, moves, plies, ask, best);
        let (mut yes, mut no) = (0, NEVER);
        for place in order {
            let mv = moves[place];
            let after = position.play(mv);
            match self.prove(&after, plies - 1, ask)? {
                Outcome::Yes(child) if mine => {
                    self.history.add(position.turn(), mv, plies);
                    return Ok((Outcome::Yes(child + 1), Some(place)));
                }
                Outcome::No(child) if !mine => {
                    self.history.add(position.turn(), mv, plies);
                    return Ok((Outcome::No(child.saturating_add(1)), Some(place)));
                }
                Outcome::Yes(child) => yes = yes.max(child + 1),
                Outcome::No(child) => no = no.min(child.saturating_add(1)),
            }
        }
        Ok(match mine {
            true => (Outcome::No(no), None),
            false => (Outcome::Yes(yes), None),
        })
    }

    /// The places of the moves, the most promising first.
    fn order(
        &mut self,
        position: &Position,
        moves: &MoveList,
        plies: u16,
        ask: Ask,
        best: Option<u8>,
    ) -> Vec<usize> {
        let mut order: Vec<usize> = (0..moves.len()).collect();
        if plies == 1 || moves.len() == 1 {
            return order;
        }
        let turn = position.turn();
        let mut replies = MoveList::new();
        let most = moves.iter().map(|&mv| self.history.of(turn, mv)).max();
        let most = most.unwrap_or(0).max(1);
        order.sort_by_cached_key(|&place| {
            let mv = moves[place];
            if best == Some(place as u8) {
                return i32::MIN;
            }
            let share = 64 * u64::from(self.history.of(turn, mv)) / u64::from(most);
            let mut promise = share as i32 + 4 * gain(position, mv);
            // Few replies make a win likely, and a short proof of it.
            if turn == ask.side && !ask.aim.accepts_draw() && plies >= 3 {
                position.play(mv).legal_moves_into(&mut replies);
                promise -= 8 * replies.len().min(100) as i32;
            }
            // Threads that try the same moves find the same things.
            let other =
                self.place.wrapping_mul(0x9e37_79b9) ^ (place as u32).wrapping_mul(0x85eb_ca6b);
            if self.place > 0 {
                promise += (other >> 27) as i32;
            }
            -promise
        });
        order
    }

    /// Counts a position, and stops if a limit is reached.
    fn count(&mut self) -> Result<(), Halt> {
        if let Some(left) = &mut self.alone {
            *left = left.checked_sub(1).ok_or(Halt::Alone)?;
        }
        let found = self.found;
        self.shared
            .count(&mut self.fresh, || found.load(Ordering::Relaxed))
    }

    /// Adds the positions visited to the shared count.
    pub(crate) fn tell(&mut self) {
        self.shared.tell(&mut self.fresh);
    }
}

/// The material that a move gains, in pawns.
pub fn gain(position: &Position, mv: Move) -> i32 {
    let captured = mv.captured.and_then(|at| position.board().piece_at(at));
    let worth = |piece_type| position.game().worth(piece_type) as i32;
    let captured = captured.map_or(0, |piece| worth(piece.piece_type));
    let promoted = mv.promotion.map_or(0, |to| worth(to) - 1);
    captured + promoted
}
