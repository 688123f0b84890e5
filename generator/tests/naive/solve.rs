//! The solver: the graph of a material, built from forward moves alone, reversed, and
//! walked layer by layer from the ends of games.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use super::indexing::Indexing;
use super::rules::{Next, Rules};
use super::state::{Pieces, State, Value, pieces_of};

/// A solver that several tests share, so that each material is solved once.
pub(crate) type Shared<R> = LazyLock<Mutex<Solver<R>>>;

/// The solver for one test at a time, whatever became of others.
pub(crate) fn share<R: Rules>(solver: &Mutex<Solver<R>>) -> MutexGuard<'_, Solver<R>> {
    solver.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The stored value of a state: `ILLEGAL`, 0 for undecided (in the end, a draw), n + 1 for a
/// win in n plies, -(n + 1) for a loss in n plies.
type Score = i16;

const ILLEGAL: Score = Score::MIN;

fn value(score: Score) -> Value {
    match score {
        ILLEGAL => Value::Illegal,
        0 => Value::Draw,
        1.. => Value::Win(score as u16 - 1),
        _ => Value::Loss((-score) as u16 - 1),
    }
}

/// A solved material.
struct Table {
    indexing: Indexing,
    scores: Vec<Score>,
}

impl Table {
    fn get(&self, state: &State) -> Value {
        let index = self.indexing.index_of(state);
        index.map_or(Value::Illegal, |n| value(self.scores[n as usize]))
    }
}

/// Solves materials, and remembers them.
pub(crate) struct Solver<R: Rules> {
    rules: R,
    folded: bool,
    tables: Vec<(Pieces, Arc<Table>)>,
    /// Room for the moves of one state.
    moves: Vec<Next>,
}

