//! Proves that a side can hold a draw for ever: by perpetual check, in a fortress, or in deadlock.
//!
//! A deadlock is play in which nobody gets anywhere.
//!
//! A side holds in every position of a set if it never has to leave it for a loss: where it is
//! to move, one of its moves stays in the set or leads to a position that is known to be held,
//! and where the other side is to move, all moves do. Play within the set may go on for ever,
//! which is a draw (O4, C4). Such a set is looked for from one position on, one move of the
//! side that holds at a time: whatever has been met counts as held until it is refuted, and
//! what relied on it is then looked at again. When nothing is left to look at, the set is
//! complete and its own proof. (It is a safety game, solved locally: X. Liu and S. A. Smolka,
//! Simple linear-time algorithms for minimal fixed points, 1998.)

use std::collections::HashMap;

use retrograde_rules::{Colour, MoveList, Position};

use crate::prove::SharedSearch;
use crate::questions::{Aim, Ask, Halt, Outcome};

/// The moves that the side that holds may try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// Checks, replies to checks, and whatever leads to a position that is known to be held.
    Checks,
    /// Any moves.
    Any,
}

/// A position that has been met.
struct Node {
    position: Position,
    state: HoldState,
    /// The positions that rely on it, or did.
    parents: Vec<u32>,
}

enum HoldState {
    /// The position has not been looked at yet, or its move was refuted.
    Open,
    /// The position is held without any other.
    Held,
    /// The position is held if this one is.
    One(u32),
    /// The position is held if all these are.
    All(Vec<u32>),
    /// The side does not hold.
    Refuted,
}

/// The rank of a move, the best first: whether it leads to a new position, whether it gives
/// no check, and where the side's pieces are afterwards.
type Rank = (bool, bool, u64);

/// A search for a set of positions in which a side holds for ever.
pub(crate) struct Holding<'a> {
    shared: &'a SharedSearch<'a>,
    ask: Ask,
    means: Means,
    nodes: Vec<Node>,
    places: HashMap<[u64; 2], u32>,
    open: Vec<u32>,
    /// The most nodes that there may be.
    most: usize,
    /// The number of positions that may still be visited.
    visits: u64,
    fresh: u64,
}

impl<'a> Holding<'a> {
    /// About how many bytes a node takes, its edges included.
    pub(crate) const BYTES: u64 = size_of::<Node>() as u64 + 128;

