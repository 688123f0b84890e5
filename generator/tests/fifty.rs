//! Tests the fifty-move rule with a limit so low that most wins are cursed.
//!
//! Tables made with it are proved, and tables made with another limit are found wrong.
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use retrograde::generate::{self, generate};
use retrograde::plan::Plan;
use retrograde::stats::stats;
use retrograde::verify::{self, verify};
use retrograde_probe::{Dtm, Dtz, Extra, Metric, ProbeError, Tablebase, Wdl};
use retrograde_rules::{Colour, End, Game, Material, Move, Position, Setup, Square};

/// A low limit in plies; odd, so that both wins and losses reach it.
const LIMIT: u32 = 7;

fn material(name: &str) -> Material {
    Material::parse(Game::default(), name).unwrap()
}

/// Makes a material, and all that it needs, with [`LIMIT`].
fn make(folder: &Path, name: &str) {
    let plan = Plan::new(Game::default(), &[material(name)], None).unwrap();
    let options = generate::GenerateOptions {
        out: folder.to_owned(),
        limit: Some(LIMIT),
        ..generate::GenerateOptions::default()
    };
    let summary = generate(Game::default(), &plan, &options, &()).unwrap();
    for outcome in summary.outcomes.iter().filter(|outcome| !outcome.kept) {
        let longest = outcome.longest.unwrap();
        assert!(longest.real <= LIMIT as usize, "{}", outcome.material);
    }
}

/// The number of wrong values of a material under a limit of `limit` plies, for all positions or a
/// sample.
fn wrong(folder: &Path, name: &str, limit: u32, sample: Option<u64>) -> u64 {
    let options = verify::VerifyOptions {
        tables: vec![folder.to_owned()],
        sample,
        limit: Some(limit),
        ..verify::VerifyOptions::default()
    };
    let report = verify(Game::default(), &[material(name)], &options, &()).unwrap();
    assert!(report.positions() > 0);
    report.materials[0].wrong
}

#[test]
fn cursed_tables_are_right_by_their_own_rule_alone() {
    let folder = tempfile::tempdir().unwrap();
    // Conversions into cursed materials, by both sides; pawns.
    for name in ["KRvKB", "KPvK"] {
        make(folder.path(), name);
        assert_eq!(wrong(folder.path(), name, LIMIT, None), 0, "{name}");
        assert_eq!(wrong(folder.path(), name, LIMIT, Some(500)), 0, "{name}");
        for limit in [LIMIT - 1, LIMIT + 1, 100] {
            let wrong = wrong(folder.path(), name, limit, Some(20_000));
            assert!(wrong > 0, "{name}, {limit}");
        }
    }
}

#[test]
fn cursed_positions_are_counted_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), "KRvK");
    let tables = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    let tables = tables.with_zeroing_limit(LIMIT);
    let [white, black] = stats(&tables, &material("KRvK")).unwrap().sides;
    // Without pawns and captures the distance is the depth.
    let late: u64 = white.win_plies.range(LIMIT + 1..).map(|(_, n)| n).sum();
    assert!(late > 0);
    assert_eq!(white.cursed_win, Some(late));
    assert_eq!(white.dtz.cursed_win.values().sum::<u64>(), late);
    assert_eq!(white.dtz.win.keys().next_back(), Some(&LIMIT));
    assert_eq!(white.blessed_loss, Some(0));
    assert!(black.blessed_loss > Some(0));

    // A quiet move uses up the last ply of a real loss.
    let late = white.longest_fens.iter().chain(&black.longest_fens);
    for fen in late {
        let position = Position::from_fen(Game::default(), fen).unwrap();
        let answer = tables.probe(&position).unwrap();
        assert!(answer.value.wdl.is_cursed(), "{fen}");
        let line = tables.line(&position).unwrap();
        assert_eq!(Some(Dtm(line.moves.len() as u32)), answer.value.dtm);
        let mut position = position;
        for mv in line.moves {
            let before = tables.probe(&position).unwrap().value;
            let moves = tables.moves(&position).unwrap();
            // The value of a position is that of its best move, but for a mate after the draw
            // could have been claimed.
            let best = match moves[0].after.end() {
                Some(End::Checkmate) => Wdl::Win,
                _ => before.wdl,
            };
            assert_eq!(moves[0].wdl(), Some(best), "{fen}");
            let after = position.play(mv);
            if before.dtz == Some(Dtz(LIMIT + 1)) {
                let after = tables.value(&after).unwrap();
                assert_eq!(after.dtz, Some(Dtz(LIMIT)));
                assert!(!after.wdl.is_cursed());
                let same = moves.iter().find(|m| m.mv == mv).unwrap();
                assert!(same.wdl().unwrap().is_cursed());
            }
            position = after;
        }
    }
    let table = tables.table(&material("KRvK"), Metric::Wdl).unwrap();
    let palette = &table.unwrap().header().sections[0].palette;
    assert!(palette.contains(&Wdl::CursedWin.to_value()));
}

