//! Holds a solved successor as conversions read it: the value of every move that leads to it.

mod passage;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use retrograde_index::{Index, IndexError, Wdl};
use retrograde_rules::{BareKings, Colour, Game, Goal, Material, Piece, PieceType};

use super::attack;
use super::conversion_kinds::{leavings, successors, turns_after};
use super::error::SolveError;
use super::gather;
use super::grid::GridMap;
use super::layout::{Layout, RowAt};
use super::movement::{Between, attacks};
use super::parallel::each;
use super::score::{self, Score};
use super::word::Word;
use super::words::with_word;

pub(crate) use passage::{Passage, View};

/// A material that conversions lead to.
pub struct Successor {
    layout: Layout,
    scores: Scores,
}

/// Gives a successor of a material; `None` if there is none. A solution in slices asks for
/// one each time that it needs it, and drops it before it asks for the next.
pub type FindSuccessor<'a> = dyn Fn(&Material) -> Option<Arc<Successor>> + 'a;

/// The successors of a material.
pub(super) type Smaller = HashMap<Material, Arc<Successor>>;

/// Finds all successors of a material.
pub(super) fn find_all(
    game: Game,
    material: &Material,
    find: &FindSuccessor<'_>,
) -> Result<Smaller, SolveError> {
    let successors = successors(game, material).into_iter();
    let found = successors.map(|material| match find(&material) {
        Some(successor) => Ok((material, successor)),
        None => Err(SolveError::Missing(material.name(game))),
    });
    found.collect()
}

/// The values of conversions, by the side to move afterwards.
enum Scores {
    /// Over the whole grid, or empty for a side that no conversion leaves to move. Positions
    /// that do not exist, because the side that moved is in check, have no value.
    Here([Vec<Score>; 2]),
    /// Read block by block, where that suffices for conversions: a material with as many
    /// pieces would not fit into memory.
    Far(GridMap, Box<ReadDtm<'static>>),
}

/// Reads the depths of a range of indices of a material, given the side to move; handles its
/// own errors.
pub type ReadDtm<'a> = dyn Fn(Colour, Range<u64>, &mut [i16]) + Send + Sync + 'a;

/// The values of a material by side to move, as tables of DTM (or WDL) store them.
pub type Depths = [Vec<i16>; 2];

impl Successor {
    /// A material with known depths, in the order of `index`: every index has a value, which
    /// may be anything if the index stands for no position.
    ///
    /// # Errors
    /// If the material has no index.
    pub fn new(game: Game, index: &Index, depths: &Depths) -> Result<Successor, IndexError> {
        Successor::with_scores(game, index, |side, idx| {
            score::of_child(depths[side.index()][idx])
        })
    }

    /// A material with known WDL, as tables of the game store it, for
    /// [`Count::ToConversion`](super::Count::ToConversion) and for
    /// [`Solution::zeroing`](super::Solution::zeroing).
    ///
    /// # Errors
    /// If the material has no index.
    pub fn of_wdl(game: Game, index: &Index, results: &Depths) -> Result<Successor, IndexError> {
        let score = of_result(game);
        Successor::with_scores(game, index, |side, idx| score(results[side.index()][idx]))
    }

    /// A material of which `score` gives the value of a conversion to each position, given
    /// the side to move there and its index in `index`.
    ///
    /// # Errors
    /// If the material has no index.
    pub(crate) fn with_scores(
        game: Game,
        index: &Index,
        score: impl Fn(Colour, usize) -> Score + Sync,
    ) -> Result<Successor, IndexError> {
        let layout = Layout::new(game, index.material())?;
        Ok(Successor::with_layout(layout, [true; 2], index, score))
    }

    /// A successor with a given layout, of which `score` gives the value of a conversion to each
    /// position.
    fn with_layout(
        layout: Layout,
        turns: [bool; 2],
        index: &Index,
        score: impl Fn(Colour, usize) -> Score + Sync,
    ) -> Successor {
        let score = |side, idx: usize| match index.canonical(idx as u64) {
            Some(idx) => score(side, idx as usize),
            None => score::NONE,
        };
        let scatter = |side, map: &GridMap, blocks: Range<usize>, out: &mut [Score]| {
            let places = out.len() / blocks.len().max(1);
            for (block, out) in blocks.zip(out.chunks_mut(places)) {
                map.scatter(block, out, |idx| score(side, idx));
            }
        };
        let stored = Ok((index, &scatter as &Scatter));
        with_word!(layout.game, W => Successor::build::<W>(layout, turns, stored))
    }

    /// A successor of `larger` whose depths are read, in the order of `index`, while it is
    /// brought into the solver's form. That takes less memory than [`Successor::new`], unless
    /// identical pieces lead: then all are read first.
    ///
    /// # Errors
    /// If the material has no index.
    pub fn read(
        game: Game,
        larger: &Material,
        index: &Index,
        depths: &ReadDtm<'_>,
    ) -> Result<Successor, IndexError> {
        Successor::with_reader(game, larger, index, depths, score::of_child)
    }

