//! Tests probes of true tables of three pieces, which a plain solver made.

use crate::common::solver::{tablebase, three_pieces};
use crate::common::{hash, material, plan};
use retrograde_probe::format::Sides;
use retrograde_probe::write::{PackOptions, Watch, pack, pack_to_bytes};
use retrograde_probe::{
    Dtm, Facts, Metric, MoveAnswer, ProbeError, Table, Tablebase, Value, Wdl, score, table_path,
};
use retrograde_rules::{Colour, End, Game, Position, Setup, SquareSet};

fn read(fen: &str) -> Position {
    Position::from_fen(Game::default(), fen).unwrap()
}

fn depth_tables() -> Tablebase {
    tablebase(three_pieces(), Metric::Dtm)
}

/// The position with colours swapped.
fn swapped(position: &Position) -> Position {
    let setup: Setup = position.setup().mirrored(Game::default().geometry());
    Position::new(Game::default(), &setup).unwrap()
}

fn dtm(answer: &MoveAnswer) -> Option<Dtm> {
    answer.value.and_then(|value| value.dtm)
}

/// A fork attacks two of several royal pieces (E2).
#[test]
fn attacked_royals_are_named() {
    let game: Game = "extinction-mating".parse().unwrap();
    let attacked = |fen: &str| {
        let facts = Facts::of(&Position::from_fen(game, fen).unwrap());
        let names = |squares: SquareSet| -> Vec<String> {
            let names = squares
                .into_iter()
                .map(|square| game.geometry().name(square));
            names.collect()
        };
        facts.attacked_royals.unwrap().map(names)
    };
    let [white, black] = attacked("8/5p2/8/8/r7/8/6p1/3Q3k b - -");
    assert!(white.is_empty(), "{white:?}");
    assert_eq!(black, ["h1", "a4"]);
    assert_eq!(
        attacked("8/8/8/4k3/8/8/8/K2Q4 w - -"),
        [vec![], vec![]] as [Vec<String>; 2]
    );
    assert!(
        Facts::of(&read("8/8/8/3k4/8/8/8/K2Q4 b - -"))
            .attacked_royals
            .is_none()
    );
}

#[test]
fn tablebases_are_shared_among_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Tablebase>();
    shared::<Table>();
    shared::<ProbeError>();
}

#[test]
fn longest_wins_are_the_known_ones() {
    for (name, most) in [("KQvK", 10), ("KRvK", 16), ("KPvK", 28)] {
        let tables = depth_tables();
        let table = tables.table(&material(name), Metric::Dtm).unwrap();
        let palette = &table
            .unwrap()
            .header()
            .section(Colour::White)
            .unwrap()
            .palette;
        let longest = palette.iter().copied().max().unwrap();
        assert_eq!(
            u32::from(longest.unsigned_abs()).div_ceil(2),
            most,
            "{name}"
        );
    }
}

#[test]
fn answers_in_full() {
    let tables = depth_tables();
    for (fen, category, depth, check, end) in [
        (
            "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
            Wdl::Win,
            Some(1),
            false,
            None,
        ),
        (
            "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1",
            Wdl::Loss,
            Some(0),
            true,
            Some(End::Checkmate),
        ),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            Wdl::Draw,
            None,
            false,
            Some(End::Stalemate { winner: None }),
        ),
        ("8/8/8/8/8/8/8/K1kQ4 b - - 0 1", Wdl::Draw, None, true, None),
        ("k7/8/8/8/8/8/8/KB6 w - - 0 1", Wdl::Draw, None, false, None),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", Wdl::Draw, None, false, None),
    ] {
        let position = read(fen);
        for (position, white) in [(position, true), (swapped(&position), false)] {
            let answer = tables.probe(&position).unwrap();
            let turn = position.turn();
            assert_eq!(answer.value.wdl, category, "{fen}");
            assert_eq!(answer.value.dtm, depth.map(Dtm), "{fen}");
            assert_eq!(answer.value.winner(turn), category.winner(turn));
            assert_eq!(answer.value.dtz, None);
            assert_eq!(answer.facts.check, check);
            assert_eq!(answer.facts.end, end);
            assert_eq!(answer.facts.checkmate, end == Some(End::Checkmate));
            assert_eq!(
                answer.facts.stalemate,
                end == Some(End::Stalemate { winner: None })
            );
            let few =
                answer.facts.material.len() == 2 || answer.facts.material.to_string() == "KBvK";
            assert_eq!(answer.facts.dead, Some(few));
            assert!(answer.facts.material.is_normal(Game::default()));
            if few {
                assert_eq!(white, position.turn() == Colour::White);
            }
        }
    }
}

