//! Tests packing files anew: where they are, which are kept, and what they rest on.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::make;
use crate::packing::packed;
use retrograde::generate::{GenerateOptions, generate};
use retrograde::packing::Packing;
use retrograde::plan::Plan;
use retrograde::repack::{RepackObserver, RepackOptions, RepackOutcome, repack};
use retrograde_probe::format::{Codec, Sides};
use retrograde_probe::{Metric, ProbeError, Table, TableFault, Tablebase, table_path, whole};
use retrograde_rules::{Game, Material, Position};

#[derive(Default)]
struct Kept(std::sync::Mutex<Vec<bool>>);

impl RepackObserver for Kept {
    fn end(&self, outcome: &RepackOutcome) {
        self.0.lock().unwrap().push(outcome.kept);
    }
}

#[test]
fn in_place_and_kept() {
    let game = Game::default();
    let folder = tempfile::tempdir().unwrap();
    let materials = make(game, folder.path(), &["KRvK"], None);
    let options = RepackOptions {
        both_sides: false,
        out: None,
        tables: vec![folder.path().to_owned()],
        packing: Packing::Small,
    };
    for kept in [false, true] {
        let observer = Kept::default();
        assert!(repack(game, &materials, &options, &observer).unwrap());
        assert_eq!(*observer.0.lock().unwrap(), [kept; 3]);
    }
    let codecs = Metric::of(game).iter().map(|&metric| {
        let path = table_path(folder.path(), game, &materials[0], metric);
        Table::open(&path).unwrap().header().codec
    });
    assert!(codecs.eq([Codec::Learned; 3]));
    let sides = |metric| {
        let path = table_path(folder.path(), game, &materials[0], metric);
        Table::open(&path).unwrap().header().sides()
    };
    assert_eq!(sides(Metric::Wdl), Sides::Both);
    assert_ne!(sides(Metric::Dtz), Sides::Both);
    // Both sides on request.
    let both = RepackOptions {
        both_sides: true,
        ..options.clone()
    };
    for kept in [false, true] {
        let observer = Kept::default();
        assert!(repack(game, &materials, &both, &observer).unwrap());
        assert_eq!(observer.0.lock().unwrap().last(), Some(&kept));
        assert_eq!(sides(Metric::Dtz), Sides::Both);
    }
    // And one again where one is enough.
    for kept in [false, true] {
        let observer = Kept::default();
        assert!(repack(game, &materials, &options, &observer).unwrap());
        assert_eq!(observer.0.lock().unwrap().last(), Some(&kept));
        assert_ne!(sides(Metric::Dtz), Sides::Both);
    }
    let names = fs::read_dir(folder.path().join("orthodox")).unwrap();
    assert_eq!(names.count(), 3);
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let game = Game::default();
    let fast = tempfile::tempdir().unwrap();
    let materials = make(game, fast.path(), &["KPvK"], None);
    let files: Vec<Vec<Vec<u8>>> = [1, 2, 3]
        .into_iter()
        .map(|threads| {
            let small = tempfile::tempdir().unwrap();
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| packed(game, &materials, fast.path(), small.path(), Packing::Small));
            let paths = materials.iter().flat_map(|material| {
                Metric::of(game)
                    .iter()
                    .map(|&m| table_path(small.path(), game, material, m))
            });
            paths.map(|path| fs::read(path).unwrap()).collect()
        })
        .collect();
    assert!(files[0] == files[1] && files[1] == files[2]);
}

fn copy(from: &Path, to: &Path, names: &[&str]) {
    fs::create_dir_all(to.join("orthodox")).unwrap();
    for name in names {
        let path = |folder: &Path| -> PathBuf { folder.join("orthodox").join(name) };
        fs::copy(path(from), path(to)).unwrap();
    }
}

