//! The Universal Chess Interface where tables are missing or damaged.

use crate::common::{copies, shipped, tables};
use crate::dialogue::{Dialogue, after};
use crate::uci::go;

/// The engine says that a table is missing, and plays what it can prove or any legal move.
#[test]
fn without_a_table() {
    let mut engine = Dialogue::begin("uci");
    let fen = "k7/8/1K6/8/8/8/8/1R5R w - - 0 1";
    engine.send(&format!("position fen {fen}\ngo depth 3"));
    let lines = engine.until("bestmove");
    assert!(
        lines
            .iter()
            .any(|line| line.contains(" score mate 1 pv h1h8")),
        "{lines:?}"
    );
    assert_eq!(lines.last().unwrap(), "bestmove h1h8");
    let fen = "8/8/8/8/8/8/k7/3K2RR w - - 0 1";
    engine.send(&format!("position fen {fen}\ngo depth 3"));
    let lines = engine.until("bestmove");
    assert!(
        lines.contains(&"info string no table KRRvK".to_owned()),
        "{lines:?}"
    );
    // Nothing is proved: the queen takes what is for the taking.
    let fen = "r3k3/pppp4/8/8/8/8/PPP5/Q3K3 w - - 0 1";
    engine.send(&format!("position fen {fen}\ngo nodes 100"));
    let lines = engine.until("bestmove");
    let told = "info string no table of the position: it has 11 pieces, and tables have at most 7";
    assert!(lines.contains(&told.to_owned()), "{lines:?}");
    assert!(
        !lines.iter().any(|line| line.contains(" score ")),
        "{lines:?}"
    );
    // From the array, castling rights and all.
    for (variant, moves) in [
        ("chess", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1"),
        ("chess99", "e2e4 f8f7 e1&f1 e8e6"),
        ("kings:board=10x10", "e3e5 f8f6"),
        ("high-chess", "e2e4 0000"),
    ] {
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        engine.send(&format!("position startpos moves {moves}\ngo movetime 50"));
        let lines = engine.until("bestmove");
        assert!(
            !lines.iter().any(|line| line.contains("position refused")),
            "{lines:?}"
        );
        let best = after(lines.last().unwrap(), "bestmove");
        assert_ne!(best, "(none)");
        engine.send(&format!("position startpos moves {moves} {best}\nisready"));
        assert_eq!(engine.until("readyok").len(), 1, "{best} is not legal");
    }
}

/// The way to the mate leads by a promotion to a table that is missing: it is played all the
/// same, and no line is made up.
#[test]
fn the_best_move_leads_to_a_missing_table() {
    let folder = copies(&["KPvK.dtm", "KPvK.dtz", "KPvK.wdl"]);
    let mut engine = Dialogue::begin("uci");
    engine.send(&format!(
        "setoption name TablebasePath value {}",
        folder.path().display()
    ));
    let (info, best) = go(&mut engine, "fen 4k3/8/4K3/8/4P3/8/8/8 w - -", "");
    assert!(info.contains(" score mate 13 "), "{info}");
    let line = info.split(" pv ").nth(1).unwrap();
    assert!(line.split(' ').count() < 25, "{info}");
    assert!(line.starts_with(&best[..4]), "{info}");
    let promotion = "position fen 8/4PK2/8/8/8/1k6/8/8 w - -\ngo movetime 200";
    engine.send(promotion);
    let lines = engine.until("bestmove");
    assert!(
        lines.contains(&"info string no table KQvK".to_owned()),
        "{lines:?}"
    );
    assert!(
        lines.last().unwrap().starts_with("bestmove e7e8q"),
        "{lines:?}"
    );
    // Moves to choose from may leave it out.
    let (_, best) = go(
        &mut engine,
        "fen 8/4PK2/8/8/8/1k6/8/8 w - -",
        "searchmoves f7f6",
    );
    assert!(best.starts_with("f7f6"), "{best}");
    // The same if only the depth is missing there.
    let more = copies(&["KQvK.wdl", "KRvK.wdl", "KBvK.wdl", "KNvK.wdl"]);
    let folders = std::env::join_paths([folder.path(), more.path()]).unwrap();
    engine.send(&format!(
        "setoption name TablebasePath value {}\n{promotion}",
        folders.display()
    ));
    let lines = engine.until("bestmove");
    assert!(
        lines.last().unwrap().starts_with("bestmove e7e8q"),
        "{lines:?}"
    );
}

/// The tables of some men with one file damaged: the others tell what they would without it.
#[test]
fn a_damaged_file_is_as_good_as_none() {
    let names = ["KPvK", "KQvK", "KRvK", "KBvK", "KNvK"];
    let files: Vec<String> = names
        .iter()
        .flat_map(|name| ["wdl", "dtm", "dtz"].map(|metric| format!("{name}.{metric}")))
        .collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for (name, fen, score, best) in [
        ("KPvK.dtm", "8/8/8/8/8/1k6/1P6/K7 w - -", "cp 0", "a1b1"),
        ("KQvK.dtm", "8/8/8/3k4/8/8/8/KQ6 w - -", "cp 20000", "a1b2"),
        ("KQvK.dtm", "8/4PK2/8/8/8/1k6/8/8 w - -", "mate 8", "e7e8"),
    ] {
        for cut in [true, false] {
            let folder = copies(&files);
            let path = folder.path().join("orthodox").join(name);
            let mut bytes = std::fs::read(&path).unwrap();
            match cut {
                true => bytes.truncate(100),
                // The header stays sound.
                false => {
                    let half = bytes.len() / 2;
                    bytes[half..].fill(0xa5);
                }
            }
            std::fs::write(&path, bytes).unwrap();
            let mut engine = Dialogue::begin("uci");
            let path = format!(
                "setoption name TablebasePath value {}",
                folder.path().display()
            );
            engine.send(&path);
            let question = format!("position fen {fen}\ngo movetime 2000");
            engine.send(&question);
            let lines = engine.until("bestmove");
            let told = |line: &&String| line.starts_with("info string going on without a table: ");
            let info = lines.iter().rev().find(|l| l.starts_with("info depth"));
            assert_eq!(lines.iter().filter(told).count(), 1, "{lines:#?}");
            assert!(
                lines.iter().find(told).unwrap().contains(name),
                "{lines:#?}"
            );
            assert!(
                info.unwrap().contains(&format!(" score {score} ")),
                "{lines:#?}"
            );
            assert_ne!(after(info.unwrap(), "tbhits"), "0");
            assert!(lines.last().unwrap().contains(best), "{lines:#?}");
            // It is said once; and what is sound somewhere else is taken from there.
            engine.send(&question);
            let lines = engine.until("bestmove");
            assert!(!lines.iter().any(|line| told(&line)), "{lines:#?}");
            let list = [folder.path(), tables()];
            let list = std::env::join_paths(list).unwrap();
            engine.send(&format!(
                "setoption name TablebasePath value {}\n{question}",
                list.display()
            ));
            let (sound, lines) = (run_sound(&question), engine.until("bestmove"));
            assert_eq!(lines.last(), Some(&sound), "{lines:#?}");
        }
    }
}

/// The best move by the sound tables.
fn run_sound(question: &str) -> String {
    let mut engine = Dialogue::begin("uci");
    engine.send(question);
    engine.answer("bestmove")
}

/// A path that is not a folder is reported, and the others are used.
#[test]
fn a_folder_that_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let list = std::env::join_paths([&*file, shipped()]).unwrap();
    let mut engine = Dialogue::begin("uci");
    engine.send(&format!(
        "setoption name TablebasePath value {}\nisready",
        list.display()
    ));
    let lines = engine.until("readyok");
    let fault = format!("info string {} is not a folder", file.display());
    assert_eq!(lines[0], fault);
    assert!(
        lines[1].starts_with("info string 15 tables of orthodox in "),
        "{lines:?}"
    );
    let (info, _) = go(&mut engine, "fen 8/8/8/3k4/8/8/8/KQ6 w - -", "");
    assert!(info.contains(" score mate 9 "), "{info}");
    engine.send(&format!(
        "setoption name TablebasePath value {}\nisready",
        file.display()
    ));
    assert_eq!(
        engine.until("readyok"),
        [&*fault, "info string playing without tables", "readyok"]
    );
}

/// The score is what a table says of the position, whatever is missing further along.
#[test]
fn a_missing_table_takes_away_no_score() {
    let folder = copies(&["KPvK.dtm", "KPvK.dtz", "KPvK.wdl"]);
    let mut engine = Dialogue::begin("uci");
    engine.send(&format!(
        "setoption name TablebasePath value {}",
        folder.path().display()
    ));
    for (fen, score) in [
        ("8/5P2/8/8/8/1k6/8/K7 w - -", "mate 7"),
        // The other side has the pawn, and Black is to move.
        ("k7/8/1K6/8/8/8/5p2/8 b - -", "mate 7"),
    ] {
        let (info, best) = go(&mut engine, &format!("fen {fen}"), "movetime 300");
        let expected = format!(" score {score} ");
        assert!(info.contains(&expected), "{info}");
        assert!(info.contains(&format!(" pv {best}")), "{info}");
    }
    // It is not that of some of the moves.
    engine.send("go searchmoves f2f1n f2f1q movetime 100");
    let lines = engine.until("bestmove");
    assert!(
        !lines.iter().any(|line| line.contains(" score ")),
        "{lines:?}"
    );
    let told = "info string no table KQvK".to_owned();
    assert!(lines.contains(&told), "{lines:?}");
}
