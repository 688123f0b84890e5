//! Prepares the first pass: finds which positions exist, and the values of their conversions.

use retrograde_rules::Colour;

use super::super::attack;
use super::super::convert::Conversions;
use super::super::layout::RowAt;
use super::super::parallel::each;
use super::super::score;
use super::super::word::Word;
use super::board::{Level, LevelGrid};
use super::kernel::{Fold, Most, STRIP, join, join_image};
use super::officers::Strip;
use super::problem::Problem;
use super::sweep::{CHECK, ILLEGAL, SCORE};

/// A byte for every position of a material, block by block. At first it holds the start of
/// each ([`SCORE`]); once a level is solved, the scores of moves that lead to its
/// positions. For placements that represent an e.p. right, it is first the best capture,
/// then the score of the double step.
pub(super) type Scores = Vec<u8>;

/// The starts of all positions with a side to move: captures, promotions and
/// captures en passant.
pub(super) fn starts(board: &LevelGrid<'_>, conversions: &Conversions<'_>, side: Colour) -> Scores {
    let layout = board.layout;
    let mut starts = vec![ILLEGAL; layout.words() * layout.squares];
    each(
        starts.chunks_mut(layout.block_positions()).enumerate(),
        |(block, out)| {
            let conversions = conversions.in_block::<u64>(block);
            let mut scores = vec![score::NONE; layout.row_positions()];
            for (row, out) in out.chunks_mut(layout.row_positions()).enumerate() {
                let at = RowAt::<u64>::new(layout, block, row);
                let legal = attack::legal(layout, &board.between, &at, side);
                let checks = attack::attacked(layout, &board.between, &at, side.other());
                scores.fill(score::NONE);
                let mut placed = legal;
                let placed = &mut placed[..layout.lanes];
                conversions.raise(&board.between, &at, placed, &mut scores);
                let lanes = scores
                    .chunks(layout.squares)
                    .zip(out.chunks_mut(layout.squares));
                for (lane, (scores, out)) in lanes.enumerate() {
                    for (square, (&score, out)) in scores.iter().zip(out).enumerate() {
                        if legal[lane].has(square) {
                            let check = if checks[lane].has(square) { CHECK } else { 0 };
                            *out = score as u8 | check;
                        } else if score != score::NONE {
                            *out = score as u8;
                        }
                    }
                }
            }
        },
    );
    starts
}

/// The starts of the positions of a level, including pawn moves to finished levels.
pub(super) fn level_starts(
    board: &LevelGrid<'_>,
    level: &Level,
    scores: &[Scores; 2],
    side: Colour,
) -> Scores {
    let officers = board.officers;
    let block_positions = board.layout.block_positions();
    let (own, others) = (&scores[side.index()], &scores[side.other().index()]);
    let size = level.placements.len() * officers;
    let mut starts = vec![0; board.layout.blocks() * size];
    let pushes: Vec<_> = level
        .placements
        .iter()
        .map(|&placement| board.pushes(placement, side))
        .collect();
    each(starts.chunks_mut(size).enumerate(), |(block, out)| {
        let kings = board.layout.block_squares(block).map(u64::of);
        let at = |placement: usize| block * block_positions + placement * officers;
        let parts = out.chunks_mut(officers).zip(&level.placements).zip(&pushes);
        for ((out, &placement), pushes) in parts {
            out.copy_from_slice(&own[at(placement)..][..officers]);
            for push in pushes {
                if !(push.clear & (kings[0] | kings[1])).is_empty() {
                    continue;
                }
                let after = &others[at(push.placement)..][..officers];
                for (position, (out, &score)) in out.iter_mut().zip(after).enumerate() {
                    // Steps to occupied squares lead to no position, but an officer
                    // might be jumped over.
                    if *out == ILLEGAL || score <= *out & SCORE {
                        continue;
                    }
                    let on_the_way = board
                        .officers()
                        .iter()
                        .any(|c| push.clear.has(position / c.stride % c.squares));
                    if !on_the_way {
                        *out = *out & CHECK | score;
                    }
                }
            }
        }
    });
    starts
}

/// Once a level is solved: the values of the double steps that lead to its placements and
/// can be answered en passant by `side`. `starts` are those of the level, `scores` hold its
/// results.
pub(super) fn open_rights(
    problem: Problem,
    board: &LevelGrid<'_>,
    level: &Level,
    starts: &[u8],
    scores: &mut [Scores; 2],
    side: Colour,
) {
    let officers = board.officers;
    let block_positions = board.layout.block_positions();
    let size = level.placements.len() * officers;
    let opened: Vec<(usize, usize, usize)> = level
        .placements
        .iter()
        .enumerate()
        .flat_map(|(place, &base)| {
            let open = board.open_placements(base, side.other());
            open.into_iter().map(move |open| (place, base, open))
        })
        .collect();
    if opened.is_empty() {
        return;
    }
    let [white, black] = scores;
    let (own, others) = match side {
        Colour::White => (white, black),
        Colour::Black => (black, white),
    };
    let others = &*others;
    each(
        own.chunks_mut(block_positions).enumerate(),
        |(block, own)| {
            for &(place, base, open) in &opened {
                let starts = &starts[block * size + place * officers..][..officers];
                let own = &mut own[open * officers..][..officers];
                let best = best_moves(board, block, base, starts, others, side);
                for ((own, &start), best) in own.iter_mut().zip(starts).zip(best) {
                    let capture = if *own == ILLEGAL { 0 } else { *own };
                    *own = if start == ILLEGAL {
                        0
                    } else {
                        problem.of_open(side, best.max(capture).max(start & SCORE))
                    };
                }
            }
        },
    );
}

/// The best scores of quiet moves and the pass, for all placements of the
/// officers.
fn best_moves(
    board: &LevelGrid<'_>,
    block: usize,
    placement: usize,
    starts: &[u8],
    others: &[u8],
    side: Colour,
) -> Vec<u8> {
    let layout = board.layout;
    let officers = board.officers;
    let values = |block: usize, placement: usize| {
        let at = block * layout.block_positions() + placement * officers;
        &others[at..][..officers]
    };
    let home = values(block, placement);
    let mut best: Vec<u8> = home.to_vec();
    for (best, start) in best.iter_mut().zip(starts) {
        if start & CHECK != 0 {
            *best = Most::NONE;
        }
    }
    let strip = board.strip();
    let pawns = board.occupied_by_pawns(placement).unwrap_or_default();
    for (outer, best) in best.chunks_mut(strip).enumerate() {
        let Some(occupied) = board.occupied(block, pawns, outer) else {
            continue;
        };
        for king in &board.kings[side.index()][block] {
            let there = board.pawn_image(placement, king.transform);
            let outer = board.image_of_outer(outer, king.transform);
            let source = &values(king.block, there)[outer * strip..][..strip];
            if strip == 1 {
                join::<Most>(best, source);
            } else {
                join_image::<Most>(best, source, king.transform);
            }
        }
        debug_assert!(strip <= STRIP);
        Strip {
            board,
            outer,
            occupied,
        }
        .join_moves::<Most>(side, home, best);
    }
    best
}
