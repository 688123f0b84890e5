//! Materials solved in slices have the values that they have when they are solved at once.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::HashMap;
use std::sync::Arc;

use retrograde_rules::{Colour, Game, Material};
use retrograde_solve::{
    Depths, GridReader, Longest, Solution, Successor, solve, solve_in_slices, successors,
};

/// What tables have of a material.
#[derive(PartialEq)]
struct Values {
    depths: Depths,
    winners: Depths,
    longest_win: usize,
    /// In games with the fifty-move rule.
    zeroing: Option<(Depths, Depths, Longest)>,
}

/// All values of a reader.
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
}

impl Solver {
    fn new(id: &str, limit: u32) -> Solver {
        Solver {
            game: Game::parse(id).unwrap(),
            limit,
            dtm: HashMap::new(),
            wdl: HashMap::new(),
        }
    }

    fn values(&self, solution: Solution) -> Values {
        let index = solution.index().clone();
        let read = |reader: GridReader<'_>| read(index.len(), &reader);
        let depths = read(solution.depths(&index));
        let winners = read(solution.winners(&index));
        let longest_win = solution.longest_win();
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
            longest_win,
            zeroing,
        }
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
            let index = retrograde_index::Index::new(self.game, &exit).unwrap();
            let dtm = Successor::new(self.game, &index, &values.depths).unwrap();
            self.dtm.insert(exit, Arc::new(dtm));
            if let Some((wdl, ..)) = values.zeroing {
                let wdl = Successor::of_wdl(self.game, &index, &wdl).unwrap();
                self.wdl.insert(exit, Arc::new(wdl));
            }
        }
        let find = |material: &Material| self.dtm.get(material).cloned();
        self.values(solve(self.game, material, &find).unwrap())
    }

    fn in_slices(&self, material: &Material) -> Option<Values> {
        let folder = tempfile::tempdir().unwrap();
        let find = |material: &Material| self.dtm.get(material).cloned();
        let solved = solve_in_slices(self.game, material, &find, folder.path()).unwrap();
        solved.map(|solution| self.values(solution))
    }
}

fn compare(id: &str, limit: u32, names: &[&str]) {
    let mut solver = Solver::new(id, limit);
    for name in names {
        let material = Material::parse(solver.game, name).unwrap();
        let at_once = solver.at_once(&material);
        let in_slices = solver.in_slices(&material).unwrap();
        assert!(at_once.depths == in_slices.depths, "{id} {name}: depths");
        assert!(at_once.winners == in_slices.winners, "{id} {name}: winners");
        assert_eq!(at_once.longest_win, in_slices.longest_win, "{id} {name}");
        match (&at_once.zeroing, &in_slices.zeroing) {
            (Some(at_once), Some(in_slices)) => {
                assert!(at_once.0 == in_slices.0, "{id} {name}: wdl");
                assert!(at_once.1 == in_slices.1, "{id} {name}: dtz");
                assert_eq!(at_once.2, in_slices.2, "{id} {name}");
            }
            (at_once, in_slices) => assert!(at_once.is_none() && in_slices.is_none()),
        }
    }
}

#[test]
fn slices_have_the_values_of_the_whole() {
    let names = ["KPvK", "KRvKP", "KPvKP", "KQPvK", "KPPvK"];
    compare("orthodox", 100, &names);
}

#[test]
fn slices_have_its_cursed_results_too() {
    compare("orthodox", 9, &["KRvKP", "KPvKP"]);
}

#[test]
fn slices_work_in_other_games() {
    compare("king-of-the-hill", 100, &["KPvK", "KPvKP"]);
    compare("kings:board=10x8", 100, &["KPvK"]);
    compare("extinction", 100, &["KPvKP"]);
    compare("extinction-mating", 100, &["KPvK"]);
}

#[test]
fn not_every_material_has_slices() {
    for (id, name) in [("orthodox", "KQvK"), ("chess99", "KPvK")] {
        let mut solver = Solver::new(id, 100);
        let material = Material::parse(solver.game, name).unwrap();
        if id == "orthodox" {
            solver.at_once(&material);
        }
        assert!(solver.in_slices(&material).is_none(), "{id} {name}");
    }
}
