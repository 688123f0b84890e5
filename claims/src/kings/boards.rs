//! K-7: endings on larger boards.

use retrograde_rules::{Colour, Game};
use serde_json::{Value, json};

use crate::chart::Bars;
use crate::claim::{Claim, Outcome};
use crate::compare::place;
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::share;
use crate::need::Need;
use crate::sample::Spread;
use crate::scope::{Scope, with_option};
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "K-7",
    games: &["kings"],
    title: "What wins on 8x8 wins on the larger boards of kings, too.",
    source: "A question that the boards of Sibahi's kings (2007) raise; bishop and knight on \
             10x10 above all.",
    method: "KQvK, KRvK, KBNvK, KKvK and KRvKB on 8x8, 10x8 and 10x10: the share of positions \
             won by the first side, by the side to move, and its longest win. A class counts \
             as won on a board if the first side wins at least nine tenths of the positions in \
             which it is to move.",
    rule: "Of the classes that are won on 8x8, each on two larger boards, the share won there.",
    limits: "Other endings may behave differently.",
    needs: |scope| {
        let games = games(scope);
        games
            .map(|game| Need::of(game, scope.named(game, &CLASSES)))
            .into()
    },
    examine,
};

/// The game on each board, the smallest first.
fn games(scope: &Scope) -> [Game; 3] {
    ["8x8", "10x8", "10x10"].map(|board| {
        let game = scope.game("kings");
        let game = match board {
            // There is a chancellor on ten files only, and none of these classes has one.
            "8x8" => with_option(game, "chancellor", "off"),
            _ => game,
        };
        with_option(game, "board", board)
    })
}

const CLASSES: [&str; 5] = ["KQvK", "KRvK", "KBNvK", "KKvK", "KRvKB"];

/// By side to move: all, and those that the first side wins.
type Tally = Counts<4, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let games = games(study.scope);
    let (mut rows, mut bars, mut spread) = (Vec::new(), Bars::default(), Spread::default());
    let (mut kept, mut all, mut positions, mut sentences) = (0, 0, 0, Vec::new());
    for material in study.scope.named(games[0], &CLASSES) {
        let mut won_on = Vec::new();
        for game in games {
            let geometry = game.geometry();
            let board = format!("{}x{}", geometry.files, geometry.ranks);
            let [longest, _] = study.longest_wins(game, &material)?;
            let values = study.library.values(game, &material)?;
            study.expect(game, std::slice::from_ref(&material))?;
            let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
                let turn = spot.turn();
                let result = place(values.wdl(turn, spot.index));
                let wins = result == if turn == Colour::White { 0 } else { 2 };
                tally[2 * turn.index()] += spot.weight;
                tally[2 * turn.index() + 1] += spot.weight * u64::from(wins);
                if turn == Colour::White && !wins {
                    tally.offer(0, spot);
                }
                Ok(())
            })?;
            let won = 10 * tally[1] >= 9 * tally[0];
            rows.push(json!({
                "material": material.to_string(),
                "board": board,
                "positions": tally[0] + tally[2],
                "to_move": tally[0],
                "to_move_won": tally[1],
                "to_move_won_share": share(tally[1], tally[0]),
                "not_to_move": tally[2],
                "not_to_move_won": tally[3],
                "not_to_move_won_share": share(tally[3], tally[2]),
                "longest_win_plies": longest,
                "counts_as_won": won,
            }));
            bars.add(
                format!("{material} {board}"),
                tally[0],
                &[tally[1], tally[0] - tally[1]],
            );
            positions += tally[0] + tally[2];
            let longest = longest.map_or("no win".to_owned(), |plies| format!("{plies} plies"));
            won_on.push((won, board.clone(), longest));
            if board != "8x8" {
                let [sample] = tally.samples;
                spread.add(&material, sample);
            }
        }
        if won_on[0].0 {
            all += won_on.len() as u64 - 1;
            kept += won_on[1..].iter().filter(|(won, ..)| *won).count() as u64;
        }
        let parts: Vec<String> = won_on
            .iter()
            .map(|(won, board, longest)| {
                format!(
                    "{} on {board} ({longest})",
                    if *won { "won" } else { "not won" }
                )
            })
            .collect();
        sentences.push(format!("{material}: {}", parts.join(", ")));
    }
    let answer = format!(
        "{}. The plies are those of the longest win.",
        sentences.join("; ")
    );
    Ok(Outcome::of(kept, all, positions, answer)
        .figure("positions", positions)
        .figure("by_class_and_board", Value::Array(rows))
        .chart(bars.chart("The first side to move, by board", &["won", "not won"]))
        .examples(study.examples("not won on a larger board", &spread, &[])?))
}
