//! Solves a whole material by retrograde analysis, without symmetry.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::game::{EnPassant, Game, Side};
use crate::position::{Board, Man, Position, men};

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// The opponent wins.
    Loss,
    /// The opponent would win, but cannot make progress in time (O4).
    BlessedLoss,
    /// Neither side can force a win.
    Draw,
    /// The side to move would win, but cannot make progress in time (O4).
    CursedWin,
    /// The side to move wins.
    Win,
}

impl Category {
    /// The value for the other side.
    pub fn reversed(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::Win => Category::Loss,
        }
    }
}

/// The value of a position. Distances are none for draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The result; of five values where the game counts plies without progress.
    pub category: Category,
    /// Plies to the end of the game, whatever progress is made.
    pub depth: Option<u32>,
    /// Plies to the next capture or pawn move, or to the end (O4); none without such a rule.
    pub dtz: Option<u32>,
    /// Whether White and whether Black could lose if both sides played to that end.
    pub may_lose: [bool; 2],
}

/// The most men of a table; more make too many positions on any board.
const MOST_MEN: usize = 14;
const NEVER: u16 = u16::MAX;
const OPEN: u16 = u16::MAX;
/// Marks an edge that is a pawn move.
const ZEROES: u32 = 1 << 31;

/// The side that has lost, as a set.
fn loser(winner: Option<Side>) -> u8 {
    winner.map_or(0, |winner| 1 << winner.other() as u8)
}

/// A set of categories.
fn bit(category: Category) -> u8 {
    1 << category as u8
}

/// Successors in other materials and ends of games: their values for the side to move after.
#[derive(Clone, Copy)]
struct Known {
    categories: u8,
    /// The least depth of a loss, and the greatest of a win.
    shortest_loss: u16,
    longest_win: u16,
    /// The sides that may lose after some of them.
    losers: u8,
}

impl Known {
    const NONE: Known = Known {
        categories: 0,
        shortest_loss: NEVER,
        longest_win: 0,
        losers: 0,
    };

    fn add(&mut self, category: Category, depth: u16, losers: u8) {
        self.categories |= bit(category);
        self.losers |= losers;
        match category {
            Category::Loss | Category::BlessedLoss => {
                self.shortest_loss = self.shortest_loss.min(depth)
            }
            Category::Win | Category::CursedWin => self.longest_win = self.longest_win.max(depth),
            Category::Draw => {}
        }
    }

    /// Whether all successors are won for the opponent, cursed or not.
    fn only_wins(self) -> bool {
        self.categories & !(bit(Category::Win) | bit(Category::CursedWin)) == 0
    }
}

/// A material, solved.
///
/// Positions are numbered by the squares of their men and the side to move; those with an e.p.
/// right follow. Each number stands for as many nodes as there are pairs of counters.
pub struct Table<'g> {
    game: &'g Game,
    men: Vec<Man>,
    placements: usize,
    rights: Vec<(u32, u8, u8)>,
    right_index: HashMap<(u32, u8, u8), u32>,
    /// Whether the position of each node exists; the lists below are by node, too.
    exists: Vec<bool>,
    results: Vec<Category>,
    depths: Vec<u16>,
    five: Vec<Category>,
    dtz: Vec<u16>,
    losers: Vec<u8>,
}

/// Solves materials and keeps what it has solved.
pub struct Solver<'g> {
    game: &'g Game,
    tables: RefCell<HashMap<Vec<Man>, Rc<Table<'g>>>>,
}

impl<'g> Solver<'g> {
    /// A solver that has solved nothing yet.
    pub fn new(game: &'g Game) -> Self {
        Solver {
            game,
            tables: RefCell::default(),
        }
    }

