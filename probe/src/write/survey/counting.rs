//! Counts how often each value occurs in a table, for the statistics in its file.

use std::collections::BTreeMap;

use retrograde_index::{Index, Metric, Wdl, needs, score};
use retrograde_rules::{
    Colour, Counters, End, Game, Material, Mover, Piece, Position, Square, SquareSet,
};

use super::Counts;
use super::tally::{Found, Tally, lowest};
use super::weights::Weights;
use crate::format::statistics::place;
use crate::write::TablePlan;

/// The values of some indices for one side to move.
pub(super) struct Column {
    /// The values, [`score::DONT_CARE`] for indices that stand for no position.
    pub(super) values: Vec<i16>,
    /// The results, as values of WDL, unless the values themselves say them.
    pub(super) results: Option<Vec<i16>>,
}

impl Column {
    /// The results, or the values: their signs are enough.
    fn signs(&self) -> &[i16] {
        self.results.as_deref().unwrap_or(&self.values)
    }
}

/// The most plies to a zeroing move for which statistics are kept: far more than there are,
/// and few enough to be counted with five results in 16 bits.
const MOST_PLIES: i16 = 6000;

/// The rules for counting values.
pub(super) struct Counting<'a> {
    game: Game,
    metric: Metric,
    /// The index of the table.
    index: &'a Index,
    /// The index with the groups in their plain order: that of the lists.
    plain: &'a Index,
    pieces: Vec<Piece>,
    /// The squares beside each, for the pieces that step in all directions, such as kings and
    /// queens: see [`Counting::has_room`].
    beside: Vec<Option<Vec<SquareSet>>>,
}

