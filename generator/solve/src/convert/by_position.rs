//! Evaluates the conversions that must be looked up position by position, as few have any.
//!
//! These are moves of pawns that wait on the last rank and turn into what moves (C5), double steps
//! that promote, and captures en passant beside the grid (C6).

use retrograde_rules::{Colour, Material, Piece, PieceType, Position, Square};

use super::super::conversion_kinds::taking_one;
use super::super::layout::{Layout, Role, RowAt};
use super::super::movement::{attacks, targets};
use super::super::score::{self, Score, Verdict};
use super::super::squares::{ahead, double_step, ep_arrivals, first_rank, members};
use super::super::word::{BoardShape, Word};
use super::{BlockConversions, Change, MoveValue, ReadyConversion};

/// The squares of all pieces, by piece.
pub(in super::super) type Squares = [usize; Material::MOST_PIECES];

/// The squares of all pieces of a position of a row, by piece.
#[inline]
pub(in super::super) fn squares_at<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    lane: usize,
    bit: usize,
) -> Squares {
    let mut squares = [0; Material::MOST_PIECES];
    if layout.is_led() {
        for (slot, &leader) in layout.leaders.iter().enumerate() {
            squares[leader] = at.leaders[slot];
        }
    }
    for (place, coordinate) in layout.coordinates.iter().enumerate() {
        squares[coordinate.piece] = match at.role(layout, place) {
            Role::Fixed(square) => square,
            Role::Lane => lane,
            Role::Inner => bit,
        };
    }
    squares
}

/// The positions of a lane in which a piece stands on one of some squares.
#[inline]
pub(in super::super) fn where_on<W: Word>(role: Role, lane: usize, squares: W) -> W {
    match role {
        Role::Fixed(square) if squares.has(square) => W::ALL,
        Role::Lane if squares.has(lane) => W::ALL,
        Role::Inner => squares,
        _ => W::ZERO,
    }
}

/// The squares that are occupied in a position with an inner piece.
#[inline]
pub(in super::super) fn occupied_at<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    lane: usize,
    bit: usize,
) -> W {
    let mut occupied = at.occupied;
    if layout.lanes > 1 {
        occupied |= W::of(lane);
    }
    if layout.inner_piece().is_some() {
        occupied |= W::of(bit);
    }
    occupied
}

impl MoveValue<'_, '_> {
    /// The value of the conversion of `mover` if it leaves the pieces on these squares.
    fn at(&self, layout: &Layout, squares: &Squares, mover: usize) -> Score {
        match self {
            MoveValue::View(view) => {
                let mut place = 0;
                for coordinate in &layout.coordinates {
                    if let Some(table) = &view.tables[coordinate.piece] {
                        place += table[squares[coordinate.piece]] as usize;
                    }
                }
                view.scores[place]
            }
            MoveValue::Free(passage) => passage.score(squares),
            MoveValue::Ends(ending) => ending.on(layout, (mover, squares[mover]), || *squares),
        }
    }
}

impl BlockConversions<'_, '_> {
    /// Raises `scores` to a move of each position of `placed` in which a pawn turns into what
    /// moves, or promotes after a double step.
    #[inline(never)]
    pub(super) fn raise_singly<W: Word>(
        &self,
        ready: &ReadyConversion<'_, '_>,
        at: &RowAt<W>,
        placed: &[W],
        scores: &mut [Score],
    ) {
        let (layout, side) = (self.layout, self.side);
        let conversion = ready.conversion;
        let pawn = conversion.mover;
        let last = first_rank(at.board, side.other());
        let origins = match conversion.change {
            Change::DoubleStep => match side {
                Colour::White => W::rank(at.board, last - 2),
                Colour::Black => W::rank(at.board, last + 2),
            },
            _ => conversion.from.squares(at.board, side),
        };
        let role = layout.role(at, pawn);
        for (lane, placed) in placed.iter().enumerate().take(layout.lanes) {
            for bit in members(where_on(role, lane, origins) & *placed) {
                let squares = squares_at(layout, at, lane, bit);
                let occupied = occupied_at(layout, at, lane, bit);
                let from = squares[pawn];
                let score = &mut scores[lane * at.board.squares() + bit];
                let value = |to: usize| {
                    let mut after = squares;
                    after[pawn] = to;
                    ready.value.at(layout, &after, pawn)
                };
                if conversion.change == Change::DoubleStep {
                    *score = (*score).max(self.double_step(ready, &squares, occupied, value));
                    continue;
                }
                let piece = Piece::new(side, conversion.acts);
                for to in members(targets::<W>(at.board, piece, from, occupied) & !occupied) {
                    *score = (*score).max(value(to));
                }
            }
        }
    }

