//! Who wins after a turn, for all pairs of counters before it at once.

use retrograde_rules::{Colour, End, Move, Position, Restores, Toll, Vitality, VitalityRules};

use super::VITALITY;
use crate::error::ClaimError;
use crate::tables::{Curve, Curves, Ground};

/// For each vitality of Black, from 1 on, the least with which White wins: one more than the
/// full counter if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    least: [u8; VitalityRules::MOST as usize],
    full: u8,
}

impl Needs {
    /// Those of a curve.
    #[inline]
    pub(super) fn of(curve: &Curve) -> Needs {
        let full = curve.white_needs.len() as u8;
        let mut needs = Needs::always(full, Colour::White);
        needs.least[..usize::from(full)].copy_from_slice(&curve.white_needs);
        needs
    }

    /// Those of positions that a side wins with any counters.
    #[inline]
    pub(super) fn always(full: u8, winner: Colour) -> Needs {
        let mut least = [1; VitalityRules::MOST as usize];
        if winner == Colour::Black {
            least[..usize::from(full)].fill(full + 1);
        }
        Needs { least, full }
    }

    fn used(&self) -> &[u8] {
        &self.least[..usize::from(self.full)]
    }

    /// By the counters before a turn, these being those after it (H4 to H6).
    #[inline]
    pub(super) fn before(&self, rules: &'static VitalityRules, mover: Colour, toll: Toll) -> Needs {
        let (full, last) = (self.full, self.least[usize::from(self.full) - 1]);
        let mut needs = *self;
        let used = &mut needs.least[..usize::from(full)];
        let wins_with_full = |least: u8| if least <= full { 1 } else { full + 1 };
        match (toll, mover, rules.restores()) {
            (Toll::Free, ..) => {}
            // The last point is lost, and the game with it.
            (Toll::Paid, Colour::White, _) => {
                used.iter_mut()
                    .for_each(|least| *least = (*least + 1).min(full + 1));
            }
            (Toll::Paid, Colour::Black, _) => {
                used.copy_within(..usize::from(full) - 1, 1);
                used[0] = 1;
            }
            (Toll::Vital, Colour::White, Restores::Mover) => {
                used.iter_mut()
                    .for_each(|least| *least = wins_with_full(*least));
            }
            (Toll::Vital, Colour::Black, Restores::Mover) => used.fill(last),
            (Toll::Vital, _, Restores::Both) => used.fill(wins_with_full(last)),
        }
        needs
    }

    /// Adds what another move of a side wins.
    #[inline]
    pub(super) fn join(&mut self, mover: Colour, other: &Needs) {
        let pairs = self.least.iter_mut().zip(&other.least);
        match mover {
            Colour::White => pairs.for_each(|(mine, other)| *mine = (*mine).min(*other)),
            Colour::Black => pairs.for_each(|(mine, other)| *mine = (*mine).max(*other)),
        }
    }

    /// In how many pairs of counters a side wins by these, and not by others.
    #[inline]
    pub(super) fn beyond(&self, side: Colour, other: &Needs) -> u64 {
        let (mine, other) = match side {
            Colour::White => (self.used(), other.used()),
            Colour::Black => (other.used(), self.used()),
        };
        let pairs = mine.iter().zip(other);
        pairs
            .map(|(mine, other)| u64::from(other.saturating_sub(*mine)))
            .sum()
    }

    /// The pair among these that leaves the other side the most points and then the side
    /// itself, if there is one.
    pub(super) fn fullest_beyond(&self, side: Colour, other: &Needs) -> Option<Vitality> {
        let wins = |needs: &Needs, counters: Vitality| {
            let least = needs.least[usize::from(counters.black) - 1];
            (least <= counters.white) == (side == Colour::White)
        };
        let downwards = || (1..=self.full).rev();
        let pairs = downwards().flat_map(|theirs| {
            downwards().map(move |mine| Vitality::both(theirs).with(side, mine))
        });
        let mut found = pairs.filter(|&pair| wins(self, pair) && !wins(other, pair));
        found.next()
    }
}

