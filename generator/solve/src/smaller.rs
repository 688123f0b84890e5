//! A smaller class, as the conversions of a larger one read it: the worth of
//! every move that leads into it.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;
use retrograde_index::{Index, IndexError};
use retrograde_rules::{Colour, Game, Interchange, Kind, Man, Material, Square};

use super::attack;
use super::grid::GridMap;
use super::layout::{Layout, RowAt};
use super::movement::{Between, attacks};
use super::score::{self, Score};
use super::word::{BoardShape, Word, with_word};

/// A class that conversions lead to.
pub struct Smaller {
    layout: Layout,
    scores: Scores,
}

/// What conversions are worth, by the side to move afterwards.
enum Scores {
    /// Over the whole grid. A position that does not exist, because the side
    /// that moved stands in check, is worth nothing.
    Here([Vec<Score>; 2]),
    /// Read block by block, where that is all that conversions need: a class
    /// of as many men would not fit into memory.
    Far(GridMap, Box<ReadDepths>),
}

/// Reads the depths of a range of numbers of a class, given the side to move;
/// keeps to itself if it cannot.
pub type ReadDepths = dyn Fn(Colour, Range<u64>, &mut [i16]) + Send + Sync;

/// All values of a class by side to move, as depth tables (or result tables)
/// store them.
pub type Depths = [Vec<i16>; 2];

impl Smaller {
    /// A class of which the depths are known, in the order of numbers of
    /// `index`: every number has a value, which may be anything where the
    /// number stands for no position.
    ///
    /// # Errors
    /// If the class has no index.
    pub fn new(game: Game, index: &Index, depths: &Depths) -> Result<Smaller, IndexError> {
        Smaller::with_scores(game, index, |side, number| {
            score::of_child(depths[side.index()][number])
        })
    }

    /// A class of which the results are known, as result tables store them,
    /// for [`Solution::zeroing`](super::Solution::zeroing).
    ///
    /// # Errors
    /// If the class has no index.
    pub fn of_results(game: Game, index: &Index, results: &Depths) -> Result<Smaller, IndexError> {
        Smaller::with_scores(game, index, |side, number| {
            score::of_result(results[side.index()][number])
        })
    }

    /// A class of which `score` says what a conversion to each position is
    /// worth, given the side to move there and its number in `index`.
    ///
    /// # Errors
    /// If the class has no index.
    pub(crate) fn with_scores(
        game: Game,
        index: &Index,
        score: impl Fn(Colour, usize) -> Score + Sync,
    ) -> Result<Smaller, IndexError> {
        let score = |side, number: usize| match index.canonical(number as u64) {
            Some(number) => score(side, number as usize),
            None => score::NONE,
        };
        with_word!(game, W => {
            Smaller::build::<W, _>(game, index.material(), Some((index, score)))
        })
    }

    /// A class of Chess 99 that is read while others are solved. Only moves of
    /// other men than the leading two may lead into it.
    ///
    /// # Errors
    /// If the class has no index.
    pub fn read_later(
        game: Game,
        index: &Index,
        depths: Box<ReadDepths>,
    ) -> Result<Smaller, IndexError> {
        let layout = Layout::new(game, index.material())?;
        let map = GridMap::with_index(&layout, index);
        Ok(Smaller {
            layout,
            scores: Scores::Far(map, depths),
        })
    }

    /// A class of two kings, which has no table: every position is a draw, but
    /// for those of extinction chess in which a king can be taken (E6).
    ///
    /// # Errors
    /// If the class has no index.
    pub fn drawn(game: Game, material: &Material) -> Result<Smaller, IndexError> {
        with_word!(game, W => {
            Smaller::build::<W, fn(Colour, usize) -> Score>(game, material, None)
        })
    }

    fn build<W: Word, F: Fn(Colour, usize) -> Score + Sync>(
        game: Game,
        material: &Material,
        stored: Option<(&Index, F)>,
    ) -> Result<Smaller, IndexError> {
        let layout = Layout::new(game, material)?;
        let board = layout.board::<W>();
        let between = Between::<W>::new(board);
        let stored = stored.map(|(index, score)| (GridMap::with_index(&layout, index), score));
        let scores = Colour::BOTH.map(|side| {
            let mut scores = vec![score::NONE; layout.words() * layout.squares];
            scores
                .par_chunks_mut(layout.block_positions())
                .enumerate()
                .for_each(|(block, out)| {
                    match &stored {
                        Some((map, score)) => {
                            map.scatter(block, out, |number| score(side, number));
                        }
                        None => {
                            // One man a side: a block is one position.
                            let [a, b] = layout.block_squares(block);
                            let king = Man::new(side, Kind::King);
                            let takes = attacks::<W>(board, king, a, W::ZERO).has(b);
                            out.fill(if takes { score::LOSES } else { score::DRAW });
                        }
                    }
                    for row in 0..layout.rows {
                        let at = RowAt::<W>::new(&layout, block, row);
                        let legal = attack::legal(&layout, &between, &at, side);
                        let out =
                            &mut out[row * layout.row_positions()..][..layout.row_positions()];
                        for (word, out) in legal
                            .as_ref()
                            .iter()
                            .zip(out.chunks_exact_mut(layout.squares))
                        {
                            for (bit, out) in out.iter_mut().enumerate() {
                                if !word.has(bit) {
                                    *out = score::NONE;
                                }
                            }
                        }
                    }
                });
            scores
        });
        Ok(Smaller {
            layout,
            scores: Scores::Here(scores),
        })
    }
}

