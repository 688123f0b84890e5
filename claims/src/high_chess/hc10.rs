//! HC10: how Low can still win, and how common mate is.

use retrograde_probe::WinBy;
use retrograde_rules::{End, Move, Position};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share, shares};
use crate::study::Study;
use crate::tables::Ground;

use super::VITALITY;
use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC10",
    games: &["high-chess"],
    title: "Low loses by exhaustion unless it makes vital moves, becomes High or mates; and checkmate is still a common outcome.",
    source: "Grant Sinclair, designer of High Chess: “checkmate is still a common outcome”.",
    method: "All positions with full counters. How many wins would be wins even if the loser's \
             counter were never lowered, so that mate decides? And where Low is to move and \
             wins: which of the three does a winning move do at once?",
    rule: "Checkmate is common: the claim holds if at least half of the positions are won by \
           mate, whatever the counters, holds mostly if at least a quarter are, and otherwise \
           fails.",
    limits: "That Low cannot win without any of the three follows from the rules (H5, H6); what \
             is counted is which of them a winning move does at once.",
    needs: |scope| scope.all(&["high-chess"]),
    examine,
};

const ALL: usize = 0;
const MATE: usize = 1;
const LOW_WINS: usize = 2;
const VITAL: usize = 3;
const HIGH: usize = 4;
const MATES: usize = 5;
const LATER: usize = 6;
type Tally = Counts<7, 2>;

/// What a winning move of Low does.
const WAYS: [(&str, usize); 4] = [
    ("a_winning_move_is_vital", VITAL),
    ("a_winning_move_becomes_high", HIGH),
    ("a_winning_move_mates", MATES),
    ("none_at_once", LATER),
];

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("high-chess");
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no exhaustion."));
    };
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let ground = Ground::around(study.library, game, material)?;
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (position, turn, weight) = (spot.position, spot.turn(), spot.weight);
            let (winner, by) = curves.outcome(turn, spot.index, full(rules));
            tally[ALL] += weight;
            tally[MATE] += weight * u64::from(by == WinBy::Mate);
            if winner != turn || VITALITY.is_high(position, turn) {
                return Ok(());
            }
            tally[LOW_WINS] += weight;
            let mut does = [false; 3];
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                let ways = ways(position, mv, &after);
                if ways.iter().zip(does).any(|(way, done)| *way && !done)
                    && ground.winner(&after)? == turn
                {
                    does.iter_mut()
                        .zip(ways)
                        .for_each(|(done, way)| *done |= way);
                }
            }
            for (n, done) in does.into_iter().enumerate() {
                tally[VITAL + n] += weight * u64::from(done);
            }
            if does == [false; 3] {
                tally[LATER] += weight;
                tally.offer(0, spot);
            } else {
                tally.offer(1, spot);
            }
            Ok(())
        })?;
        let mut figures = row(
            material,
            tally[ALL],
            &[
                ("won_by_mate", tally[MATE]),
                ("won_by_the_counter_alone", tally[ALL] - tally[MATE]),
                ("low_to_move_wins", tally[LOW_WINS]),
            ],
        );
        if let Value::Object(figures) = &mut figures {
            let ways = WAYS.map(|(name, n)| (name, tally[n]));
            figures.extend(shares(tally[LOW_WINS], &ways));
        }
        sum.rows.push(figures);
        sum.bars.add(
            material,
            tally[ALL],
            &[tally[MATE], tally[ALL] - tally[MATE]],
        );
        sum.add(material, tally);
        Ok(())
    })?;
    let of_low = |n: usize| percent(sum[n], sum[LOW_WINS]);
    let answer = format!(
        "Mate decides {} of {} positions. Where Low is to move and wins ({} positions), a \
         winning move becomes High at once in {}, is vital in {}, and mates in {}; in {} Low \
         must wait for it.",
        percent(sum[MATE], sum[ALL]),
        count(sum[ALL]),
        count(sum[LOW_WINS]),
        of_low(HIGH),
        of_low(VITAL),
        of_low(MATES),
        of_low(LATER),
    );
    let mut outcome = Outcome::of_percent(sum[MATE], sum[ALL], [50, 25], sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("won_by_mate", sum[MATE])
        .figure("won_by_mate_share", share(sum[MATE], sum[ALL]))
        .figure("low_to_move_wins", sum[LOW_WINS]);
    for (name, n) in WAYS {
        outcome = outcome
            .figure(name, sum[n])
            .figure(&format!("{name}_share"), share(sum[n], sum[LOW_WINS]));
    }
    Ok(outcome
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "What decides, by class",
            &["mate, whatever the counters", "the counter"],
        ))
        .examples(study.examples(
            "Low wins without any of the three at once",
            &sum.spreads[0],
            &[],
        )?)
        .examples(study.examples("Low wins by one of the three at once", &sum.spreads[1], &[])?))
}

/// Which of the three a move does: vital, makes the mover High, mates.
fn ways(position: &Position, mv: Move, after: &Position) -> [bool; 3] {
    let mates = after.is_check() && after.end() == Some(End::Checkmate);
    [
        VITALITY.is_vital(position, mv),
        VITALITY.is_high(after, position.turn()),
        mates,
    ]
}
