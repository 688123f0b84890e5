//! Moves that leave the material: captures, promotions, en passant. Each is looked up
//! once in the successor that it leads to, and only the best conversion of a position is
//! kept.

mod any;
mod passing;
mod sum;
mod ways;

use retrograde_rules::{Colour, Material, Piece, PieceType};

use super::free::{FreePassage, Spot};
use super::layout::{Layout, Role, RowAt};
use super::mask::{origins, step_mask};
use super::movement::{Between, attacks, forward};
use super::royal::royal;
use super::score::Score;
use super::sight::Sight;
use super::squares::members;
use super::successor::{Passage, Successor, View};
use super::vector::{Work, vectorized};
use super::word::{BoardShape, Word};
pub(crate) use any::{AnyBlockConversions, AnyConversions};
pub(super) use sum::{raise_where, sum};
pub use ways::successors;
use ways::{Change, exit, pieces_after, ways};
pub(super) use ways::{Leaving, leavings, leavings_of, turns_after};

/// A kind of conversion, and where it leads.
struct Conversion<'a> {
    mover: usize,
    change: Change,
    /// Whether the mover is a pawn that becomes another piece.
    promotes: bool,
    spare: Option<PieceType>,
    leads: Leads<'a>,
}

/// Where a conversion leads.
enum Leads<'a> {
    /// To a successor with the same leaders.
    Led(Passage<'a>),
    /// To a successor with other leaders.
    Free(FreePassage<'a>),
    /// Nowhere: every such move has this value.
    Ends(Score),
}

/// All conversions of one side.
pub(crate) struct Conversions<'a> {
    layout: &'a Layout,
    side: Colour,
    list: Vec<Conversion<'a>>,
}

/// A conversion with the leaders on given squares.
struct ReadyConversion<'a, 'c> {
    conversion: &'c Conversion<'a>,
    /// Where the mover goes, if it is a leader whose captures are looked up square by
    /// square.
    to: Option<usize>,
    value: MoveValue<'a, 'c>,
}

