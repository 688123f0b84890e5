//! Counting the values of a table while it is written: its statistics.

use std::collections::BTreeMap;

use retrograde_index::{Index, Metric, Wdl, needs, score};
use retrograde_rules::{
    Colour, End, Game, Goal, Material, Piece, PieceType, Position, Square, Symmetry, Transform,
};

use super::TablePlan;
use super::survey::Counts;
use crate::format::{Count, MOST_LISTED, SideStatistics, Statistics, ZugzwangStatistics};

/// What is known of some indices for one side to move.
pub(super) struct Known {
    /// The values, [`score::DONT_CARE`] for indices that stand for no position.
    pub(super) values: Vec<i16>,
    /// Who wins, as values of WDL, unless the values themselves say it.
    pub(super) results: Option<Vec<i16>>,
}

impl Known {
    /// Who wins: the sign is enough.
    fn signs(&self) -> &[i16] {
        self.results.as_deref().unwrap_or(&self.values)
    }
}

/// The most plies to a zeroing move for which statistics are kept: far more than there are,
/// and few enough to be counted with five results in 16 bits.
const MOST_PLIES: i16 = 6000;

/// How values are counted.
pub(super) struct Counting<'a> {
    game: Game,
    metric: Metric,
    /// The index of the table.
    index: &'a Index,
    /// The same with the groups in their plain order: that of the lists.
    plain: &'a Index,
    pieces: Vec<Piece>,
}

/// What has been counted.
#[derive(Default)]
pub(super) struct Tally {
    sides: [SideTally; 2],
    zugzwangs: Found,
    /// Whether some values could not be counted.
    is_void: bool,
}

#[derive(Default)]
struct SideTally {
    /// By the place of the result from the best, and plies.
    counts: BTreeMap<(usize, u16), u64>,
    /// The most plies so far, and the lowest indices that take as many.
    longest: Option<(u16, Vec<u64>)>,
    blocked: u64,
}

/// Mutual zugzwangs.
#[derive(Default)]
struct Found {
    positions: u64,
    /// Placements of which mirror images count once, in eighths.
    eighths: u64,
    full_point: u64,
    lowest: Vec<u64>,
}

impl Tally {
    /// Adds what was counted of higher indices.
    pub(super) fn add(&mut self, other: Tally) {
        for (side, other) in self.sides.iter_mut().zip(other.sides) {
            for (value, positions) in other.counts {
                *side.counts.entry(value).or_default() += positions;
            }
            side.longest = match (side.longest.take(), other.longest) {
                (Some((plies, mut list)), Some((more, others))) if plies == more => {
                    list.extend(others);
                    Some((plies, lowest(list)))
                }
                (mine, theirs) => {
                    let plies = |longest: &Option<(u16, _)>| longest.as_ref().map(|l| l.0);
                    if plies(&theirs) > plies(&mine) {
                        theirs
                    } else {
                        mine
                    }
                }
            };
            side.blocked += other.blocked;
        }
        self.is_void |= other.is_void;
        let (found, other) = (&mut self.zugzwangs, other.zugzwangs);
        found.positions += other.positions;
        found.eighths += other.eighths;
        found.full_point += other.full_point;
        found.lowest.extend(other.lowest);
        found.lowest = lowest(std::mem::take(&mut found.lowest));
    }

    /// All that was counted; `None` if that is not everything.
    pub(super) fn statistics(self) -> Option<Statistics> {
        if self.is_void {
            return None;
        }
        let side = |side: SideTally| SideStatistics {
            counts: side.counts.into_iter().map(count).collect(),
            longest: side.longest.map_or(Vec::new(), |(_, indices)| indices),
            blocked: side.blocked,
        };
        let found = self.zugzwangs;
        Some(Statistics {
            sides: self.sides.map(side),
            zugzwangs: ZugzwangStatistics {
                positions: found.positions,
                up_to_symmetry: found.eighths / 8,
                full_point: found.full_point,
                lowest: found.lowest,
            },
        })
    }
}

fn count(((place, plies), positions): ((usize, u16), u64)) -> Count {
    Count {
        result: Wdl::ALL[place],
        plies,
        positions,
    }
}

/// The place of a result among all, the best first.
fn place(result: Wdl) -> usize {
    Wdl::ALL.iter().position(|&wdl| wdl == result).unwrap_or(0)
}