/// The needs of a position; one with an e.p. right is resolved from its successors (O2).
pub(super) fn needs(
    ground: &Ground<Curves>,
    rules: &'static VitalityRules,
    position: &Position,
) -> Result<Needs, ClaimError> {
    if position.ep().is_none() {
        return Ok(Needs::of(ground.curve(position)?));
    }
    let turn = position.turn();
    let mut best = Needs::always(rules.full(), turn.other());
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
) -> Result<Needs, ClaimError> {
    let (turn, after) = (position.turn(), position.play(mv));
    let toll = VITALITY.toll(position, mv);
    // Mate comes before exhaustion (H6).
    if toll == Toll::Paid && after.is_check() && after.end() == Some(End::Checkmate) {
        return Ok(Needs::always(rules.full(), turn));
    }
    Ok(needs(ground, rules, &after)?.before(rules, turn, toll))
}

#[cfg(test)]
mod tests {
    use retrograde_index::ThresholdCurve;
    use retrograde_rules::Game;

    use super::*;

    fn counters(full: u8) -> impl Iterator<Item = Vitality> {
        (1..=full).flat_map(move |white| {
            (1..=full).map(move |black| Vitality::both(white).with(Colour::Black, black))
        })
    }

    fn white_wins(needs: &Needs, counters: Vitality) -> bool {
        needs.least[usize::from(counters.black) - 1] <= counters.white
    }

    /// Every pair of counters is charged for the turn, and looked up after it.
    #[test]
    fn turns_cost_what_the_rules_say() {
        for (restores, full) in [
            (Restores::Mover, 50),
            (Restores::Both, 50),
            (Restores::Mover, 1),
            (Restores::Both, 3),
        ] {
            let word = [("mover", Restores::Mover), ("both", Restores::Both)]
                .into_iter()
                .find_map(|(word, known)| (known == restores).then_some(word));
            let id = format!(
                "high-chess:vital-restores={},vitality={full}",
                word.unwrap()
            );
            let rules = Game::parse(&id).unwrap().vitality_rules().unwrap();
            let curves = (0..200_u64).map(|n| {
                let mixed = u128::from(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                ThresholdCurve::from_rises(full, mixed | mixed << 61 | u128::from(n))
            });
            for curve in curves {
                let mut after = Needs::always(full, Colour::White);
                (0..)
                    .zip(curve.iter())
                    .for_each(|(n, least): (usize, u8)| after.least[n] = least);
                for mover in Colour::BOTH {
                    for toll in [Toll::Free, Toll::Paid, Toll::Vital] {
                        let before = after.before(rules, mover, toll);
                        for pair in counters(full) {
                            let left = rules.charge(pair, mover, toll);
                            let wins = match left.of(mover) {
                                0 => mover == Colour::Black,
                                _ => white_wins(&after, left),
                            };
                            assert_eq!(white_wins(&before, pair), wins, "{mover:?} {toll:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_one_way_wins_beyond_another_is_counted() {
        let [mut some, mut others] = [7, 30].map(|least| {
            let mut needs = Needs::always(50, Colour::White);
            needs.least[10..].fill(least);
            needs
        });
        others.least[..5].fill(2);
        for side in Colour::BOTH {
            let wins = |needs: &Needs, pair| white_wins(needs, pair) == (side == Colour::White);
            let only = |pair: &Vitality| wins(&some, *pair) && !wins(&others, *pair);
            assert_eq!(
                some.beyond(side, &others),
                counters(50).filter(only).count() as u64
            );
            let fullest = some.fullest_beyond(side, &others);
            assert_eq!(fullest.is_some(), side == Colour::White);
            assert!(fullest.is_none_or(|pair| only(&pair) && pair.black == 50 && pair.white == 29));
        }
        others.join(Colour::White, &some);
        assert_eq!(some.beyond(Colour::White, &others), 0);
        some.join(Colour::Black, &Needs::always(50, Colour::Black));
        assert_eq!(some, Needs::always(50, Colour::Black));
    }

    /// The best move wins what the position wins.
    #[test]
    fn moves_make_up_the_curve() {
        let game = Game::parse("high-chess").unwrap();
        let rules = game.vitality_rules().unwrap();
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
            let mut best = Needs::always(50, turn.other());
            for &mv in &position.legal_moves() {
                best.join(turn, &needs_of_move(&ground, rules, &position, mv).unwrap());
            }
            assert_eq!(best, needs(&ground, rules, &position).unwrap(), "{fen}");
        }
    }
}
