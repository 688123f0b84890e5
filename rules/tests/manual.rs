//! Checks that everything that docs/RULES.md shows is so.

use retrograde_rules::{Colour, End, Game, Interchange, Material, Position, Setup};

use crate::common::moves;

const MANUAL: &str = include_str!("../../docs/RULES.md");

fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

#[track_caller]
fn position(id: &str, fen: &str) -> Position {
    Position::from_fen(game(id), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The section whose heading begins so.
fn section(heading: &str) -> &'static str {
    let (_, rest) = MANUAL.split_once(&format!("\n## {heading}")).unwrap();
    rest.split("\n## ").next().unwrap()
}

/// The cells of the rows of its tables, without blanks and backquotes.
fn rows(section: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let rows = section.lines().filter(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().trim_matches('`')).collect()
    })
}

/// The parts of a text between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn play(id: &str, fen: &str, uci: &str) -> Position {
    let before = position(id, fen);
    before.play(before.parse_uci(uci).unwrap())
}

/// Errors stand in the manual, however lines are broken there.
#[test]
fn messages() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (heading, id, fen) in [
        ("", "orthodox", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"),
        (
            "High Chess",
            "high-chess",
            "8/8/8/3k4/8/8/8/K6R w - - 50+51 0 1",
        ),
        (
            "Extinction chess",
            "extinction-mating",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3",
        ),
    ] {
        let error = match Setup::from_fen(game(id), fen) {
            Err(error) => error.to_string(),
            Ok(_) => Position::from_fen(game(id), fen).unwrap_err().to_string(),
        };
        let (shown, section) = match heading {
            "" => (error, MANUAL),
            _ => (format!("{fen} {error}"), section(heading)),
        };
        assert!(words(section).contains(&words(&shown)), "{shown}");
    }
}

/// Positions that the text shows, with claims about them in tests/facts.
#[test]
fn positions_in_the_text() {
    let facts = concat!(
        include_str!("facts/high-chess.txt"),
        include_str!("facts/chess99.txt"),
        include_str!("facts/kings.txt"),
        include_str!("facts/extinction.txt")
    );
    for (heading, shown) in [
        ("High Chess", "8/8/8/K2pP2r/8/8/8/7k w - d6"),
        ("Chess 99", "1k7/1P7/BP7/PP7/KP7/PP7/9/9/9"),
        ("Chess 99", "3P5/9/4k4/9/9/9/9/9/K8"),
        ("Chess 99", "3B5/9/4k4/9/9/9/9/9/K8 b - d8"),
        ("Kings and wild 9", "7k/8/8/2K5/8/8/8/3K3r w - -"),
        ("Kings and wild 9", "K7/8/2K5/k7/8/k7/8/R6R w - -"),
        ("Kings and wild 9", "3k3R/6R1/8/8/5K2/8/p7/8 b - -"),
        ("Kings and wild 9", "7k/8/8/8/8/1K6/6K1/8 w - -"),
        ("Extinction chess", "3r4/6P1/8/8/7r/7k/1P6/K2Q4 w - -"),
        ("Extinction chess", "4k3/8/8/8/3p4/8/4P3/4K3 w - -"),
        ("Extinction chess", "k1q5/8/1N6/8/8/8/8/K7 b - -"),
        ("Extinction chess", "8/P7/8/8/8/8/8/k7 w - -"),
    ] {
        assert!(section(heading).contains(shown), "{shown}");
        assert!(facts.contains(&format!(" {shown} ")), "{shown}");
    }
    let last_point = "3k4/R7/8/8/8/8/8/KR6 w - - 1+1";
    assert!(section("High Chess").contains(last_point));
    let at = position("high-chess", last_point);
    for &mv in &at.legal_moves() {
        let after = at.play(mv);
        let expected = match at.san(mv).as_str() {
            "Rb8#" => Some((End::Checkmate, Some(Colour::White))),
            "Kb2" => None,
            _ => Some((End::Exhaustion, Some(Colour::Black))),
        };
        let end = after.end().map(|end| (end, end.winner(after.turn())));
        assert_eq!(end, expected);
    }
}

#[test]
fn the_board_of_distances() {
    let rows = section("High Chess")
        .lines()
        .filter_map(|line| line.strip_prefix("    "));
    let is_row = |line: &&str| line.len() == 17 && line.starts_with(|c: char| c.is_ascii_digit());
    let (game, mut squares) = (game("high-chess"), 0);
    for row in rows.filter(is_row) {
        let cells: Vec<u8> = row.split(' ').map(|cell| cell.parse().unwrap()).collect();
        for (file, &steps) in cells[1..].iter().enumerate() {
            let square = game.geometry().square(file as u8, cells[0] - 1);
            assert_eq!(game.vitality().unwrap().distance(square), steps);
            squares += 1;
        }
    }
    assert_eq!(squares, 64);
}

