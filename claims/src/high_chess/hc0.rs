//! HC0: the side that is High wins what orthodox chess draws.

use retrograde_index::Wdl;
use retrograde_rules::Game;
use serde_json::{Value, json};

use crate::chart::Chart;
use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, row, share};
use crate::study::Study;
use crate::tables::Ground;

use super::VITALITY;
use super::full;

pub(super) const CLAIM: Claim = Claim {
    tag: "HC0",
    games: &["high-chess", "orthodox"],
    title: "What orthodox chess draws is won by the side whose king is nearer to the centre.",
    source: "Grant Sinclair, designer of High Chess: “games that would be drawn are instead \
             won by the player whose King is closer to the centre”.",
    method: "Every position that orthodox chess draws (the same placement and side to move) is \
             looked up in High Chess with full counters, and it is counted whether the side \
             that is High at once wins. Wins that the fifty-move rule spoils count as drawn, \
             and are shown apart. Draws are split by cause: no material to mate with (O5), \
             stalemate, or play.",
    rule: "The share of the positions drawn in orthodox chess that the side wins which is High.",
    limits: "Every position counts once, however unlikely it is in a game; in many of them the \
             kings can still swap places before anything is decided.",
    needs: |scope| scope.all(&["high-chess", "orthodox"]),
    examine,
};

/// Causes of a draw, in pairs of all and of those that High wins.
const MATERIAL: usize = 0;
const STALEMATE: usize = 2;
const PLAY: usize = 4;
/// Wins that the fifty-move rule spoils, likewise.
const CURSED: usize = 6;
const ALL: usize = 8;
/// Where White's king stands, by square: drawn positions, and those that White wins.
const SQUARES: usize = 9;
type Tally = Counts<{ SQUARES + 128 }, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, orthodox] = ["high-chess", "orthodox"].map(|id| study.game(id));
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no side that is High."));
    };
    let mut sum = Sums::default();
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let results = Ground::only(study.library, orthodox, material)?;
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            tally[ALL] += spot.weight;
            let Some(same) = carried_over(spot.position, orthodox) else {
                return Ok(());
            };
            let wdl = results.wdl(&same)?;
            if wdl != Wdl::Draw && !wdl.is_cursed() {
                return Ok(());
            }
            let high = VITALITY.high(&same);
            let winner = curves.winner(spot.turn(), spot.index, full(rules));
            let wins = u64::from(winner == high);
            let cause = match wdl {
                Wdl::Draw if same.dead() == Some(true) => MATERIAL,
                Wdl::Draw if same.legal_moves().is_empty() => STALEMATE,
                Wdl::Draw => PLAY,
                _ => CURSED,
            };
            tally[cause] += spot.weight;
            tally[cause + 1] += spot.weight * wins;
            let king = same
                .royals(retrograde_rules::Colour::White)
                .first()
                .unwrap_or_default();
            let white_wins = u64::from(winner == retrograde_rules::Colour::White);
            // A pair of kings stands for all its images, which differ in the square: those
            // are added when the picture is drawn.
            tally[SQUARES + 2 * octant(king)] += spot.weight;
            tally[SQUARES + 2 * octant(king) + 1] += spot.weight * white_wins;
            tally.offer(wins as usize, spot);
            Ok(())
        })?;
        let [drawn, by_high] =
            [0, 1].map(|n| (0..8).step_by(2).map(|cause| tally[cause + n]).sum());
        let mut figures = row(material, tally[ALL], &[("drawn_in_orthodox", drawn)]);
        if let Value::Object(figures) = &mut figures {
            figures.insert("won_by_high".into(), by_high.into());
            figures.insert("won_by_high_share".into(), share(by_high, drawn));
        }
        sum.rows.push(figures);
        sum.bars.add(material, drawn, &[by_high, drawn - by_high]);
        sum.add(material, tally);
        Ok(())
    })?;
    let [drawn, by_high] =
        [0, 1].map(|n| (0..8).step_by(2).map(|cause| sum[cause + n]).sum::<u64>());
    let mut answer = format!(
        "The side that is High at once wins {} of the {} positions that orthodox chess draws; \
         the side that is Low wins the rest.",
        percent(by_high, drawn),
        count(drawn),
    );
    let parts: Vec<String> = [
        ("where there is no material to mate with", MATERIAL),
        ("in stalemates", STALEMATE),
        ("where orthodox play leads to the draw", PLAY),
    ]
    .into_iter()
    .filter(|&(_, at)| sum[at] > 0)
    .map(|(place, at)| format!("{} {place}", percent(sum[at + 1], sum[at])))
    .collect();
    // Of a single one all has been said.
    if let [others @ .., last] = &parts[..]
        && !others.is_empty()
    {
        answer.push_str(&format!(" It is {}, and {last}.", others.join(", ")));
    }
    let causes = [
        ("no material to mate with", MATERIAL),
        ("stalemate", STALEMATE),
        ("play", PLAY),
        ("fifty-move rule", CURSED),
    ]
    .map(|(cause, at)| {
        json!({
            "drawn_by": cause,
            "positions": sum[at],
            "won_by_high": sum[at + 1],
            "won_by_high_share": share(sum[at + 1], sum[at]),
        })
    });
    let map = map(&sum);
    Ok(Outcome::of(by_high, drawn, sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("drawn_in_orthodox", drawn)
        .figure("won_by_high", by_high)
        .figure("won_by_high_share", share(by_high, drawn))
        .figure("by_cause", json!(causes))
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Positions that orthodox chess draws: who wins them in High Chess",
            &["the side that is High", "the side that is Low"],
        ))
        .chart(map)
        .examples(study.examples(
            "drawn in orthodox chess, and Low wins",
            &sum.spreads[0],
            &[orthodox],
        )?)
        .examples(study.examples(
            "drawn in orthodox chess, and High wins",
            &sum.spreads[1],
            &[orthodox],
        )?))
}

/// The square among those of a1, b1, b2, c1 … d4 that a square is symmetric to, and so the
/// number of a class of squares: 64 at most are used.
fn octant(square: retrograde_rules::Square) -> usize {
    let geometry = Game::default().geometry();
    let fold = |line: u8| line.min(7 - line);
    let (file, rank) = (fold(geometry.file(square)), fold(geometry.rank(square)));
    usize::from(8 * file.min(rank) + file.max(rank))
}

/// How often White wins what orthodox chess draws, by the square of its king.
fn map(sum: &Sums<{ SQUARES + 128 }, 2>) -> Chart {
    let squares = Game::default().geometry().all().map(|square| {
        let at = SQUARES + 2 * octant(square);
        (sum[at] > 0).then(|| sum[at + 1] as f64 / sum[at] as f64)
    });
    Chart::Board {
        title: "How often White wins what orthodox chess draws, by the square of the white king"
            .to_owned(),
        files: 8,
        squares: squares.collect(),
    }
}
