//! Looks up captures, promotions and e.p. in successors, and keeps each position's best one.
//!
//! These are the conversions, the moves that leave the material. Each is looked up once in the
//! successor that it leads to, and only the best conversion of a position is kept.

mod blast;
mod by_position;
mod en_passant;
mod kings;
mod sum;

use std::ops::Deref;
use std::sync::Arc;

use blast::keep_blast;
use kings::{attacked_afterwards, value_in_check};
use retrograde_rules::{Colour, Destination, Goal, LastOfType, Material, Piece, PieceType, Square};

use super::conversion_kinds::{
    Blast, Change, Conversion as Way, Leaving, Manner, exit, pieces_after, ways,
};
use super::layout::{Layout, Role, RowAt};
use super::mask::step_mask;
use super::movement::{Between, attacks};
use super::new_leaders::{FreePassage, Spot};
use super::royal::royal;
use super::score::{self, Score, scored};
use super::sight::Sight;
use super::squares::{forward, members};
use super::steps::Way as Direction;
use super::successor::{Passage, Successor, View};
use super::vector::{Work, vectorized};
use super::word::{BoardShape, Word};
pub(super) use by_position::{Squares, occupied_at, squares_at, where_on};
pub(super) use sum::{raise_where, sum};

/// A kind of conversion, and where it leads.
struct Conversion<'a> {
    mover: usize,
    change: Change,
    manner: Manner,
    blast: Option<Blast>,
    leads: Leads<'a>,
}

impl Deref for Conversion<'_> {
    type Target = Manner;

    fn deref(&self) -> &Manner {
        &self.manner
    }
}

/// The destination of a conversion.
enum Leads<'a> {
    /// A successor with the same leaders.
    Led(Passage<'a>),
    /// A successor with other leaders.
    Free(FreePassage<'a>),
    /// Nowhere: the game is over.
    Ends(Ending),
}

/// The value of a move that ends the game.
#[derive(Clone, Copy)]
struct Ending {
    /// The value on most squares.
    score: Score,
    /// The squares to reach, where arriving there wins whatever else is true (T2), and what the
    /// mover has become.
    goal: Option<(Destination, Piece)>,
}

impl Ending {
    /// The value of the arrival of `mover` on a square; `squares` has those of the other pieces.
    #[inline(always)]
    fn on(
        self,
        layout: &Layout,
        (mover, to): (usize, usize),
        squares: impl Fn() -> Squares,
    ) -> Score {
        let Some((goal, becomes)) = self.goal else {
            return self.score;
        };
        let is_there = |piece, square| goal.squares_of(piece).contains(Square(square as u8));
        let mut count = usize::from(is_there(becomes, to));
        if goal.count > 1 || goal.safe {
            let squares = squares();
            let pieces = layout.pieces.iter().enumerate();
            let others = pieces.filter(|(place, piece)| {
                *place != mover
                    && piece.colour == becomes.colour
                    && is_there(**piece, squares[*place])
            });
            count += others.count();
        }
        match count >= goal.count {
            true => score::WINS_AT_ONCE,
            false => self.score,
        }
    }
}

/// All conversions of one side.
pub(crate) struct Conversions<'a> {
    layout: &'a Layout,
    side: Colour,
    list: Vec<Conversion<'a>>,
    /// The other side's captures en passant, if a double step can promote.
    against: Vec<Conversion<'a>>,
}

/// A conversion with the leaders on given squares.
struct ReadyConversion<'a, 'c> {
    conversion: &'c Conversion<'a>,
    /// The destination of the mover, if it is a leader whose captures are looked up square by
    /// square.
    to: Option<usize>,
    value: MoveValue<'a, 'c>,
}

