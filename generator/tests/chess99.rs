//! Chess 99: tables are made and proved with every rule option, and probed.
use std::path::Path;

use crate::common::make;
use retrograde::plan::materials;
use retrograde::stats::stats;
use retrograde::verify::{self, verify};
use retrograde_probe::{Dtm, Tablebase, Wdl};
use retrograde_rules::{Colour, End, Game, Material, Position};

fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

/// The numbers of wrong values of some materials, and of positions that were verified.
fn wrong(game: Game, folder: &Path, materials: &[Material]) -> (u64, u64) {
    let options = verify::VerifyOptions {
        tables: vec![folder.to_owned()],
        ..verify::VerifyOptions::default()
    };
    let report = verify(game, materials, &options, &()).unwrap();
    // What does not fit into memory is looked up block by block, with the same result.
    let looked_up = verify::VerifyOptions {
        memory: Some(0),
        ..options
    };
    let again = verify(game, &materials[..2], &looked_up, &()).unwrap();
    for (proved, again) in report.materials.iter().zip(again.materials) {
        assert_eq!(
            (proved.positions, proved.wrong),
            (again.positions, again.wrong)
        );
    }
    (
        report.materials.iter().map(|c| c.wrong).sum(),
        report.positions(),
    )
}

#[test]
fn three_pieces_are_proved_with_every_switch() {
    // Switches on a smaller board, which takes a quarter of the time.
    for (id, size, least) in [
        ("chess99", "9x9", 1_900_000),
        ("chess99:king-capture-in-check=win", "7x7", 400_000),
        ("chess99:deferred-promotion=off", "7x7", 400_000),
        ("chess99:ep-by=pawn", "7x7", 400_000),
        ("chess99:castling=off", "7x7", 400_000),
    ] {
        let game = game(id)
            .with_sets(&[&format!("board.size={size}")])
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let made = make(game, folder.path(), &["KAvK", "KPvK"], None);
        let (wrong, positions) = wrong(game, folder.path(), &made);
        assert_eq!(wrong, 0, "{id}");
        assert!(positions > least, "{id}: {positions}");
    }
}

/// Tables made with one set of options are wrong under another: the proof notices
/// the difference that each option makes.
#[test]
fn switches_make_a_difference() {
    let made = |id| {
        let folder = tempfile::tempdir().unwrap();
        make(game(id), folder.path(), &["KRvK", "KPvK"], None);
        Tablebase::open(game(id), [folder.path()]).map(|tables| (folder, tables))
    };
    let value = |tables: &Tablebase, fen: &str| {
        let position = Position::from_fen(tables.game(), fen).unwrap();
        let value = tables.value(&position).unwrap();
        (value.wdl, value.dtm.map(u32::from))
    };
    let (_plain, plain) = made("chess99").unwrap();
    // C2: the rook guards the square on which its king is captured.
    let fen = "9/9/9/9/9/9/4k4/4K4/4R4 b - -";
    let (_win, win) = made("chess99:king-capture-in-check=win").unwrap();
    assert_eq!(value(&plain, fen), (Wdl::Draw, None));
    assert_eq!(value(&win, fen), (Wdl::Win, Some(1)));
    // C7: some wins are quicker with castling.
    let (_off, off) = made("chess99:castling=off").unwrap();
    let rook = Material::parse(game("chess99"), "KRvK").unwrap();
    let [with, without] = [&plain, &off].map(|tables| stats(tables, &rook).unwrap());
    assert_ne!(with.sides[0].win_plies, without.sides[0].win_plies);
    // C5: a pawn that waits attacks as a paladin, and may not wait if switched
    // off.
    let fen = "4P4/9/5k3/9/9/9/9/9/K8 w - -";
    assert_eq!(value(&plain, fen), (Wdl::Win, Some(1)));
    let deferred = game("chess99:deferred-promotion=off");
    assert!(Position::from_fen(deferred, fen).is_err());
    // C6: the king takes the pawn that has passed beside it.
    let fen = "9/9/9/9/9/2Pk5/9/9/K8 b - c3";
    let (_pawn, pawn) = made("chess99:ep-by=pawn").unwrap();
    let taken = Position::from_fen(game("chess99"), fen).unwrap();
    assert!(taken.ep().is_some());
    let moves = plain.moves(&taken).unwrap();
    assert!(moves.iter().any(|m| m.uci == "d4c3*"));
    assert_eq!(value(&plain, fen).0, Wdl::Draw);
    let position = Position::from_fen(pawn.game(), fen).unwrap();
    assert!(position.ep().is_none());
}

#[test]
fn probing_says_checks_and_ends() {
    let game = game("chess99");
    let folder = tempfile::tempdir().unwrap();
    make(game, folder.path(), &["KQvK"], None);
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    let probe = |fen: &str| {
        let position = Position::from_fen(game, fen).unwrap();
        (position, tables.probe(&position).unwrap())
    };
    let (position, answer) = probe("9/9/9/9/9/4k4/9/9/K3Q4 w - -");
    assert_eq!(answer.facts.checks, Some([false, true]));
    assert_eq!(answer.value.wdl, Wdl::Win);
    assert_eq!(answer.value.dtm, Some(Dtm(1)));
    assert!(!answer.facts.check && !answer.facts.checkmate && !answer.facts.stalemate);
    let best = &tables.moves(&position).unwrap()[0];
    assert_eq!(best.end, Some(End::KingCapture));
    assert_eq!(best.value.unwrap().dtm, Some(Dtm(0)));
    let line = tables.line(&position).unwrap();
    assert_eq!(line.moves.len(), 1);
    assert_eq!(line.end, Some(End::KingCapture));
    // Both kings attacked: the capture that ends the game draws (C2, C3).
    let (position, answer) = probe("9/9/9/9/9/9/4k4/4K4/4Q4 b - -");
    assert_eq!(answer.facts.checks, Some([true, true]));
    assert_eq!(answer.value.wdl, Wdl::Draw);
    let best = &tables.moves(&position).unwrap()[0];
    assert_eq!(best.end, Some(End::KingCaptureDraw));
    // A long win is played to its end.
    let (position, answer) = probe("9/9/9/4k4/9/9/9/9/K7Q w - -");
    let line = tables.line(&position).unwrap();
    assert_eq!(Some(Dtm(line.moves.len() as u32)), answer.value.dtm);
    assert_eq!(line.end, Some(End::KingCapture));
}

#[test]
fn materials_and_counts() {
    let game = game("chess99");
    let names = |pieces| {
        let materials = materials(game, pieces).into_iter();
        materials.map(|m| m.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        names(3),
        ["KvK", "KQvK", "KAvK", "KRvK", "KBvK", "KNvK", "KPvK"]
    );
    assert_eq!(names(4).len(), 49);
    // Adjacent kings: the side to move captures at once; otherwise nobody wins.
    let folder = tempfile::tempdir().unwrap();
    make(game, folder.path(), &["KvK"], None);
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    let stats = stats(&tables, &Material::parse(game, "KvK").unwrap()).unwrap();
    let touching = 4 * 3 + 28 * 5 + 49 * 8;
    for colour in Colour::BOTH {
        let side = &stats.sides[colour.index()];
        assert_eq!((side.win, side.loss), (touching, 0));
        assert_eq!(side.draw, 81 * 80 - touching);
    }
}
