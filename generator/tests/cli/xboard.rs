//! `retrograde xboard`, through pipes.

use crate::dialogue::{Dialogue, after};

/// The program after the first commands of any other.
fn begin() -> Dialogue {
    let mut engine = Dialogue::begin("xboard");
    engine.send("xboard\nprotover 2\naccepted ping");
    engine.answer("feature done=1");
    engine.send("new\nrandom\nlevel 40 5 0\nhard");
    engine
}

/// A position in force mode.
fn set(engine: &mut Dialogue, variant: &str, fen: &str) {
    engine.send(&format!("new\nvariant {variant}\nforce\nsetboard {fen}"));
}

#[test]
fn it_introduces_itself() {
    let mut engine = Dialogue::begin("xboard");
    engine.send("xboard\nprotover 2");
    let lines = engine.until("feature done=1");
    assert_eq!(lines[0], "");
    let all = lines.join(" ");
    for feature in [
        "ping=1",
        "setboard=1",
        "playother=1",
        "san=0",
        "usermove=1",
        "time=1",
        "sigint=0",
        "reuse=1",
        "analyze=1",
        "myname=\"Retrograde ",
        "variants=\"orthodox,high-chess,chess99,",
        ",normal,",
        ",twokings,",
    ] {
        assert!(all.contains(feature), "{feature}: {all}");
    }
}

#[test]
fn other_boards_are_set_up() {
    let mut engine = begin();
    assert_eq!(
        engine.ask("variant chess99", "setup"),
        "setup (PNBRQ..A.............Kpnbrq..a.............k) 9x9+0_fairy \
         rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w - - 0 1"
    );
    assert!(
        engine
            .ask("variant kings:board=10x10,chancellor=on", "setup")
            .starts_with("setup (PNBRQ...C............Kpnbrq...c............k) 10x10+0_fairy ")
    );
    // Ranks are numbered from 0 there.
    engine.send("force\nusermove e2e4\nusermove e3e5\nping 1");
    assert_eq!(engine.until("pong 1"), ["Illegal move: e3e5", "pong 1"]);
    engine.send("variant shogi\nping 2");
    assert!(engine.until("pong 2")[0].starts_with("Error (there is no game \"shogi\""));
}

/// A win against the longest defence, claimed at its end.
#[test]
fn a_game_is_played_and_won() {
    let mut engine = begin();
    for (variant, fen, plies, end) in [
        (
            "normal",
            "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
            17,
            "1-0 {checkmate}",
        ),
        (
            "chess99",
            "9/9/9/4k4/9/9/9/3A5/K8 w - - 0 1",
            29,
            "1-0 {king-capture}",
        ),
        (
            "kingofthehill",
            "8/8/8/8/8/2K5/8/6k1 b - - 0 1",
            2,
            "1-0 {hill}",
        ),
    ] {
        set(&mut engine, variant, fen);
        engine.send("post");
        for left in (1..=plies).rev() {
            // Each `go` plays one move; the engine then plays the other side's next.
            engine.send("force\ngo");
            let lines = engine.until("move");
            let thought: Vec<&str> = lines[lines.len() - 2].split(' ').collect();
            let moves = (left + 1) / 2;
            let score = if left % 2 == 1 {
                100_000 + moves
            } else {
                -100_000 - moves
            };
            assert_eq!(thought[..2], ["1", &score.to_string()], "{lines:?}");
            assert_eq!(thought[4], after(&lines[lines.len() - 1], "move"));
        }
        assert_eq!(engine.answer(end), end);
    }
}

