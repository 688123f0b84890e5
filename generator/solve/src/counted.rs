//! Solves a material in games that count checks (V1): a layer for each pair of counters.
//!
//! A check lowers the counter of the side that gives it, and no counter ever rises, so the layers
//! with fewer checks left are solved first. What a move leads to does not depend on the move: if
//! the side then to move is in check, the counters are those of the layer below, else those of the
//! same layer. So while a layer is solved, the positions in which the side to move is in check have
//! values that are known beforehand ([`Preset`]), and all other positions are solved as in games
//! without counters.
//!
//! In the layer itself there are positions with the side to move in check, too: their values, one
//! ply from those that have been found, are what the layer above needs. They are solved side by
//! side with all of the other side's values known beforehand.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use retrograde_index::{Index, IndexError, score as stored};
use retrograde_rules::{Colour, Counters, Game, Material};

use super::attack::attacked;
use super::conversion_kinds::{Leaving, leavings};
use super::depth::{Depth, TooDeep};
use super::error::SolveError;
use super::exits::by_index;
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::preset::Preset;
use super::solution::{Answers, Count, Solution, Solved, solve_sides};
use super::squares::members;
use super::successor::{ReadDtm, Successor};
use super::word::Word;
use super::words::with_word;

/// Gives a successor of a material as [`Successor::read_counted`] makes it for some counters, which
/// are in the colours of the successor; `None` if there is none.
pub type FindCounted<'a> = dyn Fn(&Material, Counters) -> Option<Arc<Successor>> + 'a;

/// Solves a material in a game that counts checks; `find` gives the successors, which are made of
/// what `count` says.
///
/// # Errors
/// See [`SolveError`].
pub fn solve_counted(
    game: Game,
    material: &Material,
    count: Count,
    find: &FindCounted<'_>,
) -> Result<Solution, SolveError> {
    let layout = Layout::to_solve(game, material)?;
    let (layers, longest_depth) = with_word!(game, W => Layers::<W>::solve(&layout, count, find))?;
    Ok(Solution {
        layout,
        count,
        answers: layers,
        longest_depth,
    })
}

/// The layers of a material.
struct Layers<'a, W: Word> {
    layout: &'a Layout,
    between: Between<W>,
    count: Count,
    /// The layers in the order of the index, as far as they are solved.
    solved: Vec<Option<Box<dyn Answers>>>,
    longest_depth: usize,
}

impl<W: Word> Layers<'_, W> {
    fn solve(
        layout: &Layout,
        count: Count,
        find: &FindCounted<'_>,
    ) -> Result<(Vec<Box<dyn Answers>>, usize), SolveError> {
        let mut layers = Layers::<W> {
            layout,
            between: Between::new(layout.board::<W>()),
            count,
            solved: (0..layout.index.layers()).map(|_| None).collect(),
            longest_depth: 0,
        };
        // The last has the fewest checks left.
        for layer in (0..layout.index.layers()).rev() {
            let counters = layout.index.counters(layer);
            let counters = counters.unwrap_or(Counters::both(1));
            let smaller = find_all(layout, counters, find)?;
            let (answers, longest) = layers
                .layer::<u8>(counters, &smaller)
                .or_else(|TooDeep| layers.layer::<u16>(counters, &smaller))?;
            layers.solved[layer as usize] = Some(answers);
            layers.longest_depth = longest.max(layers.longest_depth);
        }
        let solved = layers.solved.into_iter().flatten().collect();
        Ok((solved, layers.longest_depth))
    }

    /// Solves the layer of some counters, once those with fewer checks left are.
    fn layer<D: Depth>(
        &self,
        counters: Counters,
        smaller: &Smaller,
    ) -> Result<(Box<dyn Answers>, usize), TooDeep> {
        let find = |leaving: &Leaving| &*smaller[leaving];
        let run = |presets: [Option<Preset<'_>>; 2]| {
            solve_sides::<W, D>(self.layout, &self.between, self.count, &find, &presets)
        };
        // A side that is to move and in check has been given it by the other.
        let below = Colour::BOTH.map(|turn| {
            let left = counters.of(turn.other()) - 1;
            let counters = counters.with(turn.other(), left);
            let layer = self.layout.index.layer(Some(counters));
            let answers = self.solved.get(layer as usize).and_then(Option::as_ref);
            answers.filter(|_| left > 0).map(|answers| answers.values())
        });
        let checked = below.each_ref().map(|below| {
            Some(Preset {
                values: below.as_deref(),
                of_all: false,
            })
        });
        let (sides, longest) = run(checked)?;
        let after_moves = Solved::<W, D>::of(self.layout, sides);
        let values = after_moves.values();
        let all = Some(Preset {
            values: Some(&*values),
            of_all: true,
        });
        let ([white, _], of_white) = run([None, all])?;
        let white = white.settled();
        let ([_, black], of_black) = run([all, None])?;
        let solved = Solved::of(self.layout, [white, black.settled()]);
        Ok((Box::new(solved), longest.max(of_white).max(of_black)))
    }
}

