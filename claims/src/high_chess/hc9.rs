//! HC9: the two readings of H4 agree.

use serde_json::Value;

use crate::claim::{Claim, Outcome, Verdict};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::study::Study;

use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC9",
    games: &["high-chess"],
    title: "The two readings of what a vital move restores agree.",
    source: "A question of this project: the designer's page has lost its list (H4).",
    method: "Every position under both readings, a vital move restoring the mover's counter or \
             both counters: does the winner differ with full counters, and in how many pairs \
             of counters?",
    rule: "The claim holds if no winner differs with any pair of counters, holds mostly if with \
           full counters the winner is the same in at least nine positions of ten, and \
           otherwise fails.",
    limits: "Where the readings differ, tables do not tell which one the designer means.",
    needs: |scope| scope.all(&["high-chess", BOTH]),
    examine,
};

/// The other reading.
const BOTH: &str = "high-chess:vital-restores=both";

const ALL: usize = 0;
const FULL: usize = 1;
const PAIRS: usize = 2;
const DIFFER: usize = 3;
const SOMEWHERE: usize = 4;
type Tally = Counts<5, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, both] = ["high-chess", BOTH].map(|id| study.game(id));
    let (Some(rules), Some(_)) = (game.vitality_rules(), both.vitality_rules()) else {
        return Ok(Outcome::not_decidable("The game has no vitality."));
    };
    let points = u64::from(rules.vitality());
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let other = study.library.curves(both, material)?;
        let counters = full(rules);
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (turn, index, weight) = (spot.turn(), spot.index, spot.weight);
            // The same material has the same index in both.
            let [a, b] = [&curves, &other].map(|curves| &curves.curve(turn, index).white_needs);
            let differ: u64 = a
                .iter()
                .zip(b)
                .map(|(a, b)| u64::from(a.abs_diff(*b)))
                .sum();
            tally[ALL] += weight;
            tally[PAIRS] += weight * points * points;
            tally[DIFFER] += weight * differ;
            tally[SOMEWHERE] += weight * u64::from(differ > 0);
            if curves.winner(turn, index, counters) != other.winner(turn, index, counters) {
                tally[FULL] += weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        let mut figures = row(
            material,
            tally[ALL],
            &[
                ("other_winner", tally[FULL]),
                ("other_winner_somewhere", tally[SOMEWHERE]),
            ],
        );
        if let Value::Object(figures) = &mut figures {
            figures.insert("pairs_share".into(), share(tally[DIFFER], tally[PAIRS]));
        }
        sum.rows.push(figures);
        sum.bars.add(
            material,
            tally[ALL],
            &[tally[FULL], tally[SOMEWHERE].saturating_sub(tally[FULL])],
        );
        sum.add(material, tally);
        Ok(())
    })?;
    let answer = format!(
        "With full counters the winner differs in {} of {} positions; over all pairs of \
         counters in {}.",
        percent(sum[FULL], sum[ALL]),
        count(sum[ALL]),
        percent(sum[DIFFER], sum[PAIRS]),
    );
    let outcome = Outcome::of_nearly_all(sum[ALL] - sum[FULL], sum[ALL], 90, sum[ALL], answer);
    let verdict = match outcome.verdict {
        Verdict::Holds if sum[DIFFER] > 0 => Verdict::HoldsMostly,
        verdict => verdict,
    };
    Ok(Outcome { verdict, ..outcome }
        .figure("positions", sum[ALL])
        .figure("other_winner", sum[FULL])
        .figure("other_winner_share", share(sum[FULL], sum[ALL]))
        .figure("other_winner_somewhere", sum[SOMEWHERE])
        .figure(
            "other_winner_somewhere_share",
            share(sum[SOMEWHERE], sum[ALL]),
        )
        .figure("pairs", sum[PAIRS])
        .figure("pairs_changed", sum[DIFFER])
        .figure("pairs_changed_share", share(sum[DIFFER], sum[PAIRS]))
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Positions in which the two readings name another winner",
            &["with full counters", "with other counters only"],
        ))
        .examples(study.examples(
            "the readings name different winners",
            &sum.spreads[0],
            &[both],
        )?))
}
