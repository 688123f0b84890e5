//! HC5: what orthodox chess calls stalemate is usually lost.

use retrograde_probe::WinBy;
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, row_of};
use crate::study::Study;

use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC5",
    games: &["high-chess", "orthodox"],
    title: "A side that orthodox chess would call stalemated usually loses.",
    source: "Grant Sinclair, designer of High Chess: it loses “either by checkmate or \
             exhaustion”.",
    method: "Every position that is a stalemate in orthodox chess, with full counters: does the \
             side lose that could not move, and does the other side force mate, or does the \
             counter have to run out?",
    rule: "The share of the stalemates that the stalemated side loses.",
    limits: "A stalemate that orthodox play avoids counts like any other.",
    needs: |scope| scope.all(&["high-chess"]),
    examine,
};

const ALL: usize = 0;
const STALEMATES: usize = 1;
const MATED: usize = 2;
const EXHAUSTED: usize = 3;
type Tally = Counts<4, 3>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, orthodox] = ["high-chess", "orthodox"].map(|id| study.game(id));
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no exhaustion."));
    };
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (turn, weight) = (spot.turn(), spot.weight);
            tally[ALL] += weight;
            let is_stalemate = !spot.position.is_check()
                && carried_over(spot.position, orthodox)
                    .is_some_and(|same| same.legal_moves().is_empty());
            if !is_stalemate {
                return Ok(());
            }
            tally[STALEMATES] += weight;
            let (winner, by) = curves.outcome(turn, spot.index, full(rules));
            let kind = match by {
                _ if winner == turn => 0,
                WinBy::Mate => 1,
                WinBy::Exhaustion => 2,
            };
            if kind > 0 {
                tally[STALEMATES + kind] += weight;
            }
            tally.offer(kind, spot);
            Ok(())
        })?;
        let lost = tally[MATED] + tally[EXHAUSTED];
        let parts = [tally[MATED], tally[EXHAUSTED], tally[STALEMATES] - lost];
        if tally[STALEMATES] > 0 {
            sum.rows.push(row_of(
                material,
                ("stalemates", tally[STALEMATES]),
                &[
                    ("lost_by_mate", parts[0]),
                    ("lost_by_exhaustion", parts[1]),
                    ("won", parts[2]),
                ],
            ));
        }
        sum.bars.add(material, tally[STALEMATES], &parts);
        sum.add(material, tally);
        Ok(())
    })?;
    let lost = sum[MATED] + sum[EXHAUSTED];
    let answer = match sum[STALEMATES] {
        0 => "No position of these classes is a stalemate in orthodox chess.".to_owned(),
        all => format!(
            "Of {} orthodox stalemates the stalemated side loses {}: {} by mate and {} by \
             exhaustion.",
            count(all),
            percent(lost, all),
            percent(sum[MATED], all),
            percent(sum[EXHAUSTED], all),
        ),
    };
    Ok(Outcome::of(lost, sum[STALEMATES], sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("stalemates", sum[STALEMATES])
        .figure("lost_by_mate", sum[MATED])
        .figure("lost_by_exhaustion", sum[EXHAUSTED])
        .figure("won", sum[STALEMATES] - lost)
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Orthodox stalemates: how they end for the stalemated side",
            &["lost by mate", "lost by exhaustion", "won"],
        ))
        .examples(study.examples(
            "stalemated in orthodox chess, and wins",
            &sum.spreads[0],
            &[orthodox],
        )?)
        .examples(study.examples(
            "stalemated in orthodox chess, and is mated",
            &sum.spreads[1],
            &[orthodox],
        )?)
        .examples(study.examples(
            "stalemated in orthodox chess, and is exhausted",
            &sum.spreads[2],
            &[orthodox],
        )?))
}
