//! EX-2: forks of royal men mate.

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
    tag: "EX-2",
    games: &["extinction-mating"],
    title: "A fork of two royal men can mate.",
    source: "The designer of extinction chess with mating rules (2011).",
    method: "All mates in which two or more royal men are attacked and none of them is mated by \
             itself: were it the only royal man, some move would save it.",
    rule: "The claim is that it happens: it holds if there is any such mate. If there is none, \
           larger classes may have one.",
    limits: "Endings of few men have few royal men; forks are commoner with more.",
    needs: |scope| scope.all(&["extinction-mating"]),
    examine,
};

const ALL: usize = 0;
const MATES: usize = 1;
const FORKS: usize = 2;
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
            let royals = threats(position).royals;
            let is_fork = royals.len() > 1
                && royals
                    .into_iter()
                    .all(|man| can_be_saved(position, man, false));
            if is_fork {
                tally[FORKS] += weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        if tally[MATES] > 0 {
            rows.push(row(
                material,
                tally[MATES],
                &[("by_a_fork_alone", tally[FORKS])],
            ));
        }
        sum.add(&tally);
        let [sample] = tally.samples;
        spread.add(material, sample);
        Ok(())
    })?;
    let answer = format!(
        "{} of {} mates ({}) are forks of royal men each of which could be saved alone.",
        count(sum[FORKS]),
        count(sum[MATES]),
        percent(sum[FORKS], sum[MATES]),
    );
    let excluded = (!game.royals_vary()).then_some("These rules never make several men royal.");
    Ok(
        Outcome::of_occurrence(sum[FORKS], sum[ALL], answer, excluded)
            .figure("positions", sum[ALL])
            .figure("mates", sum[MATES])
            .figure("by_a_fork_alone", sum[FORKS])
            .figure("by_a_fork_alone_share", share(sum[FORKS], sum[MATES]))
            .figure("by_class", Value::Array(rows))
            .examples(study.examples("mated by a fork alone", &spread, &[])?),
    )
}
