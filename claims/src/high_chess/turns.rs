//! Who wins after a turn, for all pairs of counters before it at once.

use retrograde_index::Thresholds;
use retrograde_rules::{Colour, End, Move, Position, Toll, VitalityRules};

use super::VITALITY;
use crate::error::ClaimError;
use crate::tables::{Curve, Curves, Ground};

/// The thresholds of a curve.
pub(super) fn of_curve(rules: &VitalityRules, curve: &Curve) -> Thresholds {
    let counters = rules.counters();
    let thresholds = Thresholds::of(counters, &curve.white_needs);
    thresholds.unwrap_or(Thresholds::always(counters, Colour::White))
}

/// The needs of a position; one with an e.p. right is resolved from its successors (O2).
pub(super) fn needs(
    ground: &Ground<Curves>,
    rules: &'static VitalityRules,
    position: &Position,
) -> Result<Thresholds, ClaimError> {
    if position.ep().is_none() {
        return Ok(of_curve(rules, ground.curve(position)?));
    }
    let turn = position.turn();
    let mut best = Thresholds::always(rules.counters(), turn.other());
    for &mv in &position.legal_moves() {
        best.join(turn, &needs_of_move(ground, rules, position, mv)?);
    }
    Ok(best)
}

/// Likewise if a move is played, by the counters before it. The position has full counters.
#[inline]
pub(super) fn needs_of_move(
    ground: &Ground<Curves>,
    rules: &'static VitalityRules,
    position: &Position,
    mv: Move,
) -> Result<Thresholds, ClaimError> {
    let (turn, after) = (position.turn(), position.play(mv));
    let toll = VITALITY.toll(position, mv);
    // Mate comes before exhaustion (H6).
    if toll == Toll::Paid && after.is_check() && after.end() == Some(End::Checkmate) {
        return Ok(Thresholds::always(rules.counters(), turn));
    }
    Ok(needs(ground, rules, &after)?.before(rules, turn, toll))
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Game, Vitality};

    use super::*;

    #[test]
    fn pairs_that_only_one_of_two_wins() {
        let game = Game::parse("high-chess").unwrap();
        let counters = game.vitality().unwrap().counters();
        let of = |least: [u8; 50]| Thresholds::of(counters, &least).unwrap();
        let mut some = of(std::array::from_fn(|place| if place < 10 { 1 } else { 20 }));
        let mut others = of(std::array::from_fn(|place| match place {
            0..5 => 2,
            5..10 => 1,
            _ => 30,
        }));
        for side in Colour::BOTH {
            let wins = |these: &Thresholds, pair| these.white_wins(pair) == (side == Colour::White);
            let only = |pair: &Vitality| wins(&some, *pair) && !wins(&others, *pair);
            let pairs = counters.of(Colour::White).flat_map(|white| {
                (counters.of(Colour::Black)).map(move |black| Vitality { white, black })
            });
            let count = pairs.filter(only).count() as u64;
            assert_eq!(some.beyond(side, &others), count);
            let fullest = some.fullest_beyond(side, &others);
            assert_eq!(fullest.is_some(), side == Colour::White);
            assert!(fullest.is_none_or(|pair| only(&pair) && pair.black == 50 && pair.white == 29));
        }
        others.join(Colour::White, &some);
        assert_eq!(some.beyond(Colour::White, &others), 0);
        some.join(Colour::Black, &Thresholds::always(counters, Colour::Black));
        assert_eq!(some, Thresholds::always(counters, Colour::Black));
    }

    /// The best move wins what the position wins.
    #[test]
    fn moves_make_up_the_curve() {
        let game = Game::parse("high-chess").unwrap();
        let rules = game.vitality().unwrap();
        let tables = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tables"));
        let library = crate::tables::Library::new(vec![tables]);
        let fens = [
            "8/8/8/3k4/8/8/4P3/K7 w - -",
            "8/8/8/3k4/8/8/4P3/K7 b - -",
            "8/4P3/8/8/2K5/8/8/k7 w - -",
            "8/8/8/8/8/8/nK6/7k b - -",
            "8/8/8/8/1Q6/2K5/4k3/8 b - -",
            "8/3k4/8/8/8/8/2K5/8 w - -",
        ];
        for fen in fens {
            let position = Position::from_fen(game, fen).unwrap();
            let turn = position.turn();
            let (material, _) = position.material().normal(game);
            let ground = Ground::around(&library, game, &material).unwrap();
            let mut best = Thresholds::always(rules.counters(), turn.other());
            for &mv in &position.legal_moves() {
                best.join(turn, &needs_of_move(&ground, rules, &position, mv).unwrap());
            }
            assert_eq!(best, needs(&ground, rules, &position).unwrap(), "{fen}");
        }
    }
}