/// The value of a conversion with the leaders on given squares.
enum MoveValue<'a, 'c> {
    /// The value in a successor, seen from the block.
    View(Arc<View<'a>>),
    /// The value in a successor, position by position.
    Free(&'c FreePassage<'a>),
    /// The value of the end of the game.
    Ends(Ending),
}

/// The conversions of one side in one block.
pub(crate) struct BlockConversions<'a, 'c> {
    layout: &'a Layout,
    side: Colour,
    ready: Vec<ReadyConversion<'a, 'c>>,
    /// The other side's captures en passant, if a double step can promote.
    against: Vec<ReadyConversion<'a, 'c>>,
}

impl<'a> Conversions<'a> {
    /// The conversions of `side`; `find` gives the successors.
    pub(crate) fn new<F>(layout: &'a Layout, side: Colour, find: F) -> Conversions<'a>
    where
        F: Fn(&Material) -> &'a Successor,
    {
        Conversions::by_colours(layout, side, |leaving| Some(find(&leaving.material)))
    }

    /// The conversions of `side` that lead to one successor, or those that end the game if `one` is
    /// `None`.
    pub(crate) fn to_one(
        layout: &'a Layout,
        side: Colour,
        one: Option<(Material, &'a Successor)>,
    ) -> Conversions<'a> {
        let mut all = Conversions::by_colours(layout, side, |leaving| {
            let (material, successor) = one?;
            (leaving.material == material).then_some(successor)
        });
        all.list
            .retain(|c| one.is_none() || !matches!(c.leads, Leads::Ends(_)));
        all
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The conversions of `side`, where `find` may tell successors with swapped colours apart.
    /// Conversions to successors that it does not find are left out.
    pub(crate) fn by_colours<F>(layout: &'a Layout, side: Colour, find: F) -> Conversions<'a>
    where
        F: Fn(&Leaving) -> Option<&'a Successor>,
    {
        let of = |side| ways(layout.game, &layout.pieces, side).into_iter();
        let mut list: Vec<Conversion<'a>> = of(side)
            .filter_map(|way| Conversion::new(layout, way, &find))
            .collect();
        if layout.must_capture {
            // Whether there are other moves depends on the captures.
            list.sort_by_key(|conversion| !conversion.captures());
        }
        let against = of(side.other())
            .filter(|way| matches!(way.change, Change::EnPassant(_)))
            .filter(|_| list.iter().any(|c| c.change == Change::DoubleStep))
            .filter_map(|way| Conversion::new(layout, way, &find));
        Conversions {
            layout,
            side,
            against: against.collect(),
            list,
        }
    }

    /// The conversions with the leaders as in a block.
    pub(crate) fn in_block<'c, W: Word>(&'c self, block: usize) -> BlockConversions<'a, 'c> {
        self.some_in_block::<W>(block, &self.list)
    }

    /// The captures en passant with the leaders as in a block.
    pub(crate) fn en_passants_in_block<'c, W: Word>(
        &'c self,
        block: usize,
    ) -> BlockConversions<'a, 'c> {
        let list = self.list.iter();
        self.some_in_block::<W>(
            block,
            list.filter(|c| matches!(c.change, Change::EnPassant(_))),
        )
    }

    fn some_in_block<'c, W: Word>(
        &'c self,
        block: usize,
        list: impl IntoIterator<Item = &'c Conversion<'a>>,
    ) -> BlockConversions<'a, 'c> {
        let (layout, side) = (self.layout, self.side);
        let mut block_conversions = BlockConversions {
            layout,
            side,
            ready: Vec::new(),
            against: Vec::new(),
        };
        for conversion in list {
            let ready = &mut block_conversions.ready;
            conversion.get_ready::<W>(layout, side, block, ready);
        }
        for conversion in &self.against {
            let ready = &mut block_conversions.against;
            conversion.get_ready::<W>(layout, side.other(), block, ready);
        }
        block_conversions
    }
}

/// Whether a side loses a type by a move, and the game ends with that (E6).
fn loses_type(layout: &Layout, way: &Way) -> bool {
    let decides = |place: usize| {
        let piece = layout.pieces[place];
        let alike = layout.pieces.iter().filter(|other| **other == piece);
        let game = layout.game;
        game.one_of_type(piece.piece_type, alike.count()) == LastOfType::Decides
    };
    let taken = match way.change {
        Change::Capture(victim) | Change::EnPassant(victim) => decides(victim),
        Change::Step | Change::DoubleStep | Change::Turn => false,
    };
    let turns = way.manner.becomes != layout.pieces[way.mover].piece_type;
    taken || turns && decides(way.mover)
}

impl<'a> Conversion<'a> {
    /// A way to leave a material; `None` if its successor is not found.
    fn new<F>(layout: &Layout, way: Way, find: &F) -> Option<Conversion<'a>>
    where
        F: Fn(&Leaving) -> Option<&'a Successor>,
    {
        let (pieces, mover) = (&layout.pieces, way.mover);
        let leads = match way.ends {
            Some(score) => {
                let arriving = Piece::new(pieces[mover].colour, way.manner.becomes);
                let goal = match layout.game.goal() {
                    // A type that is lost comes first, and who only stays has not won (E6, D14).
                    Goal::Reach(goal) if way.blast.is_none() && !loses_type(layout, &way) => {
                        (goal.safe || !goal.stays).then_some((goal, arriving))
                    }
                    _ => None,
                };
                Leads::Ends(Ending { score, goal })
            }
            None => {
                let after = pieces_after(pieces, way);
                let exit = exit(layout.game, &after);
                let passage = Passage::new(&after, find(&exit)?, exit.swapped);
                let pawn_leads =
                    layout.leaders.contains(&mover) && pieces[mover].piece_type == PieceType::Pawn;
                let led = layout.is_led() && passage.keeps_leaders(layout.leaders);
                if led && !pawn_leads {
                    Leads::Led(passage)
                } else {
                    let turn_after = pieces[mover].colour.other();
                    Leads::Free(FreePassage::new(&passage, turn_after)?)
                }
            }
        };
        Some(Conversion {
            mover,
            change: way.change,
            manner: way.manner,
            blast: way.blast,
            leads,
        })
    }

