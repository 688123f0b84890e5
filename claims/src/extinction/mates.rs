//! Mates of a certain kind among all mates.

use retrograde_index::Wdl;
use retrograde_rules::{End, Position};
use serde_json::Value;

use crate::claim::Outcome;
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row_of, share};
use crate::study::Study;

/// A kind of mate that a designer speaks of.
pub(super) struct Kind {
    /// The name of its count among the figures.
    pub(super) figure: &'static str,
    /// What is said of an example.
    pub(super) caption: &'static str,
    /// What is said of so many of them among so many mates, of which they are so many
    /// percent.
    pub(super) answer: fn(String, String, String) -> String,
    /// Whether a mate is of this kind.
    pub(super) is_such: fn(&Position) -> bool,
}

const ALL: usize = 0;
const MATES: usize = 1;
const SUCH: usize = 2;
type Tally = Counts<3, 1>;

/// Counts the mates of a kind in extinction chess with mating rules: the claim that there
/// are such holds if there is any.
pub(super) fn examine(study: &Study, kind: &Kind) -> Result<Outcome, ClaimError> {
    let game = study.game("extinction-mating");
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let values = study.library.values(game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            let lost = values.wdl(spot.turn(), spot.index) == Wdl::Loss;
            if !lost || !position.is_check() || position.end() != Some(End::Checkmate) {
                return Ok(());
            }
            tally[MATES] += weight;
            if (kind.is_such)(position) {
                tally[SUCH] += weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        if tally[MATES] > 0 {
            sum.rows.push(row_of(
                material,
                ("mates", tally[MATES]),
                &[(kind.figure, tally[SUCH])],
            ));
        }
        sum.add(material, tally);
        Ok(())
    })?;
    let (such, mates) = (sum[SUCH], sum[MATES]);
    let answer = (kind.answer)(count(such), count(mates), percent(such, mates));
    let excluded = (!game.royals_vary()).then_some("These rules never make several men royal.");
    Ok(Outcome::of_occurrence(such, sum[ALL], answer, excluded)
        .figure("positions", sum[ALL])
        .figure("mates", mates)
        .figure(kind.figure, such)
        .figure(&format!("{}_share", kind.figure), share(such, mates))
        .figure("by_class", Value::Array(sum.rows))
        .examples(study.examples(kind.caption, &sum.spreads[0], &[])?))
}
