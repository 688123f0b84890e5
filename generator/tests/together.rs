//! Tests that many positions probed at once have the values that each has alone.

use std::fs;

use crate::common::make;
use crate::packing::{packed, packed_with, positions};
use retrograde::packing::Packing;
use retrograde_probe::{Metric, Tablebase, table_path};
use retrograde_rules::{Game, Material, Position};

/// Many positions at once have the values, and the errors, that each has by itself.
#[test]
fn many_positions_at_once() {
    let game = Game::default();
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(game, fast, &["KPvK", "KRvK"], None);
    packed(game, &materials, fast, small, Packing::Small);
    let mut all = Vec::new();
    for name in ["KPvK", "KRvK"] {
        let some = positions(game, &Material::parse(game, name).unwrap());
        all.extend(some.into_iter().step_by(997));
    }
    // With colours swapped; no table; bare kings; castling; e.p.; over; not the game.
    for fen in [
        "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/4KB1B w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1",
        "4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        "7k/7R/6K1/8/8/8/8/8 b - - 9 50",
    ] {
        all.insert(all.len() / 2, Position::from_fen(game, fen).unwrap());
    }
    let other = Game::parse("kings").unwrap();
    all.push(Position::from_fen(other, "4k3/8/8/8/8/8/8/4KR2 w - - 0 1").unwrap());
    for damaged in [false, true] {
        if damaged {
            let material = Material::parse(game, "KRvK").unwrap();
            let path = table_path(small, game, &material, Metric::Dtm);
            let mut bytes = fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle..].fill(0x5A);
            fs::write(&path, bytes).unwrap();
        }
        let tables = Tablebase::open(game, [small]).unwrap();
        let errors = tables.probe_batch(&all, Metric::of(game)).into_iter();
        let errors = errors.filter(Result::is_err).count();
        assert!(errors >= if damaged { 50 } else { 3 }, "{errors} errors");
        for wanted in [&[][..], &[Metric::Dtm], &[Metric::Dtz], Metric::of(game)] {
            check_batch(&tables, wanted, &all);
        }
    }
    assert!(
        Tablebase::open(game, [small])
            .unwrap()
            .probe_batch(&[], Metric::of(game))
            .is_empty()
    );
}

/// More than are looked up side by side, so that others come after them in the same room.
#[test]
fn many_positions_of_which_both_sides_are_stored() {
    let game = Game::default();
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [fast, small] = folders.each_ref().map(tempfile::TempDir::path);
    let materials = make(game, fast, &["KRvK"], None);
    packed_with(game, &materials, [fast, small], Packing::Small, true);
    let [before, after] = [fast, small].map(|folder| Tablebase::open(game, [folder]).unwrap());
    let all = positions(game, &Material::parse(game, "KRvK").unwrap());
    for (position, together) in all.iter().zip(after.probe_batch(&all, Metric::of(game))) {
        let value = before.value(position).unwrap();
        assert_eq!(together.unwrap(), value, "{}", position.fen());
    }
}

/// Compares results, and the distances that are wanted, with those of single probes.
fn check_batch(tables: &Tablebase, wanted: &[Metric], all: &[Position]) {
    for (position, value) in all.iter().zip(tables.probe_batch(all, wanted)) {
        let position = position.with_halfmoves(0);
        let has = |metric| wanted.contains(&metric);
        let alone = tables.wdl(&position).and_then(|wdl| {
            let dtm = has(Metric::Dtm).then(|| tables.dtm(&position));
            let dtz = has(Metric::Dtz).then(|| tables.dtz(&position));
            Ok((wdl, dtm.transpose()?.flatten(), dtz.transpose()?.flatten()))
        });
        let together = value.map(|value| (value.wdl, value.dtm, value.dtz));
        let text = |found| format!("{found:?}");
        assert_eq!(text(together), text(alone), "{wanted:?} {}", position.fen());
    }
}