    /// The value of a double step that promotes; [`score::NONE`] if there is none.
    fn double_step<W: Word>(
        &self,
        ready: &ReadyConversion<'_, '_>,
        squares: &Squares,
        occupied: W,
        value: impl Fn(usize) -> Score,
    ) -> Score {
        let (layout, pawn) = (self.layout, ready.conversion.mover);
        let board = layout.board::<W>();
        let from = squares[pawn];
        let next = ahead(board, from, self.side, 1).filter(|&s| !occupied.has(s));
        let to = double_step(board, from, self.side).filter(|&s| !occupied.has(s));
        let (Some(next), Some(to)) = (next, to) else {
            return score::NONE;
        };
        let promoted = value(to);
        // Where the game is over, nothing is taken en passant (T2).
        let promoted_piece = Piece::new(self.side, ready.conversion.becomes);
        let goal = layout.game.goal_squares(promoted_piece);
        let is_over = matches!(ready.value, MoveValue::Ends(_)) || goal.contains(Square(to as u8));
        let may_be_taken = ep_arrivals::<W>(board, self.side).has(to);
        if promoted == score::NONE || is_over || !may_be_taken {
            return promoted;
        }
        let mut others = occupied & !W::of(from);
        if !layout.game.ep_vacates() {
            others |= W::of(to);
        }
        let against = self.against.iter();
        let mut reply = best_capture(
            layout,
            against,
            self.side.other(),
            pawn,
            next,
            others,
            squares,
        );
        // What is taken is no pawn any more, and may be the last piece of its type.
        if reply != score::NONE {
            let pieces = layout.pieces.iter();
            let count = 1 + pieces.filter(|&&piece| piece == promoted_piece).count();
            reply = taking_one(layout.game, promoted_piece.piece_type, count).unwrap_or(reply);
        }
        let answered = score::of_reply(reply);
        let is_stalemate = match layout.wins_by_being_stuck(self.side.other()) {
            true => promoted <= score::DRAW,
            false => promoted == score::DRAW,
        };
        match score::verdict(reply) {
            Verdict::None => promoted,
            // Without the capture it might be stalemate.
            _ if answered > promoted && is_stalemate => {
                let mut after = *squares;
                after[pawn] = to;
                match self.has_moves(&after, (pawn, ready.conversion.becomes)) {
                    true => promoted,
                    false => answered,
                }
            }
            _ => promoted.min(answered),
        }
    }

    /// Whether the other side has a move other than a capture en passant once a pawn has
    /// become another piece.
    fn has_moves(&self, squares: &Squares, (pawn, becomes): (usize, PieceType)) -> bool {
        let layout = self.layout;
        let pieces = layout.pieces.iter().enumerate().map(|(place, &piece)| {
            let piece = match place == pawn {
                true => Piece::new(piece.colour, becomes),
                false => piece,
            };
            (piece, Square(squares[place] as u8))
        });
        let position = Position::from_pieces(layout.game, pieces, self.side.other());
        position.is_none_or(|position| !position.legal_moves().is_empty())
    }

    /// The value, for the side, of its best capture of a pawn on the square that it passed
    /// over; [`score::NONE`] if there is none. `squares` has the square of every piece,
    /// `occupied` those that are in the way.
    pub(in super::super) fn best_capture<W: Word>(
        &self,
        pawn: usize,
        passed: usize,
        occupied: W,
        squares: &Squares,
    ) -> Score {
        let ready = self.ready.iter();
        best_capture(
            self.layout,
            ready,
            self.side,
            pawn,
            passed,
            occupied,
            squares,
        )
    }
}

/// See [`BlockConversions::best_capture`]; the captures of `side` are among `ready`.
fn best_capture<'a, 'c: 'a, 'b: 'c, W: Word>(
    layout: &Layout,
    ready: impl Iterator<Item = &'a ReadyConversion<'b, 'c>>,
    side: Colour,
    pawn: usize,
    passed: usize,
    occupied: W,
    squares: &Squares,
) -> Score {
    let board = layout.board::<W>();
    let mut best = score::NONE;
    for ready in ready {
        let conversion = ready.conversion;
        let mover = conversion.mover;
        if conversion.change != Change::EnPassant(pawn)
            || ready.to.is_some_and(|to| to != passed)
            || !conversion.from.has(board, side, squares[mover])
        {
            continue;
        }
        let piece = Piece::new(side, conversion.acts);
        if attacks::<W>(board, piece, squares[mover], occupied).has(passed) {
            let mut after = *squares;
            after[mover] = passed;
            best = best.max(ready.value.at(layout, &after, mover));
        }
    }
    best
}
