//! The interpreter against published numbers and the examples of the rules.

use retrograde_oracle::{Category, Game, Reason, Side, Solver};

/// The definition of a built-in game.
fn built_in(name: &str) -> Option<String> {
    let path = format!("{}/tests/games/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).ok()
}

fn game(name: &str, options: &[(&str, &str)]) -> Game {
    Game::read(&built_in(name).unwrap(), &built_in, options).unwrap()
}

/// A definition that is written in a test, under a name of its own.
fn define(text: &str) -> Game {
    Game::read(
        &format!("format = 1\nname = \"mine\"\n{text}"),
        &built_in,
        &[],
    )
    .unwrap()
}

fn perft(game: &Game, fen: &str, counts: &[u64]) {
    let position = game.position(fen).unwrap();
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(game.perft(&position, depth), *count, "{fen}, depth {depth}");
    }
}

fn texts(game: &Game, fen: &str) -> Vec<String> {
    let position = game.position(fen).unwrap();
    let mut texts: Vec<_> = game
        .moves(&position)
        .iter()
        .map(|(played, _)| game.text(played))
        .collect();
    texts.sort();
    texts
}

#[test]
fn orthodox_perft() {
    let game = game("orthodox", &[]);
    perft(&game, game.array().unwrap(), &[20, 400, 8902, 197_281]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    perft(&game, kiwipete, &[48, 2039, 97_862]);
    perft(
        &game,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2812, 43_238],
    );
    perft(
        &game,
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467],
    );
    perft(
        &game,
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62_379],
    );
}

/// The longest win of a material, in plies, and the numbers of positions without an e.p. right
/// that are won with White and lost with Black to move.
fn longest(game: &Game, material: &str) -> u32 {
    let solver = Solver::new(game);
    let table = solver.solve(material).unwrap();
    let won = table
        .positions()
        .filter(|(_, value)| value.category == Category::Win);
    won.filter_map(|(_, value)| value.depth).max().unwrap_or(0)
}

#[test]
fn orthodox_three_men() {
    let game = game("orthodox", &[]);
    assert_eq!(longest(&game, "KQvK"), 19);
    assert_eq!(longest(&game, "KRvK"), 31);
    assert_eq!(longest(&game, "KPvK"), 55);
}
