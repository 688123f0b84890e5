//! Tests tables of distances that store one side to move, against tables with both sides.
//!
//! The values of the other side are those that tables with both sides have, one at a time and all
//! together.

use std::ops::Range;
use std::path::PathBuf;

use retrograde_probe::format::Sides;
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack_to_bytes};
use retrograde_probe::{Metric, Table, Tablebase, Wdl, table_path, whole};
use retrograde_rules::{Colour, Game, Material, Position, Square};

fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

fn open(game: Game, material: &Material, metric: Metric) -> Table {
    Table::open(&table_path(&shipped(), game, material, metric)).unwrap()
}

/// A table of a material that has one side only, with the values of the one that ships.
fn one_sided(all: &Tablebase, material: &Material, metric: Metric, side: Colour) -> Table {
    let table = all.table(material, metric).unwrap().unwrap();
    let plan = TablePlan::new(all.game(), material, metric).unwrap();
    let order: Vec<_> = table.header().order.clone();
    let plan = plan.order(&order).unwrap().sides(Sides::Only(side));
    let values = whole::read_side(all, table, side, &|| false).unwrap();
    let fill = |turn: Colour, indices: Range<u64>, out: &mut [i16]| {
        assert_eq!(turn, side);
        out.copy_from_slice(&values[indices.start as usize..indices.end as usize]);
    };
    let options = PackOptions {
        level: 1,
        ..PackOptions::default()
    };
    let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
    Table::from_bytes(bytes).unwrap()
}

/// Compares the side that a table lacks; how many positions there were.
fn compare(game: Game, material: &Material, metric: Metric, stored: Colour) -> usize {
    let all = Tablebase::open(game, [shipped()]).unwrap();
    let mut tables = vec![one_sided(&all, material, metric, stored)];
    for (other, known) in all.tables() {
        if (other, known) != (*material, metric) {
            tables.push(open(game, &other, known));
        }
    }
    let half = Tablebase::from_tables(game, tables).unwrap();
    let table = half.table(material, metric).unwrap().unwrap();
    let missing = stored.other();
    assert!(table.get(missing, 0).is_err());
    let whole = all.table(material, metric).unwrap().unwrap();
    let expected = whole::read_side(&all, whole, missing, &|| false).unwrap();
    let wdl = all.table(material, Metric::Wdl).unwrap().unwrap();
    let before = whole::read_side(&half, table, missing, &|| false).unwrap();
    whole::prepare(&half, table, &|| false).unwrap();
    let after = whole::read_side(&half, table, missing, &|| false).unwrap();
    let mut squares = vec![Square(0); material.len()];
    let mut count = 0;
    for index in 0..table.header().positions {
        let place = index as usize;
        // Identical pieces may have more than one index; one of them counts.
        if !table.index().is_canonical(index) {
            continue;
        }
        table.index().decode(index, &mut squares);
        let pieces = material.pieces().zip(squares.iter().copied());
        let Some(position) = Position::from_pieces(game, pieces, missing) else {
            continue;
        };
        let about = || format!("{} {metric} {}", game.id(), position.fen());
        let is_draw = metric == Metric::Dtz && {
            let index = wdl.index().encode(&squares).unwrap();
            wdl.get(missing, index).unwrap() == 0
        };
        if !is_draw {
            assert_eq!(before[place], expected[place], "{}", about());
            assert_eq!(after[place], expected[place], "{}", about());
        }
        let values = [&half, &all].map(|tables| tables.value(&position).unwrap());
        assert_eq!(values[0], values[1], "{}", about());
        count += 1;
    }
    count
}

#[test]
fn the_side_that_is_missing_follows_from_the_other() {
    for (id, names) in [
        ("orthodox", &["KQvK", "KPvK"][..]),
        ("kings", &["KKvK", "KvKP"]),
        ("chess99", &["KRvK"]),
        ("king-of-the-hill", &["KNvK"]),
        ("extinction", &["KvKR"]),
    ] {
        let game = Game::parse(id).unwrap();
        for name in names {
            let material = Material::parse(game, name).unwrap().normal(game).0;
            for metric in [Metric::Dtm, Metric::Dtz] {
                if !Metric::of(game).contains(&metric) {
                    continue;
                }
                for stored in Colour::BOTH {
                    assert!(compare(game, &material, metric, stored) > 10_000);
                }
            }
        }
    }
}

