//! Solves a material with counters by any rules, position by position, without a grid.
//!
//! Each position is a node with its turns as edges. What a turn is worth depends on the values
//! where it leads, so values are worked out again wherever one of those has changed, until
//! none does. Turns to other materials are looked up once. This takes several times as long
//! as passes over a grid, and nothing of the rules but the moves and what they cost.

use std::collections::HashMap;

use rayon::prelude::*;
use retrograde_index::{Index, Needs, ThresholdCurve, Thresholds, needs};
use retrograde_rules::{
    Colour, CounterRange, Game, Material, Piece, Position, Square, Toll, VitalityRules,
};

use super::curve::KnownCurves;
use crate::{SolveError, UNUSED};

/// Nodes that are looked at together.
const CHUNK: usize = 1 << 12;

/// The values of a material by side to move and index.
pub(super) struct PlainAnswers {
    /// The number of each position's curve; `None` where there is no position.
    pub(super) curve_of: [Vec<Option<u32>>; 2],
    /// The curves that occur.
    pub(super) curves: Vec<ThresholdCurve>,
    /// The least vitalities that force mate, by mating side, then side to move.
    pub(super) mates: [[Vec<u8>; 2]; 2],
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// There is no position.
    None,
    /// The game goes on.
    Open,
    /// The game is over, and a side has won.
    Won(Colour),
}

/// A turn within the material.
#[derive(Clone, Copy)]
struct Edge {
    /// The node with the other side to move.
    to: u32,
    toll: Toll,
}

/// The best that turns to other materials do.
#[derive(Clone, Copy)]
struct Base {
    /// For White, the number of vitalities of Black, the least first, against which it wins;
    /// for Black, the least vitality with which White wins. All those turns are vital.
    limit: u8,
    needs: [u8; 2],
}

/// The nodes with a side to move: those of the indices, then those with an e.p. right.
#[derive(Default)]
struct Nodes {
    kinds: Vec<Kind>,
    bases: Vec<Base>,
    /// The end of each node's edges in `edges`.
    ends: Vec<usize>,
    edges: Vec<Edge>,
}

/// A part of the nodes, and the edges that leave them.
#[derive(Default)]
struct Part {
    nodes: Nodes,
    /// The positions with an e.p. right that edges lead to.
    with_rights: Vec<Position>,
    /// The edges to those positions: the number of the edge and of the position.
    open: Vec<(usize, usize)>,
}

struct Plain<'a, 'k> {
    game: Game,
    rules: &'static VitalityRules,
    material: Material,
    index: &'a Index,
    pieces: Vec<Piece>,
    smaller: HashMap<Material, KnownCurves<'k>>,
}

/// Solves a material; `known` gives the answers for every successor.
pub(super) fn solve<'k>(
    game: Game,
    rules: &'static VitalityRules,
    index: &Index,
    known: impl Fn(&Material) -> Option<KnownCurves<'k>>,
) -> Result<PlainAnswers, SolveError> {
    let material = *index.material();
    let smaller = crate::successors(game, &material).into_iter();
    let smaller = smaller.map(|exit| match known(&exit) {
        Some(known) => Ok((exit, known)),
        None => Err(SolveError::Missing(exit.name(game))),
    });
    let plain = Plain {
        game,
        rules,
        material,
        index,
        pieces: material.pieces().collect(),
        smaller: smaller.collect::<Result<_, SolveError>>()?,
    };
    let nodes = plain.nodes();
    let (curve_of, curves) = plain.curves(&nodes);
    Ok(PlainAnswers {
        curve_of,
        curves,
        mates: Colour::BOTH.map(|side| plain.mates(&nodes, side)),
    })
}

/// The peak memory of solving a material in bytes, beside its successors.
pub(super) fn estimate_bytes(index: &Index, counters: CounterRange) -> u64 {
    // A turn takes eight bytes; most positions have some twenty.
    let node = counters.count(Colour::Black) + 20 * size_of::<Edge>() + 20;
    2 * index.len() * node as u64
}