    /// A successor of `larger` whose results, values of WDL, are read while it is brought into the
    /// solver's form: see [`Successor::of_wdl`].
    ///
    /// # Errors
    /// If the material has no index.
    pub fn read_wdl(
        game: Game,
        larger: &Material,
        index: &Index,
        results: &ReadDtm<'_>,
    ) -> Result<Successor, IndexError> {
        Successor::with_reader(game, larger, index, results, of_result(game))
    }

    fn with_reader(
        game: Game,
        larger: &Material,
        index: &Index,
        read: &ReadDtm<'_>,
        score: impl Fn(i16) -> Score + Sync,
    ) -> Result<Successor, IndexError> {
        let promoted = promoted(game, larger, index.material());
        let turns = turns_after(game, larger, index.material());
        if index.has_equal_leaders() {
            // The value of a placement may be in another block.
            let values = Colour::BOTH.map(|side| {
                if !turns[side.index()] {
                    return Vec::new();
                }
                let mut values = vec![0; index.layer_len() as usize];
                let parts = values.chunks_mut(POSITIONS_AT_ONCE).enumerate();
                each(parts, |(part, out)| {
                    let first = (part * POSITIONS_AT_ONCE) as u64;
                    read(side, first..first + out.len() as u64, out);
                });
                values
            });
            let layout = Layout::of_successor(game, index.material(), promoted)?;
            return Ok(Successor::with_layout(layout, turns, index, |side, idx| {
                score(values[side.index()][idx])
            }));
        }
        let pair = index.indices_per_pair() as usize;
        let scatter = |side, map: &GridMap, blocks: Range<usize>, out: &mut [Score]| {
            let places = out.len() / blocks.len().max(1);
            let first = blocks.start * pair;
            let mut values = vec![0; blocks.len() * pair];
            let indices = first as u64..(blocks.end * pair) as u64;
            read(side, indices, &mut values);
            for (block, out) in blocks.zip(out.chunks_mut(places)) {
                map.scatter(block, out, |idx| score(values[idx - first]));
            }
        };
        let layout = Layout::of_successor(game, index.material(), promoted)?;
        let stored = Ok((index, &scatter as &Scatter));
        with_word!(game, W => Ok(Successor::build::<W>(layout, turns, stored)))
    }

    /// A material whose depths, or WDL, are read while another is solved: see
    /// [`is_read_later`]. Only moves of pieces other than the leaders may lead to it.
    ///
    /// # Errors
    /// If the material has no index.
    pub fn read_later(
        game: Game,
        index: &Index,
        depths: Box<ReadDtm<'static>>,
    ) -> Result<Successor, IndexError> {
        let layout = Layout::new(game, index.material())?;
        let map = GridMap::with_index(&layout, index);
        Ok(Successor {
            layout,
            scores: Scores::Far(map, depths),
        })
    }

    /// A material of two bare kings without a table: every position is a draw, except those
    /// of extinction chess in which a king can be captured (E6).
    ///
    /// # Errors
    /// If the material has no index.
    pub fn drawn(game: Game, material: &Material) -> Result<Successor, IndexError> {
        let layout = Layout::new(game, material)?;
        with_word!(game, W => Ok(Successor::build::<W>(layout, [true; 2], Err(score::LOSES))))
    }

    /// A material of two bare kings without a table, as [`Successor::drawn`], with values of WDL:
    /// see [`Successor::of_wdl`].
    ///
    /// # Errors
    /// If the material has no index.
    pub fn drawn_wdl(game: Game, material: &Material) -> Result<Successor, IndexError> {
        let layout = Layout::new(game, material)?;
        let loses = of_result(game)(Wdl::Win.to_value());
        with_word!(game, W => Ok(Successor::build::<W>(layout, [true; 2], Err(loses))))
    }

    /// The bytes that it takes.
    pub fn bytes(&self) -> u64 {
        match &self.scores {
            Scores::Here(sides) => sides
                .iter()
                .map(|scores| size_of_val(&scores[..]) as u64)
                .sum(),
            Scores::Far(..) => 0,
        }
    }

