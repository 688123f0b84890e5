//! Solves a material for helpmates: which sides can be mated by legal moves of both.
//!
//! Some series of legal moves suffices. This is cooperative retrograde analysis on sets of
//! positions.
//!
//! A side can be mated in a position if it is mated there, or if some legal move leads to a
//! position in which it can be mated. This is worked out for one side at a time
//! (`spread`): conversions are looked up once in the tables of successors, as for depths,
//! and from there and from the mates the set grows by quiet moves until nothing is added.

mod spread;

use std::collections::HashMap;

use retrograde_index::{Helpmate, Index, IndexError, Metric};
use retrograde_rules::{Colour, Game, Material};

use super::conversion_kinds::{Leaving, leavings};
use super::convert::Conversions;
use super::depth::TooDeep;
use super::error::SolveError;
use super::layout::Layout;
use super::movement::Between;
use super::moves::Mover;
use super::read::{FromGrid, GridReader, UNUSED};
use super::score;
use super::side::Side;
use super::start::{Exits, start};
use super::successor::Successor;
use spread::{Ground, spread};

/// The word of the only board with such tables, 8x8.
type Word = u64;

/// The helpmate values of a material as tables of [`Metric::Helpmate`] store them, by side to move.
pub struct KnownHelpmates {
    index: Index,
    values: [Vec<u8>; 2],
}

impl KnownHelpmates {
    /// The values in the order of an index, which may be anything where that stands for no
    /// position.
    pub fn new(index: Index, values: [&[i16]; 2]) -> KnownHelpmates {
        KnownHelpmates {
            index,
            values: values.map(|values| values.iter().map(|&value| value as u8).collect()),
        }
    }

    /// The successor in which a position is won if `mated` can be mated in it, and drawn otherwise.
    fn leading_to(&self, game: Game, mated: Colour) -> Result<Successor, IndexError> {
        Successor::with_scores(game, &self.index, |turn, index| {
            let value = Helpmate::from_value(self.values[turn.index()][index].into());
            match value.can_be_mated(mated) {
                true => score::WINS_AT_ONCE,
                false => score::DRAW,
            }
        })
    }
}

/// The sides that can be mated with help, for every position of a material without e.p. rights.
pub struct Helpmates {
    layout: Layout,
    /// The positions, by side to move.
    legal: [Vec<Word>; 2],
    /// The positions in which White can be mated, and those in which Black can, by side to move.
    found: [[Vec<Word>; 2]; 2],
}

/// Finds out which sides can be mated. `smaller` holds every material of
/// [`successors`](super::successors) but two bare kings.
///
/// # Errors
/// See [`SolveError`]; [`SolveError::Game`] for a game that has no such tables.
pub fn solve(
    game: Game,
    material: &Material,
    smaller: &HashMap<Material, KnownHelpmates>,
) -> Result<Helpmates, SolveError> {
    if !Metric::on_request(game).contains(&Metric::Helpmate) {
        return Err(SolveError::Game(game.id()));
    }
    let exits = leavings(game, material);
    let is_there = |exit: &&Leaving| {
        smaller.contains_key(&exit.material) || game.needs_no_table(&exit.material)
    };
    if let Some(missing) = exits.iter().find(|exit| !is_there(exit)) {
        return Err(SolveError::Missing(missing.material.name(game)));
    }
    let layout = Layout::to_solve(game, material)?;
    let between = Between::<Word>::new(layout.board::<Word>());
    let mover = Mover::new(&layout, &between);
    let mut legal = Default::default();
    let mut found = [const { [const { Vec::new() }; 2] }; 2];
    for (mated, found) in Colour::BOTH.into_iter().zip(&mut found) {
        let mut leads = HashMap::new();
        for exit in &exits {
            let mated_there = if exit.swapped { mated.other() } else { mated };
            let lead = match smaller.get(&exit.material) {
                Some(known) => known.leading_to(game, mated_there)?,
                None => Successor::drawn(game, &exit.material)?,
            };
            leads.insert(*exit, lead);
        }
        let mut grounds = Vec::new();
        for side in Colour::BOTH {
            let conversions = Conversions::by_colours(&layout, side, |exit| Some(&leads[exit]));
            let conversions = Exits::Conversions(conversions);
            let mut state = Side::<Word, u8>::new(&layout);
            // All scores are of the next ply or of draws.
            start(&layout, &between, &conversions, None, side, &mut state)
                .map_err(|TooDeep| SolveError::TooDeep)?;
            grounds.push(Ground::new(state));
        }
        drop(leads);
        if let Ok(grounds) = <[Ground<Word>; 2]>::try_from(grounds) {
            legal = grounds.each_ref().map(|ground| ground.legal.words.clone());
            *found = spread(&mover, grounds, mated);
        }
    }
    drop(mover);
    Ok(Helpmates {
        layout,
        legal,
        found,
    })
}

impl Helpmates {
    /// Reads the values by the indices of `index`, an index of the same material in any
    /// order of groups, as tables of [`Metric::Helpmate`] store them; [`UNUSED`] for an
    /// index without a position.
    pub fn values<'a>(&'a self, index: &Index) -> GridReader<'a> {
        let values = |turn, word, n| std::array::from_fn(|bit| self.value(turn, word, 8 * n + bit));
        let values = FromGrid::new(self.layout.squares, |word| word, values);
        GridReader::new(&self.layout, index, vec![Box::new(values)])
    }

    fn value(&self, turn: Colour, word: usize, bit: usize) -> i16 {
        let has = |words: &[Word]| words[word] >> bit & 1 == 1;
        let side = turn.index();
        if !has(&self.legal[side]) {
            return UNUSED;
        }
        let [white, black] = self.found.each_ref().map(|found| has(&found[side]));
        Helpmate { white, black }.to_value()
    }
}
