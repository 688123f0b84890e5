//! Extinction chess with mating rules (2011) and its base game (Schmittberger, 1985).

mod captures;
mod exposed;
mod forks;
mod mates;
mod rule_change;
mod stalemate;
mod threats;

use crate::claim::Claim;

/// The claims of these games.
pub(crate) const CLAIMS: &[&Claim] = &[
    &rule_change::CLAIM,
    &forks::CLAIM,
    &exposed::CLAIM,
    &captures::CLAIM,
    &stalemate::CLAIM,
];
