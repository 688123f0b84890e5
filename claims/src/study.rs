//! Walks over all positions of a material in parallel, and lets a claim's visitor see each.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use retrograde_index::Index;
use retrograde_rules::{
    Board, Colour, EnPassant, Game, Interchange, Material, Piece, PieceType, Position, Setup,
    Square, Symmetry,
};

use crate::error::ClaimError;
use crate::scope::{Observer, Scope};
use crate::tables::Library;
use crate::tally::ClassTally;

/// The number of indices that a task looks at, unless the placements of one pair of leading pieces
/// are more.
const CHUNK: u64 = 1 << 15;

/// The action of a walk at each position.
type Visit<'a> = dyn Fn(&mut ClassTally, &Spot) -> Result<(), ClaimError> + Sync + 'a;

/// A visitor of positions: a predicate for the positions that it wants, and the action at each.
pub(crate) struct Visitor<'a> {
    wanted: Box<dyn Fn(Colour, u64) -> bool + Sync + 'a>,
    visit: Box<Visit<'a>>,
}

impl Visitor<'_> {
    /// Looks at a position.
    pub(crate) fn visit(&self, tally: &mut ClassTally, spot: &Spot) -> Result<(), ClaimError> {
        (self.visit)(tally, spot)
    }
}

/// Looks at all positions.
pub(crate) fn visiting<'a>(
    visit: impl Fn(&mut ClassTally, &Spot) -> Result<(), ClaimError> + Sync + 'a,
) -> Result<Visitor<'a>, ClaimError> {
    visiting_where(|_, _| true, visit)
}

/// Looks at the positions that are `wanted` by side to move and index, which is asked first, for
/// indices that stand for no position too.
pub(crate) fn visiting_where<'a>(
    wanted: impl Fn(Colour, u64) -> bool + Sync + 'a,
    visit: impl Fn(&mut ClassTally, &Spot) -> Result<(), ClaimError> + Sync + 'a,
) -> Result<Visitor<'a>, ClaimError> {
    Ok(Visitor {
        wanted: Box::new(wanted),
        visit: Box::new(visit),
    })
}

/// A position of a material without an e.p. right.
pub(crate) struct Spot<'a> {
    pub(crate) position: &'a Position,
    /// The index of the position, the same for both sides to move.
    pub(crate) index: u64,
    /// The number of positions on the whole board that it stands for.
    pub(crate) weight: u64,
}

impl Spot<'_> {
    /// The side to move.
    #[inline]
    pub(crate) fn turn(&self) -> Colour {
        self.position.turn()
    }

    /// A number of its own among the positions of the material.
    #[inline]
    pub(crate) fn number(&self) -> u64 {
        2 * self.index + self.turn().index() as u64
    }
}

/// Keeps the tallies of walks, so that interrupted work goes on with the next class.
pub(crate) trait Tallies: Sync {
    /// The tally of a walk that an earlier run has finished.
    fn read(&self, walk: &str, game: Game) -> Option<ClassTally>;
    /// Keeps the tally of a walk.
    fn write(&self, walk: &str, tally: &ClassTally) -> Result<(), ClaimError>;
}

/// The work on one claim.
pub(crate) struct Study<'a> {
    pub(crate) scope: &'a Scope<'a>,
    pub(crate) library: &'a Library,
    observer: &'a dyn Observer,
    tallies: Option<&'a dyn Tallies>,
    done: AtomicU64,
    total: AtomicU64,
}

