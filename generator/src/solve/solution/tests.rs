use super::*;

/// Solves a class and, first, every class it needs, in memory.
fn solve_all<D: Depth>(name: &str) -> Solution {
    fn smaller(material: &Material, found: &mut HashMap<Material, Smaller>) {
        for exit in crate::solve::exits(Game::Orthodox, material) {
            if found.contains_key(&exit) {
                continue;
            }
            let solved = if exit.len() == 2 {
                Smaller::drawn(Game::Orthodox, &exit)
            } else {
                smaller(&exit, found);
                let solution = solve(Game::Orthodox, &exit, found).unwrap();
                Smaller::new(Game::Orthodox, solution.index(), &depths(&solution))
            };
            found.insert(exit, solved.unwrap());
        }
    }
    let material = Material::parse(Game::Orthodox, name).unwrap();
    let mut found = HashMap::new();
    smaller(&material, &mut found);
    solve_starting_with::<D>(Game::Orthodox, &material, &found).unwrap()
}

fn depths(solution: &Solution) -> super::super::Depths {
    let reader = solution.reader(solution.index());
    Colour::BOTH.map(|turn| {
        let mut out = vec![0; solution.index().len() as usize];
        reader.fill(turn, 0..solution.index().len(), &mut out);
        out
    })
}

/// The longest win in moves of either side.
fn longest(name: &str) -> usize {
    let most = depths(&solve_all::<u8>(name))
        .into_iter()
        .flatten()
        .max()
        .unwrap();
    (most as usize).div_ceil(2)
}

#[test]
fn three_and_four_men_have_their_known_depths() {
    for (name, moves) in [
        ("KQvK", 10),
        ("KRvK", 16),
        ("KPvK", 28),
        ("KBvK", 0),
        ("KBNvK", 33),
        ("KBBvK", 19),
        ("KQvKR", 35),
        ("KRvKB", 29),
        ("KRvKN", 40),
        ("KQvKP", 29),
        ("KPvKP", 33),
    ] {
        assert_eq!(longest(name), moves, "{name}");
    }
}
