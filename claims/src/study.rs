//! What claims are worked out with: the tables that there are, and all positions of a
//! material in turn.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use retrograde_index::Index;
use retrograde_rules::{
    Colour, EnPassant, Game, Material, Piece, PieceType, Position, Setup, Square, Symmetry,
};

use crate::error::ClaimError;
use crate::scope::{Observer, Scope};
use crate::tables::Library;

/// How many indices a task looks at, unless the placements of one pair of leading pieces
/// are more.
const CHUNK: u64 = 1 << 15;

/// What the positions of a material add up to. The sum does not depend on the order.
pub(crate) trait Tally: Default + Send {
    /// Adds another.
    fn merge(&mut self, other: Self);
}

/// A position of a material without an e.p. right.
pub(crate) struct Spot<'a> {
    pub(crate) position: &'a Position,
    /// Its index, the same for both sides to move.
    pub(crate) index: u64,
    /// How many positions on the whole board it stands for.
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

/// The work on one claim.
pub(crate) struct Study<'a> {
    pub(crate) scope: &'a Scope<'a>,
    pub(crate) library: &'a Library,
    observer: &'a dyn Observer,
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
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        }
    }

    /// The game of an id: see [`Scope::game`].
    pub(crate) fn game(&self, id: &str) -> Game {
        self.scope.game(id)
    }

    /// Announces walks over some materials, so that progress is known.
    pub(crate) fn expect(&self, game: Game, materials: &[Material]) -> Result<(), ClaimError> {
        for material in materials {
            let len = Index::new(game, material)?.len();
            self.total.fetch_add(len, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Calls `each` for materials of a game, in order, and announces the walks over them.
    pub(crate) fn each(
        &self,
        game: Game,
        materials: &[Material],
        mut each: impl FnMut(&Material) -> Result<(), ClaimError>,
    ) -> Result<(), ClaimError> {
        self.expect(game, materials)?;
        materials.iter().try_for_each(|material| {
            self.go_on()?;
            each(material)
        })
    }

    fn go_on(&self) -> Result<(), ClaimError> {
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

    /// Looks at every position of a material, both sides to move, without e.p. rights;
    /// those that are symmetric to each other once, with their number as the weight.
    pub(crate) fn walk<T: Tally>(
        &self,
        game: Game,
        index: &Index,
        visit: impl Fn(&mut T, &Spot) -> Result<(), ClaimError> + Sync,
    ) -> Result<T, ClaimError> {
        self.walk_where(game, index, |_, _| true, visit)
    }

    /// The same for the positions that are `wanted` by side to move and index, which is
    /// asked first, for indices that stand for no position too.
    pub(crate) fn walk_where<T: Tally>(
        &self,
        game: Game,
        index: &Index,
        wanted: impl Fn(Colour, u64) -> bool + Sync,
        visit: impl Fn(&mut T, &Spot) -> Result<(), ClaimError> + Sync,
    ) -> Result<T, ClaimError> {
        let pair = index.indices_per_pair();
        let chunk = pair * CHUNK.div_ceil(pair);
        let chunks = index.len().div_ceil(chunk);
        let sum = Mutex::new(T::default());
        on_all_threads(chunks, &|n| {
            self.go_on()?;
            let range = n * chunk..index.len().min((n + 1) * chunk);
            let len = range.end - range.start;
            let mut tally = T::default();
            each_spot(game, index, range, &wanted, &mut |spot| {
                visit(&mut tally, spot)
            })?;
            self.step(len);
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            sum.merge(tally);
            Ok(())
        })?;
        Ok(sum.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Does some work with each number below `count`, in any order. No generics, so that rayon's
/// machinery is compiled once and not for each claim.
fn on_all_threads(
    count: u64,
    work: &(dyn Fn(u64) -> Result<(), ClaimError> + Sync),
) -> Result<(), ClaimError> {
    (0..count).into_par_iter().try_for_each(work)
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
        for turn in Colour::BOTH.into_iter().filter(|turn| sides[turn.index()]) {
            let placed = pieces.iter().copied().zip(squares.iter().copied());
            if let Some(position) = Position::from_pieces(game, placed, turn) {
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
    /// Those of whole pairs are the same.
    Pairs(&'a Index),
    /// 1 for canonical indices.
    Canonical(u64, Vec<bool>),
    /// Anything.
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

/// By the side to move and the winner.
#[derive(Default)]
struct Longest([[Option<u32>; 2]; 2]);

impl Tally for Longest {
    fn merge(&mut self, other: Longest) {
        let theirs = other.0.into_iter().flatten();
        for (mine, theirs) in self.0.iter_mut().flatten().zip(theirs) {
            *mine = theirs.max(*mine);
        }
    }
}

impl Study<'_> {
    /// The plies of the longest win of either side with a material, in any colouring.
    pub(crate) fn longest_win(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Option<u32>, ClaimError> {
        let [white, black] = self.longest_wins(game, &material.normal(game).0)?;
        Ok(white.max(black))
    }

    /// The plies of the longest wins of White and of Black, of those to move, with a material in
    /// normal form.
    pub(crate) fn longest_wins(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<[Option<u32>; 2], ClaimError> {
        let [[white, _], [_, black]] = self.longest_wins_by_turn(game, material)?;
        Ok([white, black])
    }

    /// With White to move and with Black to move, the plies of the longest wins of White and of
    /// Black, with a material in normal form.
    pub(crate) fn longest_wins_by_turn(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<[[Option<u32>; 2]; 2], ClaimError> {
        let values = self.library.depths(game, material)?;
        let longest = self.walk(game, values.index(), |longest: &mut Longest, spot| {
            let turn = spot.turn();
            if let Some(winner) = values.wdl(turn, spot.index).winner(turn) {
                let longest = &mut longest.0[turn.index()][winner.index()];
                *longest = values.plies(turn, spot.index).max(*longest);
            }
            Ok(())
        })?;
        Ok(longest.0)
    }
}
