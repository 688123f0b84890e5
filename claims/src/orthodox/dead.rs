//! O-1: which positions are dead.

use retrograde_rules::{Colour, Material, Piece, PieceType, Position};
use serde_json::Value;

use crate::claim::{Claim, Outcome};
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::figures::{count, row};
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "O-1",
    games: &["orthodox"],
    title: "Four combinations of men are dead; others can be dead, too.",
    source: "The list of dead positions that O5 quotes: K-K, KB-K, KN-K, and KB-KB with both \
             bishops on squares of one colour.",
    method: "The positions that are dead by material alone (O5) are counted by class. Whether \
             others are dead, position by position, takes the tables of help-mate reachability.",
    rule: "None as long as those tables are not there.",
    limits: "Nothing is said here about positions that are dead for other reasons.",
    needs: |scope| scope.all(&["orthodox"]),
    examine,
};

const ALL: usize = 0;
const DEAD: usize = 1;
type Tally = Counts<2>;

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game = study.game("orthodox");
    let (mut sum, mut rows) = (Tally::default(), Vec::new());
    let mut materials = study.scope.materials(game);
    materials.retain(has_no_mating_material);
    study.each(game, &materials, |material| {
        let values = study.values(game, material)?;
        let tally = study.walk(game, values.index(), |tally: &mut Tally, spot| {
            tally[ALL] += spot.weight;
            tally[DEAD] += spot.weight * u64::from(is_dead(spot.position));
            Ok(())
        })?;
        rows.push(row(
            material,
            tally[ALL],
            &[("dead_by_material", tally[DEAD])],
        ));
        sum.add(&tally);
        Ok(())
    })?;
    let answer = format!(
        "Not decidable here: it needs the help-mate table. By material alone {} positions of \
         classes with minor pieces are dead.",
        count(sum[DEAD]),
    );
    Ok(Outcome {
        positions: sum[ALL],
        ..Outcome::not_decidable(answer)
    }
    .figure("positions", sum[ALL])
    .figure("dead_by_material", sum[DEAD])
    .figure("by_class", Value::Array(rows)))
}

fn is_dead(position: &Position) -> bool {
    position.dead() == Some(true)
}

/// Whether there are only kings, bishops and knights: no other class has dead material.
fn has_no_mating_material(material: &Material) -> bool {
    let mut pieces = material.pieces();
    let minor = [PieceType::King, PieceType::Bishop, PieceType::Knight];
    pieces.all(|Piece { piece_type, .. }| minor.contains(&piece_type))
        && Colour::BOTH
            .into_iter()
            .all(|colour| material.side_len(colour) > 0)
}
