//! C99-5: en passant by every man matters.

use retrograde_rules::{Game, Material};

use crate::claim::{Claim, Need, Outcome};
use crate::compare::{Colourings, compare};
use crate::error::ClaimError;
use crate::figures::{count, percent, share};
use crate::study::{Scope, Study};

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-5",
    games: &["chess99"],
    title: "It matters that every man may capture en passant.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "All positions of classes with pawns, without an e.p. right themselves: the value \
             with the designer's rule, and the value if only pawns may capture en passant \
             (ep-by=pawn).",
    rule: "The claim is that it happens: it holds if any position changes its value. If none \
           does, larger classes may have one that does.",
    limits: "How often a right arises in a game is not in the tables.",
    needs: |scope| {
        let need = |id| Need {
            game: scope.game(id),
            materials: materials(scope, scope.game(id)),
            metrics: None,
        };
        vec![need("chess99"), need(BY_PAWNS)]
    },
    examine,
};

const BY_PAWNS: &str = "chess99:ep-by=pawn";

fn materials(scope: &Scope, game: Game) -> Vec<Material> {
    let mut list = scope.materials(game);
    list.retain(Material::has_pawns);
    list
}

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let games = ["chess99", BY_PAWNS].map(|id| study.game(id));
    let materials = materials(study.scope, games[0]);
    let found = compare(study, games, &materials, Colourings::OfTable, |_, _| Ok(0))?;
    let (changed, all) = (found.changed(), found.positions());
    let answer = format!(
        "{} of {} positions with pawns ({}) have another value if only pawns may capture en \
         passant.",
        count(changed),
        count(all),
        percent(changed, all),
    );
    let excluded = (games[0].ep_by() == games[1].ep_by())
        .then_some("These rules let only pawns capture en passant.");
    Ok(Outcome::of_occurrence(changed, all, answer, excluded)
        .figure("positions", all)
        .figure("other_value", changed)
        .figure("other_value_share", share(changed, all))
        .figure("values", found.matrix(["this game", "the_other"]))
        .figure("by_class", found.rows())
        .chart(found.bars().chart(
            "Positions with another value if only pawns may capture en passant",
            &["other value"],
        ))
        .examples(study.examples(
            "other value if only pawns may capture en passant",
            found.spread(0),
            &games[1..],
        )?))
}
