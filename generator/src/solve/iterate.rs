//! The plies of the solution, from the mates outwards.
//!
//! At ply n a position is won that has a quiet move to a position lost in
//! n - 1, or a conversion that wins in n; and lost, when no quiet move of it
//! leads to an open position, at the ply at which the last of its moves was
//! refuted. Every ply has two passes over the blocks: the first only reads
//! what is known and collects what is new, the second writes it down; so a
//! block is written by one task alone, and the order of tasks does not show.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;
use retrograde_rules::Colour;

use super::attack;
use super::chess99::{KnownPushed, NewPushed, Pushed, PushedFound};
use super::depth::Depth;
use super::due::falling;
use super::layout::{Layout, RowAt};
use super::moves::{Arrivals, Mover, Movers, Source};
use super::plane::{Plane, write_row};
use super::rights::{OpenWord, open_words};
use super::side::Side;
use super::squares::{filled, members};
use super::start::TooDeep;
use super::word::Word;

/// What the first pass of a ply reads of one side.
struct Known<'a, W, D> {
    open: &'a Plane<W>,
    winning: &'a [W],
    depth: &'a [D],
    /// Found at the ply before.
    won: &'a Plane<W>,
    lost: &'a Plane<W>,
    en_passant: Option<&'a Plane<W>>,
    pushed: Vec<KnownPushed<'a, W, D>>,
    blocked: &'a HashMap<usize, W>,
}

impl<'a, W: Word, D> Known<'a, W, D> {
    /// Where double steps of the other side can lead, by the kind of plane.
    fn arrivals(
        &self,
        plane: impl Fn(&KnownPushed<'a, W, D>) -> &'a Plane<W>,
    ) -> Vec<Arrivals<'a, W>> {
        let arrivals = |pushed: &KnownPushed<'a, W, D>| Arrivals {
            pawn: pushed.pawn,
            rights: pushed.rights,
            plane: plane(pushed),
        };
        self.pushed.iter().map(arrivals).collect()
    }
}

/// What the first pass of a ply writes of one side, block by block.
struct New<'a, W, D> {
    side: Colour,
    block: usize,
    due: &'a mut [D],
    can_lose: &'a mut [W],
    won: &'a mut [W],
    won_any: &'a mut [W],
    lost: &'a mut [W],
    lost_any: &'a mut [W],
    stalemate: &'a mut [W],
    pushed: Vec<NewPushed<'a, W, D>>,
}

/// Where double steps of one side lead: see [`Arrivals`].
struct AllArrivals<'a, W> {
    open: Vec<Arrivals<'a, W>>,
    won: Vec<Arrivals<'a, W>>,
    lost: Vec<Arrivals<'a, W>>,
}

