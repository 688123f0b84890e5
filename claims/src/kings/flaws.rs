//! K-6: wild 9 does not treat both colours alike.

use retrograde_rules::{Interchange, Material};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::compare::{image, place};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::need::Need;
use crate::study::Study;
use crate::tables::Ground;

use super::with_spare_kings;

pub(super) const CLAIM: Claim = Claim {
    tag: "K-6",
    games: &["wild9", "kings"],
    title: "Wild 9 has flaws: its tie-break does not treat both colours alike.",
    source: "Sibahi, designer of kings (2007), about wild 9.",
    method: "All positions of wild 9 in which a side has several kings, paired with the one that \
             has the colours swapped and the board turned over: those whose value for the side \
             to move changes, and those for which the swapped placement is not even a position \
             of the game. Each class counts with either side as White. In kings there is none, \
             since colours may be swapped.",
    rule: "The claim is that it happens: it holds if any value changes. If none does, larger \
           classes may have one that does, unless the rules treat both colours alike.",
    limits: "Without pawns wild 9 is kept by a plain swap of the colours, which is no flaw of \
             its own; the mirror is that of the array.",
    needs: |scope| {
        let game = scope.game("wild9");
        vec![Need::of(game, with_spare_kings(scope, game))]
    },
    examine,
};

const ALL: usize = 0;
const CHANGED: usize = 1;
const FOREIGN: usize = 2;
type Tally = Counts<3, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("wild9");
    let mut sum = Sums::default();
    let materials = with_spare_kings(study.scope, game);
    study.each(game, &materials, |material| {
        let values = study.library.values(game, material)?;
        let swapped = Ground::only(study.library, game, &material.swapped())?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            tally[ALL] += spot.weight;
            match spot.position.with_colours_swapped(Interchange::MirrorRanks) {
                None => {
                    tally[FOREIGN] += spot.weight;
                    tally.offer(1, spot);
                }
                Some(other) => {
                    let mine = values.wdl(spot.turn(), spot.index);
                    if place(mine) != place(swapped.wdl(&other)?) {
                        tally[CHANGED] += spot.weight;
                        tally.offer(0, spot);
                    }
                }
            }
            Ok(())
        })?;
        // A class has one table for both colourings where these are images of each other under
        // another swap of the colours. It has the same figures in either.
        let twin = image(game, material).map(|_| {
            let mut twin = Tally::default();
            twin.add(&tally);
            (material.swapped(), twin)
        });
        for (colouring, tally) in std::iter::once((*material, tally)).chain(twin) {
            let (changed, foreign) = (tally[CHANGED], tally[FOREIGN]);
            let figures = [("other_value", changed), ("not_a_position", foreign)];
            sum.rows.push(row(colouring, tally[ALL], &figures));
            sum.bars.add(colouring, tally[ALL], &[changed, foreign]);
            sum.add(&colouring, tally);
        }
        Ok(())
    })?;
    let answer = format!(
        "{} of {} positions with several kings ({}) change their value when the colours are \
         swapped and the board is turned over; {} more are then no positions of the game.",
        count(sum[CHANGED]),
        count(sum[ALL]),
        percent(sum[CHANGED], sum[ALL]),
        count(sum[FOREIGN]),
    );
    let is_mirrored = |m: &Material| game.interchange(m) == Interchange::MirrorRanks;
    let excluded = (!materials.is_empty() && materials.iter().all(is_mirrored))
        .then_some("These rules treat both colours alike.");
    Ok(
        Outcome::of_occurrence(sum[CHANGED], sum[ALL], answer, excluded)
            .figure("positions", sum[ALL])
            .figure("other_value", sum[CHANGED])
            .figure("other_value_share", share(sum[CHANGED], sum[ALL]))
            .figure("not_a_position", sum[FOREIGN])
            .figure("not_a_position_share", share(sum[FOREIGN], sum[ALL]))
            .figure("by_class", Value::Array(sum.rows))
            .chart(sum.bars.chart(
                "Positions of wild 9 that depend on the colours",
                &["other value", "not a position"],
            ))
            .examples(study.examples(
                "other value with the colours swapped",
                &sum.spreads[0],
                &[],
            )?)
            .examples(study.examples(
                "no position of the game with the colours swapped",
                &sum.spreads[1],
                &[],
            )?),
    )
}
