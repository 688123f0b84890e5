//! Starts the solution of a side: finds its legal positions and the scores of their conversions.

use retrograde_rules::Colour;

use super::attack::legal_in_row;
use super::convert::{BlockConversions, Conversions};
use super::depth::Depth;
use super::depth::TooDeep;
use super::ep_in_grid::{OpenWord, open_words};
use super::goal::{Over, keep_unfinished};
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::parallel::map;
use super::preset::Preset;
use super::schedule;
use super::score::{self, Score, Verdict, scored};
use super::side::{Side, SideBlock};
use super::squares::{filled, members};
use super::word::{BoardShape, Word};

/// The moves that leave a material, and for a slice those that leave it.
pub(crate) enum Exits<'a, W: Word> {
    /// Conversions, to be looked up.
    Conversions(Conversions<'a>),
    /// The moves that leave a slice.
    Slice {
        /// The scores of the best conversions by place in the grid; empty if none counts.
        scores: &'a [Score],
        /// The moves to other slices.
        moves: &'a dyn RaiseRow<W>,
    },
}

/// Moves that are looked up a row at a time.
pub(crate) trait RaiseRow<W: Word>: Sync {
    /// Raises `scores`, a row of positions, to the best move of each. Only positions of
    /// `placed` matter.
    fn raise_row(&self, at: &RowAt<W>, placed: &[W], scores: &mut [Score]);
}

/// The moves that leave a material or slice, with the leaders as in a block.
pub(crate) enum BlockExits<'a, 'c, W: Word> {
    Conversions(BlockConversions<'a, 'c>),
    Slice(&'c [Score], &'c dyn RaiseRow<W>),
}

impl<'a, W: Word> Exits<'a, W> {
    /// The moves with the leaders as in a block.
    pub(crate) fn in_block(&self, block: usize) -> BlockExits<'a, '_, W> {
        match self {
            Exits::Conversions(all) => BlockExits::Conversions(all.in_block::<W>(block)),
            Exits::Slice { scores, moves } => BlockExits::Slice(scores, *moves),
        }
    }
}

impl<W: Word> BlockExits<'_, '_, W> {
    /// Writes the scores of a row of positions: those of the best move of each. Only
    /// positions of `placed` matter, and those inside the grid with an e.p. right. Where captures
    /// are compulsory, positions that have any are taken out of `placed`.
    #[inline(always)]
    pub(crate) fn write(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &mut [W],
        scores: &mut [Score],
    ) {
        match self {
            BlockExits::Conversions(conversions) => {
                scores.fill(score::NONE);
                conversions.raise(between, at, placed, scores);
            }
            BlockExits::Slice(known, moves) => {
                match known.chunks_exact(scores.len()).nth(at.row) {
                    Some(known) => scores.copy_from_slice(known),
                    None => scores.fill(score::NONE),
                }
                moves.raise_row(at, placed, scores);
            }
        }
    }
}

/// Fills in a side before the first ply; `preset` are values that are known beforehand. Returns
/// the ply at which the last conversion falls due.
pub(crate) fn start<W: Word, D: Depth>(
    layout: &Layout,
    between: &Between<W>,
    exits: &Exits<'_, W>,
    preset: Option<&Preset<'_>>,
    mover: Colour,
    side: &mut Side<W, D>,
) -> Result<usize, TooDeep> {
    let open_words = open_words::<W>(layout, mover.other());
    // Kept apart, so that both can be written at the same time.
    let mut en_passant = side.en_passant.take();
    let rights: Vec<Rights<W>> = match &mut en_passant {
        Some(plane) => {
            let words = plane.words.chunks_mut(layout.block_words());
            words
                .zip(plane.any.chunks_mut(layout.rows))
                .map(Some)
                .collect()
        }
        None => (0..layout.blocks()).map(|_| None).collect(),
    };
    // Those of a slice are known before the moves to other slices are.
    let mut cursed = match exits {
        Exits::Conversions(_) => side.cursed.take(),
        Exits::Slice { .. } => None,
    };
    let cursed_parts: Vec<CursedBlock<'_, W>> = match &mut cursed {
        Some(all) => {
            let wins = all.wins.chunks_mut(layout.block_words());
            wins.zip(all.losses.chunks_mut(layout.block_words()))
                .map(Some)
                .collect()
        }
        None => (0..layout.blocks()).map(|_| None).collect(),
    };
    let shared = Shared {
        layout,
        between,
        exits,
        preset,
        open_words: &open_words,
        mover,
    };
    let mut forced = std::mem::take(&mut side.forced);
    let forced_parts: Vec<&mut [W]> = match forced.is_empty() {
        false => forced.chunks_mut(layout.block_words()).collect(),
        true => (0..layout.blocks()).map(|_| Default::default()).collect(),
    };
    let blocks = side.blocks(layout).zip(rights).zip(cursed_parts);
    let blocks = blocks.zip(forced_parts).enumerate();
    let plies = map(blocks, |(block, (((parts, rights), cursed), forced))| {
        start_block(&shared, block, parts, (rights, cursed, forced))
    });
    let last_due = plies
        .into_iter()
        .try_fold(0, |last, ply| Ok(ply?.max(last)));
    side.en_passant = en_passant;
    side.forced = forced;
    side.cursed = side.cursed.take().or(cursed);
    last_due
}

