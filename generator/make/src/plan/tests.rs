//! Tests plans: the order of tables, what they need, and what they cost.

use super::measured::{Ending, Measured};
use super::*;

fn material(name: &str) -> Material {
    Material::parse(Game::default(), name).unwrap()
}

fn names(list: impl IntoIterator<Item = Material>) -> Vec<String> {
    list.into_iter().map(|m| m.to_string()).collect()
}

fn planned(plan: &Plan) -> Vec<String> {
    names(plan.tables().iter().map(|t| t.material))
}

#[test]
fn materials_are_as_many_as_there_should_be() {
    for (pieces, count) in [(0, 0), (1, 0), (2, 0), (3, 5), (4, 35), (5, 145), (6, 510)] {
        let materials = materials(Game::default(), pieces);
        assert_eq!(materials.len(), count, "{pieces} pieces");
        assert!(materials.iter().all(|m| m.is_normal(Game::default())));
        let mut unique = names(materials);
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), count, "{pieces} pieces");
    }
    assert_eq!(
        names(materials(Game::default(), 3)),
        ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
    );
}

#[test]
fn whatever_a_table_needs_comes_earlier() {
    let plan = Plan::new(Game::default(), &[], Some(5)).unwrap();
    assert_eq!(planned(&plan), names(materials(Game::default(), 5)));
    let mut done: Vec<Material> = Vec::new();
    for table in plan.tables() {
        for need in &table.needs {
            assert!(done.contains(need), "{} before {need}", table.material);
        }
        assert!(
            done.last()
                .is_none_or(|last| last.len() <= table.material.len())
        );
        done.push(table.material);
    }
}

#[test]
fn a_named_material_brings_what_it_needs() {
    let plan = Plan::new(Game::default(), &[material("KRKP")], None).unwrap();
    assert_eq!(
        planned(&plan),
        [
            "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KRvKQ", "KRvKR", "KRvKB", "KRvKN", "KRvKP"
        ]
        .map(|name| material(name).normal(Game::default()).0.to_string())
    );
    let last = plan.tables().last().unwrap();
    assert_eq!(last.needs.len(), 9, "{:?}", names(last.needs.clone()));
}

#[test]
fn the_order_of_names_does_not_show() {
    let lists = [
        ["KPvKP", "KQvKR", "KvKQ"],
        ["KQvK", "KRKQ", "KPKP"],
        ["KQvK", "KPKP", "KRKQ"],
    ];
    let plans = lists.map(|list| Plan::new(Game::default(), &list.map(material), None).unwrap());
    assert_eq!(plans[0], plans[1]);
    assert_eq!(plans[0], plans[2]);
}

#[test]
fn impossible_plans_are_refused() {
    for pieces in [0, 1, 8, usize::MAX] {
        assert_eq!(
            Plan::new(Game::default(), &[], Some(pieces)),
            Err(PlanError::Pieces(pieces))
        );
    }
    let bare = Material::parse(Game::default(), "KvK").unwrap();
    assert_eq!(
        Plan::new(Game::default(), &[bare], None),
        Err(PlanError::NoTable("KvK".to_owned()))
    );
    assert!(matches!(
        Plan::new(Game::default(), &[Material::EMPTY], None),
        Err(PlanError::Index { .. })
    ));
    assert!(
        Plan::new(Game::default(), &[], Some(2))
            .unwrap()
            .tables()
            .is_empty()
    );
    assert!(
        Plan::new(Game::default(), &[], None)
            .unwrap()
            .tables()
            .is_empty()
    );
}

#[test]
fn estimates_are_of_a_sensible_size() {
    let plan = Plan::new(Game::default(), &[], Some(5)).unwrap();
    for table in plan.tables() {
        assert!(table.positions >= 462 * 64 * 2);
        assert!(table.memory_bytes > table.positions);
        assert!(table.disk_bytes < table.positions);
        assert!(table.cpu_seconds > 0.0 && table.cpu_seconds < 1000.0);
    }
    let sevens = Plan::new(Game::default(), &[material("KQRBvKRB")], None).unwrap();
    assert!(sevens.tables().iter().all(|t| t.cpu_seconds > 0.0));
}

#[test]
fn materials_of_several_kings() {
    for (id, three, four) in [
        ("kings", 6, 48),
        // Both colourings of KKPvK and of KKvKP.
        ("wild9", 6, 50),
        // A pawn can always become a king.
        ("kings:tie-break=rank1", 7, 60),
        ("extinction-mating", 6, 48),
        ("extinction", 6, 48),
    ] {
        let game = Game::parse(id).unwrap();
        for (pieces, count) in [(3, three), (4, four)] {
            let materials = materials(game, pieces);
            assert_eq!(materials.len(), count, "{id} of {pieces} pieces");
            assert!(materials.iter().all(|m| m.is_normal(game)));
        }
    }
}

/// Planned by measured.
struct Ratios {
    memory: f64,
    cpu: f64,
    disk: f64,
}

impl Ratios {
    fn new(table: &PlannedTable, ending: &Ending) -> Ratios {
        assert!(table.least_memory_bytes <= table.memory_bytes);
        let taken = &ending.measured;
        Ratios {
            memory: table.memory_bytes as f64 / taken.memory_bytes as f64,
            cpu: table.cpu_seconds / taken.cpu_seconds,
            disk: table.disk_bytes as f64 / taken.disk_bytes as f64,
        }
    }
}

/// Whether a ratio or its inverse is at most this.
fn within(factor: f64) -> impl Fn(f64) -> bool {
    move |ratio| (1.0 / factor..=factor).contains(&ratio)
}