impl Plain<'_, '_> {
    fn nodes(&self) -> [Nodes; 2] {
        let count = self.index.len() as usize;
        let mut nodes = [(); 2].map(|()| Nodes::default());
        let mut waiting: [Vec<Position>; 2] = Default::default();
        for turn in Colour::BOTH {
            let parts: Vec<Part> = (0..count.div_ceil(CHUNK))
                .into_par_iter()
                .map(|chunk| {
                    let first = chunk * CHUNK;
                    let mut squares = vec![Square(0); self.pieces.len()];
                    let mut part = Part::default();
                    for index in first..(first + CHUNK).min(count) {
                        let position = self.position(turn, index as u64, &mut squares);
                        self.look(position.as_ref(), &mut part);
                    }
                    part
                })
                .collect();
            for part in parts {
                let others = count + waiting[turn.other().index()].len();
                nodes[turn.index()].append(part.nodes, &part.open, others);
                waiting[turn.other().index()].extend(part.with_rights);
            }
        }
        // Those with e.p. rights follow, and such as double steps from there lead to.
        let mut done = [0; 2];
        while let Some(turn) =
            (Colour::BOTH.into_iter()).find(|turn| done[turn.index()] < waiting[turn.index()].len())
        {
            let mut part = Part::default();
            let these = waiting[turn.index()].split_off(done[turn.index()]);
            done[turn.index()] += these.len();
            for position in &these {
                self.look(Some(position), &mut part);
            }
            waiting[turn.index()].extend(these);
            let others = count + waiting[turn.other().index()].len();
            nodes[turn.index()].append(part.nodes, &part.open, others);
            waiting[turn.other().index()].extend(part.with_rights);
        }
        nodes
    }

    fn position(&self, turn: Colour, index: u64, squares: &mut [Square]) -> Option<Position> {
        if !self.index.is_canonical(index) {
            return None;
        }
        self.index.decode(index, squares);
        let placed = self.pieces.iter().copied().zip(squares.iter().copied());
        Position::from_pieces(self.game, placed, turn)
    }

    /// Adds the node of a position.
    fn look(&self, position: Option<&Position>, part: &mut Part) {
        let neutral = |turn: Colour| Base {
            limit: match turn {
                Colour::White => 0,
                Colour::Black => self.rules.counters().least,
            },
            needs: Needs::none(self.rules, turn).0,
        };
        let Some(position) = position else {
            part.nodes.push(Kind::None, neutral(Colour::White));
            return;
        };
        let turn = position.turn();
        let moves = position.legal_moves();
        if let Some(end) = position.end_with(&moves) {
            let kind = match end.winner(turn) {
                Some(winner) => Kind::Won(winner),
                None => unreachable!("games with vitality have no draws"),
            };
            part.nodes.push(kind, neutral(turn));
            return;
        }
        let mut base = neutral(turn);
        for &mv in &moves {
            let after = position.play(mv);
            let toll = self.rules.toll(position, mv);
            if after.material() != self.material {
                self.leave(turn, &after, &mut base);
                continue;
            }
            let to = match after.ep() {
                Some(_) => {
                    part.open
                        .push((part.nodes.edges.len(), part.with_rights.len()));
                    part.with_rights.push(after);
                    0
                }
                None => match self.index.encode(&squares_of(&self.pieces, &after)) {
                    Some(index) => index as u32,
                    None => unreachable!("a position after a move has an index"),
                },
            };
            part.nodes.edges.push(Edge { to, toll });
        }
        part.nodes.push(Kind::Open, base);
    }

    /// Adds a turn to another material, which is vital.
    fn leave(&self, mover: Colour, after: &Position, base: &mut Base) {
        let (thresholds, needs) = self.value(after);
        let counters = self.rules.counters();
        let before = thresholds.before(self.rules, mover, Toll::Vital);
        let used = before.used();
        base.limit = match mover {
            Colour::White => {
                let won = used.iter().filter(|&&least| least < counters.never(mover));
                base.limit.max(won.count() as u8)
            }
            Colour::Black => base.limit.max(used.first().copied().unwrap_or(0)),
        };
        let mut joined = Needs(base.needs);
        joined.join_turn(self.rules, mover, Toll::Vital, needs);
        base.needs = joined.0;
    }

