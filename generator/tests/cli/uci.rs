//! `retrograde uci`, through pipes.

use crate::common::{run, running, shipped};
use crate::dialogue::{Dialogue, after};

/// The last line of information, and the move.
#[track_caller]
pub(crate) fn go(engine: &mut Dialogue, position: &str, limits: &str) -> (String, String) {
    engine.send(&format!("position {position}"));
    engine.send(&format!("go {limits}"));
    let lines = engine.until("bestmove");
    let info = lines
        .iter()
        .rev()
        .find(|line| line.starts_with("info depth"));
    let best = after(lines.last().unwrap(), "bestmove").to_owned();
    (info.cloned().unwrap_or_else(|| panic!("{lines:#?}")), best)
}

#[test]
fn it_introduces_itself() {
    let mut engine = Dialogue::begin("uci");
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Retrograde "));
    for option in [
        "option name UCI_Variant type combo default orthodox var orthodox var high-chess ",
        "option name TablebasePath type string default <empty>",
        "option name Hash type spin",
        "option name Threads type spin",
        "option name UCI_ShowWDL type check default false",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(option)),
            "{option}"
        );
    }
    let variants = lines
        .iter()
        .find(|line| line.contains("UCI_Variant"))
        .unwrap();
    for name in [
        "chess99",
        "chess",
        "kingofthehill",
        "twokings",
        "extinction-mating",
    ] {
        assert!(variants.contains(&format!(" var {name}")), "{name}");
    }
    engine.send("isready");
    let lines = engine.until("readyok");
    assert!(
        lines[0].starts_with("info string 15 tables of orthodox in "),
        "{lines:?}"
    );
}

/// Tables are found whichever of the two options comes first.
#[test]
fn options_come_in_any_order() {
    let mut running = Dialogue::begin("uci");
    let folder = tempfile::tempdir().unwrap();
    let path = format!("setoption name TablebasePath value {}", shipped().display());
    let other = format!(
        "setoption name TablebasePath value {}",
        folder.path().display()
    );
    let variant = "setoption name uci_variant value king-of-the-hill";
    for order in [[&*path, variant], [variant, &*path]] {
        running.ask("setoption name UCI_Variant value chess\nisready", "readyok");
        running.ask(&format!("{other}\nisready"), "readyok");
        order.iter().for_each(|line| running.send(line));
        let position = "fen 8/8/2k5/8/8/2K5/8/8 w - - 0 1";
        let (info, best) = go(&mut running, position, "movetime 10");
        assert!(info.contains(" score mate 1 "), "{info}");
        assert_eq!(best, "c3d4");
    }
    // A list of folders, some empty or absent.
    let separator = if cfg!(windows) { ';' } else { ':' };
    let list = format!(
        "{separator}/nowhere{separator}{}{separator}",
        shipped().display()
    );
    running.send(&format!("setoption name TablebasePath value {list}"));
    running.send("isready");
    let lines = running.until("readyok");
    assert!(
        lines[0].contains(" tables of king-of-the-hill in /nowhere, "),
        "{lines:?}"
    );
}

/// Against the longest defence it takes what the table says, not a ply more.
#[test]
fn wins_take_the_shortest_way() {
    let mut engine = Dialogue::begin("uci");
    engine.send("setoption name UCI_ShowWDL value true");
    for (variant, start, plies) in [
        ("chess", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 17),
        ("chess", "4k3/8/4K3/8/4P3/8/8/8 b - - 0 1", 24),
        ("chess99", "9/9/9/4k4/9/9/9/3A5/K8 w - - 0 1", 29),
        ("extinction-mating", "8/8/8/8/3k4/8/8/K1Q5 b - - 0 1", 18),
        ("kings", "8/8/8/8/3K3k/8/1K6/8 w - - 0 1", 25),
        ("twokings", "8/8/2k5/8/8/8/2K5/2K5 w - - 0 1", 31),
    ] {
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        let mut moves = String::new();
        for left in (1..=plies).rev() {
            let position = format!("fen {start} moves{moves}");
            let (info, best) = go(&mut engine, &position, "wtime 1000 btime 1000");
            let (mate, wdl) = match left % 2 {
                1 => ((left + 1) / 2, " wdl 1000 0 0 "),
                _ => (-left / 2, " wdl 0 0 1000 "),
            };
            assert!(info.contains(&format!(" score mate {mate} ")), "{info}");
            assert!(info.contains(wdl), "{info}");
            assert_ne!(after(&info, "tbhits"), "0");
            let line = info.split(" pv ").nth(1).unwrap();
            assert_eq!(line.split(' ').count(), left as usize, "{info}");
            assert_eq!(line.split(' ').next(), Some(&*best));
            moves.push_str(&format!(" {best}"));
        }
        let (info, best) = go(&mut engine, &format!("fen {start} moves{moves}"), "");
        assert_eq!(best, "(none)");
        assert!(info.contains(" score mate 0 "), "{info}");
    }
}

