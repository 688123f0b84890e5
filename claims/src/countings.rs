//! Counts what the claims about each game ask for, position by position.
//!
//! The claims themselves are tables in `claims/games/`; a counting has the tag of its claim. Claims
//! that say themselves what they count, by predicates, share one counting.

pub(crate) mod chess99;
pub(crate) mod extinction;
pub(crate) mod high_chess;
pub(crate) mod kings;
pub(crate) mod orthodox;
pub(crate) mod predicates;