impl<R: Rules> Solver<R> {
    /// Solves every material over the whole board, each colouring by itself.
    pub(crate) fn plain(rules: R) -> Solver<R> {
        Solver {
            rules,
            folded: false,
            tables: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Uses the symmetries of the game.
    pub(crate) fn folded(rules: R) -> Solver<R> {
        Solver {
            folded: true,
            ..Solver::plain(rules)
        }
    }

    /// The value of any state; its material is solved if it has not been.
    pub(crate) fn value(&mut self, state: &State) -> Value {
        let state = self.stored(state);
        self.table(state.pieces).get(&state)
    }

    /// Visits every way to place the pieces of a material on the whole board, with
    /// either side to move and with every `extra`, illegal ones included.
    pub(crate) fn each(&mut self, name: &str, mut visit: impl FnMut(&State, Value)) {
        for state in self.states(name) {
            visit(&state, self.value(&state));
        }
    }

    /// The states that [`Solver::each`] visits.
    pub(crate) fn states(&self, name: &str) -> impl Iterator<Item = State> + use<R> {
        let indexing = Indexing::new(&self.rules, pieces_of(name), false);
        (0..indexing.len()).map(move |index| indexing.state(index))
    }

    pub(super) fn rules(&self) -> &R {
        &self.rules
    }

    /// The indices of the stored states of a material.
    pub(super) fn indexing(&self, pieces: Pieces) -> Indexing {
        Indexing::new(&self.rules, pieces, self.folded)
    }

    pub(super) fn is_legal(&self, state: &State) -> bool {
        self.rules.legal(state)
    }

    /// The state under which a state is stored.
    pub(super) fn stored(&self, state: &State) -> State {
        if self.folded {
            self.rules.fold(state)
        } else {
            *state
        }
    }

    fn table(&mut self, pieces: Pieces) -> Arc<Table> {
        if let Some((_, table)) = self.tables.iter().find(|(m, _)| *m == pieces) {
            return Arc::clone(table);
        }
        let table = Arc::new(self.solve_material(pieces));
        self.tables.push((pieces, Arc::clone(&table)));
        table
    }

    fn solve_material(&mut self, pieces: Pieces) -> Table {
        let indexing = Indexing::new(&self.rules, pieces, self.folded);
        let states = indexing.len();
        let legal = |n| self.rules.legal(&indexing.state(n));
        let scores = (0..states)
            .map(|n| if legal(n) { 0 } else { ILLEGAL })
            .collect();
        let mut table = Table { indexing, scores };
        let mut layers = Layers::new(states);
        let mut graph = Graph::default();
        for index in 0..states {
            if table.scores[index as usize] != ILLEGAL {
                self.each_move(&table, index, |to| match to {
                    To::Inside(target) => {
                        layers.moves[index as usize] += 1;
                        graph.push(target);
                    }
                    To::Outside(value) => layers.outside(index, value),
                    To::Stuck(value) => layers.stuck(index, value),
                });
            }
            graph.end();
        }
        layers.run(&mut table.scores, &graph.reversed());
        table
    }

    /// Visits every legal move of a legal state.
    fn each_move(&mut self, table: &Table, index: u32, mut visit: impl FnMut(To)) {
        let state = table.indexing.state(index);
        let mut moves = std::mem::take(&mut self.moves);
        self.rules.moves(&state, &mut moves);
        let mut stuck = true;
        for next in moves.drain(..) {
            let to = match next {
                Next::Over(value) => To::Outside(value),
                Next::State(next) => {
                    let next = self.stored(&next);
                    if next.pieces == state.pieces {
                        let target = table.indexing.index_of(&next);
                        let target = target.expect("a state of the material");
                        if table.scores[target as usize] == ILLEGAL {
                            continue;
                        }
                        To::Inside(target)
                    } else {
                        match self.table(next.pieces).get(&next) {
                            Value::Illegal => continue,
                            value => To::Outside(value),
                        }
                    }
                }
            };
            stuck = false;
            visit(to);
        }
        self.moves = moves;
        if stuck {
            visit(To::Stuck(self.rules.stuck(&state)));
        }
    }

    /// Derives every stored state of a material again from the values of its successors, and
    /// returns how many were legal. Depths are finite, so equality everywhere proves the
    /// table, however it was made.
    pub(crate) fn audit(&mut self, name: &str) -> usize {
        let table = self.table(pieces_of(name));
        let mut states = 0;
        for index in 0..table.indexing.len() {
            let state = table.indexing.state(index);
            let found = value(table.scores[index as usize]);
            let expected = if self.rules.legal(&state) {
                states += 1;
                self.value_by_moves(&state)
            } else {
                Value::Illegal
            };
            assert_eq!(found, expected, "{name}: {state}");
        }
        states
    }

    /// The value of a legal state from those of its successors.
    pub(crate) fn value_by_moves(&mut self, state: &State) -> Value {
        let moves = self.moves_of(state);
        let value = |next: &Next| match next {
            Next::State(next) => self.value(next),
            Next::Over(value) => *value,
        };
        let values: Vec<Value> = moves.iter().map(value).collect();
        if values.is_empty() {
            self.rules.stuck(state)
        } else {
            best(&values)
        }
    }

    /// The legal moves of a state, judged by the rules alone.
    pub(crate) fn moves_of(&self, state: &State) -> Vec<Next> {
        let mut moves = Vec::new();
        self.rules.moves(state, &mut moves);
        moves.retain(|next| match next {
            Next::State(next) => self.rules.legal(next),
            Next::Over(_) => true,
        });
        moves
    }
}

/// The value of a state from those of its successors.
fn best(successors: &[Value]) -> Value {
    let lost = successors.iter().filter_map(|v| match v {
        Value::Loss(plies) => Some(*plies),
        _ => None,
    });
    let won = successors.iter().map(|v| match v {
        Value::Win(plies) => Some(*plies),
        _ => None,
    });
    if let Some(plies) = lost.min() {
        return Value::Win(plies + 1);
    }
    // One that is not won makes the whole `None`.
    let longest = won
        .collect::<Option<Vec<u16>>>()
        .and_then(|all| all.into_iter().max());
    longest.map_or(Value::Draw, |plies| Value::Loss(plies + 1))
}

/// Where a legal move leads, as an index if it stays in the material.
enum To {
    Inside(u32),
    Outside(Value),
    /// There is no legal move.
    Stuck(Value),
}

/// For every state a list of states: first where its moves lead, and once
/// reversed, where the moves that lead to it come from.
#[derive(Default)]
pub(super) struct Graph {
    /// Where each state's list ends.
    ends: Vec<u32>,
    lists: Vec<u32>,
}

impl Graph {
    pub(super) fn push(&mut self, state: u32) {
        self.lists.push(state);
    }

    /// Ends the list of one state; the next one's begins.
    pub(super) fn end(&mut self) {
        let end = u32::try_from(self.lists.len());
        self.ends.push(end.expect("fewer than 2^32 moves"));
    }

    pub(super) fn of(&self, state: u32) -> &[u32] {
        let state = state as usize;
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.lists[start as usize..self.ends[state] as usize]
    }

    pub(super) fn reversed(self) -> Graph {
        let mut places = vec![0; self.ends.len() + 1];
        for &target in &self.lists {
            places[target as usize + 1] += 1;
        }
        for target in 1..places.len() {
            places[target] += places[target - 1];
        }
        // Each place moves from the start of its list to the end.
        let mut lists = vec![0; self.lists.len()];
        for from in 0..self.ends.len() as u32 {
            for &target in self.of(from) {
                let place: &mut u32 = &mut places[target as usize];
                lists[*place as usize] = from;
                *place += 1;
            }
        }
        places.pop();
        Graph {
            ends: places,
            lists,
        }
    }
}

/// The frontier, and what falls due from outside the material.
struct Layers {
    /// The moves of each state that are not yet known to lose.
    moves: Vec<u8>,
    /// By layer: states that have a move which wins then, and states of
    /// which one more move is then known to lose.
    wins: Vec<Vec<u32>>,
    losses: Vec<Vec<u32>>,
}

impl Layers {
    fn new(states: u32) -> Layers {
        Layers {
            moves: vec![0; states as usize],
            wins: Vec::new(),
            losses: Vec::new(),
        }
    }

    fn outside(&mut self, from: u32, value: Value) {
        self.moves[from as usize] += 1;
        match value {
            Value::Loss(plies) => push(&mut self.wins, plies + 1, from),
            Value::Win(plies) => push(&mut self.losses, plies + 1, from),
            Value::Draw | Value::Illegal => {}
        }
    }

    fn stuck(&mut self, from: u32, value: Value) {
        match value {
            // A last "move" that is known to lose at once.
            Value::Loss(plies) => {
                self.moves[from as usize] = 1;
                push(&mut self.losses, plies, from);
            }
            Value::Win(plies) => push(&mut self.wins, plies, from),
            Value::Draw | Value::Illegal => {}
        }
    }

    fn run(mut self, scores: &mut [Score], reverse: &Graph) {
        let (mut won, mut lost): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for layer in 0u16.. {
            let score = Score::try_from(layer + 1).expect("a depth that fits");
            let mut now_won = Vec::new();
            let winning = lost.iter().flat_map(|&s| reverse.of(s)).copied();
            for from in winning.chain(take(&mut self.wins, layer)) {
                if scores[from as usize] == 0 {
                    scores[from as usize] = score;
                    now_won.push(from);
                }
            }
            let mut now_lost = Vec::new();
            let losing = won.iter().flat_map(|&s| reverse.of(s)).copied();
            for from in losing.chain(take(&mut self.losses, layer)) {
                self.moves[from as usize] -= 1;
                if self.moves[from as usize] == 0 && scores[from as usize] == 0 {
                    scores[from as usize] = -score;
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

pub(super) fn push(layers: &mut Vec<Vec<u32>>, layer: u16, state: u32) {
    let layer = usize::from(layer);
    if layers.len() <= layer {
        layers.resize_with(layer + 1, Vec::new);
    }
    layers[layer].push(state);
}

pub(super) fn take(layers: &mut [Vec<u32>], layer: u16) -> Vec<u32> {
    layers
        .get_mut(usize::from(layer))
        .map(std::mem::take)
        .unwrap_or_default()
}