    /// Solves a material such as `KQvKR`, White's men first, and all that it leads to.
    pub fn solve(&self, material: &str) -> Result<Rc<Table<'g>>, String> {
        let (white, black) = material
            .split_once('v')
            .ok_or("a material is written like KQvKR")?;
        let mut men = Vec::new();
        for (side, letters) in [(Side::White, white), (Side::Black, black)] {
            for letter in letters.chars() {
                let kind = self
                    .game
                    .kind(letter)
                    .ok_or_else(|| format!("there is no piece {letter}"))?;
                men.push(Man::new(side, kind));
            }
        }
        self.table(men)
    }

    /// The value of a position.
    pub fn value(&self, fen: &str) -> Result<Value, String> {
        let position = self.game.position(fen)?;
        if position.unmoved != 0 {
            return Err("tables have no castling rights".into());
        }
        let table = self.table(all_men(&position))?;
        table
            .value(&position)
            .ok_or_else(|| "there is no such position".into())
    }

    fn table(&self, mut men: Vec<Man>) -> Result<Rc<Table<'g>>, String> {
        men.sort_unstable();
        if let Some(table) = self.tables.borrow().get(&men) {
            return Ok(Rc::clone(table));
        }
        let table = Rc::new(Table::new(self, men.clone())?);
        self.tables.borrow_mut().insert(men, Rc::clone(&table));
        Ok(table)
    }
}

fn all_men(position: &Position) -> Vec<Man> {
    let of = |side| men(&position.board, side).map(move |(_, kind)| Man::new(side, kind));
    let mut all: Vec<Man> = of(Side::White).chain(of(Side::Black)).collect();
    all.sort_unstable();
    all
}

/// The successors of all nodes within the material, those outside, and where the game is over.
struct Graph {
    first: Vec<u32>,
    edges: Vec<u32>,
    known: Vec<Known>,
    /// The value of finished positions.
    over: Vec<Option<Category>>,
}

impl Graph {
    fn successors(&self, node: usize) -> &[u32] {
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The predecessors of all nodes, by edges that are not marked or by all.
    fn reversed(&self, all: bool) -> (Vec<u32>, Vec<u32>) {
        let counted = |edge: &&u32| all || **edge & ZEROES == 0;
        let mut first = vec![0u32; self.first.len() + 1];
        for edge in self.edges.iter().filter(counted) {
            first[(edge & !ZEROES) as usize + 2] += 1;
        }
        for node in 2..first.len() {
            first[node] += first[node - 1];
        }
        let mut edges = vec![0u32; first.last().copied().unwrap_or(0) as usize];
        for node in 0..self.known.len() {
            for edge in self.successors(node).iter().filter(counted) {
                let place = &mut first[(edge & !ZEROES) as usize + 1];
                edges[*place as usize] = node as u32;
                *place += 1;
            }
        }
        (first, edges)
    }
}

/// Nodes to be decided, by distance.
struct Queue(Vec<Vec<(u32, Category)>>);

impl Queue {
    fn push(&mut self, distance: usize, node: usize, category: Category) {
        if self.0.len() <= distance {
            self.0.resize(distance + 1, Vec::new());
        }
        self.0[distance].push((node as u32, category));
    }
}

/// The values after zeroing moves, the number of quiet moves not yet seen to lose, and the
/// greatest distance after a move that keeps a blessed loss.
type Slot = (u8, u16, usize);

impl<'g> Table<'g> {
    fn new(solver: &Solver<'g>, men: Vec<Man>) -> Result<Self, String> {
        let game = solver.game;
        let too_many = || String::from("there are too many positions");
        let power = u32::try_from(men.len())
            .ok()
            .and_then(|men| game.size().checked_pow(men));
        let placements = power
            .and_then(|power| power.checked_mul(2))
            .ok_or_else(too_many)?;
        if placements > 1 << 28 || men.len() > MOST_MEN {
            return Err(too_many());
        }
        let mut table = Table {
            game,
            men,
            placements,
            rights: Vec::new(),
            right_index: HashMap::new(),
            exists: Vec::new(),
            results: Vec::new(),
            depths: Vec::new(),
            five: Vec::new(),
            dtz: Vec::new(),
            losers: Vec::new(),
        };
        let mut bases = table.find_positions();
        let nodes = (placements + table.rights.len()) * table.pairs();
        if nodes >= ZEROES as usize {
            return Err(too_many());
        }
        // With counters, each position stands for all pairs.
        if table.pairs() > 1 {
            bases = bases
                .iter()
                .flat_map(|exists| std::iter::repeat_n(*exists, table.pairs()))
                .collect();
        }
        table.exists = bases;
        let graph = table.graph(solver, nodes)?;
        let reversed = graph.reversed(true);
        table.find_losers(&graph, &reversed);
        table.solve_depth(&graph, &reversed);
        drop(reversed);
        if table.counts_plies() {
            table.solve_progress(&graph);
        }
        Ok(table)
    }

