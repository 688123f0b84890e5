//! Solves small materials plainly, so that the tests of probing have true tables to read.

#![allow(
    unreachable_pub,
    dead_code,
    clippy::unwrap_used,
    reason = "a module of tests, of which not every one needs everything"
)]

use std::collections::HashMap;

use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack_to_bytes};
use retrograde_probe::{Metric, Table, Tablebase, Value, score};
use retrograde_rules::{Colour, End, Game, Material, Move, Position, Square};

use super::{material, plan};

/// The destination of a move: an index of this material, or a known value.
enum Next {
    Here(Colour, u64),
    There(i16),
}

/// The depths of a material, both sides to move.
pub fn solve(name: &str, smaller: &Tablebase) -> [Vec<i16>; 2] {
    let game = Game::default();
    let plan = plan(name, Metric::Dtm);
    let index = plan.index();
    let material = material(name);
    let pieces: Vec<_> = material.pieces().collect();
    let mut values = [(); 2].map(|()| vec![score::DONT_CARE; index.len() as usize]);
    let mut open: HashMap<(Colour, u64), Vec<Next>> = HashMap::new();
    for turn in Colour::BOTH {
        for idx in 0..index.len() {
            let mut squares = vec![Square(0); pieces.len()];
            assert!(index.decode(idx, &mut squares));
            let placed = pieces.iter().copied().zip(squares);
            let Some(position) = Position::from_pieces(game, placed, turn) else {
                continue;
            };
            let value = &mut values[turn.index()][idx as usize];
            *value = score::DRAW;
            if position.end() == Some(End::Checkmate) {
                *value = score::loss(0);
            }
            let next = |&mv: &Move| {
                let after = position.play(mv);
                if after.material() == material && after.ep().is_none() {
                    let squares: Vec<Square> = piece_squares(&material, &after);
                    Next::Here(after.turn(), index.encode(&squares).unwrap())
                } else {
                    Next::There(score_of(smaller.value(&after).unwrap()))
                }
            };
            let moves: Vec<Next> = position.legal_moves().iter().map(next).collect();
            if !moves.is_empty() {
                open.insert((turn, idx), moves);
            }
        }
    }
    // Depths in ascending order: what is worked out from shorter ones only
    // stays as it is.
    let mut depth = 0;
    let mut idle = 0;
    while idle < 40 {
        depth += 1;
        let mut found = Vec::new();
        for (&(turn, idx), moves) in &open {
            let values = |next: &Next| match *next {
                Next::Here(turn, idx) => values[turn.index()][idx as usize],
                Next::There(value) => value,
            };
            let all: Vec<Option<u32>> = moves.iter().map(|m| score::plies(values(m))).collect();
            let lost = |(m, plies): (&Next, &Option<u32>)| {
                values(m) < 0 && plies.is_some_and(|p| p + 1 == depth)
            };
            let won = |m: &Next| values(m) > 0;
            if moves.iter().zip(&all).any(lost) {
                found.push((turn, idx, score::win(depth)));
            } else if moves.iter().all(won) && all.iter().max() == Some(&Some(depth - 1)) {
                found.push((turn, idx, score::loss(depth)));
            }
        }
        idle = if found.is_empty() { idle + 1 } else { 0 };
        for (turn, idx, value) in found {
            values[turn.index()][idx as usize] = value;
            open.remove(&(turn, idx));
        }
    }
    values
}

fn piece_squares(material: &Material, position: &Position) -> Vec<Square> {
    let mut piece_types: Vec<_> = material.pieces().collect();
    piece_types.dedup();
    let board = position.board();
    piece_types
        .into_iter()
        .flat_map(|piece| board.of(piece))
        .collect()
}

fn score_of(value: Value) -> i16 {
    use retrograde_probe::Dtm;
    use retrograde_probe::Wdl::{Loss, Win};
    match (value.wdl, value.dtm) {
        (Win, Some(Dtm(plies))) => score::win(plies),
        (Loss, Some(Dtm(plies))) => score::loss(plies),
        _ => score::DRAW,
    }
}

/// The bytes of a table with these depths, or with the results of them.
pub fn bytes(plan: &TablePlan, metric: Metric, values: &[Vec<i16>; 2]) -> Vec<u8> {
    let options = PackOptions {
        level: 3,
        ..PackOptions::default()
    };
    let fill = |turn: Colour, indices: std::ops::Range<u64>, out: &mut [i16]| {
        let (start, end) = (indices.start as usize, indices.end as usize);
        out.copy_from_slice(&values[turn.index()][start..end]);
        if metric == Metric::Wdl {
            for value in out.iter_mut().filter(|v| **v != score::DONT_CARE) {
                *value = value.signum();
            }
        }
    };
    pack_to_bytes(plan, &options, Watch::default(), fill).unwrap()
}

/// The bytes of all tables of three pieces: material, metric, bytes. They are
/// solved once for all tests of a program.
pub fn three_pieces() -> &'static [(Material, Metric, Vec<u8>)] {
    static TABLES: std::sync::OnceLock<Vec<(Material, Metric, Vec<u8>)>> =
        std::sync::OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables: Vec<(Material, Metric, Vec<u8>)> = Vec::new();
        for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
            let values = solve(name, &tablebase(&tables, Metric::Dtm));
            for metric in [Metric::Wdl, Metric::Dtm] {
                let bytes = bytes(&plan(name, metric), metric, &values);
                tables.push((material(name), metric, bytes));
            }
        }
        tables
    })
}

/// A tablebase in memory of the tables of one metric.
pub fn tablebase(tables: &[(Material, Metric, Vec<u8>)], metric: Metric) -> Tablebase {
    let tables = tables
        .iter()
        .filter(|t| t.1 == metric)
        .map(|t| Table::from_bytes(t.2.as_slice()).unwrap());
    Tablebase::from_tables(Game::default(), tables).unwrap()
}
