//! K-2: promotion to king matters.

use retrograde_index::Wdl;
use retrograde_rules::{Colour, Material, Move, Piece, PieceType};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::{Counts, Sums};
use crate::error::ClaimError;
use crate::figures::{count, percent, row_of, share};
use crate::need::Need;
use crate::scope::Scope;
use crate::study::Study;
use crate::tables::Ground;

pub(super) const CLAIM: Claim = Claim {
    tag: "K-2",
    games: &["kings"],
    title: "Promotion to king matters.",
    source: "Sibahi, designer of kings (2007).",
    method: "All positions of classes with pawns in which the mover has a pawn one step from \
             promotion: those in which all moves that keep a win or a draw promote to king, and \
             others do not keep it; and checks whose only legal replies promote to king.",
    rule: "The claim is that it happens: it holds if there is any such position. If there is \
           none, larger classes may have one, unless the rules do not promote to king.",
    limits: "Double promotions and whole games are beyond so few men.",
    needs: |scope| {
        let game = scope.game("kings");
        vec![Need::of(game, materials(scope))]
    },
    examine,
};

fn materials(scope: &Scope) -> Vec<Material> {
    let mut list = scope.materials(scope.game("kings"));
    list.retain(Material::has_pawns);
    list
}

const ALL: usize = 0;
const NEAR: usize = 1;
const ONLY: usize = 2;
const WINS: usize = 3;
const REPLIES: usize = 4;
type Tally = Counts<5, 2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("kings");
    let mut sum = Sums::default();
    let geometry = game.geometry();
    study.each(game, &materials(study.scope), |material| {
        let values = study.library.values(game, material)?;
        let ground = Ground::around(study.library, game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            let (position, turn, weight) = (spot.position, spot.turn(), spot.weight);
            tally[ALL] += weight;
            let seventh = match turn {
                Colour::White => geometry.ranks - 2,
                Colour::Black => 1,
            };
            let mut pawns = position.board().of(Piece::new(turn, PieceType::Pawn));
            if !pawns.any(|pawn| geometry.rank(pawn) == seventh) {
                return Ok(());
            }
            tally[NEAR] += weight;
            let moves = position.legal_moves();
            let is_king = |mv: &Move| mv.promotion == Some(PieceType::King);
            if !moves.iter().any(is_king) {
                return Ok(());
            }
            if moves.iter().all(is_king) {
                if position.is_check() {
                    tally[REPLIES] += weight;
                    tally.offer(1, spot);
                }
                return Ok(());
            }
            let value = values.wdl(turn, spot.index);
            if value == Wdl::Loss {
                return Ok(());
            }
            for mv in moves.iter().filter(|mv| !is_king(mv)) {
                if ground.wdl(&position.play(*mv))?.reversed() == value {
                    return Ok(());
                }
            }
            tally[ONLY] += weight;
            tally[WINS] += weight * u64::from(value == Wdl::Win);
            tally.offer(0, spot);
            Ok(())
        })?;
        sum.rows.push(row_of(
            material,
            ("with_a_pawn_one_step_from_promotion", tally[NEAR]),
            &[
                ("only_promotion_to_king_keeps_the_value", tally[ONLY]),
                ("of_these_won", tally[WINS]),
                ("only_replies_to_check", tally[REPLIES]),
            ],
        ));
        sum.add(material, tally);
        Ok(())
    })?;
    let answer = format!(
        "Of {} positions with a pawn one step from promotion, only promotion to king keeps the \
         value in {} ({}), {} of them wins; it is the only reply to check in {}.",
        count(sum[NEAR]),
        count(sum[ONLY]),
        percent(sum[ONLY], sum[NEAR]),
        count(sum[WINS]),
        count(sum[REPLIES]),
    );
    let promotes = game.promotions().contains(&PieceType::King);
    let excluded = (!promotes).then_some("These rules do not promote to king.");
    Ok(
        Outcome::of_occurrence(sum[ONLY] + sum[REPLIES], sum[ALL], answer, excluded)
            .figure("positions", sum[ALL])
            .figure("with_a_pawn_one_step_from_promotion", sum[NEAR])
            .figure("only_promotion_to_king_keeps_the_value", sum[ONLY])
            .figure(
                "only_promotion_to_king_keeps_the_value_share",
                share(sum[ONLY], sum[NEAR]),
            )
            .figure("of_these_won", sum[WINS])
            .figure("only_replies_to_check", sum[REPLIES])
            .figure("by_class", Value::Array(sum.rows))
            .examples(study.examples(
                "only promotion to king keeps the value",
                &sum.spreads[0],
                &[],
            )?)
            .examples(study.examples(
                "only promotion to king answers the check",
                &sum.spreads[1],
                &[],
            )?),
    )
}