    /// The numbers of pairs of counters.
    fn pairs(&self) -> usize {
        let [white, black] = self.spans();
        white * black
    }

    fn spans(&self) -> [usize; 2] {
        if !self.game.has_counters() {
            return [1, 1];
        }
        let spared = self.game.vitality.as_ref().and_then(|v| v.spared);
        [Side::White, Side::Black].map(|side| match spared == Some(side) {
            true => 1,
            false => usize::from(self.game.full()[side as usize] - self.game.least()) + 1,
        })
    }

    fn counts_plies(&self) -> bool {
        self.game.no_progress > 0 && self.game.vitality.is_none()
    }

    fn bare(&self, base: usize) -> Option<Position> {
        let (placement, right) = match base.checked_sub(self.placements) {
            None => (base, None),
            Some(index) => (
                self.rights[index].0 as usize,
                Some((self.rights[index].1.into(), self.rights[index].2.into())),
            ),
        };
        let mut board = Board::EMPTY;
        let mut rest = placement / 2;
        let mut above = usize::MAX;
        for (index, man) in self.men.iter().enumerate().rev() {
            let square = rest % self.game.size();
            rest /= self.game.size();
            // Equal men stand in the order of their squares.
            let equal = self.men.get(index + 1) == Some(man);
            if board[square].is_some() || (equal && square > above) {
                return None;
            }
            board.put(square, Some(*man));
            above = square;
        }
        Some(Position {
            board,
            turn: if placement % 2 == 0 {
                Side::White
            } else {
                Side::Black
            },
            en_passant: right,
            unmoved: 0,
            counters: self.game.full(),
            clock: 0,
            number: 1,
            ended: None,
        })
    }

    /// Marks what is a position, and finds all e.p. rights that count.
    fn find_positions(&mut self) -> Vec<bool> {
        let game = self.game;
        let mut exists: Vec<bool> = Vec::with_capacity(self.placements);
        for base in 0..self.placements {
            let Some(mut position) = self.bare(base) else {
                exists.push(false);
                continue;
            };
            exists.push(game.fault(&position).is_none());
            // A royal pawn that may be taken e.p. is attacked, so a right can only do harm.
            if !exists[base]
                || game.en_passant == EnPassant::Off
                || game.finished(&position).is_some()
            {
                continue;
            }
            let pusher = position.turn.other();
            let arrivals: Vec<usize> = men(&position.board, pusher)
                .map(|(square, _)| square)
                .collect();
            let steps = game.steps_twice();
            let steps = arrivals
                .iter()
                .flat_map(|pawn| steps.iter().map(move |dx| (*pawn, *dx)));
            for (pawn, dx) in steps {
                let Some(square) = game.step(pawn, -dx, -1, pusher) else {
                    continue;
                };
                if game.en_passant_fault(&position, square, dx).is_some() {
                    continue;
                }
                position.en_passant = Some((square, pawn));
                if game.en_passant_counts(&position) && game.fault(&position).is_none() {
                    let right = (base as u32, square as u8, pawn as u8);
                    self.right_index.insert(right, self.rights.len() as u32);
                    self.rights.push(right);
                }
                position.en_passant = None;
            }
        }
        exists.resize(self.placements + self.rights.len(), true);
        exists
    }