impl<'a> Counting<'a> {
    /// `plain` is the index with the groups in their plain order.
    pub(super) fn new(plan: &'a TablePlan, plain: &'a Index) -> Counting<'a> {
        Counting {
            game: plan.game,
            metric: plan.metric,
            index: &plan.index,
            plain,
            pieces: plan.material().pieces().collect(),
        }
    }

    /// Whether the results are to be given, since the values do not say them.
    pub(super) fn takes_results(metric: Metric) -> bool {
        matches!(metric, Metric::Dtz | Metric::Thresholds | Metric::Mates)
    }

    /// Counts the indices from `first` on, which are whole pairs of leaders: for the
    /// statistics, and which values there are.
    pub(super) fn count(&self, first: u64, sides: [&Known; 2]) -> (Tally, Vec<Counts>) {
        let mut tally = Tally::default();
        let mut values = Vec::new();
        let weights = self.weights(first, sides);
        for (turn, side) in Colour::BOTH.into_iter().zip(&mut tally.sides) {
            let known = sides[turn.index()];
            let keys = match &known.results {
                Some(results) => match self.keys(turn, results, &known.values) {
                    Some(keys) => Some(keys),
                    None => {
                        tally.is_void = true;
                        values.push(Counts::of(&known.values));
                        continue;
                    }
                },
                None => None,
            };
            let (width, counted) = match &keys {
                Some((width, keys)) => (Some(*width), weights.count(keys)),
                None => (None, weights.count(&known.values)),
            };
            for (weight, counts) in &counted {
                for (key, count) in counts.values() {
                    let value = match width {
                        Some(width) => (key as usize / width, (key as usize % width) as u16),
                        None => self.value(key),
                    };
                    *side.counts.entry(value).or_default() += weight * count;
                }
            }
            let all = counted.iter().flat_map(|(_, part)| part.values());
            let found = match width {
                Some(width) if self.metric == Metric::Dtz => {
                    let of_draw = |key: i16| key as usize / width == place(Wdl::Draw);
                    let distance = |(key, count)| {
                        (!of_draw(key)).then_some(((key as usize % width) as i16, count))
                    };
                    Some(Counts::sum(all.filter_map(distance)))
                }
                Some(_) => None,
                None => Some(Counts::sum(all)),
            };
            // Distances of draws should count for nothing; if they do not, they are values.
            let given = known
                .values
                .iter()
                .filter(|value| **value != score::DONT_CARE);
            let given = given.count() as u64;
            let found = found.filter(|found| found.values().map(|(_, n)| n).sum::<u64>() == given);
            values.push(found.unwrap_or_else(|| Counts::of(&known.values)));
            if self.metric == Metric::Dtm {
                side.longest = self.longest(first, &known.values, &side.counts);
            }
            if self.may_block() {
                side.blocked = self.blocked(turn, first, &known.values, &weights);
            }
        }
        if self.metric != Metric::Dtz && self.metric != Metric::Mates {
            tally.zugzwangs = self.zugzwangs(first, sides, &weights);
        }
        (tally, values)
    }

    /// Numbers to count where values do not say who wins: the place of the result, times
    /// the width that is returned, and plies. `None` if there are values that cannot be
    /// plies, or too many of them.
    fn keys(&self, turn: Colour, results: &[i16], values: &[i16]) -> Option<(usize, Vec<i16>)> {
        let both = results.iter().zip(values);
        if self.metric == Metric::Dtz {
            // Those of draws count for nothing: a number that is less than 0.
            let most = values.iter().copied().max().unwrap_or(0).max(0);
            // What counts for nothing becomes the greatest number.
            let less = values.iter().map(|plies| plies.wrapping_sub(1)).min();
            if most > MOST_PLIES || less.is_some_and(|less| less < -1) {
                return None;
            }
            let width = most + 1;
            let places = Wdl::ALL.map(place).map(|place| place as i16 * width);
            let [win, cursed_win, draw, blessed_loss, loss] = places;
            // All the same for the compiler: no branches.
            let key = |(&result, &plies): (&i16, &i16)| {
                let mut key = if result > 0 { win } else { loss };
                key = if result == 2 { cursed_win } else { key };
                key = if result == -2 { blessed_loss } else { key };
                key += plies.max(0);
                key = if result == score::DRAW { draw } else { key };
                if result == score::DONT_CARE {
                    result
                } else {
                    key
                }
            };
            return Some((width as usize, both.map(key).collect()));
        }
        let full = self.game.full_vitality().unwrap_or_default();
        let by_mate = |result: i16, value: i16| {
            let winner = if result > 0 { turn } else { turn.other() };
            self.metric == Metric::Mates && needs::split(value)[winner.index()] <= full
        };
        let key = |(&result, &value): (&i16, &i16)| match result {
            score::DONT_CARE => score::DONT_CARE,
            result => {
                let place = place(Wdl::from_value(result)) as i16;
                2 * place + i16::from(by_mate(result, value))
            }
        };
        Some((2, both.map(key).collect()))
    }

    /// The place of the result of a value that says it, and its plies.
    fn value(&self, value: i16) -> (usize, u16) {
        let wdl = match self.metric {
            Metric::Wdl => Wdl::from_value(value),
            _ => Wdl::from_value(value.signum()),
        };
        let plies = match self.metric {
            Metric::Wdl => 0,
            _ => score::plies(value).unwrap_or_default(),
        };
        (place(wdl), plies as u16)
    }

    /// How many positions each index stands for.
    fn weights(&self, first: u64, sides: [&Known; 2]) -> Weights {
        let index = self.index;
        let [white, black] = sides.map(|side| &side.values);
        if !index.has_equal_leaders() || index.shape().symmetry == Symmetry::None {
            let pair = index.indices_per_pair();
            let pairs = (0..white.len() as u64).step_by(pair as usize);
            let weight = |at| index.pair_weight(((first + at) / pair) as usize);
            return Weights::Pairs(pair as usize, pairs.map(weight).collect());
        }
        let both = white.iter().zip(black).enumerate();
        let weight = |(at, (&white, &black)): (usize, (&i16, &i16))| match white != score::DONT_CARE
            || black != score::DONT_CARE
        {
            true => index.weight_of_canonical(first + at as u64) as u8,
            false => 0,
        };
        Weights::Indices(both.map(weight).collect())
    }

    /// Whether a side may have no pseudo-legal move, check forbidding none (C4, E6).
    fn may_block(&self) -> bool {
        let forbids_none = matches!(self.game.goal(), Goal::KingCapture(_) | Goal::Extinction);
        forbids_none && matches!(self.metric, Metric::Wdl | Metric::Dtm)
    }

    /// How many positions have no pseudo-legal move, among the draws.
    fn blocked(&self, turn: Colour, first: u64, values: &[i16], weights: &Weights) -> u64 {
        let (mut squares, mut blocked) = ([Square(0); Material::MOST_PIECES], 0);
        let squares = &mut squares[..self.pieces.len()];
        for (at, _) in values
            .iter()
            .enumerate()
            .filter(|(_, v)| **v == score::DRAW)
        {
            let index = first + at as u64;
            if !self.index.decode(index, squares) || self.has_room(turn, squares) {
                continue;
            }
            let placed = self.pieces.iter().copied().zip(squares.iter().copied());
            let position = Position::from_pieces(self.game, placed, turn);
            if position.is_some_and(|position| position.end() == Some(End::Blocked)) {
                blocked += weights.of(at);
            }
        }
        blocked
    }

    /// Whether a king or queen of a side has an empty square beside it, so that it has a
    /// pseudo-legal move.
    fn has_room(&self, turn: Colour, squares: &[Square]) -> bool {
        let occupied = squares
            .iter()
            .fold(0_u128, |all, square| all | 1 << square.0);
        let geometry = self.game.geometry();
        let (files, ranks) = (i16::from(geometry.files), i16::from(geometry.ranks));
        let is_king = |piece: Piece| matches!(piece.piece_type, PieceType::King | PieceType::Queen);
        let mut own = self.pieces.iter().zip(squares);
        own.any(|(&piece, &square)| {
            let (file, rank) = (i16::from(square.0) % files, i16::from(square.0) / files);
            let mut beside = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (file + x, rank + y)));
            piece.colour == turn
                && is_king(piece)
                && beside.any(|(x, y)| {
                    let on_board = (0..files).contains(&x) && (0..ranks).contains(&y);
                    on_board && occupied >> (y * files + x) & 1 == 0
                })
        })
    }

    /// The mutual zugzwangs.
    fn zugzwangs(&self, first: u64, sides: [&Known; 2], weights: &Weights) -> Found {
        let (white, black) = (sides[0].signs(), sides[1].signs());
        // Who is to move would rather not be: better results are more.
        let is_zugzwang = |white: i16, black: i16| {
            let is_position = white != score::DONT_CARE && black != score::DONT_CARE;
            is_position & (white.signum() + black.signum() < 0)
        };
        let mut found = Found::default();
        const RUN: usize = 64;
        for (run, (white, black)) in white.chunks(RUN).zip(black.chunks(RUN)).enumerate() {
            let both = || white.iter().zip(black);
            // There are few, and most runs have none.
            if !both().fold(false, |any, (&w, &b)| any | is_zugzwang(w, b)) {
                continue;
            }
            for (at, (&w, &b)) in (run * RUN..).zip(both()) {
                let weight = if is_zugzwang(w, b) { weights.of(at) } else { 0 };
                if weight == 0 {
                    continue;
                }
                let index = first + at as u64;
                found.positions += weight;
                found.eighths += 8 * weight / self.images(index);
                found.full_point += if w < 0 && b < 0 { weight } else { 0 };
                found.lowest.push(self.plain_index(index));
            }
        }
        found.lowest = lowest(found.lowest);
        found
    }

    /// The index with the groups in their plain order.
    fn plain_index(&self, index: u64) -> u64 {
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.pieces.len()];
        self.index.decode(index, squares);
        self.plain.encode(squares).unwrap_or_default()
    }

    /// The most plies that occur, and the lowest indices that take as many.
    fn longest(
        &self,
        first: u64,
        values: &[i16],
        counts: &BTreeMap<(usize, u16), u64>,
    ) -> Option<(u16, Vec<u64>)> {
        let is_decided = |(place, _): &&(usize, u16)| Wdl::ALL[*place] != Wdl::Draw;
        let plies = counts.keys().filter(is_decided);
        let plies = plies.map(|&(_, plies)| plies).max()?;
        let (win, loss) = (plies as i16, -(plies as i16) - 1);
        // A win takes at least a ply.
        let win = if win > 0 { win } else { loss };
        let is_longest = |&(_, &value): &(u64, &i16)| (value == loss) | (value == win);
        let longest = (first..).zip(values).filter(is_longest);
        let list = longest.map(|(index, _)| self.plain_index(index)).collect();
        Some((plies, lowest(list)))
    }

    /// How many placements there are of which that of an index is one, mirror images of
    /// each other.
    fn images(&self, index: u64) -> u64 {
        let (geometry, shape) = (self.game.geometry(), self.index.shape());
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.pieces.len()];
        self.index.decode(index, squares);
        let transforms = Transform::ALL.into_iter();
        let mut images: Vec<Vec<(Square, Piece)>> = transforms
            .filter(|&transform| shape.symmetry.contains(transform))
            .map(|transform| {
                let image = squares.iter().map(|&s| geometry.apply(transform, s));
                let mut image: Vec<_> = image.zip(self.pieces.iter().copied()).collect();
                image.sort_unstable();
                image
            })
            .collect();
        images.sort_unstable();
        images.dedup();
        images.len().max(1) as u64
    }
}