#[test]
fn all_symmetries_have_one_value() {
    let tables = depth_tables();
    let board = Game::default().geometry();
    for seed in 0..2000 {
        let name = ["KQvK", "KRvK", "KPvK"][seed as usize % 3];
        let material = material(name);
        let squares = [0, 8, 16].map(|shift| hash(seed, 1) >> shift & 63);
        let turn = Colour::BOTH[seed as usize / 3 % 2];
        let place = |t| {
            let squares = squares.map(|s| board.apply(t, retrograde_rules::Square(s as u8)));
            let pieces = material.pieces().zip(squares);
            Position::from_pieces(Game::default(), pieces, turn)
        };
        let mut values = Vec::new();
        for t in retrograde_rules::Transform::ALL {
            if name == "KPvK" && t.index() > 1 {
                break;
            }
            if let Some(position) = place(t) {
                values.push(tables.value(&position).unwrap());
                values.push(tables.value(&swapped(&position)).unwrap());
            }
        }
        assert!(values.windows(2).all(|w| w[0] == w[1]), "{values:?}");
    }
}

#[test]
fn moves_are_in_order_and_lines_end() {
    let tables = depth_tables();
    let results = tablebase(three_pieces(), Metric::Wdl);
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/8/8/8/3k4/8/8/KR6 b - - 0 1",
        "8/4P3/8/3k4/8/8/8/K7 w - - 0 1",
        "7K/8/k1p5/8/8/8/8/8 b - - 0 1",
        "k7/8/8/8/8/8/3p4/7K w - - 0 1",
        "8/8/8/3k4/8/3K4/4P3/8 w - - 0 1",
    ] {
        let position = read(fen);
        let answer = tables.probe(&position).unwrap();
        let moves = tables.moves(&position).unwrap();
        assert_eq!(moves.len(), position.legal_moves().len());
        for pair in moves.windows(2) {
            let (a, b) = (&pair[0], &pair[1]);
            assert!(a.wdl() <= b.wdl());
            if a.wdl() == b.wdl() {
                let (x, y) = (dtm(a), dtm(b));
                let best_first = match a.wdl() {
                    Some(Wdl::Win) => x <= y,
                    Some(Wdl::Loss) => x >= y,
                    _ => (x, y) == (None, None),
                };
                assert!(best_first, "{fen}: {} {}", a.uci, b.uci);
                assert!(x != y || a.uci < b.uci);
            }
        }
        let best = &moves[0];
        assert_eq!(best.wdl(), Some(answer.value.wdl));
        assert_eq!(dtm(best).map(|Dtm(d)| Dtm(d + 1)), answer.value.dtm);
        assert_eq!(best.winner(), answer.value.winner(position.turn()));

        let line = tables.line(&position).unwrap();
        assert_eq!(
            line.moves.len() as u32,
            answer.value.dtm.map_or(0, u32::from)
        );
        if answer.value.wdl == Wdl::Draw {
            assert_eq!(line.end, None);
        } else {
            assert_eq!(line.moves[0], best.mv);
            assert_eq!(line.end, Some(End::Checkmate));
            let error = results.line(&position).unwrap_err();
            assert!(error.to_string().contains("the dtm table"), "{error}");
        }
        let result = results.probe(&position).unwrap();
        assert_eq!(
            (result.value.wdl, result.value.dtm),
            (answer.value.wdl, None)
        );
    }
    let mate = read("7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    let moves = tables.moves(&mate).unwrap();
    assert_eq!(moves[0].uci, "g6g7");
    assert_eq!(
        (dtm(&moves[0]), moves[0].end),
        (Some(Dtm(0)), Some(End::Checkmate))
    );
    let stalemates = moves
        .iter()
        .filter(|m| m.end == Some(End::Stalemate { winner: None }));
    assert!(stalemates.clone().count() > 0);
    for m in stalemates {
        assert_eq!(m.value, Some(Value::DRAW));
    }
}

