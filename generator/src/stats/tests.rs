//! Tests statistics against a count of every placement by the rules.

use std::collections::HashMap;
use std::sync::Arc;

use retrograde_probe::format::Sides;
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack_to_bytes};
use retrograde_probe::{Dtm, Index, Metric, Table, score};
use retrograde_rules::{Colour, Piece, Position, Square, Transform};

use super::*;
use crate::plan::Plan;
use retrograde_solve::{Count, Successor, solve, successors};

fn material(name: &str) -> Material {
    Material::parse(Game::default(), name).unwrap()
}

/// The statistics that the files keep, which must be those of a count.
fn stats(tables: &Tablebase, material: &Material) -> Result<Stats, ValuesError> {
    let stats = super::stats(tables, material);
    match (&stats, recount(tables, material)) {
        (Ok(stats), counted) => assert_eq!(*stats, counted?),
        (Err(error), counted) => assert_eq!(error.to_string(), counted.unwrap_err().to_string()),
    }
    stats
}

/// The tables of a material and of all that it needs, solved and packed in memory.
fn tables(name: &str, metric: Metric, sides: Sides) -> Tablebase {
    let plan = Plan::new(Game::default(), &[material(name)], None).unwrap();
    let mut depths = HashMap::new();
    let tables: Vec<Table> = plan
        .tables()
        .iter()
        .map(|planned| {
            let material = planned.material;
            let smaller: HashMap<_, _> = successors(Game::default(), &material)
                .into_iter()
                .map(|exit| {
                    let smaller = match depths.get(&exit) {
                        Some(depths) => {
                            let index = Index::new(Game::default(), &exit).unwrap();
                            Successor::new(Game::default(), &index, depths)
                        }
                        None => Successor::drawn(Game::default(), &exit),
                    };
                    (exit, Arc::new(smaller.unwrap()))
                })
                .collect();
            let solution = solve(Game::default(), &material, Count::ToMate, &|m| {
                smaller.get(m).cloned()
            })
            .unwrap();
            let reader = solution.depths(solution.index());
            let all = Colour::BOTH.map(|turn| {
                let mut out = vec![0; solution.index().len() as usize];
                reader.fill(turn, 0..solution.index().len(), &mut out);
                out
            });
            depths.insert(material, all);
            let plan = TablePlan::new(Game::default(), &material, metric)
                .unwrap()
                .sides(sides);
            let options = PackOptions {
                level: 1,
                ..PackOptions::default()
            };
            let bytes = pack_to_bytes(&plan, &options, Watch::default(), |turn, range, out| {
                reader.fill(turn, range, out);
                if metric == Metric::Wdl {
                    for value in out.iter_mut().filter(|v| **v != score::DONT_CARE) {
                        *value = value.signum();
                    }
                }
            });
            Table::from_bytes(bytes.unwrap()).unwrap()
        })
        .collect();
    Tablebase::from_tables(Game::default(), tables).unwrap()
}

/// Counts one side by trying every square for every piece, identical pieces in
/// ascending order.
fn brute_force(tables: &Tablebase, material: &Material, turn: Colour) -> SideStats {
    let pieces: Vec<Piece> = material.pieces().collect();
    let mut tally = Tally::default();
    let mut placements: Vec<Vec<Square>> = vec![Vec::new()];
    for place in 0..pieces.len() {
        placements = placements
            .into_iter()
            .flat_map(|before| {
                let equal = place > 0 && pieces[place] == pieces[place - 1];
                let last = before.last().copied();
                Game::default()
                    .geometry()
                    .all()
                    .filter(move |&s| !equal || last.is_none_or(|last| s > last))
                    .map(move |s| [before.clone(), vec![s]].concat())
            })
            .collect();
    }
    for squares in placements {
        let pieces = pieces.iter().copied().zip(squares);
        if let Some(position) = Position::from_pieces(Game::default(), pieces, turn) {
            tally.add(0, 1, tables.value(&position).unwrap());
        }
    }
    tally.into_stats(Game::default().zeroing_limit(), false)
}

#[test]
fn counts_are_those_of_the_whole_board() {
    for name in ["KQvK", "KNvK", "KPvK"] {
        let material = material(name);
        let tables = tables(name, Metric::Dtm, Sides::Both);
        let stats = stats(&tables, &material).unwrap();
        for turn in Colour::BOTH {
            let side = &stats.sides[turn.index()];
            let counted = SideStats {
                longest_fens: side.longest_fens.clone(),
                ..brute_force(&tables, &material, turn)
            };
            assert_eq!(*side, counted, "{name}, {} to move", turn.name());
            assert_eq!(side.positions, side.win + side.draw + side.loss);
            assert_eq!(side.win_plies.values().sum::<u64>(), side.win);
            assert_eq!(side.loss_plies.values().sum::<u64>(), side.loss);
        }
    }
}

#[test]
fn equal_pieces_are_not_told_apart() {
    let material = material("KNNvK");
    let tables = tables("KNNvK", Metric::Dtm, Sides::Both);
    let side = &stats(&tables, &material).unwrap().sides[0];
    assert_eq!(side.positions, {
        brute_force(&tables, &material, Colour::White).positions
    });
}

