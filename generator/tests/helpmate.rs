//! Tests helpmate tables against what is known, and that doctored ones are found wrong.
//!
//! The tests of `records` compare them with the naive interpreter.

use std::path::Path;

use retrograde::generate::{GenerateOptions, generate};
use retrograde::plan::Plan;
use retrograde::verify::{VerifyOptions, VerifyReport, verify};
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack};
use retrograde_probe::{Helpmate, Metric, Tablebase, table_path, whole};
use retrograde_rules::{Colour, Game, Material, Position};

fn material(name: &str) -> Material {
    Material::parse(Game::default(), name).unwrap()
}

/// Makes the helpmates of some materials, and of all that they need.
fn make(folder: &Path, names: &[&str]) -> Tablebase {
    let materials: Vec<Material> = names.iter().map(|name| material(name)).collect();
    let plan = Plan::new(Game::default(), &materials, None).unwrap();
    let options = GenerateOptions {
        out: folder.to_owned(),
        metrics: Some(vec![Metric::Helpmate]),
        ..GenerateOptions::default()
    };
    generate(Game::default(), &plan, &options, &()).unwrap();
    Tablebase::open(Game::default(), [folder]).unwrap()
}

fn proved(folder: &Path, name: &str, sample: Option<u64>) -> VerifyReport {
    let options = VerifyOptions {
        tables: vec![folder.to_owned()],
        sample,
        ..VerifyOptions::default()
    };
    verify(Game::default(), &[material(name)], &options, &()).unwrap()
}

fn helpmate(tables: &Tablebase, fen: &str) -> Option<Helpmate> {
    let position = Position::from_fen(Game::default(), fen).unwrap();
    tables.helpmate(&position).unwrap()
}

#[test]
fn bishops_and_knights_mate_with_help_in_the_corner() {
    let folder = tempfile::tempdir().unwrap();
    let tables = make(folder.path(), &["KNvKB", "KBvKB"]);
    let both = Some(Helpmate {
        white: true,
        black: true,
    });
    for (fen, expected) in [
        // The bishop's own king is mated by the knight, or the other way round.
        ("8/8/8/8/8/2k5/8/KB3n2 b - -", both),
        ("8/8/3k4/8/8/3K4/8/b6N w - -", both),
        // Bishops on squares of one colour are dead by material (O5), others are not.
        ("8/8/3k4/8/3b4/3K4/8/B7 w - -", Some(Helpmate::DEAD)),
        ("8/8/3k4/8/4b3/1K6/8/B7 w - -", both),
        // One minor piece alone, and no table.
        ("8/8/3k4/8/8/1K6/8/B7 w - -", Some(Helpmate::DEAD)),
        ("8/8/3k4/8/8/1K6/8/N7 w - -", Some(Helpmate::DEAD)),
        ("8/8/3k4/8/8/1K6/8/8 w - -", Some(Helpmate::DEAD)),
        ("8/8/3k4/8/8/1K6/8/Q7 w - -", None),
    ] {
        assert_eq!(helpmate(&tables, fen), expected, "{fen}");
    }
    // Mated by the bishop on b7, the knight being in the way: too late for White's.
    let mated = Some(Helpmate {
        white: false,
        black: true,
    });
    assert_eq!(helpmate(&tables, "kn6/1B6/1K6/8/8/8/8/8 b - -"), mated);
}

#[test]
fn a_position_with_an_en_passant_right_has_the_values_of_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let tables = make(folder.path(), &["KPvKP"]);
    let mut rights = 0;
    for file in 0..7_u8 {
        for kings in [
            "k7/8/8/8/8/8/8/4K3",
            "8/7K/8/8/8/8/8/7k",
            "8/8/8/8/K7/8/8/6k1",
        ] {
            let mut rows: Vec<String> = kings.split('/').map(str::to_owned).collect();
            let spaces = |n: u8| if n > 0 { n.to_string() } else { String::new() };
            rows[3] = format!("{}pP{}", spaces(file), spaces(6 - file));
            let ep = char::from(b'a' + file);
            let fen = format!("{} w - {ep}6", rows.join("/"));
            let position = Position::from_fen(Game::default(), &fen).unwrap();
            assert!(position.ep().is_some(), "{fen}");
            let mut expected = Helpmate::DEAD;
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                expected = expected.or(tables.helpmate(&after).unwrap().unwrap());
            }
            assert_eq!(tables.helpmate(&position).unwrap(), Some(expected), "{fen}");
            rights += 1;
        }
    }
    assert_eq!(rights, 21);
    assert!(proved(folder.path(), "KPvKP", Some(3000)).is_sound());
}

/// Writes the table of a material anew with other values.
fn doctor(folder: &Path, name: &str, change: impl Fn(Colour, u64, i16) -> i16 + Sync) {
    let path = table_path(folder, Game::default(), &material(name), Metric::Helpmate);
    let tables = Tablebase::open(Game::default(), [folder]).unwrap();
    let table = tables.table(&material(name), Metric::Helpmate);
    let table = table.unwrap().unwrap();
    let values =
        Colour::BOTH.map(|turn| whole::read_side(&tables, table, turn, &|| false).unwrap());
    let order: Vec<_> = table.index().groups().iter().map(|g| g.piece()).collect();
    let plan = TablePlan::new(Game::default(), &material(name), Metric::Helpmate).unwrap();
    let plan = plan.order(&order).unwrap();
    let fill = |turn: Colour, range: std::ops::Range<u64>, out: &mut [i16]| {
        for (index, out) in range.zip(out) {
            *out = change(turn, index, values[turn.index()][index as usize]);
        }
    };
    pack(
        &path,
        &plan,
        &PackOptions::default(),
        Watch::default(),
        fill,
    )
    .unwrap();
}

#[test]
fn doctored_tables_are_found_wrong() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), &["KRvK", "KBvK"]);
    let wrong = |name, sample| proved(folder.path(), name, sample).materials[0].wrong;
    assert_eq!((wrong("KRvK", None), wrong("KBvK", None)), (0, 0));
    // Positions that lead only to each other agree one ply deep; but there is no mate.
    doctor(folder.path(), "KBvK", |_, _, _| 2);
    assert!(wrong("KBvK", None) > 0);
    // One value, and all values of a side.
    doctor(folder.path(), "KRvK", |turn, index, value| {
        if (turn, index) == (Colour::White, 1234) {
            3
        } else {
            value
        }
    });
    assert!(wrong("KRvK", None) > 0);
    doctor(folder.path(), "KRvK", |_, _, _| 0);
    let report = proved(folder.path(), "KRvK", Some(900));
    let example = &report.materials[0].examples[0];
    assert_eq!(example.metric, Metric::Helpmate);
    assert_eq!(example.stored, "that neither side can be mated");
    assert_eq!(example.derived, "that Black can be mated, but not White");
}
