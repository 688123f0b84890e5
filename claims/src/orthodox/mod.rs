//! Orthodox endings.

mod dead;
mod fifty_moves;
mod mating_material;

use crate::claim::Claim;

/// The claims about orthodox chess.
pub(crate) const CLAIMS: &[&Claim] = &[&dead::CLAIM, &mating_material::CLAIM, &fifty_moves::CLAIM];
