//! Tests the statistics that files keep against two counts of the positions.
//!
//! One is by `recount`, one by `verify`.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::common::make;
use retrograde::repack::{RepackOptions, repack};
use retrograde::stats::{kept, recount, stats};
use retrograde::verify::{VerifyOptions, VerifyReport, verify};
use retrograde_probe::write::{
    PackOptions, TablePlan, Watch, WriteError, pack_to_bytes, prepare_with_results,
};
use retrograde_probe::{Group, Metric, Table, Tablebase, Wdl, score, table_path};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};

/// The report of a complete verification of one material.
fn verified(game: Game, material: &Material, folder: &Path) -> VerifyReport {
    let options = VerifyOptions {
        tables: vec![folder.to_owned()],
        ..VerifyOptions::default()
    };
    verify(game, &[*material], &options, &()).unwrap()
}

fn compare_in(id: &str, names: &[&str]) {
    compare(Game::parse(id).unwrap(), names);
}

fn compare(game: Game, names: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let materials = make(game, folder.path(), names, None);
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    for material in &materials {
        for &metric in Metric::of(game) {
            let kept = tables.statistics(material, metric).unwrap();
            assert!(kept.is_some(), "{material}.{metric}");
        }
        let kept = stats(&tables, material).unwrap();
        assert_eq!(kept, recount(&tables, material).unwrap());
    }
    // Proving more takes too long here.
    for material in materials.iter().filter(|material| material.len() <= 3) {
        let report = verified(game, material, folder.path());
        assert!(report.is_sound(), "{material}");
    }
}

#[test]
fn orthodox() {
    compare_in("orthodox", &["KPvK", "KBvKN", "KRRvK"]);
    compare_in("king-of-the-hill", &["KPvK"]);
}

#[test]
fn high_chess() {
    compare_in("high-chess", &["KRvK"]);
    compare_in("high-chess:vitality=9", &["KPvK", "KvKP"]);
}

#[test]
fn kings_that_are_taken() {
    compare_in("chess99", &["KAvK", "KPvK"]);
}

/// Equal pieces among the leaders, with and without symmetries.
#[test]
fn several_kings() {
    compare_in("kings", &["KKvK"]);
    let small = Game::parse("kings").unwrap().with_sets(&["board.size=6x6"]);
    compare(small.unwrap(), &["KKvKK"]);
    compare_in("wild9", &["KKvK"]);
    compare_in("extinction", &["KKvK", "KKKvK"]);
    compare_in("extinction-mating", &["KPvK"]);
}

/// All values are right, but who wins was not what the writer was told.
#[test]
fn wrong_statistics_are_found() {
    let (game, folder) = (Game::default(), tempfile::tempdir().unwrap());
    let material = Material::parse(game, "KRvK").unwrap();
    make(game, folder.path(), &["KRvK"], None);
    assert!(verified(game, &material, folder.path()).is_sound());
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    let right = tables.statistics(&material, Metric::Dtz).unwrap().unwrap();
    let read = |metric| {
        let table = tables.table(&material, metric).unwrap().unwrap();
        Colour::BOTH.map(|turn| {
            let mut values = vec![0; table.header().positions as usize];
            table.read(turn, 0, &mut values).unwrap();
            values
        })
    };
    let (plies, results) = (read(Metric::Dtz), read(Metric::Wdl));
    let of = |values: &[Vec<i16>; 2], turn: Colour, indices: Range<u64>, out: &mut [i16]| {
        let range = indices.start as usize..indices.end as usize;
        out.copy_from_slice(&values[turn.index()][range]);
    };
    let fill = |turn: Colour, indices: Range<u64>, out: &mut [i16]| of(&plies, turn, indices, out);
    let wrong = |turn: Colour, indices: Range<u64>, out: &mut [i16]| {
        of(&results, turn, indices, out);
        out.iter_mut()
            .for_each(|result| *result = 2 * result.signum());
    };
    let plan = TablePlan::new(game, &material, Metric::Dtz).unwrap();
    let path = table_path(folder.path(), game, &material, Metric::Dtz);
    let options = PackOptions::default();
    let watch = Watch::default();
    let pending = prepare_with_results(&path, &plan, &options, watch, &fill, Some(&wrong));
    pending.unwrap().publish().unwrap();

    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    assert_ne!(
        tables.statistics(&material, Metric::Dtz).unwrap().unwrap(),
        right
    );
    assert!(
        read(Metric::Dtz)[0]
            .iter()
            .all(|&value| value != score::DONT_CARE)
    );
    let report = verified(game, &material, folder.path());
    assert!(!report.is_sound());
    assert_eq!(report.materials[0].wrong, 0);
    assert_eq!(report.materials[0].statistics, [Metric::Dtz]);
}

