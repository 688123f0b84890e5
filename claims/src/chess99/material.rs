//! C99-3: which pieces win against a bare king.

use retrograde_index::Wdl;
use retrograde_rules::{Colour, Piece, PieceType, Position};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row, share, shares};
use crate::need::Need;
use crate::study::{Spot, Study};
use crate::tables::{Ground, Values};

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-3",
    games: &["chess99"],
    title: "Two bishops (of one colour too), bishop and knight, and two knights win against the bare king; a lone pawn, bishop or knight does not.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "All positions of these classes: who wins, the longest win, and how many wins take \
             more than 99 moves (198 plies). Positions that a capture settles at once are \
             counted apart: the mover can capture the king, or a man that stands unprotected, \
             and has nothing better.",
    rule: "Of the positions that no capture settles at once, the share that the two pieces win \
           and that the lone man does not win, together.",
    limits: "The tables leave out the designer's limit of 99 moves (C4); what exceeds it is \
             counted apart.",
    needs: |scope| {
        let game = scope.game("chess99");
        vec![Need::of(game, scope.named(game, &CLASSES))]
    },
    examine,
};

/// The classes: two pieces, which should win, and lone men, which should not.
const CLASSES: [&str; 6] = ["KBBvK", "KBNvK", "KNNvK", "KPvK", "KBvK", "KNvK"];

const LIMIT: u32 = 198;

const ALL: usize = 0;
const BY_PIECES: usize = 1;
const EXCEED: usize = 2;
/// Settled at once by a capture of the king and of another man, and those of each that the
/// pieces win.
const BY_KING: usize = 3;
const BY_KING_WON: usize = 4;
const BY_MAN: usize = 5;
const BY_MAN_WON: usize = 6;
/// All, won, settled at once, and won of these, for two bishops of one colour.
const SAME: usize = 7;
/// The plies of the longest win are the last of these that is not 0.
const PLIES: usize = 11;
const MOST: usize = 1000;
const NUMBERS: usize = PLIES + MOST;
type Tally = Counts<NUMBERS, 3>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("chess99");
    let mut sum = Sums::default();
    let (mut as_claimed, mut sentences) = (0, Vec::new());
    study.each(game, &study.scope.named(game, &CLASSES), |material| {
        let values = study.library.depths(game, material)?;
        let ground = Ground::around(study.library, game, material)?;
        let should_win = material.len() > 3;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            visit(tally, spot, &values, &ground, should_win)
        })?;
        let (all, won) = (tally[ALL], tally[BY_PIECES]);
        let others = all - tally[BY_KING] - tally[BY_MAN];
        let others_won = won - tally[BY_KING_WON] - tally[BY_MAN_WON];
        let longest = (0..MOST).rev().find(|&plies| tally[PLIES + plies] > 0);
        add_row(
            &mut sum,
            material,
            all,
            &[
                ("won", won),
                ("settled_by_capturing_the_king", tally[BY_KING]),
                ("settled_by_capturing_a_man", tally[BY_MAN]),
            ],
            [others, others_won],
            &[
                ("longest_win_plies", json!(longest)),
                (
                    "longest_win_moves",
                    json!(longest.map(|plies| plies.div_ceil(2))),
                ),
                ("wins_of_more_than_99_moves", tally[EXCEED].into()),
            ],
        );
        let [same, same_won, settled, settled_won] = [0, 1, 2, 3].map(|n| tally[SAME + n]);
        if same > 0 {
            let name = format!("{material} one colour");
            let others = [same - settled, same_won - settled_won];
            add_row(&mut sum, name, same, &[("won", same_won)], others, &[]);
        }
        as_claimed += match should_win {
            true => others_won,
            false => others - others_won,
        };
        sentences.push(format!(
            "{material} {} ({} of all)",
            percent(others_won, others),
            percent(won, all)
        ));
        sum.add(material, tally);
        Ok(())
    })?;
    let (positions, settled) = (sum[ALL], sum[BY_KING] + sum[BY_MAN]);
    let rest = positions - settled;
    let answer = format!(
        "Of {} positions, {} are settled at once by a capture. Of the rest the pieces win: {}. \
         {} wins take more than 99 moves.",
        count(positions),
        count(settled),
        sentences.join(", "),
        count(sum[EXCEED]),
    );
    Ok(Outcome::of(as_claimed, rest, positions, answer)
        .figure("positions", positions)
        .figure("settled_at_once_by_a_capture", settled)
        .figure("the_rest", rest)
        .figure("as_claimed", as_claimed)
        .figure("as_claimed_share", share(as_claimed, rest))
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Against the bare king, where no capture settles it at once",
            &["won", "not won"],
        ))
        .examples(study.examples("the lone man wins", &sum.spreads[0], &[])?)
        .examples(study.examples("the two pieces do not win", &sum.spreads[1], &[])?)
        .examples(study.examples("otherwise than claimed, by a capture", &sum.spreads[2], &[])?))
}