/// How the men of a class become the men of a smaller one.
pub(crate) struct Passage<'a> {
    smaller: &'a Smaller,
    /// Whether the smaller class has the colours swapped.
    swapped: bool,
    interchange: Interchange,
    /// For each man of the class (material order) its place in the smaller
    /// one; `None` for the man that is gone.
    pub(crate) places: Vec<Option<usize>>,
}

impl<'a> Passage<'a> {
    /// The passage from `men` (with `None` for the man taken, and a promoted
    /// man in the place of its pawn) into `smaller`.
    pub(crate) fn new(men: &[Option<Man>], smaller: &'a Smaller, swapped: bool) -> Passage<'a> {
        let mut free: Vec<Option<Man>> = smaller.layout.men.iter().copied().map(Some).collect();
        let places = men
            .iter()
            .map(|man| {
                let man = (*man)?;
                let colour = if swapped {
                    man.colour.other()
                } else {
                    man.colour
                };
                let place = free
                    .iter()
                    .position(|&f| f == Some(Man::new(colour, man.kind)))?;
                free[place] = None;
                Some(place)
            })
            .collect();
        let layout = &smaller.layout;
        let material = Material::of(layout.men.iter().copied());
        let interchange = layout.game.interchange(&material);
        Passage {
            smaller,
            swapped,
            interchange,
            places,
        }
    }

    /// The passage while the leaders stand on given squares, `leader_men`
    /// being their places among the men; `None` if they cannot stand so.
    pub(crate) fn with_leaders<W: Word>(
        &self,
        leader_men: [usize; 2],
        squares: [usize; 2],
        turn_after: Colour,
    ) -> Option<View<'a>> {
        let layout = &self.smaller.layout;
        let mut leaders = [0; 2];
        for (man, square) in leader_men.into_iter().zip(squares) {
            let place = self.places[man]?;
            let slot = layout.leaders.iter().position(|&l| l == place)?;
            leaders[slot] = self.turned(square);
        }
        let (block, transform) = layout.block_of(leaders)?;
        let board = layout.board::<W>();
        let tables = self
            .places
            .iter()
            .map(|&place| {
                let mut table = [0_u32; 128];
                let place = place?;
                let coordinate = layout.coordinates.iter().find(|c| c.man == place)?;
                for (square, entry) in table[..board.squares()].iter_mut().enumerate() {
                    let there = board.image(transform, self.turned(square));
                    *entry = coordinate.place_of(there) as u32;
                }
                Some(table)
            })
            .collect();
        let turn = self.turned_side(turn_after);
        let size = layout.block_positions();
        let scores = match &self.smaller.scores {
            Scores::Here(scores) => Cow::Borrowed(&scores[turn.index()][block * size..][..size]),
            Scores::Far(map, read) => {
                let numbers = layout.index.numbers_per_pair();
                let first = block as u64 * numbers;
                let mut depths = vec![0; numbers as usize];
                read(turn, first..first + numbers, &mut depths);
                let mut scores = vec![score::NONE; size];
                map.scatter(block, &mut scores, |number| {
                    score::of_child(depths[number - first as usize])
                });
                Cow::Owned(scores)
            }
        };
        Some(View { scores, tables })
    }

    /// The smaller class's grid.
    pub(crate) fn layout(&self) -> &'a Layout {
        &self.smaller.layout
    }

    /// Whether those who lead the class lead the smaller one as well.
    pub(crate) fn keeps_leaders(&self, leaders: [usize; 2]) -> bool {
        let after = leaders.map(|man| self.places[man]);
        let mut those = self.smaller.layout.leaders.iter();
        those.all(|&leader| after.contains(&Some(leader)))
    }

    /// The smaller class's scores over the whole grid, given the side to move
    /// after the conversion; `None` if they are not in memory.
    pub(crate) fn scores(&self, turn_after: Colour) -> Option<&'a [Score]> {
        match &self.smaller.scores {
            Scores::Here(scores) => Some(&scores[self.turned_side(turn_after).index()]),
            Scores::Far(..) => None,
        }
    }

    /// The side that stands for a side of the class in the smaller one.
    fn turned_side(&self, side: Colour) -> Colour {
        if self.swapped { side.other() } else { side }
    }

    /// The square that stands for a square of the class in the smaller one.
    #[inline]
    pub(crate) fn turned(&self, square: usize) -> usize {
        if !self.swapped {
            return square;
        }
        let geometry = self.smaller.layout.game.geometry();
        let image = self.interchange.image(geometry, Square(square as u8));
        image.index()
    }
}

/// A smaller class seen from one placement of the leaders: a position's place
/// in `scores` is the sum of what each man's table says of its square.
pub(crate) struct View<'a> {
    pub(crate) scores: Cow<'a, [Score]>,
    /// By man of the larger class.
    pub(crate) tables: Vec<Option<[u32; 128]>>,
}
