//! Collects the positions of a block that are won and lost at a ply, in its first pass.

use super::super::vector::Work;

use super::super::depth::Depth;
use super::super::ep_beside_grid::PushedFound;
use super::super::word::Word;
use super::row::{RowPass, forget};
use super::{New, Ply};

/// The first pass over one block, compiled for each width of vectors.
pub(super) struct Collect<'a, 'b, W: Word, D> {
    pub(super) ply: &'a Ply<'a, W, D>,
    pub(super) new: &'a mut New<'b, W, D>,
}

impl<W: Word, D: Depth> Work for Collect<'_, '_, W, D> {
    const VECTORS: bool = W::VECTORS && D::VECTORS;
    type Output = (bool, bool);

    #[inline(always)]
    fn call(self) -> (bool, bool) {
        collect(self.ply, self.new)
    }
}

/// The first pass over one block: what is won and what is lost at this ply.
#[inline(always)]
fn collect<W: Word, D: Depth>(ply: &Ply<'_, W, D>, new: &mut New<'_, W, D>) -> (bool, bool) {
    let layout = ply.mover.layout;
    let mut active = false;
    let (mut won, mut lost) = (false, false);
    for row in 0..layout.rows {
        active |= collect_row(ply, new, row);
        if !new.pushed.is_empty() {
            let (more_won, more_lost) = collect_pushed(ply, new, row);
            won |= more_won;
            lost |= more_lost;
        }
    }
    if active && layout.en_passant {
        collect_rights(ply, new);
    }
    let found = |any: &[W]| any.iter().any(|lanes| !lanes.is_empty());
    (won | found(new.won_any), lost | found(new.lost_any))
}

/// Collects the positions of one row after double steps, in the first pass.
fn collect_pushed<W: Word, D: Depth>(
    ply: &Ply<'_, W, D>,
    new: &mut New<'_, W, D>,
    row: usize,
) -> (bool, bool) {
    let known = &ply.known[new.side.index()];
    let found = PushedFound {
        block: new.block,
        row,
        ply: ply.number,
        won: new.won,
        won_any: new.won_any[row],
        lost: new.lost,
        lost_any: new.lost_any[row],
        open: &known.open.words,
        winning: known.winning,
        blocked: known.blocked,
    };
    let (mut won, mut lost) = (false, false);
    for (known, new) in known.pushed.iter().zip(&mut new.pushed) {
        let (more_won, more_lost) = known.collect(ply.mover.layout, &found, new);
        won |= more_won;
        lost |= more_lost;
    }
    (won, lost)
}

/// Collects the positions of one row, in the first pass. Returns whether anything was found that a
/// position with an en-passant right could depend on.
#[inline(always)]
fn collect_row<W: Word, D: Depth>(
    ply: &Ply<'_, W, D>,
    new: &mut New<'_, W, D>,
    row: usize,
) -> bool {
    forget(ply.mover.layout, new, row);
    let Some(pass) = RowPass::new(ply, new.side, new.block, row) else {
        return false;
    };
    let lanes = ply.mover.layout.lanes;
    let (mut won, mut may_lose) = (W::EMPTY_ROW, W::EMPTY_ROW);
    let won = &mut won.as_mut()[..lanes];
    let may_lose = &mut may_lose.as_mut()[..lanes];

    let fallen = pass.fall_due(new, won, may_lose);
    if ply.number == 0 {
        pass.find_mated(new, won, may_lose);
    }
    pass.retract(won, may_lose);
    let any_won = pass.note_won(new, won);
    let any_lost = pass.note_lost(new, won, may_lose);
    fallen | any_won | any_lost
}

/// The positions of a block with an en-passant right: won as soon as the
/// placement without the right is, or the capture wins; lost when both the
/// placement and the capture are, or when the losing capture is forced.
#[inline(always)]
fn collect_rights<W: Word, D: Depth>(ply: &Ply<'_, W, D>, new: &mut New<'_, W, D>) {
    let layout = ply.mover.layout;
    let known = &ply.known[new.side.index()];
    let Some(rights) = known.en_passant else {
        return;
    };
    let first = new.block * layout.block_words();
    let board = ply.mover.between.board;
    for open in &ply.open_words[new.side.index()] {
        let (word, base) = (first + open.word, first + open.base);
        let positions = rights.words[word] & known.open.words[word];
        if positions.is_empty() {
            continue;
        }
        // A base that is stalemate adds no moves, and one that can only pass none either, as
        // there is the capture.
        let stuck = ply.mover.without_quiet(new.side, base);
        let base_won = new.won[open.base] & !(stuck | new.stalemate[open.base]);
        let won = positions & (new.won[open.word] | open.carry(board, base_won));
        let decided = !known.open.words[base] & !known.winning[base];
        let base_lost = new.lost[open.base] | decided | new.stalemate[open.base] | stuck;
        let lost = positions & !won & new.can_lose[open.word] & open.carry(board, base_lost);
        let (row, lane) = (open.word / layout.lanes, open.word % layout.lanes);
        if !won.is_empty() {
            new.won[open.word] |= won;
            new.won_any[row] |= W::of(lane);
        }
        if !lost.is_empty() {
            new.lost[open.word] |= lost;
            new.lost_any[row] |= W::of(lane);
        }
    }
}