/// Adds a row and a bar: `others` are the positions that no capture settles, and how many of
/// these the pieces win.
fn add_row(
    sum: &mut Sums<NUMBERS, 3>,
    name: impl ToString,
    all: u64,
    counts: &[(&str, u64)],
    [others, won]: [u64; 2],
    more: &[(&str, Value)],
) {
    let name = name.to_string();
    let mut figures = row(&name, all, counts);
    if let Value::Object(figures) = &mut figures {
        figures.insert("no_capture_settles".into(), others.into());
        figures.extend(shares(others, &[("of_these_won", won)]));
        let more = more.iter().cloned();
        figures.extend(more.map(|(name, value)| (name.to_owned(), value)));
    }
    sum.rows.push(figures);
    sum.bars.add(name, others, &[won, others - won]);
}

/// Counts a position.
fn visit(
    tally: &mut Tally,
    spot: &Spot,
    values: &Values,
    ground: &Ground<Values>,
    should_win: bool,
) -> Result<(), ClaimError> {
    let (turn, weight) = (spot.turn(), spot.weight);
    let value = values.wdl(turn, spot.index);
    let wins = value.winner(turn) == Some(Colour::White);
    let settled = settling_capture(ground, spot.position, value)?;
    let weight_if = |is: bool| weight * u64::from(is);
    tally[ALL] += weight;
    if let Some(at) = settled.map(|is_king| if is_king { BY_KING } else { BY_MAN }) {
        tally[at] += weight;
        tally[at + 1] += weight_if(wins);
    }
    if has_bishops_of_one_colour(spot.position) {
        tally[SAME] += weight;
        tally[SAME + 1] += weight_if(wins);
        tally[SAME + 2] += weight_if(settled.is_some());
        tally[SAME + 3] += weight_if(settled.is_some() && wins);
    }
    if wins {
        let plies = values.plies(turn, spot.index).unwrap_or_default();
        tally[BY_PIECES] += weight;
        tally[EXCEED] += weight_if(plies > LIMIT);
        tally[PLIES + MOST.min(plies as usize + 1) - 1] += weight;
    }
    if wins != should_win {
        let kind = match settled {
            Some(_) => 2,
            None => usize::from(should_win),
        };
        tally.offer(kind, spot);
    }
    Ok(())
}

/// Whether a capture settles a position: it gets for the mover what the position is worth, a
/// win or a draw. Of the king if it says true, else of another man alone.
fn settling_capture(
    ground: &Ground<Values>,
    position: &Position,
    value: Wdl,
) -> Result<Option<bool>, ClaimError> {
    let mut settled = None;
    if value == Wdl::Loss {
        return Ok(settled);
    }
    for &mv in position.legal_moves().iter().filter(|mv| mv.is_capture()) {
        let after = position.play(mv);
        let is_king = after.finished().is_some();
        if ground.wdl(&after)?.reversed() == value {
            settled = Some(is_king || settled == Some(true));
        }
    }
    Ok(settled)
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