    /// `stored` writes the scores of some blocks, given the side to move, if they are
    /// stored, or is that of a move to where a bare king can be taken; `turns` says for which
    /// sides to move.
    fn build<W: Word>(
        layout: Layout,
        turns: [bool; 2],
        stored: Result<(&Index, &Scatter), Score>,
    ) -> Successor {
        let board = layout.board::<W>();
        let between = Between::<W>::new(board);
        let stored = stored.map(|(index, scatter)| (GridMap::with_index(&layout, index), scatter));
        let block_positions = layout.block_positions();
        let blocks_at_once = POSITIONS_AT_ONCE.div_ceil(block_positions);
        let scores = Colour::BOTH.map(|side| {
            if !turns[side.index()] {
                return Vec::new();
            }
            let mut scores = vec![score::NONE; layout.words() * layout.squares];
            let parts = scores.chunks_mut(blocks_at_once * block_positions);
            each(parts.enumerate(), |(part, out)| {
                let first = part * blocks_at_once;
                let blocks = first..first + out.len() / block_positions;
                if let Ok((map, scatter)) = &stored {
                    scatter(side, map, blocks.clone(), out);
                }
                for (block, out) in blocks.zip(out.chunks_mut(block_positions)) {
                    if let Err(loses) = stored {
                        // One piece on each side: a block is one position.
                        let [a, b] = layout.block_squares(block);
                        let king = Piece::new(side, PieceType::King);
                        let takes = attacks::<W>(board, king, a, W::ZERO).has(b)
                            && layout.game.bare_kings() == BareKings::DrawnUnlessTaken;
                        out.fill(if takes { loses } else { score::DRAW });
                    }
                    keep_legal(&layout, &between, (block, side), out);
                }
            });
            scores
        });
        Successor {
            layout,
            scores: Scores::Here(scores),
        }
    }
}

/// Whether the tables of a successor are read while a material of so many pieces is being
/// solved, because they are too large to be held in memory: promotions lead to materials
/// with as many pieces. That is known where kings are captured, which always lead and of which
/// none is in check.
pub fn is_read_later(game: Game, smaller: &Material, pieces: usize) -> bool {
    match game.goal() {
        Goal::KingCapture(_) => smaller.len() == pieces,
        Goal::Mate | Goal::Reach(_) | Goal::Extinction => false,
    }
}

/// The value of a conversion to a position with some stored WDL value. Without the fifty-move
/// rule that value is the sign of a depth, and so it is one.
fn of_result(game: Game) -> fn(i16) -> Score {
    match game.zeroing_limit() {
        Some(_) => score::of_wdl,
        None => score::of_child,
    }
}

/// Writes the scores of some blocks. Behind a pointer, so that what uses it is compiled once
/// a word.
type Scatter<'a> = dyn Fn(Colour, &GridMap, Range<usize>, &mut [Score]) + Sync + 'a;

/// About how many positions of a successor are brought into the solver's form at once: a
/// block of a table is unpacked once for all blocks of the grid that it has values of.
const POSITIONS_AT_ONCE: usize = 1 << 17;

/// The piece that a pawn of `larger` has become in a successor with as many pieces, if only
/// promotions lead there and to that piece. `None` where pawns wait on the last rank (C5), since
/// they promote as they leave it.
pub(crate) fn promoted(game: Game, larger: &Material, successor: &Material) -> Option<Piece> {
    if larger.len() != successor.len() || game.pawns().wait {
        return None;
    }
    let ways = leavings(game, larger).into_iter();
    let mut found = ways
        .filter(|leaving| leaving.material == *successor)
        .map(|leaving| {
            let before = match leaving.swapped {
                true => larger.swapped(),
                false => *larger,
            };
            let mut pieces = successor.pieces();
            pieces.find(|&piece| successor.count(piece) > before.count(piece))
        });
    let first = found.next()??;
    found.all(|other| other == Some(first)).then_some(first)
}

/// Takes the scores of positions that do not exist out of a block.
fn keep_legal<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    (block, side): (usize, Colour),
    out: &mut [Score],
) {
    for (row, out) in out.chunks_mut(layout.row_positions()).enumerate() {
        let at = RowAt::<W>::new(layout, block, row);
        let legal = attack::legal(layout, between, &at, side);
        let words = out.chunks_exact_mut(layout.squares);
        for (word, out) in legal.as_ref().iter().zip(words) {
            for (n, out) in out.chunks_mut(8).enumerate() {
                gather::keep(word.byte(n), out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pawns_become_is_known_where_only_promotions_lead() {
        let material = |name| Material::parse(Game::default(), name).unwrap();
        for (larger, successor, expected) in [
            ("KPPvKP", "KQPvKP", Some('Q')),
            // Black's pawn, with the colours as they are, and swapped.
            ("KPPvKP", "KPPvKR", Some('r')),
            ("KQPvKP", "KQPvKQ", Some('q')),
            ("KPvKP", "KNvKP", Some('N')),
            ("KPPvKP", "KQPvK", None),
            ("KQPvKP", "KQvKP", None),
            ("KQvK", "KQvKP", None),
        ] {
            let found = promoted(Game::default(), &material(larger), &material(successor));
            assert_eq!(
                found.map(|piece| piece.letter()),
                expected,
                "{larger} {successor}"
            );
        }
    }
}
