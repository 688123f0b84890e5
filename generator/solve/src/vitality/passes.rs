//! Runs the passes over the positions of a level that solve its curves and mates.

use std::marker::PhantomData;

use retrograde_rules::Colour;

use super::super::parallel::{each, map};
use super::super::vector::vectorized;
use super::board::{Level, LevelGrid};
use super::kernel::{Fold, Least, Most};
use super::problem::Problem;
use super::start::Scores;
use super::sweep::{BytePlane, ILLEGAL, Other, Payer, Player, Rule, Sweep, SweepBlock};

/// A plane of legal positions of one value, and of others that no move
/// prefers.
fn plane(starts: &[u8], value: u8, none: u8) -> BytePlane {
    let of = |&start: &u8| if start == ILLEGAL { none } else { value };
    // About as many as a block has.
    const PART: usize = 1 << 14;
    let mut plane = vec![0; starts.len()];
    let parts = plane.chunks_mut(PART).zip(starts.chunks(PART));
    each(parts, |(plane, starts)| {
        for (value, start) in plane.iter_mut().zip(starts) {
            *value = of(start);
        }
    });
    plane
}

/// The value that no move of the side that reads the plane prefers: positions with the
/// payer to move are read by the other side.
fn none(problem: Problem, turn: Colour) -> u8 {
    if turn == problem.payer() {
        Most::NONE
    } else {
        Least::NONE
    }
}

/// The rises of every sum from 2 on ([`super::curve::gather`]), by side to
/// move.
pub(super) type Rises = [Vec<Vec<u64>>; 2];

/// Solves the curves of a level by the sum of the counters, n = W + b.
///
/// D(n) of a position is the least W with which White wins. A paid turn leads
/// to the sum n - 1, a free one stays at n. Free turns lower the distances of
/// the kings (H8): White's turn is free if it ends with dW < dB, Black's if it
/// ends with dB <= dW. So positions with White to move and dB = k need those
/// with Black to move, dB = k and dW < k; these need White to move and a dB of
/// at most dW < k. In that order every position is computed once for each sum.
pub(super) fn curves(
    problem: Problem,
    board: &LevelGrid<'_>,
    level: &Level,
    starts: &[Scores; 2],
) -> Rises {
    let full = usize::from(problem.full());
    let size = level.placements.len() * board.officers;
    let words = size.div_ceil(64);
    let new = Colour::BOTH.map(|turn| plane(&starts[turn.index()], 1, none(problem, turn)));
    let mut planes = [new.clone(), new];
    let mut rises: Rises = [const { Vec::new() }; 2];
    let stage = stages(board);
    let last = stage.iter().flatten().max().copied().unwrap_or(0);
    for sum in 1..=2 * full {
        let bounds = |sum: usize| {
            let least = sum.saturating_sub(full).max(1);
            (least as u8, sum.min(full + 1) as u8)
        };
        let rule = Rule {
            conversion: sum as u8 + 1,
            bounds: bounds(sum),
            old_bounds: bounds(sum.max(2) - 1),
            mate_first: problem.rules.mate_comes_first(),
        };
        let mut risen = [const { Vec::new() }; 2];
        if sum > 1 {
            risen = [(); 2].map(|()| vec![0_u64; board.layout.blocks() * words]);
        }
        let [old, new] = &mut planes;
        let [new_white, new_black] = new;
        for step in 0..=last {
            // Each side's values of this sum so far are the other's free
            // turns.
            let is_white = (step % 2 == 1) == (board.ties == Colour::Black);
            let (side, old_own, old_other, own, other) = if is_white {
                (
                    Colour::White,
                    &old[0],
                    &old[1],
                    &mut *new_white,
                    &*new_black,
                )
            } else {
                (
                    Colour::Black,
                    &old[1],
                    &old[0],
                    &mut *new_black,
                    &*new_white,
                )
            };
            let sweep = Sweep {
                board,
                level,
                side,
                free: other,
                paid: old_other,
                starts: &starts[side.index()],
                rule,
            };
            let stage = &stage[side.index()];
            let chosen = |block: usize| stage[block] == step;
            let risen = &mut risen[side.index()];
            if side == Colour::White {
                pass::<Payer>(&sweep, chosen, old_own, own, risen);
            } else {
                pass::<Other>(&sweep, chosen, old_own, own, risen);
            }
        }
        if sum > 1 {
            for (rises, risen) in rises.iter_mut().zip(risen) {
                rises.push(risen);
            }
        }
        planes.swap(0, 1);
    }
    rises
}