    /// The number of a position, if it is one of this material.
    fn node(&self, position: &Position) -> Option<usize> {
        let mut places = [usize::MAX; MOST_MEN];
        for side in [Side::White, Side::Black] {
            for (square, kind) in men(&position.board, side) {
                let man = Man::new(side, kind);
                let free = |index: &usize| self.men[*index] == man && places[*index] == usize::MAX;
                places[(0..self.men.len()).find(free)?] = square;
            }
        }
        let places = &places[..self.men.len()];
        if places.contains(&usize::MAX) {
            return None;
        }
        let placement = places
            .iter()
            .fold(0, |sum, square| sum * self.game.size() + square)
            * 2
            + usize::from(position.turn == Side::Black);
        let base = match position.en_passant {
            None => placement,
            Some((square, pawn)) => {
                let right = (placement as u32, square as u8, pawn as u8);
                self.placements + *self.right_index.get(&right)? as usize
            }
        };
        let pair = if self.game.has_counters() {
            // A mate may have taken the last point (H6).
            let least = self.game.least();
            let left = position.counters.map(|counter| counter.max(least));
            let [white, black] =
                [0, 1].map(|side| usize::from(self.game.full()[side] - left[side]));
            white * self.spans()[1] + black
        } else {
            0
        };
        Some(base * self.pairs() + pair)
    }

    fn position(&self, node: usize) -> Option<Position> {
        let mut position = self.bare(node / self.pairs())?;
        if self.game.has_counters() {
            let pair = node % self.pairs();
            let spent = [pair / self.spans()[1], pair % self.spans()[1]];
            position.counters = [0, 1].map(|side| self.game.full()[side] - spent[side] as u8);
        }
        Some(position)
    }

    fn graph(&self, solver: &Solver<'g>, nodes: usize) -> Result<Graph, String> {
        let mut graph = Graph {
            first: Vec::with_capacity(nodes + 1),
            edges: Vec::new(),
            known: vec![Known::NONE; nodes],
            over: vec![None; nodes],
        };
        for node in 0..nodes {
            graph
                .first
                .push(u32::try_from(graph.edges.len()).map_err(|_| "there are too many moves")?);
            if !self.exists[node] {
                continue;
            }
            let Some(position) = self.position(node) else {
                continue;
            };
            let value = |winner: Option<Side>, side| match winner {
                None => Category::Draw,
                Some(winner) if winner == side => Category::Win,
                Some(_) => Category::Loss,
            };
            let moves = self.game.successors(&position);
            if moves.is_empty() {
                let end = self
                    .game
                    .end(&position)
                    .ok_or("a position without moves is not over")?;
                graph.over[node] = Some(value(end.winner, position.turn));
                graph.known[node].losers = loser(end.winner);
                continue;
            }
            for (_, next) in moves {
                if let Some(end) = next.ended {
                    graph.known[node].add(value(end.winner, next.turn), 0, loser(end.winner));
                } else if let Some(successor) = self.node(&next) {
                    if !self.exists[successor] {
                        return Err(format!(
                            "a move leads to no position: {}",
                            self.game.fen(&next)
                        ));
                    }
                    let zeroes = if next.clock == 0 { ZEROES } else { 0 };
                    graph.edges.push(successor as u32 | zeroes);
                } else {
                    let men = all_men(&next);
                    if men == self.men {
                        return Err(format!(
                            "a move leads to no position: {}",
                            self.game.fen(&next)
                        ));
                    }
                    let table = solver.table(men)?;
                    let successor = table
                        .node(&next)
                        .filter(|successor| table.exists[*successor]);
                    let successor = successor.ok_or_else(|| {
                        format!("a move leads to no position: {}", self.game.fen(&next))
                    })?;
                    graph.known[node].add(
                        table.category(successor),
                        table.depths[successor],
                        table.losers[successor],
                    );
                }
            }
        }
        graph
            .first
            .push(u32::try_from(graph.edges.len()).map_err(|_| "there are too many moves")?);
        Ok(graph)
    }

    fn category(&self, node: usize) -> Category {
        if self.counts_plies() {
            self.five[node]
        } else {
            self.results[node]
        }
    }

    /// Spreads, from the ends of games, who may lose.
    fn find_losers(&mut self, graph: &Graph, (first, predecessors): &(Vec<u32>, Vec<u32>)) {
        self.losers = graph.known.iter().map(|known| known.losers).collect();
        let mut reached: Vec<usize> = (0..self.losers.len()).collect();
        reached.retain(|node| self.losers[*node] != 0);
        while let Some(node) = reached.pop() {
            for before in &predecessors[first[node] as usize..first[node + 1] as usize] {
                let before = *before as usize;
                if self.losers[node] & !self.losers[before] != 0 {
                    self.losers[before] |= self.losers[node];
                    reached.push(before);
                }
            }
        }
    }