/// Files that have none, or damaged ones, get them when they are packed anew, even if they
/// are packed as they should be.
#[test]
fn repack_adds_statistics() {
    let (game, folder) = (Game::default(), tempfile::tempdir().unwrap());
    let material = Material::parse(game, "KRvK").unwrap();
    make(game, folder.path(), &["KRvK"], None);
    let path = |metric| table_path(folder.path(), game, &material, metric);
    let made = [Metric::Dtz, Metric::Wdl].map(|metric| fs::read(path(metric)).unwrap());
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    let table = tables.table(&material, Metric::Dtz).unwrap().unwrap();
    let index = table.index().groups().iter().map(Group::piece);
    let order: Vec<Piece> = index.collect();
    let plan = TablePlan::new(game, &material, Metric::Dtz).unwrap();
    let plan = plan.order(&order).unwrap();
    // As the table was written: nothing where there is no position, or a draw.
    let fill = |turn: Colour, indices: Range<u64>, out: &mut [i16]| {
        table.read(turn, indices.start, out).unwrap();
        let mut squares = [Square(0); 3];
        for (index, value) in indices.zip(out) {
            table.index().decode(index, &mut squares);
            let position = Position::from_pieces(game, material.pieces().zip(squares), turn);
            let result = position.map(|position| tables.wdl(&position).unwrap());
            if result.is_none_or(|result| result == Wdl::Draw) {
                *value = score::DONT_CARE;
            }
        }
    };
    let options = PackOptions::default();
    let without = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
    assert!(
        Table::from_bytes(without.as_slice())
            .unwrap()
            .statistics()
            .unwrap()
            .is_none()
    );
    fs::write(path(Metric::Dtz), without).unwrap();
    let mut damaged = made[1].clone();
    let last = damaged.len() - 20;
    damaged[last] ^= 1;
    fs::write(path(Metric::Wdl), damaged).unwrap();

    let options = RepackOptions {
        tables: vec![folder.path().to_owned()],
        ..RepackOptions::default()
    };
    assert!(repack(game, &[material], &options, &()).unwrap());
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    assert_eq!(
        stats(&tables, &material).unwrap(),
        recount(&tables, &material).unwrap()
    );
    assert!(kept(&tables, &material).unwrap().is_some());
    assert_eq!(fs::read(path(Metric::Wdl)).unwrap(), made[1]);
}

/// Numbers of plies that no table has are no reason to fail.
#[test]
fn absurd_plies_are_not_counted() {
    let plan = TablePlan::new(
        Game::default(),
        &Material::parse(Game::default(), "KRvK").unwrap(),
        Metric::Dtz,
    );
    let folder = tempfile::tempdir().unwrap();
    for (plies, is_counted) in [(6000, true), (6001, false), (i16::MAX - 1, false)] {
        let fill = |_: Colour, _: Range<u64>, out: &mut [i16]| out.fill(plies);
        let lost = |_: Colour, _: Range<u64>, out: &mut [i16]| out.fill(-1);
        let (plan, options) = (plan.as_ref().unwrap(), PackOptions::default());
        let path = folder.path().join("KRvK.dtz");
        let watch = Watch::default();
        let pending =
            prepare_with_results(&path, plan, &options, watch, &fill, Some(&lost)).unwrap();
        assert_eq!(pending.header().has_statistics, is_counted, "{plies}");
    }
    // A number that cannot be plies is an error.
    let fill = |_: Colour, _: Range<u64>, out: &mut [i16]| out.fill(-5);
    let lost = |_: Colour, _: Range<u64>, out: &mut [i16]| out.fill(-1);
    let (plan, options) = (plan.as_ref().unwrap(), PackOptions::default());
    let path = folder.path().join("KRvK.dtz");
    let result = prepare_with_results(&path, plan, &options, Watch::default(), &fill, Some(&lost));
    assert!(matches!(
        result.err(),
        Some(WriteError::Value { value: -5, .. })
    ));
}
