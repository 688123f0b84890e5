//! What the values of a position in several tables say together.

use crate::Category;
use crate::answer::Value;
use retrograde_index::{Metric, score};

/// The stored values of one position, as far as there are tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    result: Option<i16>,
    depth: Option<i16>,
    dtz: Option<i16>,
}

impl Stored {
    /// Adds the value of a table; those of other metrics say nothing here.
    #[inline]
    pub fn set(&mut self, metric: Metric, value: i16) {
        match metric {
            Metric::Result => self.result = Some(value),
            Metric::Depth => self.depth = Some(value),
            Metric::Dtz => self.dtz = Some(value),
            _ => {}
        }
    }

    /// What they say; `None` if they do not even say who wins. Without a
    /// result the category is that of the depth, and cursed wins count as
    /// wins.
    #[inline]
    pub fn value(self) -> Option<Value> {
        let category = match (self.result, self.depth) {
            (Some(result), _) => Category::of_result(result),
            (None, Some(depth)) => Category::of_result(depth.signum()),
            (None, None) => return None,
        };
        if category == Category::Draw {
            return Some(Value::DRAW);
        }
        Some(Value {
            category,
            depth_plies: self.depth.and_then(score::plies),
            dtz_plies: self.dtz.and_then(|plies| plies.try_into().ok()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_comes_first_and_draws_have_no_distance() {
        let mut stored = Stored::default();
        assert_eq!(stored.value(), None);
        stored.set(Metric::Dtz, 7);
        assert_eq!(stored.value(), None);
        stored.set(Metric::Depth, score::loss(40));
        let value = stored.value().unwrap();
        assert_eq!(value.category, Category::Loss);
        assert_eq!((value.depth_plies, value.dtz_plies), (Some(40), Some(7)));
        stored.set(Metric::Result, Category::BlessedLoss.result());
        assert_eq!(stored.value().unwrap().category, Category::BlessedLoss);
        stored.set(Metric::Result, 0);
        assert_eq!(stored.value(), Some(Value::DRAW));
    }
}