    /// An attempt with at most so many positions kept, and so many visited.
    pub(crate) fn new(
        shared: &'a SharedSearch<'a>,
        side: Colour,
        means: Means,
        most: usize,
        visits: u64,
    ) -> Holding<'a> {
        Holding {
            shared,
            most,
            visits,
            ask: Ask {
                side,
                aim: Aim::Draw,
            },
            means,
            nodes: Vec::new(),
            places: HashMap::new(),
            open: Vec::new(),
            fresh: 0,
        }
    }

    /// Whether the side can hold, by these means; `None` if the limits do not tell.
    pub(crate) fn holds(&mut self, position: &Position) -> Result<Option<bool>, Halt> {
        if let Some(known) = self.known(position)? {
            return Ok(Some(known));
        }
        self.meet(position, self.key(position));
        loop {
            while let Some(place) = self.open.pop() {
                if matches!(self.nodes[place as usize].state, HoldState::Open)
                    && self.is_wanted(place)
                {
                    self.look(place)?;
                }
                if matches!(self.nodes[0].state, HoldState::Refuted) {
                    return Ok(Some(false));
                }
                if self.nodes.len() > self.most || self.visits == 0 {
                    return Ok(None);
                }
            }
            self.reopen();
            if self.open.is_empty() {
                return Ok(Some(true));
            }
        }
    }

    fn key(&self, position: &Position) -> [u64; 2] {
        let clock = self.ask.aim.has_clock();
        self.shared.oracle.key(position, clock, self.ask.salt())
    }

    /// Adds a position, to be looked at.
    fn meet(&mut self, position: &Position, key: [u64; 2]) -> u32 {
        let place = self.nodes.len() as u32;
        self.nodes.push(Node {
            position: *position,
            state: HoldState::Open,
            parents: Vec::new(),
        });
        self.places.insert(key, place);
        self.open.push(place);
        place
    }

    /// Whether a position is held, if tables or rules know it. What the search has stored is
    /// left aside, so that the answer is always the same.
    fn known(&mut self, position: &Position) -> Result<Option<bool>, Halt> {
        self.count()?;
        let oracle = self.shared.oracle;
        let known = oracle.known(position)?;
        let mut answer = known.and_then(|known| known.answer(self.ask, 0));
        if answer.is_none() && oracle.may_be_won(position) {
            let mut moves = MoveList::new();
            position.legal_moves_into(&mut moves);
            answer = moves
                .is_empty()
                .then(|| self.ask.of_end(oracle.winner_at_end(position)));
        }
        Ok(answer.map(|answer| matches!(answer, Outcome::Yes(_))))
    }

    /// Finds out what a position relies on.
    fn look(&mut self, place: u32) -> Result<(), Halt> {
        let oracle = self.shared.oracle;
        let position = self.nodes[place as usize].position;
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        if moves.is_empty() {
            match self.ask.of_end(oracle.winner_at_end(&position)) {
                Outcome::Yes(_) => self.nodes[place as usize].state = HoldState::Held,
                Outcome::No(_) => self.refute(place),
            }
            return Ok(());
        }
        let children = moves.iter().map(|&mv| position.play(mv));
        if position.turn() == self.ask.side {
            self.choose(place, children)
        } else {
            self.answer_all(place, children)
        }
    }

    /// Chooses a move that holds, of which one is enough.
    fn choose(&mut self, place: u32, children: impl Iterator<Item = Position>) -> Result<(), Halt> {
        let oracle = self.shared.oracle;
        let is_check = self.nodes[place as usize].position.is_check();
        let mut best: Option<(Rank, Position)> = None;
        for child in children {
            let key = self.key(&child);
            let met = self.places.get(&key).copied();
            if let Some(met) = met
                && matches!(self.nodes[met as usize].state, HoldState::Refuted)
            {
                continue;
            }
            if met.is_none() {
                match self.known(&child)? {
                    Some(true) => {
                        self.nodes[place as usize].state = HoldState::Held;
                        return Ok(());
                    }
                    Some(false) => continue,
                    None => {}
                }
            }
            let gives_check = child.is_check();
            if self.means == Means::Checks && !gives_check && !is_check {
                continue;
            }
            // What keeps the set small: positions that have been met; checks, which leave few
            // replies; and whatever the other side does, pieces on the same few squares.
            let rank = (
                met.is_none(),
                !gives_check,
                oracle.arrangement(&child, self.ask.side),
            );
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, child));
            }
        }
        let Some((_, child)) = best else {
            self.refute(place);
            return Ok(());
        };
        let key = self.key(&child);
        let child = match self.places.get(&key) {
            Some(&met) => met,
            None => self.meet(&child, key),
        };
        self.nodes[child as usize].parents.push(place);
        self.nodes[place as usize].state = HoldState::One(child);
        Ok(())
    }

    /// Answers all moves, which all have to hold.
    fn answer_all(
        &mut self,
        place: u32,
        children: impl Iterator<Item = Position>,
    ) -> Result<(), Halt> {
        let (mut met, mut unmet) = (Vec::new(), Vec::new());
        for child in children {
            let key = self.key(&child);
            let is_refuted = match self.places.get(&key) {
                Some(&child) => {
                    met.push(child);
                    matches!(self.nodes[child as usize].state, HoldState::Refuted)
                }
                None => match self.known(&child)? {
                    Some(true) => false,
                    Some(false) => true,
                    None => {
                        unmet.push((child, key));
                        false
                    }
                },
            };
            if is_refuted {
                self.refute(place);
                return Ok(());
            }
        }
        for (child, key) in unmet {
            // Two moves may lead to one position.
            let child = match self.places.get(&key) {
                Some(&child) => child,
                None => self.meet(&child, key),
            };
            met.push(child);
        }
        for &child in &met {
            self.nodes[child as usize].parents.push(place);
        }
        self.nodes[place as usize].state = match met.is_empty() {
            true => HoldState::Held,
            false => HoldState::All(met),
        };
        Ok(())
    }

    /// A position is not held, and so whatever relied on it has to look for another move.
    fn refute(&mut self, place: u32) {
        let mut refuted = vec![place];
        while let Some(place) = refuted.pop() {
            let node = &mut self.nodes[place as usize];
            if matches!(node.state, HoldState::Refuted) {
                continue;
            }
            node.state = HoldState::Refuted;
            for parent in std::mem::take(&mut node.parents) {
                let state = &mut self.nodes[parent as usize].state;
                match state {
                    HoldState::All(_) => refuted.push(parent),
                    HoldState::One(child) if *child == place => {
                        *state = HoldState::Open;
                        self.open.push(parent);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Whether a position still relies on this one. Those that it no longer concerns need not
    /// be looked at, unless [`Holding::reopen`] finds them again.
    fn is_wanted(&self, place: u32) -> bool {
        let relies = |&parent: &u32| match &self.nodes[parent as usize].state {
            HoldState::One(child) => *child == place,
            HoldState::All(_) => true,
            HoldState::Open | HoldState::Held | HoldState::Refuted => false,
        };
        place == 0 || self.nodes[place as usize].parents.iter().any(relies)
    }

    /// Opens the positions again that the first one relies on and nobody has looked at.
    fn reopen(&mut self) {
        let mut is_reached = vec![false; self.nodes.len()];
        let mut reached = vec![0];
        is_reached[0] = true;
        while let Some(place) = reached.pop() {
            let children = match &self.nodes[place as usize].state {
                HoldState::One(child) => std::slice::from_ref(child),
                HoldState::All(children) => children,
                HoldState::Held => &[],
                HoldState::Open | HoldState::Refuted => {
                    self.open.push(place);
                    &[]
                }
            };
            for &child in children {
                if !std::mem::replace(&mut is_reached[child as usize], true) {
                    reached.push(child);
                }
            }
        }
    }

    /// Counts a position, and stops if a limit is reached.
    fn count(&mut self) -> Result<(), Halt> {
        self.visits = self.visits.saturating_sub(1);
        self.shared.count(&mut self.fresh, || false)
    }
}

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        self.shared.tell(&mut self.fresh);
    }
}
