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

#[test]
fn files_do_not_depend_on_what_else_is_made() {
    for (id, name, limit) in [
        ("orthodox", "KRvKN", None),
        // With cursed results, in successors too.
        ("orthodox", "KRvKP", Some(12)),
        ("kings", "KKvKR", None),
        ("chess99", "KRvK", None),
    ] {
        let game = Game::parse(id).unwrap();
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

#[test]
fn little_memory_makes_the_same_files() {
    let without_depths = || Some(vec![Metric::Wdl, Metric::Dtz]);
    for (id, name, limit, metrics) in [
        ("orthodox", "KPvKP", None, None),
        // With cursed results, in successors too.
        ("orthodox", "KRvKP", Some(12), None),
        ("orthodox", "KRvKP", Some(12), without_depths()),
        ("king-of-the-hill", "KRvKP", None, None),
    ] {
        let game = Game::parse(id).unwrap();
        let plan = Plan::new(game, &[Material::parse(game, name).unwrap()], None).unwrap();
        let (last, needs) = plan.tables().split_last().unwrap();
        let (least, most) = (last.least_memory_bytes, last.memory_bytes);
        assert!(least < most, "{id} {name}");
        let successors = tempfile::tempdir().unwrap();
        let make = |plan: &Plan, memory: Option<u64>, out: &Path| {
            let options = GenerateOptions {
                out: out.to_owned(),
                tables: vec![successors.path().to_owned()],
                memory,
                limit,
                metrics: metrics.clone(),
                ..GenerateOptions::default()
            };
            generate(game, plan, &options, &())
        };
        let needs: Vec<Material> = needs.iter().map(|table| table.material).collect();
        let needs = Plan::new(game, &needs, None).unwrap();
        make(&needs, None, successors.path()).unwrap();
        let make = |memory: u64| {
            let folder = tempfile::tempdir().unwrap();
            let made = make(&plan, Some(memory), folder.path());
            made.map(|summary| (summary, files(&game_folder(folder.path(), game))))
        };
        let (at_once, in_slices) = (make(most).unwrap(), make(least).unwrap());
        assert_eq!(at_once.0, in_slices.0, "{id} {name}");
        assert!(at_once.1 == in_slices.1, "{id} {name}");
        let made = metrics.as_deref().unwrap_or(Metric::of(game)).len();
        assert_eq!(at_once.1.len(), made, "{id} {name}");
        match make(least - 1) {
            Err(GenerateError::Memory { needed, limit, .. }) => {
                assert_eq!((needed, limit), (least, least - 1), "{id} {name}");
            }
            other => panic!("{id} {name}: {other:?}"),
        }
    }
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
