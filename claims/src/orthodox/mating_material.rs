//! O-2: mating material against mates with help.

use retrograde_rules::{Colour, Game, Material, Piece, PieceType};
use serde_json::{Value, json};

use crate::claim::{Claim, Outcome};
use crate::error::ClaimError;
use crate::study::Study;

pub(super) const CLAIM: Claim = Claim {
    tag: "O-2",
    games: &["orthodox"],
    title: "Mating material, anything but K, KB and KN, is what can mate with help.",
    source: "The definition of mating material that O5 quotes.",
    method: "Which sides of which classes have mating material by the definition. Which of them \
             can mate with help, position by position, takes the tables of help-mate \
             reachability.",
    rule: "None as long as those tables are not there.",
    limits: "Nothing is said here about what can be mated with help.",
    needs: |_| Vec::new(),
    examine,
};

fn examine(study: &Study) -> Result<Outcome, ClaimError> {
    let game: Game = study.game("orthodox");
    let side = |material: &Material, colour| has_mating_material(material, colour);
    let rows: Vec<Value> = study
        .scope
        .materials(game)
        .iter()
        .map(|material| {
            json!({
                "material": material.to_string(),
                "first_side_has_mating_material": side(material, Colour::White),
                "second_side_has_mating_material": side(material, Colour::Black),
            })
        })
        .collect();
    let answer = "Not decidable here: it needs the help-mate table.";
    Ok(Outcome::not_decidable(answer).figure("by_class", Value::Array(rows)))
}

/// Whether a side has more than one minor piece beside its king (O5).
fn has_mating_material(material: &Material, colour: Colour) -> bool {
    let count = |piece_type| material.count(Piece::new(colour, piece_type));
    let minor = count(PieceType::Bishop) + count(PieceType::Knight);
    material.side_len(colour) > 1 + minor || minor > 1
}
