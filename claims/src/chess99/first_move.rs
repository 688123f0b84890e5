//! C99-1: the rule on capturing the king while in check evens out the first move.

use retrograde_rules::{Game, Material};
use serde_json::{Value, json};

use crate::chart::Bars;
use crate::claim::{Claim, Outcome};
use crate::compare::place;
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::{count, percent_of, rounded, share};
use crate::need::Need;
use crate::scope::Scope;
use crate::study::Study;

use super::WITHOUT_THE_RULE;

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-1",
    games: &["chess99"],
    title: "That capturing the king while in check only draws evens out the advantage of the first move.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "In every class with the same men on both sides: how many positions are won, drawn \
             and lost for the side to move, with the designer's rule and with a capture of \
             the king that always wins (king-capture-in-check=win). The advantage of the move \
             is the share won less the share lost.",
    rule: "Of these classes, the share in which the advantage of the move is smaller with the \
           designer's rule.",
    limits: "The first move of a game is made with all men on the board; here it is the move in \
             an ending.",
    needs: |scope| {
        let games = ["chess99", WITHOUT_THE_RULE].map(|id| scope.game(id));
        games
            .map(|game| Need::of(game, materials(scope, game)))
            .into()
    },
    examine,
};

/// The classes with the same men on both sides.
fn materials(scope: &Scope, game: Game) -> Vec<Material> {
    let mut list = scope.materials(game);
    list.retain(|material| *material == material.swapped());
    list
}

/// Won, drawn, lost.
type Tally = Counts<3>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let games = ["chess99", WITHOUT_THE_RULE].map(|id| study.game(id));
    let materials = materials(study.scope, games[0]);
    let (mut rows, mut bars, mut smaller) = (Vec::new(), Bars::default(), 0);
    let mut sums = [Tally::default(), Tally::default()];
    study.expect(games[1], &materials)?;
    study.each(games[0], &materials, |material| {
        let mut advantages = [0.0; 2];
        for (n, (game, name)) in games.into_iter().zip(["rule", "none"]).enumerate() {
            let values = study.library.values(game, material)?;
            let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
                tally[place(values.wdl(spot.turn(), spot.index))] += spot.weight;
                Ok(())
            })?;
            let all = tally[0] + tally[1] + tally[2];
            advantages[n] = advantage(&tally);
            rows.push(json!({
                "material": material.to_string(),
                "game": game.id(),
                "positions": all,
                "won": tally[0],
                "won_share": share(tally[0], all),
                "drawn": tally[1],
                "drawn_share": share(tally[1], all),
                "lost": tally[2],
                "lost_share": share(tally[2], all),
                "advantage_share": rounded(advantages[n]),
            }));
            bars.add(
                format!("{material} {name}"),
                all,
                &[tally[0], tally[1], tally[2]],
            );
            sums[n].add(&tally);
        }
        smaller += u64::from(advantages[0].abs() < advantages[1].abs());
        Ok(())
    })?;
    let [with, without] = [advantage(&sums[0]), advantage(&sums[1])];
    let positions: u64 = (0..3).map(|n| sums[0][n]).sum();
    let answer = format!(
        "With the rule the side to move wins {} more of {} positions than it loses, without it \
         {}. The advantage is smaller with the rule in {} of {} classes.",
        percent_of(with),
        count(positions),
        percent_of(without),
        smaller,
        materials.len(),
    );
    Ok(
        Outcome::of(smaller, materials.len() as u64, positions, answer)
            .figure("positions", positions)
            .figure("advantage_with_the_rule_share", rounded(with))
            .figure("advantage_without_the_rule_share", rounded(without))
            .figure("by_class", Value::Array(rows))
            .chart(bars.chart(
                "Same men on both sides, for the side to move: with the rule, and with none",
                &["won", "drawn", "lost"],
            )),
    )
}

/// The share won less the share lost.
fn advantage(tally: &Tally) -> f64 {
    let all = tally[0] + tally[1] + tally[2];
    (tally[0] as f64 - tally[2] as f64) / all.max(1) as f64
}