/// A position at another half-move clock.
fn at_clock(position: &Position, halfmoves: u32) -> Position {
    let setup = Setup {
        halfmoves,
        ..position.setup()
    };
    Position::new(Game::default(), &setup).unwrap()
}

/// The result if the rule is played out: 1 for the side to move, -1 for the other, 0 for a draw.
/// Positions after captures and pawn moves are looked up.
fn played_out(tables: &Tablebase, position: &Position) -> i16 {
    let moves = position.legal_moves();
    let clock = position.halfmoves();
    match position.end_with(&moves) {
        // A mate that is on the board comes before any clock; one that would come later is
        // not reached, since the draw is claimed first.
        Some(End::Checkmate) => return -1,
        Some(_) => return 0,
        None if clock >= LIMIT => return 0,
        None => {}
    }
    let after = |&mv: &Move| {
        let after = position.play(mv);
        if !mv.is_zeroing() {
            return -played_out(tables, &after);
        }
        match tables.value(&after).unwrap().wdl {
            Wdl::Win => -1,
            Wdl::Loss => 1,
            _ => 0,
        }
    };
    moves.iter().map(after).max().unwrap()
}

/// Values at every clock are those of actual play under the rule, and lines keep
/// them (O7).
#[test]
fn the_clock_runs() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), "KRvKB");
    make(folder.path(), "KPvK");
    let tables = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    let tables = tables.with_zeroing_limit(LIMIT);
    let (mut late, mut in_time) = (0, 0);
    for name in ["KRvKB", "KPvK"] {
        let material = material(name);
        let table = tables.table(&material, Metric::Dtm).unwrap().unwrap();
        let index = table.index();
        let mut squares = [Square(0); 4];
        let squares = &mut squares[..material.len()];
        for idx in (0..index.len()).step_by(211) {
            index.decode(idx, squares);
            let pieces = material.pieces().zip(squares.iter().copied());
            let turn = Colour::BOTH[idx as usize % 2];
            let Some(position) = Position::from_pieces(Game::default(), pieces, turn) else {
                continue;
            };
            let at_0 = tables.value(&position).unwrap();
            for clock in LIMIT - 3..=LIMIT + 2 {
                let position = at_clock(&position, clock);
                let answer = tables.probe(&position).unwrap();
                assert_eq!(
                    answer.extra,
                    Extra::Clock {
                        wdl_at_clock_0: at_0.wdl
                    }
                );
                let answer = answer.value;
                assert_eq!(answer.dtz, at_0.dtz);
                assert_eq!(tables.wdl(&position).unwrap(), answer.wdl);
                assert_eq!(tables.dtm(&position).unwrap(), answer.dtm);
                assert_eq!(tables.dtz(&position).unwrap(), answer.dtz);
                let real = match answer.wdl {
                    Wdl::Win => 1,
                    Wdl::Loss => -1,
                    _ => 0,
                };
                let fen = position.fen();
                assert_eq!(real, played_out(&tables, &position), "{fen}");
                late += usize::from(answer.wdl != at_0.wdl);
                in_time += usize::from(real != 0);
                // The value of a move is that of the position after it.
                for mv in tables.moves(&position).unwrap() {
                    let after = tables.probe(&mv.after).unwrap().value;
                    assert_eq!(mv.wdl().unwrap().reversed(), after.wdl, "{fen}");
                }
                if real == 0 {
                    continue;
                }
                let line = tables.line(&position).unwrap();
                assert_eq!(line.end, Some(End::Checkmate), "{fen}");
                let mut after = position;
                for mv in line.moves {
                    after = after.play(mv);
                    assert!(after.halfmoves() <= LIMIT, "{fen}");
                }
            }
        }
    }
    assert!(late > 100 && in_time > 100, "{late} {in_time}");
}

/// Copies the tables of some metrics into another folder.
fn copies(folder: &Path, metrics: &[Metric]) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("orthodox")).unwrap();
    for file in fs::read_dir(folder.join("orthodox")).unwrap() {
        let path = file.unwrap().path();
        let extension = path.extension().unwrap().to_str().unwrap();
        if metrics.contains(&Metric::parse(extension).unwrap()) {
            let name = Path::new("orthodox").join(path.file_name().unwrap());
            fs::copy(&path, copy.path().join(name)).unwrap();
        }
    }
    copy
}

