//! Tests one table at a time, games that must not be mixed, and what errors lead to.
//!
//! The tables are those that ship with the project.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use retrograde_probe::object::{AnswerObject, Include};
use retrograde_probe::{
    Dtm, Dtz, Extra, Metric, MoveAnswer, ProbeError, Table, TableError, TableFault, Tablebase,
    Unsupported, Wdl, if_known, table_path,
};
use retrograde_rules::{Game, Material, Position};

/// Won in 17 plies.
const QUEEN: &str = "8/8/8/3k4/8/8/8/KQ6 w - -";

fn shipped() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

/// The shipped tables of one metric, or of several.
fn tables(game: Game, metrics: &[Metric]) -> Tablebase {
    let all = Tablebase::open(game, [shipped()]).unwrap();
    let wanted = all.tables().filter(|(_, metric)| metrics.contains(metric));
    let open = |(material, metric): (Material, Metric)| {
        Table::open(&table_path(&shipped(), game, &material, metric)).unwrap()
    };
    Tablebase::from_tables(game, wanted.map(open)).unwrap()
}

fn read(game: Game, fen: &str) -> Position {
    Position::from_fen(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The metric that an error names as missing.
fn missing<T>(result: Result<T, ProbeError>) -> Option<Metric> {
    match result {
        Err(ProbeError::Missing { metric, .. }) => metric,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("nothing is missing"),
    }
}

#[test]
fn one_table_tells_what_it_is_asked_for() {
    let position = read(Game::default(), QUEEN);
    let wdl = tables(Game::default(), &[Metric::Wdl]);
    assert_eq!(wdl.wdl(&position).unwrap(), Wdl::Win);
    assert_eq!(missing(wdl.dtm(&position)), Some(Metric::Dtm));
    assert_eq!(missing(wdl.dtz(&position)), Some(Metric::Dtz));
    let dtm = tables(Game::default(), &[Metric::Dtm]);
    assert_eq!(dtm.dtm(&position).unwrap(), Some(Dtm(17)));
    // The sign is there without another table, whatever the clock.
    for (fen, plies) in [
        (QUEEN, 17),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 90 100", 17),
        ("8/8/8/3k4/8/8/8/KQ6 b - -", -18),
        ("8/8/8/3k4/8/8/8/KN6 w - -", 0),
    ] {
        assert_eq!(
            dtm.signed_dtm(&read(Game::default(), fen)).unwrap(),
            plies,
            "{fen}"
        );
    }
    assert_eq!(missing(dtm.wdl(&position)), Some(Metric::Wdl));
    assert_eq!(missing(dtm.dtz(&position)), Some(Metric::Wdl));
    // DTZ alone does not know who wins.
    let dtz = tables(Game::default(), &[Metric::Dtz]);
    assert_eq!(missing(dtz.dtz(&position)), Some(Metric::Wdl));
    let both = tables(Game::default(), &[Metric::Wdl, Metric::Dtz]);
    assert_eq!(both.dtz(&position).unwrap(), Some(Dtz(17)));
}

/// The fifty-move rule decides who wins (O7), but not how far mate is (O4).
#[test]
fn a_clock_takes_a_second_table() {
    let late = read(Game::default(), &format!("{QUEEN} 90 100"));
    let wdl = tables(Game::default(), &[Metric::Wdl]);
    assert_eq!(missing(wdl.wdl(&late)), Some(Metric::Dtz));
    let both = tables(Game::default(), &[Metric::Wdl, Metric::Dtz]);
    assert_eq!(both.wdl(&late).unwrap(), Wdl::CursedWin);
    assert_eq!(both.dtz(&late).unwrap(), Some(Dtz(17)));
    let in_time = read(Game::default(), &format!("{QUEEN} 83 100"));
    assert_eq!(both.wdl(&in_time).unwrap(), Wdl::Win);
    let dtm = tables(Game::default(), &[Metric::Dtm]);
    assert_eq!(dtm.dtm(&late).unwrap(), Some(Dtm(17)));
    let all = Tablebase::open(Game::default(), [shipped()]).unwrap();
    let answer = all.probe(&late).unwrap();
    assert_eq!(answer.value.wdl, Wdl::CursedWin);
    let wdl_at_clock_0 = Wdl::Win;
    assert_eq!(answer.extra, Extra::Clock { wdl_at_clock_0 });
}

/// A line that leads to a table which is missing takes nothing from the rest of an answer, nor
/// does it in High Chess.
#[test]
fn an_answer_whose_line_leads_to_a_missing_table() {
    for (game, fen) in [
        (Game::default(), "4k3/8/4K3/8/4P3/8/8/8 w - -"),
        (game("high-chess"), "8/8/8/3k4/8/8/P7/K7 w - - 6+50"),
    ] {
        let material = Material::parse(game, "KPvK").unwrap();
        let open = |&metric| Table::open(&table_path(&shipped(), game, &material, metric)).unwrap();
        let tables = Tablebase::from_tables(game, Metric::of(game).iter().map(open)).unwrap();
        let position = read(game, fen);
        let all = Include {
            moves: true,
            line: true,
        };
        let answer = tables
            .answer_object(&position, all, |error| error.into())
            .unwrap();
        assert_eq!(answer.category, "win", "{fen}");
        assert_eq!((answer.line, answer.line_end), (Some(None), Some(None)));
        assert!(answer.error.is_none());
        assert!(if_known(tables.line(&position)).unwrap().is_none());
        // Asked for the line alone, the tables say which one is missing.
        assert!(matches!(
            tables.line(&position),
            Err(ProbeError::Missing { .. })
        ));
    }
}

/// In High Chess a promotion may mate where passing wins by exhaustion: without the table
/// after it, best play is not known.
#[test]
fn a_high_chess_line_that_a_missing_table_may_shorten() {
    let game = game("high-chess");
    let position = read(game, "8/8/8/8/8/7K/3P4/7k b - - 13+25");
    let all = Tablebase::open(game, [shipped()]).unwrap();
    assert_eq!(all.line(&position).unwrap().moves.len(), 14);
    let wanted = all
        .tables()
        .filter(|(material, _)| ["KPvK", "KvKP", "KvK"].contains(&&*material.to_string()));
    let open = |(material, metric): (Material, Metric)| {
        Table::open(&table_path(&shipped(), game, &material, metric)).unwrap()
    };
    let some = Tablebase::from_tables(game, wanted.map(open)).unwrap();
    assert_eq!(some.wdl(&position).unwrap(), all.wdl(&position).unwrap());
    missing(some.line(&position));
}

/// If only the depth after the best move is missing, the tables do not contradict each other.
#[test]
fn a_line_to_where_no_table_says_the_depth() {
    let all = Tablebase::open(Game::default(), [shipped()]).unwrap();
    let pawn = Material::parse(Game::default(), "KPvK").unwrap();
    let wanted = all.tables().filter(|&(material, metric)| {
        material.len() == 3 && (material == pawn || metric == Metric::Wdl)
    });
    let open = |(material, metric): (Material, Metric)| {
        Table::open(&table_path(&shipped(), Game::default(), &material, metric)).unwrap()
    };
    let tables = Tablebase::from_tables(Game::default(), wanted.map(open)).unwrap();
    let position = read(Game::default(), "4k3/8/4K3/8/4P3/8/8/8 w - -");
    assert_eq!(missing(tables.line(&position)), Some(Metric::Dtm));
    assert!(if_known(tables.line(&position)).unwrap().is_none());
}

/// Without DTZ the objects still say what a WDL table holds.
#[test]
fn wdl_tells_the_category_at_clock_0() {
    let ask = |metrics: &[Metric], fen: &str| {
        let tables = tables(Game::default(), metrics);
        tables.answer_object(&read(Game::default(), fen), Include::default(), |error| {
            error.into()
        })
    };
    let late = &format!("{QUEEN} 90 100");
    for (metrics, category, at_0) in [
        (&[Metric::Wdl][..], "unknown", Some("win")),
        (&[Metric::Wdl, Metric::Dtz], "cursed-win", Some("win")),
        (&[Metric::Dtz], "unknown", None),
    ] {
        let object = ask(metrics, late).unwrap();
        assert_eq!(object.category, category);
        assert_eq!(object.category_at_clock_0, Some(at_0));
        assert_eq!(object.error.is_some(), category == "unknown");
    }
}

#[test]
fn draws_have_no_distance_and_ended_games_have_0() {
    let all = Tablebase::open(Game::default(), [shipped()]).unwrap();
    let drawn = read(Game::default(), "8/8/8/3k4/8/8/8/KN6 w - -");
    assert_eq!(all.wdl(&drawn).unwrap(), Wdl::Draw);
    assert_eq!(all.dtm(&drawn).unwrap(), None);
    assert_eq!(all.dtz(&drawn).unwrap(), None);
    let mated = read(Game::default(), "7k/6Q1/6K1/8/8/8/8/8 b - -");
    assert_eq!(all.wdl(&mated).unwrap(), Wdl::Loss);
    assert_eq!(all.dtm(&mated).unwrap(), Some(Dtm(0)));
    assert_eq!(all.dtz(&mated).unwrap(), Some(Dtz(0)));
}

/// Who wins a game of High Chess is in the threshold curves alone.
#[test]
fn high_chess_has_no_distances() {
    let game = game("high-chess");
    let all = Tablebase::open(game, [shipped()]).unwrap();
    let curves = tables(game, &[Metric::Thresholds]);
    let mut wins = 0;
    for white in 1..=50 {
        for fen in ["8/8/8/3k4/8/8/8/K6R", "8/8/8/8/8/k7/8/K6R"] {
            for turn in ["w", "b"] {
                let position = read(game, &format!("{fen} {turn} - - {white}+50"));
                let value = all.value(&position).unwrap();
                assert_eq!(curves.wdl(&position).unwrap(), value.wdl);
                assert_eq!(curves.value(&position).unwrap(), value);
                assert_eq!(all.wdl(&position).unwrap(), value.wdl);
                wins += u32::from(value.wdl == Wdl::Win);
            }
        }
    }
    assert!(0 < wins && wins < 200, "{wins}");
    let position = read(game, "8/8/8/3k4/8/8/8/K6R w - -");
    for error in [
        all.dtm(&position).unwrap_err(),
        all.dtz(&position).unwrap_err(),
    ] {
        let unsupported = ProbeError::kind(&error);
        assert_eq!(unsupported, "unsupported", "{error}");
    }
    // And kings no fifty-move rule.
    let game = self::game("kings");
    let kings = Tablebase::open(game, [shipped()]).unwrap();
    let error = kings.dtz(&read(game, QUEEN)).unwrap_err();
    let metric = Metric::Dtz;
    let expected = Unsupported::Metric {
        game: "kings".to_owned(),
        metric,
    };
    assert!(
        matches!(&error, ProbeError::Unsupported(found) if *found == expected),
        "{error}"
    );
}

/// Facts that only tables of mates tell are null without them, and the result is there.
#[test]
fn high_chess_without_tables_of_mates() {
    let game = game("high-chess");
    let all = Tablebase::open(game, [shipped()]).unwrap();
    let curves = tables(game, &[Metric::Thresholds]);
    let include = Include {
        moves: true,
        line: true,
    };
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 6+50",
        "8/8/8/3k4/8/8/8/K6R w - - 5+50",
        "8/8/8/8/8/k7/8/K6R b - - 50+50",
        "8/8/8/8/Pk6/8/8/K7 w - - 50+50",
        "k7/8/1K6/8/8/8/8/R7 b - - 3+3",
    ] {
        let position = read(game, fen);
        let mut expected = all
            .answer_object(&position, include, |error| error.into())
            .unwrap();
        let answer = curves
            .answer_object(&position, include, |error| error.into())
            .unwrap();
        let winner = |object: &AnswerObject| {
            let moves = object.moves.iter().flatten();
            let mut moves: Vec<_> = moves.map(|m| (m.uci.clone(), m.winner)).collect();
            moves.sort();
            moves
        };
        assert_eq!(winner(&answer), winner(&expected), "{fen}");
        let mated = answer.checkmate.then_some("mate");
        assert_eq!(answer.win_by, Some(mated), "{fen}");
        assert!(answer.line.clone().flatten().is_some(), "{fen}");
        let vitality = answer.vitality.as_ref().unwrap().as_ref().unwrap();
        assert_eq!((vitality.white_mates, vitality.black_mates), (None, None));
        // All else is as with both tables, but the order of moves and so the line.
        let known = expected.vitality.as_mut().unwrap().as_mut().unwrap();
        (known.white_mates, known.black_mates) = (None, None);
        expected.win_by = answer.win_by;
        expected.moves.clone_from(&answer.moves);
        expected.line.clone_from(&answer.line);
        expected.line_end = answer.line_end;
        assert_eq!(answer, expected, "{fen}");
    }
}

/// A move wins with the vitality that it needs, and with no less.
#[test]
fn moves_say_what_the_mover_needs() {
    let game = game("high-chess");
    let tables = Tablebase::open(game, [shipped()]).unwrap();
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 6+50",
        "8/8/8/3k4/8/8/8/K6R b - - 9+3",
        // A move that mates, a capture and pawn moves are vital.
        "k7/8/1K6/8/8/8/8/7R w - - 1+50",
        "8/8/8/8/8/2k5/1R6/K7 b - - 50+2",
        "8/P7/8/8/8/1k6/8/K7 w - - 3+50",
        "8/8/8/8/Pk6/8/8/K7 w - - 4+7",
    ] {
        let start = read(game, fen);
        let (mover, counters) = (start.turn(), start.vitality().unwrap());
        let moves = tables.moves(&start).unwrap();
        let needs = |answer: &MoveAnswer| answer.needs.unwrap();
        let least = tables.vitality(&start).unwrap().needs(mover, counters);
        assert_eq!(moves.iter().map(needs).min(), Some(least), "{fen}");
        for points in 1..=50 {
            let position = start.with_vitality(counters.with(mover, points)).unwrap();
            let found = tables.moves(&position).unwrap();
            assert_eq!(found.len(), moves.len());
            for answer in &found {
                let given = moves.iter().find(|given| given.mv == answer.mv).unwrap();
                assert_eq!(answer.needs, given.needs, "{fen} {}", answer.uci);
                let wins = answer.winner() == Some(mover);
                let (uci, needs) = (answer.uci, needs(answer));
                assert_eq!(wins, points >= needs, "{fen} {uci} {points} of {needs}");
            }
        }
    }
}

