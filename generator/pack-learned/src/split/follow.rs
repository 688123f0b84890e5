//! Features that follow from another one, as the file of a piece does from its square. Where there
//! are many samples, they are not counted one by one: their counts are sums of those of the other.

use retrograde_learned::{FeatureKind, Features};

/// A feature that follows from another one.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    pub(super) feature: u8,
    /// The other one, which comes before it.
    pub(super) from: u8,
    /// Its value for each of the other's.
    pub(super) values: Vec<u8>,
}

/// All features of a material that follow from others, in ascending order.
pub(super) fn followers(features: &Features) -> Vec<Follower> {
    let (files, ranks) = (features.board().files(), features.board().ranks());
    let mut all = Vec::new();
    for (number, feature) in (0..=u8::MAX).zip(features.list()) {
        let mut add = |after: u8, value: &dyn Fn(u8) -> u8| {
            all.push(Follower {
                feature: number.wrapping_add(after),
                from: number,
                values: (0..feature.size).map(value).collect(),
            });
        };
        match feature.kind {
            FeatureKind::Square => {
                add(1, &|square| square % files);
                add(2, &|square| square / files);
            }
            FeatureKind::Apart => add(3, &|apart| (apart / ranks).max(apart % ranks)),
            _ => {}
        }
    }
    all
}

/// Up to so many samples are counted sooner than counts are added up.
const MANY: usize = 256;

/// Of the features that follow from others those whose counts are worth adding up, in ascending
/// order, given how many samples there are, and the features that are asked for in ascending
/// order.
pub(super) fn worth_adding_up<'f>(
    followers: &'f [Follower],
    samples: usize,
    features: &'f [u8],
) -> impl Iterator<Item = &'f Follower> + Clone {
    let is_asked = |feature: &u8| features.binary_search(feature).is_ok();
    let those = match samples > MANY {
        true => followers,
        false => &[],
    };
    let both = move |f: &&Follower| is_asked(&f.feature) && is_asked(&f.from);
    those.iter().filter(both)
}

#[cfg(test)]
mod tests {
    use retrograde_learned::{CodecBoard, CodecPiece, Columns, Moves};

    use super::*;

    #[test]
    fn what_follows_is_what_is_worked_out() {
        for (files, ranks) in [(8, 8), (9, 9), (10, 8)] {
            let board = CodecBoard::new(files, ranks).unwrap();
            let piece = CodecPiece {
                black: false,
                moves: Moves::STRAIGHT,
                royal: false,
            };
            let features = Features::new(board, &[piece; 2], &[]).unwrap();
            let all = followers(&features);
            assert_eq!(all.len(), 5);
            let squares = board.squares();
            let pairs = (0..squares).flat_map(|a| (0..squares).map(move |b| [a, b]));
            let pairs: Vec<[u8; 2]> = pairs.collect();
            let given: Vec<u8> = [0, 1]
                .into_iter()
                .flat_map(|piece| pairs.iter().map(move |pair| pair[piece]))
                .collect();
            let mut columns = Columns::new();
            columns.fill(&features, pairs.len(), &given, &[]);
            for follower in all {
                let [from, to] = [follower.from, follower.feature]
                    .map(|feature| columns.column(usize::from(feature)));
                for (&from, &to) in from.iter().zip(to) {
                    assert_eq!(follower.values[usize::from(from)], to, "{follower:?}");
                }
            }
        }
    }
}
