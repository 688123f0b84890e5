//! Retracts quiet moves of whole rows of positions: from those after the move to those before.
//!
//! Pieces outside the row move between rows, leaders between blocks (where the
//! block's symmetry is undone on the way, [`leaders`]), the lane piece and the
//! inner piece [`within`] the row. Results may contain positions that do not
//! exist; the caller masks them.

mod dispatch;
mod leaders;
mod pawns;
mod within;

use retrograde_rules::{Colour, Piece, PieceType, Transform};

use super::lanes::add_image;
use super::layout::{Layout, Passes, Role, RowAt};
use super::movement::{self, Between};
use super::plane::{FEW, Plane};
use super::royal::royal;
use super::squares::{filled, members};
use super::steps::{Step, Way};
use super::vector::{apart, vectorized};
use super::word::{BoardShape, Word};
use dispatch::Retract;
use leaders::{Neighbours, neighbours_of};
pub(crate) use pawns::Arrivals;

/// The pieces whose moves are followed back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Movers {
    /// All pieces.
    All,
    /// Pawns.
    Pawns,
    /// All pieces but pawns, whose quiet moves the fifty-move rule counts.
    Pieces,
}

impl Movers {
    #[inline(always)]
    fn include(self, piece_type: PieceType) -> bool {
        match self {
            Movers::All => true,
            Movers::Pawns => piece_type == PieceType::Pawn,
            Movers::Pieces => piece_type != PieceType::Pawn,
        }
    }
}

/// Moves that are followed back together.
#[derive(Clone, Copy, Debug)]
enum Movement {
    /// Moves of the leader, castling included: between blocks.
    Leader,
    /// Moves of the inner piece: within words.
    Inner,
    /// Moves of the lane piece: between the words of a row.
    Lane,
    /// Moves of all others: between rows.
    Outer,
    /// Moves of kings that are not royal and therefore move differently.
    Spares,
}

impl Movement {
    const ALL: [Movement; 5] = [
        Movement::Leader,
        Movement::Inner,
        Movement::Lane,
        Movement::Outer,
        Movement::Spares,
    ];
}

/// The positions to step back from: a plane, and for materials with en passant
/// the plane of those positions with the right open that count.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, W> {
    pub(crate) plane: &'a Plane<W>,
    pub(crate) en_passant: Option<&'a Plane<W>>,
    /// The arrivals of double steps by the pawns of the side that moves, where rights to capture en
    /// passant are kept beside the grid.
    pub(crate) arrivals: &'a [Arrivals<'a, W>],
    pub(crate) movers: Movers,
    /// The lanes of the row for which the answer matters; in the others it may
    /// be left out.
    pub(crate) wanted: W,
}

impl<'a, W: Word> Source<'a, W> {
    /// The lanes of a row in which a pawn that has just made a double step
    /// may stand.
    #[inline(always)]
    fn arrived(&self, pawn: Option<usize>, row: usize) -> W {
        let of_pawn = self.arrivals.iter().filter(|a| Some(a.pawn) == pawn);
        of_pawn.fold(W::ZERO, |any, arrivals| any | arrivals.plane.any[row])
    }

    /// The arrivals of a pawn's double steps; `None` if it is never captured en passant.
    #[inline(always)]
    fn arrivals_of(&self, pawn: usize) -> Option<&'a Arrivals<'a, W>> {
        self.arrivals.iter().find(|a| a.pawn == pawn)
    }

    /// The arrivals of a pawn's double steps that are made of a step.
    fn arrivals_by(&self, pawn: usize, step: Step) -> Option<&'a Arrivals<'a, W>> {
        let mut arrivals = self.arrivals.iter();
        arrivals.find(|a| (a.pawn, a.step) == (pawn, step))
    }

    /// A piece of the material, if it is of `side` and its moves are wanted.
    #[inline(always)]
    fn moving(&self, piece: Option<Piece>, side: Colour) -> Option<Piece> {
        piece.filter(|m| m.colour == side && self.movers.include(m.piece_type))
    }
}