    /// Adds the conversion, of `side`, with the leaders as in a block.
    fn get_ready<'c, W: Word>(
        &'c self,
        layout: &Layout,
        side: Colour,
        block: usize,
        ready: &mut Vec<ReadyConversion<'a, 'c>>,
    ) {
        let mut always = |value| {
            ready.push(ReadyConversion {
                conversion: self,
                to: None,
                value,
            });
        };
        let passage = match &self.leads {
            Leads::Led(passage) => passage,
            Leads::Free(passage) => return always(MoveValue::Free(passage)),
            Leads::Ends(ending) => return always(MoveValue::Ends(*ending)),
        };
        let leaders = layout.block_squares(block);
        let view = |squares| {
            let view = passage.with_leaders::<W>(layout.leaders, squares, side.other());
            view.map(Arc::new)
        };
        let with = |to| {
            move |view| ReadyConversion {
                conversion: self,
                to,
                value: MoveValue::View(view),
            }
        };
        match layout.leaders.iter().position(|&l| l == self.mover) {
            None => {
                // Others may lead to the same: what takes a piece, or makes a pawn the same.
                let known = ready.iter().find_map(|ready| match &ready.value {
                    MoveValue::View(view) if ready.leads_as(passage) => Some(view),
                    _ => None,
                });
                let view = known.cloned().or_else(|| view(leaders));
                ready.extend(view.map(with(None)));
            }
            Some(slot) => {
                // A leader that captures goes to another block: one view for each
                // square that it can reach past the other leader.
                let piece = self.moves_as(layout);
                let occupied = W::of(leaders[0]) | W::of(leaders[1]);
                let mut targets =
                    attacks::<W>(layout.board::<W>(), piece, leaders[slot], occupied) & !occupied;
                while !targets.is_empty() {
                    let to = targets.pop();
                    let mut squares = leaders;
                    squares[slot] = to;
                    ready.extend(view(squares).map(with(Some(to))));
                }
            }
        }
    }
}

