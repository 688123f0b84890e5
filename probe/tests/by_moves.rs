//! Tests positions that no table has, whose moves settle who wins.

use std::path::PathBuf;

use retrograde_probe::object::{AnswerObject, ErrorObject, Include, MoveObject};
use retrograde_probe::{Dtm, Dtz, Extra, Helpmate, Table, Tablebase, Wdl, table_path};
use retrograde_rules::{Colour, End, Game, Material, Position, Setup, Square};

use crate::common::hash;

fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

fn all(game: Game) -> Tablebase {
    Tablebase::open(game, [shipped()]).unwrap()
}

/// The tables that ship, without those of a material.
fn without(game: Game, left_out: &Material) -> Tablebase {
    let tables = all(game);
    let kept = tables.tables().filter(|(material, _)| material != left_out);
    let open =
        |(material, metric)| Table::open(&table_path(&shipped(), game, &material, metric)).unwrap();
    Tablebase::from_tables(game, kept.map(open)).unwrap()
}

fn read(game: Game, fen: &str) -> Position {
    Position::from_fen(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn object(tables: &Tablebase, position: &Position) -> AnswerObject {
    let include = Include {
        moves: true,
        line: true,
    };
    let told = |error: &_| ErrorObject::from(error);
    tables.answer_object(position, include, told).unwrap()
}

/// Random positions of a material, at clocks of every kind.
fn random(game: Game, material: &Material, seed: u64, wanted: usize) -> Vec<Position> {
    let squares = u64::from(game.geometry().files) * u64::from(game.geometry().ranks);
    let pieces: Vec<_> = material.pieces().collect();
    let mut found = Vec::new();
    for number in 0..100 * wanted as u64 {
        let random = |which: u64, below: u64| hash(seed + 100 * which, number) % below;
        let mut setup = Setup::empty();
        for (place, &piece) in pieces.iter().enumerate() {
            let square = Square(random(place as u64, squares) as u8);
            setup.board.set(square, Some(piece));
        }
        setup.turn = Colour::BOTH[random(20, 2) as usize];
        setup.halfmoves = [0, 0, 0, 30, 70, 90, 97, 98, 99, 100, 120][random(21, 11) as usize];
        if let Ok(position) = Position::new(game, &setup)
            && position.material().normal(game).0 == *material
        {
            found.push(position);
            if found.len() == wanted {
                break;
            }
        }
    }
    found
}

#[test]
fn known_moves_settle_what_tables_say_and_nothing_else() {
    for (id, materials) in [
        (
            "orthodox",
            &["KRvKP", "KPvKP", "KQvKR", "KPvK", "KRPvK"][..],
        ),
        ("chess99", &["KQvK", "KPvK"]),
        ("kings", &["KKvK", "KPvK"]),
        ("extinction", &["KPvK", "KQvK"]),
        ("extinction-mating", &["KPvK", "KKvK"]),
        ("king-of-the-hill", &["KPvK", "KQvK"]),
        ("high-chess", &["KPvK", "KRvK"]),
    ] {
        let game = Game::parse(id).unwrap();
        let full = all(game);
        for (seed, name) in materials.iter().enumerate() {
            let material = Material::parse(game, name).unwrap();
            let partial = without(game, &material);
            let (mut settled, mut open) = (0, 0);
            for position in random(game, &material, seed as u64, 2500) {
                let fen = position.fen();
                let truth = full.probe(&position).unwrap();
                let moves = partial.moves(&position).unwrap();
                let told = object(&partial, &position);
                let mut known = moves.iter().map(|mv| mv.wdl());
                let wins = known.clone().any(|wdl| wdl == Some(Wdl::Win));
                let late = position.halfmoves() >= 100 && game.zeroing_limit().is_some();
                let is_settled = wins || known.all(|wdl| wdl.is_some());
                let Ok(answer) = partial.probe(&position) else {
                    assert!(!is_settled, "{id} {fen}");
                    assert_eq!(told.category, "unknown");
                    assert!(told.error.is_some());
                    open += 1;
                    continue;
                };
                assert_eq!(answer.value.wdl, truth.value.wdl, "{id} {fen}");
                assert!(is_settled || late, "{id} {fen}");
                for (ours, theirs) in [
                    (
                        answer.value.dtm.map(u32::from),
                        truth.value.dtm.map(u32::from),
                    ),
                    (
                        answer.value.dtz.map(u32::from),
                        truth.value.dtz.map(u32::from),
                    ),
                ] {
                    // Not all depth tables ship.
                    assert!(
                        ours.is_none() || theirs.is_none() || ours == theirs,
                        "{id} {fen}"
                    );
                }
                if let Extra::Clock { wdl_at_clock_0 } = answer.extra {
                    assert_eq!(truth.extra, Extra::Clock { wdl_at_clock_0 }, "{id} {fen}");
                }
                assert_eq!(told.category, answer.value.wdl.name());
                assert_eq!(told.error, None);
                assert_eq!(
                    partial.wdl(&position).unwrap(),
                    answer.value.wdl,
                    "{id} {fen}"
                );
                if answer.by_moves && answer.value.wdl != Wdl::Draw {
                    assert_eq!(partial.dtm(&position).ok().flatten(), answer.value.dtm);
                    assert_eq!(partial.dtz(&position).ok().flatten(), answer.value.dtz);
                }
                settled += usize::from(answer.by_moves);
            }
            assert!(settled > 10, "{id} {name}: {settled} settled, {open} open");
        }
    }
}

/// With too many men for any table, too.
#[test]
fn one_move_that_wins_is_enough() {
    for (id, fen, depth, dtz) in [
        (
            "orthodox",
            "2k5/8/4P3/r6R/8/5K2/8/8 b - - 0 1",
            None,
            Some(1),
        ),
        (
            "orthodox",
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            Some(1),
            Some(1),
        ),
        (
            "orthodox",
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 99 80",
            Some(1),
            Some(1),
        ),
        (
            "chess99",
            "rnbakqbnr/9/9/9/9/9/9/4R4/RNBQKABNR w - - 0 1",
            Some(1),
            None,
        ),
        (
            "king-of-the-hill",
            "rnbq1bnr/pppp1ppp/8/8/8/4K3/8/7k w - - 0 1",
            Some(1),
            None,
        ),
        (
            "extinction",
            "qrbn4/4p3/8/8/8/8/kP6/RNBQK3 w - - 0 1",
            Some(1),
            None,
        ),
        (
            "high-chess",
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 50+50 0 1",
            None,
            None,
        ),
    ] {
        let game = Game::parse(id).unwrap();
        let position = read(game, fen);
        let told = object(&all(game), &position);
        assert_eq!(told.category, "win", "{id} {fen}");
        assert_eq!(told.winner, Some(position.turn().name()));
        assert_eq!(
            (told.depth_plies, told.dtz_plies),
            (depth, dtz),
            "{id} {fen}"
        );
        assert_eq!(told.error, None);
        assert_eq!(told.moves.unwrap()[0].category, "win");
        let line = told.line.unwrap();
        assert_eq!(line.map(|line| line.len()), depth.map(|_| 1), "{id} {fen}");
    }
}

#[test]
fn castling_rights_are_left_to_the_search() {
    let position = read(Game::default(), "4k3/8/8/8/8/8/8/4K2R w K -");
    let told = object(&all(Game::default()), &position);
    assert_eq!(told.category, "unknown");
    assert_eq!(told.error.map(|error| error.kind), Some("unsupported"));
}

/// Mate on the board ends the game before any clock, whatever tables there are.
#[test]
fn mate_comes_before_any_clock() {
    let game = Game::default();
    for tables in [all(game), Tablebase::empty(game)] {
        for clock in [0, 99, 100, 101, 150] {
            let mated = read(game, &format!("1Q5k/8/6K1/8/8/8/8/8 b - - {clock} 80"));
            let told = object(&tables, &mated);
            assert_eq!((told.category, told.winner), ("loss", Some("white")));
            assert_eq!((told.end, told.depth_plies), (Some("checkmate"), Some(0)));
            assert_eq!(tables.wdl(&mated).unwrap(), Wdl::Loss);
            let before = read(game, &format!("7k/8/6K1/8/8/8/8/1Q6 w - - {clock} 80"));
            let moves = tables.moves(&before).unwrap();
            let mates: Vec<_> = moves
                .iter()
                .filter(|mv| mv.end == Some(End::Checkmate))
                .map(|mv| (MoveObject::new(&before, mv).category, mv.value.unwrap().dtm))
                .collect();
            assert_eq!(mates, [("win", Some(Dtm(0)))], "{clock}");
            let answer = tables.probe(&before).unwrap();
            let wdl = if clock < 100 {
                Wdl::Win
            } else {
                Wdl::CursedWin
            };
            assert_eq!(answer.value.wdl, wdl, "{clock}");
            assert_eq!(answer.value.dtz, Some(Dtz(1)));
        }
    }
}

#[test]
fn the_rules_know_some_helpmates() {
    let (none, game) = (Tablebase::empty(Game::default()), Game::default());
    let white = Helpmate::of_mated(Colour::White);
    for (fen, expected) in [
        ("8/8/8/3k4/8/8/8/K7 w - -", Some(Helpmate::DEAD)),
        ("8/8/8/3k4/8/8/8/KN6 b - -", Some(Helpmate::DEAD)),
        ("8/8/8/3kb3/8/8/8/KB6 w - -", None),
        ("8/8/8/3k4/8/8/8/KQ6 w - -", None),
        ("8/8/8/8/8/1k6/1q6/K7 w - - 120 90", Some(white)),
        ("8/8/8/8/8/1q6/8/K1k5 w - -", Some(Helpmate::DEAD)),
    ] {
        let position = read(game, fen);
        assert_eq!(none.helpmate(&position).unwrap(), expected, "{fen}");
        let told = object(&none, &position).helpmate.unwrap();
        assert_eq!(
            told.map(|told| told.white),
            expected.map(|known| known.white)
        );
        assert_eq!(
            told.map(|told| told.black),
            expected.map(|known| known.black)
        );
    }
    let kings = Game::parse("kings").unwrap();
    let position = read(kings, "8/8/8/3k4/8/8/8/K7 w - -");
    assert_eq!(object(&all(kings), &position).helpmate, None);
}
