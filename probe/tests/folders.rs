//! Tests tables that are not there, not whole, or not what they should be.

use std::fs;
use std::path::Path;

use crate::common::solver::{tablebase, three_pieces};
use crate::common::{self, material, plan};
use retrograde_probe::advice::UseTheProgram;
use retrograde_probe::write::{PackOptions, Watch, pack_to_bytes};
use retrograde_probe::{
    Dtm, Metric, ProbeError, Table, TableError, TableFault, Tablebase, Value, Wdl, game_folder,
    score, table_path,
};
use retrograde_rules::{Colour, Game, Position};

fn read(fen: &str) -> Position {
    Position::from_fen(Game::default(), fen).unwrap()
}

fn depth_tables() -> Tablebase {
    tablebase(three_pieces(), Metric::Dtm)
}

fn write_all(folder: &Path, metrics: &[Metric]) {
    fs::create_dir_all(game_folder(folder, Game::default())).unwrap();
    for (material, metric, bytes) in three_pieces() {
        if metrics.contains(metric) {
            fs::write(
                table_path(folder, Game::default(), material, *metric),
                bytes,
            )
            .unwrap();
        }
    }
}

/// A path that is too long has no permissions that could be changed.
#[test]
fn paths_that_are_too_long() {
    let error = Tablebase::open(Game::default(), ["x".repeat(300)]).unwrap_err();
    let advice = error.with_advice(&UseTheProgram);
    assert!(
        advice.ends_with("; name a folder with a shorter path"),
        "{advice}"
    );
}

/// No file need be made readable where the process may not open or hold any more.
#[cfg(unix)]
#[test]
fn limits_of_the_process() {
    let advice = |error: std::io::Error| {
        let error = TableError {
            path: None,
            fault: TableFault::Io(error),
        };
        error.with_advice(&UseTheProgram)
    };
    // EMFILE
    let files = advice(std::io::Error::from_raw_os_error(24));
    assert!(
        files.ends_with("; allow more files to be open, as with ulimit -n"),
        "{files}"
    );
    let memory = advice(std::io::ErrorKind::OutOfMemory.into());
    assert!(
        memory.ends_with("; free some memory, then ask again"),
        "{memory}"
    );
}

/// A file that is left out is as if it were not there; one of a later folder takes its place.
#[test]
fn files_that_are_left_out() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [first, second] = folders.each_ref().map(tempfile::TempDir::path);
    write_all(first, &[Metric::Wdl]);
    let position = read("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let damaged = table_path(first, Game::default(), &position.material(), Metric::Wdl);
    fs::write(&damaged, b"something else").unwrap();
    let asked = |is_left_out: &dyn Fn(&Path) -> bool| {
        let tables = Tablebase::open_except(Game::default(), [first, second], is_left_out).unwrap();
        tables.wdl(&position).map_err(|error| error.kind())
    };
    let is_damaged = |path: &Path| path == damaged;
    assert_eq!(asked(&|_| false), Err("corrupt-table"));
    assert_eq!(asked(&is_damaged), Err("missing-table"));
    write_all(second, &[Metric::Wdl]);
    assert_eq!(asked(&|_| false), Err("corrupt-table"));
    assert_eq!(asked(&is_damaged), Ok(Wdl::Win));
}

