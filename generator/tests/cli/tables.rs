//! Tests of `tables` and `stats`, and of their messages about what is missing.

use std::fs;

use crate::common::{copies, fails, run, shipped};

#[test]
fn what_is_in_the_folders() {
    let first = copies(&["KRvK.wdl", "KQvK.dtm", "KQvK.wdl"]);
    let second = copies(&["KPvK.dtm"]);
    let other = second.path().join("high-chess+vitality=5");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("KvK.mates"), "12345").unwrap();
    // None of these is a table.
    fs::write(second.path().join("orthodox/readme.md"), "").unwrap();
    fs::write(second.path().join("orthodox/KvKQ.dtm"), "").unwrap();
    fs::create_dir(second.path().join("checkers")).unwrap();

    let paths = [first.path(), second.path()].map(|path| path.to_str().unwrap());
    let folders = ["--tables", paths[0], "--tables", paths[1]];
    let list = run(&[&["tables", "--json"][..], &folders].concat()).json();
    let list = list.as_array().unwrap();
    let names: Vec<(&str, &str, &str)> = list
        .iter()
        .map(|table| {
            let text = |name: &str| table[name].as_str().unwrap();
            let path = text("path");
            let bytes = fs::metadata(path).unwrap().len();
            assert_eq!(table["bytes"].as_u64(), Some(bytes), "{path}");
            assert_eq!(table.as_object().unwrap().len(), 5);
            (text("game"), text("material"), text("metric"))
        })
        .collect();
    assert_eq!(
        names,
        [
            ("orthodox", "KQvK", "wdl"),
            ("orthodox", "KQvK", "dtm"),
            ("orthodox", "KRvK", "wdl"),
            ("high-chess:vitality=5", "KvK", "mates"),
            ("orthodox", "KPvK", "dtm"),
        ]
    );
    let keys: Vec<&String> = list[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["game", "material", "metric", "bytes", "path"]);

    let one = run(&[&["tables", "orthodox"][..], &folders].concat());
    assert_eq!(one.code, 0);
    let lines = one.lines();
    assert_eq!(lines.len(), 4, "{}", one.stdout);
    assert!(
        lines[0].starts_with("orthodox  KQvK  wdl dtm  "),
        "{}",
        lines[0]
    );
    assert!(lines[0].ends_with(paths[0]), "{}", lines[0]);
    assert!(lines[3].starts_with("4 tables, "), "{}", lines[3]);
}