    /// The value of a position of another material. No right to capture en passant is left
    /// after a capture or a promotion, unless a pawn has promoted by a double step.
    fn value(&self, position: &Position) -> (Thresholds, [u8; 2]) {
        let (turn, counters) = (position.turn(), self.rules.counters());
        let finished = |winner: Colour| {
            let needs = Needs::none(self.rules, winner.other()).0;
            (Thresholds::always(counters, winner), needs)
        };
        if position.ep().is_some() {
            let mut thresholds = Thresholds::always(counters, turn.other());
            let mut needs = Needs::none(self.rules, turn);
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                let toll = self.rules.toll_to(position, mv, after.end().is_some());
                let (after, more) = self.value(&after);
                thresholds.join_turn(self.rules, turn, toll, after.used());
                needs.join_turn(self.rules, turn, toll, more);
            }
            return (thresholds, needs.0);
        }
        let material = position.material();
        let Some(known) = self.smaller.get(&material) else {
            unreachable!("{material:?} is among the successors");
        };
        let pieces: Vec<Piece> = material.pieces().collect();
        match known.index.encode(&squares_of(&pieces, position)) {
            Some(index) => {
                let index = index as usize;
                let place = known.curve_of[turn.index()][index] as usize;
                let curve = known.curves[place];
                let needs = needs::split(known.mates[turn.index()][index]);
                (Thresholds::from(curve), needs)
            }
            None => finished(turn.other()),
        }
    }

    /// The curves of the indices, and which they are.
    fn curves(&self, nodes: &[Nodes; 2]) -> ([Vec<Option<u32>>; 2], Vec<ThresholdCurve>) {
        let (rules, counters) = (self.rules, self.rules.counters());
        let stride = counters.count(Colour::Black);
        let start = |turn: Colour| {
            let nodes = &nodes[turn.index()];
            let mut values = vec![counters.never(Colour::White); nodes.kinds.len() * stride];
            for (values, kind) in values.chunks_mut(stride).zip(&nodes.kinds) {
                if *kind == Kind::Won(Colour::White) {
                    values.fill(counters.least);
                }
            }
            values
        };
        let mut values = Colour::BOTH.map(start);
        let mate_first = rules.mate_comes_first();
        settle(nodes, &mut values, stride, |turn, node, own, others| {
            let (nodes, there) = (&nodes[turn.index()], &nodes[turn.other().index()]);
            let mut best = nodes.bases[node].thresholds(counters, turn);
            for edge in nodes.of(node) {
                let to = edge.to as usize;
                let toll = there.toll(*edge, mate_first);
                best.join_turn(rules, turn, toll, &others[to * stride..][..stride]);
            }
            let changed = own != best.used();
            own.copy_from_slice(best.used());
            changed
        });
        let mut places: HashMap<&[u8], u32> = HashMap::new();
        let mut curves = Vec::new();
        let count = self.index.len() as usize;
        let curve_of = Colour::BOTH.map(|turn| {
            let values = values[turn.index()].chunks(stride).take(count);
            let with_kinds = values.zip(&nodes[turn.index()].kinds);
            with_kinds
                .map(|(values, kind)| {
                    (*kind != Kind::None).then(|| {
                        *places.entry(values).or_insert_with(|| {
                            let thresholds = Thresholds::of(counters, values);
                            let thresholds =
                                thresholds.unwrap_or(Thresholds::always(counters, Colour::White));
                            if curves.len() == UNUSED as u16 as usize {
                                // No position may have the value that means none.
                                curves.push(thresholds.curve());
                            }
                            curves.push(thresholds.curve());
                            curves.len() as u32 - 1
                        })
                    })
                })
                .collect()
        });
        (curve_of, curves)
    }

    /// The counters that a side needs to mate, by side to move. At first nothing is known to
    /// mate, so that endless play does not.
    fn mates(&self, nodes: &[Nodes; 2], side: Colour) -> [Vec<u8>; 2] {
        let (rules, counters) = (self.rules, self.rules.counters());
        let start = |turn: Colour| {
            let kinds = nodes[turn.index()].kinds.iter();
            let need = |kind: &Kind| match kind {
                Kind::Won(winner) if *winner == side => counters.least,
                _ => counters.never(side),
            };
            kinds.map(need).collect::<Vec<u8>>()
        };
        let mut values = Colour::BOTH.map(start);
        let mate_first = rules.mate_comes_first();
        settle(nodes, &mut values, 1, |turn, node, own, others| {
            let (nodes, there) = (&nodes[turn.index()], &nodes[turn.other().index()]);
            let mut best = Needs(nodes.bases[node].needs);
            for edge in nodes.of(node) {
                let mut after = [0; 2];
                after[side.index()] = others[edge.to as usize];
                let toll = there.toll(*edge, mate_first);
                best.join_turn(rules, turn, toll, after);
            }
            let need = best.0[side.index()];
            let changed = own[0] != need;
            own[0] = need;
            changed
        });
        let count = self.index.len() as usize;
        values.map(|mut values| {
            values.truncate(count);
            values
        })
    }
}

