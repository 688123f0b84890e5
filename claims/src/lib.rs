//! Checks what designers of chess variants claim about their games, by counting in endgame tables.
//!
//! A [`Claim`] is a row of a table: what is said and by whom, how the verdict follows from what
//! is counted, and what it does not show. One engine walks over the positions and makes figures,
//! pictures, examples and verdicts of what it counts there. [`report()`] works the answers out,
//! and [`Report::write`] writes them as JSON, as Markdown and as one HTML page.
//!
//! Nothing about an answer is written down here but how it is found: another rule option,
//! or other values in the tables, give other verdicts.

mod catalogue;
mod chart;
mod claim;
mod compare;
mod countings;
mod definition;
mod engine;
mod error;
mod example;
mod formula;
mod page;
mod position;
mod predicate;
mod report;
mod scope;
mod study;
mod tables;
mod tally;
#[cfg(test)]
mod tests;

pub use catalogue::claims;
pub use claim::{Answer, Claim, Verdict};
pub use error::ClaimError;
pub use report::{Comparison, Options, Report, TablesOfGame, report};
pub use scope::{Observer, Supply};