/// The value of a conversion with the leaders on given squares.
enum MoveValue<'a, 'c> {
    /// That of a successor, seen from there.
    View(View<'a>),
    /// That of a successor, position by position.
    Free(&'c FreePassage<'a>),
    /// Always the same.
    Always(Score),
}

/// The conversions of one side in one block.
pub(crate) struct BlockConversions<'a, 'c> {
    layout: &'a Layout,
    side: Colour,
    ready: Vec<ReadyConversion<'a, 'c>>,
}

impl<'a> Conversions<'a> {
    /// The conversions of `side`; `find` gives the successors.
    pub(crate) fn new<F>(layout: &'a Layout, side: Colour, find: F) -> Conversions<'a>
    where
        F: Fn(&Material) -> &'a Successor,
    {
        Conversions::by_colours(layout, side, |leaving| Some(find(&leaving.material)))
    }

    /// Those of `side` that lead to one successor, or that end the game if it is `None`.
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

    /// The same where a successor depends on whether the colours are swapped in it; those
    /// to successors that are not found are left out.
    pub(crate) fn by_colours<F>(layout: &'a Layout, side: Colour, find: F) -> Conversions<'a>
    where
        F: Fn(&Leaving) -> Option<&'a Successor>,
    {
        let pieces = &layout.pieces;
        let list = ways(layout.game, pieces, side)
            .into_iter()
            .filter_map(|way| {
                let mover = way.mover;
                let leads = match way.ends {
                    Some(score) => Leads::Ends(score),
                    None => {
                        let after = pieces_after(pieces, way);
                        let exit = exit(layout.game, &after);
                        let passage = Passage::new(&after, find(&exit)?, exit.swapped);
                        let pawn_leads = layout.leaders.contains(&mover)
                            && pieces[mover].piece_type == PieceType::Pawn;
                        let led = layout.is_led() && passage.keeps_leaders(layout.leaders);
                        if led && !pawn_leads {
                            Leads::Led(passage)
                        } else {
                            Leads::Free(FreePassage::new(&passage, side.other())?)
                        }
                    }
                };
                Some(Conversion {
                    mover,
                    change: way.change,
                    promotes: way.becomes != pieces[mover].piece_type,
                    spare: way.spare,
                    leads,
                })
            });
        let list = list.collect();
        Conversions { layout, side, list }
    }

    /// The conversions with the leaders as in a block.
    pub(crate) fn in_block<'c, W: Word>(&'c self, block: usize) -> BlockConversions<'a, 'c> {
        let layout = self.layout;
        let turn_after = self.side.other();
        let mut ready = Vec::new();
        for conversion in &self.list {
            let passage = match &conversion.leads {
                Leads::Led(passage) => passage,
                Leads::Free(passage) => {
                    ready.push(ReadyConversion {
                        conversion,
                        to: None,
                        value: MoveValue::Free(passage),
                    });
                    continue;
                }
                Leads::Ends(score) => {
                    ready.push(ReadyConversion {
                        conversion,
                        to: None,
                        value: MoveValue::Always(*score),
                    });
                    continue;
                }
            };
            let leaders = layout.block_squares(block);
            let mut add = |squares, to| {
                let view = passage.with_leaders::<W>(layout.leaders, squares, turn_after);
                ready.extend(view.map(|view| ReadyConversion {
                    conversion,
                    to,
                    value: MoveValue::View(view),
                }));
            };
            match layout.leaders.iter().position(|&l| l == conversion.mover) {
                None => add(leaders, None),
                Some(slot) => {
                    // A leader that captures goes to another block: one view for each
                    // square that it can reach past the other leader.
                    let piece = conversion.moves_as(layout);
                    let occupied = W::of(leaders[0]) | W::of(leaders[1]);
                    let mut targets =
                        attacks::<W>(layout.board::<W>(), piece, leaders[slot], occupied)
                            & !occupied;
                    while !targets.is_empty() {
                        let to = targets.pop();
                        let mut squares = leaders;
                        squares[slot] = to;
                        add(squares, Some(to));
                    }
                }
            }
        }
        BlockConversions {
            layout,
            side: self.side,
            ready,
        }
    }
}

impl Conversion<'_> {
    /// The piece that the mover moves like.
    #[inline(always)]
    fn moves_as(&self, layout: &Layout) -> Piece {
        let piece = layout.pieces[self.mover];
        Piece::new(piece.colour, self.spare.unwrap_or(piece.piece_type))
    }
}

/// [`BlockConversions::raise`], compiled for each width of vectors.
struct Raise<'a, W: Word> {
    conversions: &'a BlockConversions<'a, 'a>,
    between: &'a Between<W>,
    at: &'a RowAt<W>,
    placed: &'a [W],
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
    /// of each. Only positions of `placed` matter, and those with an e.p. right.
    pub(crate) fn raise<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &[W],
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
        placed: &[W],
        scores: &mut [Score],
    ) {
        let layout = self.layout;
        let sight = Sight::new(layout, between, at);
        for ready in &self.ready {
            let conversion = ready.conversion;
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
                    let from_squares = origins(at.board, piece, conversion.promotes);
                    let to_squares = ready.to.map_or(W::ALL, W::of);
                    let mut mask = W::EMPTY_ROW;
                    sight.add(
                        piece,
                        (from, from_squares),
                        (target, to_squares),
                        mask.as_mut(),
                    );
                    if conversion.spare.is_some() {
                        let royal = royal(layout, at, mover);
                        for (mask, royal) in mask.as_mut().iter_mut().zip(royal.as_ref()) {
                            *mask &= !*royal;
                        }
                    }
                    let to = target.into();
                    self.raise_value(ready, at, Some(victim), to, placed, mask.as_ref(), scores);
                }
                Change::Step => {
                    let mut mask = W::EMPTY_ROW;
                    let Some(to) = step_mask(layout, at, piece.colour, from, mask.as_mut()) else {
                        continue;
                    };
                    let ahead = forward(piece.colour) as isize * at.board.files() as isize;
                    let to = match to {
                        Role::Fixed(square) => Spot::Fixed(square),
                        Role::Lane => Spot::Lane(ahead),
                        Role::Inner => Spot::Inner(ahead),
                    };
                    self.raise_value(ready, at, None, to, placed, mask.as_ref(), scores);
                }
                Change::EnPassant(victim) => {
                    self.raise_en_passant(at, ready, from, victim, scores);
                }
            }
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
            MoveValue::Always(score) => {
                for lane in 0..layout.lanes {
                    let out = &mut scores[lane * at.board.squares()..][..at.board.squares()];
                    for bit in members(mask[lane] & placed[lane]) {
                        out[bit] = out[bit].max(*score);
                    }
                }
            }
        }
    }
}