#[test]
fn sides_are_changed() {
    let mut engine = begin();
    set(&mut engine, "normal", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    // It plays Black, and waits for White's move.
    engine.send("playother\nping 1");
    assert_eq!(engine.until("pong 1"), ["pong 1"]);
    engine.send("usermove b1b4");
    engine.answer("move");
    engine.send("force\nusermove b4a4\nundo\nremove\nusermove b1b3\nping 2");
    assert_eq!(engine.until("pong 2"), ["pong 2"]);
    engine.send("undo\nundo\nping 3");
    assert_eq!(
        engine.until("pong 3"),
        ["Error (there is no such move): undo", "pong 3"]
    );
    // After `new` it plays Black from the array.
    engine.send("new\nst 1\nusermove e2e4");
    engine.answer("move");
    // No more than this is asked of it.
    engine.send("result 1-0 {White mates}\nusermove d2d4\nping 4");
    let lines = engine.until("pong 4");
    assert!(
        !lines.iter().any(|line| line.starts_with("move")),
        "{lines:?}"
    );
}

#[test]
fn wrong_moves_are_refused() {
    let mut engine = begin();
    set(&mut engine, "normal", "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1");
    engine.send(
        "usermove f7f1x\nusermove e2e4\nusermove\nfoo bar\n\
         e2e4\nf7f9\nKxf7\nQf1x\n@@@@\nO-O\na7a8q\nping 1",
    );
    assert_eq!(
        engine.until("pong 1"),
        [
            "Illegal move: f7f1x",
            "Illegal move: e2e4",
            "Illegal move: ",
            "Error (unknown command): foo bar",
            "Illegal move: e2e4",
            "Illegal move: f7f9",
            "Illegal move: Kxf7",
            "Error (unknown command): Qf1x",
            "Illegal move: @@@@",
            "Illegal move: O-O",
            "Illegal move: a7a8q",
            "pong 1",
        ]
    );
    engine.send("setboard 8/8/8/8 w\nlevel x\ntime soon\nmemory 0\noption Speed=1\nping 2");
    let lines = engine.until("pong 2");
    assert!(
        lines[0].starts_with("tellusererror Illegal position: at byte "),
        "{lines:?}"
    );
    assert!(
        lines[1..5].iter().all(|line| line.starts_with("Error (")),
        "{lines:?}"
    );
    // The position has stayed, and stalemate is a draw; people may type moves by name.
    engine.send("Kg6\nping 3");
    assert_eq!(engine.until("pong 3")[0], "1/2-1/2 {stalemate}");
}

#[test]
fn passes_and_draws() {
    let mut engine = begin();
    set(&mut engine, "high-chess", "8/8/8/3k4/8/8/8/K6R b - - 0 1");
    engine.send("usermove @@@@\nping 1");
    let lines = engine.until("pong 1");
    assert!(
        !lines.iter().any(|line| line.starts_with("Illegal")),
        "{lines:?}"
    );
    // A draw is agreed to where there is nothing better.
    set(&mut engine, "normal", "8/8/8/8/4k3/8/4P3/4K3 b - - 0 1");
    engine.send("draw\nping 2");
    // That opens the tables, which is told.
    let lines = engine.until("pong 2");
    assert!(lines[0].starts_with("# 15 tables of orthodox"), "{lines:?}");
    assert_eq!(lines[1..], ["offer draw", "pong 2"]);
    set(&mut engine, "normal", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    engine.send("draw\nhint\nping 3");
    assert_eq!(engine.until("pong 3"), ["Hint: a1b2", "pong 3"]);
    // What the rules of orthodox chess end is claimed.
    set(&mut engine, "normal", "8/8/8/3k4/8/8/8/KQ6 w - - 99 90");
    assert_eq!(
        engine.ask("usermove b1b2", "1/2"),
        "1/2-1/2 {fifty-move rule}"
    );
    set(&mut engine, "normal", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let round = "usermove b1b2\nusermove d5e6\nusermove b2b1\nusermove e6d5";
    assert_eq!(
        engine.ask(&format!("{round}\n{round}"), "1/2"),
        "1/2-1/2 {repetition}"
    );
}

/// `?` makes it move, and `ping` waits for that.
#[test]
fn thinking_is_cut_short() {
    let mut engine = begin();
    set(&mut engine, "normal", "8/2r5/8/3k4/8/8/8/KQ5R w - - 0 1");
    engine.send("st 1000\ngo\nping 1\n?");
    let lines = engine.until("pong 1");
    assert!(lines[lines.len() - 2].starts_with("move "), "{lines:?}");
    assert!(lines.contains(&"# no table KQRvKR".to_owned()), "{lines:?}");
    // A thought that is given up is heard of no more.
    engine.send("force\nundo\ngo\nforce\nping 2");
    assert!(
        !engine
            .until("pong 2")
            .iter()
            .any(|line| line.starts_with("move"))
    );
    // Every position is analysed, until that ends.
    set(&mut engine, "normal", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    assert!(engine.ask("analyze", "1 100009 ").contains(" a1b2 "));
    assert!(engine.ask("usermove b1b2", "1 -1000").contains(" d5"));
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
    engine.ask(&format!("new\nsetboard {fen}"), "1 100009 ");
    engine.send("exit\nping 3");
    engine.until("pong 3");
    // Leaving, it makes the move that it was asked for, and no other.
    engine.send("analyze\nquit");
    let (code, lines) = engine.end();
    assert_eq!(code, 0);
    assert!(
        !lines.iter().any(|line| line.starts_with("move ")),
        "{lines:?}"
    );
    let mut engine = begin();
    set(&mut engine, "normal", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    engine.send("go\nquit");
    assert_eq!(engine.answer("move"), "move a1b2");
    assert_eq!(engine.end().0, 0);
}

/// Values know the game so far, here as over UCI.
#[test]
fn repetitions_are_looked_for_and_avoided() {
    let mut engine = begin();
    let play = |engine: &mut Dialogue, fen: &str, moves: &str| {
        set(engine, "normal", fen);
        for text in moves.split(' ') {
            engine.send(&format!("usermove {text}"));
        }
    };
    let fen = "8/8/8/7k/8/8/8/KQ6 w - - 0 1";
    play(&mut engine, fen, "a1b2 h5g5 b2a1 g5h5 a1b2 h5g5 b2a1");
    engine.send("draw\nhint\nping 1");
    let lines = engine.until("pong 1");
    assert!(
        lines.ends_with(&["offer draw", "Hint: g5h5", "pong 1"].map(str::to_owned)),
        "{lines:?}"
    );
    engine.send("go");
    assert_eq!(engine.answer("move"), "move g5h5");
    assert_eq!(engine.answer("1/2"), "1/2-1/2 {repetition}");
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
    play(&mut engine, fen, "a1b2 d5d6 b2a1 d6d5 a1b2 d5d6 b2a1 d6e5");
    engine.send("go");
    assert_ne!(engine.answer("move"), "move a1b2");
}
