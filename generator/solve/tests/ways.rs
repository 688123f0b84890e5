//! Tests that a material has the same values, whichever way it is solved.
//!
//! It is solved at once or in slices, from the DTM of its successors or from the WDL.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use retrograde_rules::{Colour, Game, Material};
use retrograde_solve::{
    Count, Depths, GridReader, Longest, Solution, Successor, solve, solve_in_slices, successors,
};

/// The values of a material, as in tables.
#[derive(PartialEq)]
struct Values {
    depths: Depths,
    winners: Depths,
    longest_depth: usize,
    /// The values by the fifty-move rule, in games that have it.
    zeroing: Option<(Depths, Depths, Longest)>,
}

/// The values that a reader gives.
fn read(len: u64, reader: &GridReader<'_>) -> Depths {
    Colour::BOTH.map(|turn| {
        let mut out = vec![0; len as usize];
        reader.fill(turn, 0..len, &mut out);
        out
    })
}

/// Materials of a game that are solved, with a fifty-move rule of so many plies.
struct Solver {
    game: Game,
    limit: u32,
    dtm: HashMap<Material, Arc<Successor>>,
    wdl: HashMap<Material, Arc<Successor>>,
    /// The materials with cursed results.
    cursed: HashSet<Material>,
}

impl Solver {
    fn new(game: Game, limit: u32) -> Solver {
        Solver {
            game,
            limit,
            dtm: HashMap::new(),
            wdl: HashMap::new(),
            cursed: HashSet::new(),
        }
    }

    fn values(&self, solution: Solution) -> Values {
        let index = solution.index().clone();
        let read = |reader: GridReader<'_>| read(index.len(), &reader);
        let depths = read(solution.depths(&index));
        let winners = read(solution.winners(&index));
        let longest_depth = solution.longest_depth();
        let zeroing = self.game.zeroing_limit().map(|_| {
            let find = |material: &Material| self.wdl.get(material).cloned();
            let zeroing = solution.zeroing(Some(&find), self.limit).unwrap();
            let values = [zeroing.wdl(&index), zeroing.dtz(&index)];
            let [wdl, dtz] = values.map(read);
            (wdl, dtz, zeroing.longest())
        });
        Values {
            depths,
            winners,
            longest_depth,
            zeroing,
        }
    }

    /// Keeps the values of a material for those that need it.
    fn keep(&mut self, material: Material, values: Values) {
        let index = retrograde_index::Index::new(self.game, &material).unwrap();
        let dtm = Successor::new(self.game, &index, &values.depths).unwrap();
        self.dtm.insert(material, Arc::new(dtm));
        if let Some((.., longest)) = &values.zeroing
            && longest.cursed.is_some()
        {
            self.cursed.insert(material);
        }
        let wdl = values.zeroing.map_or(values.winners, |(wdl, ..)| wdl);
        let wdl = Successor::of_wdl(self.game, &index, &wdl).unwrap();
        self.wdl.insert(material, Arc::new(wdl));
    }

    /// Solves a material at once, and first everything that it needs.
    fn at_once(&mut self, material: &Material) -> Values {
        for exit in successors(self.game, material) {
            if self.dtm.contains_key(&exit) {
                continue;
            }
            if self.game.needs_no_table(&exit) {
                let drawn = || Arc::new(Successor::drawn(self.game, &exit).unwrap());
                let [dtm, wdl] = [drawn(), drawn()];
                self.dtm.insert(exit, dtm);
                self.wdl.insert(exit, wdl);
                continue;
            }
            let values = self.at_once(&exit);
            self.keep(exit, values);
        }
        let find = |material: &Material| self.dtm.get(material).cloned();
        self.values(solve(self.game, material, Count::ToMate, &find).unwrap())
    }

    /// Solves for WDL and DTZ without DTM, given the WDL of all successors.
    fn without_depths(&self, material: &Material, cursed: bool) -> Values {
        let find = |material: &Material| self.wdl.get(material).cloned();
        let count = Count::ToConversion { cursed };
        self.values(solve(self.game, material, count, &find).unwrap())
    }