/// The shortest mate comes too late; after a capture there is time.
#[test]
fn the_fifty_move_rule_comes_first() {
    let mut engine = Dialogue::begin("uci");
    let fen = "fen 8/4k3/8/5K2/4p3/2Q5/8/8 w - - 99 60";
    let (info, best) = go(&mut engine, fen, "depth 7");
    assert!(info.contains(" score mate 7 pv f5e4 "), "{info}");
    assert!(best.starts_with("f5e4"), "{best}");
}

#[test]
fn draws_are_draws() {
    let mut engine = Dialogue::begin("uci");
    engine.send("setoption name UCI_ShowWDL value true");
    for (fen, score) in [
        ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", "cp 0 wdl 0 1000 0"),
        // The fifty-move rule ends the game first.
        ("8/8/8/3k4/8/8/8/KQ6 w - - 90 120", "cp 1 wdl 0 1000 0"),
        ("8/8/8/3k4/8/8/8/KQ6 b - - 90 120", "cp -1 wdl 0 1000 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0 wdl 0 1000 0"),
    ] {
        let (info, _) = go(&mut engine, &format!("fen {fen}"), "depth 1");
        assert!(info.contains(&format!(" score {score}")), "{info}");
    }
    // The pawn has to move now, or the win is gone.
    let fen = "fen 8/8/8/8/8/7P/3K4/6k1 w - - 99 90";
    let (info, best) = go(&mut engine, fen, "movetime 10");
    assert!(
        info.contains(" wdl 1000 0 0 ") && info.contains(" mate "),
        "{info}"
    );
    assert_eq!(best, "h3h4");
    let (_, best) = go(&mut engine, &fen.replace("99", "0"), "movetime 10");
    assert_eq!(best, "d2d3");
}

/// No counters are plies to a mate.
#[test]
fn high_chess_above_the_tables() {
    let mut engine = Dialogue::begin("uci");
    engine.send("setoption name UCI_Variant value high-chess");
    let fen = "fen 7k/8/R7/1R6/8/8/8/K7 w - - 50+50 0 1";
    let (info, best) = go(&mut engine, fen, "depth 3");
    assert!(info.contains(" score cp 20000 pv a6a7 "), "{info}");
    assert!(best.starts_with("a6a7"), "{best}");
}

/// A pass is `0000`, and may be given as the king's square twice.
#[test]
fn high_chess_passes() {
    let mut engine = Dialogue::begin("uci");
    engine.send("setoption name UCI_Variant value high-chess");
    let fen = "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1";
    let (info, best) = go(
        &mut engine,
        &format!("fen {fen} moves h1h4 d5d5"),
        "movetime 10",
    );
    assert!(info.contains(" score cp 20000 pv "), "{info}");
    let (_, same) = go(
        &mut engine,
        &format!("fen {fen} moves h1h4 0000"),
        "movetime 10",
    );
    assert_eq!(best, same);
    let (_, pass) = go(&mut engine, &format!("fen {fen}"), "searchmoves 0000");
    assert_eq!(pass, "0000");
    // Without counters in the FEN they are full.
    let (info, _) = go(&mut engine, "fen 8/8/8/8/8/2k5/8/K6R b - - 3+50", "");
    assert!(info.contains(" score cp 20000 "), "{info}");
}

