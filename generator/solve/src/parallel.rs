//! Runs the solver's loops on all threads, with the machinery of Rayon compiled only once.
//!
//! Rayon compiles its machinery anew for each loop body and each combination of slices, which
//! was a third of this crate. Here it is compiled once, for a function that is given a number.

use std::sync::Mutex;

use rayon::prelude::*;

/// Does some work with each item, in any order, on the threads of the current pool. An item
/// should be worth a microsecond or more.
pub(crate) fn each<T: Send>(items: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
    let wrap = |item| Mutex::new(Some(item));
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(wrap).collect();
    each_below(items.len(), &|number| {
        let item = items[number].lock().ok().and_then(|mut item| item.take());
        if let Some(item) = item {
            work(item);
        }
    });
}

/// Works on each item in parallel, and gathers the results in the order of the items.
pub(crate) fn map<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items: Vec<T> = items.into_iter().collect();
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    each(items.into_iter().zip(&mut results), |(item, result)| {
        *result = Some(work(item));
    });
    results.into_iter().flatten().collect()
}

fn each_below(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        let mut items: Vec<usize> = (0..10_000).collect();
        each(items.iter_mut().enumerate(), |(place, item)| *item += place);
        assert!(items.iter().enumerate().all(|(n, &item)| item == 2 * n));
        let doubled = map(&items, |&item| 2 * item);
        assert!(doubled.iter().enumerate().all(|(n, &item)| item == 4 * n));
        assert_eq!(map(std::iter::empty::<usize>(), |n| n), []);
    }
}
