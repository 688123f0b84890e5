//! C99-5: en passant by every man matters.

use retrograde_rules::{Game, Material, Position, Setup};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::compare::{Colourings, compare, place};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share};
use crate::need::Need;
use crate::scope::Scope;
use crate::study::{Study, with_rights};
use crate::tables::Ground;

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-5",
    games: &["chess99"],
    title: "It matters that every man may capture en passant.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "All positions of classes with pawns, those without an e.p. right and those with one \
             apart: the value with the designer's rule, and the value if only pawns may capture \
             en passant (ep-by=pawn). A right is there if some man stands so as to take; a \
             placement may have several, each a position of its own.",
    rule: "The claim is that it happens: it holds if any position changes its value. If none \
           does, larger classes may have one that does.",
    limits: "How often a right arises in a game is not in the tables.",
    needs: |scope| {
        let games = games(scope);
        games
            .map(|game| Need::of(game, materials(scope, game)))
            .into()
    },
    examine,
};

/// The game, and the same with pawns alone capturing en passant.
fn games(scope: &Scope) -> [Game; 2] {
    let by_pawns = scope.with_option("chess99", "ep-by", "pawn");
    [scope.game("chess99"), by_pawns]
}

fn materials(scope: &Scope, game: Game) -> Vec<Material> {
    let mut list = scope.materials(game);
    list.retain(Material::has_pawns);
    list
}

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let games = games(study.scope);
    let materials = materials(study.scope, games[0]);
    study.expect(games[0], &materials)?;
    let found = compare(study, games, &materials, Colourings::OfTable, |_, _| Ok(0))?;
    let rights = compare_rights(study, games, &materials)?;
    let (changed, all) = (found.changed(), found.positions());
    let (changed_with, all_with) = (rights[CHANGED], rights[ALL]);
    let answer = format!(
        "If only pawns may capture en passant, {} of {} positions with pawns ({}) have another \
         value; of {} with a right to capture en passant it is {} ({}).",
        count(changed),
        count(all),
        percent(changed, all),
        count(all_with),
        count(changed_with),
        percent(changed_with, all_with),
    );
    let excluded = (games[0].ep_by() == games[1].ep_by())
        .then_some("These rules let only pawns capture en passant.");
    let title = "another value if only pawns may capture en passant";
    Ok(
        Outcome::of_occurrence(changed + changed_with, all + all_with, answer, excluded)
            .figure("positions", all)
            .figure("other_value", changed)
            .figure("other_value_share", share(changed, all))
            .figure("positions_with_an_ep_right", all_with)
            .figure("other_value_with_an_ep_right", changed_with)
            .figure(
                "other_value_with_an_ep_right_share",
                share(changed_with, all_with),
            )
            .figure("values", found.matrix(["this game", "the_other"]))
            .figure("by_class", Value::Array(found.rows))
            .figure("by_class_with_an_ep_right", Value::Array(rights.rows))
            .chart(
                found
                    .bars
                    .chart(&format!("Positions with {title}"), &["other value"]),
            )
            .chart(rights.bars.chart(
                &format!("Positions with an e.p. right and {title}"),
                &["other value"],
            ))
            .examples(study.examples(
                "other value if only pawns may capture en passant",
                &found.spreads[0],
                &games[1..],
            )?)
            .examples(study.examples(
                "an e.p. right, and another value if only pawns may use it",
                &rights.spreads[0],
                &[],
            )?),
    )
}

const ALL: usize = 0;
const CHANGED: usize = 1;
type Tally = Counts<2, 1>;

/// Compares positions with an e.p. right: in the other game the same right, if it counts.
fn compare_rights(
    study: &Study,
    [game, by_pawns]: [Game; 2],
    materials: &[Material],
) -> Result<Sums<2, 1>, ClaimError> {
    let mut found = Sums::default();
    for material in materials {
        let values = study.library.values(game, material)?;
        let here = Ground::around(study.library, game, material)?;
        let there = Ground::around(study.library, by_pawns, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            for right in with_rights(spot.position) {
                let setup: Setup = right.setup();
                let Ok(same) = Position::new(by_pawns, &setup) else {
                    continue;
                };
                tally[ALL] += spot.weight;
                if place(here.wdl(&right)?) != place(there.wdl(&same)?) {
                    tally[CHANGED] += spot.weight;
                    tally.samples[0].offer_played(&right);
                }
            }
            Ok(())
        })?;
        found.rows.push(row(
            material,
            tally[ALL],
            &[("other_value", tally[CHANGED])],
        ));
        found.bars.add(material, tally[ALL], &[tally[CHANGED]]);
        found.add(material, tally);
    }
    Ok(found)
}