/// Where both sides have the same pieces, each table may keep another side to move. Positions have
/// the values of tables with both sides, together and one by one.
#[test]
fn symmetric_tables_may_keep_different_sides() {
    let game = Game::parse("antichess").unwrap();
    let all = Tablebase::open(game, [shipped()]).unwrap();
    let material = Material::parse(game, "NvN").unwrap();
    let [first, second] = [0, 1].map(|n| material.pieces().nth(n).unwrap());
    let mut positions = Vec::new();
    for turn in Colour::BOTH {
        for a in game.geometry().all() {
            let placed = game.geometry().all().map(|b| [(first, a), (second, b)]);
            let placed = placed.filter_map(|pieces| Position::from_pieces(game, pieces, turn));
            positions.extend(placed);
        }
    }
    let expected = positions
        .iter()
        .map(|position| all.value(position).unwrap());
    let expected: Vec<_> = expected.collect();
    let metrics = Metric::of(game);
    for kept in 0..1 << metrics.len() {
        let own = metrics.iter().enumerate().map(|(n, &metric)| {
            let side = Colour::BOTH[kept >> n & 1];
            one_sided(&all, &material, metric, side)
        });
        let others = all.tables().filter(|(other, _)| *other != material);
        let others = others.map(|(other, metric)| open(game, &other, metric));
        let half = Tablebase::from_tables(game, own.chain(others)).unwrap();
        let together = half.probe_batch(&positions, metrics);
        for ((position, value), together) in positions.iter().zip(&expected).zip(together) {
            assert_eq!(together.unwrap(), *value, "{kept} {}", position.fen());
            assert_eq!(
                half.value(position).unwrap(),
                *value,
                "{kept} {}",
                position.fen()
            );
        }
        for position in positions.iter().step_by(61) {
            assert_eq!(half.moves(position).unwrap(), all.moves(position).unwrap());
        }
    }
}

/// WDL of one side and DTZ of the other would ask for each other without end.
#[test]
fn sides_that_ask_for_each_other_are_refused() {
    let game = Game::default();
    let all = Tablebase::open(game, [shipped()]).unwrap();
    let material = Material::parse(game, "KRvK").unwrap();
    let position = |turn| Position::from_fen(game, &format!("8/8/8/3k4/8/8/8/KR6 {turn} - -"));
    for side in Colour::BOTH {
        let tables = Tablebase::from_tables(
            game,
            [
                one_sided(&all, &material, Metric::Wdl, side),
                one_sided(&all, &material, Metric::Dtz, side.other()),
            ],
        )
        .unwrap();
        for turn in ["w", "b"] {
            let position = position(turn).unwrap();
            let stored = (position.turn() == side).then_some(());
            assert_eq!(tables.wdl(&position).ok().map(|_| ()), stored);
            // Lost positions ask for no other WDL value.
            assert!(
                tables.dtz(&position).is_err()
                    || tables.wdl(&position).is_ok_and(|wdl| wdl == Wdl::Loss)
            );
        }
    }
}

/// Compares DTZ with the values of the moves, for pawns on both sides with double steps that may be
/// answered en passant.
#[test]
fn dtz_of_the_missing_side_follows_from_the_moves() {
    let game = Game::default();
    let tables = Tablebase::open(game, [shipped()]).unwrap();
    let material = Material::parse(game, "KPvKP").unwrap();
    let table = tables.table(&material, Metric::Dtz).unwrap().unwrap();
    let missing = Colour::BOTH
        .into_iter()
        .find(|&turn| !table.header().sides().has(turn));
    let missing = missing.unwrap();
    let mut squares = vec![Square(0); material.len()];
    let (mut decided, mut rights) = (0, 0);
    for index in (0..table.header().positions).step_by(61) {
        table.index().decode(index, &mut squares);
        let pieces = material.pieces().zip(squares.iter().copied());
        let Some(position) = Position::from_pieces(game, pieces, missing) else {
            continue;
        };
        let value = tables.value(&position).unwrap();
        let Some(dtz) = value.dtz else { continue };
        let moves = tables.moves(&position).unwrap();
        rights += usize::from(moves.iter().any(|m| m.after.ep().is_some()));
        let plies = moves.iter().filter_map(|m| {
            let after = m.value.unwrap();
            let plies = if m.mv.is_zeroing() {
                1
            } else {
                after.dtz?.0 + 1
            };
            (after.wdl == value.wdl).then_some(plies)
        });
        let expected = match value.wdl.is_win() {
            true => plies.min(),
            false => plies.max(),
        };
        assert_eq!(dtz.0, expected.unwrap_or(0), "{}", position.fen());
        decided += 1;
    }
    assert!(decided > 1_000 && rights > 100, "{decided} {rights}");
}