/// What is the same for all tasks of a ply.
struct Ply<'a, W, D> {
    mover: &'a Mover<'a, W>,
    known: [Known<'a, W, D>; 2],
    /// By the side to move after the step.
    arrivals: [AllArrivals<'a, W>; 2],
    /// The words found at ply 0 that hold positions without any move.
    blocked: [Mutex<Vec<(usize, W)>>; 2],
    /// By the side to move that has the right.
    open_words: &'a [Vec<OpenWord>; 2],
    ply: usize,
    /// The ply at which the last conversion falls due.
    last_due: usize,
    movers: Movers,
    /// Whether a position of each side was found at the ply before.
    any_won: [bool; 2],
    any_lost: [bool; 2],
}

/// Which plies are solved.
pub(crate) struct Plies {
    pub(crate) first: usize,
    /// No later one is looked at, though there may be something to find.
    pub(crate) last: usize,
    /// The ply at which the last conversion falls due.
    pub(crate) last_due: usize,
    /// Whose moves are quiet.
    pub(crate) movers: Movers,
}

/// Solves some plies. Returns the last at which a position was decided; the
/// planes `won` and `lost` of its parity hold what was found there.
pub(crate) fn iterate<W: Word, D: Depth>(
    mover: &Mover<'_, W>,
    sides: &mut [Side<W, D>; 2],
    plies: &Plies,
) -> Result<usize, TooDeep> {
    let layout = mover.layout;
    let open_words = Colour::BOTH.map(|side| open_words::<W>(layout, side.other()));
    let (mut any_won, mut any_lost) = ([false; 2], [false; 2]);
    let mut deepest = 0;
    for ply in plies.first..=plies.last {
        if ply > plies.last_due && ply > 1 && any_won == [false; 2] && any_lost == [false; 2] {
            break;
        }
        let found_won = [const { AtomicBool::new(false) }; 2];
        let found_lost = [const { AtomicBool::new(false) }; 2];
        let blocked: [Mutex<Vec<(usize, W)>>; 2];
        {
            let [white, black] = &mut *sides;
            let (white_known, white_new) = split(layout, white, Colour::White, ply);
            let (black_known, black_new) = split(layout, black, Colour::Black, ply);
            let known = [white_known, black_known];
            let arrivals = [0, 1].map(|side: usize| AllArrivals {
                open: known[side].arrivals(|pushed| pushed.open),
                won: known[side].arrivals(|pushed| pushed.won),
                lost: known[side].arrivals(|pushed| pushed.lost),
            });
            let ply = Ply {
                mover,
                known,
                arrivals,
                blocked: Default::default(),
                open_words: &open_words,
                ply,
                last_due: plies.last_due,
                movers: plies.movers,
                any_won,
                any_lost,
            };
            white_new.chain(black_new).with_min_len(4).for_each(|new| {
                let side = new.side.index();
                let (won, lost) = Arch::new().dispatch(Collect { ply: &ply, new });
                if won {
                    found_won[side].store(true, Ordering::Relaxed);
                }
                if lost {
                    found_lost[side].store(true, Ordering::Relaxed);
                }
            });
            blocked = ply.blocked;
        }
        for (side, blocked) in sides.iter_mut().zip(blocked) {
            side.blocked
                .extend(blocked.into_inner().unwrap_or_default());
        }
        for side in sides.iter_mut() {
            side.won[ply % 2].find_busy(layout);
            side.lost[ply % 2].find_busy(layout);
        }
        any_won = found_won.map(AtomicBool::into_inner);
        any_lost = found_lost.map(AtomicBool::into_inner);
        if any_won == [false; 2] && any_lost == [false; 2] {
            continue;
        }
        if ply > D::MOST {
            return Err(TooDeep);
        }
        deepest = ply;
        for side in sides.iter_mut() {
            write_down(layout, side, ply);
            for pushed in &mut side.pushed {
                pushed.write_down(layout, ply);
            }
            side.open.find_busy(layout);
        }
    }
    for side in sides.iter_mut() {
        let [won, more_won] = &mut side.won;
        let [lost, more_lost] = &mut side.lost;
        for plane in [&mut side.open, won, more_won, lost, more_lost] {
            plane.busy.clear();
        }
    }
    Ok(deepest)
}

/// Takes a side apart into what a ply reads and, block by block, writes.
fn split<'a, W: Word, D: Depth>(
    layout: &Layout,
    side: &'a mut Side<W, D>,
    colour: Colour,
    ply: usize,
) -> (
    Known<'a, W, D>,
    impl IndexedParallelIterator<Item = New<'a, W, D>> + use<'a, W, D>,
) {
    let halves = |pair: &'a mut [Plane<W>; 2]| {
        let [even, odd] = pair;
        if ply.is_multiple_of(2) {
            (even, &*odd)
        } else {
            (odd, &*even)
        }
    };
    let (won_new, won) = halves(&mut side.won);
    let (lost_new, lost) = halves(&mut side.lost);
    let (known_pushed, new_pushed) = Pushed::split(layout, &mut side.pushed, ply);
    let known = Known {
        open: &side.open,
        winning: &side.winning,
        depth: &side.depth,
        won,
        lost,
        en_passant: side.en_passant.as_ref(),
        pushed: known_pushed,
        blocked: &side.blocked,
    };
    let (words, rows) = (layout.block_words(), layout.rows);
    let stalemate: Vec<&mut [W]> = if side.stalemate.is_empty() {
        (0..layout.blocks()).map(|_| Default::default()).collect()
    } else {
        side.stalemate.chunks_mut(words).collect()
    };
    let new = side
        .can_lose
        .par_chunks_mut(words)
        .zip(side.due.par_chunks_mut(words))
        .zip(won_new.words.par_chunks_mut(words))
        .zip(won_new.any.par_chunks_mut(rows))
        .zip(lost_new.words.par_chunks_mut(words))
        .zip(lost_new.any.par_chunks_mut(rows))
        .zip(stalemate)
        .zip(new_pushed)
        .enumerate()
        .map(
            move |(
                block,
                (((((((can_lose, due), won), won_any), lost), lost_any), stalemate), pushed),
            )| New {
                side: colour,
                block,
                due,
                can_lose,
                won,
                won_any,
                lost,
                lost_any,
                stalemate,
                pushed,
            },
        );
    (known, new)
}

/// The first pass over one block, compiled for each width of vectors.
struct Collect<'a, W, D> {
    ply: &'a Ply<'a, W, D>,
    new: New<'a, W, D>,
}

