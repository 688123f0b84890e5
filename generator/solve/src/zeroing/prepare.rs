//! Begins a phase of the fifty-move rule: opens positions, and sets when the first fall due.

use retrograde_rules::Colour;

use super::super::depth::Depth;
use super::super::layout::RowAt;
use super::super::moves::{Mover, Movers, Source};
use super::super::parallel::each;
use super::super::plane::Plane;
use super::super::schedule;
use super::super::side::SideBlock;
use super::super::squares::filled;
use super::super::word::{BoardShape, Word};
use super::levels::Levels;
use super::{Results, Task};

/// The kind of results that is sought.
pub(super) enum ZeroingPhase<'a, W> {
    Real,
    Cursed {
        /// The positions of the other side whose real result takes all of the
        /// limit, won and lost ones, if there are any.
        late: Option<&'a [Plane<W>; 2]>,
    },
}

/// The context that all blocks share.
struct Shared<'a, W: Word> {
    phase: &'a ZeroingPhase<'a, W>,
    mover: &'a Mover<'a, W>,
    side: Colour,
    mine: &'a Results<W>,
    theirs: &'a Results<W>,
    /// The positions that pawn moves that count lead to, if there are pawns: lost ones of the kind
    /// that is sought, and won ones that are cursed.
    pawn_moves: Option<[Plane<W>; 2]>,
    limit: usize,
    levels: &'a Levels<W>,
    level: Option<usize>,
}

impl<W: Word, D: Depth> Task<'_, W, D> {
    /// Prepares one side for the first ply of a phase. The real phase opens all positions of
    /// the run, the cursed phase continues with those that are left.
    pub(super) fn prepare(&mut self, side: Colour, phase: &ZeroingPhase<'_, W>) {
        let layout = self.layout;
        let mine = &self.results[side.index()];
        let theirs = &self.results[side.other().index()];
        let cursed = matches!(phase, ZeroingPhase::Cursed { .. });
        let pawns = self.levels.count() > 1;
        let pawn_moves = pawns.then(|| {
            [
                theirs.those(layout, &theirs.lost, cursed),
                theirs.those(layout, &theirs.won, true),
            ]
        });
        let shared = Shared {
            phase,
            mover: &self.mover,
            side,
            mine,
            theirs,
            pawn_moves,
            limit: self.limit,
            levels: self.levels,
            level: self.level,
        };
        let blocks = self.sides[side.index()].blocks(layout).enumerate();
        each(blocks, |(block, mut parts)| {
            for row in 0..layout.rows {
                shared.prepare_row(&RowAt::new(layout, block, row), row, &mut parts);
            }
        });
    }
}

impl<W: Word> Shared<'_, W> {
    fn prepare_row<D: Depth>(&self, at: &RowAt<W>, row: usize, parts: &mut SideBlock<'_, W, D>) {
        let lanes = self.mover.layout.lanes;
        let words = row * lanes..(row + 1) * lanes;
        let first = at.row * lanes;
        parts.due[words.clone()].fill(D::NONE);
        if matches!(self.phase, ZeroingPhase::Real) {
            parts.any[row] = self.open_row(at, &mut parts.open[words.clone()]);
        }
        if parts.any[row].is_empty() {
            return;
        }
        let retract = |movers, plane, out: &mut [W]| {
            let source = Source {
                plane,
                en_passant: self.theirs.rights.as_ref(),
                arrivals: &[],
                movers,
                wanted: W::ALL,
            };
            self.mover.retract(at, self.side, source, out);
        };
        let converts = match self.phase {
            ZeroingPhase::Real => &self.mine.converts,
            ZeroingPhase::Cursed { .. } => &self.mine.converts_cursed,
        };
        let mut row_of = [W::EMPTY_ROW; 4];
        let [wins, blessed, late_wins, late_losses] =
            row_of.each_mut().map(|r| &mut r.as_mut()[..lanes]);
        wins.copy_from_slice(&converts[first..][..lanes]);
        blessed.copy_from_slice(&self.mine.blessed[first..][..lanes]);
        if let Some([lost, won]) = &self.pawn_moves {
            retract(Movers::Pawns, lost, wins);
            retract(Movers::Pawns, won, blessed);
        }
        if let ZeroingPhase::Cursed {
            late: Some([won, lost]),
        } = self.phase
        {
            retract(Movers::Pieces, lost, late_wins);
            retract(Movers::Pieces, won, late_losses);
        }
        for (lane, word) in words.enumerate() {
            let won = self.mine.won.words[first + lane];
            let lost = self.mine.lost.words[first + lane];
            let (wins, blessed) = (wins[lane], blessed[lane]);
            let (late_wins, late_losses) = (late_wins[lane], late_losses[lane]);
            parts.winning[word] = won & (wins | late_wins);
            let (soon, late);
            match self.phase {
                ZeroingPhase::Real => {
                    // A lost position that has no quiet move, and is not
                    // mated, is lost at the first ply.
                    soon = (won & wins) | (lost & !blessed);
                    late = W::ZERO;
                    parts.can_lose[word] = W::ZERO;
                }
                ZeroingPhase::Cursed { .. } => {
                    soon = (won & wins) | (lost & blessed & !late_losses);
                    late = (won & late_wins & !wins) | (lost & late_losses);
                    parts.can_lose[word] = lost & !late;
                }
            }
            let cells = &mut parts.depth[word * at.board.squares()..][..at.board.squares()];
            let over = self.set_due(parts.open[word], soon, late, cells, &mut parts.due[word]);
            parts.winning[word] |= won & over;
        }
    }

    /// Opens the positions of the run; returns the lanes that have any.
    fn open_row(&self, at: &RowAt<W>, open: &mut [W]) -> W {
        let layout = self.mover.layout;
        let first = at.row * layout.lanes;
        self.levels.select(layout, at, self.level, open);
        for (lane, open) in open.iter_mut().enumerate() {
            let word = first + lane;
            *open &= self.mine.won.words[word] | self.mine.lost.words[word];
            // The moves of a position with a right are those of the one without it and
            // captures: it is not counted with the others.
            if let Some(rights) = &self.mine.rights {
                *open &= !rights.words[word];
            }
        }
        filled(open)
    }

    /// Writes into the cells of a word when its open positions fall due; returns those in
    /// which the game is over.
    fn set_due<D: Depth>(&self, open: W, soon: W, late: W, cells: &mut [D], due: &mut D) -> W {
        let late_ply = self.limit + 1;
        let mut over = W::ZERO;
        for (bit, cell) in cells.iter_mut().enumerate() {
            if !open.has(bit) {
                continue;
            }
            if *cell == D::of(0) {
                // Known from the depths.
                schedule::note(due, 0);
                over |= W::of(bit);
            } else if soon.has(bit) {
                *cell = D::of(1);
                schedule::note(due, 1);
            } else if late.has(bit) {
                *cell = D::of(late_ply);
                schedule::note(due, late_ply);
            } else {
                *cell = D::NONE;
            }
        }
        over
    }
}
