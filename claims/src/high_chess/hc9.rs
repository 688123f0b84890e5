//! HC9: the two readings of H4 agree.

use retrograde_rules::{Colour, Game, Position};
use serde_json::Value;

use crate::claim::{Claim, Outcome, Verdict};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::scope::{Scope, with_option};
use crate::study::Study;
use crate::tables::Curve;

use super::full;
use super::turns::of_curve;

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
    needs: |scope| scope.all_of(&games(scope)),
    examine,
};

/// The game, and the same under the other reading.
fn games(scope: &Scope) -> [Game; 2] {
    let game = scope.game("high-chess");
    let readings = ["mover", "both"].map(|value| with_option(game, "vital-restores", value));
    let other = readings.into_iter().find(|&reading| reading != game);
    [game, other.unwrap_or(game)]
}

const ALL: usize = 0;
const FULL: usize = 1;
const PAIRS: usize = 2;
const DIFFER: usize = 3;
const SOMEWHERE: usize = 4;
type Tally = Counts<5, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, reading] = games(study.scope);
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no vitality."));
    };
    let points = u64::from(rules.full().white);
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let other = study.library.curves(reading, material)?;
        let counters = full(rules);
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (turn, index, weight) = (spot.turn(), spot.index, spot.weight);
            // The same material has the same index in both.
            let [a, b] = [&curves, &other].map(|curves| curves.curve(turn, index));
            let differ: u64 = a
                .white_needs
                .iter()
                .zip(&b.white_needs)
                .map(|(a, b)| u64::from(a.abs_diff(*b)))
                .sum();
            tally[ALL] += weight;
            tally[PAIRS] += weight * points * points;
            tally[DIFFER] += weight * differ;
            tally[SOMEWHERE] += weight * u64::from(differ > 0);
            if curves.winner(turn, index, counters) != other.winner(turn, index, counters) {
                tally[FULL] += weight;
                tally.offer(0, spot);
            } else if differ > 0
                && let Some(position) = fullest_pair(spot.position, a, b)
            {
                tally.samples[1].offer(spot.number(), &position);
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
            figures.insert(
                "pairs_changed_share".into(),
                share(tally[DIFFER], tally[PAIRS]),
            );
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
            &[reading],
        )?)
        .examples(study.examples(
            "the readings name different winners with these counters",
            &sum.spreads[1],
            &[reading],
        )?))
}

/// A position with the fullest counters with which two curves name different winners.
fn fullest_pair(position: &Position, first: &Curve, second: &Curve) -> Option<Position> {
    let rules = position.game().vitality()?;
    let [first, second] = [first, second].map(|curve| of_curve(rules, curve));
    let pairs = [(&first, &second), (&second, &first)];
    let fullest = pairs
        .into_iter()
        .filter_map(|(one, other)| one.fullest_beyond(Colour::White, other));
    position.with_vitality(fullest.max_by_key(|pair| (pair.black, pair.white))?)
}

#[cfg(test)]
mod tests {
    use retrograde_index::ThresholdCurve;
    use retrograde_rules::{Material, Vitality};

    use super::*;
    use crate::tables::Curves;

    #[test]
    fn counters_are_shown_with_which_winners_differ() {
        let game = Game::parse("high-chess:vitality=5").unwrap();
        let kings = Material::parse(game, "KvK").unwrap();
        let curve = |least| {
            let curve = ThresholdCurve::constant(retrograde_rules::Counters::up_to(5), least);
            Curves::filled(game, &kings, curve, [6, 6]).list()[0].clone()
        };
        let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/K7 w - -").unwrap();
        let pair = |first, second| {
            let found = fullest_pair(&position, &curve(first), &curve(second));
            found.and_then(|position| position.vitality())
        };
        let expected = Vitality::both(5).with(Colour::White, 3);
        assert_eq!(pair(4, 2), Some(expected));
        assert_eq!(pair(2, 4), Some(expected));
        assert_eq!(pair(3, 3), None);
    }
}
