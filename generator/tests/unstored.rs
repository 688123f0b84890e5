//! Tests the unstored side to move, worked out for all positions at once by the solver.
//!
//! It is compared with what tables with both sides have, or a search of each position.

use std::ops::Range;
use std::path::PathBuf;

use retrograde::unstored::{prepare, unstored_side};
use retrograde_probe::format::Sides;
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack_to_bytes};
use retrograde_probe::{Metric, Table, Tablebase, score, table_path, whole};
use retrograde_rules::{Colour, Game, Material, Position, Square};
use retrograde_solve::successors;

fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

/// A table with the values of a shipped one that has one side to move only.
fn one_sided(all: &Tablebase, whole: &Table, side: Colour) -> Table {
    let header = whole.header();
    let plan = TablePlan::new(header.game, &header.material, header.metric).unwrap();
    let plan = plan.order(&header.order).unwrap().sides(Sides::Only(side));
    let values = whole::read_side(all, whole, side, &|| false).unwrap();
    let fill = |_: Colour, indices: Range<u64>, out: &mut [i16]| {
        out.copy_from_slice(&values[indices.start as usize..indices.end as usize]);
    };
    let options = PackOptions::default();
    Table::from_bytes(pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap()).unwrap()
}

/// Whether each index stands for a position, and is the first of those that are the same.
fn positions(table: &Table, turn: Colour) -> impl Fn(u64) -> bool {
    let (game, material, index) = (table.header().game, table.header().material, table.index());
    move |number| {
        let mut squares = vec![Square(0); index.pieces()];
        let pieces = material.pieces();
        index.decode(number, &mut squares)
            && index.is_canonical(number)
            && Position::from_pieces(game, pieces.zip(squares.iter().copied()), turn).is_some()
    }
}

/// Compares a three-man table of which one side is left out; whether the solver could tell. Of
/// distances to mate, successors have only the side that it has not.
fn compare(game: Game, name: &str, metric: Metric, stored: Colour) -> bool {
    let material = Material::parse(game, name).unwrap().normal(game).0;
    let all = Tablebase::open(game, [shipped()]).unwrap();
    let whole = all.table(&material, metric).unwrap().unwrap();
    let mut tables = vec![one_sided(&all, whole, stored)];
    let others = successors(game, &material).into_iter().chain([material]);
    for other in others.filter(|other| !game.needs_no_table(other)) {
        for &of_other in Metric::of(game) {
            if (other, of_other) == (material, metric) {
                continue;
            }
            let whole = all.table(&other, of_other).unwrap().unwrap();
            tables.push(match of_other == Metric::Dtm && !other.is_symmetric(game) {
                true => one_sided(&all, whole, stored.other()),
                false => Table::open(&table_path(&shipped(), game, &other, of_other)).unwrap(),
            });
        }
    }
    let half = Tablebase::from_tables(game, tables).unwrap();
    whole::load(&half, &material, Metric::Wdl, &Colour::BOTH, &|| false).unwrap();
    let table = half.table(&material, metric).unwrap().unwrap();
    prepare(&half, table, &|| false).unwrap();
    let turn = stored.other();
    let Some(values) = unstored_side(&half, table, turn).unwrap() else {
        return false;
    };
    let expected = whole::read_side(&all, whole, turn, &|| false).unwrap();
    let wdl = all.table(&material, Metric::Wdl).unwrap().unwrap();
    let is_position = positions(table, turn);
    let mut squares = vec![Square(0); material.len()];
    for (index, (value, expected)) in (0..).zip(values.into_iter().zip(expected)) {
        table.index().decode(index, &mut squares);
        let at = wdl.index().encode(&squares).unwrap();
        // Whatever a draw has as DTZ means nothing.
        let is_draw = metric == Metric::Dtz && wdl.get(turn, at).unwrap() == score::DRAW;
        if value != expected && !is_draw && is_position(index) {
            panic!(
                "{} {name}.{metric} {turn:?} {index}: {value} {expected}",
                game.id()
            );
        }
    }
    true
}

#[test]
fn three_men() {
    for (id, names, is_told) in [
        ("orthodox", &["KQvK", "KPvK", "KNvK"][..], true),
        // A king on the hill has won: the other side does not move any more.
        ("king-of-the-hill", &["KNvK", "KPvK"], true),
        ("extinction", &["KvKR"], true),
        ("kings", &["KRvK"], true),
        // Of two equal kings, and where all pieces capture en passant, the solver cannot tell.
        ("chess99", &["KRvK"], false),
        ("kings", &["KKvK"], false),
    ] {
        let game = Game::parse(id).unwrap();
        for name in names {
            for &metric in Metric::of(game).iter().filter(|&&m| m != Metric::Wdl) {
                for stored in Colour::BOTH {
                    let told = compare(game, name, metric, stored);
                    assert_eq!(told, is_told, "{id} {name} {metric} {stored:?}");
                }
            }
        }
    }
}

/// Compares a four-man table that ships with one side, and what reading gives when it is not
/// prepared: at one index in `step`.
fn compare_shipped(name: &str, step: usize) {
    let game = Game::default();
    let [tables, plain] = [(); 2].map(|()| Tablebase::open(game, [shipped()]).unwrap());
    let material = Material::parse(game, name).unwrap().normal(game).0;
    let table = tables.table(&material, Metric::Dtz).unwrap().unwrap();
    let mut turns = Colour::BOTH.into_iter();
    let turn = turns
        .find(|&turn| table.header().section(turn).is_none())
        .unwrap();
    whole::prepare(&tables, table, &|| false).unwrap();
    let values = unstored_side(&tables, table, turn).unwrap().unwrap();
    prepare(&tables, table, &|| false).unwrap();
    let is_position = positions(table, turn);
    let plain_table = plain.table(&material, Metric::Dtz).unwrap().unwrap();
    let (mut read, mut seen) = ([0], 0);
    for index in (0..values.len())
        .step_by(step)
        .filter(|&i| is_position(i as u64))
    {
        plain
            .read_range(plain_table, turn, index as u64, &mut read)
            .unwrap();
        assert_eq!(values[index], read[0], "{name} {index}");
        tables
            .read_range(table, turn, index as u64, &mut read)
            .unwrap();
        assert_eq!(values[index], read[0], "{name} {index}, prepared");
        seen += i32::from(read[0] > 1);
    }
    assert!(seen > 1000, "{name}: {seen}");
}

#[test]
fn four_men() {
    compare_shipped("KRvKB", 37);
    compare_shipped("KNvKP", 97);
}

/// Double steps may be answered en passant, and the values of the missing side are those of the
/// other with colours swapped.
#[test]
fn pawns_on_both_sides() {
    compare_shipped("KPvKP", 97);
}