impl<'a> Counting<'a> {
    /// `plain` is the index with the groups in their plain order.
    pub(super) fn new(plan: &'a TablePlan, plain: &'a Index) -> Counting<'a> {
        let (game, board) = (plan.game, plan.game.geometry());
        let pieces: Vec<Piece> = plan.material().pieces().collect();
        let neighbours = |square: Square| -> SquareSet {
            let steps = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)));
            let there = steps.filter_map(|(x, y)| board.offset(square, x, y));
            there.filter(|&there| there != square).collect()
        };
        let beside = pieces.iter().map(|piece| {
            let steps_anywhere = game.mover(piece.piece_type).includes(Mover::KING);
            steps_anywhere.then(|| board.all().map(neighbours).collect())
        });
        Counting {
            game,
            metric: plan.metric,
            index: &plan.index,
            plain,
            beside: beside.collect(),
            pieces,
        }
    }

    /// Whether the results are to be given, since the values do not say them.
    pub(super) fn takes_results(metric: Metric) -> bool {
        matches!(metric, Metric::Dtz | Metric::Thresholds | Metric::Mates)
    }

    /// Counts the indices from `first` on, which are whole pairs of leaders: for the
    /// statistics, and which values there are.
    pub(super) fn count(&self, first: u64, sides: [&Column; 2]) -> (Tally, Vec<Counts>) {
        let mut tally = Tally::default();
        let mut values = Vec::new();
        // The distances of draws may count for nothing, although these are positions.
        let weights = Weights::new(self.index, first, sides.map(Column::signs));
        for (turn, side) in Colour::BOTH.into_iter().zip(&mut tally.sides) {
            let known = sides[turn.index()];
            let results = known.results.as_ref();
            let keys = results.map(|results| self.keys(turn, results, &known.values));
            let Ok(keys) = keys.transpose() else {
                tally.is_void = true;
                values.push(Counts::of(&known.values));
                continue;
            };
            let (width, counted) = match &keys {
                Some((width, keys)) => (Some(*width), weights.count(keys)),
                None => (None, weights.count(&known.values)),
            };
            for (weight, counts) in counted.iter().filter(|(weight, _)| *weight > 0) {
                for (key, count) in counts.values() {
                    let value = match width {
                        Some(width) => (key as usize / width, (key as usize % width) as u16),
                        None => self.value(key),
                    };
                    *side.counts.entry(value).or_default() += weight * count;
                }
            }
            let all = counted.iter().flat_map(|(_, part)| part.values());
            values.push(match width {
                None => Counts::sum(all),
                Some(width) => {
                    let found = (self.metric == Metric::Dtz).then(|| distances(all, width));
                    // Those of draws should count for nothing; if they do not, they are values.
                    let given = known.values.iter().filter(|v| **v != score::DONT_CARE);
                    let is_all = |found: &Counts| {
                        let count: u64 = found.values().map(|(_, count)| count).sum();
                        count == given.count() as u64
                    };
                    let found = found.filter(is_all);
                    found.unwrap_or_else(|| Counts::of(&known.values))
                }
            });
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
    /// the width that is returned, and plies.
    ///
    /// # Errors
    /// There are values that cannot be plies, or more plies than are counted.
    fn keys(
        &self,
        turn: Colour,
        results: &[i16],
        values: &[i16],
    ) -> Result<(usize, Vec<i16>), Uncountable> {
        let both = results.iter().zip(values);
        if self.metric == Metric::Dtz {
            // Those of draws count for nothing: a number that is less than 0.
            let most = values.iter().copied().max().unwrap_or(0).max(0);
            // What counts for nothing becomes the greatest number.
            let less = values.iter().map(|plies| plies.wrapping_sub(1)).min();
            if most > MOST_PLIES || less.is_some_and(|less| less < -1) {
                return Err(Uncountable);
            }
            let width = most + 1;
            let places = Wdl::ALL.map(place).map(|place| i16::from(place) * width);
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
            return Ok((width as usize, both.map(key).collect()));
        }
        let full = self.game.full_vitality().unwrap_or(Counters::both(0));
        let by_mate = |result: i16, value: i16| {
            let winner = if result > 0 { turn } else { turn.other() };
            self.metric == Metric::Mates && needs::split(value)[winner.index()] <= full.of(winner)
        };
        let key = |(&result, &value): (&i16, &i16)| match result {
            score::DONT_CARE => score::DONT_CARE,
            result => {
                let place = i16::from(place(Wdl::from_value(result)));
                2 * place + i16::from(by_mate(result, value))
            }
        };
        Ok((2, both.map(key).collect()))
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
        (place(wdl).into(), plies as u16)
    }

    /// Whether a side may have no pseudo-legal move, check forbidding none (C4, E6).
    fn may_block(&self) -> bool {
        !self.game.goal().check_forbids_moves() && matches!(self.metric, Metric::Wdl | Metric::Dtm)
    }

    /// The number of positions without a pseudo-legal move among the draws.
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

    /// Whether a piece of a side that steps in all directions, such as a king or queen, has an
    /// empty square beside it, so that it has a pseudo-legal move.
    fn has_room(&self, turn: Colour, squares: &[Square]) -> bool {
        let occupied: SquareSet = squares.iter().copied().collect();
        let mut all = self.pieces.iter().zip(&self.beside).zip(squares);
        all.any(|((piece, beside), square)| {
            let beside = beside.as_ref().map(|beside| beside[square.index()]);
            piece.colour == turn && beside.is_some_and(|beside| !(beside - occupied).is_empty())
        })
    }

    /// The mutual zugzwangs.
    fn zugzwangs(&self, first: u64, sides: [&Column; 2], weights: &Weights) -> Found {
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
                found.eighths += 8 * weight / self.index.images(index);
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
        let (win, loss) = (score::win(plies.into()), score::loss(plies.into()));
        let is_longest = |&(_, &value): &(u64, &i16)| (value == loss) | (value == win);
        // Those of other layers count for nothing.
        let longest = (first..self.index.layer_len())
            .zip(values)
            .filter(is_longest);
        let list = longest.map(|(index, _)| self.plain_index(index)).collect();
        Some((plies, lowest(list)))
    }
}

/// The error of values that statistics have no room for.
struct Uncountable;

/// The distances among keys that were counted, those of draws left out.
fn distances(keys: impl Iterator<Item = (i16, u64)>, width: usize) -> Counts {
    let draws = usize::from(place(Wdl::Draw));
    let keys = keys.filter(|&(key, _)| key as usize / width != draws);
    Counts::sum(keys.map(|(key, count)| ((key as usize % width) as i16, count)))
}
