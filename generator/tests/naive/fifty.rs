//! The fifty-move rule: five results, and the plies to the next zeroing move.
//!
//! A material is solved level by level, by the number of steps its pawns have made,
//! most steps first. Within a level all moves but captures and pawn moves remain,
//! so layers of plies are walked as for the depth: first for real results, as
//! far as the limit, then for cursed ones.

use std::rc::Rc;

use super::indexing::Indexing;
use super::rules::{Next, Rules};
use super::solve::{Graph, Solver, push, take};
use super::state::{Pieces, State, Value};

/// The value of a state for the side to move, with the clock at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// Not a state of the game.
    Illegal,
    /// Neither side can force a win.
    Draw,
    /// Won, and the next zeroing move, or mate, comes after so many plies.
    Win(u16),
    /// Won, but not in time.
    CursedWin(u16),
    /// Lost, but not in time.
    BlessedLoss(u16),
    /// Lost.
    Loss(u16),
}

use Outcome::{BlessedLoss, CursedWin, Draw, Illegal, Loss, Win};

/// Solves materials with a fifty-move rule of `limit` plies, and remembers them.
pub(crate) struct Fifty<R: Rules> {
    pub(crate) solver: Solver<R>,
    limit: u16,
    known: Vec<(Pieces, Rc<Endgame>)>,
    /// Room for the moves of one state.
    buffer: Vec<Next>,
}

/// A solved material.
struct Endgame {
    indexing: Indexing,
    outcomes: Vec<Outcome>,
}

/// A move of a state.
enum To {
    /// A move that is counted, to the state with this index.
    Quiet(u32),
    /// A capture or pawn move, to a state that is worth this to the side then
    /// to move.
    Zeroing(Outcome),
}

/// What is known about the states of a level while its plies are walked.
#[derive(Default)]
struct Walk {
    /// By layer: states that have a move which wins then, and states of which
    /// one more move is then known to lose.
    wins: Vec<Vec<u32>>,
    losses: Vec<Vec<u32>>,
}

