//! HC4: who can be in zugzwang, and who gains by passing.

use retrograde_rules::{Colour, HighChess, Position};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::{count, row, share};
use crate::sample::Spread;
use crate::study::{Study, with_rights};
use crate::tables::{Curves, Ground};

use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC4",
    games: &["high-chess"],
    title: "Only Low can be in zugzwang, and passing is only useful to High.",
    source: "Grant Sinclair, designer of High Chess.",
    method: "With full counters. Zugzwang: neither side is in check, the mover loses, and would \
             win if it were the other side's turn. A useful pass: of all winning moves the \
             pass is the only one. High and Low are told by the position as it stands, which \
             a pass does not change. Positions with an e.p. right are looked at too: there \
             Low's pass is vital and refills his points (H7).",
    rule: "The share of all zugzwangs and useful passes in which Low is in zugzwang or High \
           passes.",
    limits: "A zugzwang is of the full counters alone; with few points left there are others.",
    needs: |scope| scope.all(&["high-chess"]),
    examine,
};

const ALL: usize = 0;
const LOW_ZUGZWANG: usize = 1;
const HIGH_ZUGZWANG: usize = 2;
const LOW_PASS: usize = 3;
const HIGH_PASS: usize = 4;
const RIGHTS: usize = 5;
const LOW_PASS_RIGHT: usize = 6;
const HIGH_PASS_RIGHT: usize = 7;
type Tally = Counts<8, 6>;

const KINDS: [&str; 6] = [
    "High is in zugzwang",
    "only the pass wins, and Low passes",
    "only the pass wins for Low, who may capture en passant",
    "Low is in zugzwang",
    "only the pass wins, and High passes",
    "only the pass wins for High, who may capture en passant",
];

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("high-chess");
    let Some(rules) = game.counters() else {
        return Ok(Outcome::not_decidable("The game has no pass."));
    };
    let (mut sum, mut rows) = (Counts::<8>::default(), Vec::new());
    let mut spreads: [Spread; 6] = Default::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.curves(game, material)?;
        let ground = study.curves_around(game, material)?;
        let counters = full(rules);
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (position, turn, weight) = (spot.position, spot.turn(), spot.weight);
            let is_low = HighChess::high(position.board()) != turn;
            tally[ALL] += weight;
            let winner = curves.winner(turn, spot.index, counters);
            if winner != turn {
                let wins_waiting = curves.winner(turn.other(), spot.index, counters) == turn;
                if wins_waiting && is_quiet(position) {
                    let at = if is_low { LOW_ZUGZWANG } else { HIGH_ZUGZWANG };
                    tally[at] += weight;
                    tally.offer(if is_low { 3 } else { 0 }, spot);
                }
            } else if needs_pass(&ground, position)? {
                tally[if is_low { LOW_PASS } else { HIGH_PASS }] += weight;
                tally.offer(if is_low { 1 } else { 4 }, spot);
            }
            if curves.index().material().has_pawns() {
                for right in with_rights(position) {
                    tally[RIGHTS] += weight;
                    if ground.winner(&right)? == turn && needs_pass(&ground, &right)? {
                        tally[if is_low {
                            LOW_PASS_RIGHT
                        } else {
                            HIGH_PASS_RIGHT
                        }] += weight;
                        let kind = if is_low { 2 } else { 5 };
                        tally.samples[kind].offer_played(&right);
                    }
                }
            }
            Ok(())
        })?;
        rows.push(row(
            material,
            tally[ALL],
            &[
                ("low_in_zugzwang", tally[LOW_ZUGZWANG]),
                ("high_in_zugzwang", tally[HIGH_ZUGZWANG]),
                ("only_low_pass_wins", tally[LOW_PASS]),
                ("only_high_pass_wins", tally[HIGH_PASS]),
            ],
        ));
        sum.add(&tally);
        for (spread, sample) in spreads.iter_mut().zip(tally.samples) {
            spread.add(material, sample);
        }
        Ok(())
    })?;
    let [low_pass, high_pass] = [
        sum[LOW_PASS] + sum[LOW_PASS_RIGHT],
        sum[HIGH_PASS] + sum[HIGH_PASS_RIGHT],
    ];
    let against = sum[HIGH_ZUGZWANG] + low_pass;
    let all = against + sum[LOW_ZUGZWANG] + high_pass;
    let answer = format!(
        "Low is in zugzwang in {} positions and High in {}. The pass is the only winning move \
         for High in {} positions and for Low in {}, {} of them with a right to capture en \
         passant.",
        count(sum[LOW_ZUGZWANG]),
        count(sum[HIGH_ZUGZWANG]),
        count(high_pass),
        count(low_pass),
        count(sum[LOW_PASS_RIGHT]),
    );
    let mut outcome = Outcome::of(all - against, all, sum[ALL] + sum[RIGHTS], answer)
        .figure("positions", sum[ALL])
        .figure("low_in_zugzwang", sum[LOW_ZUGZWANG])
        .figure("high_in_zugzwang", sum[HIGH_ZUGZWANG])
        .figure("only_low_pass_wins", sum[LOW_PASS])
        .figure("only_high_pass_wins", sum[HIGH_PASS])
        .figure("positions_with_an_ep_right", sum[RIGHTS])
        .figure("only_low_pass_wins_with_an_ep_right", sum[LOW_PASS_RIGHT])
        .figure("only_high_pass_wins_with_an_ep_right", sum[HIGH_PASS_RIGHT])
        .figure("as_claimed", all - against)
        .figure("as_claimed_share", json!(share(all - against, all)))
        .figure("by_class", Value::Array(rows));
    for (kind, spread) in KINDS.into_iter().zip(&spreads) {
        outcome = outcome.examples(study.examples(kind, spread, &[])?);
    }
    Ok(outcome)
}

/// Whether neither side is in check, so that either could be to move.
fn is_quiet(position: &Position) -> bool {
    Colour::BOTH
        .into_iter()
        .all(|colour| !position.in_check(colour))
}

/// Whether the pass wins, and no other move does.
fn needs_pass(ground: &Ground<Curves>, position: &Position) -> Result<bool, ClaimError> {
    let turn = position.turn();
    if position.is_check() {
        return Ok(false);
    }
    let moves = position.legal_moves();
    // The pass is the last move, and most often tells.
    for &mv in moves.iter().rev() {
        let wins = ground.winner(&position.play(mv))? == turn;
        if wins != mv.is_pass() {
            return Ok(false);
        }
    }
    Ok(true)
}