/// The positions of a block whose best conversion wins, but is cursed, and those whose best
/// loses, but is blessed; only if they are looked for.
type CursedBlock<'a, W> = Option<(&'a mut [W], &'a mut [W])>;

/// The positions of a block with an effective en-passant right, and the
/// lanes of each row that hold any; only for materials that can have such.
type Rights<'a, W> = Option<(&'a mut [W], &'a mut [W])>;

/// The context that all blocks share.
struct Shared<'a, W: Word> {
    layout: &'a Layout,
    between: &'a Between<W>,
    exits: &'a Exits<'a, W>,
    preset: Option<&'a Preset<'a>>,
    open_words: &'a [OpenWord],
    mover: Colour,
}

fn start_block<W: Word, D: Depth>(
    shared: &Shared<'_, W>,
    block: usize,
    mut parts: SideBlock<'_, W, D>,
    (rights, mut cursed, forced): (Rights<'_, W>, CursedBlock<'_, W>, &mut [W]),
) -> Result<usize, TooDeep> {
    let &Shared {
        layout,
        between,
        exits,
        preset,
        open_words,
        mover,
    } = shared;
    let known = preset.map(|preset| {
        let positions = preset.positions(layout, between, (block, mover), open_words);
        (preset, positions)
    });
    let lanes = layout.lanes;
    let exits = exits.in_block(block);
    let mut scores = vec![score::NONE; layout.row_positions()];
    let rights_words = match layout.en_passant {
        true => layout.block_words(),
        false => 0,
    };
    let mut captures = vec![W::ZERO; rights_words];
    // Where a right may count if there is a capture.
    let mut bases = vec![W::ZERO; rights_words];
    let mut last_due = 0;
    let forbidden = layout.forbids_steps(mover.other());
    for row in 0..layout.rows {
        let at = RowAt::<W>::new(layout, block, row);
        let legal = legal_in_row(layout, between, &at, mover);
        let legal = &legal.as_ref()[..lanes];
        // A finished game has no moves.
        let mut unfinished = W::EMPTY_ROW;
        let unfinished = &mut unfinished.as_mut()[..lanes];
        unfinished.copy_from_slice(legal);
        keep_unfinished(layout, between, &at, mover, unfinished);
        let over = Over::new(layout, between, &at, mover);
        if let Some(over) = &over {
            for (lane, unfinished) in unfinished.iter_mut().enumerate() {
                *unfinished |= legal[lane] & over.pending.as_ref()[lane];
            }
        }
        let mut free = W::EMPTY_ROW;
        let free = &mut free.as_mut()[..lanes];
        free.copy_from_slice(unfinished);
        exits.write(between, &at, free, &mut scores);
        let words = row * lanes..(row + 1) * lanes;
        if let Some(forced) = forced.get_mut(words.clone()) {
            for (lane, forced) in forced.iter_mut().enumerate() {
                *forced = unfinished[lane] & !free[lane];
            }
        }
        if let Some((preset, known)) = &known {
            let known = &known[words.clone()];
            let first = block * layout.block_words() + words.start;
            preset.write((mover, first), (known, legal), &mut scores);
            for (lane, forced) in forced[words.clone()].iter_mut().enumerate() {
                *forced |= known[lane] & legal[lane];
            }
        }
        parts.open[words.clone()].copy_from_slice(legal);
        if let Some(over) = &over {
            keep_replies::<W>(layout, over, &mut scores);
        }
        for (lane, scores) in scores.chunks_exact(layout.squares).enumerate() {
            let word = words.start + lane;
            // A position that has a score but is not legal as it stands is one
            // with an open right; whether that is effective is decided below.
            let scored: W = scored(scores, score::NONE + 1, Score::MAX);
            let scored = scored & !(legal[lane] & !unfinished[lane]);
            if layout.en_passant {
                captures[word] = scored & !legal[lane];
                // What forbids a step does so wherever it arrives (E3).
                bases[word] = if forbidden {
                    legal[lane]
                } else {
                    unfinished[lane]
                };
            }
            let cells = &mut parts.depth[word * layout.squares..][..layout.squares];
            let winning = settle(scored, scores, cells, &mut parts.due[word], &mut last_due)?;
            let can_lose = legal[lane] & !scored;
            if let Some((wins, losses)) = &mut cursed {
                let with = |value| self::scored(scores, value, value);
                wins[word] = with(score::WINS_CURSED);
                losses[word] = with(score::LOSES_BLESSED);
            }
            parts.winning[word] = winning;
            parts.can_lose[word] = can_lose;
            if let Some(over) = &over {
                let [won, drawn] =
                    [&over.won, &over.drawn].map(|row| row.as_ref()[lane] & legal[lane]);
                members(won).for_each(|bit| cells[bit] = D::of(0));
                parts.winning[word] |= won;
                parts.can_lose[word] &= !drawn;
                forced[word] |= drawn;
                match over.moves_answer {
                    // What is lost, or drawn, is found by the moves to other positions.
                    true => parts.open[word] &= !won,
                    false => {
                        forced[word] |= over.pending.as_ref()[lane];
                        if !won.is_empty() {
                            schedule::note(&mut parts.due[word], 0);
                        }
                    }
                }
            }
        }
    }
    if let Some(rights) = rights {
        open_rights(
            between.board,
            open_words,
            lanes,
            forbidden,
            (&captures, &bases),
            &mut parts,
            rights,
        );
    }
    for (any, words) in parts.any.iter_mut().zip(parts.open.chunks_exact(lanes)) {
        *any = filled(words);
    }
    Ok(last_due)
}

