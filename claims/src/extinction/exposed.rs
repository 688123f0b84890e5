//! EX-3: a royal man that must move exposes another.

use retrograde_index::Wdl;
use retrograde_rules::End;
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::sample::Spread;
use crate::study::Study;

use super::threats::{can_be_saved, threats};

pub(super) const CLAIM: Claim = Claim {
    tag: "EX-3",
    games: &["extinction-mating"],
    title: "A royal man that must move may expose another, and so be mated.",
    source: "The designer of extinction chess with mating rules (2011).",
    method: "All mates in which just one royal man is attacked that could move out of the attack \
             were it the only royal man.",
    rule: "The claim is that it happens: it holds if there is any such mate. If there is none, \
           larger classes may have one.",
    limits: "Endings of few men have few royal men.",
    needs: |scope| scope.all(&["extinction-mating"]),
    examine,
};

const ALL: usize = 0;
const MATES: usize = 1;
const EXPOSED: usize = 2;
type Tally = Counts<3, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("extinction-mating");
    let (mut sum, mut rows, mut spread) = (Counts::<3>::default(), Vec::new(), Spread::default());
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let values = study.values(game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            let lost = values.wdl(spot.turn(), spot.index) == Wdl::Loss;
            if !lost || !position.is_check() || position.end() != Some(End::Checkmate) {
                return Ok(());
            }
            tally[MATES] += weight;
            let mut royals = threats(position).royals;
            let first = royals.next();
            if royals.next().is_none() && first.is_some_and(|man| can_be_saved(position, man, true))
            {
                tally[EXPOSED] += weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        if tally[MATES] > 0 {
            rows.push(row(
                material,
                tally[MATES],
                &[("would_expose_another", tally[EXPOSED])],
            ));
        }
        sum.add(&tally);
        let [sample] = tally.samples;
        spread.add(material, sample);
        Ok(())
    })?;
    let answer = format!(
        "In {} of {} mates ({}) the only attacked royal man could move away, were no other royal.",
        count(sum[EXPOSED]),
        count(sum[MATES]),
        percent(sum[EXPOSED], sum[MATES]),
    );
    let excluded = (!game.royals_vary()).then_some("These rules never make several men royal.");
    Ok(
        Outcome::of_occurrence(sum[EXPOSED], sum[ALL], answer, excluded)
            .figure("positions", sum[ALL])
            .figure("mates", sum[MATES])
            .figure("would_expose_another", sum[EXPOSED])
            .figure(
                "would_expose_another_share",
                share(sum[EXPOSED], sum[MATES]),
            )
            .figure("by_class", Value::Array(rows))
            .examples(study.examples(
                "mated, because moving away would expose another",
                &spread,
                &[],
            )?),
    )
}