/// A side that is not stored is worked out from the other, and from successors, which need not
/// store the side that is asked for, either.
#[test]
fn one_side_is_enough() {
    let full = depth_tables();
    for (side, of_others) in [
        (Colour::White, Colour::White),
        (Colour::White, Colour::Black),
        (Colour::Black, Colour::White),
        (Colour::Black, Colour::Black),
    ] {
        let tables = three_pieces()
            .iter()
            .filter(|t| t.1 == Metric::Dtm)
            .map(|t| {
                let whole = Table::from_bytes(t.2.as_slice()).unwrap();
                let fill = |turn: Colour, indices: std::ops::Range<u64>, values: &mut [i16]| {
                    whole.read(turn, indices.start, values).unwrap();
                };
                let name = t.0.to_string();
                let stored = if name == "KPvK" { side } else { of_others };
                let plan = plan(&name, Metric::Dtm).sides(Sides::Only(stored));
                let options = PackOptions {
                    level: 1,
                    ..PackOptions::default()
                };
                let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
                Table::from_bytes(bytes).unwrap()
            });
        let half = Tablebase::from_tables(Game::default(), tables).unwrap();
        for index in (0..full_len()).step_by(13) {
            for turn in Colour::BOTH {
                let table = full.table(&material("KPvK"), Metric::Dtm).unwrap().unwrap();
                let mut squares = [retrograde_rules::Square(0); 3];
                table.index().decode(index, &mut squares);
                let pieces = material("KPvK");
                if let Some(p) =
                    Position::from_pieces(Game::default(), pieces.pieces().zip(squares), turn)
                {
                    assert_eq!(half.value(&p).unwrap(), full.value(&p).unwrap());
                }
            }
        }
    }
}

fn full_len() -> u64 {
    1806 * 48
}

/// The value of a position with an e.p. right is the best of its moves.
#[test]
fn en_passant_is_exact() {
    // Any values do: what counts is which of them are asked for.
    let noise = |name: &str| {
        let fill = |turn: Colour, indices: std::ops::Range<u64>, values: &mut [i16]| {
            for (index, value) in indices.zip(values) {
                *value = (hash(turn.index() as u64, index) % 41) as i16 - 20;
            }
        };
        let options = PackOptions {
            level: 1,
            ..PackOptions::default()
        };
        let plan = plan(name, Metric::Dtm);
        let bytes = pack_to_bytes(&plan, &options, Watch::default(), fill).unwrap();
        Table::from_bytes(bytes).unwrap()
    };
    let names = ["KPvK", "KPvKP", "KQvK", "KPPvK"];
    let tables = Tablebase::from_tables(Game::default(), names.map(noise)).unwrap();
    let mut captures = 0;
    for fen in [
        "8/8/8/8/3Pp3/8/8/k1K5 b - d3 0 1",
        "8/8/8/1k6/3Pp3/8/8/2K5 b - d3 0 1",
        "8/8/8/2Pp4/8/8/8/k1K5 w - d6 0 1",
        "8/8/8/6pP/8/8/8/k6K w - g6 0 1",
    ] {
        let position = read(fen);
        assert!(position.ep().is_some());
        let moves = tables.moves(&position).unwrap();
        captures += moves.iter().filter(|m| m.mv.captured.is_some()).count();
        let value = tables.value(&position).unwrap();
        assert_eq!(Some(value.wdl), moves[0].wdl(), "{fen}");
        let depth = dtm(&moves[0]).map(|Dtm(d)| Dtm(d + 1));
        assert_eq!(value.dtm, depth, "{fen}");
        let without = position.setup();
        let without = Position::new(
            Game::default(),
            &Setup {
                ep: None,
                ..without
            },
        )
        .unwrap();
        let table = tables
            .table(&material("KPvKP"), Metric::Dtm)
            .unwrap()
            .unwrap();
        let squares: Vec<_> = {
            let mut piece_types: Vec<_> = without.material().pieces().collect();
            piece_types.dedup();
            piece_types
                .iter()
                .flat_map(|&m| without.board().of(m))
                .collect()
        };
        let index = table.index().encode(&squares).unwrap();
        let stored = table.get(without.turn(), index).unwrap();
        let plain = tables.value(&without).unwrap();
        assert_eq!(plain.dtm, score::plies(stored).map(Dtm));
    }
    assert!(captures >= 4);
}

