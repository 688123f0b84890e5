//! Tests values that know the game so far, against all positions that it can still reach.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use retrograde_probe::{Tablebase, Wdl};
use retrograde_rules::{Colour, Game, History, Position, Setup};

fn tables() -> Tablebase {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tables");
    Tablebase::open(Game::default(), [folder]).unwrap()
}

fn game(fen: &str, moves: &str) -> History {
    let mut game = History::new(Position::from_fen(Game::default(), fen).unwrap());
    for text in moves.split_whitespace() {
        game.play(game.position().parse_uci(text).unwrap());
    }
    game
}

/// The categories of moves by their names.
fn categories(tables: &Tablebase, game: &History) -> HashMap<String, &'static str> {
    let moves = tables.moves_in_game(game).unwrap();
    let categories: Vec<Wdl> = moves.iter().filter_map(|mv| mv.wdl()).collect();
    assert!(categories.is_sorted(), "{categories:?}");
    let named = moves
        .iter()
        .map(|mv| (mv.uci.as_str().to_owned(), mv.wdl().map_or("?", Wdl::name)));
    named.collect()
}

#[test]
fn a_lost_side_repeats() {
    let tables = tables();
    let shuffle = "a1b2 h5g5 b2a1 g5h5 a1b2 h5g5 b2a1";
    let lost = game("8/8/8/7k/8/8/8/KQ6 w - - 0 1", shuffle);
    let moves = tables.moves_in_game(&lost).unwrap();
    assert_eq!((&*moves[0].uci, moves[0].wdl()), ("g5h5", Some(Wdl::Draw)));
    assert_eq!(moves[1].wdl(), Some(Wdl::Loss));
    assert_eq!(tables.probe_in_game(&lost).unwrap().value.wdl, Wdl::Draw);
    // On the board alone it is lost, and so it is if the other side may not repeat.
    assert_eq!(tables.probe(lost.position()).unwrap().value.wdl, Wdl::Loss);
    let once = game("8/8/8/7k/8/8/8/KQ6 w - - 0 1", "a1b2 h5g5 b2a1");
    assert_eq!(tables.probe_in_game(&once).unwrap().value.wdl, Wdl::Loss);
    let third = game("8/8/8/7k/8/8/8/KQ6 w - - 0 1", &format!("{shuffle} g5h5"));
    assert_eq!(tables.probe_in_game(&third).unwrap().value.wdl, Wdl::Draw);
}

#[test]
fn a_winner_does_not_allow_it() {
    let tables = tables();
    let shuffle = "a1b2 d5d6 b2a1 d6d5 a1b2 d5d6 b2a1 d6e5";
    let won = game("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", shuffle);
    let categories = categories(&tables, &won);
    assert_eq!(categories["a1b2"], "draw", "e5d6 repeats");
    assert_eq!(tables.probe_in_game(&won).unwrap().value.wdl, Wdl::Win);
    assert_eq!(tables.moves(won.position()).unwrap()[0].uci, "a1b2");
    assert_ne!(tables.moves_in_game(&won).unwrap()[0].uci, "a1b2");
}

/// The values of all positions that can still be reached by quiet moves, if a drawn one ends
/// the game: what is neither won nor lost by force is a draw.
struct Reachable {
    places: HashMap<Setup, usize>,
    won: Vec<Option<Colour>>,
}