impl Base {
    /// The thresholds of the turns that it stands for.
    fn thresholds(self, counters: CounterRange, turn: Colour) -> Thresholds {
        let mut least = [0; VitalityRules::MOST as usize + 1];
        let least = &mut least[..counters.count(Colour::Black)];
        match turn {
            Colour::White => {
                least.fill(counters.never(turn));
                least[..self.limit.into()].fill(counters.least);
            }
            Colour::Black => least.fill(self.limit),
        }
        let thresholds = Thresholds::of(counters, least);
        thresholds.unwrap_or(Thresholds::always(counters, turn.other()))
    }
}

impl Nodes {
    fn push(&mut self, kind: Kind, base: Base) {
        self.kinds.push(kind);
        self.bases.push(base);
        self.ends.push(self.edges.len());
    }

    /// Adds nodes, of which some edges lead to nodes from `first` on.
    fn append(&mut self, mut more: Nodes, open: &[(usize, usize)], first: usize) {
        for &(edge, place) in open {
            more.edges[edge].to = (first + place) as u32;
        }
        let edges = self.edges.len();
        self.kinds.extend(more.kinds);
        self.bases.extend(more.bases);
        self.ends.extend(more.ends.iter().map(|end| edges + end));
        self.edges.extend(more.edges);
    }

    fn of(&self, node: usize) -> &[Edge] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[start..self.ends[node]]
    }

    /// The toll of an edge that leads here: none if it mates, unless exhaustion comes before.
    fn toll(&self, edge: Edge, mate_first: bool) -> Toll {
        match self.kinds[edge.to as usize] {
            Kind::Won(_) if mate_first => Toll::Vital,
            _ => edge.toll,
        }
    }
}

/// Works out values, `stride` bytes for each node, until none changes. `update` is given a
/// side to move, a node of it, its value and all values with the other side to move, and says
/// whether it has changed the value.
fn settle(
    nodes: &[Nodes; 2],
    values: &mut [Vec<u8>; 2],
    stride: usize,
    update: impl Fn(Colour, usize, &mut [u8], &[u8]) -> bool + Sync,
) {
    let mut changed = Colour::BOTH.map(|turn| vec![true; nodes[turn.index()].kinds.len()]);
    let (mut turn, mut idle) = (Colour::White, 0);
    for round in 0.. {
        if idle == 2 {
            break;
        }
        let of_turn = &nodes[turn.index()];
        let [white, black] = &mut *values;
        let (own, others) = match turn {
            Colour::White => (white, &*black),
            Colour::Black => (black, &*white),
        };
        let [white, black] = &mut changed;
        let (own_changed, others_changed) = match turn {
            Colour::White => (white, &*black),
            Colour::Black => (black, &*white),
        };
        let chunks = own.par_chunks_mut(CHUNK * stride);
        let chunks = chunks.zip(own_changed.par_chunks_mut(CHUNK)).enumerate();
        let any = chunks.map(|(chunk, (own, flags))| {
            let mut any = false;
            for (place, flag) in flags.iter_mut().enumerate() {
                let node = chunk * CHUNK + place;
                // At first every node is looked at.
                let mut edges = of_turn.of(node).iter();
                let is_stale = of_turn.kinds[node] == Kind::Open
                    && (round < 2 || edges.any(|edge| others_changed[edge.to as usize]));
                let value = &mut own[place * stride..][..stride];
                *flag = is_stale && update(turn, node, value, others);
                any |= *flag;
            }
            any
        });
        idle = if any.reduce(|| false, |a, b| a | b) {
            0
        } else {
            idle + 1
        };
        turn = turn.other();
    }
}

/// The squares of the pieces of a list in a position that has them; identical ones one after the
/// other.
fn squares_of(pieces: &[Piece], position: &Position) -> Vec<Square> {
    let mut squares = Vec::with_capacity(pieces.len());
    for same in pieces.chunk_by(|a, b| a == b) {
        squares.extend(position.board().of(same[0]));
    }
    squares
}
