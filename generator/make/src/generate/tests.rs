use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_probe::game_folder;

use super::*;
use crate::packing::Packing;
use crate::repack::{RepackOptions, repack};

/// Interrupts the work as soon as the tables of successors are read.
#[derive(Default)]
struct StopsReading {
    interrupted: AtomicBool,
    went_on: AtomicBool,
}

impl GenerateObserver for StopsReading {
    fn phase(&self, phase: Phase) {
        match phase {
            Phase::Reading => self.interrupted.store(true, Ordering::Relaxed),
            _ => self.went_on.store(true, Ordering::Relaxed),
        }
    }

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// The files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<OsString, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap()));
    files.collect()
}

/// A game on a board on which endings of four men take a tenth of the time.
fn small(id: &str) -> Game {
    let game = Game::parse(id).unwrap();
    game.with_sets(&["board.size=6x6"]).unwrap()
}

#[test]
fn files_do_not_depend_on_what_else_is_made() {
    for (game, name, limit) in [
        (small("orthodox"), "KRvKN", None),
        // With cursed results, in successors too.
        (small("orthodox"), "KRvKP", Some(12)),
        (small("kings"), "KKvKR", None),
        (Game::parse("chess99").unwrap(), "KRvK", None),
    ] {
        let id = game.id();
        let plan = Plan::new(game, &[Material::parse(game, name).unwrap()], None).unwrap();
        let make = |metrics: Option<Vec<Metric>>| {
            let folder = tempfile::tempdir().unwrap();
            let options = GenerateOptions {
                out: folder.path().to_owned(),
                metrics,
                limit,
                ..GenerateOptions::default()
            };
            generate(game, &plan, &options, &()).unwrap();
            files(&game_folder(folder.path(), game))
        };
        let all = make(None);
        for &metric in Metric::of(game) {
            let alone = make(Some(vec![metric]));
            let tables = plan.tables().len();
            // DTZ rests on the WDL of successors, the others on nothing else.
            let others = if metric == Metric::Dtz { tables - 1 } else { 0 };
            assert_eq!(alone.len(), tables + others, "{id} {name}: {metric:?}");
            for (file, bytes) in &alone {
                assert!(all[file] == *bytes, "{id} {name}: {}", file.display());
            }
        }
    }
}

/// A folder in which a material can be made: it has all that the material needs.
fn needs_of(plan: &Plan, limit: Option<u32>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (_, needs) = plan.tables().split_last().unwrap();
    let needs: Vec<Material> = needs.iter().map(|table| table.material).collect();
    let options = GenerateOptions {
        out: folder.path().to_owned(),
        limit,
        ..GenerateOptions::default()
    };
    let needs = Plan::new(plan.game(), &needs, None).unwrap();
    generate(plan.game(), &needs, &options, &()).unwrap();
    folder
}

/// A folder with the tables, without DTM, that the last one of a plan needs, copied from those that
/// ship: orthodox chess of up to four men.
fn needs_that_ship(plan: &Plan) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tables");
    fs::create_dir(game_folder(folder.path(), plan.game())).unwrap();
    let (_, needs) = plan.tables().split_last().unwrap();
    for needed in needs {
        for metric in [Metric::Wdl, Metric::Dtz] {
            let path = |folder: &Path| table_path(folder, plan.game(), &needed.material, metric);
            fs::copy(path(&shipped), path(folder.path())).unwrap();
        }
    }
    folder
}

