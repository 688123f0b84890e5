//! EX-2: forks of royal men mate.

use crate::claim::Claim;

use super::mates::{Kind, examine};
use super::threats::{can_be_saved, threats};

pub(super) const CLAIM: Claim = Claim {
    tag: "EX-2",
    games: &["extinction-mating"],
    title: "A fork of two royal men can mate.",
    source: "The designer of extinction chess with mating rules (2011).",
    method: "All mates in which two or more royal men are attacked and none of them is mated by \
             itself: were it the only royal man, some move would save it.",
    rule: "The claim is that it happens: it holds if there is any such mate. If there is none, \
           larger classes may have one.",
    limits: "Endings of few men have few royal men; forks are commoner with more.",
    needs: |scope| scope.all(&["extinction-mating"]),
    examine: |study| examine(study, &KIND),
};

/// Mates in which several royal men are attacked, each of which could be saved alone.
const KIND: Kind = Kind {
    figure: "by_a_fork_alone",
    caption: "mated by a fork alone",
    answer: |such, mates, percent| {
        format!(
            "{such} of {mates} mates ({percent}) are forks of royal men each of which could be \
             saved alone."
        )
    },
    is_such: |position| {
        let mut royals = threats(position).royals;
        royals.len() > 1 && royals.all(|man| can_be_saved(position, man, false))
    },
};