/// Some of the tables say the same as all of them, or nothing; for many positions
/// they suffice.
#[test]
fn some_tables_are_never_wrong_where_all_are_right() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), "KRvKB");
    let open = |folder: &Path| {
        let tables = Tablebase::open(Game::default(), [folder]).unwrap();
        tables.with_zeroing_limit(LIMIT)
    };
    let all = open(folder.path());
    let table = all.table(&material("KRvKB"), Metric::Wdl);
    let index = table.unwrap().unwrap().index();
    let pieces: Vec<_> = material("KRvKB").pieces().collect();
    for metrics in [
        &[Metric::Dtm][..],
        &[Metric::Wdl],
        &[Metric::Dtm, Metric::Dtz],
        &[Metric::Dtm, Metric::Wdl],
        &[Metric::Dtz, Metric::Wdl],
        &[Metric::Dtz],
    ] {
        let copy = copies(folder.path(), metrics);
        let some = open(copy.path());
        let (mut known, mut unknown, mut cursed) = (0, 0, 0);
        let mut squares = [Square(0); 4];
        for idx in (0..index.len()).step_by(299) {
            index.decode(idx, &mut squares);
            let pieces = pieces.iter().copied().zip(squares);
            let turn = Colour::BOTH[idx as usize % 2];
            let Some(position) = Position::from_pieces(Game::default(), pieces, turn) else {
                continue;
            };
            let right = all.value(&position).unwrap();
            match some.value(&position) {
                Ok(value) => {
                    assert_eq!(value.wdl, right.wdl, "{metrics:?}");
                    assert!(value.dtm.is_none_or(|d| right.dtm == Some(d)));
                    known += 1;
                    cursed += usize::from(value.wdl.is_cursed());
                }
                Err(ProbeError::Missing { .. }) => unknown += 1,
                Err(error) => panic!("{error}"),
            }
            let right = all.moves(&position).unwrap();
            for answer in some.moves(&position).unwrap() {
                let same = right.iter().find(|m| m.mv == answer.mv).unwrap();
                match answer.wdl() {
                    None => unknown += 1,
                    wdl => assert_eq!(wdl, same.wdl(), "{metrics:?}"),
                }
            }
        }
        let says_who_wins = metrics != [Metric::Dtz];
        assert_eq!(known > 1000, says_who_wins, "{metrics:?}: {known}");
        let says_all = metrics == [Metric::Dtz, Metric::Wdl];
        assert_eq!(unknown == 0, says_all, "{metrics:?}: {unknown}");
        assert_eq!(cursed > 0, says_who_wins && metrics != [Metric::Dtm]);
    }
}

/// Anyone who looks while tables are being made sees all of a material's or none.
#[test]
fn tables_of_a_material_appear_together() {
    struct Watcher(PathBuf, Mutex<Vec<usize>>);
    impl generate::GenerateObserver for Watcher {
        fn phase(&self, phase: generate::Phase) {
            if let generate::Phase::Writing(_) = phase {
                let files = fs::read_dir(&self.0).unwrap();
                let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
                let tables = names.filter(|name| {
                    let extension = name.rsplit('.').next().unwrap();
                    Metric::parse(extension).is_some()
                });
                self.1.lock().unwrap().push(tables.count());
            }
        }
    }
    for (id, metrics) in [("orthodox", 3), ("kings", 2), ("high-chess:vitality=3", 2)] {
        let folder = tempfile::tempdir().unwrap();
        let game = Game::parse(id).unwrap();
        let material = Material::parse(game, "KRvK").unwrap();
        let plan = Plan::new(game, &[material], None).unwrap();
        let options = generate::GenerateOptions {
            out: folder.path().to_owned(),
            ..generate::GenerateOptions::default()
        };
        let watcher = Watcher(
            retrograde_probe::game_folder(folder.path(), game),
            Mutex::default(),
        );
        generate(game, &plan, &options, &watcher).unwrap();
        let counts = watcher.1.into_inner().unwrap();
        assert_eq!(counts.len(), metrics * plan.tables().len());
        for (place, count) in counts.into_iter().enumerate() {
            assert_eq!(count, place / metrics * metrics, "{id}");
        }
    }
}

#[test]
fn statistics_of_a_table_that_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), "KRvK");
    let tables = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    let material = material("KRvK");
    for metric in [Metric::Wdl, Metric::Dtm, Metric::Dtz] {
        tables.table(&material, metric).unwrap();
    }
    let path = retrograde_probe::table_path(folder.path(), Game::default(), &material, Metric::Dtm);
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(2000).unwrap();
    let error = stats(&tables, &material).unwrap_err().to_string();
    assert!(error.contains("cut off: 2000 of "), "{error}");
}
