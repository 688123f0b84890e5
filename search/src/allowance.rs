//! Limits that several searches share.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::search::Limits;

/// What is left of the limits of several searches.
pub(crate) struct Allowance<'s> {
    pub(crate) limits: Limits,
    deadline: Option<Instant>,
    pub(crate) interrupt: &'s AtomicBool,
}

impl<'s> Allowance<'s> {
    pub(crate) fn new(limits: Limits, interrupt: &'s AtomicBool) -> Allowance<'s> {
        let end = |time| Instant::now().checked_add(time);
        Allowance {
            limits: Limits {
                plies: limits.plies.min(Limits::MOST_PLIES),
                ..limits
            },
            deadline: limits.time.and_then(end),
            interrupt,
        }
    }

    /// What is left for one search, or an equal share of it for each of several.
    pub(crate) fn share(&self, searches: u32) -> Limits {
        let time = |end: Instant| -> Duration { end.saturating_duration_since(Instant::now()) };
        Limits {
            time: self.deadline.map(|end| time(end) / searches),
            nodes: self.limits.nodes.map(|nodes| nodes / u64::from(searches)),
            ..self.limits
        }
    }

    /// What is left.
    pub(crate) fn left(&self) -> Limits {
        self.share(1)
    }

    pub(crate) fn spend(&mut self, nodes: u64) {
        let left = self.limits.nodes;
        self.limits.nodes = left.map(|left| left.saturating_sub(nodes));
    }
}
