//! C99-3: which pieces win against a bare king.

use retrograde_rules::{Colour, Game, Material, Piece, PieceType, Position};
use serde_json::{Value, json};

use crate::chart::Bars;
use crate::claim::{Claim, Need, Outcome};
use crate::compare::place;
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::{count, percent, share};
use crate::sample::Spread;
use crate::study::{Scope, Study};

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-3",
    games: &["chess99"],
    title: "Two bishops (of one colour too), bishop and knight, and two knights win against the bare king; a lone pawn, bishop or knight does not.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "All positions of these classes: who wins, the longest win, and how many wins take \
             more than 99 moves (198 plies).",
    rule: "The share of positions that the two pieces win, and of positions that the lone man \
           does not win, together.",
    limits: "The tables leave out the designer's limit of 99 moves (C4); what exceeds it is \
             counted apart.",
    needs: |scope| {
        let game = scope.game("chess99");
        vec![Need {
            game,
            materials: materials(scope, game),
            metrics: None,
        }]
    },
    examine,
};

/// The classes, those that should be won first.
const WON: [&str; 3] = ["KBBvK", "KBNvK", "KNNvK"];
const NOT_WON: [&str; 3] = ["KPvK", "KBvK", "KNvK"];

fn materials(scope: &Scope, game: Game) -> Vec<Material> {
    let named = WON.into_iter().chain(NOT_WON);
    let mut list: Vec<Material> = named
        .filter_map(|name| Material::parse(game, name).ok())
        .collect();
    list.retain(|material| material.len() <= scope.men);
    list
}

const LIMIT: u32 = 198;

const ALL: usize = 0;
const BY_PIECES: usize = 1;
const EXCEED: usize = 2;
/// The same for two bishops of one colour.
const SAME: usize = 3;
const SAME_WON: usize = 4;
/// The plies of the longest win are the last of these that is not 0.
const PLIES: usize = 5;
const MOST: usize = 1000;
type Tally = Counts<{ PLIES + MOST }, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("chess99");
    let (mut rows, mut bars) = (Vec::new(), Bars::default());
    let mut spreads: [Spread; 2] = Default::default();
    let (mut as_claimed, mut positions, mut exceed, mut sentences) = (0, 0, 0, Vec::new());
    study.each(game, &materials(study.scope, game), |material| {
        let values = study.depths(game, material)?;
        let should_win = WON.contains(&material.to_string().as_str());
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (turn, weight) = (spot.turn(), spot.weight);
            let wins = match turn {
                Colour::White => place(values.wdl(turn, spot.index)) == 0,
                Colour::Black => place(values.wdl(turn, spot.index)) == 2,
            };
            tally[ALL] += weight;
            let same = has_bishops_of_one_colour(spot.position);
            tally[SAME] += weight * u64::from(same);
            if wins {
                let plies = values.plies(turn, spot.index).unwrap_or_default();
                tally[BY_PIECES] += weight;
                tally[SAME_WON] += weight * u64::from(same);
                tally[EXCEED] += weight * u64::from(plies > LIMIT);
                tally[PLIES + MOST.min(plies as usize + 1) - 1] += weight;
            }
            if wins != should_win {
                tally.offer(usize::from(should_win), spot);
            }
            Ok(())
        })?;
        let (all, won) = (tally[ALL], tally[BY_PIECES]);
        let longest = (0..MOST).rev().find(|&plies| tally[PLIES + plies] > 0);
        let mut add =
            |name: &str, all: u64, won: u64, longest: Option<usize>, exceed: Option<u64>| {
                rows.push(json!({
                    "material": name,
                    "positions": all,
                    "won": won,
                    "won_share": share(won, all),
                    "longest_win_plies": longest,
                    "wins_of_more_than_99_moves": exceed,
                }));
                bars.add(name, all, &[won, all - won]);
            };
        add(
            &material.to_string(),
            all,
            won,
            longest,
            Some(tally[EXCEED]),
        );
        if tally[SAME] > 0 {
            add(
                &format!("{material} one colour"),
                tally[SAME],
                tally[SAME_WON],
                None,
                None,
            );
        }
        as_claimed += if should_win { won } else { all - won };
        positions += all;
        exceed += tally[EXCEED];
        sentences.push(format!("{material} {}", percent(won, all)));
        for (spread, sample) in spreads.iter_mut().zip(tally.samples) {
            spread.add(material, sample);
        }
        Ok(())
    })?;
    let answer = format!(
        "Of {} positions the pieces win: {}. {} wins take more than 99 moves.",
        count(positions),
        sentences.join(", "),
        count(exceed),
    );
    Ok(Outcome::of(as_claimed, positions, positions, answer)
        .figure("positions", positions)
        .figure("as_claimed", as_claimed)
        .figure("as_claimed_share", share(as_claimed, positions))
        .figure("by_class", Value::Array(rows))
        .chart(bars.chart("Against the bare king", &["won", "not won"]))
        .examples(study.examples("the lone man wins", &spreads[0], &[])?)
        .examples(study.examples("the two pieces do not win", &spreads[1], &[])?))
}

/// Whether there are two bishops and both stand on squares of one colour.
fn has_bishops_of_one_colour(position: &Position) -> bool {
    let geometry = position.game().geometry();
    let mut bishops = position
        .board()
        .of(Piece::new(Colour::White, PieceType::Bishop));
    let mut shade = || {
        bishops
            .next()
            .map(|square| (geometry.file(square) + geometry.rank(square)) % 2)
    };
    let [first, second] = [shade(), shade()];
    first.is_some() && first == second
}