    /// Works out the winners and the plies to the end. Cursed wins are wins here.
    fn solve_depth(&mut self, graph: &Graph, (first, predecessors): &(Vec<u32>, Vec<u32>)) {
        let nodes = graph.known.len();
        self.results = vec![Category::Draw; nodes];
        self.depths = vec![OPEN; nodes];
        let mut left: Vec<u16> = (0..nodes)
            .map(|node| graph.successors(node).len() as u16)
            .collect();
        let mut queue = Queue(Vec::new());
        for node in 0..nodes {
            let known = graph.known[node];
            if let Some(value) = graph.over[node] {
                match value {
                    Category::Draw => {}
                    value => queue.push(0, node, value),
                }
            } else if known.shortest_loss != NEVER {
                queue.push(usize::from(known.shortest_loss) + 1, node, Category::Win);
            } else if left[node] == 0 && known.categories != 0 && known.only_wins() {
                queue.push(usize::from(known.longest_win) + 1, node, Category::Loss);
            }
        }
        let mut depth = 0;
        while depth < queue.0.len() {
            for (node, category) in std::mem::take(&mut queue.0[depth]) {
                let node = node as usize;
                if self.depths[node] != OPEN {
                    continue;
                }
                self.depths[node] = depth as u16;
                self.results[node] = category;
                for before in &predecessors[first[node] as usize..first[node + 1] as usize] {
                    let before = *before as usize;
                    if category == Category::Loss {
                        queue.push(depth + 1, before, Category::Win);
                        continue;
                    }
                    left[before] -= 1;
                    let known = graph.known[before];
                    if left[before] == 0 && known.only_wins() {
                        let longest = if known.categories == 0 {
                            0
                        } else {
                            usize::from(known.longest_win)
                        };
                        queue.push(longest.max(depth) + 1, before, Category::Loss);
                    }
                }
            }
            depth += 1;
        }
    }

    /// Five values and DTZ, by the number of steps that the pawns have made: quiet moves change
    /// nothing in it, and pawn moves within the material lead to more (O4).
    fn solve_progress(&mut self, graph: &Graph) {
        let nodes = graph.known.len();
        self.five = vec![Category::Draw; nodes];
        self.dtz = vec![OPEN; nodes];
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for node in (0..nodes).filter(|node| self.exists[*node]) {
            let steps = self.pawn_steps(node);
            if groups.len() <= steps {
                groups.resize(steps + 1, Vec::new());
            }
            groups[steps].push(node);
        }
        let quiet = graph.reversed(false);
        let mut slots = vec![(0, 0, 0); nodes];
        for group in groups.iter().rev() {
            self.solve_group(graph, &quiet, group, &mut slots);
        }
    }

    fn pawn_steps(&self, node: usize) -> usize {
        let base = node / self.pairs();
        let mut rest = match base.checked_sub(self.placements) {
            None => base / 2,
            Some(index) => self.rights[index].0 as usize / 2,
        };
        let mut steps = 0;
        for man in self.men.iter().rev() {
            if Some(man.kind()) == self.game.pawn {
                steps += self.game.rank_for(man.side(), rest % self.game.size());
            }
            rest /= self.game.size();
        }
        steps
    }

