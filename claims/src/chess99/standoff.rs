//! C99-7: a double check is a standoff.

use retrograde_index::Wdl;
use retrograde_rules::{End, Move, Position};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::compare::place;
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row_of};
use crate::need::Need;
use crate::sample::Spread;
use crate::study::Study;
use crate::tables::{Ground, Values};

use super::{few_or_even, is_double_check};

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-7",
    games: &["chess99"],
    title: "A double check is effectively a standoff.",
    source: "Claude Lapointe, designer of Chess 99: “effectively a standoff”.",
    method: "In classes of up to three men, and of four with the same men on both sides: every \
             move that answers a check and leaves both kings attacked: is the position \
             after it drawn, won or lost for the side to move? How often does saving the own \
             king win where capturing the other king would only draw? And the longest series \
             of double checks each of which is the only move that keeps the value.",
    rule: "The share of these double checks after which the position is drawn.",
    limits: "Each pair of a position and such a move counts once; a position that several moves \
             lead to counts several times. With the default rules, the side to \
             move after a double check can always capture the other king for at least a draw \
             (C3), so no further one follows by force.",
    needs: |scope| {
        let game = scope.game("chess99");
        let materials = few_or_even(scope, game);
        vec![Need::of(game, materials)]
    },
    examine,
};

const ANSWERS: usize = 0;
/// For the side to move after it: won, drawn, lost.
const RESULT: usize = 1;
const SAVED: usize = 4;
const ALL: usize = 5;
/// By the number of forced double checks that follow.
const SERIES: usize = 6;
const LONGEST: usize = 32;
type Tally = Counts<{ SERIES + LONGEST }, 5>;

const KINDS: [&str; 5] = [
    "a double check after which the position is drawn",
    "a double check after which the side to move wins",
    "a double check after which the side to move loses",
    "saving the own king wins, and capturing the other one would draw",
    "the longest forced series of double checks",
];
/// The last kind, which has a line of its own.
const FORCED: usize = 4;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("chess99");
    let mut sum = Sums::default();
    let mut longest = 0;
    let materials = few_or_even(study.scope, game);
    study.each(game, &materials, |material| {
        let values = study.library.values(game, material)?;
        // A series goes on after captures.
        let ground = Ground::beyond(study.library, game, material)?;
        let mut tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            if !position.is_check() {
                return Ok(());
            }
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                if after.finished().is_some() || !is_double_check(&after) {
                    continue;
                }
                let result = ground.wdl(&after)?;
                tally[ANSWERS] += weight;
                tally[RESULT + place(result)] += weight;
                match result {
                    Wdl::Win => tally.samples[1].offer_played(&after),
                    Wdl::Loss => tally.samples[2].offer_played(&after),
                    _ => tally.samples[0].offer_played(&after),
                }
                if result == Wdl::Win && !wins_by_capture(&after) {
                    tally[SAVED] += weight;
                    tally.samples[3].offer_played(&after);
                }
                // A double check that is forced keeps a draw: the king may be captured (C3).
                if result == Wdl::Draw {
                    let length = series(&ground, &after)?.len();
                    let rank = (LONGEST - length) as u8;
                    tally[SERIES + length] += weight;
                    tally.samples[FORCED].offer_ranked(rank, &after);
                }
            }
            Ok(())
        })?;
        let answers = tally[ANSWERS];
        if answers > 0 {
            let parts = [0, 1, 2].map(|n| tally[RESULT + n]);
            sum.rows.push(row_of(
                material,
                ("double_checks", answers),
                &[
                    ("won", parts[0]),
                    ("drawn", parts[1]),
                    ("lost", parts[2]),
                    ("saving_wins", tally[SAVED]),
                ],
            ));
            sum.bars.add(material, answers, &parts);
        }
        let length = (0..LONGEST)
            .rev()
            .find(|n| tally[SERIES + n] > 0)
            .unwrap_or_default();
        let mut series = std::mem::take(&mut tally.samples[FORCED]);
        sum.add(material, tally);
        if length > longest {
            (longest, sum.spreads[FORCED]) = (length, Spread::default());
        }
        if length == longest && length > 0 {
            series.keep_lowest_rank();
            sum.spreads[FORCED].add(material, series);
        }
        Ok(())
    })?;
    let of = |n: usize| percent(sum[RESULT + n], sum[ANSWERS]);
    let answer = format!(
        "After {} double checks that answer a check, {} are drawn, {} won and {} lost for the \
         side to move. Saving the own king wins, where capturing the other would draw, in {}. \
         {}",
        count(sum[ANSWERS]),
        of(1),
        of(0),
        of(2),
        percent(sum[SAVED], sum[ANSWERS]),
        match longest {
            0 => "No further double check follows by force.".to_owned(),
            1 => "At most one more double check follows by force.".to_owned(),
            most => format!("At most {most} more double checks follow by force."),
        },
    );
    let mut outcome = Outcome::of(sum[RESULT + 1], sum[ANSWERS], sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("double_checks_that_answer_a_check", sum[ANSWERS])
        .figure("won", sum[RESULT])
        .figure("drawn", sum[RESULT + 1])
        .figure("lost", sum[RESULT + 2])
        .figure("saving_the_own_king_wins", sum[SAVED])
        .figure("double_checks_that_follow_by_force_at_most", longest)
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "After a double check that answers a check, for the side to move",
            &["won", "drawn", "lost"],
        ));
    for (kind, spread) in KINDS.into_iter().zip(&sum.spreads[..FORCED]) {
        outcome = outcome.examples(study.examples(kind, spread, &[])?);
    }
    let mut examples = study.examples(KINDS[FORCED], &sum.spreads[FORCED], &[])?;
    for (example, mut position) in examples.iter_mut().zip(sum.spreads[FORCED].pick()) {
        let ground = Ground::beyond(study.library, game, &position.material())?;
        example.line.clear();
        for mv in series(&ground, &position)? {
            example.line.push(position.san(mv));
            position = position.play(mv);
        }
    }
    Ok(outcome.examples(examples))
}

/// Whether capturing the king wins (C2).
fn wins_by_capture(position: &Position) -> bool {
    let moves = position.legal_moves();
    let wins = |mv: &Move| position.play(*mv).finished() == Some(End::KingCapture);
    moves.iter().any(wins)
}

/// The double checks that follow on each other from here: as long as one is the only move
/// that keeps the value.
fn series(ground: &Ground<Values>, position: &Position) -> Result<Vec<Move>, ClaimError> {
    let (mut series, mut position) = (Vec::new(), *position);
    while series.len() + 1 < LONGEST {
        let value = ground.wdl(&position)?.reversed();
        let mut only = None;
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            if ground.wdl(&after)? == value {
                if only.is_some() {
                    return Ok(series);
                }
                only = Some((mv, after));
            }
        }
        match only {
            Some((mv, after)) if after.finished().is_none() && is_double_check(&after) => {
                series.push(mv);
                position = after;
            }
            _ => return Ok(series),
        }
    }
    Ok(series)
}