/// Drops the scores of moves that do not answer what the other side has done: the side to move has
/// lost by then (R2, S2).
fn keep_replies<W: Word>(layout: &Layout, over: &Over<W>, scores: &mut [Score]) {
    let words = scores.chunks_exact_mut(layout.squares);
    for (pending, scores) in over.pending.as_ref().iter().zip(words) {
        for bit in members(*pending & W::full(layout.board::<W>())) {
            if scores[bit] != score::DRAW || !over.moves_answer {
                scores[bit] = score::NONE;
            }
        }
    }
}

/// Writes down when the conversions of one word fall due; returns those that
/// win.
fn settle<W: Word, D: Depth>(
    mut scored: W,
    scores: &[Score],
    cells: &mut [D],
    due: &mut D,
    last_due: &mut usize,
) -> Result<W, TooDeep> {
    let mut winning = W::ZERO;
    while !scored.is_empty() {
        let bit = scored.pop();
        let plies = match score::verdict(scores[bit]) {
            Verdict::None | Verdict::Draw => continue,
            Verdict::Win(plies) => {
                winning |= W::of(bit);
                plies
            }
            Verdict::Loss(plies) => plies,
        };
        if plies > D::MOST {
            return Err(TooDeep);
        }
        cells[bit] = D::of(plies);
        schedule::note(due, plies);
        *last_due = plies.max(*last_due);
    }
    Ok(winning)
}

/// Opens the positions with an effective en-passant right (O2): there is a legal
/// capture, and the same placement without the right is legal. What was found about
/// the others is dropped. If double steps that could be answered en passant are
/// `forbidden`, the right is effective, but there are no positions with it.
fn open_rights<W: Word, D: Depth>(
    board: W::Board,
    open_words: &[OpenWord],
    lanes: usize,
    forbidden: bool,
    (captures, bases): (&[W], &[W]),
    parts: &mut SideBlock<'_, W, D>,
    (rights, any): (&mut [W], &mut [W]),
) {
    for open in open_words {
        let positions = open.carry(board, bases[open.base]) & captures[open.word];
        rights[open.word] |= positions;
        if !positions.is_empty() {
            any[open.word / lanes] |= W::of(open.word % lanes);
        }
    }
    for (word, rights) in rights.iter().enumerate() {
        if !forbidden {
            parts.open[word] |= *rights;
        }
        let mut stray = captures[word] & !*rights;
        parts.winning[word] &= !stray;
        while !stray.is_empty() {
            parts.depth[word * board.squares() + stray.pop()] = D::NONE;
        }
    }
}
