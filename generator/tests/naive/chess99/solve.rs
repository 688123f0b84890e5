//! Values, ply by ply. At ply n every state is examined whose value may have become known:
//! a state one move further on was found at ply n - 1 ([`Marks`]), or a move that leaves the
//! material falls due. Which states are examined does not affect the result as long as none
//! is left out, and an [audit](Solver::audit) of all states shows that none was.

use std::collections::HashMap;

use rayon::prelude::*;

use super::super::state::{MOST, Pieces, State, Value, pieces_of, side};
use super::back::Marks;
use super::board::{Board, extra};
use super::rules::{Flow, Play, Rules, What};
use super::states::{States, is_legal, with_rights};

/// Plies to the king's capture in a byte. The winner makes the last ply, so
/// wins are odd and losses even; 0 is a draw, or not known yet.
type Plies = u8;

const ILLEGAL: Plies = 255;

/// No ply at which a move that leaves the material falls due.
const NEVER: Plies = 255;

/// How many indices a task examines.
const CHUNK: usize = 1 << 12;

pub(crate) struct Solver {
    rules: Rules,
    endgames: HashMap<Pieces, Endgame>,
}

struct Endgame {
    states: States,
    values: Vec<Plies>,
    /// Whether 0 is a draw.
    done: bool,
}

/// What is known of a state at some ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Known(Value),
    /// Not before the given ply, unless something is found out in the material.
    Open(Plies),
}

/// How many moves are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scan {
    All,
    /// Until one wins.
    ForWin,
    /// Until one does not lose.
    ForLoss,
}

impl Endgame {
    /// What is known of a state without a right, values up to `limit` plies
    /// counted.
    fn seen(&self, state: &State, limit: i16) -> Seen {
        let plies = self.values[self.states.index_of(state)];
        assert_ne!(plies, ILLEGAL, "{state}");
        match (plies, self.done) {
            (0, true) => Seen::Known(Value::Draw),
            (0, false) => Seen::Open(NEVER),
            _ if i16::from(plies) <= limit => Seen::Known(value(plies)),
            (_, true) => Seen::Open(plies),
            (_, false) => Seen::Open(NEVER),
        }
    }
}

fn value(plies: Plies) -> Value {
    match plies {
        ILLEGAL => Value::Illegal,
        0 => Value::Draw,
        _ if plies % 2 == 1 => Value::Win(u16::from(plies)),
        _ => Value::Loss(u16::from(plies)),
    }
}

