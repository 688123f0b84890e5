//! What the designers of chess variants claim about their games, answered from endgame
//! tables.
//!
//! A [`Claim`] is a module of its own: what is said and by whom, what is counted, how the
//! verdict follows from that, and what it does not show. [`report()`] works the answers out,
//! and [`Report::write`] writes them as JSON, as Markdown and as one HTML page.
//!
//! Nothing about an answer is written down here but how it is found: another rule option,
//! or other values in the tables, give other verdicts.

mod chart;
mod chess99;
mod claim;
mod compare;
mod counts;
mod error;
mod example;
mod extinction;
mod figures;
mod high_chess;
mod kept;
mod kings;
mod need;
mod orthodox;
mod page;
mod run;
mod sample;
mod scope;
mod study;
mod tables;
#[cfg(test)]
mod tests;

pub use claim::{Claim, Verdict};
pub use error::ClaimError;
pub use need::Need;
pub use run::{Answer, Options, Report, report};
pub use scope::{Observer, Supply};

/// The claims of all games, game by game.
const CLAIMS: &[&[&Claim]] = &[
    high_chess::CLAIMS,
    chess99::CLAIMS,
    kings::CLAIMS,
    extinction::CLAIMS,
    orthodox::CLAIMS,
];

/// All claims that there are.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    CLAIMS.iter().flat_map(|claims| claims.iter().copied())
}