/// No table has castling rights (O1, X); moves that end them are looked up.
#[test]
fn castling_rights_are_not_looked_up() {
    let tables = depth_tables();
    let with = read("8/8/8/3k4/8/8/8/4K2R w K -");
    let without = read("8/8/8/3k4/8/8/8/4K2R w - -");
    for error in [
        tables.value(&with).unwrap_err(),
        tables.probe(&with).unwrap_err(),
        tables.line(&with).unwrap_err(),
    ] {
        assert_eq!(error.kind(), "unsupported");
        assert!(error.to_string().contains("castling"), "{error}");
    }
    // Every move of the king or of the rook ends the right.
    let plain = tables.moves(&without).unwrap();
    let moves = tables.moves(&with).unwrap();
    assert_eq!(moves.len(), plain.len() + 1);
    for mv in &moves {
        assert_eq!(mv.wdl(), Some(Wdl::Win), "{}", mv.uci);
        assert!(mv.uci == "e1g1" || plain.contains(mv));
    }
    // Black's moves leave it; one that ends the game has a value all the same.
    let black = read("8/8/8/3k4/8/8/8/4K2R b K -");
    let unknown = |mv: &MoveAnswer| mv.value.is_none();
    assert!(tables.moves(&black).unwrap().iter().all(unknown));
    let mate = read("8/8/8/8/8/4k3/8/r3K2R w K -");
    assert_eq!(tables.value(&mate).unwrap().wdl, Wdl::Loss);
}

#[test]
fn threads_get_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    for (material, metric, bytes) in three_pieces() {
        // Small blocks, so that threads come across many.
        let whole = Table::from_bytes(bytes.as_slice()).unwrap();
        let fill = |turn: Colour, indices: std::ops::Range<u64>, values: &mut [i16]| {
            whole.read(turn, indices.start, values).unwrap();
        };
        let options = PackOptions {
            block_bytes: 100,
            level: 1,
            ..PackOptions::default()
        };
        let plan = plan(&material.to_string(), *metric);
        let path = table_path(folder.path(), Game::default(), material, *metric);
        pack(&path, &plan, &options, Watch::default(), fill).unwrap();
    }
    let shared = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    let alone = depth_tables();
    let materials = ["KQvK", "KRvK", "KPvK"].map(material);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (shared, alone, materials) = (&shared, &alone, &materials);
            scope.spawn(move || {
                for n in 0..20_000 {
                    let hash = hash(thread, n);
                    let squares =
                        [0, 6, 12].map(|s| retrograde_rules::Square((hash >> s & 63) as u8));
                    let material = &materials[n as usize % 3];
                    let turn = Colour::BOTH[(hash >> 20) as usize % 2];
                    let pieces = material.pieces().zip(squares);
                    if let Some(position) = Position::from_pieces(Game::default(), pieces, turn) {
                        let value = shared.value(&position).unwrap();
                        assert_eq!(value, alone.value(&position).unwrap());
                    }
                }
            });
        }
    });
}
