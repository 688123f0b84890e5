//! K-3: the tie-break is the main difference from wild 9.

use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::compare::{Colourings, Comparison, compare, place};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, share};
use crate::need::Need;
use crate::study::Study;
use crate::tables::{Ground, Values};

use super::with_spare_kings;

pub(super) const CLAIM: Claim = Claim {
    tag: "K-3",
    games: &["kings", "wild9"],
    title: "The tie-break is the main difference from wild 9.",
    source: "Sibahi, designer of kings (2007).",
    method: "All positions of classes in which a side has several kings or can get them, that \
             are positions of both games: those whose values differ. White's tie-break is the \
             same in both games, so each class is examined with either side as White. Then: how \
             many of the differing positions get the value of wild 9 if only the tie-break is \
             changed (tie-break=rank1), how many if only pawns no longer promote to king \
             (promote-to-king=off), how many by either, and how many need both.",
    rule: "The share of the differing positions that the tie-break alone explains.",
    limits: "Both games differ in the array and in castling too, which no ending shows.",
    needs: |scope| {
        let game = scope.game("kings");
        let mut needs = Vec::new();
        for id in ["kings", "wild9", TIE_BREAK, PROMOTION] {
            let game_of_id = scope.game(id);
            let mut list = with_spare_kings(scope, game);
            list = match game_of_id == game {
                true => list,
                // Colourings may be tables of their own.
                false => list
                    .iter()
                    .flat_map(|m| [m.normal(game_of_id).0, m.swapped().normal(game_of_id).0])
                    .collect(),
            };
            list.sort_unstable();
            list.dedup();
            list.retain(|material| !game_of_id.needs_no_table(material));
            needs.push(Need::of(game_of_id, list));
        }
        needs
    },
    examine,
};

const TIE_BREAK: &str = "kings:tie-break=rank1";
const PROMOTION: &str = "kings:promote-to-king=off";

const CAUSES: [&str; 4] = [
    "tie-break alone",
    "promotion to king alone",
    "either",
    "both together",
];

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, wild9, tie_break, promotion] =
        ["kings", "wild9", TIE_BREAK, PROMOTION].map(|id| study.game(id));
    let materials = with_spare_kings(study.scope, game);
    if materials.is_empty() {
        return Ok(Outcome::not_decidable(
            "No class with several kings has so few men.",
        ));
    }
    // The values under each option, of the material that is being compared.
    let mut found = Comparison::default();
    for material in &materials {
        let options: [Ground<Values>; 2] = [
            Ground::both(study.library, tie_break, material)?,
            Ground::both(study.library, promotion, material)?,
        ];
        found.append(compare(
            study,
            [game, wild9],
            std::slice::from_ref(material),
            Colourings::Both,
            |position, [_, there]| {
                let mut explains = [false; 2];
                for (n, other) in [tie_break, promotion].into_iter().enumerate() {
                    if let Some(same) = carried_over(position, other) {
                        explains[n] = place(options[n].wdl(&same)?) == place(there);
                    }
                }
                Ok(match explains {
                    [true, false] => 0,
                    [false, true] => 1,
                    [true, true] => 2,
                    [false, false] => 3,
                })
            },
        )?);
    }
    let (changed, all) = (found.changed(), found.positions());
    let answer = format!(
        "{} of {} positions of both games ({}) have different values. The tie-break alone \
         explains {} of the differences, promotion to king alone {}.",
        count(changed),
        count(all),
        percent(changed, all),
        percent(found.cause(0), changed),
        percent(found.cause(1), changed),
    );
    let causes: Vec<_> = (0..4)
        .map(|n| {
            json!({
                "explained_by": CAUSES[n],
                "positions": found.cause(n),
                "positions_share": share(found.cause(n), changed),
            })
        })
        .collect();
    let mut outcome = Outcome::of(found.cause(0), changed, all, answer)
        .figure("positions", all)
        .figure("positions_of_kings_alone", found.foreign())
        .figure("other_value", changed)
        .figure("other_value_share", share(changed, all))
        .figure("by_cause", json!(causes))
        .figure("values", found.matrix(["kings", "wild9"]))
        .figure("by_class", Value::Array(found.rows))
        .chart(
            found
                .bars
                .chart("Positions with another value in wild 9", &["other value"]),
        );
    for (n, cause) in CAUSES.into_iter().enumerate() {
        let kind = format!("the value differs from wild 9: {cause}");
        outcome = outcome.examples(study.examples(&kind, &found.spreads[n], &[wild9])?);
    }
    Ok(outcome)
}
