//! K-4: two kings win against one.

use retrograde_rules::Colour;
use serde_json::{Value, json};

use crate::chart::Bars;
use crate::claim::{Claim, Outcome};
use crate::compare::place;
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::{count, percent, share};
use crate::need::Need;
use crate::sample::Spread;
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "K-4",
    games: &["kings"],
    title: "Two kings win against one.",
    source: "Others, of games with two kings; it is not on the page of Sibahi, the designer of \
             kings.",
    method: "All positions of KKvK, and of KQvKK for comparison: who wins, and the longest win of \
             each side, by the side to move.",
    rule: "The share of the positions of KKvK that the two kings win.",
    limits: "Where the bare king can take the spare one at once, two bare kings are left, a draw.",
    needs: |scope| {
        let game = scope.game("kings");
        vec![Need::of(game, scope.named(game, &CLASSES))]
    },
    examine,
};

const CLASSES: [&str; 2] = ["KKvK", "KKvKQ"];

/// Won by the first side, drawn, won by the second, by side to move.
type Tally = Counts<6, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("kings");
    let materials = study.scope.named(game, &CLASSES);
    let (mut rows, mut bars, mut spreads) = (
        Vec::new(),
        Bars::default(),
        [Spread::default(), Spread::default()],
    );
    let (mut won, mut all, mut positions, mut sentences) = (0, 0, 0, Vec::new());
    for material in &materials {
        let longest = study.longest_wins_by_turn(game, material)?;
        let values = study.library.values(game, material)?;
        study.expect(game, std::slice::from_ref(material))?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let turn = spot.turn();
            let result = place(values.wdl(turn, spot.index));
            let for_white = match turn {
                Colour::White => result,
                Colour::Black => 2 - result,
            };
            tally[3 * turn.index() + for_white] += spot.weight;
            tally.offer(usize::from(for_white == 0), spot);
            Ok(())
        })?;
        let name = material.to_string();
        let (white, black) = name.split_once('v').unwrap_or_default();
        let sums = [0, 1, 2].map(|n| tally[n] + tally[3 + n]);
        let sum = |n: usize| sums[n];
        let total = sum(0) + sum(1) + sum(2);
        for (turn, side, at) in [(0, white, 0), (1, black, 3)] {
            let part = tally[at] + tally[at + 1] + tally[at + 2];
            rows.push(json!({
                "material": name,
                "to_move": side,
                "positions": part,
                "first_side_wins": tally[at],
                "first_side_wins_share": share(tally[at], part),
                "drawn": tally[at + 1],
                "drawn_share": share(tally[at + 1], part),
                "second_side_wins": tally[at + 2],
                "second_side_wins_share": share(tally[at + 2], part),
                "first_side_longest_win_plies": longest[turn][0],
                "second_side_longest_win_plies": longest[turn][1],
            }));
            bars.add(
                format!("{name} {side}"),
                part,
                &[tally[at], tally[at + 1], tally[at + 2]],
            );
        }
        positions += total;
        if name == "KKvK" {
            (won, all) = (sum(0), total);
            let [others, wins] = tally.samples;
            spreads[0].add(material, others);
            spreads[1].add(material, wins);
        }
        sentences.push(format!(
            "{white} wins {} of {name}, {black} wins {}, {} are drawn",
            percent(sum(0), total),
            percent(sum(2), total),
            percent(sum(1), total),
        ));
    }
    let answer = format!(
        "Of {} positions: {}.",
        count(positions),
        sentences.join("; ")
    );
    Ok(Outcome::of(won, all, positions, answer)
        .figure("positions", positions)
        .figure("by_class_and_side_to_move", Value::Array(rows))
        .chart(bars.chart(
            "Who wins, by the side to move",
            &["first side", "drawn", "second side"],
        ))
        .examples(study.examples("two kings do not win", &spreads[0], &[])?)
        .examples(study.examples("two kings win", &spreads[1], &[])?))
}
