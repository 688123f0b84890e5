//! Compares node counts of legal moves with the files in `tests/perft`, one file a game.

use retrograde_rules::{Game, Position};

/// Counts above this take too long.
const MOST_NODES: u64 = 20_000_000;

/// One line of a file: a position and its counts by depth.
pub(crate) struct Case<'a> {
    line: usize,
    pub(crate) fen: &'a str,
    pub(crate) counts: Vec<(u32, u64)>,
}

pub(crate) fn read(text: &str) -> Vec<Case<'_>> {
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

/// The files and their games. Those whose counts are this crate's own are counted again by the
/// naive interpreter, as far as it gets: see `interpreter.rs`.
pub(crate) const FILES: [(&str, &str); 32] = [
    ("orthodox", include_str!("perft/orthodox.txt")),
    ("orthodox", include_str!("perft/orthodox-random.txt")),
    (
        "king-of-the-hill",
        include_str!("perft/king-of-the-hill.txt"),
    ),
    ("antichess", include_str!("perft/antichess.txt")),
    ("atomic", include_str!("perft/atomic.txt")),
    ("racing-kings", include_str!("perft/racing-kings.txt")),
    ("shatranj", include_str!("perft/shatranj.txt")),
    ("makruk", include_str!("perft/makruk.txt")),
    ("capablanca", include_str!("perft/capablanca.txt")),
    ("three-check", include_str!("perft/three-check.txt")),
    ("horde", include_str!("perft/horde.txt")),
    ("high-chess", include_str!("perft/high-chess.txt")),
    (
        "high-chess:vital-restores=both",
        include_str!("perft/high-chess-both.txt"),
    ),
    (
        "high-chess:vitality=3",
        include_str!("perft/high-chess-vitality-3.txt"),
    ),
    ("chess99", include_str!("perft/chess99.txt")),
    (
        "chess99:castling=off,deferred-promotion=off,ep-by=pawn,king-capture-in-check=win",
        include_str!("perft/chess99-off.txt"),
    ),
    (
        "chess99:ep-by=pawn",
        include_str!("perft/chess99-ep-by-pawn.txt"),
    ),
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
    (
        "kings:board=10x8,chancellor=on",
        include_str!("perft/kings-10x8.txt"),
    ),
    (
        "kings:black-corner=h8,board=10x10,chancellor=on,spare-king=duke",
        include_str!("perft/kings-10x10.txt"),
    ),
    ("wild9", include_str!("perft/wild9.txt")),
    (
        "extinction-mating",
        include_str!("perft/extinction-mating.txt"),
    ),
    ("extinction", include_str!("perft/extinction.txt")),
    ("orthodox", include_str!("perft/castling/orthodox.txt")),
    ("high-chess", include_str!("perft/castling/high-chess.txt")),
    ("kings", include_str!("perft/castling/kings.txt")),
    ("wild9", include_str!("perft/castling/wild9.txt")),
    (
        "extinction-mating",
        include_str!("perft/castling/extinction-mating.txt"),
    ),
    ("extinction", include_str!("perft/castling/extinction.txt")),
];

#[test]
fn counts_are_those_of_the_files() {
    for (id, text) in FILES {
        let (game, mut checked) = (Game::parse(id).unwrap(), 0);
        for Case { line, fen, counts } in read(text) {
            let position = Position::from_fen(game, fen).unwrap_or_else(|e| panic!("{line}: {e}"));
            for (depth, nodes) in counts.into_iter().filter(|(_, nodes)| *nodes <= MOST_NODES) {
                let found = position.perft(depth);
                assert_eq!(found, nodes, "{id}, line {line}: {fen} at depth {depth}");
                let divided = position.divide(depth);
                assert_eq!(divided.iter().map(|(_, n)| n).sum::<u64>(), nodes);
                checked += 1;
            }
        }
        assert!(checked > 7, "{id}: only {checked} counts were compared");
    }
}
