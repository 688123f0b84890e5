//! State of the solution for one side to move: what is known of every position of the grid.

use std::collections::HashMap;

use super::depth::Depth;
use super::ep_beside_grid::Pushed;
use super::layout::Layout;
use super::plane::Plane;
use super::word::Word;

/// The state of the solution for one side to move.
///
/// A position is *open* while nothing is decided. Its depth cell first holds
/// the ply at which its best conversion falls due, then its answer.
pub(crate) struct Side<W, D> {
    /// Legal and not decided; at the end: drawn.
    pub(crate) open: Plane<W>,
    /// Won, or certain to be won by its conversion at the latest.
    pub(crate) winning: Vec<W>,
    /// Won by a conversion, whether or not that is quickest; only if the
    /// fifty-move rule counts.
    pub(crate) converts: Vec<W>,
    /// Positions whose best conversion has a cursed result; only where it is looked up
    /// together with who wins.
    pub(crate) cursed: Option<CursedConversions<W>>,
    /// Has no conversion that saves it or that loses later than the current
    /// ply: lost as soon as no quiet move leads to an open position.
    pub(crate) can_lose: Vec<W>,
    pub(crate) depth: Vec<D>,
    /// The next ply at which a conversion may fall due, for each word.
    pub(crate) due: Vec<D>,
    /// The positions found won at the current ply and the one before, by the
    /// parity of the ply.
    pub(crate) won: [Plane<W>; 2],
    /// The positions found lost at the current ply and the one before, by the parity of the ply.
    pub(crate) lost: [Plane<W>; 2],
    /// Positions with an effective en-passant right; only if the material
    /// can have any.
    pub(crate) en_passant: Option<Plane<W>>,
    /// Positions that would be stalemate without the right to capture en passant.
    pub(crate) stalemate: Vec<W>,
    /// Positions in which the side can only pass, if only such a side may pass.
    pub(crate) stuck: Vec<W>,
    /// Positions in which the side has to capture, if captures are compulsory, and those in which
    /// the game has ended, or will with the next move, or whose value is known beforehand.
    pub(crate) forced: Vec<W>,
    /// The positions in which a pawn of the other side has just made a double step, where rights
    /// are kept beside the grid.
    pub(crate) pushed: Vec<Pushed<W, D>>,
    /// The words that then hold positions without any move, not in check, and which.
    pub(crate) blocked: HashMap<usize, W>,
}

/// Positions whose best conversion leads to a result that the fifty-move rule spoils.
pub(crate) struct CursedConversions<W> {
    /// The conversion wins, but the win is cursed.
    pub(crate) wins: Vec<W>,
    /// The conversion loses, but the loss is blessed.
    pub(crate) losses: Vec<W>,
}

impl<W: Word> CursedConversions<W> {
    /// Makes empty sets of cursed conversions.
    pub(crate) fn new(layout: &Layout) -> CursedConversions<W> {
        CursedConversions {
            wins: vec![W::ZERO; layout.words()],
            losses: vec![W::ZERO; layout.words()],
        }
    }
}

/// The part of a side that belongs to one block and is known before the first ply.
pub(crate) struct SideBlock<'a, W, D> {
    pub(crate) open: &'a mut [W],
    /// The lanes of each row of `open` that hold any.
    pub(crate) any: &'a mut [W],
    pub(crate) winning: &'a mut [W],
    pub(crate) can_lose: &'a mut [W],
    pub(crate) depth: &'a mut [D],
    pub(crate) due: &'a mut [D],
}

impl<W: Word, D: Depth> Side<W, D> {
    pub(crate) fn new(layout: &Layout) -> Side<W, D> {
        let plane = || Plane::new(layout);
        let words = layout.words();
        Side {
            open: plane(),
            winning: vec![W::ZERO; words],
            converts: Vec::new(),
            cursed: None,
            can_lose: vec![W::ZERO; words],
            depth: vec![D::NONE; words * layout.squares],
            due: vec![D::NONE; words],
            won: [0, 1].map(|_| Plane::packed(layout)),
            lost: [0, 1].map(|_| Plane::packed(layout)),
            en_passant: layout.en_passant.then(plane),
            stalemate: if layout.en_passant {
                vec![W::ZERO; words]
            } else {
                Vec::new()
            },
            stuck: Vec::new(),
            forced: match layout.must_capture || layout.may_end() || layout.game.checks() > 0 {
                true => vec![W::ZERO; words],
                false => Vec::new(),
            },
            pushed: Vec::new(),
            blocked: HashMap::new(),
        }
    }

    /// Iterates over the blocks, in order.
    pub(crate) fn blocks(&mut self, layout: &Layout) -> impl Iterator<Item = SideBlock<'_, W, D>> {
        let words = layout.block_words();
        let open = self.open.words.chunks_mut(words);
        let open = open.zip(self.open.any.chunks_mut(layout.rows));
        let known = self.winning.chunks_mut(words);
        let known = known.zip(self.can_lose.chunks_mut(words));
        let times = self.depth.chunks_mut(words * layout.squares);
        let times = times.zip(self.due.chunks_mut(words));
        let blocks = open.zip(known).zip(times);
        blocks.map(
            |(((open, any), (winning, can_lose)), (depth, due))| SideBlock {
                open,
                any,
                winning,
                can_lose,
                depth,
                due,
            },
        )
    }

    /// This side with nothing but its answers.
    pub(crate) fn settled(self) -> Side<W, D> {
        Side {
            open: Plane {
                any: Vec::new(),
                busy: Vec::new(),
                ..self.open
            },
            winning: self.winning,
            depth: self.depth,
            ..Side::empty()
        }
    }

    /// A side without positions.
    fn empty() -> Side<W, D> {
        Side {
            open: Plane::default(),
            winning: Vec::new(),
            converts: Vec::new(),
            cursed: None,
            can_lose: Vec::new(),
            depth: Vec::new(),
            due: Vec::new(),
            won: Default::default(),
            lost: Default::default(),
            en_passant: None,
            stalemate: Vec::new(),
            stuck: Vec::new(),
            forced: Vec::new(),
            pushed: Vec::new(),
            blocked: HashMap::new(),
        }
    }

    /// This side with cells of two bytes: for the fifty-move rule, in whose game no pawn is free.
    pub(crate) fn widened(self) -> Side<W, u16> {
        debug_assert!(self.pushed.is_empty() && self.blocked.is_empty());
        let widen = |cell: D| match cell == D::NONE {
            true => u16::NONE,
            false => u16::of(cell.plies()),
        };
        Side {
            open: self.open,
            winning: self.winning,
            converts: self.converts,
            cursed: self.cursed,
            can_lose: self.can_lose,
            depth: self.depth.into_iter().map(widen).collect(),
            due: self.due.into_iter().map(widen).collect(),
            won: self.won,
            lost: self.lost,
            en_passant: self.en_passant,
            stalemate: self.stalemate,
            stuck: self.stuck,
            forced: self.forced,
            pushed: Vec::new(),
            blocked: HashMap::new(),
        }
    }
}