impl Solver {
    pub(crate) fn new(rules: Rules) -> Solver {
        Solver {
            rules,
            endgames: HashMap::new(),
        }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The value of a state, right to take en passant included.
    pub(crate) fn value(&mut self, state: &State) -> Value {
        if !is_legal(&self.rules, &State { extra: 0, ..*state }) {
            return Value::Illegal;
        }
        self.solve(state.pieces);
        self.known(state)
    }

    /// The value of a FEN.
    pub(crate) fn value_of_fen(&mut self, fen: &str) -> Value {
        self.value(&Board::read(fen).state())
    }

    /// The value of a legal state of a material that is solved.
    fn known(&self, state: &State) -> Value {
        match self.look(state, i16::MAX, &self.endgames[&state.pieces]) {
            Seen::Known(value) => value,
            Seen::Open(_) => panic!("{state} has no value"),
        }
    }

    /// Calls for every state of a material, first those of all placements, legal
    /// or not, then those with a right to take en passant that somebody could
    /// use.
    pub(crate) fn each(&mut self, name: &str, mut found: impl FnMut(&State, Value)) {
        let pieces = pieces_of(name);
        self.solve(pieces);
        let endgame = &self.endgames[&pieces];
        for index in 0..endgame.states.len() {
            found(&endgame.states.state(index), value(endgame.values[index]));
        }
        for index in 0..endgame.states.len() {
            if endgame.values[index] != ILLEGAL {
                for state in with_rights(&self.rules, &endgame.states.state(index)) {
                    found(&state, self.known(&state));
                }
            }
        }
    }

    /// Derives every value of a material again from those one ply further on, and
    /// says how many there are.
    pub(crate) fn audit(&mut self, name: &str) -> usize {
        let pieces = pieces_of(name);
        self.solve(pieces);
        let endgame = &self.endgames[&pieces];
        let indices = (0..endgame.states.len()).into_par_iter();
        let legal = indices.filter(|&index| {
            let state = endgame.states.state(index);
            let stored = endgame.values[index];
            assert_eq!(stored != ILLEGAL, is_legal(&self.rules, &state), "{state}");
            if stored != ILLEGAL {
                let derived = self.scan(&state, i16::MAX, Scan::All, endgame);
                assert_eq!(derived, Seen::Known(value(stored)), "{state}");
            }
            stored != ILLEGAL
        });
        legal.count()
    }

    /// What is known of a state, values up to `limit` plies counted; `home` is
    /// some material, perhaps the state's.
    fn look(&self, state: &State, limit: i16, home: &Endgame) -> Seen {
        let endgame = if state.pieces == *home.states.pieces() {
            home
        } else {
            &self.endgames[&state.pieces]
        };
        if state.extra == 0 {
            endgame.seen(state, limit)
        } else {
            self.scan(state, limit, Scan::All, endgame)
        }
    }

    /// What follows for a state of the material `home` from the states one ply
    /// further on.
    fn scan(&self, state: &State, limit: i16, all: Scan, home: &Endgame) -> Seen {
        let board = Board::of(state);
        let (own, count) = own_squares(state);
        // The quickest win; the longest loss, as long as every move loses.
        let (mut win, mut loss) = (None, Some(0));
        let (mut open, mut next) = (false, NEVER);
        let _ = self.rules.each_play(&board, &own[..count], &mut |play| {
            let seen = match self.rules.takes_king(&board, play) {
                Some(true) if limit < 1 => Seen::Open(0),
                Some(true) => Seen::Known(Value::Loss(0)),
                Some(false) => Seen::Known(Value::Draw),
                None => self.look(&self.after(state, &board, play), limit - 1, home),
            };
            match seen {
                Seen::Known(Value::Loss(plies)) => {
                    loss = None;
                    win = Some(win.map_or(plies + 1, |least: u16| least.min(plies + 1)));
                }
                Seen::Known(Value::Win(plies)) => {
                    loss = loss.map(|most: u16| most.max(plies + 1));
                }
                Seen::Known(_) => loss = None,
                Seen::Open(plies) => {
                    (loss, open) = (None, true);
                    next = next.min(plies.saturating_add(1));
                }
            }
            let enough = match all {
                Scan::All => false,
                Scan::ForWin => win.is_some(),
                Scan::ForLoss => loss.is_none(),
            };
            if enough {
                Flow::Break(())
            } else {
                Flow::Continue(())
            }
        });
        match (win, loss) {
            (Some(plies), _) => Seen::Known(Value::Win(plies)),
            // A side without a move is blocked (C4).
            (_, Some(0)) => Seen::Known(Value::Draw),
            (_, Some(plies)) => Seen::Known(Value::Loss(plies)),
            _ if open => Seen::Open(next),
            _ => Seen::Known(Value::Draw),
        }
    }

    /// The state after a move that does not take the king.
    fn after(&self, state: &State, board: &Board, play: Play) -> State {
        let slot = |square| {
            state.squares[..state.len()]
                .iter()
                .position(|&s| s == square)
        };
        let from = slot(play.from).unwrap();
        if play.what == What::Castling {
            let partner = slot(play.to).unwrap();
            let mut next = state.moved(from, play.to, None, None);
            next.squares[from] = if play.to > play.from {
                play.from + 1
            } else {
                play.from - 1
            };
            next.squares[partner] = play.from;
            return next;
        }
        let takes = play.takes.and_then(slot);
        let mut next = state.moved(from, play.to, takes, play.becomes);
        if let What::Double(_) = play.what {
            next.extra = extra(self.rules.played(board, play).ep);
        }
        next
    }

    /// Solves a material and all that its moves lead to.
    fn solve(&mut self, pieces: Pieces) {
        if self.endgames.contains_key(&pieces) {
            return;
        }
        let states = States::new(pieces);
        for exit in states.successors() {
            self.solve(exit);
        }
        let rules = self.rules;
        let legal = |index| is_legal(&rules, &states.state(index));
        let values: Vec<Plies> = (0..states.len())
            .into_par_iter()
            .map(|index| if legal(index) { 0 } else { ILLEGAL })
            .collect();
        // At first everything is looked at.
        let mut due: Vec<Plies> = values
            .iter()
            .map(|&plies| if plies == ILLEGAL { NEVER } else { 1 })
            .collect();
        let mut marks = Marks::new(states.len());
        let endgame = Endgame {
            states: states.clone(),
            values,
            done: false,
        };
        self.endgames.insert(pieces, endgame);
        let (mut ply, mut last_due) = (0, 1);
        while ply < last_due || !marks.is_empty() {
            ply += 1;
            assert!(ply < ILLEGAL, "more plies than a byte counts");
            let (found, latest) = self.look_round(pieces, ply, &marks.take(ply), &mut due);
            last_due = last_due.max(latest);
            for &index in &found {
                marks.add_before(&rules, &states, index as usize, ply);
            }
            let endgame = self.endgames.get_mut(&pieces).unwrap();
            for index in found {
                endgame.values[index as usize] = ply;
            }
        }
        self.endgames.get_mut(&pieces).unwrap().done = true;
    }

    /// Looks at the marked states and those that are due; gives those that are
    /// won or lost in just so many plies, and the latest ply that others are
    /// due at then.
    fn look_round(
        &self,
        pieces: Pieces,
        ply: Plies,
        marked: &[u64],
        due: &mut [Plies],
    ) -> (Vec<u32>, Plies) {
        let endgame = &self.endgames[&pieces];
        let quick = match ply % 2 {
            1 => Scan::ForWin,
            _ => Scan::ForLoss,
        };
        let chunks = due.par_chunks_mut(CHUNK).enumerate();
        let parts: Vec<(Vec<u32>, Plies)> = chunks
            .map(|(chunk, due)| {
                let (mut found, mut latest) = (Vec::new(), 0);
                for (word, due) in due.chunks_mut(64).enumerate() {
                    let first = chunk * CHUNK + word * 64;
                    let bits = marked.get(first / 64).copied().unwrap_or(0);
                    if bits == 0 && !due.contains(&ply) {
                        continue;
                    }
                    for (bit, due) in due.iter_mut().enumerate() {
                        let index = first + bit;
                        let is_due = *due == ply;
                        let looked_at = is_due || bits >> bit & 1 != 0;
                        if !looked_at || endgame.values[index] != 0 {
                            continue;
                        }
                        let state = endgame.states.state(index);
                        let all = if is_due { Scan::All } else { quick };
                        match self.scan(&state, i16::from(ply), all, endgame) {
                            Seen::Known(Value::Win(plies) | Value::Loss(plies)) => {
                                assert_eq!(plies, u16::from(ply), "{state} was overlooked");
                                found.push(index as u32);
                            }
                            Seen::Open(next) if is_due => {
                                assert!(next > ply, "{state}");
                                *due = next;
                                if next != NEVER {
                                    latest = latest.max(next);
                                }
                            }
                            _ => {}
                        }
                    }
                }
                (found, latest)
            })
            .collect();
        let latest = parts.iter().map(|(_, latest)| *latest).max();
        let found = parts.into_iter().flat_map(|(found, _)| found).collect();
        (found, latest.unwrap_or(0))
    }
}

/// The squares of the side to move.
fn own_squares(state: &State) -> ([u8; MOST], usize) {
    let (mut own, mut count) = ([0; MOST], 0);
    for (_, piece, square) in state.iter() {
        if side(piece) == state.turn {
            own[count] = square;
            count += 1;
        }
    }
    (own, count)
}
