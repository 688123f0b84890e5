//! EX-3: a royal man that must move exposes another.

use crate::claim::Claim;

use super::mates::{Kind, examine};
use super::threats::{can_be_saved, threats};

pub(super) const CLAIM: Claim = Claim {
    tag: "EX-3",
    games: &["extinction-mating"],
    title: "A royal man that must move may expose another, and so be mated.",
    source: "The designer of extinction chess with mating rules (2011).",
    method: "All mates in which just one royal man is attacked that could move out of the attack \
             were it the only royal man.",
    rule: "The claim is that it happens: it holds if there is any such mate. If there is none, \
           larger classes may have one.",
    limits: "Endings of few men have few royal men.",
    needs: |scope| scope.all(&["extinction-mating"]),
    examine: |study| examine(study, &KIND),
};

/// Mates in which the only attacked royal man could move away, were no other royal.
const KIND: Kind = Kind {
    figure: "would_expose_another",
    caption: "mated, because moving away would expose another",
    answer: |such, mates, percent| {
        format!(
            "In {such} of {mates} mates ({percent}) the only attacked royal man could move away, \
             were no other royal."
        )
    },
    is_such: |position| {
        let mut royals = threats(position).royals;
        let first = royals.next();
        royals.next().is_none() && first.is_some_and(|man| can_be_saved(position, man, true))
    },
};

#[cfg(test)]
mod tests {
    use retrograde_rules::{End, Game, Position};

    use super::*;

    /// After its double step a lone pawn could be taken en passant, and so would be attacked
    /// still (E3): nothing else is exposed.
    #[test]
    fn a_double_step_into_capture_en_passant_is_no_escape() {
        let game = Game::parse("extinction-mating").unwrap();
        for (fen, is_such) in [
            ("8/8/8/8/p7/8/1P6/K1k5 w - -", false),
            ("8/8/8/8/2p5/8/1P6/K1k5 w - -", false),
        ] {
            let position = Position::from_fen(game, fen).unwrap();
            assert_eq!(position.end(), Some(End::Checkmate), "{fen}");
            assert_eq!((KIND.is_such)(&position), is_such, "{fen}");
        }
    }
}
