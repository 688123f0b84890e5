//! The fifty-move rule, with so few plies that most wins are cursed: what is
//! made is proved, and what is made by another rule is not.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::path::Path;

use retrograde::generate::{self, generate};
use retrograde::plan::Plan;
use retrograde::stats::stats;
use retrograde::verify::{self, verify};
use retrograde_probe::{Category, Metric, Tablebase};
use retrograde_rules::{Game, Material, Position};

const GAME: Game = Game::Orthodox;

/// Few plies: odd, so that wins and losses of the last one both occur.
const LIMIT: u32 = 7;

fn material(name: &str) -> Material {
    Material::parse(GAME, name).unwrap()
}

/// Makes a class, and all that it needs, with [`LIMIT`].
fn make(folder: &Path, name: &str) {
    let plan = Plan::new(GAME, &[material(name)], None).unwrap();
    let options = generate::Options {
        out: folder.to_owned(),
        limit: Some(LIMIT),
        ..generate::Options::default()
    };
    let summary = generate(GAME, &plan, &options, &generate::Silent).unwrap();
    for outcome in summary.outcomes.iter().filter(|outcome| !outcome.kept) {
        let longest = outcome.longest.unwrap();
        assert!(longest.real <= LIMIT as usize, "{}", outcome.material);
    }
}

/// How many values of a class are wrong by a rule of `limit` plies, for all
/// positions or a sample.
fn wrong(folder: &Path, name: &str, limit: u32, sample: Option<u64>) -> u64 {
    let options = verify::Options {
        tables: vec![folder.to_owned()],
        sample,
        limit: Some(limit),
        ..verify::Options::default()
    };
    let report = verify(GAME, &[material(name)], &options, &verify::Silent).unwrap();
    assert!(report.positions() > 0);
    report.classes[0].wrong
}

#[test]
fn cursed_tables_are_right_by_their_own_rule_alone() {
    let folder = tempfile::tempdir().unwrap();
    // Conversions into cursed classes, by both sides; pawns.
    for name in ["KRvKB", "KPvK"] {
        make(folder.path(), name);
        assert_eq!(wrong(folder.path(), name, LIMIT, None), 0, "{name}");
        assert_eq!(wrong(folder.path(), name, LIMIT, Some(500)), 0, "{name}");
        for limit in [LIMIT - 1, LIMIT + 1, 100] {
            assert!(wrong(folder.path(), name, limit, None) > 0, "{name}");
        }
    }
}

#[test]
fn cursed_positions_are_counted_and_probed() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), "KRvK");
    let tables = Tablebase::open(GAME, [folder.path()]).unwrap();
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
        let position = Position::from_fen(GAME, fen).unwrap();
        let answer = tables.probe(&position).unwrap();
        assert!(answer.category.is_cursed(), "{fen}");
        let line = tables.line(&position).unwrap().unwrap();
        assert_eq!(Some(line.moves.len() as u32), answer.depth_plies);
        let mut position = position;
        for mv in line.moves {
            let before = tables.probe(&position).unwrap();
            let moves = tables.moves(&position).unwrap();
            // A position is worth as much as its best move.
            assert_eq!(moves[0].category, before.category, "{fen}");
            let after = GAME.play(&position, mv);
            if before.dtz_plies == Some(LIMIT + 1) {
                let after = tables.probe(&after).unwrap();
                assert_eq!(after.dtz_plies, Some(LIMIT));
                assert!(!after.category.is_cursed());
                let same = moves.iter().find(|m| m.mv == mv).unwrap();
                assert!(same.category.is_cursed());
            }
            position = after;
        }
    }
    let table = tables.table(&material("KRvK"), Metric::Result).unwrap();
    let palette = &table.unwrap().header().sections[0].palette;
    assert!(palette.contains(&Category::CursedWin.result()));
}
