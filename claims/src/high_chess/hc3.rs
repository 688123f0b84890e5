//! HC3: bishop and knight win more easily by exhaustion.

use retrograde_probe::WinBy;
use retrograde_rules::Colour;
use serde_json::{Value, json};

use crate::chart::Chart;
use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, row};
use crate::need::Need;
use crate::study::Study;
use crate::tables::Ground;

use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC3",
    games: &["high-chess", "orthodox"],
    title: "King, bishop and knight against king is easier to win by exhaustion than by mate.",
    source: "Grant Sinclair, designer of High Chess.",
    method: "All positions of KBNvK and KvKBN with full counters that the side with the pieces \
             wins. Exhaustion is easier where it takes less vitality to win than to force mate \
             against a side whose counter is never lowered. Beside it: how many of these \
             positions orthodox chess wins, and in how many plies.",
    rule: "The share of the wins that need less vitality than forcing mate does.",
    limits: "Vitality that a win takes is a measure of ease for a perfect player; how hard the \
             moves are to find is not measured.",
    needs: |scope| {
        let games = ["high-chess", "orthodox"].map(|id| scope.game(id));
        games
            .map(|game| Need::of(game, scope.named(game, &BOTH)))
            .into()
    },
    examine,
};

/// Both colourings, which may be the same table.
const BOTH: [&str; 2] = ["KBNvK", "KvKBN"];

const ALL: usize = 0;
const WON: usize = 1;
const MATE: usize = 2;
const EXHAUSTION: usize = 3;
const EASIER: usize = 4;
const ORTHODOX: usize = 5;
/// By the vitality that winning takes, from 1 on; then the same for forcing mate.
const NEEDS: usize = 6;
const MATES: usize = NEEDS + 52;
const NUMBERS: usize = MATES + 52;
type Tally = Counts<NUMBERS, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, orthodox] = ["high-chess", "orthodox"].map(|id| study.game(id));
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no exhaustion."));
    };
    let materials = study.scope.named(game, &BOTH);
    if materials.is_empty() {
        return Ok(Outcome::not_decidable(
            "The ending has four men, and the tables have fewer.",
        ));
    }
    let mut sum = Sums::default();
    study.each(game, &materials, |material| {
        let strong = match material.side_len(Colour::White) {
            3 => Colour::White,
            _ => Colour::Black,
        };
        let curves = study.library.curves(game, material)?;
        let results = Ground::only(study.library, orthodox, material)?;
        let counters = full(rules);
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (turn, weight) = (spot.turn(), spot.weight);
            tally[ALL] += weight;
            if let Some(same) = carried_over(spot.position, orthodox) {
                let wdl = results.wdl(&same)?;
                let wins = wdl.winner(turn) == Some(strong) && !wdl.is_cursed();
                tally[ORTHODOX] += weight * u64::from(wins);
            }
            let (winner, by) = curves.outcome(turn, spot.index, counters);
            if winner != strong {
                return Ok(());
            }
            let curve = curves.curve(turn, spot.index);
            let needs = curve.needs(strong)[usize::from(rules.full().white) - 1];
            let mates = curves.mates(turn, spot.index)[strong.index()];
            let is_easier = needs < mates;
            tally[WON] += weight;
            tally[if by == WinBy::Mate { MATE } else { EXHAUSTION }] += weight;
            tally[EASIER] += weight * u64::from(is_easier);
            tally[NEEDS + usize::from(needs)] += weight;
            tally[MATES + usize::from(mates)] += weight;
            tally.offer(usize::from(is_easier), spot);
            Ok(())
        })?;
        let parts = [tally[MATE], tally[EXHAUSTION], tally[ALL] - tally[WON]];
        sum.rows.push(row(
            material,
            tally[ALL],
            &[
                ("won", tally[WON]),
                ("by_mate", tally[MATE]),
                ("only_by_exhaustion", tally[EXHAUSTION]),
                ("easier_by_exhaustion", tally[EASIER]),
                ("won_in_orthodox", tally[ORTHODOX]),
            ],
        ));
        sum.bars.add(material, tally[ALL], &parts);
        sum.add(material, tally);
        Ok(())
    })?;
    let longest = study.longest_win(orthodox, &materials[0])?;
    let answer = format!(
        "The pieces win {} of {} positions, where orthodox chess wins {}. Of the wins, {} take \
         less vitality than forcing mate, and {} would be no wins without exhaustion.",
        percent(sum[WON], sum[ALL]),
        count(sum[ALL]),
        percent(sum[ORTHODOX], sum[ALL]),
        percent(sum[EASIER], sum[WON]),
        percent(sum[EXHAUSTION], sum[WON]),
    );
    let points = |first: usize| -> Vec<(f64, f64)> {
        let numbers = (1..=usize::from(rules.full().white) + 1).scan(0, |so_far, needs| {
            *so_far += sum[first + needs];
            Some((needs as f64, *so_far as f64 / sum[WON].max(1) as f64))
        });
        numbers.collect()
    };
    let chart = Chart::Lines {
        title: "KBN v K: share of the wins that so much vitality suffices for (51: no vitality \
                forces mate)"
            .to_owned(),
        axes: [
            "vitality of the side with the pieces".to_owned(),
            "share of its wins".to_owned(),
        ],
        lines: vec![
            ("to win".to_owned(), points(NEEDS)),
            ("to force mate".to_owned(), points(MATES)),
        ],
    };
    Ok(Outcome::of(sum[EASIER], sum[WON], sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("won", sum[WON])
        .figure("easier_by_exhaustion", sum[EASIER])
        .figure("only_by_exhaustion", sum[EXHAUSTION])
        .figure("by_class", Value::Array(sum.rows))
        .figure("longest_win_in_orthodox_plies", json!(longest))
        .chart(sum.bars.chart(
            "KBN v K: how it ends",
            &["won by mate", "won by exhaustion only", "not won"],
        ))
        .chart(chart)
        .examples(study.examples("mate takes no more vitality", &sum.spreads[0], &[orthodox])?)
        .examples(study.examples("easier by exhaustion", &sum.spreads[1], &[orthodox])?))
}
