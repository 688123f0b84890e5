//! EX-1: how much the mating rules change.

use retrograde_rules::End;
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::compare::{Colourings, compare};
use crate::error::ClaimError;
use crate::figures::{count, percent, share};
use crate::need::Need;
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "EX-1",
    games: &["extinction-mating", "extinction"],
    title: "The change of rules does not matter for 99.9 % of the games.",
    source: "The designer of extinction chess with mating rules (2011): it “would not matter for \
             99.9% of the games”.",
    method: "All positions of extinction chess with mating rules, and their values in the base \
             game. Differences in which the position is a stalemate are told apart.",
    rule: "None: in a game from the array each side always has all six kinds of men, so no class \
           of fewer than twelve men arises. The figures are for endings as games of their own.",
    limits: "Nothing is said here about games.",
    needs: |scope| -> Vec<Need> { scope.all(&["extinction-mating", "extinction"]) },
    examine,
};

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let games = ["extinction-mating", "extinction"].map(|id| study.game(id));
    let materials = study.scope.materials(games[0]);
    let found = compare(
        study,
        games,
        &materials,
        Colourings::OfTable,
        |position, _| {
            Ok(usize::from(matches!(
                position.end(),
                Some(End::Stalemate { .. })
            )))
        },
    )?;
    let (changed, all) = (found.changed(), found.positions());
    let answer = format!(
        "Games cannot be judged by endings of so few men. Of {} positions of endings, {} ({}) \
         have another value in the base game; {} of these are stalemates.",
        count(all),
        count(changed),
        percent(changed, all),
        count(found.cause(1)),
    );
    Ok(Outcome {
        positions: all,
        ..Outcome::not_decidable(answer)
    }
    .figure("positions", all)
    .figure("other_value", changed)
    .figure("other_value_share", share(changed, all))
    .figure("of_these_stalemates", found.cause(1))
    .figure("values", found.matrix(["mating rules", "the_base_game"]))
    .figure("by_class", Value::Array(found.rows))
    .chart(found.bars.chart(
        "Positions with another value in the base game",
        &["other value"],
    ))
    .examples(study.examples(
        "other value in the base game, no stalemate",
        &found.spreads[0],
        &games[1..],
    )?)
    .examples(study.examples(
        "other value in the base game, a stalemate",
        &found.spreads[1],
        &games[1..],
    )?))
}
