//! Tests of plans.

use std::ops::RangeInclusive;

use super::*;

const GAME: Game = Game::Orthodox;

fn material(name: &str) -> Material {
    Material::parse(GAME, name).unwrap()
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
        let materials = materials(GAME, pieces);
        assert_eq!(materials.len(), count, "{pieces} pieces");
        assert!(materials.iter().all(|m| m.is_normal(GAME)));
        let mut unique = names(materials);
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), count, "{pieces} pieces");
    }
    assert_eq!(
        names(materials(GAME, 3)),
        ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
    );
}

#[test]
fn whatever_a_table_needs_comes_earlier() {
    let plan = Plan::new(GAME, &[], Some(5)).unwrap();
    assert_eq!(planned(&plan), names(materials(GAME, 5)));
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
    let plan = Plan::new(GAME, &[material("KRKP")], None).unwrap();
    assert_eq!(
        planned(&plan),
        [
            "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KRvKQ", "KRvKR", "KRvKB", "KRvKN", "KRvKP"
        ]
        .map(|name| material(name).normal(GAME).0.to_string())
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
    let plans = lists.map(|list| Plan::new(GAME, &list.map(material), None).unwrap());
    assert_eq!(plans[0], plans[1]);
    assert_eq!(plans[0], plans[2]);
}

#[test]
fn impossible_plans_are_refused() {
    for pieces in [0, 1, 8, usize::MAX] {
        assert_eq!(
            Plan::new(GAME, &[], Some(pieces)),
            Err(PlanError::Pieces(pieces))
        );
    }
    let bare = Material::parse(GAME, "KvK").unwrap();
    assert_eq!(
        Plan::new(GAME, &[bare], None),
        Err(PlanError::NoTable(bare))
    );
    assert!(matches!(
        Plan::new(GAME, &[Material::EMPTY], None),
        Err(PlanError::Index { .. })
    ));
    assert!(Plan::new(GAME, &[], Some(2)).unwrap().tables().is_empty());
    assert!(Plan::new(GAME, &[], None).unwrap().tables().is_empty());
}

#[test]
fn estimates_are_of_a_sensible_size() {
    let plan = Plan::new(GAME, &[], Some(5)).unwrap();
    for table in plan.tables() {
        assert!(table.positions >= 462 * 64 * 2);
        assert!(table.memory_bytes > table.positions);
        assert!(table.disk_bytes < table.positions);
        assert!(table.cpu_seconds > 0.0 && table.cpu_seconds < 1000.0);
    }
    let sevens = Plan::new(GAME, &[material("KQRBvKRB")], None).unwrap();
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

/// What was measured of an ending, read from the lines of `costs.csv` by columns.
struct Row {
    game: Game,
    material: Material,
    cpu_seconds: f64,
    memory_bytes: u64,
    /// `None` if some metric was not noted.
    disk_bytes: Option<u64>,
}

/// The rows of all endings that took more than a CPU second.
fn rows() -> Vec<Row> {
    let lines = include_str!("costs.csv").lines().skip(1);
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let game = Game::parse(cells[0]).unwrap();
        let files = match game.zeroing_limit() {
            Some(_) => vec![cells[5], cells[6], cells[7]],
            None => vec![cells[5], cells[7]],
        };
        let bytes = files.iter().map(|bytes| bytes.parse::<u64>().ok());
        Row {
            game,
            material: Material::parse(game, cells[1]).unwrap().normal(game).0,
            cpu_seconds: cells[3].parse().unwrap(),
            memory_bytes: cells[4].parse::<u64>().unwrap() << 20,
            disk_bytes: bytes.sum(),
        }
    });
    rows.filter(|row| row.cpu_seconds > 1.0).collect()
}

impl Row {
    /// Fails unless what is planned is within these bounds of what was measured.
    fn check(
        &self,
        table: &PlannedTable,
        memory: RangeInclusive<f64>,
        cpu: RangeInclusive<f64>,
        disk: RangeInclusive<f64>,
    ) {
        let bytes = |planned: u64, measured: u64| planned as f64 / measured as f64;
        for (what, ratio, bounds) in [
            (
                "memory",
                bytes(table.memory_bytes, self.memory_bytes),
                memory,
            ),
            ("CPU time", table.cpu_seconds / self.cpu_seconds, cpu),
            (
                "disk",
                self.disk_bytes
                    .map_or(1.0, |measured| bytes(table.disk_bytes, measured)),
                disk,
            ),
        ] {
            let (game, name) = (self.game.id(), self.material);
            assert!(bounds.contains(&ratio), "{game} {name}: {what} {ratio}");
        }
        assert!(table.least_memory_bytes <= table.memory_bytes);
    }
}

#[test]
fn measured_endings_are_planned_near_what_they_took() {
    let mut of_five_men = 0;
    for row in rows() {
        let table = PlannedTable::new(row.game, row.material, Vec::new()).unwrap();
        // Memory is a limit, too.
        row.check(&table, 1.05..=1.25, 0.5..=2.0, 1.0 / 1.5..=1.5);
        of_five_men += usize::from(row.game == GAME && row.material.len() == 5);
    }
    assert_eq!(of_five_men, 110);
}

#[test]
fn estimates_alone_keep_wider_bounds() {
    for row in rows() {
        let table = PlannedTable::estimated(row.game, row.material, Vec::new()).unwrap();
        // Two knights against one piece pack into nearly nothing.
        let most_disk = match row.material.to_string().starts_with("KNNv") {
            true => 110.0,
            false => 5.1,
        };
        row.check(&table, 1.0..=2.0, 0.4..=3.0, 0.45..=most_disk);
    }
}

#[test]
fn what_was_not_measured_is_estimated() {
    for (id, name) in [
        ("orthodox", "KQQvKRR"),
        ("kings", "KRRvKR"),
        ("kings:tie-break=rank1", "KKRvKR"),
    ] {
        let game = Game::parse(id).unwrap();
        let (material, _) = Material::parse(game, name).unwrap().normal(game);
        assert_eq!(
            PlannedTable::new(game, material, Vec::new()),
            PlannedTable::estimated(game, material, Vec::new()),
            "{id} {name}"
        );
    }
}
