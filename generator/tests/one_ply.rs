//! The side to move that small tables leave out, and pawn moves: found for all positions at
//! once, against a search of each.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::make;
use retrograde::packing::Packing;
use retrograde::repack::{RepackOptions, repack};
use retrograde::settle::{Solver, settle_all};
use retrograde_probe::{Metric, OnePly, QuietSearch, Tablebase, score};
use retrograde_rules::{Colour, Game, Material};

/// Counts the answers of another.
struct Counting<S>(S, AtomicUsize);

impl<S: OnePly> OnePly for Counting<S> {
    fn first_reached(&self, search: &QuietSearch<'_>) -> Option<Vec<u16>> {
        let reached = self.0.first_reached(search)?;
        self.1.fetch_add(1, Ordering::Relaxed);
        Some(reached)
    }
}

/// Says that nothing is reached.
struct Wrong;

impl OnePly for Wrong {
    fn first_reached(&self, search: &QuietSearch<'_>) -> Option<Vec<u16>> {
        Some(vec![QuietSearch::NO_SET; search.kinds.len()])
    }
}

/// All values of a table, of both sides to move: of indices that stand for positions, the
/// first of those that are the same.
fn read(tables: &Tablebase, material: &Material, metric: Metric) -> [Vec<i16>; 2] {
    let table = tables.table(material, metric).unwrap().unwrap();
    tables.prepare(table).unwrap();
    Colour::BOTH.map(|turn| {
        let mut values = tables.read_side(table, turn).unwrap();
        for (index, value) in (0..).zip(&mut values) {
            if !table.index().is_canonical(index) {
                *value = score::DRAW;
            }
        }
        values
    })
}

/// Compares tables of the materials; returns how often the solver was asked, and how many
/// sides were missing.
fn compare<S: OnePly + 'static>(
    id: &str,
    names: &[&str],
    solver: impl Fn(Game) -> S,
) -> (usize, usize) {
    let game = Game::parse(id).unwrap();
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(game, fast, names, None);
    let options = RepackOptions {
        out: Some(small.to_owned()),
        tables: vec![fast.to_owned()],
        packing: Packing::Small,
        both_sides: false,
    };
    // That compares them with the other files.
    repack(game, &materials, &options, &()).unwrap();
    let open = |folder: &Path| Tablebase::open(game, [folder]).unwrap();
    let (slow, quick) = (open(small), open(small));
    let counting = Arc::new(Counting(solver(game), AtomicUsize::new(0)));
    quick.search_with(Arc::clone(&counting) as Arc<dyn OnePly>);
    let mut missing = 0;
    for material in &materials {
        settle_all(&quick, material).unwrap();
        for &metric in Metric::of(game) {
            let table = quick.table(material, metric).unwrap().unwrap();
            missing += 2 - table.header().sections.len();
            let all = read(&quick, material, metric);
            assert!(all == read(&slow, material, metric), "{material}.{metric}");
        }
    }
    (counting.1.load(Ordering::Relaxed), missing)
}

#[test]
fn three_men() {
    // The pawn moves of either side, too.
    assert_eq!(compare("orthodox", &["KPvK"], Solver), (5, 3));
}

/// Then each position is searched.
#[test]
fn wrong_answers_are_found_out() {
    assert_eq!(compare("orthodox", &["KPvK"], |_| Wrong).1, 3);
}

/// With colours swapped: the solver is only asked about KRvK.
#[test]
#[ignore = "takes half a minute"]
fn the_same_pieces() {
    assert_eq!(compare("orthodox", &["KRvKR"], Solver), (1, 3));
}

#[test]
#[ignore = "takes some minutes"]
fn four_men() {
    assert_eq!(compare("orthodox", &["KRvKB", "KPvKN"], Solver), (11, 7));
}

/// A king on the hill has won: the other side does not move any more.
#[test]
fn the_hill() {
    assert_eq!(compare("king-of-the-hill", &["KRNvK"], Solver), (1, 1));
}

/// Of two equal kings the solver cannot tell: those positions are searched.
#[test]
fn several_kings() {
    assert_eq!(compare("kings", &["KRNvK", "KKvK"], Solver), (1, 2));
}