impl<'a> Study<'a> {
    pub(crate) fn new(
        scope: &'a Scope<'a>,
        library: &'a Library,
        observer: &'a dyn Observer,
    ) -> Study<'a> {
        Study {
            scope,
            library,
            observer,
            tallies: None,
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        }
    }

    /// With a place where tallies are kept.
    pub(crate) fn keeping(self, tallies: Option<&'a dyn Tallies>) -> Study<'a> {
        Study { tallies, ..self }
    }

    /// The tally of a walk, by a name of its own, that is done by `walk` unless an earlier run has.
    pub(crate) fn tally(
        &self,
        name: &str,
        game: Game,
        material: &Material,
        walk: impl FnOnce() -> Result<ClassTally, ClaimError>,
    ) -> Result<ClassTally, ClaimError> {
        let Some(tallies) = self.tallies else {
            return walk();
        };
        if let Some(tally) = tallies.read(name, game) {
            self.step(Index::new(game, material)?.len());
            return Ok(tally);
        }
        let tally = walk()?;
        tallies.write(name, &tally)?;
        Ok(tally)
    }

    /// Announces a walk over a material, so that progress is known.
    pub(crate) fn expect(&self, game: Game, material: &Material) -> Result<(), ClaimError> {
        let len = Index::new(game, material)?.len();
        self.total.fetch_add(len, Ordering::Relaxed);
        Ok(())
    }

    /// An error if the observer has stopped the work.
    pub(crate) fn go_on(&self) -> Result<(), ClaimError> {
        match self.observer.interrupted() {
            true => Err(ClaimError::Interrupted),
            false => Ok(()),
        }
    }

    fn step(&self, indices: u64) {
        let done = self.done.fetch_add(indices, Ordering::Relaxed) + indices;
        let total = self.total.load(Ordering::Relaxed);
        self.observer.progress(done.min(total), total);
    }

    /// Looks at every position of a material, both sides to move, without e.p. rights; those
    /// that are symmetric to each other once, with their number as the weight. With `how`, at
    /// the images of these under a swap of the colours.
    pub(crate) fn walk(
        &self,
        game: Game,
        material: &Material,
        how: Option<Interchange>,
        visitor: &Visitor,
    ) -> Result<ClassTally, ClaimError> {
        let index = &Index::new(game, material)?;
        let pair = index.indices_per_pair();
        let chunk = pair * CHUNK.div_ceil(pair);
        // Positions are those with full counters.
        let chunks = index.layer_len().div_ceil(chunk);
        let sum = Mutex::new(ClassTally::default());
        (0..chunks).into_par_iter().try_for_each(|n| {
            self.go_on()?;
            let range = n * chunk..index.layer_len().min((n + 1) * chunk);
            let len = range.end - range.start;
            let mut tally = ClassTally::default();
            each_spot(game, index, range, &visitor.wanted, &mut |spot| {
                tally.weight = spot.weight;
                tally.number = spot.number();
                let Some(how) = how else {
                    return (visitor.visit)(&mut tally, spot);
                };
                // Images are not walked to, and have numbers of their own.
                tally.number = !tally.number;
                match spot.position.with_colours_swapped(how) {
                    Some(image) => (visitor.visit)(
                        &mut tally,
                        &Spot {
                            position: &image,
                            ..*spot
                        },
                    ),
                    None => Ok(()),
                }
            })?;
            self.step(len);
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.merge(tally);
            Ok::<(), ClaimError>(())
        })?;
        Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Looks at the positions of some indices that are `wanted`.
fn each_spot(
    game: Game,
    index: &Index,
    range: Range<u64>,
    wanted: &dyn Fn(Colour, u64) -> bool,
    visit: &mut dyn FnMut(&Spot) -> Result<(), ClaimError>,
) -> Result<(), ClaimError> {
    let pieces: Vec<Piece> = index.material().pieces().collect();
    let mut weights = Weights::new(index, range.start, range.end);
    let mut squares = vec![Square(0); pieces.len()];
    for index_value in range {
        let weight = weights.next(index_value);
        if weight == 0 {
            continue;
        }
        let sides = Colour::BOTH.map(|turn| wanted(turn, index_value));
        if sides == [false; 2] || !index.decode(index_value, &mut squares) {
            continue;
        }
        let mut board = Board::empty();
        for (&piece, &square) in pieces.iter().zip(&squares) {
            board.set(square, Some(piece));
        }
        // Indices count placements of several pieces on one square, too.
        if board.occupied().len() < pieces.len() {
            continue;
        }
        for turn in Colour::BOTH.into_iter().filter(|turn| sides[turn.index()]) {
            if let Some(position) = Position::from_board(game, &board, turn) {
                visit(&Spot {
                    position: &position,
                    index: index_value,
                    weight,
                })?;
            }
        }
    }
    Ok(())
}

/// The weights of consecutive indices.
enum Weights<'a> {
    /// Weights that all indices of a pair of leaders share.
    Pairs(&'a Index),
    /// 1 for canonical indices.
    Canonical(u64, Vec<bool>),
    /// Weights that must be worked out index by index.
    Any(&'a Index),
}

impl Weights<'_> {
    fn new(index: &Index, first: u64, end: u64) -> Weights<'_> {
        if !index.has_equal_leaders() {
            return Weights::Pairs(index);
        }
        if index.shape().symmetry != Symmetry::None {
            return Weights::Any(index);
        }
        let mut canonical = Vec::new();
        index.each_canonical(first..end, |is| canonical.push(is));
        Weights::Canonical(first, canonical)
    }

    #[inline]
    fn next(&mut self, at: u64) -> u64 {
        match self {
            Weights::Pairs(index) => index.pair_weight((at / index.indices_per_pair()) as usize),
            Weights::Canonical(first, canonical) => canonical[(at - *first) as usize].into(),
            Weights::Any(index) => index.weight(at),
        }
    }
}

/// The positions with an e.p. right that have the same pieces and side to move.
pub(crate) fn with_rights(position: &Position) -> Vec<Position> {
    let (game, turn, board) = (position.game(), position.turn(), position.board());
    let takes_by_pawn = game.ep_by() == EnPassant::Pawns;
    if takes_by_pawn && board.of(Piece::new(turn, PieceType::Pawn)).is_empty() {
        return Vec::new();
    }
    let back = match turn {
        Colour::White => 1,
        Colour::Black => -1,
    };
    let geometry = game.geometry();
    let is_pawn = |square| board.piece_type(PieceType::Pawn).contains(square);
    let rights = board.by(turn.other()).filter_map(|arrival| {
        // What is no pawn has promoted on arrival (C6).
        if !is_pawn(arrival) && geometry.offset(arrival, 0, -back).is_some() {
            return None;
        }
        let [ep, origin] = [1, 2].map(|steps| geometry.offset(arrival, 0, steps * back));
        let passed = [ep?, origin?];
        if passed
            .iter()
            .any(|&square| board.occupied().contains(square))
        {
            return None;
        }
        let setup = Setup {
            ep,
            ..position.setup()
        };
        Position::new(game, &setup).ok().filter(|p| p.ep() == ep)
    });
    rights.collect()
}

impl Study<'_> {
    /// The plies of the longest win of either side with a material, in any colouring.
    pub(crate) fn longest_win(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Option<u32>, ClaimError> {
        let [[white, _], [_, black]] = self.longest_wins(game, &material.normal(game).0)?;
        Ok(white.max(black))
    }

    /// The plies of the longest wins of White and of Black, with White to move and with Black to
    /// move, for a material in normal form.
    pub(crate) fn longest_wins(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<[[Option<u32>; 2]; 2], ClaimError> {
        const WINS: [[&str; 2]; 2] = [["ww", "wb"], ["bw", "bb"]];
        let values = self.library.depths(game, material)?;
        let visitor = visiting(|tally, spot| {
            let turn = spot.turn();
            if let Some(winner) = values.wdl(turn, spot.index).winner(turn)
                && let Some(plies) = values.plies(turn, spot.index)
            {
                tally.add((WINS[turn.index()][winner.index()], plies as usize));
            }
            Ok(())
        })?;
        let tally = self.walk(game, material, None, &visitor)?;
        let longest = |name| tally.counted.list(name).len().checked_sub(1);
        Ok(WINS.map(|wins| wins.map(|name| longest(name).map(|plies| plies as u32))))
    }
}
