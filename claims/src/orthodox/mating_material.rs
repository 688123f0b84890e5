//! O-2: mating material against mates with help.

use retrograde_index::{Helpmate, Metric};
use retrograde_rules::{Colour, Material, Piece, PieceType, Position};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, share};
use crate::study::Study;

use super::confirm;

pub(super) const CLAIM: Claim = Claim {
    tag: "O-2",
    games: &["orthodox"],
    title: "Mating material, anything but K, KB and KN, is what can mate with help.",
    source: "The definition of mating material that O5 quotes.",
    method: "For each side of every position: has it mating material by the definition, and can \
             it give mate by any series of legal moves of both? By class: has it, and can it in \
             any position of the class?",
    rule: "The share of the sides of all positions for which both say the same. Where the game is \
           over, by mate or stalemate, and mating material comes too late, the side is left out.",
    limits: "What can be done with help need not be forced. A class counts like its positions, \
             all of them once. Positions with a right to capture en passant are left out.",
    needs: |scope| scope.all_with_helpmates("orthodox"),
    examine,
};

const ALL: usize = 0;
/// With mating material, and no mate: play goes on.
const TOO_MUCH: usize = 1;
/// The same where the game is over.
const OVER: usize = 2;
/// Without mating material, but with a mate.
const TOO_LITTLE: usize = 3;
/// Positions in which White can give mate, and in which Black can.
const MATES: usize = 4;
type Tally = Counts<6, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("orthodox");
    if !Metric::on_request(game).contains(&Metric::Helpmate) {
        return Ok(Outcome::not_decidable(
            "These rules say nothing of mating material.",
        ));
    }
    let mut sum = Sums::default();
    let (mut at_odds, mut differing_sides, mut sides) = (Vec::new(), 0, 0);
    let materials = study.scope.materials(game);
    study.each(game, &materials, |material| {
        let helpmates = study.library.helpmates(game, material)?;
        let has = Colour::BOTH.map(|side| has_mating_material(material, side));
        let tally = study.walk(game, helpmates.index(), |tally: &mut Tally, spot| {
            let weight = spot.weight;
            tally[ALL] += weight;
            let helpmate = helpmates.get(spot.turn(), spot.index);
            for side in Colour::BOTH {
                let mates = helpmate.can_be_mated(side.other());
                tally[MATES + side.index()] += weight * u64::from(mates);
                match (has[side.index()], mates) {
                    (true, false) if spot.position.legal_moves().is_empty() => {
                        tally[OVER] += weight;
                    }
                    (true, false) => {
                        tally[TOO_MUCH] += weight;
                        tally.offer(0, spot);
                    }
                    (false, true) => {
                        tally[TOO_LITTLE] += weight;
                        tally.offer(1, spot);
                    }
                    _ => {}
                }
            }
            Ok(())
        })?;
        let mut row = json!({ "material": material.to_string(), "positions": tally[ALL] });
        for (side, name) in Colour::BOTH.into_iter().zip(["first", "second"]) {
            let (has, mates) = (has[side.index()], tally[MATES + side.index()]);
            row[format!("{name}_side_has_mating_material")] = has.into();
            row[format!("{name}_side_can_mate")] = mates.into();
            row[format!("{name}_side_can_mate_share")] = share(mates, tally[ALL]);
            sides += 1;
            if has != (mates > 0) {
                differing_sides += 1;
                at_odds.push(format!("{} in {material}", men(material, side)));
            }
        }
        row["has_it_and_cannot"] = tally[TOO_MUCH].into();
        row["has_it_not_and_can"] = tally[TOO_LITTLE].into();
        sum.rows.push(row);
        if tally[TOO_MUCH] + tally[TOO_LITTLE] > 0 {
            let parts = [tally[TOO_MUCH], tally[TOO_LITTLE]];
            sum.bars.add(material, 2 * tally[ALL] - tally[OVER], &parts);
        }
        sum.add(material, tally);
        Ok(())
    })?;
    for (spread, has) in sum.spreads.iter().zip([true, false]) {
        // Some side has it, and cannot mate; or the other way round.
        let differs = |position: &Position, helpmate: Helpmate| {
            Colour::BOTH.into_iter().any(|side| {
                has_mating_material(&position.material(), side) == has
                    && helpmate.can_be_mated(side.other()) != has
            })
        };
        confirm(study, spread, differs, "at odds with mating material")?;
    }
    let all = 2 * sum[ALL] - sum[OVER];
    let differing = sum[TOO_MUCH] + sum[TOO_LITTLE];
    at_odds.dedup();
    let answer = format!(
        "Of {} sides of positions the two say the same of {}. {} have mating material and cannot \
         mate ({}); {} have none by the definition and can, with help ({}). By class, {} of {} \
         sides differ{}.",
        count(all),
        percent(all - differing, all),
        count(sum[TOO_MUCH]),
        percent(sum[TOO_MUCH], all),
        count(sum[TOO_LITTLE]),
        percent(sum[TOO_LITTLE], all),
        differing_sides,
        sides,
        match at_odds.is_empty() {
            true => String::new(),
            false => format!(": {}", at_odds.join(", ")),
        },
    );
    Ok(Outcome::of(all - differing, all, sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("sides", all)
        .figure("has_it_and_cannot", sum[TOO_MUCH])
        .figure("has_it_and_cannot_share", share(sum[TOO_MUCH], all))
        .figure("has_it_not_and_can", sum[TOO_LITTLE])
        .figure("has_it_not_and_can_share", share(sum[TOO_LITTLE], all))
        .figure("left_out_as_the_game_is_over", sum[OVER])
        .figure("classes_that_differ", at_odds)
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Sides for which mating material and mates with help differ",
            &[
                "mating material, but no mate",
                "a mate, but no mating material",
            ],
        ))
        .examples(study.examples(
            "a side has mating material, and cannot mate even with help",
            &sum.spreads[0],
            &[],
        )?)
        .examples(study.examples(
            "a side without mating material can mate with help",
            &sum.spreads[1],
            &[],
        )?))
}

/// Whether a side has more than one minor piece beside its king (O5).
fn has_mating_material(material: &Material, colour: Colour) -> bool {
    let count = |piece_type| material.count(Piece::new(colour, piece_type));
    let minor = count(PieceType::Bishop) + count(PieceType::Knight);
    material.side_len(colour) > 1 + minor || minor > 1
}

/// The men of a side: `KB`.
fn men(material: &Material, colour: Colour) -> String {
    let pieces = material.pieces().filter(|piece| piece.colour == colour);
    pieces.map(|piece| piece.piece_type.letter()).collect()
}
