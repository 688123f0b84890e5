//! The first pass of a ply over one block: what is won and what is lost.

use super::super::vector::Work;

use super::super::attack;
use super::super::chess99::PushedFound;
use super::super::depth::Depth;
use super::super::due::falling;
use super::super::goal::reached;
use super::super::layout::RowAt;
use super::super::moves::Source;
use super::super::plane::write_row;
use super::super::squares::{filled, members};
use super::super::word::Word;
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

/// One row of the first pass, the positions after double steps.
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

/// One row of the first pass. Returns whether anything happened in it that a
/// position with an en-passant right could depend on.
#[inline(always)]
fn collect_row<W: Word, D: Depth>(
    ply: &Ply<'_, W, D>,
    new: &mut New<'_, W, D>,
    row: usize,
) -> bool {
    let layout = ply.mover.layout;
    let lanes = layout.lanes;
    let me = new.side.index();
    let them = new.side.other().index();
    let (mine, theirs) = (&ply.known[me], &ply.known[them]);
    let words = row * lanes..(row + 1) * lanes;
    let number = new.block * layout.rows + row;

    // The buffers still hold what was found two plies ago.
    let old_won = std::mem::replace(&mut new.won_any[row], W::ZERO);
    let old_lost = std::mem::replace(&mut new.lost_any[row], W::ZERO);
    if layout.plain_rows {
        // Words of other rows are read regardless of the flags.
        for lane in members(old_won) {
            new.won[words.start + lane] = W::ZERO;
        }
        for lane in members(old_lost) {
            new.lost[words.start + lane] = W::ZERO;
        }
    }
    if mine.open.any[number].is_empty() {
        return false;
    }
    let first = number * lanes;
    let open = &mine.open.words[first..][..lanes];
    let at = RowAt::<W>::new(layout, new.block, row);
    let arrivals = &ply.arrivals[them];
    let source = |plane, arrivals| Source {
        plane,
        en_passant: theirs.en_passant,
        arrivals,
        movers: ply.movers,
        wanted: mine.open.any[number],
    };

    let (mut won, mut may_lose) = (W::EMPTY_ROW, W::EMPTY_ROW);
    let won = &mut won.as_mut()[..lanes];
    let may_lose = &mut may_lose.as_mut()[..lanes];
    let mut active = false;
    let packed = mine.won.packed;

    if ply.number <= ply.last_due {
        let now = D::of(ply.number);
        let mut falls = W::ZERO;
        for (lane, due) in new.due[words.clone()].iter().enumerate() {
            if *due == now {
                falls |= W::of(lane);
            }
        }
        for lane in members(falls & mine.open.any[number]) {
            let cells = &mine.depth[(first + lane) * layout.squares..][..layout.squares];
            let (mut fallen, next): (W, D) = falling(cells, now);
            new.due[words.start + lane] = next;
            fallen &= open[lane];
            let winning = mine.winning[first + lane];
            won[lane] = fallen & winning;
            may_lose[lane] = fallen & !winning;
            new.can_lose[words.start + lane] |= may_lose[lane];
            active |= !fallen.is_empty();
        }
    }

    if reached(layout, at.leaders, new.side.other()) {
        // Every legal position is lost, whatever quiet moves it has.
        let lost = &mut new.lost[words];
        new.lost_any[row] = write_row(mine.lost.packed, open, lost);
        return true;
    }
    if ply.number == 0 && layout.free_pawns {
        // There is no mate, but some cannot move: no conversion, no quiet move.
        for lane in 0..lanes {
            may_lose[lane] = open[lane] & new.can_lose[words.start + lane];
        }
        let from = source(theirs.open, &arrivals.open);
        if ply.mover.remove_predecessors(&at, new.side, from, may_lose)
            && let Ok(mut blocked) = ply.blocked[me].lock()
        {
            let words = may_lose.iter().enumerate();
            let words = words.filter(|(_, word)| !word.is_empty());
            blocked.extend(words.map(|(lane, word)| (first + lane, *word)));
        }
        return false;
    }
    if ply.number == 0 {
        // Mates: in check, no conversion, no quiet move.
        let checks = attack::attacked(layout, ply.mover.between, &at, new.side.other());
        may_lose.copy_from_slice(&checks.as_ref()[..lanes]);
        if layout.en_passant {
            let mut quiet = checks;
            let quiet = &mut quiet.as_mut()[..lanes];
            for (lane, quiet) in quiet.iter_mut().enumerate() {
                *quiet = open[lane] & new.can_lose[words.start + lane] & !*quiet;
            }
            if ply.mover.remove_predecessors(
                &at,
                new.side,
                source(theirs.open, &arrivals.open),
                quiet,
            ) {
                new.stalemate[words.clone()].copy_from_slice(quiet);
            }
        }
    }
    if ply.any_lost[them] {
        ply.mover
            .retract(&at, new.side, source(theirs.lost, &arrivals.lost), won);
    }
    if ply.any_won[them] {
        ply.mover
            .retract(&at, new.side, source(theirs.won, &arrivals.won), may_lose);
    }

    // Most rows found nothing, and most of the rest little: the planes, which are
    // far away in memory, are read only where something was found.
    let mut any_won = false;
    for lane in members(filled(won)) {
        won[lane] &= open[lane];
        any_won |= !won[lane].is_empty();
    }
    if any_won {
        new.won_any[row] = write_row(packed, won, &mut new.won[words.clone()]);
        active = true;
    }
    let mut any_lost = false;
    for lane in members(filled(may_lose)) {
        let word = words.start + lane;
        let mut found = may_lose[lane] & open[lane] & new.can_lose[word] & !won[lane];
        if let Some(rights) = mine.en_passant {
            found &= !rights.words[first + lane];
        }
        may_lose[lane] = found;
        any_lost |= !found.is_empty();
    }
    if any_lost
        && ply.mover.remove_predecessors(
            &at,
            new.side,
            source(theirs.open, &arrivals.open),
            may_lose,
        )
    {
        new.lost_any[row] = write_row(packed, may_lose, &mut new.lost[words]);
        active = true;
    }
    active
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
        let won = positions & (new.won[open.word] | open.carry(board, new.won[open.base]));
        let decided = !known.open.words[base] & !known.winning[base];
        let base_lost = new.lost[open.base] | decided | new.stalemate[open.base];
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