/// A diagram is another position in another game, options included.
#[test]
fn tables_of_one_game_do_not_answer_for_another() {
    for (tables_of, asked) in [
        ("orthodox", "kings"),
        ("kings", "wild9"),
        ("kings", "kings:black-corner=h8"),
        ("king-of-the-hill", "orthodox"),
        ("high-chess", "orthodox"),
        ("orthodox", "high-chess"),
        ("high-chess", "high-chess:vitality=5"),
    ] {
        let tables = Tablebase::open(game(tables_of), [shipped()]).unwrap();
        let position = read(game(asked), "8/8/8/3k4/8/8/8/K6R w - -");
        for error in [
            tables.value(&position).map(drop).unwrap_err(),
            tables.wdl(&position).map(drop).unwrap_err(),
            tables.dtm(&position).map(drop).unwrap_err(),
            tables.dtz(&position).map(drop).unwrap_err(),
            tables.probe(&position).map(drop).unwrap_err(),
            tables.moves(&position).map(drop).unwrap_err(),
            tables.line(&position).map(drop).unwrap_err(),
            tables.vitality(&position).map(drop).unwrap_err(),
        ] {
            let expected = Unsupported::Game {
                position: asked.to_owned(),
                tables: tables_of.to_owned(),
            };
            assert!(
                matches!(&error, ProbeError::Unsupported(found) if *found == expected),
                "{error}"
            );
        }
    }
}

#[test]
fn errors_lead_to_their_causes() {
    let folder = tempfile::tempdir().unwrap();
    let material = Material::parse(Game::default(), "KQvK").unwrap();
    let path = table_path(folder.path(), Game::default(), &material, Metric::Wdl);
    std::fs::create_dir_all(&path).unwrap();
    let tables = Tablebase::open(Game::default(), [folder.path()]).unwrap();
    let error = tables.wdl(&read(Game::default(), QUEEN)).unwrap_err();
    let table = error.source().unwrap();
    assert!(
        table.downcast_ref::<Arc<TableError>>().is_some(),
        "{table:?}"
    );
    let fault = table.source().unwrap();
    assert!(fault.downcast_ref::<TableFault>().is_some(), "{fault:?}");
    let cause = fault.source().unwrap();
    assert!(
        cause.downcast_ref::<std::io::Error>().is_some(),
        "{cause:?}"
    );
    // All of it is said in one line, too.
    assert!(error.to_string().contains(&cause.to_string()), "{error}");
}
