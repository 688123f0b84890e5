//! Node counts of the files in `tests/perft`, one file a game.

use retrograde_rules::{Game, Position};

/// One line of a file: a position and its counts by depth.
struct Case<'a> {
    line: usize,
    fen: &'a str,
    counts: Vec<(u32, u64)>,
}

fn read(text: &str) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap().trim();
        if line.is_empty() {
            continue;
        }
        let (fen, counts) = line.split_once(';').expect("a FEN and counts");
        let counts = counts
            .split(';')
            .map(|part| {
                let (depth, nodes) = part.trim().split_once(' ').expect("D<depth> <nodes>");
                let depth = depth.strip_prefix('D').expect("D<depth>").parse().unwrap();
                (depth, nodes.trim().parse().unwrap())
            })
            .collect();
        cases.push(Case {
            line: index + 1,
            fen: fen.trim(),
            counts,
        });
    }
    cases
}

fn check(game: Game, text: &str, most_nodes: u64) {
    let cases = read(text);
    let mut checked = 0;
    for Case { line, fen, counts } in cases {
        let position = Position::from_fen(game, fen).unwrap_or_else(|e| panic!("{line}: {e}"));
        for (depth, nodes) in counts {
            if nodes > most_nodes {
                continue;
            }
            let found = position.perft(depth);
            assert_eq!(found, nodes, "line {line}: {fen} at depth {depth}");
            let divided = position.divide(depth);
            assert_eq!(divided.iter().map(|(_, n)| n).sum::<u64>(), nodes);
            checked += 1;
        }
    }
    assert!(checked > 7, "only {checked} counts were compared");
}

#[test]
fn orthodox() {
    check(
        Game::default(),
        include_str!("perft/orthodox.txt"),
        20_000_000,
    );
}

#[test]
fn king_of_the_hill() {
    let game = Game::parse("king-of-the-hill").unwrap();
    check(game, include_str!("perft/king-of-the-hill.txt"), 20_000_000);
}

#[test]
fn orthodox_random() {
    check(
        Game::default(),
        include_str!("perft/orthodox-random.txt"),
        20_000_000,
    );
}

/// The moves are another program's, and what High Chess adds to them was
/// counted by a script that shares nothing with this crate.
#[test]
fn high_chess() {
    for (id, text) in [
        ("high-chess", include_str!("perft/high-chess.txt")),
        (
            "high-chess:vital-restores=both",
            include_str!("perft/high-chess-both.txt"),
        ),
        (
            "high-chess:vitality=3",
            include_str!("perft/high-chess-vitality-3.txt"),
        ),
    ] {
        check(Game::parse(id).unwrap(), text, 20_000_000);
    }
}

/// The tests of `generator/tests/naive/chess99` compare these files with moves
/// that share nothing with this crate.
#[test]
fn chess_99() {
    for (id, text) in [
        ("chess99", include_str!("perft/chess99.txt")),
        (
            "chess99:castling=off,deferred-promotion=off,ep-by=pawn,king-capture-in-check=win",
            include_str!("perft/chess99-off.txt"),
        ),
        (
            "chess99:ep-by=pawn",
            include_str!("perft/chess99-ep-by-pawn.txt"),
        ),
    ] {
        check(Game::parse(id).unwrap(), text, 20_000_000);
    }
}

/// Those of orthodox chess are published; a naive generator in
/// `tests/castling` counts all of them again as far as it gets.
#[test]
fn castling() {
    for (id, text) in [
        ("orthodox", include_str!("perft/castling/orthodox.txt")),
        ("high-chess", include_str!("perft/castling/high-chess.txt")),
        ("kings", include_str!("perft/castling/kings.txt")),
        ("wild9", include_str!("perft/castling/wild9.txt")),
        (
            "extinction-mating",
            include_str!("perft/castling/extinction-mating.txt"),
        ),
        ("extinction", include_str!("perft/castling/extinction.txt")),
    ] {
        check(Game::parse(id).unwrap(), text, 6_000_000);
    }
}

/// Counts of this crate; the plain solver's tests count them again.
#[test]
fn kings_and_extinction() {
    for (id, text) in [
        ("kings", include_str!("perft/kings.txt")),
        (
            "kings:black-corner=h8,spare-king=duke",
            include_str!("perft/kings-duke-h8.txt"),
        ),
        (
            "kings:promote-to-king=off,spare-king=queen",
            include_str!("perft/kings-queen.txt"),
        ),
        (
            "kings:black-corner=h8,tie-break=rank1",
            include_str!("perft/kings-rank1-h8.txt"),
        ),
        ("wild9", include_str!("perft/wild9.txt")),
        (
            "extinction-mating",
            include_str!("perft/extinction-mating.txt"),
        ),
        ("extinction", include_str!("perft/extinction.txt")),
    ] {
        check(Game::parse(id).unwrap(), text, 20_000_000);
    }
}
