//! C99-6: castling out of check matters.

use retrograde_rules::{Game, Move, MoveKind};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::compare::{Colourings, compare};
use crate::error::ClaimError;
use crate::figures::{count, percent, share};
use crate::scope::Scope;
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-6",
    games: &["chess99"],
    title: "Castling, at any time and out of check, matters.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "All positions: the value with castling, and without (castling=off). Those in which \
             the mover is in check and can castle now are told apart from the rest, in which \
             castling matters later.",
    rule: "The claim is that it happens: it holds if any position changes its value. If none \
           does, larger classes may have one that does.",
    limits: "Kings far from their first rank rarely castle; in games they stand there at first.",
    needs: |scope| scope.all_of(&games(scope)),
    examine,
};

/// The game, and the same without castling.
fn games(scope: &Scope) -> [Game; 2] {
    let without = scope.with_option("chess99", "castling", "off");
    [scope.game("chess99"), without]
}

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let games = games(study.scope);
    let materials = study.scope.materials(games[0]);
    let found = compare(
        study,
        games,
        &materials,
        Colourings::OfTable,
        |position, _| {
            let castles = |mv: &Move| mv.kind == MoveKind::Castling;
            let out_of_check = position.is_check() && position.legal_moves().iter().any(castles);
            Ok(usize::from(out_of_check))
        },
    )?;
    let (changed, all) = (found.changed(), found.positions());
    let answer = format!(
        "{} of {} positions ({}) have another value without castling; in {} of them the mover \
         can castle out of check at once.",
        count(changed),
        count(all),
        percent(changed, all),
        count(found.cause(1)),
    );
    let excluded =
        (!games[0].castles_along_first_rank()).then_some("These rules have no castling.");
    Ok(Outcome::of_occurrence(changed, all, answer, excluded)
        .figure("positions", all)
        .figure("other_value", changed)
        .figure("other_value_share", share(changed, all))
        .figure("castling_out_of_check_at_once", found.cause(1))
        .figure("values", found.matrix(["this game", "the_other"]))
        .figure("by_class", Value::Array(found.rows))
        .chart(found.bars.chart(
            "Positions with another value without castling",
            &["other value"],
        ))
        .examples(study.examples(
            "other value without castling, which is possible out of check",
            &found.spreads[1],
            &games[1..],
        )?)
        .examples(study.examples(
            "other value without castling",
            &found.spreads[0],
            &games[1..],
        )?))
}