/// A move is held back until `stop`, or until the other side has moved as expected.
#[test]
fn thinking_goes_on_until_it_is_stopped() {
    let mut engine = Dialogue::begin("uci");
    engine.ask("isready", "readyok");
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/2r5/8/3k4/8/8/8/KQ5R w - - 0 1",
    ] {
        for (limits, release) in [
            ("infinite", "stop"),
            ("ponder wtime 100 btime 100", "ponderhit"),
            ("ponder movetime 10", "stop"),
            ("ponder infinite", "ponderhit\nisready\nstop"),
        ] {
            engine.send(&format!("position fen {fen}\ngo {limits}"));
            for _ in 0..3 {
                engine.send("isready");
                let lines = engine.until("readyok");
                assert!(
                    !lines.iter().any(|line| line.starts_with("bestmove")),
                    "{lines:?}"
                );
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            engine.send("go movetime 1");
            engine.answer("info string already thinking");
            engine.send(release);
            engine.answer("bestmove");
        }
    }
    // A second `stop` says nothing.
    engine.send("stop\nponderhit\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
}

/// A line that means nothing is told, and changes nothing.
#[test]
fn nonsense_is_passed_over() {
    let mut engine = Dialogue::begin("uci");
    engine.ask("isready", "readyok");
    engine.send("position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    for line in [
        "hello",
        "position",
        "position start",
        "position fen",
        "position fen 8/8/8/8 w - -",
        "position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1 moves b1b9",
        "position startpos moves e2e5",
        "position fen \u{1b}[31m",
        "setoption",
        "setoption name",
        "setoption name Speed value 3",
        "setoption name Hash value much",
        "setoption name Threads value 0",
        "setoption name UCI_ShowWDL value 1",
        "setoption name UCI_Variant value crazyhouse",
        "setoption name UCI_Variant value kings:board=9x9",
        &"x".repeat(3 << 20),
    ] {
        engine.send(line);
        let told = engine.answer("info string");
        assert!(!told.contains('\u{1b}'), "{told}");
    }
    engine.send("\n   \ndebug on\nregister later\nucinewgame\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    // There is nothing to move in a position that was refused.
    assert_eq!(engine.ask("go movetime 5", "bestmove"), "bestmove (none)");
    engine.send("position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    // Words before a command are passed over, and so are unknown words after it.
    engine.send("joho go depth x sideways 3 movetime 5");
    let best = engine.answer("bestmove");
    assert_eq!(after(&best, "bestmove"), "a1b2");
}

/// Programs that do not wait for answers get all of them, in order.
#[test]
fn commands_wait_for_a_thought_to_end() {
    let mut engine = Dialogue::begin("uci");
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/2r5/8/3k4/8/8/8/KQ5R w - - 0 1",
        "8/8/8/8/8/1k6/8/K6R w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}\ngo movetime 40"));
    }
    let (code, lines) = engine.end();
    let best = lines.iter().filter(|line| line.starts_with("bestmove"));
    let best: Vec<&str> = best.map(|line| after(line, "bestmove")).collect();
    assert_eq!((code, best.len()), (0, 3), "{lines:#?}");
    assert_eq!((best[0], best[2]), ("a1b2", "h1c1"));
}