    fn solve_group(
        &mut self,
        graph: &Graph,
        quiet: &(Vec<u32>, Vec<u32>),
        group: &[usize],
        slots: &mut [Slot],
    ) {
        use Category::{BlessedLoss, CursedWin, Loss, Win};
        let limit = usize::from(self.game.no_progress);
        let before = |node: usize| &quiet.1[quiet.0[node] as usize..quiet.0[node + 1] as usize];
        let mut queue = Queue(Vec::new());
        for &node in group {
            let mut zeroing = graph.known[node].categories;
            let mut left = 0;
            for edge in graph.successors(node) {
                if edge & ZEROES == 0 {
                    left += 1;
                } else {
                    zeroing |= bit(self.five[(edge & !ZEROES) as usize]);
                }
            }
            slots[node] = (zeroing, left, 0);
            if let Some(value) = graph.over[node] {
                if value != Category::Draw {
                    queue.push(0, node, value);
                }
            } else if zeroing & bit(Loss) != 0 {
                queue.push(1, node, Win);
            } else if left == 0 && zeroing == bit(Win) {
                queue.push(1, node, Loss);
            }
        }
        // Real wins and losses: a move on the last ply of the limit is still in time.
        let mut distance = 0;
        while distance < queue.0.len() {
            for (node, category) in std::mem::take(&mut queue.0[distance]) {
                let node = node as usize;
                if self.dtz[node] != OPEN {
                    continue;
                }
                self.dtz[node] = distance as u16;
                self.five[node] = category;
                for &before in before(node) {
                    let before = before as usize;
                    let (zeroing, left, keeping) = &mut slots[before];
                    if category == Loss {
                        if distance < limit {
                            queue.push(distance + 1, before, Win);
                        }
                        continue;
                    }
                    *left -= 1;
                    if distance == limit {
                        *keeping = limit + 1;
                    }
                    if *left == 0 && *zeroing & !bit(Win) == 0 && distance < limit {
                        queue.push(distance + 1, before, Loss);
                    }
                }
            }
            distance += 1;
        }
        // Cursed wins and blessed losses, without a limit.
        let mut queue = Queue(Vec::new());
        let keeps = bit(Win) | bit(CursedWin);
        for &node in group {
            let undecided = |dtz: u16| dtz == OPEN && graph.over[node].is_none();
            if usize::from(self.dtz[node]) == limit && self.five[node] == Loss {
                for &before in before(node) {
                    queue.push(limit + 1, before as usize, CursedWin);
                }
            }
            if !undecided(self.dtz[node]) {
                continue;
            }
            let (zeroing, left, keeping) = &mut slots[node];
            if *zeroing & bit(CursedWin) != 0 {
                *keeping = (*keeping).max(1);
            }
            if *zeroing & bit(BlessedLoss) != 0 {
                queue.push(1, node, CursedWin);
            } else if *left == 0 && *zeroing & !keeps == 0 {
                queue.push(*keeping, node, BlessedLoss);
            }
        }
        let mut distance = 0;
        while distance < queue.0.len() {
            for (node, category) in std::mem::take(&mut queue.0[distance]) {
                let node = node as usize;
                if self.dtz[node] != OPEN {
                    continue;
                }
                self.dtz[node] = distance as u16;
                self.five[node] = category;
                for &before in before(node) {
                    let before = before as usize;
                    let (zeroing, left, keeping) = &mut slots[before];
                    if self.dtz[before] != OPEN {
                        continue;
                    }
                    if category == BlessedLoss {
                        queue.push(distance + 1, before, CursedWin);
                        continue;
                    }
                    *left -= 1;
                    if *left == 0 && *zeroing & !keeps == 0 {
                        queue.push((*keeping).max(distance + 1), before, BlessedLoss);
                    }
                }
            }
            distance += 1;
        }
    }

    fn value_at(&self, node: usize) -> Value {
        let distance = |plies: u16| (plies != OPEN).then_some(u32::from(plies));
        let depth = distance(self.depths[node]).filter(|_| self.game.vitality.is_none());
        let dtz = self.dtz.get(node).copied().and_then(distance);
        Value {
            category: self.category(node),
            depth,
            dtz,
            may_lose: [1, 2].map(|bit| self.losers[node] & bit != 0),
        }
    }

    /// The value of a position of this material.
    pub fn value(&self, position: &Position) -> Option<Value> {
        self.node(position)
            .filter(|node| self.exists[*node])
            .map(|node| self.value_at(node))
    }

    /// All positions with their values, each with all pairs of counters with which the game goes
    /// on.
    pub fn positions(&self) -> impl Iterator<Item = (String, Value)> + '_ {
        let existing = (0..self.exists.len()).filter(|node| self.exists[*node]);
        let positions = existing.filter_map(|node| Some((node, self.position(node)?)));
        let left = positions.filter(|(_, position)| !self.game.is_spent(position));
        left.map(|(node, position)| (self.game.fen(&position), self.value_at(node)))
    }
}
