//! Which materials a move may lead to, and who is to move there.

use retrograde_rules::{Colour, Game, Goal, Material, PieceType};

/// The sides that may be to move in a successor after a move from a larger material: all
/// that are, maybe some that are not. The successor is in normal form.
pub fn turns_after(game: Game, larger: &Material, successor: &Material) -> Vec<Colour> {
    let is_turn = |&turn: &Colour| {
        let by = |mover: Colour| turns_after_move(game, larger, successor, mover).contains(&turn);
        Colour::BOTH.into_iter().any(by)
    };
    let turns: Vec<Colour> = Colour::BOTH.into_iter().filter(is_turn).collect();
    match game.goal() {
        // There are moves of other kinds.
        Goal::KingCapture(_) => Colour::BOTH.to_vec(),
        _ if turns.is_empty() => Colour::BOTH.to_vec(),
        _ => turns,
    }
}

/// The same after a move of one side; none if it does not lead there.
pub(crate) fn turns_after_move(
    game: Game,
    larger: &Material,
    successor: &Material,
    mover: Colour,
) -> Vec<Colour> {
    let after = reached(game, larger, mover).into_iter();
    after
        .filter(|(normal, _)| normal == successor)
        .map(|(_, swapped)| if swapped { mover } else { mover.other() })
        .collect()
}

/// The materials that a side may reach by a capture, a promotion, or both, in normal
/// form, and whether the colours are swapped in it; some that it may not reach as well.
fn reached(game: Game, material: &Material, mover: Colour) -> Vec<(Material, bool)> {
    let mut after_capture = vec![*material];
    for piece in material.pieces().filter(|piece| piece.colour != mover) {
        after_capture.extend(material.without(piece));
    }
    let mut all = after_capture.clone();
    for material in &after_capture {
        let pawn = material
            .pieces()
            .find(|piece| piece.colour == mover && piece.piece_type == PieceType::Pawn);
        let Some(pawn) = pawn else { continue };
        for &piece_type in game.piece_types() {
            let mut promoted = pawn;
            promoted.piece_type = piece_type;
            if let Some(mut after) = material.without(pawn) {
                after.add(promoted);
                all.push(after);
            }
        }
    }
    all.iter().map(|material| material.normal(game)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whole::Positions;
    use retrograde_index::Index;
    use retrograde_rules::Square;

    fn material(name: &str, game: Game) -> Material {
        Material::parse(game, name).unwrap().normal(game).0
    }

    /// Plays all captures and promotions of some positions.
    fn check(id: &str, name: &str) {
        let game = Game::parse(id).unwrap();
        let larger = material(name, game);
        let index = Index::new(game, &larger).unwrap();
        let mut squares = [Square(0); Material::MOST_PIECES];
        let mut played = 0;
        for turn in Colour::BOTH {
            let positions = Positions::new(game, &index, turn);
            for number in (0..index.len()).step_by((index.len() / 5000) as usize | 1) {
                let squares = &mut squares[..index.pieces()];
                let Some(position) = positions.position(number, squares) else {
                    continue;
                };
                for &mv in &position.captures_and_promotions() {
                    let after = position.play(mv);
                    let (normal, swapped) = after.material().normal(game);
                    let turn = if swapped { turn } else { turn.other() };
                    let turns = turns_after(game, &larger, &normal);
                    assert!(turns.contains(&turn), "{id} {name} {normal}");
                    played += 1;
                }
            }
        }
        assert!(played > 0, "{id} {name}");
    }

    #[test]
    fn every_move_leads_to_a_side_that_is_named() {
        for name in ["KRPvKR", "KPvKP", "KQvKB", "KBPvK"] {
            check("orthodox", name);
        }
        check("king-of-the-hill", "KPvKN");
        check("kings", "KKPvKR");
        check("wild9", "KPvKK");
        check("extinction", "KPPvKR");
        check("extinction-mating", "KPPvKR");
        check("chess99", "KPvKR");
    }

    #[test]
    fn sides_that_are_not_to_move_are_left_out() {
        let after = |larger, smaller| {
            let [larger, smaller] = [larger, smaller].map(|m| material(m, Game::default()));
            turns_after(Game::default(), &larger, &smaller)
        };
        assert_eq!(after("KRPvKR", "KQRvKR"), [Colour::Black]);
        assert_eq!(after("KRPvKR", "KRvKR"), [Colour::White]);
        // Black has captured, and the colours are swapped.
        assert_eq!(after("KPvKR", "KRvK"), [Colour::Black]);
        assert_eq!(after("KRPvKP", "KRPvK"), [Colour::Black]);
        assert_eq!(after("KPvKP", "KQvKP"), [Colour::Black]);
    }
}