/// The endings that took more than a CPU second.
fn endings() -> impl Iterator<Item = &'static Ending> {
    let measured = measured::endings().iter();
    measured.filter(|ending| ending.measured.cpu_seconds > 1.0)
}

#[test]
fn every_line_of_measured_costs_is_understood() {
    let lines: Vec<&str> = include_str!("costs.csv").lines().collect();
    assert_eq!(measured::endings().len(), lines.len() - 1);
    for (line, ending) in lines[1..].iter().zip(measured::endings()) {
        assert!(ending.material.is_normal(ending.game), "{line}");
        let table = PlannedTable::by_formula(ending.game, ending.material, Vec::new()).unwrap();
        assert_eq!(ending.positions, table.positions, "{line}");
    }
    // By the columns.
    let row = lines
        .iter()
        .find(|line| line.starts_with("orthodox,KQRvKB,"));
    let cells: Vec<&str> = row.unwrap().split(',').collect();
    let files = |cells: &[&str]| -> u64 { cells.iter().flat_map(|cell| cell.parse::<u64>()).sum() };
    let columns = Measured {
        cpu_seconds: cells[3].parse().unwrap(),
        memory_bytes: cells[4].parse::<u64>().unwrap() << 20,
        disk_bytes: files(&cells[5..]),
    };
    assert_eq!(
        measured::of(Game::default(), &material("KQRvKB")),
        Some(&columns)
    );
}

#[test]
fn measured_endings_are_planned_near_what_they_took() {
    let mut of_five_men = 0;
    for ending in endings() {
        let (game, material) = (ending.game, ending.material);
        let table = PlannedTable::new(game, material, Vec::new()).unwrap();
        let ratios = Ratios::new(&table, ending);
        // Memory is a limit, too.
        assert!((1.05..=1.25).contains(&ratios.memory), "{game} {material}");
        assert!(within(2.0)(ratios.cpu), "{game} {material}");
        assert!(within(1.5)(ratios.disk), "{game} {material}");
        of_five_men += usize::from(game == Game::default() && material.len() == 5);
    }
    assert_eq!(of_five_men, 110);
}

#[test]
fn all_endings_of_four_men_were_measured() {
    // Nobody has measured these yet; they are planned like endings of other games.
    let others = [
        "antichess",
        "atomic",
        "racing-kings",
        "shatranj",
        "makruk",
        "capablanca",
        "three-check",
        "horde",
    ];
    let names = Game::names().into_iter();
    for name in names.filter(|name| !others.contains(name)) {
        let game = Game::parse(name).unwrap();
        for material in materials(game, 4) {
            let known = measured::of(game, &material);
            assert!(known.is_some(), "{name} {material}");
        }
    }
}

#[test]
fn memory_is_enough_without_measurements() {
    for ending in endings() {
        let (game, material) = (ending.game, ending.material);
        let table = PlannedTable::by_formula(game, material, Vec::new()).unwrap();
        let ratio = Ratios::new(&table, ending).memory;
        assert!((1.0..=2.2).contains(&ratio), "{game} {material}: {ratio}");
    }
}

/// Estimates each measured ending as if it had not been measured.
#[test]
fn similar_endings_say_what_one_takes() {
    let mut cpu = Vec::new();
    let mut disk = Vec::new();
    let mut memory = Vec::new();
    for ending in endings() {
        let (game, material) = (ending.game, ending.material);
        let mut table = PlannedTable::by_formula(game, material, Vec::new()).unwrap();
        let formula = Ratios::new(&table, ending);
        let others = measured::endings().iter();
        let others = others.filter(|other| other.game != game || other.material != material);
        let correction = similar::correction(game, &material, others).unwrap();
        correction.correct(&mut table);
        let ratios = Ratios::new(&table, ending);
        // For docs/COMPARE.md: with `--nocapture`.
        println!(
            "{game},{material}: CPU {:.4}, by formula {:.4}; disk {:.4}, by formula {:.4}; \
             memory {:.4}, by formula {:.4}",
            ratios.cpu, formula.cpu, ratios.disk, formula.disk, ratios.memory, formula.memory
        );
        if game == Game::default() {
            assert!(within(2.0)(ratios.cpu), "{material}");
        }
        cpu.push(ratios.cpu);
        disk.push(ratios.disk);
        memory.push(ratios.memory);
    }
    // As docs/COMPARE.md says.
    let share = |ratios: &[f64], factor| {
        let near = ratios.iter().filter(|&&ratio| within(factor)(ratio));
        near.count() as f64 / ratios.len() as f64
    };
    assert!(share(&cpu, 2.0) > 0.97);
    assert!(share(&disk, 1.5) > 0.77);
    assert!(share(&disk, 2.0) > 0.9);
    assert!(share(&memory, 1.25) > 0.92);
    assert!(memory.iter().all(|ratio| (0.83..1.4).contains(ratio)));
}

#[test]
fn a_game_with_options_is_estimated_by_the_game_without() {
    let game = Game::parse("kings:tie-break=rank1").unwrap();
    let (material, _) = Material::parse(game, "KKRvKR").unwrap().normal(game);
    let table = PlannedTable::new(game, material, Vec::new()).unwrap();
    let plain = Game::parse("kings").unwrap();
    let taken = measured::of(plain, &material).unwrap();
    assert!(within(1.5)(table.cpu_seconds / taken.cpu_seconds));
    assert_eq!(measured::of(game, &material), None);
}
