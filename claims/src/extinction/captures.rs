//! EX-4: what ends a fork of royal men.

use retrograde_rules::{Game, Position};
use serde_json::{Value, json};

use crate::chart::Bars;
use crate::claim::{Claim, Outcome};
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::sample::Spread;
use crate::study::Study;

use super::threats::threats;

pub(super) const CLAIM: Claim = Claim {
    tag: "EX-4",
    games: &["extinction-mating"],
    title: "The only way to end all threats of a fork of royal men in one move is to capture the threatening piece.",
    source: "The designer of extinction chess with mating rules (2011): “the only way to end all \
             the threats in one move is to capture the threatening piece”.",
    method: "All positions in which two or more royal men are attacked and there is a legal \
             move: does every legal move capture a man that attacks one of them? Two positions \
             of more men are checked by the rules alone.",
    rule: "The share of these positions in which every legal move captures an attacker.",
    limits: "Forks by several men at once count, too.",
    needs: |scope| scope.all(&["extinction-mating"]),
    examine,
};

/// Positions of more men: a fork that only another rook ends, which is royal no more and stands
/// in between; and a check to one man that making another king answers, which is neither
/// moving it, nor blocking, nor a capture.
const REFUTATIONS: [&str; 2] = [
    "8/5p2/8/8/r7/8/6p1/3Q3k b - -",
    "4r3/2P5/8/8/8/P7/8/4K3 w - -",
];

const ALL: usize = 0;
const FORKS: usize = 1;
const CAPTURED: usize = 2;
type Tally = Counts<3, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("extinction-mating");
    let (mut sum, mut rows, mut bars) = (Counts::<3>::default(), Vec::new(), Bars::default());
    let mut spreads: [Spread; 2] = Default::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let values = study.values(game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            let Some(by_capture) = ends_by_capture(position) else {
                return Ok(());
            };
            tally[FORKS] += weight;
            tally[CAPTURED] += weight * u64::from(by_capture);
            tally.offer(usize::from(by_capture), spot);
            Ok(())
        })?;
        if tally[FORKS] > 0 {
            rows.push(row(
                material,
                tally[FORKS],
                &[("only_captures", tally[CAPTURED])],
            ));
        }
        bars.add(
            material,
            tally[FORKS],
            &[tally[CAPTURED], tally[FORKS] - tally[CAPTURED]],
        );
        sum.add(&tally);
        for (spread, sample) in spreads.iter_mut().zip(tally.samples) {
            spread.add(material, sample);
        }
        Ok(())
    })?;
    let answer = format!(
        "Of {} forks of royal men that can be answered, only capturing an attacker ends all \
         threats in {}. Of more men there are others, checked by the rules alone.",
        count(sum[FORKS]),
        percent(sum[CAPTURED], sum[FORKS]),
    );
    Ok(Outcome::of(sum[CAPTURED], sum[FORKS], sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("forks_with_an_answer", sum[FORKS])
        .figure("only_captures", sum[CAPTURED])
        .figure("only_captures_share", share(sum[CAPTURED], sum[FORKS]))
        .figure(
            "by_the_rules_alone",
            REFUTATIONS.map(|fen| refutation(game, fen)).to_vec(),
        )
        .figure("by_class", Value::Array(rows))
        .chart(bars.chart(
            "Forks of royal men that can be answered",
            &["only by capturing an attacker", "otherwise"],
        ))
        .examples(study.examples("a fork that another move ends", &spreads[0], &[])?)
        .examples(study.examples("a fork that only a capture ends", &spreads[1], &[])?))
}

/// For a fork with a legal answer, whether every answer captures an attacker.
fn ends_by_capture(position: &Position) -> Option<bool> {
    if !position.is_check() {
        return None;
    }
    let threats = threats(position);
    if threats.royals.len() < 2 {
        return None;
    }
    let moves = position.legal_moves();
    let captures = |square| threats.attackers.contains(square);
    (!moves.is_empty()).then(|| moves.iter().all(|mv| mv.captured.is_some_and(captures)))
}

/// What the rules say about a position.
fn refutation(game: Game, fen: &str) -> Value {
    let Ok(position) = Position::from_fen(game, fen) else {
        return json!({ "fen": fen, "attacked_royal_men": null, "legal_moves": "not a position" });
    };
    let geometry = game.geometry();
    let royals: Vec<String> = threats(&position)
        .royals
        .map(|square| geometry.name(square))
        .collect();
    let moves: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|&mv| position.uci(mv))
        .collect();
    json!({
        "fen": fen,
        "attacked_royal_men": royals.join(", "),
        "legal_moves": moves.join(", "),
        "only_captures": ends_by_capture(&position),
    })
}