/// The tables that retracting the moves of a material needs.
pub(crate) struct Mover<'a, W: Word> {
    pub(crate) layout: &'a Layout,
    pub(crate) between: &'a Between<W>,
    /// The blocks that the leader of each side can go to, by block.
    neighbours: [Neighbours<W>; 2],
    /// The blocks that the leader can go to while it is a spare king, if such kings move
    /// differently.
    spare_neighbours: [Neighbours<W>; 2],
    /// The image of every row within a block under every symmetry.
    images: [Vec<Option<u32>>; Transform::ALL.len()],
    /// The positions in which a side can only pass, by side to move, if passing is allowed only
    /// there; otherwise empty.
    pub(crate) stuck: [Vec<W>; 2],
    /// For each side to move, the positions in which it has no quiet move, because captures are
    /// compulsory or the game has ended in a draw; empty if there are no such rules.
    pub(crate) forced: [Vec<W>; 2],
}

impl<'a, W: Word> Mover<'a, W> {
    pub(crate) fn new(layout: &'a Layout, between: &'a Between<W>) -> Mover<'a, W> {
        let neighbours = Colour::BOTH.map(|side| {
            if !layout.is_led() {
                return Vec::new();
            }
            let piece = layout.pieces[layout.leaders[side.index()]];
            neighbours_of(layout, between, piece)
        });
        let spare_neighbours =
            Colour::BOTH.map(
                |side| match layout.royals.spare(layout.leaders[side.index()]) {
                    Some(piece_type) => {
                        neighbours_of(layout, between, Piece::new(side, piece_type))
                    }
                    None => Vec::new(),
                },
            );
        let images = Transform::ALL.map(|transform| {
            let image = |row| {
                let outer = RowAt::<W>::new(layout, 0, row).outer;
                let outer = outer.map(|s| between.board.image(transform, s));
                layout.row_of(outer.into_iter()).map(|row| row as u32)
            };
            (0..layout.rows).map(image).collect()
        });
        Mover {
            layout,
            between,
            neighbours,
            spare_neighbours,
            images,
            stuck: Default::default(),
            forced: Default::default(),
        }
    }

    /// Adds to `out` every position of the row, `side` to move, that has a
    /// quiet move to a position of `from`.
    pub(crate) fn retract(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        match self.forced[side.index()].is_empty() {
            true => self.retract_all(at, side, from, out),
            false => self.retract_free(at, side, from, out),
        }
    }

    /// Adds those predecessors to `out` that may make a quiet move, as [`Mover::retract`] does
    /// where captures are compulsory or games end before a move.
    #[inline(never)]
    fn retract_free(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        let mut row = W::EMPTY_ROW;
        let found = &mut row.as_mut()[..out.len()];
        self.retract_all(at, side, from, found);
        for ((out, found), forced) in out.iter_mut().zip(found).zip(self.forced_in(at, side)) {
            *out |= *found & !*forced;
        }
    }

    /// The positions of a row in which a side has no quiet moves.
    #[inline(always)]
    fn forced_in(&self, at: &RowAt<W>, side: Colour) -> &[W] {
        let (first, lanes) = (at.row * self.layout.lanes, self.layout.lanes);
        let forced = self.forced[side.index()].get(first..first + lanes);
        forced.unwrap_or_default()
    }

    /// The positions of a word in which a side has no quiet moves that count in a position with
    /// an e.p. right, which has a capture: it could only pass, or captures are compulsory.
    #[inline(always)]
    pub(crate) fn without_quiet(&self, side: Colour, word: usize) -> W {
        let of = |list: &[W]| list.get(word).copied();
        let side = side.index();
        let free =
            of(&self.forced[side]).map_or(W::ZERO, |forced| match self.layout.must_capture {
                true => !forced,
                false => forced,
            });
        of(&self.stuck[side]).unwrap_or(W::ZERO) | free
    }

    fn retract_all(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        self.retract_movements(at, side, from, self.movements(), out);
        if self.layout.passes != Passes::Never {
            self.retract_pass(at, side, from, out);
        }
    }

    /// A pass: the pieces stay, and it is the other side's turn.
    fn retract_pass(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        if from.movers == Movers::Pawns {
            return;
        }
        let mut row = W::EMPTY_ROW;
        let passed = &mut row.as_mut()[..out.len()];
        self.add_row(from, at.row, Transform::IDENTITY, W::ZERO, passed);
        if self.layout.passes == Passes::WhenStuck {
            let stuck = &self.stuck[side.index()];
            let first = at.row * self.layout.lanes;
            for (lane, passed) in passed.iter_mut().enumerate() {
                *passed &= stuck.get(first + lane).copied().unwrap_or(W::ZERO);
            }
        }
        for (out, passed) in out.iter_mut().zip(passed) {
            *out |= *passed;
        }
    }

    /// Removes from `held` every position that has a quiet move to a position
    /// of `from`; returns whether any is left. Stops as soon as none is.
    #[inline(always)]
    pub(crate) fn remove_predecessors(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        held: &mut [W],
    ) -> bool {
        let kept = match self.forced[side.index()].is_empty() {
            true => None,
            false => Some(self.take_forced(at, side, held)),
        };
        let left = self.remove_all(at, side, from, held);
        let Some(kept) = kept else { return left };
        for (held, kept) in held.iter_mut().zip(kept.as_ref()) {
            *held |= *kept;
        }
        held.iter().any(|word| !word.is_empty())
    }

    /// Takes the positions without quiet moves out of some of a row, and returns them.
    #[inline(never)]
    fn take_forced(&self, at: &RowAt<W>, side: Colour, held: &mut [W]) -> W::Row {
        let mut row = W::EMPTY_ROW;
        let forced = self.forced_in(at, side);
        for ((kept, held), forced) in row.as_mut().iter_mut().zip(held).zip(forced) {
            *kept = *held & *forced;
            *held &= !*forced;
        }
        row
    }

    /// Takes the predecessors of `from` out of `held`, as if every position had quiet moves.
    #[inline(always)]
    fn remove_all(
        &self,
        at: &RowAt<W>,
        side: Colour,
        mut from: Source<'_, W>,
        held: &mut [W],
    ) -> bool {
        let mut row = W::EMPTY_ROW;
        let out = &mut row.as_mut()[..held.len()];
        if self.layout.passes != Passes::Never {
            self.retract_pass(at, side, from, out);
            for (held, out) in held.iter_mut().zip(&*out) {
                *held &= !*out;
            }
        }
        for movement in self.movements().chunks(1) {
            from.wanted = filled(held);
            if from.wanted.is_empty() {
                return false;
            }
            self.retract_movements(at, side, from, movement, out);
            for (held, out) in held.iter_mut().zip(&*out) {
                *held &= !*out;
            }
        }
        held.iter().any(|word| !word.is_empty())
    }

    /// The moves that a material has, fastest to look up first.
    #[inline(always)]
    fn movements(&self) -> &'static [Movement] {
        let all = &Movement::ALL;
        if self.layout.has_spare_moves {
            all
        } else {
            &all[..all.len() - 1]
        }
    }

    #[inline(always)]
    fn retract_movements(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        movements: &[Movement],
        out: &mut [W],
    ) {
        let mover = self;
        vectorized(Retract {
            mover,
            at,
            side,
            from,
            movements,
            out,
        });
    }

    /// The outer pieces of `side`.
    #[inline(always)]
    fn retract_outer(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        let layout = self.layout;
        for (place, coordinate) in layout.outer().iter().enumerate() {
            let piece = layout.pieces[coordinate.piece];
            if from.moving(Some(piece), side).is_some() {
                self.retract_outer_as(at, place, piece, from, out);
            }
        }
    }

    /// The outer piece with this place among the coordinates, moving as `piece`.
    #[inline(always)]
    fn retract_outer_as(
        &self,
        at: &RowAt<W>,
        place: usize,
        piece: Piece,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let square = at.outer[place];
        if piece.piece_type == PieceType::Pawn {
            self.retract_outer_pawn(at, place, piece.colour, from, out);
            return;
        }
        let mut targets = !at.occupied;
        if let Some(&rows) = from.plane.busy.get(at.block) {
            targets &= rows;
        }
        if targets.is_empty() {
            return;
        }
        targets &= movement::targets::<W>(at.board, piece, square, at.occupied);
        while !targets.is_empty() {
            let target = targets.pop();
            if let Some(row) = self.row_with(at, place, target) {
                let passed = self.between.passed(piece, Way::Quiet, square, target);
                self.add_row(from, row, Transform::IDENTITY, passed, out);
            }
        }
    }

    /// The row with the outer piece of a place on another square.
    #[inline(always)]
    fn row_with(&self, at: &RowAt<W>, place: usize, square: usize) -> Option<usize> {
        let mut outer = at.outer;
        outer[place] = square;
        let row = self.layout.row_of(outer.into_iter())?;
        Some(at.block * self.layout.rows + row)
    }

    /// Adds a row of `plane`, seen through the inverse of `transform`, but for
    /// the positions where the lane piece or the inner piece is on a square that
    /// was `passed`.
    #[inline(always)]
    pub(super) fn add_row(
        &self,
        from: Source<'_, W>,
        row: usize,
        transform: Transform,
        passed: W,
        out: &mut [W],
    ) {
        match W::VECTORS {
            true => self.add_row_here(from, row, transform, passed, out),
            false => apart(|| self.add_row_here(from, row, transform, passed, out)),
        }
    }

    /// Inlined, so that it becomes vector code.
    #[inline(always)]
    fn add_row_here(
        &self,
        from: Source<'_, W>,
        row: usize,
        transform: Transform,
        passed: W,
        out: &mut [W],
    ) {
        let (plane, board) = (from.plane, self.between.board);
        let any = plane.any[row];
        if any.is_empty() {
            return;
        }
        let lanes = self.layout.lanes;
        if lanes > 1 && any.count() <= FEW {
            let entries = plane.entries(self.layout, row);
            if transform == Transform::IDENTITY {
                for (lane, word) in entries {
                    if !passed.has(lane) {
                        out[lane] |= word & !passed;
                    }
                }
                return;
            }
            let back = transform.inverse();
            let image = W::image(board, back);
            for (there, word) in entries {
                let lane = board.image(back, there);
                if !passed.has(lane) {
                    out[lane] |= word.apply(image) & !passed;
                }
            }
            return;
        }
        let source = plane.row(self.layout, row);
        if lanes > 1 && from.wanted.count() <= FEW {
            let image = W::image(board, transform.inverse());
            for lane in members(from.wanted & !passed) {
                let word = source[board.image(transform, lane)];
                out[lane] |= word.apply(image) & !passed;
            }
            return;
        }
        if self.layout.inner_piece().is_none() {
            // The only bit is not the square of a piece.
            out[0] |= source[0];
            return;
        }
        // Passed lanes are put back after the plain loop over all lanes.
        let mut kept = [W::ZERO; 16];
        if lanes > 1 {
            for (slot, lane) in kept.iter_mut().zip(members(passed)) {
                *slot = out[lane];
            }
        }
        if transform == Transform::IDENTITY {
            for (out, source) in out[..lanes].iter_mut().zip(source) {
                *out |= *source & !passed;
            }
        } else if lanes == 1 {
            out[0] |= source[0].apply(W::image(board, transform.inverse())) & !passed;
        } else {
            // A constant symmetry each, so that the flips become vector code.
            match transform.index() {
                1 => add_image::<W, 1>(board, source, passed, out),
                2 => add_image::<W, 2>(board, source, passed, out),
                3 => add_image::<W, 3>(board, source, passed, out),
                4 => add_image::<W, 4>(board, source, passed, out),
                5 => add_image::<W, 5>(board, source, passed, out),
                6 => add_image::<W, 6>(board, source, passed, out),
                _ => add_image::<W, 7>(board, source, passed, out),
            }
        }
        if lanes > 1 {
            for (slot, lane) in kept.iter().zip(members(passed)) {
                out[lane] = *slot;
            }
        }
    }

    /// The spare kings of `side`, if they move differently from royal ones: what they
    /// can do besides the moves of a king. Which of them is royal depends on where they
    /// stand before the move.
    fn retract_spares(&self, at: &RowAt<W>, side: Colour, from: Source<'_, W>, out: &mut [W]) {
        let layout = self.layout;
        for &king in layout.royal_candidates(side) {
            let moving = from.moving(Some(layout.pieces[king]), side);
            let Some(piece_type) = moving.and_then(|_| layout.royals.spare(king)) else {
                continue;
            };
            let piece = Piece::new(side, piece_type);
            let mut row = W::EMPTY_ROW;
            let found = &mut row.as_mut()[..layout.lanes];
            let place = layout.coordinates.iter().position(|c| c.piece == king);
            match place.map(|place| (place, at.role(layout, place))) {
                None => self.retract_block(at, &self.spare_neighbours[side.index()], from, found),
                Some((_, Role::Inner)) => self.retract_inner_as(at, piece, from, found),
                Some((_, Role::Lane)) => self.retract_lane_as(at, piece, from, found),
                Some((place, _)) => self.retract_outer_as(at, place, piece, from, found),
            }
            let royal = royal(layout, at, king);
            for (out, (found, royal)) in out.iter_mut().zip(found.iter().zip(royal.as_ref())) {
                *out |= *found & !*royal;
            }
        }
    }
}

#[cfg(test)]
mod tests;