#[test]
fn nothing_there() {
    let ran = run(&["tables", "--json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "[]\n"));
    let ran = run(&["tables", "--json", "--tables", "nowhere"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (3, "[]\n"));
    assert!(
        ran.stderr.contains("there is no folder nowhere"),
        "{}",
        ran.stderr
    );
    fails(&["tables", "checkers"], 2, "there is no game");
}

/// The program carries the tables that ship, and leaves alone what is there.
#[test]
fn unpacking_those_that_ship() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().to_str().unwrap();
    let own = folder.path().join("shatranj/KRvK.wdl");
    fs::create_dir_all(own.parent().unwrap()).unwrap();
    fs::write(&own, "mine").unwrap();
    let ran = run(&["tables", "shatranj", "--unpack", there]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("\n10 tables, "), "{}", ran.stdout);
    assert!(!folder.path().join("orthodox").exists());
    let all = run(&["tables", "--unpack", there, "--json"]).json();
    assert_eq!(fs::read(&own).unwrap(), b"mine");
    let sums = [
        include_str!("../../../tables/SHA256SUMS"),
        include_str!("../../../tables/SHA256SUMS.four"),
    ];
    let names = sums.iter().flat_map(|sums| sums.lines());
    let names: Vec<&str> = names.map(|line| line.split("  ").nth(1).unwrap()).collect();
    assert_eq!(all.as_array().unwrap().len(), names.len());
    for name in names
        .into_iter()
        .filter(|name| *name != "shatranj/KRvK.wdl")
    {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables");
        let sound = fs::read(format!("{source}/{name}")).unwrap();
        assert!(
            fs::read(folder.path().join(name)).unwrap() == sound,
            "{name}"
        );
    }
    assert!(!folder.path().join(".unpack.lock").exists());
    fails(
        &["tables", "--unpack", there, "--tables", there],
        2,
        "cannot be used with",
    );
    let file = own.to_str().unwrap();
    fails(&["tables", "--unpack", file], 5, "name another folder");
}

/// Without a material, what is there is packed, as `verify` proves what is there.
#[test]
fn packing_what_is_there() {
    let folder = copies(&["KQvK.wdl", "KRvK.wdl", "KRvK.dtm"]);
    let there = [
        "--pack",
        "small",
        "--tables",
        folder.path().to_str().unwrap(),
    ];
    let ran = run(&[&["repack", "orthodox"], &there[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let names: Vec<&str> = ran
        .stderr
        .lines()
        .filter_map(|line| line.split_once(" packed, ")?.0.rsplit('/').next())
        .collect();
    assert_eq!(names, ["KQvK.wdl", "KRvK.wdl", "KRvK.dtm"]);
    fails(
        &[&["repack", "kings"], &there[..]].concat(),
        3,
        "no tables there to pack",
    );
}

#[test]
fn which_values_a_table_has() {
    let folder = copies(&["KRvK.wdl", "KRvK.dtz"]);
    let tables = ["--tables", folder.path().to_str().unwrap()];
    let list = ["tables", "orthodox", "--json", "--digest"];
    let digests = || -> Vec<String> {
        let list = run(&[&list[..], &tables].concat()).json();
        let list = list.as_array().unwrap();
        list.iter()
            .map(|table| table["digest"].as_str().unwrap().to_owned())
            .collect()
    };
    let before = digests();
    assert!(before.iter().all(|digest| digest.len() == 16) && before[0] != before[1]);
    let repack = ["repack", "orthodox", "KRvK", "--pack", "small"];
    assert_eq!(run(&[&repack[..], &tables].concat()).code, 0);
    assert_eq!(digests(), before);
    fs::write(folder.path().join("orthodox/KRvK.dtz"), "123").unwrap();
    assert_eq!(run(&[&list[..], &tables].concat()).code, 4);
    fails(&["tables", "--digest"], 2, "--json");
}

/// Counts that `stats` cannot make are named, so that nothing looks like a count of zero.
#[test]
fn statistics_without_some_tables() {
    let dtm = "no table of dtm for KQvK: how long wins take is not counted\n";
    let dtz = "no table of dtz for KQvK: how long it takes to the next capture or pawn move is \
               not counted\n";
    let wdl = "no table of wdl for KQvK: that of dtz means nothing without it, and is not \
               counted\n";
    for (files, told) in [
        (&["KQvK.wdl", "KQvK.dtm", "KQvK.dtz"][..], String::new()),
        (&["KQvK.wdl", "KQvK.dtm"], dtz.to_owned()),
        (&["KQvK.dtm"], dtz.to_owned()),
        (&["KQvK.dtm", "KQvK.dtz"], wdl.to_owned()),
        (&["KQvK.wdl"], dtm.to_owned() + dtz),
    ] {
        let folder = copies(files);
        let word = "these numbers are what the files say of themselves; --recount counts the \
                    positions, and retrograde verify proves their values\n";
        for (options, word) in [(&[][..], word), (&["--json"], ""), (&["--recount"], "")] {
            let there = ["--tables", folder.path().to_str().unwrap()];
            let ran = run(&[&["stats", "orthodox", "KQvK"], options, &there].concat());
            assert_eq!(
                (ran.code, &*ran.stderr),
                (0, &*(told.clone() + word)),
                "{files:?} {options:?}"
            );
        }
    }
}

/// The missing table is named of a material that has some.
#[test]
fn one_of_two_tables() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("high-chess");
    fs::create_dir(&game).unwrap();
    fs::copy(
        shipped().join("high-chess/KQvK.mates"),
        game.join("KQvK.mates"),
    )
    .unwrap();
    let there = ["--tables", folder.path().to_str().unwrap()];
    let position = ["probe", "high-chess", "8/8/8/3k4/8/8/8/KQ6 w - -"];
    let ran = run(&[&position[..], &there].concat());
    assert_eq!(ran.code, 3);
    let told = "the thresholds table of KQvK of high-chess is missing";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let ran = run(&[&["stats", "high-chess", "KQvK"][..], &there].concat());
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    // Who wins follows from the thresholds alone.
    fs::remove_file(game.join("KQvK.mates")).unwrap();
    let shipped = shipped().join("high-chess");
    for thresholds in ["KQvK.thresholds", "KvK.thresholds"] {
        fs::copy(shipped.join(thresholds), game.join(thresholds)).unwrap();
    }
    let ran = run(&[&position[..], &["--moves", "--line"], &there].concat());
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    let told = ": White wins (needs 5 of 50 points, Black would lose with any; Black is High)\n";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  1. "), "{}", ran.stdout);
}

#[test]
fn one_of_a_kind_and_more() {
    let folder = tempfile::tempdir().unwrap();
    let there = ["--tables", folder.path().to_str().unwrap()];
    let ran = run(&[&["generate", "chess99", "KvK"][..], &there].concat());
    let told = "longest depth 1 ply, ";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let ran = run(&[&["stats", "chess99", "KvK"][..], &there].concat());
    assert!(ran.stdout.contains(" to move, 1 ply:\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("1 plies"), "{}", ran.stdout);

    for (files, told) in [
        (
            &["KQvK.wdl", "KQvK.dtm"][..],
            "dtz for KQvK: that column is",
        ),
        (&["KQvK.wdl"], "dtm and dtz for KQvK: those columns are"),
    ] {
        let folder = copies(files);
        let there = ["--tables", folder.path().to_str().unwrap()];
        let ran = run(&[&["export", "orthodox", "KQvK"][..], &there].concat());
        let told = format!("no table of {told} empty in every row\n");
        assert_eq!((ran.code, ran.stderr), (0, told));
    }
}
