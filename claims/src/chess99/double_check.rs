//! C99-2: a double check helps only the side that stands worse.

use retrograde_index::Wdl;
use retrograde_rules::{Colour, Material, Piece, PieceType, Position};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::compare::place;
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, row_of, share};
use crate::need::Need;
use crate::study::Study;
use crate::tables::{Ground, Values};

use super::{few_or_even, is_double_check, with_and_without_the_rule};

pub(super) const CLAIM: Claim = Claim {
    tag: "C99-2",
    games: &["chess99"],
    title: "A double check, after which both kings are attacked, helps only the side that stands worse.",
    source: "Claude Lapointe, designer of Chess 99.",
    method: "All drawn positions of classes of up to three men, and of classes of four with the \
             same men on both sides, in which every move that keeps the draw is a double check, and \
             other moves lose. (It cannot be the only way to keep a win: the other side may \
             capture the king for a draw at least, C3.) The side that stands worse is the one \
             that loses the position if capturing the king always wins \
             (king-capture-in-check=win); beside it, the one with less material by the usual \
             values (queen 9, paladin 6, rook 5, bishop and knight 3, pawn 1).",
    rule: "The share of these positions in which the mover loses without the designer's rule.",
    limits: "The value without the rule stands for how a side stands; there is no other measure \
             of it in an ending. The classes of four men have the same men on both sides, so only \
             those of three men can show a mover with less material.",
    needs: |scope| {
        let games = with_and_without_the_rule(scope);
        games
            .map(|game| Need::of(game, few_or_even(scope, game)))
            .into()
    },
    examine,
};

const DRAWN: usize = 0;
const ONLY: usize = 1;
/// Without the rule: won, drawn, lost for the mover.
const WITHOUT: usize = 2;
/// The mover has less, the same, more material.
const MATERIAL: usize = 5;
type Tally = Counts<8, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, without] = with_and_without_the_rule(study.scope);
    let mut sum = Sums::default();
    let materials = few_or_even(study.scope, game);
    study.each(game, &materials, |material| {
        let values = study.library.values(game, material)?;
        let ground = Ground::around(study.library, game, material)?;
        let others = Ground::only(study.library, without, material)?;
        let wanted = |turn, index| values.wdl(turn, index) == Wdl::Draw;
        let balance = balance(material);
        let tally = study.walk_where(game, values.index(), wanted, |tally: &mut Tally, spot| {
            tally[DRAWN] += spot.weight;
            if !needs_double_check(&ground, spot.position)? {
                return Ok(());
            }
            let Some(same) = carried_over(spot.position, without) else {
                return Ok(());
            };
            let stands = place(others.wdl(&same)?);
            let mine = match spot.turn() {
                Colour::White => balance,
                Colour::Black => -balance,
            };
            tally[ONLY] += spot.weight;
            tally[WITHOUT + stands] += spot.weight;
            tally[MATERIAL + (mine.signum() + 1) as usize] += spot.weight;
            tally.offer(usize::from(stands == 2), spot);
            Ok(())
        })?;
        if tally[ONLY] > 0 {
            sum.rows.push(row_of(
                material,
                ("only_a_double_check_draws", tally[ONLY]),
                &[
                    ("lost_without_the_rule", tally[WITHOUT + 2]),
                    ("less_material", tally[MATERIAL]),
                    ("more_material", tally[MATERIAL + 2]),
                ],
            ));
        }
        sum.add(material, tally);
        Ok(())
    })?;
    let worse = sum[WITHOUT + 2];
    let answer = match sum[ONLY] {
        0 => format!(
            "A double check is the only way to keep the draw in none of {} drawn positions.",
            count(sum[DRAWN]),
        ),
        only => format!(
            "In {} of {} drawn positions a double check is the only way to keep the draw. In {} \
             of them the mover would lose without the designer's rule; it has less material in \
             {} and more in {}.",
            count(only),
            count(sum[DRAWN]),
            percent(worse, only),
            percent(sum[MATERIAL], only),
            percent(sum[MATERIAL + 2], only),
        ),
    };
    let by_value = ["won", "drawn", "lost"]
        .iter()
        .enumerate()
        .map(|(n, name)| {
            json!({
                "without_the_rule": name,
                "positions": sum[WITHOUT + n],
                "positions_share": share(sum[WITHOUT + n], sum[ONLY]),
            })
        });
    let by_material = ["less", "the same", "more"]
        .iter()
        .enumerate()
        .map(|(n, name)| {
            json!({
                "material_of_the_mover": name,
                "positions": sum[MATERIAL + n],
                "positions_share": share(sum[MATERIAL + n], sum[ONLY]),
            })
        });
    Ok(Outcome::of(worse, sum[ONLY], sum[DRAWN], answer)
        .figure("drawn_positions", sum[DRAWN])
        .figure("only_a_double_check_draws", sum[ONLY])
        .figure("by_value_without_the_rule", by_value.collect::<Value>())
        .figure("by_material_of_the_mover", by_material.collect::<Value>())
        .figure("by_class", Value::Array(sum.rows))
        .examples(study.examples(
            "only a double check draws, and the mover does not stand worse",
            &sum.spreads[0],
            &[without],
        )?)
        .examples(study.examples(
            "only a double check draws, and the mover stands worse",
            &sum.spreads[1],
            &[without],
        )?))
}

/// Whether some double check keeps the draw, and other moves, of which there are some, lose.
fn needs_double_check(ground: &Ground<Values>, position: &Position) -> Result<bool, ClaimError> {
    let (mut keeps, mut loses) = (false, false);
    for &mv in &position.legal_moves() {
        let after = position.play(mv);
        if ground.wdl(&after)? != Wdl::Draw {
            loses = true;
            continue;
        }
        if after.finished().is_some() || !is_double_check(&after) {
            return Ok(false);
        }
        keeps = true;
    }
    Ok(keeps && loses)
}

/// White's men less Black's, by the usual values.
fn balance(material: &Material) -> i32 {
    let value = |piece_type| match piece_type {
        PieceType::King => 0,
        PieceType::Queen => 9,
        PieceType::Chancellor => 8,
        PieceType::Paladin => 6,
        PieceType::Rook => 5,
        PieceType::Bishop | PieceType::Knight => 3,
        PieceType::Pawn => 1,
    };
    let of = |piece: Piece| match piece.colour {
        Colour::White => value(piece.piece_type),
        Colour::Black => -value(piece.piece_type),
    };
    material.pieces().map(of).sum()
}
