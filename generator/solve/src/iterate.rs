//! Runs the plies of the solution from the mates outwards, until all wins and losses are found.
//!
//! At ply n a position is won that has a quiet move to a position lost in
//! n - 1, or a conversion that wins in n; and lost, when no quiet move of it
//! leads to an open position, at the ply at which the last of its moves was
//! refuted. Every ply has two passes over the blocks: the first only reads
//! what is known and collects what is new, the second writes it down; so each
//! block is written by a single task, and the order of tasks has no effect.

mod collect;
mod row;
mod write_down;

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_rules::Colour;

use super::depth::Depth;
use super::depth::TooDeep;
use super::ep_beside_grid::{KnownPushed, NewPushed, Pushed};
use super::ep_in_grid::{OpenWord, open_words};
use super::layout::Layout;
use super::moves::{Arrivals, Mover, Movers};
use super::parallel::each;
use super::plane::{Plane, new_and_old};
use super::side::Side;
use super::vector::vectorized;
use super::word::Word;
use collect::Collect;
use write_down::write_down;

/// The input of the first pass of a ply for one side.
struct Known<'a, W, D> {
    open: &'a Plane<W>,
    winning: &'a [W],
    depth: &'a [D],
    /// The positions found won and found lost at the ply before.
    won: &'a Plane<W>,
    lost: &'a Plane<W>,
    en_passant: Option<&'a Plane<W>>,
    pushed: Vec<KnownPushed<'a, W, D>>,
    blocked: &'a HashMap<usize, W>,
}

impl<'a, W: Word, D> Known<'a, W, D> {
    /// The arrivals of the other side's double steps, in the plane that `plane` selects.
    fn arrivals(
        &self,
        plane: impl Fn(&KnownPushed<'a, W, D>) -> &'a Plane<W>,
    ) -> Vec<Arrivals<'a, W>> {
        let arrivals = |pushed: &KnownPushed<'a, W, D>| Arrivals {
            pawn: pushed.pawn,
            step: pushed.step,
            rights: pushed.rights,
            plane: plane(pushed),
        };
        self.pushed.iter().map(arrivals).collect()
    }
}

/// The output of the first pass of a ply for one side and one block.
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

/// The arrivals of one side's double steps, by the kind of plane: see [`Arrivals`].
struct AllArrivals<'a, W> {
    open: Vec<Arrivals<'a, W>>,
    won: Vec<Arrivals<'a, W>>,
    lost: Vec<Arrivals<'a, W>>,
}

/// The context that all tasks of a ply share.
struct Ply<'a, W: Word, D> {
    mover: &'a Mover<'a, W>,
    known: [Known<'a, W, D>; 2],
    /// The arrivals of double steps, by the side to move after the step.
    arrivals: [AllArrivals<'a, W>; 2],
    /// The words found at ply 0 that hold positions without any move.
    blocked: [Mutex<Vec<(usize, W)>>; 2],
    /// The words with e.p. rights, by the side to move that has the right.
    open_words: &'a [Vec<OpenWord>; 2],
    number: usize,
    /// The ply at which the last conversion falls due.
    last_due: usize,
    movers: Movers,
    /// Whether a position of each side was found at the ply before.
    any_won: [bool; 2],
    any_lost: [bool; 2],
}

/// The range of plies that are solved.
pub(crate) struct Plies {
    pub(crate) first: usize,
    /// The last ply that is examined, even if more could be found later.
    pub(crate) last: usize,
    /// The ply at which the last conversion falls due.
    pub(crate) last_due: usize,
    /// The pieces whose moves are quiet.
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
    let mut longest_depth = 0;
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
                number: ply,
                last_due: plies.last_due,
                movers: plies.movers,
                any_won,
                any_lost,
            };
            each(white_new.chain(black_new), |mut new| {
                let side = new.side.index();
                let (won, lost) = vectorized(Collect {
                    ply: &ply,
                    new: &mut new,
                });
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
        longest_depth = ply;
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
    Ok(longest_depth)
}

/// Splits a side into what a ply reads and what it writes, block by block.
fn split<'a, W: Word, D: Depth>(
    layout: &Layout,
    side: &'a mut Side<W, D>,
    colour: Colour,
    ply: usize,
) -> (
    Known<'a, W, D>,
    impl Iterator<Item = New<'a, W, D>> + use<'a, W, D>,
) {
    let (won_new, won) = new_and_old(&mut side.won, ply);
    let (lost_new, lost) = new_and_old(&mut side.lost, ply);
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
    let open = side
        .can_lose
        .chunks_mut(words)
        .zip(side.due.chunks_mut(words));
    let won = won_new
        .words
        .chunks_mut(words)
        .zip(won_new.any.chunks_mut(rows));
    let lost = lost_new
        .words
        .chunks_mut(words)
        .zip(lost_new.any.chunks_mut(rows));
    let rest = stalemate.into_iter().zip(new_pushed);
    let blocks = open.zip(won).zip(lost.zip(rest)).enumerate();
    let new = blocks.map(move |(block, (((can_lose, due), won), (lost, rest)))| New {
        side: colour,
        block,
        due,
        can_lose,
        won: won.0,
        won_any: won.1,
        lost: lost.0,
        lost_any: lost.1,
        stalemate: rest.0,
        pushed: rest.1,
    });
    (known, new)
}
