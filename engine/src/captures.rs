//! Moves of which nothing is proved: the most material, after the best reply.

use retrograde_rules::{Move, Position};
use retrograde_search::gain;

/// What a move gains, less the most that a reply gains, and how many replies there are.
pub(crate) fn gain_and_replies(position: &Position, mv: Move) -> (i32, usize) {
    let after = position.play(mv);
    let replies = after.legal_moves();
    let lost = replies.iter().map(|&reply| gain(&after, reply)).max();
    (gain(position, mv) - lost.unwrap_or(0), replies.len())
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Game;

    use super::*;

    #[test]
    fn material_is_counted_after_the_best_reply() {
        let fen = "4k3/8/2p5/3p4/4P3/8/8/3QK3 w - -";
        let position = Position::from_fen(Game::default(), fen).unwrap();
        let of = |text| gain_and_replies(&position, position.parse_uci(text).unwrap()).0;
        assert_eq!(of("e4d5"), 0);
        assert_eq!(of("d1d5"), 1 - 9);
        assert_eq!(of("e1e2"), -1);
        assert_eq!(of("e4e5"), 0);
    }
}