#[test]
fn some_moves_only() {
    let mut engine = Dialogue::begin("uci");
    engine.send("setoption name MultiPV value 4");
    engine.send("position fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    engine.send("go searchmoves a1a2 b1e4 b1b2 movetime 10");
    let lines = engine.until("bestmove");
    let shown: Vec<(&str, &str)> = lines
        .iter()
        .filter(|line| line.starts_with("info depth"))
        .map(|line| (after(line, "multipv"), after(line, "pv")))
        .collect();
    assert_eq!(shown, [("1", "a1a2"), ("2", "b1b2"), ("3", "b1e4")]);
    assert!(lines[lines.len() - 2].contains(" score cp 0 "), "{lines:?}");
}

/// The moves are those of `probe`.
#[test]
fn moves_are_those_of_a_probe() {
    let mut engine = Dialogue::begin("uci");
    let shipped = shipped();
    for (game, fen) in [
        ("orthodox", "8/8/8/8/8/1k6/8/K6R w - - 0 1"),
        ("high-chess", "8/8/8/8/8/2k5/8/K6R w - - 20+30 0 1"),
        ("wild9", "8/8/8/4k3/8/8/7R/K7 w - - 0 1"),
        ("extinction", "8/P7/8/8/8/8/8/K5k1 w - - 0 1"),
        ("king-of-the-hill", "8/8/8/8/8/2K5/7p/6k1 w - - 0 1"),
    ] {
        let command = ["probe", game, fen, "--moves", "--json", "--tables"];
        let probe = run(&[&command[..], &[shipped.to_str().unwrap()]].concat()).json();
        engine.send(&format!("setoption name UCI_Variant value {game}"));
        let (_, best) = go(&mut engine, &format!("fen {fen}"), "movetime 10");
        assert_eq!(probe["moves"][0]["uci"], best, "{game} {fen}");
    }
}

/// A script that sends everything at once gets its answer, at once.
#[test]
fn quit_comes_after_the_answer() {
    for (fen, limits, best) in [
        (
            "8/8/8/3k4/8/8/8/KQ6 w - -",
            "infinite\nstop",
            "bestmove a1b2",
        ),
        ("8/8/8/3k4/8/8/8/KQ6 w - -", "infinite", "bestmove a1b2"),
        ("8/8/8/3k4/8/8/8/KQ6 w - -", "movetime 200", "bestmove a1b2"),
        ("8/8/8/3k4/8/8/8/KQ6 w - -", "ponder", "bestmove a1b2"),
        (
            "8/2r5/8/3k4/8/8/8/KQ5R w - -",
            "infinite\nstop",
            "bestmove ",
        ),
        (
            "8/2r5/8/3k4/8/8/8/KQ5R w - -",
            "movetime 600000",
            "bestmove ",
        ),
    ] {
        let mut engine = Dialogue::begin("uci");
        engine.send(&format!("position fen {fen}\ngo {limits}\nquit\ngo"));
        let (code, lines) = engine.end();
        let moves = lines.iter().filter(|line| line.starts_with("bestmove"));
        assert_eq!((code, moves.count()), (0, 1), "{limits}: {lines:?}");
        assert!(lines.last().unwrap().starts_with(best), "{lines:?}");
    }
}

#[test]
fn it_ends_when_nobody_talks_or_listens() {
    let mut engine = Dialogue::begin("uci");
    engine.send("position fen 8/2r5/8/3k4/8/8/8/KQ5R w - - 0 1\ngo infinite");
    let (code, lines) = engine.end();
    assert_eq!(code, 0);
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    let mut deaf = running().arg("uci").spawn().unwrap();
    drop(deaf.stdout.take());
    use std::io::Write;
    // The program may have ended before the last line.
    let _ = writeln!(deaf.stdin.take().unwrap(), "uci\nisready");
    let ended = deaf.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
}

/// A position that has occurred twice is a draw when it occurs again: a side that is lost goes
/// there, and one that wins neither goes there nor lets the other side do so.
#[test]
fn the_game_so_far_counts() {
    let mut engine = Dialogue::begin("uci");
    engine.send("setoption name UCI_ShowWDL value true");
    let lost = "fen 8/8/8/7k/8/8/8/KQ6 w - - 0 1 moves a1b2 h5g5 b2a1 g5h5 a1b2 h5g5 b2a1";
    let (info, best) = go(&mut engine, lost, "");
    assert_eq!(best, "g5h5");
    assert!(info.contains(" score cp 0 wdl 0 1000 0 pv g5h5"), "{info}");
    let won = "fen 8/8/8/3k4/8/8/8/KQ6 w - - 0 1 moves a1b2 d5d6 b2a1 d6d5 a1b2 d5d6 b2a1 d6e5";
    let (info, best) = go(&mut engine, won, "");
    assert_ne!(best, "a1b2");
    assert!(info.contains(" score mate "), "{info}");
    engine.send("setoption name MultiPV value 500");
    engine.send(&format!("position {won}\ngo"));
    let lines = engine.until("bestmove");
    let allowing = lines.iter().find(|line| line.contains(" pv a1b2"));
    assert!(allowing.unwrap().contains(" score cp 0 "), "{lines:#?}");
    // The same above the tables, where the rules know of it.
    engine.send("setoption name MultiPV value 1");
    let above = "fen 4k3/8/8/8/8/8/8/KQRRBB2 b - - 0 1 \
                 moves e8e7 a1a2 e7e8 a2a1 e8e7 a1a2 e7e8 a2a1";
    engine.send(&format!("position {above}\ngo nodes 3000"));
    assert_eq!(after(&engine.answer("bestmove"), "bestmove"), "e8e7");
    // Without a fifty-move rule there is none of repetition.
    engine.send("setoption name UCI_Variant value extinction-mating");
    let (info, _) = go(&mut engine, lost, "");
    assert!(info.contains(" score mate -"), "{info}");
}

/// Castling as other programs write it, and where other programs allow more.
#[test]
fn castling_of_others() {
    let mut engine = Dialogue::begin("uci");
    for moves in ["e1h1", "e1g1"] {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        engine.send(&format!("position fen {fen} moves {moves} e8c8\nisready"));
        let lines = engine.until("readyok");
        assert!(
            !lines.iter().any(|line| line.contains("refused")),
            "{lines:?}"
        );
    }
    engine.send("setoption name UCI_Variant value twokings");
    let array = "rnbqkknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKKNR";
    for (field, moves, is_legal) in [
        ("KQkq", "e2e4 e7e5", true),
        ("Kk", "e2e4", true),
        ("KQkq", "d2d4 a7a6 c1f4 a6a5 b1c3 a5a4 d1d3 b7b6 e1c1", true),
        ("Kkq", "d2d4 a7a6 c1f4 a6a5 b1c3 a5a4 d1d3 b7b6 e1c1", false),
    ] {
        let position = format!("position fen {array} w {field} - 0 1 moves {moves}");
        engine.send(&format!("{position}\nisready"));
        let lines = engine.until("readyok");
        let is_refused = lines.iter().any(|line| line.contains("refused"));
        assert_eq!(is_refused, !is_legal, "{field} {moves}: {lines:?}");
    }
}
