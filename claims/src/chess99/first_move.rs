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
use crate::sample::Spread;
use crate::scope::Scope;
use crate::study::Study;

use super::with_and_without_the_rule;

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-1",
    games: &["chess99"],
    title: "That capturing the king while in check only draws evens out the advantage of the first move.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "In every class with the same men on both sides, but for two bare kings, where nothing \
             is left to give check once a king is captured: how many positions are won, drawn \
             and lost for the side to move, with the designer's rule and with a capture of \
             the king that always wins (king-capture-in-check=win). The advantage of the move \
             is the share won less the share lost.",
    rule: "Of these classes, the share in which the advantage of the move is smaller with the \
           designer's rule.",
    limits: "The first move of a game is made with all men on the board; here it is the move in \
             an ending.",
    needs: |scope| {
        let games = with_and_without_the_rule(scope);
        games
            .map(|game| Need::of(game, materials(scope, game)))
            .into()
    },
    examine,
};

/// The classes with the same men on both sides in which the rule can apply: after the capture
/// of a king some man can give check to the other.
fn materials(scope: &Scope, game: Game) -> Vec<Material> {
    let mut list = scope.materials(game);
    list.retain(|material| *material == material.swapped() && material.len() > 2);
    list
}

/// Won, drawn, lost.
type Tally = Counts<3, 2>;

const KINDS: [&str; 2] = [
    "the side to move would win without the rule",
    "the side to move would lose without the rule",
];

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let games = with_and_without_the_rule(study.scope);
    let materials = materials(study.scope, games[0]);
    if materials.is_empty() {
        return Ok(Outcome::not_decidable(
            "The classes with the same men on both sides have four men and more, but for two bare \
             kings. There the rule cannot apply, since nothing is left once a king is captured.",
        ));
    }
    of_classes(study, games, &materials)
}

/// The answer from classes with the same men on both sides: with the rule and without.
fn of_classes(
    study: &Study,
    games: [Game; 2],
    materials: &[Material],
) -> Result<Outcome, ClaimError> {
    let (mut rows, mut bars, mut smaller) = (Vec::new(), Bars::default(), 0);
    let mut sums = [Counts::<3>::default(), Counts::default()];
    let mut spreads = [Spread::default(), Spread::default()];
    study.expect(games[1], materials)?;
    study.each(games[0], materials, |material| {
        let mut advantages = [0.0; 2];
        let both = [
            study.library.values(games[0], material)?,
            study.library.values(games[1], material)?,
        ];
        for (n, (game, name)) in games.into_iter().zip(["rule", "none"]).enumerate() {
            let (values, others) = (&both[n], &both[1 - n]);
            let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
                // The same material has the same index in both.
                let [result, other] =
                    [values, others].map(|values| place(values.wdl(spot.turn(), spot.index)));
                tally[result] += spot.weight;
                match other {
                    0 if result > 0 => tally.offer(0, spot),
                    2 if result < 2 => tally.offer(1, spot),
                    _ => {}
                }
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
            if n == 0 {
                for (spread, sample) in spreads.iter_mut().zip(tally.samples) {
                    spread.add(material, sample);
                }
            }
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
    let mut outcome = Outcome::of(smaller, materials.len() as u64, positions, answer)
        .figure("positions", positions)
        .figure("advantage_with_the_rule_share", rounded(with))
        .figure("advantage_without_the_rule_share", rounded(without))
        .figure("by_class", Value::Array(rows))
        .chart(bars.chart(
            "Same men on both sides, for the side to move: with the rule, and with none",
            &["won", "drawn", "lost"],
        ));
    for (kind, spread) in KINDS.into_iter().zip(&spreads) {
        outcome = outcome.examples(study.examples(kind, spread, &games[1..])?);
    }
    Ok(outcome)
}

/// The share won less the share lost.
fn advantage<const S: usize>(tally: &Counts<3, S>) -> f64 {
    let all = tally[0] + tally[1] + tally[2];
    (tally[0] as f64 - tally[2] as f64) / all.max(1) as f64
}

#[cfg(test)]
mod tests {
    use retrograde_index::Wdl;

    use super::*;
    use crate::Verdict;
    use crate::tables::{Library, Values};
    use crate::tests::{Shipped, game, material, tables};

    /// The verdict on two bare kings, were the rule of any use to them.
    #[test]
    fn the_advantage_of_the_move_is_compared() {
        let games = ["chess99", "chess99:king-capture-in-check=win"].map(game);
        let kings = material(games[0], "KvK");
        let scope = Scope {
            men: 2,
            variant: None,
            supply: &Shipped,
        };
        let verdict = |without: fn(Wdl) -> Wdl| {
            let library = Library::new(vec![tables()]);
            let mut values = Values::clone(&*library.depths(games[0], &kings).unwrap());
            values.doctor(|_, _, wdl| without(wdl));
            library.put_values(games[1], &kings, values);
            let study = Study::new(&scope, &library, &());
            of_classes(&study, games, &[kings]).unwrap().verdict
        };
        assert_eq!(verdict(|wdl| wdl), Verdict::Fails);
        assert_eq!(verdict(|_| Wdl::Win), Verdict::Holds);
    }
}
