use std::collections::HashMap;
use std::sync::Arc;

use super::super::{Depths, slices};
use super::*;

/// A material and the successors that it needs, solved in memory. Only words and cells
/// that the tests need are compiled: the solver is large.
fn with_smaller(name: &str) -> (Material, Smaller) {
    fn smaller(material: &Material, found: &mut Smaller) {
        for exit in crate::successors(Game::default(), material) {
            if found.contains_key(&exit) {
                continue;
            }
            let solved = if exit.len() == 2 {
                Successor::drawn(Game::default(), &exit)
            } else {
                smaller(&exit, found);
                let solution =
                    solve_with::<u64, u16>(Game::default(), &exit, Count::ToMate, found).unwrap();
                Successor::new(Game::default(), solution.index(), &depths(&solution))
            };
            found.insert(exit, Arc::new(solved.unwrap()));
        }
    }
    let material = Material::parse(Game::default(), name).unwrap();
    let mut found = HashMap::new();
    smaller(&material, &mut found);
    (material, found)
}

/// Solves a material and, first, every material it needs.
fn solve_all<D: Depth>(name: &str) -> Solution {
    let (material, found) = with_smaller(name);
    solve_with::<u64, D>(Game::default(), &material, Count::ToMate, &found).unwrap()
}

fn depths(solution: &Solution) -> Depths {
    let reader = solution.depths(solution.index());
    Colour::BOTH.map(|turn| {
        let mut out = vec![0; solution.index().len() as usize];
        reader.fill(turn, 0..solution.index().len(), &mut out);
        out
    })
}

/// A cell that holds so little that most materials outgrow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tiny(u8);

impl Depth for Tiny {
    const NONE: Tiny = Tiny(u8::MAX);
    const MOST: usize = 30;
    const VECTORS: bool = true;

    fn of(plies: usize) -> Tiny {
        assert!(plies <= Tiny::MOST);
        Tiny(plies as u8)
    }

    fn plies(self) -> usize {
        self.0.into()
    }
}

#[test]
fn materials_that_run_past_a_cell_are_solved_with_wider_ones() {
    // KRvK outgrows 30 plies in the loop, KPvKP already by its promotions.
    for name in ["KQvK", "KRvK", "KPvKP"] {
        let (narrow, wide) = (solve_all::<Tiny>(name), solve_all::<u16>(name));
        assert_eq!(narrow.longest_depth(), wide.longest_depth(), "{name}");
        assert!(depths(&narrow) == depths(&wide), "{name}");
    }
    let layout = Layout::new(
        Game::default(),
        &Material::parse(Game::default(), "KRvK").unwrap(),
    );
    let kings = Material::parse(Game::default(), "KvK").unwrap();
    let drawn = Successor::drawn(Game::default(), &kings).unwrap();
    let found = HashMap::from([(kings, Arc::new(drawn))]);
    assert_eq!(
        run::<u64, Tiny>(&layout.unwrap(), Count::ToMate, &found).err(),
        Some(TooDeep)
    );
}

/// Results and distances of a material, with a fifty-move rule of `limit` plies.
fn distances<D: Depth>(name: &str, limit: u32) -> ([Depths; 2], Longest) {
    distances_of(solve_all::<D>(name), limit)
}

fn distances_of(solution: Solution, limit: u32) -> ([Depths; 2], Longest) {
    let zeroing = solution.zeroing(None, limit).unwrap();
    let index = zeroing.index();
    let read = [zeroing.wdl(index), zeroing.dtz(index)].map(|reader| {
        Colour::BOTH.map(|turn| {
            let mut out = vec![0; index.len() as usize];
            reader.fill(turn, 0..index.len(), &mut out);
            out
        })
    });
    (read, zeroing.longest())
}

#[test]
fn distances_that_run_past_a_cell_are_counted_with_wider_ones() {
    // A rule of so many plies does not fit into the narrow cells.
    for (name, limit) in [("KQvK", 100), ("KQvK", 29), ("KQvK", 5)] {
        let (narrow, wide) = (
            distances::<Tiny>(name, limit),
            distances::<u16>(name, limit),
        );
        assert_eq!(narrow.1, wide.1, "{name}, {limit} plies");
        assert!(narrow.0 == wide.0, "{name}, {limit} plies");
        let cursed = (limit == 5).then_some(20);
        assert_eq!(
            (wide.1.real, wide.1.cursed),
            (20.min(limit as usize), cursed)
        );
    }
}

#[test]
fn slices_that_run_past_a_cell_are_solved_with_wider_ones() {
    for name in ["KPvK", "KPvKP"] {
        let (material, found) = with_smaller(name);
        let layout = Layout::to_divide(Game::default(), &material).unwrap();
        let find = |material: &Material| found.get(material).cloned();
        let folder = tempfile::tempdir().unwrap();
        let sliced =
            slices::solve_with::<u64, Tiny>(layout.unwrap(), Count::ToMate, &find, folder.path());
        let (sliced, wide) = (sliced.unwrap(), solve_all::<u16>(name));
        assert_eq!(sliced.longest_depth(), wide.longest_depth(), "{name}");
        assert!(depths(&sliced) == depths(&wide), "{name}");
        let (sliced, wide) = (distances_of(sliced, 100), distances_of(wide, 100));
        assert!(sliced == wide, "{name}");
    }
}