/// A table that another rests on: without it, and with another in its place,
/// there is no answer.
#[test]
fn what_a_table_rests_on_is_missed() {
    let game = Game::default();
    let [fast, small, alone, other, solved] = [(); 5].map(|()| tempfile::tempdir().unwrap());
    let materials = make(game, fast.path(), &["KPvK"], None);
    packed(game, &materials, fast.path(), small.path(), Packing::Small);
    let position = Position::from_fen(game, "8/4P3/8/8/8/2k5/8/K7 w - -").unwrap();
    let ask = |folder: &Path| Tablebase::open(game, [folder]).unwrap().probe(&position);
    let known = ask(fast.path()).unwrap();
    assert_eq!(ask(small.path()).unwrap(), known);

    copy(
        small.path(),
        alone.path(),
        &["KPvK.wdl", "KPvK.dtm", "KPvK.dtz"],
    );
    // The tables alone do not tell; moves that keep the pawn do.
    assert_eq!(ask(alone.path()).unwrap().value.wdl, known.value.wdl);
    assert!(ask(alone.path()).unwrap().by_moves);
    let tables = Tablebase::open(game, [alone.path()]).unwrap();
    match tables.value(&position) {
        Err(ProbeError::Missing {
            material, metric, ..
        }) => {
            let promoted = ["KQvK", "KRvK", "KBvK", "KNvK"];
            assert!(promoted.contains(&material.to_string().as_str()));
            assert_eq!(metric, Some(Metric::Wdl));
        }
        answer => panic!("{answer:?}"),
    }

    // The same material with other values: another number for fifty.
    let options = GenerateOptions {
        out: other.path().to_owned(),
        limit: Some(6),
        ..GenerateOptions::default()
    };
    let queen = Material::parse(game, "KQvK").unwrap();
    generate(
        game,
        &Plan::new(game, &[queen], None).unwrap(),
        &options,
        &(),
    )
    .unwrap();
    copy(
        small.path(),
        solved.path(),
        &["KPvK.wdl", "KPvK.dtm", "KPvK.dtz", "KRvK.wdl"],
    );
    copy(small.path(), solved.path(), &["KBvK.wdl", "KNvK.wdl"]);
    copy(other.path(), solved.path(), &["KQvK.wdl"]);
    match ask(solved.path()) {
        Err(ProbeError::Table { error, .. }) => {
            let fault = &error.fault;
            assert!(
                matches!(fault, TableFault::Need { remade: true, .. }),
                "{error}"
            );
            assert!(fault.is_foreign(), "{error}");
        }
        answer => panic!("{answer:?}"),
    }
    // The right one in the other packing will do.
    copy(fast.path(), solved.path(), &["KQvK.wdl"]);
    assert_eq!(ask(solved.path()).unwrap().value, known.value);
}

/// Commands agree about a table that rests on another one with other values: it cannot be used,
/// and is made again, like the one that it contradicts.
#[test]
fn tables_that_contradict_each_other_are_of_no_use() {
    let game = Game::default();
    let [fast, small, other] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let materials = make(game, fast.path(), &["KQvK"], None);
    packed(game, &materials, fast.path(), small.path(), Packing::Small);
    let plan = Plan::new(game, &materials, None).unwrap();
    let made = |out: &Path, limit| {
        let options = GenerateOptions {
            out: out.to_owned(),
            limit,
            ..GenerateOptions::default()
        };
        generate(game, &plan, &options, &()).unwrap()
    };
    made(other.path(), Some(6));
    copy(other.path(), small.path(), &["KQvK.wdl"]);
    let usable = |folder: &Path, metric| {
        let tables = Tablebase::open(game, [folder]).unwrap();
        whole::check_usable(&tables, &materials[0], metric)
    };
    assert!(usable(small.path(), Metric::Wdl).is_ok());
    for metric in [Metric::Dtm, Metric::Dtz] {
        match usable(small.path(), metric) {
            Err(ProbeError::Table { error, .. }) => {
                assert!(matches!(error.fault, TableFault::Need { remade: true, .. }));
            }
            answer => panic!("{answer:?}"),
        }
    }
    assert!(!made(small.path(), None).outcomes[0].kept);
    // What does not contradict the new one is kept as it is.
    for (metric, made) in [
        (Metric::Wdl, true),
        (Metric::Dtm, true),
        (Metric::Dtz, false),
    ] {
        let bytes = |folder| fs::read(table_path(folder, game, &materials[0], metric)).unwrap();
        assert_eq!(bytes(small.path()) == bytes(fast.path()), made, "{metric}");
        assert!(usable(small.path(), metric).is_ok(), "{metric}");
    }
    assert!(made(small.path(), None).outcomes[0].kept);
}