/// Takes the positions out of some words of a row that have a score.
#[inline(never)]
fn keep_unscored<W: Word>(layout: &Layout, placed: &mut [W], scores: &[Score]) {
    for (placed, scores) in placed.iter_mut().zip(scores.chunks_exact(layout.squares)) {
        *placed &= !scored::<W>(scores, score::NONE + 1, Score::MAX);
    }
}

impl ReadyConversion<'_, '_> {
    /// Whether it leaves the leaders where they are, and takes this passage.
    fn leads_as(&self, passage: &Passage<'_>) -> bool {
        let leads = &self.conversion.leads;
        self.to.is_none() && matches!(leads, Leads::Led(known) if known.is_like(passage))
    }
}

impl Conversion<'_> {
    /// Whether a piece is captured.
    #[inline(always)]
    fn captures(&self) -> bool {
        matches!(self.change, Change::Capture(_) | Change::EnPassant(_))
    }

    /// The piece that the mover moves like.
    #[inline(always)]
    fn moves_as(&self, layout: &Layout) -> Piece {
        let piece = layout.pieces[self.mover];
        Piece::new(piece.colour, self.acts)
    }
}

/// [`BlockConversions::raise`], compiled for each width of vectors.
struct Raise<'a, W: Word> {
    conversions: &'a BlockConversions<'a, 'a>,
    between: &'a Between<W>,
    at: &'a RowAt<W>,
    placed: &'a mut [W],
    scores: &'a mut [Score],
}

impl<W: Word> Work for Raise<'_, W> {
    const VECTORS: bool = W::VECTORS;
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Raise {
            conversions,
            between,
            at,
            placed,
            scores,
        } = self;
        conversions.raise_row(between, at, placed, scores);
    }
}