#[test]
fn folders_in_order() {
    let empty = tempfile::tempdir().unwrap();
    let (first, second) = (empty.path().join("first"), empty.path().join("second"));
    let position = read("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let folders = [&first, &second];
    let open = || Tablebase::open(Game::default(), folders).unwrap();

    let error = open().probe(&position).unwrap_err();
    assert_eq!(error.kind(), "missing-table");
    let text = error.to_string();
    assert!(text.contains("the table KQvK of orthodox"), "{text}");
    assert!(text.contains("first: no such folder"), "{text}");
    assert!(text.contains("second: no such folder"), "{text}");
    let alone = read("8/8/8/3k4/8/8/8/K7 w - - 0 1");
    assert_eq!(open().probe(&alone).unwrap().value.wdl, Wdl::Draw);
    let moves = open().moves(&read("8/8/8/8/8/8/8/K1kQ4 b - - 0 1"));
    let moves = moves.unwrap();
    assert!(moves.iter().any(|m| m.wdl() == Some(Wdl::Draw)));

    write_all(&second, &[Metric::Wdl]);
    let answer = open().probe(&position).unwrap();
    assert_eq!(answer.value, Value::without_distances(Wdl::Win));
    write_all(&first, &[Metric::Dtm]);
    let tables = open();
    assert_eq!(tables.tables().count(), 10);
    assert!(tables.probe(&position).unwrap().value.dtm.is_some());

    // A file in place of a folder cannot be read as one.
    let file = empty.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Tablebase::open(Game::default(), [&file]).err().unwrap();
    assert!(error.to_string().contains("file"), "{error}");
}

#[test]
fn bad_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    write_all(folder.path(), &[Metric::Dtm]);
    let path = |name| table_path(folder.path(), Game::default(), &material(name), Metric::Dtm);
    let queen = read("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let rook = read("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    let pawn = read("8/8/8/3k4/8/8/P7/K7 w - - 0 1");

    // The table of another material, and one with damaged blocks.
    fs::copy(path("KRvK"), path("KQvK")).unwrap();
    let mut bytes = fs::read(path("KPvK")).unwrap();
    let (middle, end) = (common::places(&bytes).1 + 8, bytes.len() - 8);
    bytes[middle..end].iter_mut().for_each(|b| *b ^= 0x55);
    fs::write(path("KPvK"), bytes).unwrap();

    let tables = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    assert_eq!(tables.probe(&rook).unwrap().value.wdl, Wdl::Win);
    for (position, file, what) in [
        (queen, "KQvK.dtm", "for KRvK, not for KQvK"),
        (pawn, "KPvK.dtm", "block "),
    ] {
        for _ in 0..2 {
            let error = tables.probe(&position).unwrap_err();
            assert_eq!(error.kind(), "corrupt-table");
            let text = error.to_string();
            assert!(text.contains(file) && text.contains(what), "{text}");
            assert!(tables.moves(&position).is_err());
        }
    }
    fs::write(path("KRvK"), "not a table").unwrap();
    fs::remove_file(path("KQvK")).unwrap();
    let tables = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    assert!(tables.probe(&rook).is_err());
    assert_eq!(tables.probe(&queen).unwrap_err().kind(), "missing-table");
    // Moves whose table is missing are not known; damaged ones are errors.
    fs::write(path("KPvK"), &three_pieces()[9].2).unwrap();
    assert_eq!(three_pieces()[9].1, Metric::Dtm);
    fs::remove_file(path("KRvK")).unwrap();
    let tables = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    let promoting = read("8/P7/8/3k4/8/8/8/K7 w - - 0 1");
    let moves = tables.moves(&promoting).unwrap();
    let unknown = moves.iter().filter(|m| m.value.is_none());
    assert_eq!(unknown.count(), 2);
    let error = tables.line(&promoting).unwrap_err();
    assert_eq!(error.kind(), "missing-table");
}

#[test]
fn too_many_pieces() {
    let position = read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    let error = depth_tables().probe(&position).unwrap_err();
    assert_eq!(error.kind(), "unsupported");
    assert!(error.to_string().contains("32 pieces"), "{error}");
}

#[test]
fn wrong_tables_are_contradictions_not_loops() {
    let make = |name: &str, value: i16| {
        let fill = move |_: Colour, _: std::ops::Range<u64>, v: &mut [i16]| v.fill(value);
        let options = PackOptions::default();
        let plan = plan(name, Metric::Dtm);
        let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
        Table::from_bytes(bytes).unwrap()
    };
    let position = read("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    for value in [5, -5, i16::MAX - 1, -i16::MAX] {
        let tables = Tablebase::from_tables(Game::default(), [make("KQvK", value)]).unwrap();
        // Or the longest depths would not say whether the win is a real one.
        let tables = tables.with_zeroing_limit(u32::MAX);
        let error = tables.line(&position).unwrap_err();
        assert!(matches!(error, ProbeError::Contradiction { .. }), "{error}");
    }
}

/// Depths alone do not say whether the fifty-move rule spoils a long win.
#[test]
fn without_wdl_only_what_is_certain_is_said() {
    let queen = read("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let depth = depth_tables().probe(&queen).unwrap().value.dtm;
    assert_eq!(depth, Some(Dtm(17)));
    let category = |tables: &Tablebase| tables.value(&queen).map(|value| value.wdl);
    let sound = depth_tables().with_zeroing_limit(17);
    assert_eq!(category(&sound).unwrap(), Wdl::Win);
    let unsure = depth_tables().with_zeroing_limit(16);
    let error = category(&unsure).unwrap_err();
    assert_eq!(error.kind(), "missing-table");
    let text = error.to_string();
    assert!(text.contains("the wdl table of KQvK"), "{text}");
    assert!(unsure.line(&queen).is_err());

    // A queen alone captures nothing: the distances are the same.
    let depths = depth_tables();
    let table = depths.table(&material("KQvK"), Metric::Dtm);
    let table = table.unwrap().unwrap();
    let fill = |turn: Colour, indices: std::ops::Range<u64>, values: &mut [i16]| {
        table.read(turn, indices.start, values).unwrap();
        for value in values {
            *value = score::plies(*value).unwrap_or(0) as i16;
        }
    };
    let options = PackOptions::default();
    let plan = plan("KQvK", Metric::Dtz);
    let dtz = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
    let both = || {
        let depth = three_pieces()
            .iter()
            .find(|t| t.0 == material("KQvK") && t.1 == Metric::Dtm);
        let bytes = [depth.unwrap().2.as_slice(), &dtz];
        let tables = bytes.map(|bytes| Table::from_bytes(bytes).unwrap());
        Tablebase::from_tables(Game::default(), tables).unwrap()
    };
    assert_eq!(category(&both().with_zeroing_limit(17)).unwrap(), Wdl::Win);
    let cursed = both().with_zeroing_limit(16);
    assert_eq!(category(&cursed).unwrap(), Wdl::CursedWin);
}

/// Blocks that were read stay; those that are gone are an error, never a crash.
#[test]
fn a_table_is_cut_off_under_its_reader() {
    let folder = tempfile::tempdir().unwrap();
    let path = table_path(
        folder.path(),
        Game::default(),
        &material("KQvK"),
        Metric::Dtm,
    );
    let bytes = &common::table_bytes("KQvK", 100, 1 << 10);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let whole = Table::from_bytes(bytes.as_slice()).unwrap();
    assert!(whole.header().blocks() > 2);
    fs::write(&path, bytes).unwrap();
    let table = Table::open(&path).unwrap();
    let last = table.header().positions - 1;
    let first = table.get(Colour::White, 0).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    // First between two blocks, then inside of one, then altogether.
    for length in [common::places(bytes).1 + 8, 100, 0] {
        file.set_len(length as u64).unwrap();
        assert_eq!(table.get(Colour::White, 0).unwrap(), first);
        let cut = |fault: &TableFault| matches!(fault, TableFault::Truncated { .. });
        let error = table.get(Colour::Black, last).unwrap_err();
        assert!(cut(&error.fault), "{error}");
        let error = table.read(Colour::Black, last, &mut [0]).unwrap_err();
        assert!(cut(&error.fault), "{error}");
        assert!(
            error
                .to_string()
                .contains(&format!("cut off: {length} of "))
        );
        let faults = table.check().faults;
        assert!(faults.len() == 1 && cut(&faults[0]), "{faults:?}");
    }
}

/// Read by position or mapped, the values are the same.
#[test]
#[expect(unsafe_code, reason = "nobody else knows the folder")]
fn mapped_tables() {
    let folder = tempfile::tempdir().unwrap();
    write_all(folder.path(), &[Metric::Wdl, Metric::Dtm]);
    let read_ones = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    // SAFETY: the files stay as they are.
    let mapped = unsafe { Tablebase::open_mapped(Game::default(), [folder.path()]).unwrap() };
    for fen in ["8/8/8/3k4/8/8/8/KQ6 w - -", "8/8/8/3k4/8/8/P7/K7 b - -"] {
        let position = read(fen);
        assert_eq!(
            mapped.probe(&position).unwrap(),
            read_ones.probe(&position).unwrap()
        );
    }
    let path = table_path(
        folder.path(),
        Game::default(),
        &material("KQvK"),
        Metric::Dtm,
    );
    // SAFETY: likewise.
    let table = unsafe { Table::open_mapped(&path).unwrap() };
    assert!(table.check().is_sound());
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    // SAFETY: likewise.
    let error = unsafe { Table::open_mapped(&empty).unwrap_err() };
    assert!(matches!(error.fault, TableFault::Truncated { .. }));
}