impl<W: Word, D: Depth> NullaryFnOnce for Collect<'_, W, D> {
    type Output = (bool, bool);

    #[inline(always)]
    fn call(mut self) -> (bool, bool) {
        collect(self.ply, &mut self.new)
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
#[inline(always)]
fn collect_pushed<W: Word, D: Depth>(
    ply: &Ply<'_, W, D>,
    new: &mut New<'_, W, D>,
    row: usize,
) -> (bool, bool) {
    let known = &ply.known[new.side.index()];
    let found = PushedFound {
        block: new.block,
        row,
        ply: ply.ply,
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
        // The words of other rows are read whatever the flags say.
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

    if ply.ply <= ply.last_due {
        let now = D::of(ply.ply);
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

    if ply.ply == 0 && layout.free_pawns {
        // Nobody is mated, but some cannot move: no conversion, no quiet move.
        for lane in 0..lanes {
            may_lose[lane] = open[lane] & new.can_lose[words.start + lane];
        }
        let from = source(theirs.open, &arrivals.open);
        if ply.mover.strike(&at, new.side, from, may_lose)
            && let Ok(mut blocked) = ply.blocked[me].lock()
        {
            let words = may_lose.iter().enumerate();
            let words = words.filter(|(_, word)| !word.is_empty());
            blocked.extend(words.map(|(lane, word)| (first + lane, *word)));
        }
        return false;
    }
    if ply.ply == 0 {
        // The mated: in check, no conversion, no quiet move.
        let checks = attack::attacked(layout, ply.mover.between, &at, new.side.other());
        may_lose.copy_from_slice(&checks.as_ref()[..lanes]);
        if layout.en_passant {
            let mut quiet = checks;
            let quiet = &mut quiet.as_mut()[..lanes];
            for (lane, quiet) in quiet.iter_mut().enumerate() {
                *quiet = open[lane] & new.can_lose[words.start + lane] & !*quiet;
            }
            if ply
                .mover
                .strike(&at, new.side, source(theirs.open, &arrivals.open), quiet)
            {
                new.stalemate[words.clone()].copy_from_slice(quiet);
            }
        }
    }
    if ply.any_lost[them] {
        ply.mover
            .pull_here(&at, new.side, source(theirs.lost, &arrivals.lost), won);
    }
    if ply.any_won[them] {
        ply.mover
            .pull_here(&at, new.side, source(theirs.won, &arrivals.won), may_lose);
    }

    // Most rows found nothing, and most others little: the planes, which are
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
        && ply
            .mover
            .strike(&at, new.side, source(theirs.open, &arrivals.open), may_lose)
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
    for open in &ply.open_words[new.side.index()] {
        let (word, base) = (first + open.word, first + open.base);
        let positions = rights.words[word] & known.open.words[word];
        if positions.is_empty() {
            continue;
        }
        let won = positions & (new.won[open.word] | open.carry(new.won[open.base]));
        let decided = !known.open.words[base] & !known.winning[base];
        let base_lost = new.lost[open.base] | decided | new.stalemate[open.base];
        let lost = positions & !won & new.can_lose[open.word] & open.carry(base_lost);
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

/// The second pass: what was found at this ply is decided.
fn write_down<W: Word, D: Depth>(layout: &Layout, side: &mut Side<W, D>, ply: usize) {
    let (words, rows) = (layout.block_words(), layout.rows);
    let (won, lost) = (&side.won[ply % 2], &side.lost[ply % 2]);
    side.open
        .words
        .par_chunks_mut(words)
        .zip(side.open.any.par_chunks_mut(rows))
        .zip(side.winning.par_chunks_mut(words))
        .zip(side.depth.par_chunks_mut(words * layout.squares))
        .enumerate()
        .with_min_len(16)
        .for_each(|(block, (((open, any), winning), depth))| {
            Arch::new().dispatch(WriteDown {
                layout,
                found: [won, lost],
                ply,
                block,
                open,
                any,
                winning,
                depth,
            });
        });
}

/// The second pass over one block, compiled for each width of vectors.
struct WriteDown<'a, W, D> {
    layout: &'a Layout,
    /// What was won and what was lost at this ply.
    found: [&'a Plane<W>; 2],
    ply: usize,
    block: usize,
    open: &'a mut [W],
    any: &'a mut [W],
    winning: &'a mut [W],
    depth: &'a mut [D],
}

impl<W: Word, D: Depth> NullaryFnOnce for WriteDown<'_, W, D> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (rows, lanes) = (self.layout.rows, self.layout.lanes);
        for (row, any) in self.any.iter_mut().enumerate() {
            let number = self.block * rows + row;
            let [won, lost] = self.found;
            let won = won.entries(self.layout, number).map(|e| (e, true));
            let lost = lost.entries(self.layout, number).map(|e| (e, false));
            for ((lane, mut new), wins) in won.chain(lost) {
                let word = row * lanes + lane;
                self.open[word] &= !new;
                if self.open[word].is_empty() {
                    *any &= !W::of(lane);
                }
                if wins {
                    self.winning[word] |= new;
                }
                let cells = &mut self.depth[word * W::SQUARES..][..W::SQUARES];
                while !new.is_empty() {
                    cells[new.pop()] = D::of(self.ply);
                }
            }
        }
    }
}