#[test]
fn the_table_of_turns() {
    let (mut fen, mut turns) = ("", 0);
    for cells in rows(section("High Chess")) {
        if cells[0].ends_with(['9', '3']) {
            fen = cells[0];
        } else if cells[0] != "the same" {
            continue;
        }
        let uci = if cells[1] == "pass" { "0000" } else { cells[1] };
        let after = play("high-chess", fen, uci);
        assert_eq!(
            after.vitality().unwrap().white.to_string(),
            cells[3],
            "{cells:?}"
        );
        turns += 1;
    }
    assert_eq!(turns, 4);
}

#[test]
fn the_array_of_chess_99() {
    let lines = section("Chess 99")
        .lines()
        .filter_map(|line| line.strip_prefix("    "));
    let is_rank = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit()) && line.len() == 20;
    let ranks = lines
        .filter(is_rank)
        .map(|line| line[3..].replace(' ', "").replace(".........", "9"));
    let array = format!("{} w - - 0 1", ranks.collect::<Vec<String>>().join("/"));
    assert_eq!(game("chess99").array().fen(), array);
}

#[test]
fn captures_of_kings_and_castling() {
    let (mut captures, mut castlings) = (0, 0);
    for row in rows(section("Chess 99")) {
        if row[0].contains('/') {
            let end = play("chess99", &format!("{} w - -", row[0]), row[1]).end();
            let won = row[2].split(':').next() == Some("won");
            assert_eq!(
                end,
                Some(if won {
                    End::KingCapture
                } else {
                    End::KingCaptureDraw
                })
            );
            captures += 1;
        } else if row[0].len() < 8 && row[0].contains('K') {
            let with = |rank: &str, turn| format!("k8/9/9/9/9/9/9/9/{rank} {turn} - -");
            let fen = with(row[0], "w");
            if row[1] == "-" {
                let moves = moves(&position("chess99", &fen));
                assert!(!moves.iter().any(|name| name.contains('&')), "{moves:?}");
            } else {
                let after = play("chess99", &fen, row[1]).fen();
                assert!(after.starts_with(&with(row[2], "b")), "{after}");
            }
            castlings += 1;
        }
    }
    assert_eq!((captures, castlings), (4, 4));
}

#[test]
fn the_tables_of_kings() {
    let section = section("Kings and wild 9");
    assert!(section.contains("`wild9` is `kings:promote-to-king=off,tie-break=rank1`"));
    let (mut fen, mut royals, mut arrays) = ("", 0, 0);
    for cells in rows(section) {
        if cells[0] == "10x8" || cells[0] == "10x10" {
            let id = format!("kings:board={},chancellor=on", cells[0]);
            assert_eq!(position(&id, cells[3]).board().occupied().len(), 40);
            let home = format!("ranks {} and", game(&id).pawn_home() + 1);
            assert!(cells[2].contains(&home), "{cells:?}");
            arrays += 1;
            continue;
        }
        if cells[0].ends_with("w - -") {
            fen = cells[0];
        } else if cells[0] != "the same" {
            continue;
        }
        let at = position(cells[1], fen);
        let found = Colour::BOTH.map(|side| {
            at.royals(side)
                .map(|s| at.game().geometry().name(s))
                .collect::<String>()
        });
        assert_eq!(found, [cells[2], cells[3]], "{cells:?}");
        royals += 1;
    }
    assert_eq!((royals, arrays), (4, 2));
}

#[test]
fn what_may_be_mirrored() {
    use Interchange::{HalfTurn, MirrorFiles, MirrorRanks, Never, Plain};
    let mut ids = 0;
    for row in section("What may be mirrored")
        .lines()
        .filter(|line| line.starts_with("| `"))
    {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (with_pawns, without) = match cells[2] {
            "the ranks" => (MirrorRanks, MirrorRanks),
            "a half-turn" => (HalfTurn, HalfTurn),
            text if text.starts_with("nothing else") => (Never, Plain),
            text if text.starts_with("the files") => (Never, MirrorFiles),
            text => panic!("{text}"),
        };
        for id in quoted(cells[1]) {
            for (name, expected) in [("KKPvK", with_pawns), ("KKvK", without)] {
                let material = Material::parse(game(id), name).unwrap();
                assert_eq!(game(id).interchange(&material), expected, "{id} {name}");
            }
            ids += 1;
        }
    }
    assert_eq!(ids, 5);
}

#[test]
fn the_table_of_arrays() {
    let mut ids = 0;
    for row in section("Castling in whole games")
        .lines()
        .filter(|line| line.starts_with("| `"))
    {
        let mut cells = row.split('|').skip(1);
        let (names, array) = (cells.next().unwrap(), cells.next().unwrap());
        for id in quoted(names) {
            let array = array.trim().trim_matches('`');
            assert_eq!(game(id).array().fen(), format!("{array} 0 1"), "{id}");
            ids += 1;
        }
    }
    assert!(ids >= 7, "{ids}");
}