#[test]
fn known_longest_wins() {
    for (name, white_wins, black_loses) in [("KQvK", 19, 20), ("KRvK", 31, 32), ("KPvK", 55, 56)] {
        let tables = tables(name, Metric::Dtm, Sides::Both);
        let [white, black] = stats(&tables, &material(name)).unwrap().sides;
        assert_eq!(white.longest_win(), Some(white_wins), "{name}");
        assert_eq!(black.longest_loss(), Some(black_loses), "{name}");
        assert_eq!(white.longest_loss(), None);
        assert_eq!(black.longest_win(), None);
        for (fens, plies) in [
            (&white.longest_fens, white_wins),
            (&black.longest_fens, black_loses),
        ] {
            assert!((1..=LONGEST_LISTED).contains(&fens.len()));
            for fen in fens {
                let position = Position::from_fen(Game::default(), fen).unwrap();
                assert_eq!(tables.value(&position).unwrap().dtm, Some(Dtm(plies)));
            }
        }
    }
}

#[test]
fn one_stored_side_is_enough() {
    let material = material("KPvK");
    let both = stats(&tables("KPvK", Metric::Dtm, Sides::Both), &material).unwrap();
    for turn in Colour::BOTH {
        let one = tables("KPvK", Metric::Dtm, Sides::Only(turn));
        assert_eq!(stats(&one, &material).unwrap(), both);
    }
}

#[test]
fn wdl_alone_is_counted_without_plies() {
    let material = material("KPvK");
    let both = stats(&tables("KPvK", Metric::Dtm, Sides::Both), &material).unwrap();
    let wdl = tables("KPvK", Metric::Wdl, Sides::Both);
    for (side, with_depth) in stats(&wdl, &material)
        .unwrap()
        .sides
        .into_iter()
        .zip(both.sides)
    {
        let without = SideStats {
            win_plies: BTreeMap::new(),
            loss_plies: BTreeMap::new(),
            longest_fens: Vec::new(),
            ..with_depth
        };
        assert_eq!(side, without);
    }
}

#[test]
fn two_kings_are_drawn_and_other_tables_are_missing() {
    let none = Tablebase::from_tables(Game::default(), []).unwrap();
    let bare = stats(&none, &Material::parse(Game::default(), "KvK").unwrap()).unwrap();
    for side in &bare.sides {
        assert_eq!((side.positions, side.draw), (3612, 3612));
    }
    let missing = stats(&none, &material("KRvKQ")).unwrap_err();
    let text = "the table KQvKR of orthodox is missing";
    assert_eq!(missing.to_string(), text);
}

/// Mutual zugzwangs by trying every placement with either side to move.
#[test]
fn mutual_zugzwangs_are_those_of_the_whole_board() {
    for name in ["KPvK", "KNvK"] {
        let material = material(name);
        let tables = tables(name, Metric::Dtm, Sides::Both);
        let found = stats(&tables, &material).unwrap().zugzwangs;
        let pieces: Vec<Piece> = material.pieces().collect();
        let category = |squares: &[Square], turn| {
            let pieces = pieces.iter().copied().zip(squares.iter().copied());
            let position = Position::from_pieces(Game::default(), pieces, turn)?;
            Some(tables.value(&position).unwrap().wdl)
        };
        // Left and right alone may be swapped in KPvK; KNvK has none.
        let mirrored = |square| {
            Game::default()
                .geometry()
                .apply(Transform::FLIP_FILES, square)
        };
        let (mut positions, mut up_to_symmetry) = (0, 0);
        for white in Game::default().geometry().all() {
            for third in Game::default().geometry().all() {
                for black in Game::default().geometry().all() {
                    let squares = [white, third, black];
                    let sides = Colour::BOTH.map(|turn| category(&squares, turn));
                    // White draws on the move and wins if Black is on it.
                    if sides == [Some(Wdl::Draw), Some(Wdl::Loss)] {
                        positions += 1;
                        up_to_symmetry += u64::from(squares <= squares.map(mirrored));
                    }
                }
            }
        }
        assert_eq!(found.positions, positions, "{name}");
        assert_eq!(found.up_to_symmetry, up_to_symmetry, "{name}");
        assert_eq!(found.full_point, 0, "{name}");
        assert_eq!(found.fens.is_empty(), positions == 0, "{name}");
        for fen in &found.fens {
            let position = Position::from_fen(Game::default(), fen).unwrap();
            let value = tables.value(&position).unwrap();
            assert_eq!(value.wdl, Wdl::Draw, "{fen}");
            let black = Position::from_fen(Game::default(), &fen.replace(" w ", " b ")).unwrap();
            let value = tables.value(&black).unwrap();
            assert_eq!(value.wdl, Wdl::Loss, "{fen}");
        }
    }
}

/// Counts up to symmetry that have been known for long, such as the 80 of KPvK.
#[test]
fn mutual_zugzwangs_are_as_many_as_known() {
    for (name, count) in [("KPvK", 80), ("KRvKB", 5), ("KRvKN", 18)] {
        let tables = tables(name, Metric::Dtm, Sides::Both);
        let found = stats(&tables, &material(name)).unwrap().zugzwangs;
        assert_eq!(found.up_to_symmetry, count, "{name}");
        assert_eq!(found.full_point, 0, "{name}");
    }
}
