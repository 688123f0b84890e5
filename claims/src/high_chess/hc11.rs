//! HC11: other ways to do without draws.

use retrograde_index::Wdl;
use retrograde_rules::Colour;
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, row, share};
use crate::study::Study;
use crate::tables::Ground;

use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC11",
    games: &["high-chess", "orthodox", "king-of-the-hill"],
    title: "High Chess does away with draws and shares the wins more evenly than counting draws for Black does.",
    source: "A comparison of this project; the designer claims the first half (HC1).",
    method: "The same placements with the same side to move, each a position of all three: \
             under High Chess with full counters, under orthodox chess with draws counted for \
             Black (Armageddon), and under King of the Hill. Counted: the share that White \
             wins, and under King of the Hill the share drawn.",
    rule: "Of the classes with the same men on both sides, the share in which White's share of \
           wins is nearer to one half in High Chess than in Armageddon.",
    limits: "In Armageddon games White is given more time; here only the draws count.",
    needs: |scope| scope.all(&["high-chess", "orthodox", "king-of-the-hill"]),
    examine,
};

const ALL: usize = 0;
const HIGH: usize = 1;
const ARMAGEDDON: usize = 2;
const HILL: usize = 3;
const HILL_DRAWN: usize = 4;
const DRAWN: usize = 5;
type Tally = Counts<6, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, orthodox, hill] =
        ["high-chess", "orthodox", "king-of-the-hill"].map(|id| study.game(id));
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no counters."));
    };
    let mut sum = Sums::default();
    let (mut even, mut nearer) = (0, 0);
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let [plain, hills] = [
            Ground::only(study.library, orthodox, material)?,
            Ground::only(study.library, hill, material)?,
        ];
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let [a, b] = [orthodox, hill].map(|other| carried_over(spot.position, other));
            let (Some(a), Some(b)) = (a, b) else {
                return Ok(());
            };
            let weight = |is: bool| spot.weight * u64::from(is);
            let winner = curves.winner(spot.turn(), spot.index, full(rules));
            let in_orthodox = plain.wdl(&a)?;
            let won = |wdl: Wdl| wdl.winner(spot.turn()).filter(|_| !wdl.is_cursed());
            let on_the_hill = won(hills.wdl(&b)?);
            tally[ALL] += spot.weight;
            tally[HIGH] += weight(winner == Colour::White);
            tally[ARMAGEDDON] += weight(won(in_orthodox) == Some(Colour::White));
            tally[DRAWN] += weight(won(in_orthodox).is_none());
            tally[HILL] += weight(on_the_hill == Some(Colour::White));
            tally[HILL_DRAWN] += weight(on_the_hill.is_none());
            if on_the_hill.is_none() {
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        sum.rows.push(row(
            material,
            tally[ALL],
            &[
                ("white_wins_in_high_chess", tally[HIGH]),
                ("white_wins_in_armageddon", tally[ARMAGEDDON]),
                ("white_wins_in_king_of_the_hill", tally[HILL]),
                ("drawn_in_king_of_the_hill", tally[HILL_DRAWN]),
                ("drawn_in_orthodox", tally[DRAWN]),
            ],
        ));
        if *material == material.swapped() {
            let off = |n: usize| (tally[n] as f64 / tally[ALL].max(1) as f64 - 0.5).abs();
            even += 1;
            nearer += u64::from(off(HIGH) < off(ARMAGEDDON));
            for (name, white, drawn) in [
                ("High", tally[HIGH], 0),
                ("Arm.", tally[ARMAGEDDON], 0),
                ("Hill", tally[HILL], tally[HILL_DRAWN]),
            ] {
                let black = tally[ALL] - white - drawn;
                sum.bars.add(
                    format!("{material} {name}"),
                    tally[ALL],
                    &[white, black, drawn],
                );
            }
        }
        sum.add(material, tally);
        Ok(())
    })?;
    let answer = format!(
        "White's share of the wins is nearer to one half in High Chess than in Armageddon in {} \
         of {} classes with the same men on both sides. Over all {} placements White wins {} in \
         High Chess, {} in Armageddon and {} in King of the Hill, which draws {}.",
        nearer,
        even,
        count(sum[ALL]),
        percent(sum[HIGH], sum[ALL]),
        percent(sum[ARMAGEDDON], sum[ALL]),
        percent(sum[HILL], sum[ALL]),
        percent(sum[HILL_DRAWN], sum[ALL]),
    );
    Ok(Outcome::of(nearer, even, sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("white_wins_in_high_chess_share", share(sum[HIGH], sum[ALL]))
        .figure(
            "white_wins_in_armageddon_share",
            share(sum[ARMAGEDDON], sum[ALL]),
        )
        .figure(
            "white_wins_in_king_of_the_hill_share",
            share(sum[HILL], sum[ALL]),
        )
        .figure(
            "drawn_in_king_of_the_hill_share",
            share(sum[HILL_DRAWN], sum[ALL]),
        )
        .figure("drawn_in_orthodox_share", share(sum[DRAWN], sum[ALL]))
        .figure("even_classes", json!(even))
        .figure("even_classes_nearer_one_half", json!(nearer))
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Same men on both sides: High Chess, Armageddon, King of the Hill",
            &["White wins", "Black wins", "drawn"],
        ))
        .examples(study.examples(
            "won in High Chess, drawn in King of the Hill",
            &sum.spreads[0],
            &[orthodox, hill],
        )?))
}