impl<R: Rules> Fifty<R> {
    pub(crate) fn new(solver: Solver<R>, limit: u16) -> Fifty<R> {
        Fifty {
            solver,
            limit,
            known: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// The outcome of any state; its material is solved if it has not been.
    pub(crate) fn outcome(&mut self, state: &State) -> Outcome {
        let state = self.solver.stored(state);
        let endgame = self.endgame(state.pieces);
        let index = endgame.indexing.index_of(&state);
        index.map_or(Illegal, |n| endgame.outcomes[n as usize])
    }

    fn endgame(&mut self, pieces: Pieces) -> Rc<Endgame> {
        if let Some((_, endgame)) = self.known.iter().find(|(m, _)| *m == pieces) {
            return Rc::clone(endgame);
        }
        let endgame = Rc::new(self.solve(pieces));
        self.known.push((pieces, Rc::clone(&endgame)));
        endgame
    }

    fn solve(&mut self, pieces: Pieces) -> Endgame {
        let indexing = self.solver.indexing(pieces);
        let mut levels: Vec<Vec<u32>> = Vec::new();
        let mut outcomes = vec![Illegal; indexing.len() as usize];
        for index in 0..indexing.len() {
            let state = indexing.state(index);
            if self.solver.is_legal(&state) {
                outcomes[index as usize] = Draw;
                let level = self.solver.rules().pawn_steps(&state);
                levels.resize_with(levels.len().max(level + 1), Vec::new);
                levels[level].push(index);
            }
        }
        let mut graph = Graph::default();
        let mut moves = Vec::new();
        for index in 0..indexing.len() {
            if outcomes[index as usize] != Illegal {
                self.quiet_moves(&indexing, index, &outcomes, |to| graph.push(to));
            }
            graph.end();
        }
        let reverse = graph.reversed();
        let mut open = vec![0; outcomes.len()];
        for level in levels.iter().rev() {
            let mut walk = Walk::default();
            for &index in level {
                self.moves(&indexing, index, &outcomes, &mut moves);
                let n = index as usize;
                // One that never closes keeps a stalemate open.
                open[n] = moves.len().max(1) as u16;
                if moves.is_empty() {
                    let stuck = self.solver.rules().stuck(&indexing.state(index));
                    if stuck == Value::Loss(0) {
                        push(&mut walk.losses, 0, index);
                    }
                }
                for to in &moves {
                    match to {
                        To::Zeroing(Loss(_)) => push(&mut walk.wins, 1, index),
                        To::Zeroing(Win(_)) => push(&mut walk.losses, 1, index),
                        _ => {}
                    }
                }
            }
            walk.run(
                0..=self.limit,
                &reverse,
                &mut open,
                &mut outcomes,
                [Win, Loss],
            );

            let mut walk = Walk::default();
            let left = |n: &&u32| outcomes[**n as usize] == Draw;
            for &index in level.iter().filter(left) {
                self.moves(&indexing, index, &outcomes, &mut moves);
                let mut count = 0;
                for to in &moves {
                    match to {
                        // Moves that lose for real, or would win for real:
                        // nobody who has better, and nobody, has them.
                        To::Zeroing(Win(_)) => continue,
                        To::Zeroing(Loss(_)) => unreachable!("a real win"),
                        To::Zeroing(BlessedLoss(_)) => push(&mut walk.wins, 1, index),
                        To::Zeroing(CursedWin(_)) => push(&mut walk.losses, 1, index),
                        To::Zeroing(Draw | Illegal) => {}
                        To::Quiet(target) => match outcomes[*target as usize] {
                            Win(plies) if plies < self.limit => continue,
                            Win(plies) => push(&mut walk.losses, plies + 1, index),
                            Loss(plies) => push(&mut walk.wins, plies + 1, index),
                            _ => {}
                        },
                    }
                    count += 1;
                }
                open[index as usize] = count.max(1);
            }
            walk.run(
                1..=u16::MAX,
                &reverse,
                &mut open,
                &mut outcomes,
                [CursedWin, BlessedLoss],
            );
        }
        Endgame { indexing, outcomes }
    }

    /// Visits the legal quiet moves of a legal state; `own` says which states
    /// of the material are legal.
    fn quiet_moves(
        &mut self,
        indexing: &Indexing,
        index: u32,
        own: &[Outcome],
        mut visit: impl FnMut(u32),
    ) {
        let state = indexing.state(index);
        let mut moves = std::mem::take(&mut self.buffer);
        self.solver.rules().moves(&state, &mut moves);
        for next in moves.drain(..) {
            if let Next::State(next) = next
                && !self.solver.rules().is_zeroing(&state, &next)
            {
                let target = self.target(indexing, &next);
                if own[target as usize] != Illegal {
                    visit(target);
                }
            }
        }
        self.buffer = moves;
    }

    /// The legal moves of a legal state; `own` are the outcomes of the material so
    /// far.
    fn moves(&mut self, indexing: &Indexing, index: u32, own: &[Outcome], out: &mut Vec<To>) {
        out.clear();
        let state = indexing.state(index);
        let mut moves = std::mem::take(&mut self.buffer);
        self.solver.rules().moves(&state, &mut moves);
        for next in moves.drain(..) {
            let Next::State(next) = next else {
                unreachable!("orthodox games end without a move");
            };
            let zeroing = self.solver.rules().is_zeroing(&state, &next);
            let to = if next.pieces != state.pieces {
                To::Zeroing(self.outcome(&next))
            } else {
                let target = self.target(indexing, &next);
                match own[target as usize] {
                    Illegal => To::Zeroing(Illegal),
                    outcome if zeroing => To::Zeroing(outcome),
                    _ => To::Quiet(target),
                }
            };
            if !matches!(to, To::Zeroing(Illegal)) {
                out.push(to);
            }
        }
        self.buffer = moves;
    }

    /// The index of a state of the same material.
    fn target(&self, indexing: &Indexing, next: &State) -> u32 {
        let index = indexing.index_of(&self.solver.stored(next));
        index.expect("a state of the material")
    }

    /// Derives every state of a material again from the outcomes of its
    /// successors, and returns how many were legal.
    pub(crate) fn audit(&mut self, name: &str) -> usize {
        let mut states = 0;
        for state in self.solver.states(name) {
            if self.solver.is_legal(&state) {
                states += 1;
                let outcome = self.outcome(&state);
                assert_eq!(outcome, self.by_moves(&state), "{name}: {state}");
            }
        }
        states
    }

    /// The outcome of a legal state from those of its successors.
    fn by_moves(&mut self, state: &State) -> Outcome {
        let moves = self.solver.moves_of(state);
        if moves.is_empty() {
            return match self.solver.rules().stuck(state) {
                Value::Loss(plies) => Loss(plies),
                _ => Draw,
            };
        }
        let limit = self.limit;
        let mut best: Option<(i32, Outcome)> = None;
        for next in moves {
            let Next::State(next) = next else { continue };
            let zeroing = self.solver.rules().is_zeroing(state, &next);
            let plies = |n: u16| if zeroing { 1 } else { n + 1 };
            // Wins from the longest to the shortest, and losses likewise.
            let (rank, outcome) = match self.outcome(&next) {
                Illegal => unreachable!("a legal move"),
                Draw => (0, Draw),
                Loss(n) if plies(n) <= limit => (20_000 - i32::from(plies(n)), Win(plies(n))),
                Loss(n) | BlessedLoss(n) => (10_000 - i32::from(plies(n)), CursedWin(plies(n))),
                Win(n) if plies(n) <= limit => (i32::from(plies(n)) - 20_000, Loss(plies(n))),
                Win(n) | CursedWin(n) => (i32::from(plies(n)) - 10_000, BlessedLoss(plies(n))),
            };
            if best.is_none_or(|(most, _)| rank > most) {
                best = Some((rank, outcome));
            }
        }
        best.map_or(Draw, |(_, outcome)| outcome)
    }
}

impl Walk {
    /// Walks the layers of plies and writes down what is decided; `open` counts
    /// the moves of each state that are not yet known to lose.
    fn run(
        mut self,
        layers: std::ops::RangeInclusive<u16>,
        reverse: &Graph,
        open: &mut [u16],
        outcomes: &mut [Outcome],
        [win, loss]: [fn(u16) -> Outcome; 2],
    ) {
        let (mut won, mut lost): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for layer in layers {
            let mut now_won = Vec::new();
            let winning = lost.iter().flat_map(|&s| reverse.of(s)).copied();
            for from in winning.chain(take(&mut self.wins, layer)) {
                if outcomes[from as usize] == Draw {
                    outcomes[from as usize] = win(layer);
                    now_won.push(from);
                }
            }
            let mut now_lost = Vec::new();
            let losing = won.iter().flat_map(|&s| reverse.of(s)).copied();
            for from in losing.chain(take(&mut self.losses, layer)) {
                if outcomes[from as usize] != Draw {
                    continue;
                }
                open[from as usize] -= 1;
                if open[from as usize] == 0 {
                    outcomes[from as usize] = loss(layer);
                    now_lost.push(from);
                }
            }
            (won, lost) = (now_won, now_lost);
            let last = self.wins.len().max(self.losses.len());
            if won.is_empty() && lost.is_empty() && usize::from(layer) >= last {
                return;
            }
        }
    }
}
