//! HC8: kings gravitate to the centre.

use retrograde_rules::{Move, PieceType};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::need::Need;
use crate::scope::Scope;
use crate::study::Study;
use crate::tables::Ground;

use super::VITALITY;
use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC8",
    games: &["high-chess"],
    title: "Kings gravitate to the centre.",
    source: "Grant Sinclair, designer of High Chess.",
    method: "In all positions of up to three men that the mover wins with full counters: the \
             share of king moves to a smaller ring (nearer to the centre by H1) among the \
             winning moves, against their share among all legal moves.",
    rule: "Of the classes, the share in which king moves towards the centre are more common \
           among winning moves than among all moves.",
    limits: "Endings of three men: with more, the king has more to hide from.",
    needs: |scope| {
        let game = scope.game("high-chess");
        vec![Need::of(game, materials(scope))]
    },
    examine,
};

/// The classes of few men.
fn materials(scope: &Scope) -> Vec<retrograde_rules::Material> {
    let mut list = scope.materials(scope.game("high-chess"));
    list.retain(|material| material.len() <= 3);
    list
}

const ALL: usize = 0;
const MOVES: usize = 1;
const INWARD: usize = 2;
const WINNING: usize = 3;
const INWARD_WINNING: usize = 4;
type Tally = Counts<5, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("high-chess");
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no rings."));
    };
    let mut sum = Sums::default();
    let (mut inward_classes, mut classes) = (0, 0);
    study.each(game, &materials(study.scope), |material| {
        let curves = study.library.curves(game, material)?;
        let ground = Ground::around(study.library, game, material)?;
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let (position, turn, weight) = (spot.position, spot.turn(), spot.weight);
            tally[ALL] += weight;
            if curves.winner(turn, spot.index, full(rules)) != turn {
                return Ok(());
            }
            let (mut winning, mut inward_winning) = (0, 0);
            for &mv in &position.legal_moves() {
                let inward = u64::from(is_inward(mv));
                tally[MOVES] += weight;
                tally[INWARD] += weight * inward;
                if ground.winner(&position.play(mv))? == turn {
                    winning += 1;
                    inward_winning += inward;
                }
            }
            tally[WINNING] += weight * winning;
            tally[INWARD_WINNING] += weight * inward_winning;
            if winning > 0 && winning == inward_winning {
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        let mut figures = row(material, tally[ALL], &[]);
        if let Value::Object(figures) = &mut figures {
            figures.insert("winning_moves".into(), tally[WINNING].into());
            figures.insert(
                "inward_moves_among_winning_share".into(),
                share(tally[INWARD_WINNING], tally[WINNING]),
            );
            figures.insert(
                "inward_moves_among_all_share".into(),
                share(tally[INWARD], tally[MOVES]),
            );
        }
        sum.rows.push(figures);
        sum.bars.add(
            format!("{material} winning"),
            tally[WINNING],
            &[tally[INWARD_WINNING]],
        );
        sum.bars
            .add(format!("{material} all"), tally[MOVES], &[tally[INWARD]]);
        let ratio = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        classes += u64::from(tally[WINNING] > 0);
        inward_classes += u64::from(
            ratio(tally[INWARD_WINNING], tally[WINNING]) > ratio(tally[INWARD], tally[MOVES]),
        );
        sum.add(material, tally);
        Ok(())
    })?;
    let answer = format!(
        "King moves towards the centre are {} of the winning moves and {} of all legal moves in \
         won positions; they are more common among winning moves in {} of {} classes.",
        percent(sum[INWARD_WINNING], sum[WINNING]),
        percent(sum[INWARD], sum[MOVES]),
        count(inward_classes),
        count(classes),
    );
    Ok(Outcome::of(inward_classes, classes, sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("winning_moves", sum[WINNING])
        .figure(
            "inward_moves_among_winning_share",
            share(sum[INWARD_WINNING], sum[WINNING]),
        )
        .figure(
            "inward_moves_among_all_share",
            share(sum[INWARD], sum[MOVES]),
        )
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "King moves towards the centre, among the winning and among all moves",
            &["king moves towards the centre"],
        ))
        .examples(study.examples(
            "only king moves towards the centre win",
            &sum.spreads[0],
            &[],
        )?))
}

/// Whether the king goes to a smaller ring.
fn is_inward(mv: Move) -> bool {
    mv.piece == PieceType::King && VITALITY.distance(mv.to) < VITALITY.distance(mv.from)
}