/// The lowest of some indices, as many as are listed.
fn lowest(mut indices: Vec<u64>) -> Vec<u64> {
    indices.sort_unstable();
    indices.dedup();
    indices.truncate(MOST_LISTED);
    indices
}

/// How many positions each of some indices stands for.
enum Weights {
    /// The same for all indices of a pair of leaders, of which there are so many.
    Pairs(usize, Vec<u64>),
    /// For each index.
    Indices(Vec<u8>),
}

impl Weights {
    /// Of the index at a place.
    fn of(&self, at: usize) -> u64 {
        match self {
            Weights::Pairs(pair, weights) => weights[at / pair],
            Weights::Indices(weights) => weights[at].into(),
        }
    }

    /// The numbers that occur, but for [`score::DONT_CARE`], by the weight of their index.
    fn count(&self, keys: &[i16]) -> Vec<(u64, Counts)> {
        match self {
            Weights::Pairs(pair, weights) => {
                let mut end = 0;
                let runs = weights.chunk_by(|a, b| a == b);
                let count = |run: &[u64]| {
                    let start = end;
                    end += run.len() * pair;
                    (run[0], Counts::of(&keys[start..end]))
                };
                runs.map(count).collect()
            }
            Weights::Indices(weights) => {
                let mut all = [false; 256];
                weights.iter().for_each(|&w| all[usize::from(w)] = true);
                let all = (1..=u8::MAX).filter(|&weight| all[usize::from(weight)]);
                let count = |weight| {
                    let only = |(&key, &w)| if w == weight { key } else { score::DONT_CARE };
                    let keys: Vec<i16> = keys.iter().zip(weights).map(only).collect();
                    (u64::from(weight), Counts::of(&keys))
                };
                all.map(count).collect()
            }
        }
    }
}
