//! Features that follow from another one, as the file of a piece does from its square. Where there
//! are many samples, they are not counted one by one.

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
