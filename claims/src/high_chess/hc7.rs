//! HC7: how often the High player's vitality matters.

use retrograde_rules::{Colour, Position, Vitality};
use serde_json::Value;

use super::VITALITY;
use crate::chart::Chart;
use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share, shares};
use crate::study::Study;
use crate::tables::{Curve, Curves};

pub(super) const CLAIM: Claim = Claim {
    tag: "HC7",
    games: &["high-chess"],
    title: "The vitality of the High player matters only in the rare event.",
    source: "Grant Sinclair, designer of High Chess: “in the rare event”.",
    method: "For every placement and side to move: does the winner change anywhere as the \
             counter of the side that is High runs from 1 to full, for some counter of the \
             other side? And of all pairs of counters: in how many is the winner another than \
             with a full counter of the side that is High? Beside it, the same for the \
             counter of the side that is Low. High is who is High in the position itself.",
    rule: "The share of pairs of counters in which High's counter makes no difference; rare is \
           one pair in ten at most, and the claim fails if it matters in more.",
    limits: "All pairs of counters count alike; in games full counters are far more common \
             than low ones.",
    needs: |scope| scope.all(&["high-chess"]),
    examine,
};

const PLACEMENTS: usize = 0;
const CHANGE: usize = 1;
const PAIRS: usize = 2;
const DIFFER: usize = 3;
/// The same two for the counter of the side that is Low.
const LOW_CHANGE: usize = 4;
const LOW_DIFFER: usize = 5;
/// By High's counter from 1 on: pairs whose winner differs from that with a full counter.
const BY_COUNTER: usize = 6;
const NUMBERS: usize = BY_COUNTER + 51;
type Tally = Counts<NUMBERS, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("high-chess");
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no vitality."));
    };
    let points = u64::from(rules.full().white);
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let differ = [Colour::White, Colour::Black].map(|high| differences(&curves, high));
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let high = VITALITY.high(spot.position);
            let place = curves.place(spot.turn(), spot.index);
            let by_counter = &differ[high.index()][place];
            let [pairs, low_pairs] = [by_counter, &differ[high.other().index()][place]]
                .map(|by_counter| by_counter.iter().map(|&n| u64::from(n)).sum::<u64>());
            tally[PLACEMENTS] += spot.weight;
            tally[PAIRS] += spot.weight * points * points;
            tally[LOW_CHANGE] += spot.weight * u64::from(low_pairs > 0);
            tally[LOW_DIFFER] += spot.weight * low_pairs;
            if pairs > 0 {
                tally[CHANGE] += spot.weight;
                tally[DIFFER] += spot.weight * pairs;
                for (n, &differ) in by_counter.iter().enumerate() {
                    tally[BY_COUNTER + n] += spot.weight * u64::from(differ);
                }
                let curve = curves.curve(spot.turn(), spot.index);
                if let Some(position) = with_counters_that_matter(spot.position, curve, high) {
                    tally.samples[0].offer(spot.number(), &position);
                }
            }
            Ok(())
        })?;
        let mut figures = row(
            material,
            tally[PLACEMENTS],
            &[("changed_somewhere", tally[CHANGE])],
        );
        if let Value::Object(figures) = &mut figures {
            figures.extend(shares(tally[PAIRS], &[("pairs_changed", tally[DIFFER])]));
            let low = [("changed_somewhere_by_low_counter", tally[LOW_CHANGE])];
            figures.extend(shares(tally[PLACEMENTS], &low));
        }
        sum.rows.push(figures);
        sum.bars.add(
            material,
            tally[PLACEMENTS],
            &[tally[CHANGE], tally[PLACEMENTS] - tally[CHANGE]],
        );
        sum.add(material, tally);
        Ok(())
    })?;
    let [somewhere_by_low, pairs_by_low] = [
        percent(sum[LOW_CHANGE], sum[PLACEMENTS]),
        percent(sum[LOW_DIFFER], sum[PAIRS]),
    ];
    let answer = match sum[CHANGE] {
        0 => format!(
            "High's counter changes the winner in no position, whatever Low has; Low's, for \
             comparison, somewhere in {somewhere_by_low} of {} positions, and in {pairs_by_low} \
             of all pairs of counters.",
            count(sum[PLACEMENTS]),
        ),
        change => format!(
            "High's counter changes the winner somewhere in {} of {} positions, but in {} of all \
             pairs of counters; Low's, for comparison, in {somewhere_by_low} and \
             {pairs_by_low}.",
            percent(change, sum[PLACEMENTS]),
            count(sum[PLACEMENTS]),
            percent(sum[DIFFER], sum[PAIRS]),
        ),
    };
    let line = (0..usize::from(rules.full().white)).map(|n| {
        let all = sum[PLACEMENTS] as f64 * points as f64;
        ((n + 1) as f64, sum[BY_COUNTER + n] as f64 / all.max(1.0))
    });
    let chart = Chart::Lines {
        title: "Share of positions and counters of Low in which High, with so few points, loses \
                what a full counter wins"
            .to_owned(),
        axes: ["vitality of High".to_owned(), "share".to_owned()],
        lines: vec![("all classes".to_owned(), line.collect())],
    };
    Ok(Outcome::of_nearly_all(
        sum[PAIRS] - sum[DIFFER],
        sum[PAIRS],
        90,
        sum[PLACEMENTS],
        answer,
    )
    .figure("positions", sum[PLACEMENTS])
    .figure("changed_somewhere", sum[CHANGE])
    .figure(
        "changed_somewhere_share",
        share(sum[CHANGE], sum[PLACEMENTS]),
    )
    .figure("pairs", sum[PAIRS])
    .figure("pairs_changed", sum[DIFFER])
    .figure("pairs_changed_share", share(sum[DIFFER], sum[PAIRS]))
    .figure("changed_somewhere_by_low_counter", sum[LOW_CHANGE])
    .figure(
        "changed_somewhere_by_low_counter_share",
        share(sum[LOW_CHANGE], sum[PLACEMENTS]),
    )
    .figure("pairs_changed_by_low_counter", sum[LOW_DIFFER])
    .figure(
        "pairs_changed_by_low_counter_share",
        share(sum[LOW_DIFFER], sum[PAIRS]),
    )
    .figure("by_class", Value::Array(sum.rows))
    .chart(sum.bars.chart(
        "Positions whose winner depends on High's counter somewhere",
        &["depends on it", "does not"],
    ))
    .chart(chart)
    .examples(study.examples(
        "High loses with these counters, and with a full one of its own it wins",
        &sum.spreads[0],
        &[],
    )?))
}

/// A position with the fullest counters with which the side that is High loses, though it wins
/// with a full one of its own.
fn with_counters_that_matter(position: &Position, curve: &Curve, high: Colour) -> Option<Position> {
    let needs = curve.needs(high);
    let matters = |least: u8| least > 1 && usize::from(least) <= needs.len();
    let mut by_low = (1..=needs.len() as u8).zip(needs.iter().copied());
    let (low, least) = by_low.rfind(|&(_, least)| matters(least))?;
    position.with_vitality(Vitality::both(low).with(high, least - 1))
}

/// For each curve, by High's counter from 1 on: for how many counters of the other side the
/// winner is another than with a full counter of `high`.
fn differences(curves: &Curves, high: Colour) -> Vec<Vec<u8>> {
    let list = curves.list().iter().map(|curve| {
        let needs = curve.needs(high);
        let full = needs.len() as u8;
        let mut by_counter = vec![0; needs.len()];
        for &needs in needs.iter().filter(|&&needs| needs <= full) {
            for counter in by_counter.iter_mut().take(usize::from(needs) - 1) {
                *counter += 1;
            }
        }
        by_counter
    });
    list.collect()
}
