//! How the features are looked up of whole rows.

use crate::board::SLIDES;
use crate::feature::{A_PIECE, Feature, FeatureKind, Features, Pair, Race};
use crate::masks::Ordered;

/// How a feature is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Look {
    /// It is the same for all of a row.
    Same,
    /// It is ordered: by the number of [`Ordered`], and the feature that says which list of
    /// [`Masks::up_to`](crate::masks::Masks::up_to), if there is more than one.
    Ordered(u8, Option<u8>),
    /// The square of the moving piece.
    Square,
    /// How far it is from a piece.
    Apart(u8),
    /// How two pieces attack each other, by the number of the pair.
    Touch(u8),
    /// How many attack and defend a piece.
    Hanging(u8),
    /// A context, by the number of its first value among those of all contexts.
    Context(u8),
}

/// How a feature is looked up if a piece moves.
pub(super) fn look(features: &Features, moving: u8, feature: &Feature) -> Look {
    let (first, second) = (feature.first, feature.second);
    let moves = first == moving || second == moving;
    let other = if first == moving { second } else { first };
    let [square, file, rank] = [0, 1, 2].map(|which| other * A_PIECE as u8 + which);
    let ordered = |from: Ordered, to: Ordered, by| {
        let ordered = if first == moving { from } else { to };
        Look::Ordered(ordered.number(), Some(by))
    };
    let alone = |ordered: Ordered| Look::Ordered(ordered.number(), None);
    match feature.kind {
        FeatureKind::Hanging => Look::Hanging(first),
        FeatureKind::Context => {
            let before = features.contexts().iter().take(first.into());
            Look::Context(before.fold(0, |sum, size| sum.wrapping_add(*size)))
        }
        FeatureKind::Touch => {
            let is_meant = |pair: &Pair| (pair.first, pair.second) == (first, second);
            let number = features.pairs.iter().position(is_meant).unwrap_or(0);
            let ways = features
                .pairs
                .get(number)
                .map_or(0, |pair| pair.there | pair.back);
            // The moving piece may also stand in the way.
            match moves || ways & SLIDES != 0 {
                true => Look::Touch(number as u8),
                false => Look::Same,
            }
        }
        _ if !moves => Look::Same,
        FeatureKind::Square => Look::Square,
        FeatureKind::File => alone(Ordered::File),
        FeatureKind::Rank => alone(Ordered::Rank),
        FeatureKind::Apart => Look::Apart(other),
        FeatureKind::Files => ordered(Ordered::FilesFrom, Ordered::FilesTo, file),
        FeatureKind::Ranks => ordered(Ordered::RanksFrom, Ordered::RanksTo, rank),
        FeatureKind::Steps => ordered(Ordered::Steps, Ordered::Steps, square),
        FeatureKind::Race => {
            let race = |race: &&Race| (race.pawn, race.royal) == (first, second);
            let down = features
                .races
                .iter()
                .find(race)
                .is_some_and(|race| race.down);
            // The pawn comes first.
            ordered(Ordered::RaceOf { down }, Ordered::RaceWith { down }, square)
        }
    }
}
