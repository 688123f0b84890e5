//! Counts what the claims about each game ask for, position by position.
//!
//! The claims themselves are tables in `claims/games/`; a counting has the tag of its claim.

pub(crate) mod chess99;
pub(crate) mod extinction;
pub(crate) mod high_chess;
pub(crate) mod kings;
pub(crate) mod orthodox;
