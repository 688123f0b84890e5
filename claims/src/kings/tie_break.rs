//! K-3: the tie-break is the main difference from wild 9.

use retrograde_rules::Game;
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::compare::{Colourings, Comparison, compare, place};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, share};
use crate::need::Need;
use crate::scope::{Scope, with_option};
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
             (promote-to-king=off), how many by either, and how many need both. Other rule \
             options of the game are kept in all of these.",
    rule: "The share of the differing positions that the tie-break alone explains.",
    limits: "Both games differ in the array and in castling too, which no ending shows.",
    needs: |scope| {
        let Ok(games) = games(scope) else {
            return Vec::new();
        };
        let mut needs = Vec::new();
        for game in games {
            let mut list = with_spare_kings(scope, games[0]);
            if game != games[0] {
                // Colourings may be tables of their own.
                list = list
                    .iter()
                    .flat_map(|m| [m.normal(game).0, m.swapped().normal(game).0])
                    .collect();
            }
            list.sort_unstable();
            list.dedup();
            list.retain(|material| !game.needs_no_table(material));
            needs.push(Need::of(game, list));
        }
        needs
    },
    examine,
};

/// The game; wild 9, with the other options of the game; the game with the tie-break alone as
/// in wild 9, and with promotion alone. Otherwise why there are not.
fn games(scope: &Scope) -> Result<[Game; 4], &'static str> {
    let game = scope.game("kings");
    let wild9 = scope.game("wild9");
    if game.geometry() != wild9.geometry() {
        return Err("There is wild 9 on 8x8 only, so nothing to compare this game with.");
    }
    let tie_break = with_option(game, "tie-break", "rank1");
    let promotion = with_option(game, "promote-to-king", "off");
    let both = with_option(tie_break, "promote-to-king", "off");
    if both == game {
        return Err("With these options the game has the rules of wild 9.");
    }
    // Wild 9 is a name for these options alone (K6).
    let is_wild9 = both.id() == "kings:promote-to-king=off,tie-break=rank1";
    Ok([
        game,
        if is_wild9 { wild9 } else { both },
        tie_break,
        promotion,
    ])
}

const CAUSES: [&str; 4] = [
    "tie-break alone",
    "promotion to king alone",
    "either",
    "both together",
];

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, wild9, tie_break, promotion] = match games(study.scope) {
        Ok(games) => games,
        Err(why) => return Ok(Outcome::not_decidable(why)),
    };
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
