//! O-1: which positions are dead.

use retrograde_index::Metric;
use retrograde_rules::{Colour, Position};
use serde_json::Value;

use crate::claim::{Claim, Outcome, Verdict};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row};
use crate::study::Study;

use super::confirm;

pub(super) const CLAIM: Claim = Claim {
    tag: "O-1",
    games: &["orthodox"],
    title: "Four combinations of men are dead; others can be dead, too.",
    source: "The list of dead positions that O5 quotes: K-K, KB-K, KN-K, and KB-KB with both \
             bishops on squares of one colour; it adds that there are others.",
    method: "For every position of every class: can either side be mated by any series of legal \
             moves of both? If neither can, the position is dead. Those of the four combinations \
             are counted apart from those that other men make dead wherever they stand (O5), \
             from stalemates, and from those in which it is a matter of the placement.",
    rule: "The share of the positions of the four combinations that are dead. If all of them are, \
           the claim holds as soon as another position is, in which play could go on; if there \
           is none, larger classes may have one.",
    limits: "Two bare kings have no table: no move of theirs gives check. The fifty-move rule and \
             repetition end games too, but are no reason here. Positions with a right to capture \
             en passant are left out.",
    needs: |scope| scope.all_with_helpmates("orthodox"),
    examine,
};

const ALL: usize = 0;
const LISTED: usize = 1;
const LISTED_DEAD: usize = 2;
const BY_MATERIAL: usize = 3;
const STALEMATES: usize = 4;
const BY_PLACEMENT: usize = 5;
type Tally = Counts<6, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("orthodox");
    if !Metric::on_request(game).contains(&Metric::Helpmate) {
        return Ok(Outcome::not_decidable(
            "These rules say nothing of dead positions.",
        ));
    }
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let helpmates = study.library.helpmates(game, material)?;
        let tally = study.walk(game, helpmates.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            let is_dead = helpmates.get(spot.turn(), spot.index).is_dead();
            if is_listed(position) {
                tally[LISTED] += weight;
                tally[LISTED_DEAD] += weight * u64::from(is_dead);
                return Ok(());
            }
            if !is_dead {
                return Ok(());
            }
            if position.dead() == Some(true) {
                tally[BY_MATERIAL] += weight;
                tally.offer(1, spot);
            } else if position.legal_moves().is_empty() {
                tally[STALEMATES] += weight;
            } else {
                tally[BY_PLACEMENT] += weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        let parts = [LISTED_DEAD, BY_MATERIAL, BY_PLACEMENT, STALEMATES].map(|part| tally[part]);
        sum.rows.push(row(
            material,
            tally[ALL],
            &[
                ("of_the_four_combinations", tally[LISTED]),
                ("dead_of_these", tally[LISTED_DEAD]),
                ("dead_by_other_material", tally[BY_MATERIAL]),
                ("dead_by_placement", tally[BY_PLACEMENT]),
                ("stalemates", tally[STALEMATES]),
            ],
        ));
        if parts.iter().sum::<u64>() > 0 {
            sum.bars.add(material, tally[ALL], &parts);
        }
        sum.add(material, tally);
        Ok(())
    })?;
    for spread in &sum.spreads {
        confirm(study, spread, |_, helpmate| helpmate.is_dead(), "dead")?;
    }
    let others = sum[BY_MATERIAL] + sum[BY_PLACEMENT];
    let answer = format!(
        "{} of the {} positions of the listed combinations are dead. So are {} others: {} by \
         their men, wherever these stand, and {} of {} by placement alone ({}), which are not \
         stalemates; {} stalemates are dead as well.",
        match sum[LISTED] == sum[LISTED_DEAD] {
            true => "All".to_owned(),
            false => count(sum[LISTED_DEAD]),
        },
        count(sum[LISTED]),
        count(others),
        count(sum[BY_MATERIAL]),
        count(sum[BY_PLACEMENT]),
        count(sum[ALL]),
        percent(sum[BY_PLACEMENT], sum[ALL]),
        count(sum[STALEMATES]),
    );
    let outcome = Outcome::of(sum[LISTED_DEAD], sum[LISTED], sum[ALL], answer);
    let verdict = match outcome.verdict {
        Verdict::Holds if others == 0 => Verdict::NotDecidable,
        verdict => verdict,
    };
    Ok(Outcome { verdict, ..outcome }
        .figure("positions", sum[ALL])
        .figure("of_the_four_combinations", sum[LISTED])
        .figure("dead_of_these", sum[LISTED_DEAD])
        .figure("dead_by_other_material", sum[BY_MATERIAL])
        .figure("dead_by_placement", sum[BY_PLACEMENT])
        .figure("stalemates", sum[STALEMATES])
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Dead positions, by class",
            &[
                "one of the four combinations",
                "other men that are always dead",
                "by placement",
                "stalemate",
            ],
        ))
        .examples(study.examples("dead by its placement", &sum.spreads[0], &[])?)
        .examples(study.examples(
            "dead by its men, though not one of the four combinations",
            &sum.spreads[1],
            &[],
        )?))
}

/// Whether the men are one of the four combinations: dead by material with at most one man
/// beside each king.
fn is_listed(position: &Position) -> bool {
    let few = |colour| position.board().by(colour).len() <= 2;
    position.dead() == Some(true) && Colour::BOTH.into_iter().all(few)
}
