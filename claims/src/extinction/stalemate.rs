//! EX-5: a stalemated side would lose under the base rules.

use retrograde_index::Wdl;
use retrograde_rules::End;
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::compare::place;
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, row_of};
use crate::study::Study;
use crate::tables::Ground;

pub(super) const CLAIM: Claim = Claim {
    tag: "EX-5",
    games: &["extinction-mating", "extinction"],
    title: "A stalemated side would lose the game under the base rules.",
    source: "The designer of extinction chess with mating rules (2011): it “would lose the game”.",
    method: "All stalemates of extinction chess with mating rules, and their values in the base \
             game, in which nothing is illegal because of check: lost, drawn or won for the \
             stalemated side, and in how many plies. Blocked positions are drawn in both.",
    rule: "The share of the stalemates that the stalemated side loses in the base game.",
    limits: "Endings as games of their own.",
    needs: |scope| scope.all(&["extinction-mating", "extinction"]),
    examine,
};

const ALL: usize = 0;
/// Won, drawn, lost in the base game.
const RESULT: usize = 1;
const BLOCKED: usize = 4;
/// Losses by plies.
const PLIES: usize = 5;
const MOST: usize = 200;
type Tally = Counts<{ PLIES + MOST }, 3>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, base] = ["extinction-mating", "extinction"].map(|id| study.game(id));
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let values = study.library.values(game, material)?;
        // Read with depths, and so looked up with them.
        study.library.depths(base, &material.normal(base).0)?;
        let others = Ground::only(study.library, base, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            let drawn = values.wdl(spot.turn(), spot.index) == Wdl::Draw;
            if !drawn
                || position.is_check()
                || !matches!(position.end(), Some(End::Stalemate { .. }))
            {
                return Ok(());
            }
            let Some(same) = carried_over(position, base) else {
                return Ok(());
            };
            let result = place(others.wdl(&same)?);
            tally[RESULT + result] += weight;
            tally[BLOCKED] += weight * u64::from(same.end() == Some(End::Blocked));
            if result == 2 {
                let plies = others.plies(&same)?.unwrap_or_default();
                tally[PLIES + (plies as usize).min(MOST - 1)] += weight;
            }
            tally.offer(result, spot);
            Ok(())
        })?;
        let parts = [2, 1, 0].map(|n| tally[RESULT + n]);
        let all = parts.iter().sum();
        if all > 0 {
            sum.rows.push(row_of(
                material,
                ("stalemates", all),
                &[
                    ("lost", parts[0]),
                    ("drawn", parts[1]),
                    ("won", parts[2]),
                    ("blocked", tally[BLOCKED]),
                ],
            ));
        }
        sum.bars.add(material, all, &parts);
        sum.add(material, tally);
        Ok(())
    })?;
    let [won, drawn, lost] = [0, 1, 2].map(|n| sum[RESULT + n]);
    let all = won + drawn + lost;
    let answer = format!(
        "Of {} stalemates the base game calls {} lost for the stalemated side, {} drawn and {} \
         won; {} are blocked.",
        count(all),
        percent(lost, all),
        percent(drawn, all),
        percent(won, all),
        count(sum[BLOCKED]),
    );
    let plies: Vec<Value> = (0..MOST)
        .filter(|&plies| sum[PLIES + plies] > 0)
        .map(|plies| json!({ "lost_in_plies": plies, "positions": sum[PLIES + plies] }))
        .collect();
    Ok(Outcome::of(lost, all, sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("stalemates", all)
        .figure("lost", lost)
        .figure("drawn", drawn)
        .figure("won", won)
        .figure("blocked", sum[BLOCKED])
        .figure("losses_by_plies", Value::Array(plies))
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Stalemates, by their value in the base game for the stalemated side",
            &["lost", "drawn", "won"],
        ))
        .examples(study.examples(
            "a stalemate that the base game wins",
            &sum.spreads[0],
            &[base],
        )?)
        .examples(study.examples(
            "a stalemate that the base game draws",
            &sum.spreads[1],
            &[base],
        )?)
        .examples(study.examples(
            "a stalemate that the base game loses",
            &sum.spreads[2],
            &[base],
        )?))
}