impl BlockConversions<'_, '_> {
    /// Raises `scores`, a row of positions with the side to move, to the best conversion
    /// of each. Only positions of `placed` matter, and those with an e.p. right. Where captures
    /// are compulsory, positions that have any are taken out of `placed`.
    pub(crate) fn raise<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &mut [W],
        scores: &mut [Score],
    ) {
        let conversions = self;
        vectorized(Raise {
            conversions,
            between,
            at,
            placed,
            scores,
        });
    }

    #[inline(always)]
    fn raise_row<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &mut [W],
        scores: &mut [Score],
    ) {
        let layout = self.layout;
        let sight = Sight::new(layout, between, at);
        let mut captures = layout.must_capture;
        for ready in &self.ready {
            let conversion = ready.conversion;
            if captures && !conversion.captures() {
                keep_unscored(layout, placed, scores);
                captures = false;
            }
            let mover = conversion.mover;
            let piece = conversion.moves_as(layout);
            let from = layout.role(at, mover);
            match conversion.change {
                Change::Capture(victim) => {
                    let target = layout.role(at, victim);
                    // A leader's captures have one view per square.
                    if matches!(target, Role::Fixed(square)
                        if ready.to.is_some_and(|to| to != square))
                    {
                        continue;
                    }
                    let from_squares = conversion.from.squares(at.board, self.side);
                    let mut to_squares = conversion.to.squares(at.board, self.side);
                    if let Some(to) = ready.to {
                        to_squares &= W::of(to);
                    }
                    let mut mask = W::EMPTY_ROW;
                    sight.add(
                        piece,
                        (from, from_squares),
                        (target, to_squares),
                        mask.as_mut(),
                    );
                    if conversion.spare {
                        let royal = royal(layout, at, mover);
                        for (mask, royal) in mask.as_mut().iter_mut().zip(royal.as_ref()) {
                            *mask &= !*royal;
                        }
                    }
                    if layout.pieces[victim].piece_type == PieceType::King
                        && let Some(in_check) = value_in_check(layout)
                    {
                        self.raise_in_check(sight, ready, at, in_check, placed, &mut mask, scores);
                    }
                    if let Some(blast) = conversion.blast {
                        keep_blast(layout, at, target, blast, mask.as_mut());
                    }
                    let to = target.into();
                    self.raise_value(ready, at, Some(victim), to, placed, mask.as_ref(), scores);
                }
                Change::Step => {
                    let ahead = [(0, forward(piece.colour))];
                    let steps = match layout.moves.own_pawns {
                        None => &ahead[..],
                        Some(_) => &layout.moves.of_piece(piece, Direction::Quiet).leaps,
                    };
                    for &(files, ranks) in steps {
                        let mut mask = W::EMPTY_ROW;
                        let (side, step) = (piece.colour, (files, ranks));
                        let Some(to) = step_mask(layout, at, side, step, from, mask.as_mut())
                        else {
                            continue;
                        };
                        let by = ranks as isize * at.board.files() as isize + files as isize;
                        let to = match to {
                            Role::Fixed(square) => Spot::Fixed(square),
                            Role::Lane => Spot::Lane(by),
                            Role::Inner => Spot::Inner(by),
                        };
                        self.raise_value(ready, at, None, to, placed, mask.as_ref(), scores);
                    }
                }
                Change::EnPassant(victim) if layout.en_passant => {
                    self.raise_en_passant(at, ready, from, victim, scores);
                }
                // Beside the grid, if at all.
                Change::EnPassant(_) => {}
                Change::Turn | Change::DoubleStep => {
                    self.raise_singly(ready, at, placed, scores);
                }
            }
        }
        if captures {
            keep_unscored(layout, placed, scores);
        }
    }

    /// Gives captures of the king in the positions of `mask` after which the own king is
    /// attacked the value `in_check`, and takes these positions out.
    #[allow(clippy::too_many_arguments, reason = "a conversion, and where")]
    #[inline(never)]
    fn raise_in_check<W: Word>(
        &self,
        sight: Sight<'_, W>,
        ready: &ReadyConversion<'_, '_>,
        at: &RowAt<W>,
        in_check: Score,
        placed: &[W],
        mask: &mut W::Row,
        scores: &mut [Score],
    ) {
        let mover = ready.conversion.mover;
        let attacked = attacked_afterwards(self.layout, sight, at, self.side, mover);
        let squares = at.board.squares();
        let words = mask.as_mut().iter_mut().zip(attacked.as_ref()).zip(placed);
        for (lane, ((mask, attacked), placed)) in words.enumerate() {
            if in_check != score::NONE {
                for bit in members(*mask & *attacked & *placed) {
                    let out = &mut scores[lane * squares + bit];
                    *out = (*out).max(in_check);
                }
            }
            *mask &= !*attacked;
        }
    }

    /// Raises the scores of the positions in `mask` that are `placed`, with the mover on
    /// `to` and the victim removed.
    #[allow(clippy::too_many_arguments, reason = "a conversion, and where")]
    #[inline(always)]
    fn raise_value<W: Word>(
        &self,
        ready: &ReadyConversion<'_, '_>,
        at: &RowAt<W>,
        victim: Option<usize>,
        to: Spot,
        placed: &[W],
        mask: &[W],
        scores: &mut [Score],
    ) {
        let (layout, mover) = (self.layout, ready.conversion.mover);
        match &ready.value {
            MoveValue::View(view) => {
                let sum = sum::<W>(layout, view, at, (mover, to), victim);
                raise_where(&sum, view, placed, mask, layout, scores);
            }
            MoveValue::Free(passage) => {
                passage.raise(layout, at, (mover, to), placed, mask, scores)
            }
            MoveValue::Ends(ending) => {
                for lane in 0..layout.lanes {
                    let out = &mut scores[lane * at.board.squares()..][..at.board.squares()];
                    for bit in members(mask[lane] & placed[lane]) {
                        let to = (mover, to.square(lane, bit));
                        let value = ending.on(layout, to, || squares_at(layout, at, lane, bit));
                        out[bit] = out[bit].max(value);
                    }
                }
            }
        }
    }
}