    fn in_slices(&self, material: &Material, count: Count) -> Option<Values> {
        let folder = tempfile::tempdir().unwrap();
        let find = |material: &Material| match count {
            Count::ToMate => self.dtm.get(material).cloned(),
            Count::ToConversion { .. } => self.wdl.get(material).cloned(),
        };
        let solved = solve_in_slices(self.game, material, count, &find, folder.path()).unwrap();
        solved.map(|solution| self.values(solution))
    }
}

fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

/// Orthodox chess on a board on which endings of four men take a tenth of the time.
fn small() -> Game {
    game("orthodox").with_sets(&["board.size=6x6"]).unwrap()
}

fn compare(game: Game, limit: u32, names: &[&str]) {
    let id = game.id();
    let mut solver = Solver::new(game, limit);
    for name in names {
        let material = Material::parse(solver.game, name).unwrap();
        let at_once = solver.at_once(&material);
        if let Some(in_slices) = solver.in_slices(&material, Count::ToMate) {
            assert!(at_once.depths == in_slices.depths, "{id} {name}: depths");
            assert_eq!(
                at_once.longest_depth, in_slices.longest_depth,
                "{id} {name}"
            );
            same_results(&at_once, &in_slices, &format!("{id} {name}, slices"));
        }
        let exits = successors(solver.game, &material);
        let cursed = exits.iter().any(|exit| solver.cursed.contains(exit));
        // Where nothing is cursed, it does no harm to look for it.
        let looks: &[bool] = if cursed { &[true] } else { &[false, true] };
        for &cursed in looks {
            let (count, whose) = (Count::ToConversion { cursed }, format!("{id} {name}, WDL"));
            let found = solver.without_depths(&material, cursed);
            same_results(&at_once, &found, &whose);
            if let Some(in_slices) = solver.in_slices(&material, count) {
                assert!(found.depths == in_slices.depths, "{whose}, slices: plies");
                same_results(&found, &in_slices, &format!("{whose}, slices"));
            }
        }
        solver.keep(material, at_once);
    }
}

fn same_results(expected: &Values, found: &Values, whose: &str) {
    assert!(expected.winners == found.winners, "{whose}: winners");
    match (&expected.zeroing, &found.zeroing) {
        (Some(expected), Some(found)) => {
            assert!(expected.0 == found.0, "{whose}: wdl");
            assert!(expected.1 == found.1, "{whose}: dtz");
            assert_eq!(expected.2, found.2, "{whose}");
        }
        (expected, found) => assert!(expected.is_none() && found.is_none()),
    }
}

#[test]
fn every_way_gives_the_same_values() {
    compare(game("orthodox"), 100, &["KRvK", "KPvK", "KBBvK"]);
    compare(small(), 100, &["KRvKP", "KPPvK"]);
}

#[test]
fn every_way_gives_the_same_cursed_results() {
    // KPvKP has rights to take en passant.
    compare(game("orthodox"), 9, &["KRvK"]);
    compare(small(), 9, &["KRvKP", "KPvKP"]);
}

#[test]
fn every_way_works_in_other_games() {
    compare(game("king-of-the-hill"), 100, &["KRvK", "KPvK"]);
    compare(game("kings"), 100, &["KKvK"]);
    compare(game("kings:board=10x8"), 100, &["KPvK"]);
    compare(game("chess99"), 100, &["KRvK", "KPvK"]);
    compare(game("extinction"), 100, &["KPvKP"]);
    compare(game("extinction-mating"), 100, &["KPvK"]);
}

#[test]
fn not_every_material_has_slices() {
    for (id, name) in [("orthodox", "KQvK"), ("chess99", "KPvK")] {
        let mut solver = Solver::new(game(id), 100);
        let material = Material::parse(solver.game, name).unwrap();
        if id == "orthodox" {
            solver.at_once(&material);
        }
        assert!(
            solver.in_slices(&material, Count::ToMate).is_none(),
            "{id} {name}"
        );
    }
}
