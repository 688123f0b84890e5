//! HC2: endings without mating material are won by the king that gets to the centre.

use retrograde_index::Wdl;
use retrograde_rules::{Colour, Material, Piece, PieceType};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::{count, percent, row, share};
use crate::study::Study;
use crate::tables::Ground;

use super::VITALITY;
use super::{first_to_the_centre, full};

pub(super) const CLAIM: Claim = Claim {
    tag: "HC2",
    games: &["high-chess", "orthodox"],
    title: "Endings drawn for lack of material are usually won by whoever gets the king to the centre.",
    source: "Grant Sinclair, designer of High Chess.",
    method: "The classes are those with minor pieces alone in which orthodox chess draws at least \
             99 % of all positions, two bare kings among them. In each it is counted how often \
             the side that is High at once wins, and how often the side that can step on a \
             central square first: the one with the smaller distance or, if both are equal, \
             the side to move.",
    rule: "The share of positions won by the side that can reach a central square first.",
    limits: "Who can reach a central square first is a race on an empty board; that the other \
             king or a piece may stand in the way is not counted.",
    needs: |scope| scope.all(&["high-chess", "orthodox"]),
    examine,
};

const ALL: usize = 0;
const DRAWN: usize = 1;
const HIGH: usize = 2;
const FIRST: usize = 3;
type Tally = Counts<4, 1>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let [game, orthodox] = ["high-chess", "orthodox"].map(|id| study.game(id));
    let Some(rules) = game.vitality() else {
        return Ok(Outcome::not_decidable("The game has no side that is High."));
    };
    let mut materials = study.scope.materials(game);
    materials.retain(has_minor_pieces_alone);
    let mut sum = Sums::default();
    study.each(game, &materials, |material| {
        let curves = study.library.curves(game, material)?;
        let results = Ground::only(study.library, orthodox, material)?;
        let tally = study.walk(game, curves.index(), |tally: &mut Tally, spot| {
            let board = spot.position.board();
            let winner = curves.winner(spot.turn(), spot.index, full(rules));
            let first = first_to_the_centre(board, spot.turn());
            tally[ALL] += spot.weight;
            tally[HIGH] += spot.weight * u64::from(winner == VITALITY.high(spot.position));
            tally[FIRST] += spot.weight * u64::from(winner == first);
            if winner != first {
                tally.offer(0, spot);
            }
            if let Some(same) = carried_over(spot.position, orthodox) {
                let wdl = results.wdl(&same)?;
                let is_drawn = wdl == Wdl::Draw || wdl.is_cursed();
                tally[DRAWN] += spot.weight * u64::from(is_drawn);
            }
            Ok(())
        })?;
        if 100 * tally[DRAWN] < 99 * tally[ALL] {
            return Ok(());
        }
        sum.rows.push(row(
            material,
            tally[ALL],
            &[
                ("drawn_in_orthodox", tally[DRAWN]),
                ("won_by_high", tally[HIGH]),
                ("won_by_first_to_the_centre", tally[FIRST]),
            ],
        ));
        sum.bars.add(
            material,
            tally[ALL],
            &[tally[FIRST], tally[ALL] - tally[FIRST]],
        );
        sum.add(material, tally);
        Ok(())
    })?;
    let answer = format!(
        "In {} of {} positions the side wins that can reach a central square first, and in {} \
         the side that is High at once.",
        percent(sum[FIRST], sum[ALL]),
        count(sum[ALL]),
        percent(sum[HIGH], sum[ALL]),
    );
    Ok(Outcome::of(sum[FIRST], sum[ALL], sum[ALL], answer)
        .figure("positions", sum[ALL])
        .figure("won_by_first_to_the_centre", sum[FIRST])
        .figure(
            "won_by_first_to_the_centre_share",
            share(sum[FIRST], sum[ALL]),
        )
        .figure("won_by_high", sum[HIGH])
        .figure("won_by_high_share", share(sum[HIGH], sum[ALL]))
        .figure("by_class", Value::Array(sum.rows))
        .chart(sum.bars.chart(
            "Classes without mating material: who wins",
            &["first to the centre", "the other side"],
        ))
        .examples(study.examples("won by the other side", &sum.spreads[0], &[orthodox])?))
}

/// Whether there are only kings, bishops and knights.
fn has_minor_pieces_alone(material: &Material) -> bool {
    let none = [PieceType::Queen, PieceType::Rook, PieceType::Pawn];
    let count = |piece_type| {
        Colour::BOTH
            .map(|c| material.count(Piece::new(c, piece_type)))
            .iter()
            .sum::<usize>()
    };
    none.into_iter().all(|piece_type| count(piece_type) == 0)
}
