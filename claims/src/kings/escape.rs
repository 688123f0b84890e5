//! K-5: strange ways to escape checkmate.

use retrograde_rules::{Colour, Move, PieceType, Position};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row_of, share};
use crate::need::Need;
use crate::study::Study;

use super::{has_spare_kings, with_spare_kings};

pub(super) const CLAIM: Claim = Claim {
    tag: "K-5",
    games: &["kings"],
    title: "There are strange ways to escape checkmate.",
    source: "Sibahi, designer of kings (2007): “strange ways to escape checkmate”.",
    method: "All checks to a side that has several kings or can get them: those whose only legal \
             replies make another king royal, so that the attacked one need not be saved. Checks \
             to a side whose one king stays its only one are left out.",
    rule: "The claim is that it happens: it holds if there is any such position. If there is \
           none, larger classes may have one.",
    limits: "A check that both a plain move and such a reply answer does not count.",
    needs: |scope| {
        let game = scope.game("kings");
        vec![Need::of(game, with_spare_kings(scope, game))]
    },
    examine,
};

const ALL: usize = 0;
const CHECKS: usize = 1;
const ESCAPES: usize = 2;
const PROMOTIONS: usize = 3;
type Tally = Counts<4, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("kings");
    let mut sum = Sums::default();
    study.each(game, &with_spare_kings(study.scope, game), |material| {
        let values = study.library.values(game, material)?;
        let escapes = Colour::BOTH.map(|side| has_spare_kings(game, material, side));
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, weight) = (spot.position, spot.weight);
            tally[ALL] += weight;
            if !escapes[spot.turn().index()] || !position.is_check() {
                return Ok(());
            }
            tally[CHECKS] += weight;
            let moves = position.legal_moves();
            if moves.is_empty() || !moves.iter().all(|&mv| passes_royalty(position, mv)) {
                return Ok(());
            }
            tally[ESCAPES] += weight;
            let by_promotion = moves.iter().all(|mv| mv.promotion == Some(PieceType::King));
            tally[PROMOTIONS] += weight * u64::from(by_promotion);
            tally.offer(usize::from(by_promotion), spot);
            Ok(())
        })?;
        if tally[CHECKS] > 0 {
            sum.rows.push(row_of(
                material,
                ("checks", tally[CHECKS]),
                &[
                    ("only_royalty_escapes", tally[ESCAPES]),
                    ("of_these_by_promotion", tally[PROMOTIONS]),
                ],
            ));
        }
        sum.add(material, tally);
        Ok(())
    })?;
    let answer = match sum[CHECKS] {
        0 => "No side that has several kings, or can get them, is in check.".to_owned(),
        checks => format!(
            "In {} of {} checks ({}) every legal reply makes another king royal, in {} of them \
             by promotion.",
            count(sum[ESCAPES]),
            count(checks),
            percent(sum[ESCAPES], checks),
            count(sum[PROMOTIONS]),
        ),
    };
    let excluded = (!game.royals_vary()).then_some("These rules never pass royalty on.");
    Ok(
        Outcome::of_occurrence(sum[ESCAPES], sum[ALL], answer, excluded)
            .figure("positions", sum[ALL])
            .figure("checks", sum[CHECKS])
            .figure("only_royalty_escapes", sum[ESCAPES])
            .figure(
                "only_royalty_escapes_share",
                share(sum[ESCAPES], sum[CHECKS]),
            )
            .figure("of_these_by_promotion", sum[PROMOTIONS])
            .figure("by_class", Value::Array(sum.rows))
            .examples(study.examples(
                "every reply makes another king royal",
                &sum.spreads[0],
                &[],
            )?)
            .examples(study.examples("every reply promotes to king", &sum.spreads[1], &[])?),
    )
}

/// Whether a move makes another king royal than the one that was.
fn passes_royalty(position: &Position, mv: Move) -> bool {
    let turn = position.turn();
    let (before, after) = (position.royals(turn), position.play(mv).royals(turn));
    // The royal king itself may have moved.
    match before.contains(mv.from) {
        true => !after.contains(mv.to),
        false => before != after,
    }
}