/// Makes a material at once and in slices; `tables` has what it needs.
fn made_with_little_memory(
    plan: &Plan,
    tables: &Path,
    limit: Option<u32>,
    metrics: Option<&[Metric]>,
) {
    let table = plan.tables().last().unwrap();
    let (game, name) = (plan.game(), table.material);
    let (least, most) = (table.least_memory_bytes, table.memory_bytes);
    assert!(least < most, "{game} {name}");
    let make = |memory: u64| {
        let folder = tempfile::tempdir().unwrap();
        let options = GenerateOptions {
            out: folder.path().to_owned(),
            tables: vec![tables.to_owned()],
            memory: Some(memory),
            limit,
            metrics: metrics.map(<[_]>::to_vec),
            ..GenerateOptions::default()
        };
        let made = generate(game, plan, &options, &());
        made.map(|summary| (summary, files(&game_folder(folder.path(), game))))
    };
    let (at_once, in_slices) = (make(most).unwrap(), make(least).unwrap());
    assert_eq!(at_once.0, in_slices.0, "{game} {name}");
    assert!(at_once.1 == in_slices.1, "{game} {name}");
    let made = metrics.unwrap_or(Metric::of(game)).len();
    assert_eq!(at_once.1.len(), made, "{game} {name}");
    match make(least - 1) {
        Err(GenerateError::Memory { needed, limit, .. }) => {
            assert_eq!((needed, limit), (least, least - 1), "{game} {name}");
        }
        other => panic!("{game} {name}: {other:?}"),
    }
}

#[test]
fn little_memory_makes_the_same_files() {
    let without_depths = Some(&[Metric::Wdl, Metric::Dtz][..]);
    let plan = |game, name| {
        let material = Material::parse(game, name).unwrap();
        Plan::new(game, &[material], None).unwrap()
    };
    // With cursed results, in successors too.
    let rook = plan(small("orthodox"), "KRvKP");
    let needs = needs_of(&rook, Some(12));
    for metrics in [None, without_depths] {
        made_with_little_memory(&rook, needs.path(), Some(12), metrics);
    }
    // With rights to take en passant; the tables that ship have what it needs.
    let pawns = plan(Game::default(), "KPvKP");
    let needs = needs_that_ship(&pawns);
    made_with_little_memory(&pawns, needs.path(), None, without_depths);

    let rook = plan(small("king-of-the-hill"), "KRvKP");
    let needs = needs_of(&rook, None);
    made_with_little_memory(&rook, needs.path(), None, None);
}

#[test]
fn reading_successors_can_be_interrupted() {
    for (id, name, metric, packing) in [
        ("orthodox", "KQvKR", None, Packing::Fast),
        ("orthodox", "KQvKR", None, Packing::Small),
        ("orthodox", "KQvKR", Some(Metric::Helpmate), Packing::Fast),
        ("king-of-the-hill", "KQvK", None, Packing::Fast),
        ("high-chess", "KRvK", None, Packing::Fast),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let game = Game::parse(id).unwrap();
        let plan = |material| Plan::new(game, &[material], None).unwrap();
        let options = GenerateOptions {
            out: folder.path().to_owned(),
            metrics: metric.map(|metric| vec![metric]),
            ..GenerateOptions::default()
        };
        let plan_of_all = plan(Material::parse(game, name).unwrap());
        let (last, needs) = plan_of_all.tables().split_last().unwrap();
        let needs: Vec<Material> = needs.iter().map(|table| table.material).collect();
        for &material in &needs {
            generate(game, &plan(material), &options, &()).unwrap();
        }
        if packing == Packing::Small {
            let options = RepackOptions {
                tables: vec![folder.path().to_owned()],
                packing,
                ..RepackOptions::default()
            };
            assert!(repack(game, &needs, &options, &()).unwrap());
        }
        let observer = StopsReading::default();
        let summary = generate(game, &plan_of_all, &options, &observer).unwrap();
        assert!(summary.interrupted, "{id} {name}");
        assert_eq!(summary.outcomes.len(), needs.len(), "{id} {name}");
        assert!(!observer.went_on.into_inner(), "{id} {name}");
        let summary = generate(game, &plan_of_all, &options, &()).unwrap();
        let made = summary.outcomes.iter().filter(|outcome| !outcome.kept);
        let made: Vec<Material> = made.map(|outcome| outcome.material).collect();
        assert_eq!(made, [last.material], "{id} {name}");
    }
}