/// The step within a sum at which each block is computed, by side: first both sides for each
/// distance of the side that is High at equal distances, and finally that side.
fn stages(board: &LevelGrid<'_>) -> [Vec<usize>; 2] {
    let farthest = board.distances.iter().flatten().max().copied().unwrap_or(0);
    Colour::BOTH.map(|side| {
        let stage = |distances: &[u8; 2]| {
            let (tied, other) = (board.ties.index(), board.ties.other().index());
            match side == board.ties {
                false => 2 * usize::from(distances[tied]) + 1,
                true if distances[other] < distances[tied] => 2 * usize::from(distances[tied]),
                true => 2 * usize::from(farthest) + 2,
            }
        };
        board.distances.iter().map(stage).collect()
    })
}

/// Makes a pass over the chosen blocks of a side.
fn pass<P: Player>(
    sweep: &Sweep<'_>,
    chosen: impl Fn(usize) -> bool + Sync,
    old: &[u8],
    new: &mut [u8],
    rises: &mut [u64],
) {
    let size = sweep.level.placements.len() * sweep.board.officers;
    let words = size.div_ceil(64);
    let mut risen: Vec<&mut [u64]> = rises.chunks_mut(words).collect();
    risen.resize_with(sweep.board.layout.blocks(), Default::default);
    let blocks = old
        .chunks(size)
        .zip(new.chunks_mut(size))
        .zip(risen)
        .enumerate()
        .filter(|(block, _)| chosen(*block));
    each(blocks, |(block, ((old, new), rises))| {
        vectorized(SweepBlock {
            sweep,
            block,
            old,
            new,
            rises,
            player: PhantomData::<P>,
        });
    });
}

/// Solves what the mating side needs in a level, from below: at first nothing is known to
/// mate, and passes are repeated until none changes anything. The result is therefore the
/// least fixed point: endless play does not mate.
///
/// Returns the needs by side to move; arbitrary values where there is no position.
pub(super) fn mates(
    problem: Problem,
    board: &LevelGrid<'_>,
    level: &Level,
    starts: &[Scores; 2],
) -> [BytePlane; 2] {
    let full = problem.full();
    let size = level.placements.len() * board.officers;
    let mut planes =
        Colour::BOTH.map(|turn| plane(&starts[turn.index()], full + 1, none(problem, turn)));
    let rule = Rule {
        conversion: full + 1,
        bounds: (1, full + 1),
        old_bounds: (1, full + 1),
        mate_first: problem.rules.mate_comes_first(),
    };
    let blocks = board.layout.blocks();
    // Which blocks depend on changes since they were last computed.
    let mut stale = [(); 2].map(|()| vec![true; blocks]);
    let mut turn = problem.payer().other();
    let mut idle = 0;
    while idle < 2 {
        let [white, black] = &mut planes;
        let (own, other) = match turn {
            Colour::White => (white, &*black),
            Colour::Black => (black, &*white),
        };
        let sweep = Sweep {
            board,
            level,
            side: turn,
            free: other,
            paid: other,
            starts: &starts[turn.index()],
            rule,
        };
        let todo = std::mem::replace(&mut stale[turn.index()], vec![false; blocks]);
        let blocks = own.chunks_mut(size).enumerate();
        let changed = map(blocks.filter(|(block, _)| todo[*block]), |(block, new)| {
            let old = new.to_vec();
            let (sweep, old, rises) = (&sweep, &*old, Default::default());
            let changed = if turn == problem.payer() {
                vectorized(SweepBlock {
                    sweep,
                    block,
                    old,
                    new,
                    rises,
                    player: PhantomData::<Payer>,
                })
            } else {
                vectorized(SweepBlock {
                    sweep,
                    block,
                    old,
                    new,
                    rises,
                    player: PhantomData::<Other>,
                })
            };
            changed.then_some(block)
        });
        let changed: Vec<usize> = changed.into_iter().flatten().collect();
        idle = if changed.is_empty() { idle + 1 } else { 0 };
        // Blocks from which a move leads to a changed block must be computed again.
        turn = turn.other();
        let stale = &mut stale[turn.index()];
        for block in changed {
            stale[block] = true;
            for king in &board.kings[turn.index()][block] {
                stale[king.block] = true;
            }
        }
    }
    planes
}
