//! Conversions, whatever the game.

use retrograde_rules::{Colour, Goal, Material};

use super::super::chess99;
use super::super::layout::{Layout, RowAt};
use super::super::movement::Between;
use super::super::score::Score;
use super::super::successor::Successor;
use super::super::word::Word;
use super::{BlockConversions, Conversions};

/// All conversions of one side, whatever the game.
pub(crate) enum AnyConversions<'a> {
    Standard(Conversions<'a>),
    Chess99(chess99::Chess99Conversions<'a>),
}

impl<'a> AnyConversions<'a> {
    /// The conversions of `side`; `find` gives the successors.
    pub(crate) fn new<F>(layout: &'a Layout, side: Colour, find: F) -> AnyConversions<'a>
    where
        F: Fn(&Material) -> &'a Successor,
    {
        match layout.game.goal() {
            Goal::KingCapture(value) => {
                AnyConversions::Chess99(chess99::Chess99Conversions::new(value, layout, side, find))
            }
            Goal::Mate | Goal::Reach(_) | Goal::Extinction => {
                AnyConversions::Standard(Conversions::new(layout, side, find))
            }
        }
    }

    /// The conversions with the leaders as in a block.
    pub(crate) fn in_block<'c, W: Word>(&'c self, block: usize) -> AnyBlockConversions<'a, 'c> {
        match self {
            AnyConversions::Standard(all) => {
                AnyBlockConversions::Standard(all.in_block::<W>(block))
            }
            AnyConversions::Chess99(all) => {
                AnyBlockConversions::Chess99(Box::new(all.in_block::<W>(block)))
            }
        }
    }
}

/// The conversions of one side in one block, whatever the game.
pub(crate) enum AnyBlockConversions<'a, 'c> {
    Standard(BlockConversions<'a, 'c>),
    Chess99(Box<chess99::Chess99BlockConversions<'a, 'c>>),
}

impl AnyBlockConversions<'_, '_> {
    /// Raises `scores`, a row of positions with the side to move, to the best conversion
    /// of each. Only positions of `placed` matter, and those inside the grid with an e.p.
    /// right.
    #[inline(always)]
    pub(crate) fn raise<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &[W],
        scores: &mut [Score],
    ) {
        match self {
            AnyBlockConversions::Standard(block) => block.raise(between, at, placed, scores),
            AnyBlockConversions::Chess99(block) => block.raise(between, at, placed, scores),
        }
    }
}
