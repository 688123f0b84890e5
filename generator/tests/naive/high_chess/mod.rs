//! A plain solver of High Chess, written from docs/RULES.md alone.
//!
//! It asks of every state - pieces on squares, whose turn, en passant, White's
//! points, Black's points - who wins, and by how little vitality White or
//! Black can force mate. States that differ in the counters only are done
//! together as the bits of a word; else there is no symmetry and no thrift.
//!
//! - [`rules`]: moves, heights, counters, of one state.
//! - [`place`]: the states of a material with its pawns in place, as numbers.
//! - [`quiet`]: their moves that are not vital, as sets of squares.
//! - [`layers`]: who wins, total by total of the counters.
//! - [`mates`]: who forces mate.
//! - [`solve`]: materials by recursion.
//! - [`audit`]: the same values asked again of the rules, move by move.
//! - [`compare`]: the same questions put to Retrograde's tables.

mod audit;
mod compare;
mod layers;
mod mates;
mod place;
mod quiet;
pub(crate) mod rules;
mod solve;
mod tests;
mod values;