/// The successors of a layer, by the colours in which conversions lead to them.
type Smaller = HashMap<Leaving, Arc<Successor>>;

fn find_all(
    layout: &Layout,
    counters: Counters,
    find: &FindCounted<'_>,
) -> Result<Smaller, SolveError> {
    let material = Material::of(layout.pieces.iter().copied());
    let leavings = leavings(layout.game, &material).into_iter();
    let found = leavings.map(|leaving| {
        let counters = match leaving.swapped {
            true => counters.swapped(),
            false => counters,
        };
        match find(&leaving.material, counters) {
            Some(successor) => Ok((leaving, successor)),
            None => Err(SolveError::Missing(leaving.material.name(layout.game))),
        }
    });
    found.collect()
}

/// The positions of a material in which the side to move is in check, by side to move: for each
/// index of the first layer whether it stands for one.
fn checked_positions(game: Game, index: &Index) -> Result<[Vec<bool>; 2], IndexError> {
    let layout = Layout::new(game, index.material())?;
    Ok(with_word!(game, W => {
        let between = Between::<W>::new(layout.board::<W>());
        Colour::BOTH.map(|turn| {
            by_index(&layout, index, false, &|block, first, places: &mut [bool]| {
                let rows = places.chunks_exact_mut(layout.row_positions());
                for (row, places) in (first..).zip(rows) {
                    let at = RowAt::<W>::new(&layout, block, row);
                    let checks = attacked(&layout, &between, &at, turn.other());
                    let words = places.chunks_exact_mut(layout.squares);
                    for (places, checks) in words.zip(checks.as_ref()) {
                        members(*checks & W::full(layout.board::<W>()))
                            .for_each(|bit| places[bit] = true);
                    }
                }
            })
        })
    }))
}

impl Successor {
    /// A successor of `larger` in a game that counts checks, after a conversion by which the
    /// counters, in the colours of the successor, are these unless it gives check. `values` reads
    /// the depths, or WDL, of all layers: see [`Successor::read`].
    ///
    /// # Errors
    /// If the material has no index.
    pub fn read_counted(
        game: Game,
        larger: &Material,
        index: &Index,
        values: &ReadDtm<'_>,
        counters: Counters,
    ) -> Result<Successor, IndexError> {
        let checked = checked_positions(game, index)?;
        let read = |turn: Colour, range: Range<u64>, out: &mut [i16]| {
            let layer = |counters, out: &mut [i16]| {
                let first = index.in_layer_of(range.start, Some(counters));
                values(turn, first..first + out.len() as u64, out);
            };
            layer(counters, out);
            let left = counters.of(turn.other()) - 1;
            let mut below = vec![stored::loss(0); out.len()];
            if left > 0 {
                layer(counters.with(turn.other(), left), &mut below);
            }
            let checked = &checked[turn.index()][range.start as usize..range.end as usize];
            for ((out, below), checked) in out.iter_mut().zip(below).zip(checked) {
                if *checked {
                    *out = below;
                }
            }
        };
        Successor::read(game, larger, index, &read)
    }
}
