//! All values of a side to move in memory.

#[cfg(feature = "keep")]
use retrograde_index::Metric;

/// All values of a side to move, in the order of a table's index. Those of WDL take a byte
/// each.
#[cfg_attr(
    not(feature = "keep"),
    expect(dead_code, reason = "without the feature nothing is kept")
)]
pub(crate) enum SideValues {
    Narrow(Vec<i8>),
    Wide(Vec<i16>),
}

impl SideValues {
    #[cfg(feature = "keep")]
    pub(crate) fn new(metric: Metric, values: Vec<i16>) -> SideValues {
        use rayon::prelude::*;
        match metric {
            // Whatever a file says, it stays the same result.
            Metric::Wdl => SideValues::Narrow(
                values
                    .into_par_iter()
                    .map(|value| value.clamp(i8::MIN.into(), i8::MAX.into()) as i8)
                    .collect(),
            ),
            _ => SideValues::Wide(values),
        }
    }

    /// The value of an index; `None` if it has none.
    #[inline]
    pub(crate) fn get(&self, index: u64) -> Option<i16> {
        let index = usize::try_from(index).ok()?;
        match self {
            SideValues::Narrow(values) => values.get(index).copied().map(i16::from),
            SideValues::Wide(values) => values.get(index).copied(),
        }
    }

    /// Writes the values of the indices from `first` on; returns whether all have one.
    pub(crate) fn copy(&self, first: u64, out: &mut [i16]) -> bool {
        fn from<T>(values: &[T], first: u64, len: usize) -> Option<&[T]> {
            values.get(usize::try_from(first).ok()?..)?.get(..len)
        }
        match self {
            SideValues::Narrow(values) => from(values, first, out.len()).map(|values| {
                let both = out.iter_mut().zip(values);
                both.for_each(|(out, &value)| *out = value.into());
            }),
            SideValues::Wide(values) => {
                from(values, first, out.len()).map(|values| out.copy_from_slice(values))
            }
        }
        .is_some()
    }
}

#[cfg(all(test, feature = "keep"))]
mod tests {
    use super::*;
    use retrograde_index::Wdl;

    #[test]
    fn values_are_those_that_were_given() {
        let values = vec![0, 1, -2, 2, -1, i16::MIN, i16::MAX];
        let wide = SideValues::new(Metric::Dtm, values.clone());
        let narrow = SideValues::new(Metric::Wdl, values.clone());
        for (index, &value) in (0..).zip(&values) {
            assert_eq!(wide.get(index), Some(value));
            let result = narrow.get(index).map(Wdl::from_value);
            assert_eq!(result, Some(Wdl::from_value(value)));
        }
        for side in [wide, narrow] {
            assert_eq!(side.get(7), None);
            let mut out = [7; 3];
            assert!(side.copy(1, &mut out));
            assert_eq!(out, [1, -2, 2]);
            assert!(!side.copy(5, &mut out) && !side.copy(u64::MAX, &mut out));
            assert_eq!(out, [1, -2, 2]);
        }
    }
}
