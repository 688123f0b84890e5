//! O-3: what the fifty-move rule takes away.

use retrograde_index::Wdl;
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, share};
use crate::sample::Spread;
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "O-3",
    games: &["orthodox"],
    title: "The fifty-move rule turns won endings into draws.",
    source: "A question of this project about the fifty-move rule (O4).",
    method: "All wins, and how many of them are cursed: the rule ends the game before the next \
             capture, pawn move or mate, with the clock at 0. Beside it the longest wins.",
    rule: "The claim is that it happens: it holds if any win is cursed. If none is, larger \
           classes may have one.",
    limits: "The clock stands at 0; a game may arrive with moves already counted. The best known \
             cursed wins have five men and more.",
    needs: |scope| scope.all(&["orthodox"]),
    examine,
};

const ALL: usize = 0;
const WINS: usize = 1;
const CURSED: usize = 2;
type Tally = Counts<3, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("orthodox");
    let mut sum = Sums::default();
    let (mut longest, materials) = (None, study.scope.materials(game));
    study.expect(game, &materials)?;
    study.each(game, &materials, |material| {
        let plies = study.longest_win(game, material)?;
        let values = study.library.values(game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let value = values.wdl(spot.turn(), spot.index);
            tally[ALL] += spot.weight;
            tally[WINS] += spot.weight * u64::from(value < Wdl::Draw);
            if value == Wdl::CursedWin {
                tally[CURSED] += spot.weight;
                tally.offer(0, spot);
            }
            Ok(())
        })?;
        sum.rows.push(json!({
            "material": material.to_string(),
            "positions": tally[ALL],
            "wins": tally[WINS],
            "wins_share": share(tally[WINS], tally[ALL]),
            "cursed": tally[CURSED],
            "cursed_share": share(tally[CURSED], tally[WINS]),
            "longest_win_plies": plies,
        }));
        longest = longest.max(plies.map(|plies| (plies, *material)));
        sum.add(material, tally);
        Ok(())
    })?;
    let mut slowest = Spread::default();
    if let Some((plies, material)) = longest {
        let values = study.library.depths(game, &material)?;
        let is_slowest = |turn, index| {
            values.wdl(turn, index) < Wdl::Draw && values.plies(turn, index) == Some(plies)
        };
        study.expect(game, &[material])?;
        let found = study.walk_where(
            game,
            values.index(),
            is_slowest,
            |found: &mut Counts<0, 1>, spot| {
                found.offer(0, spot);
                Ok(())
            },
        )?;
        let [sample] = found.samples;
        slowest.add(&material, sample);
    }
    let longest = longest.map_or("There is no win".to_owned(), |(plies, material)| {
        format!("The longest win of all, in {material}, takes {plies} plies")
    });
    let answer = format!(
        "The rule turns {} of {} wins ({}) into draws. {longest}.",
        count(sum[CURSED]),
        count(sum[WINS]),
        percent(sum[CURSED], sum[WINS]),
    );
    let excluded = match game.zeroing_limit() {
        None => Some("These rules have no fifty-move rule."),
        Some(_) => None,
    };
    Ok(
        Outcome::of_occurrence(sum[CURSED], sum[ALL], answer, excluded)
            .figure("positions", sum[ALL])
            .figure("wins", sum[WINS])
            .figure("cursed", sum[CURSED])
            .figure("cursed_share", share(sum[CURSED], sum[WINS]))
            .figure("by_class", Value::Array(sum.rows))
            .examples(study.examples(
                "a win that the fifty-move rule takes away",
                &sum.spreads[0],
                &[],
            )?)
            .examples(study.examples("the longest win of all", &slowest, &[])?),
    )
}