impl Reachable {
    fn solve(tables: &Tablebase, from: &Position, drawn: &HashSet<Setup>) -> Reachable {
        let mut places = HashMap::from([(from.timeless(), 0)]);
        let mut positions = vec![*from];
        // For each position where quiet moves lead, and who wins by another one.
        let mut moves: Vec<(Vec<usize>, Vec<Option<Colour>>)> = Vec::new();
        while let Some(&position) = positions.get(moves.len()) {
            let (mut quiet, mut others) = (Vec::new(), Vec::new());
            for &mv in &position.legal_moves() {
                let after = position.play(mv);
                if mv.is_zeroing() {
                    let value = tables.value(&after).unwrap();
                    others.push(value.winner(after.turn()));
                } else if drawn.contains(&after.timeless()) {
                    others.push(None);
                } else {
                    let next = positions.len();
                    let place = *places.entry(after.timeless()).or_insert(next);
                    if place == next {
                        positions.push(after);
                    }
                    quiet.push(place);
                }
            }
            moves.push((quiet, others));
        }
        let mut won: Vec<Option<Colour>> = vec![None; positions.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (place, position) in positions.iter().enumerate() {
                let turn = position.turn();
                let (quiet, others) = &moves[place];
                let results = quiet
                    .iter()
                    .map(|&to| won[to])
                    .chain(others.iter().copied());
                let results: Vec<Option<Colour>> = results.collect();
                let winner = match results.is_empty() {
                    true => position.end().and_then(|end| end.winner(turn)),
                    false if results.contains(&Some(turn)) => Some(turn),
                    false if results.iter().all(|&w| w == Some(turn.other())) => Some(turn.other()),
                    false => None,
                };
                if winner != won[place] {
                    (won[place], changed) = (winner, true);
                }
            }
        }
        Reachable { places, won }
    }

    fn category(&self, position: &Position, side: Colour) -> &'static str {
        match self.won[self.places[&position.timeless()]] {
            None => "draw",
            Some(winner) if winner == side => "win",
            Some(_) => "loss",
        }
    }
}

/// Players who go to and fro, as people do who do not know how to go on.
#[test]
fn values_are_those_of_all_that_can_be_reached() {
    let tables = tables();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut pick = |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    let (mut games, mut differ) = (0, 0);
    for fen in [
        "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1",
        "8/8/3k4/8/3KP3/8/8/8 w - - 0 1",
        "8/8/1k6/8/1K6/8/P7/8 b - - 0 1",
        // No table tells the distance to mate.
        "8/8/8/2p1k3/2P5/3K4/8/8 w - - 0 1",
        "8/8/5k2/p7/P1K5/8/8/8 w - - 0 1",
    ] {
        for _ in 0..24 {
            let mut game = game(fen, "");
            let mut last = [None; 2];
            for _ in 0..10 + pick(5) {
                let position = *game.position();
                let quiet: Vec<_> = position
                    .legal_moves()
                    .iter()
                    .copied()
                    .filter(|mv| !mv.is_zeroing())
                    .collect();
                if quiet.is_empty() {
                    break;
                }
                let back = last[position.turn().index()]
                    .and_then(|(from, to)| quiet.iter().find(|mv| (mv.to, mv.from) == (from, to)));
                let mv = match back {
                    Some(&back) if pick(10) < 8 => back,
                    _ => quiet[pick(quiet.len())],
                };
                last[position.turn().index()] = Some((mv.from, mv.to));
                game.play(mv);
            }
            let position = *game.position();
            let drawn = game.drawn_next();
            if drawn.is_empty() || position.legal_moves().is_empty() {
                continue;
            }
            games += 1;
            let found = categories(&tables, &game);
            let plain: HashMap<String, _> = tables
                .moves(&position)
                .unwrap()
                .iter()
                .map(|mv| (mv.uci.as_str().to_owned(), mv.wdl().map_or("?", Wdl::name)))
                .collect();
            let mut best = "loss";
            let reachable = Reachable::solve(&tables, &position, &drawn);
            for &mv in &position.legal_moves() {
                let (after, name) = (position.play(mv), position.uci(mv));
                let expected = match mv.is_zeroing() {
                    true => plain[&name],
                    false if drawn.contains(&after.timeless()) => "draw",
                    false => reachable.category(&after, position.turn()),
                };
                assert_eq!(found[&name], expected, "{name} in {position}");
                differ += usize::from(expected != plain[&name]);
                if expected == "win" || expected == "draw" && best == "loss" {
                    best = expected;
                }
            }
            if !game.is_drawn_by_repetition() {
                let answer = tables.probe_in_game(&game).unwrap();
                assert_eq!(answer.value.wdl.name(), best, "{position}");
            }
        }
    }
    assert!(games > 80 && differ > 8, "{games} {differ}");
}
