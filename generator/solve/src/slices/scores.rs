//! Scores the moves that leave a slice: to other materials, and of outer pawns to finished slices.

use retrograde_rules::{Colour, Material, PieceType};

use super::super::conversion_kinds::leavings_of;
use super::super::convert::Conversions;
use super::super::error::SolveError;
use super::super::gather::{Values, select};
use super::super::layout::{Layout, RowAt};
use super::super::movement::Between;
use super::super::parallel::each;
use super::super::read::UNUSED;
use super::super::score::{self, Score};
use super::super::squares::{ahead, double_step, open_square};
use super::super::start::RaiseRow;
use super::super::successor::{FindSuccessor, Successor};
use super::super::word::{BoardShape, Word};
use super::Places;

/// The scores of the best move of `mover` in each position of a slice that leaves the
/// material. Only positions of `placed` matter, and those with an e.p. right. Each successor
/// is in memory only while it is read.
pub(super) fn conversions<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    (mover, placed): (Colour, &[W]),
    find: &FindSuccessor<'_>,
) -> Result<Vec<Score>, SolveError> {
    let mut scores = vec![score::NONE; layout.words() * layout.squares];
    let mut raise = |one: Option<(Material, &Successor)>| {
        let conversions = Conversions::to_one(layout, mover, one);
        if !conversions.is_empty() {
            raise_conversions(layout, between, &conversions, placed, &mut scores);
        }
    };
    raise(None);
    let material = Material::of(layout.pieces.iter().copied());
    let promotes = layout.can_promote::<W>(mover);
    let mut exits: Vec<Material> = leavings_of(layout.game, &material, mover, promotes)
        .into_iter()
        .map(|leaving| leaving.material)
        .collect();
    exits.dedup();
    for exit in exits {
        let successor = find(&exit);
        let successor = successor.ok_or_else(|| SolveError::Missing(exit.name(layout.game)))?;
        raise(Some((exit, &successor)));
    }
    Ok(scores)
}

fn raise_conversions<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    conversions: &Conversions<'_>,
    placed: &[W],
    scores: &mut [Score],
) {
    let blocks = scores.chunks_mut(layout.block_positions()).enumerate();
    each(blocks, |(block, scores)| {
        let conversions = conversions.in_block::<W>(block);
        let rows = scores.chunks_exact_mut(layout.row_positions()).enumerate();
        for (row, scores) in rows {
            let at = RowAt::<W>::new(layout, block, row);
            let mut placed = placed[at.row * layout.lanes..][..layout.lanes].to_vec();
            conversions.raise(between, &at, &mut placed, scores);
        }
    });
}

/// A finished slice, as moves that lead to it see it.
pub(super) trait Finished: Send + Sync {
    /// The stored values of eight neighbouring positions with `turn` to move, [`UNUSED`]
    /// where there is none.
    fn values(&self, turn: Colour, word: usize, n: usize) -> Values;

    /// The bits of those positions that have an e.p. right.
    fn rights(&self, turn: Colour, word: usize, n: usize) -> u8;
}

/// Moves of the outer pawns of a side.
pub(super) struct PawnMoves<'a, F> {
    pub(super) places: &'a Places,
    pub(super) layout: &'a Layout,
    pub(super) mover: Colour,
    /// The slices that are finished.
    pub(super) finished: &'a [F],
    /// The value of a move that leads to a position with this stored value.
    pub(super) score: fn(i16) -> Score,
}

impl<W: Word, F: Finished> RaiseRow<W> for PawnMoves<'_, F> {
    fn raise_row(&self, at: &RowAt<W>, placed: &[W], scores: &mut [Score]) {
        for (place, coordinate) in self.layout.outer().iter().enumerate() {
            let piece = self.layout.pieces[coordinate.piece];
            if piece.piece_type == PieceType::Pawn && piece.colour == self.mover {
                self.raise_pawn(at, place, placed, scores);
            }
        }
    }
}

impl<F: Finished> PawnMoves<'_, F> {
    /// The moves of one outer pawn in a row.
    fn raise_pawn<W: Word>(&self, at: &RowAt<W>, place: usize, movers: &[W], scores: &mut [Score]) {
        let is_free = |square: &usize| !at.occupied.has(*square);
        let square = at.outer[place];
        let Some(one) = ahead(at.board, square, self.mover, 1).filter(is_free) else {
            return;
        };
        if let Some(to) = self.row_with(at, place, one) {
            self.raise_to(at, (to, None), movers, W::ZERO, scores);
        }
        let two = double_step(at.board, square, self.mover).filter(is_free);
        let Some((two, to)) = two.and_then(|two| Some((two, self.row_with(at, place, two)?)))
        else {
            return;
        };
        let open = match self.layout.en_passant {
            true => self.row_with(at, place, open_square(at.board, two, self.mover)),
            false => None,
        };
        self.raise_to(at, (to, open), movers, W::of(one), scores);
    }

    /// The slice, and the row in it, with an outer pawn on another square.
    fn row_with<W: Word>(&self, at: &RowAt<W>, place: usize, square: usize) -> Option<Row<'_, F>> {
        let layout = self.layout;
        let undivided = layout.undivided_row_with(&at.outer, place, square)?;
        let (slice, row, rows) = self.places.row(undivided);
        let slice = self.finished.get(slice)?;
        let word = (at.block * rows + row) * layout.lanes;
        Some(Row { slice, word })
    }

    /// Raises the scores of `movers` to those of a row; to those of another where that row
    /// has a position with an e.p. right. Not where a piece stands on a square that is
    /// passed.
    fn raise_to<W: Word>(
        &self,
        at: &RowAt<W>,
        (to, open): (Row<'_, F>, Option<Row<'_, F>>),
        movers: &[W],
        passed: W,
        scores: &mut [Score],
    ) {
        let (turn, squares) = (self.mover.other(), at.board.squares());
        for (lane, &movers) in movers.iter().enumerate() {
            let movers = movers & !passed;
            let lane_is_passed = self.layout.lanes > 1 && passed.has(lane);
            if movers.is_empty() || lane_is_passed {
                continue;
            }
            let out = scores[lane * squares..][..squares].chunks_mut(8);
            for (n, out) in out.enumerate() {
                let from = movers.byte(n);
                if from == 0 {
                    continue;
                }
                let mut values = to.slice.values(turn, to.word + lane, n);
                if let Some(open) = &open {
                    let rights = open.slice.rights(turn, open.word + lane, n);
                    if rights & from != 0 {
                        let with = open.slice.values(turn, open.word + lane, n);
                        values = select(rights, with, values);
                    }
                }
                let values = select(from, values, [UNUSED; 8]);
                for (out, value) in out.iter_mut().zip(values) {
                    if value != UNUSED {
                        *out = (*out).max((self.score)(value));
                    }
                }
            }
        }
    }
}

/// A row of a finished slice.
struct Row<'a, F> {
    slice: &'a F,
    /// The first word of the row.
    word: usize,
}
