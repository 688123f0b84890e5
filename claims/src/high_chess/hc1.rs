//! HC1: no game is drawn.

use retrograde_index::Wdl;
use retrograde_probe::WinBy;
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row};
use crate::study::Study;

use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC1",
    games: &["high-chess"],
    title: "No game of High Chess is drawn: every position has a winner.",
    source: "Grant Sinclair, designer of High Chess.",
    method: "Every position of every class is looked up with full counters, and counted as won \
             by mate, won by exhaustion, or drawn. A win by mate is one that the winner could \
             force even if the other side's vitality were never lowered.",
    rule: "The claim holds if no position is drawn.",
    limits: "That the table of High Chess has no value for a draw is not taken for granted: \
             play cannot go on for ever (H8), and verifying the tables proves every value from \
             those of its successors.",
    needs: |scope| scope.all(&["high-chess"]),
    examine,
};

const ALL: usize = 0;
const DRAWN: usize = 1;
const MATE: usize = 2;
const EXHAUSTION: usize = 3;
type Tally = Counts<4, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("high-chess");
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let tally: Tally = match game.vitality() {
            Some(rules) => {
                let curves = study.library.curves(game, material)?;
                study.walk(game, curves.index(), |tally: &mut Tally, spot| {
                    let (_, by) = curves.outcome(spot.turn(), spot.index, full(rules));
                    tally[ALL] += spot.weight;
                    tally[if by == WinBy::Mate { MATE } else { EXHAUSTION }] += spot.weight;
                    if by == WinBy::Exhaustion {
                        tally.offer(1, spot);
                    }
                    Ok(())
                })?
            }
            // A game without counters in its place: for comparison.
            None => {
                let values = study.library.values(game, material)?;
                study.walk(game, values.index(), |tally: &mut Tally, spot| {
                    let wdl = values.wdl(spot.turn(), spot.index);
                    let is_drawn = wdl == Wdl::Draw || wdl.is_cursed();
                    tally[ALL] += spot.weight;
                    tally[if is_drawn { DRAWN } else { MATE }] += spot.weight;
                    if is_drawn {
                        tally.offer(0, spot);
                    }
                    Ok(())
                })?
            }
        };
        let parts = [tally[MATE], tally[EXHAUSTION], tally[DRAWN]];
        sum.rows.push(row(
            material,
            tally[ALL],
            &[
                ("by_mate", parts[0]),
                ("by_exhaustion", parts[1]),
                ("drawn", parts[2]),
            ],
        ));
        sum.bars.add(material, tally[ALL], &parts);
        sum.add(material, tally);
        Ok(())
    })?;
    let answer = format!(
        "{} of {} positions are drawn. {} are won by mate, however long the other side could \
         hold out; the other {} are decided only because a counter runs out.",
        count(sum[DRAWN]),
        count(sum[ALL]),
        percent(sum[MATE], sum[ALL]),
        percent(sum[EXHAUSTION], sum[ALL]),
    );
    Ok(
        Outcome::of(sum[ALL] - sum[DRAWN], sum[ALL], sum[ALL], answer)
            .figure("positions", sum[ALL])
            .figure("drawn", sum[DRAWN])
            .figure("by_mate", sum[MATE])
            .figure("by_exhaustion", sum[EXHAUSTION])
            .figure("by_class", Value::Array(sum.rows))
            .chart(sum.bars.chart(
                "How positions end, by class",
                &["by mate", "by exhaustion", "drawn"],
            ))
            .examples(study.examples("drawn", &sum.spreads[0], &[])?)
            .examples(study.examples("decided by a counter alone", &sum.spreads[1], &[])?),
    )
}
