//! HC6: Black's height advantage against White's first move.

use retrograde_rules::{Colour, Interchange};
use serde_json::Value;

use crate::claim::{Claim, Outcome, Verdict};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::study::Study;
use crate::tables::Ground;

use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC6",
    games: &["high-chess"],
    title: "Black's advantage of being High at equal distances balances White's first move.",
    source: "Grant Sinclair, designer of High Chess.",
    method: "Every position is paired with the one that has the colours swapped and the board \
             turned over, with full counters. If colours made no difference, the same side to \
             move would win in both. Where it does not, the tie rule alone decides, since \
             nothing else tells the colours apart; giving the tie to White is the value of the \
             swapped position. Wins are counted over all positions, and over those of classes \
             in which both sides have the same men, White to move and Black to move.",
    rule: "Over classes with the same men on both sides, White to move: the claim holds if \
           White wins between 49 % and 51 % of the positions, holds mostly from 45 % to 55 %, \
           and otherwise fails.",
    limits: "The first move of a game is made with all men on the board; here it is the move in \
             an ending.",
    needs: |scope| scope.all(&["high-chess"]),
    examine,
};

const ALL: usize = 0;
const BY_WHITE: usize = 1;
const BY_TIE: usize = 2;
/// White to move, those won by White, Black to move, those won by White.
const TURNS: usize = 3;
/// The same in classes with the same men.
const EVEN: usize = 7;
type Tally = Counts<11, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("high-chess");
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no height advantage."));
    };
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let swapped: Ground<_> = Ground::only(study.library, game, &material.swapped())?;
        let counters = full(rules);
        let is_even = *material == material.swapped();
        let mut tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (turn, weight) = (spot.turn(), spot.weight);
            let winner = curves.winner(turn, spot.index, counters);
            let by_white = weight * u64::from(winner == Colour::White);
            tally[ALL] += weight;
            tally[BY_WHITE] += by_white;
            let at = TURNS + 2 * turn.index();
            tally[at] += weight;
            tally[at + 1] += by_white;
            if let Some(other) = spot.position.with_colours_swapped(Interchange::MirrorRanks)
                && swapped.winner(&other)? == winner
            {
                tally[BY_TIE] += weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        let mut figures = row(
            material,
            tally[ALL],
            &[
                ("won_by_white", tally[BY_WHITE]),
                ("decided_by_the_tie_rule", tally[BY_TIE]),
            ],
        );
        for (turn, letter, n) in [("white", "w", 0), ("black", "b", 2)] {
            let (all, white) = (tally[TURNS + n], tally[TURNS + n + 1]);
            figures[format!("{turn}_to_move_won_by_white_share")] = share(white, all);
            if is_even {
                sum.bars
                    .add(format!("{material} {letter}"), all, &[white, all - white]);
                tally[EVEN + n] += all;
                tally[EVEN + n + 1] += white;
            }
        }
        sum.rows.push(figures);
        sum.add(material, tally);
        Ok(())
    })?;
    let (all, white) = (sum[EVEN], sum[EVEN + 1]);
    let answer = format!(
        "With equal men, White wins {} of the positions with White to move, and {} with Black \
         to move. Over all {} positions White wins {}; the tie rule alone decides {} of them.",
        percent(white, all),
        percent(sum[EVEN + 3], sum[EVEN + 2]),
        count(sum[ALL]),
        percent(sum[BY_WHITE], sum[ALL]),
        percent(sum[BY_TIE], sum[ALL]),
    );
    let mut outcome = Outcome::of(0, 0, sum[ALL], answer);
    if all > 0 {
        outcome.verdict = verdict((white as f64 / all as f64 - 0.5).abs());
    }
    Ok(outcome
        .figure("positions", sum[ALL])
        .figure("won_by_white", sum[BY_WHITE])
        .figure("won_by_white_share", share(sum[BY_WHITE], sum[ALL]))
        .figure("decided_by_the_tie_rule", sum[BY_TIE])
        .figure(
            "decided_by_the_tie_rule_share",
            share(sum[BY_TIE], sum[ALL]),
        )
        .figure("same_men_white_to_move", all)
        .figure("same_men_white_to_move_won_by_white", white)
        .figure(
            "same_men_white_to_move_won_by_white_share",
            share(white, all),
        )
        .figure("same_men_black_to_move", sum[EVEN + 2])
        .figure("same_men_black_to_move_won_by_white", sum[EVEN + 3])
        .figure(
            "same_men_black_to_move_won_by_white_share",
            share(sum[EVEN + 3], sum[EVEN + 2]),
        )
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Same men on both sides: who wins, White (w) or Black (b) to move",
            &["White", "Black"],
        ))
        .examples(study.examples("decided by the tie rule alone", &sum.spreads[0], &[])?))
}

/// The verdict if White's share of the wins is so far from one half.
fn verdict(off: f64) -> Verdict {
    match off {
        ..=0.01 => Verdict::Holds,
        ..=0.05 => Verdict::HoldsMostly,
        _ => Verdict::Fails,
    }
}
