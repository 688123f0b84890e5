//! The statistics that files keep, against counting the positions once more, twice: by
//! `recount` and by `verify`.

use std::ops::Range;
use std::path::Path;

use crate::common::make;
use retrograde::stats::{recount, stats};
use retrograde::verify::{VerifyError, VerifyOptions, verify};
use retrograde_probe::write::{PackOptions, TablePlan, Watch, prepare_counted};
use retrograde_probe::{Metric, TableFault, Tablebase, score, table_path};
use retrograde_rules::{Colour, Game, Material};

/// What became of a complete verification of one material.
fn verified(game: Game, material: &Material, folder: &Path) -> Result<bool, VerifyError> {
    let options = VerifyOptions {
        tables: vec![folder.to_owned()],
        ..VerifyOptions::default()
    };
    let report = verify(game, &[*material], &options, &())?;
    Ok(report.is_sound())
}

fn compare(id: &str, names: &[&str]) {
    let game = Game::parse(id).unwrap();
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
    for name in names {
        let material = Material::parse(game, name).unwrap();
        assert!(verified(game, &material, folder.path()).unwrap(), "{name}");
    }
}

#[test]
fn orthodox() {
    compare("orthodox", &["KPvK", "KBvKN", "KRRvK"]);
    compare("king-of-the-hill", &["KPvK"]);
}

#[test]
fn high_chess() {
    compare("high-chess", &["KRvK", "KPvK", "KvKP"]);
}

#[test]
fn kings_that_are_taken() {
    compare("chess99", &["KAvK", "KPvK"]);
}

/// Equal pieces among the leaders, with and without symmetries.
#[test]
fn several_kings() {
    compare("kings", &["KKvK", "KKvKK"]);
    compare("wild9", &["KKvK"]);
    compare("extinction", &["KKvKR", "KKKvK"]);
    compare("extinction-mating", &["KPvK"]);
}

/// All values are right, but who wins was not what the writer was told.
#[test]
fn wrong_statistics_are_found() {
    let (game, folder) = (Game::Orthodox, tempfile::tempdir().unwrap());
    let material = Material::parse(game, "KRvK").unwrap();
    make(game, folder.path(), &["KRvK"], None);
    assert!(verified(game, &material, folder.path()).unwrap());
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
    let pending = prepare_counted(&path, &plan, &options, watch, &fill, Some(&wrong));
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
    match verified(game, &material, folder.path()) {
        Err(VerifyError::Table(error)) => {
            assert!(matches!(error.fault, TableFault::Statistics(_)), "{error}");
            assert!(error.fault.is_corrupt());
        }
        other => panic!("{other:?}"),
    }
}
