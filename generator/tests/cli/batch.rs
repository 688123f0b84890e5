//! Positions from stdin, and readers that leave.

use std::io::{BufRead, BufReader, Read, Write};

use crate::common::{FEN, Ran, run, run_with, running, tables};

fn probe(args: &[&str], input: impl Into<Vec<u8>>) -> Ran {
    let there = ["probe", "orthodox", "--tables", tables().to_str().unwrap()];
    run_with(&[&there[..], args].concat(), input)
}

#[test]
fn every_line_gets_one_answer() {
    let input = format!("{FEN}\n\nrubbish\n   \n{FEN}\r\n8/8/8/3k4/8/8/8/KQQ5 w - -\n{FEN}");
    for dash in [&["-"][..], &[]] {
        let ran = probe(&[dash, &["--json"]].concat(), input.clone());
        // The missing table has a larger exit code than the bad lines.
        assert_eq!(ran.code, 3);
        assert_eq!(ran.stderr, "");
        let lines = ran.lines();
        assert_eq!(lines.len(), 7);
        let piece_types: Vec<Option<String>> = lines
            .iter()
            .map(|line| {
                let answer: serde_json::Value = serde_json::from_str(line).unwrap();
                let kind = answer["error"]["kind"].as_str();
                // Facts are reported for positions.
                let known = answer["category"].as_str().is_some_and(|c| c != "unknown");
                assert_eq!(kind.is_none(), known);
                kind.map(str::to_owned)
            })
            .collect();
        let piece_types: Vec<Option<&str>> = piece_types.iter().map(Option::as_deref).collect();
        assert_eq!(
            piece_types,
            [
                None,
                Some("bad-fen"),
                Some("bad-fen"),
                Some("bad-fen"),
                None,
                Some("missing-table"),
                None
            ]
        );
    }
    let ran = probe(&[], input);
    assert_eq!(ran.code, 3);
    let lines = ran.lines();
    assert_eq!(lines.len(), 7);
    assert!(lines[0].ends_with("White mates in 9 moves (17 plies)"));
    assert!(lines[1].starts_with("error: \"\": "), "{}", lines[1]);
    assert!(lines[2].starts_with("error: \"rubbish\": "), "{}", lines[2]);
}

/// Every FEN on the command line has an answer: why it is none is said beside the answers.
#[test]
fn every_argument_gets_one_answer() {
    let ran = probe(&["bad", FEN, "", "8/8/8/3k4/8/8/8/KKQ5 w - -"], "");
    assert_eq!(ran.code, 2);
    let lines = ran.lines();
    assert_eq!(lines.len(), 4, "{}", ran.stdout);
    assert_eq!(lines[0], "error: bad-fen");
    assert!(lines[1].starts_with(FEN), "{}", lines[1]);
    assert_eq!(lines[2], "error: bad-fen");
    assert_eq!(lines[3], "error: illegal-position");
    let reasons: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(reasons.len(), 3, "{}", ran.stderr);
    assert!(
        reasons[0].starts_with("error: \"bad\": at byte"),
        "{}",
        reasons[0]
    );
}

/// Every line has an answer where no table can be looked at, too; so has a FEN.
#[test]
fn no_folder_of_tables() {
    let file = tables().join("orthodox").join("KQvK.dtm");
    let mated = "8/8/8/8/8/1k6/1q6/K7 w - -";
    let there = ["probe", "orthodox", "--tables", file.to_str().unwrap()];
    let input = format!("{FEN}\nrubbish\n\n{mated}\n");
    let ran = run_with(
        &[&there[..], &["--json", "--moves"]].concat(),
        input.clone(),
    );
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let answers: Vec<serde_json::Value> = ran
        .lines()
        .into_iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<&str> = answers
        .iter()
        .map(|answer| answer["error"]["kind"].as_str().unwrap())
        .collect();
    let unreadable = "unreadable-table";
    assert_eq!(kinds, [unreadable, "bad-fen", "bad-fen", unreadable]);
    let message = answers[0]["error"]["message"].as_str().unwrap();
    assert!(message.contains("KQvK.dtm"), "{message}");
    assert!(message.contains("name another folder"), "{message}");
    // What the rules know stands beside it.
    assert_eq!(answers[0]["category"], "unknown");
    assert_eq!(answers[0]["moves"].as_array().unwrap().len(), 22);
    assert_eq!(answers[3]["end"], "checkmate");

    let ran = run_with(&[&there[..], &["-"]].concat(), input);
    assert_eq!((ran.code, ran.lines().len()), (5, 4), "{}", ran.stdout);
    assert!(ran.lines()[0].contains("KQvK.dtm"), "{}", ran.stdout);
    assert_eq!(run_with(&there, "").code, 5);
    let ran = run_with(&[&there[..], &["--json", FEN]].concat(), "");
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert_eq!(ran.json()["error"]["kind"], unreadable);
    let ran = run_with(&[&there[..], &[FEN]].concat(), "");
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert_eq!(ran.stdout, format!("{FEN}: unknown\n"));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("name another folder"), "{}", ran.stderr);
}

#[test]
fn errors_say_where() {
    let ran = probe(&["--json"], "8/8/8/3k4/8/8/8/KX6 w - -\n");
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stdout,
        concat!(
            r#"{"fen":"8/8/8/3k4/8/8/8/KX6 w - -","error":{"kind":"bad-fen","message":"#,
            r#""at byte 17: \"X\" is not a piece of orthodox; its pieces are KQRBNP, "#,
            r#"in lower case for Black","offset":17}}"#,
            "\n"
        )
    );
    let ran = probe(&["--json"], b"8/8/8/\xFF w - -\n".to_vec());
    assert_eq!(ran.code, 2);
    let answer = ran.json();
    assert_eq!(answer["error"]["kind"], "bad-fen");
    assert_eq!(answer["error"]["offset"], 6);
    let ran = probe(&["--json"], "8/8/8/3k4/8/8/8/KKQ5 w - -\n");
    let answer = ran.json();
    assert_eq!(answer["error"]["kind"], "illegal-position");
    assert_eq!(answer["error"]["offset"], serde_json::Value::Null);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    let ran = probe(&[], format!("\u{feff}{FEN}\n\u{feff}{FEN}\n"));
    assert_eq!(ran.code, 2);
    let lines = ran.lines();
    assert!(lines[0].starts_with(FEN), "{}", lines[0]);
    assert!(lines[1].starts_with("error: "), "{}", lines[1]);
}

/// A line that is too long is no FEN, however well it begins; the lines after it are read.
#[test]
fn a_line_that_is_too_long() {
    let spaces = " ".repeat(4096 - FEN.len());
    let fits = format!("{FEN}{spaces}");
    let ran = probe(&["--json"], format!("\u{feff}{fits}\r\n{fits}"));
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    for rest in [" ", "\r ", "  garbage", &" ".repeat(100_000)] {
        let long = format!("{FEN}{spaces}{rest}");
        let ran = probe(&["--json"], format!("\u{feff}{long}\r\n{long}\n{FEN}"));
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        assert_eq!(ran.lines().len(), 3);
        for line in &ran.lines()[..2] {
            let answer: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(answer["error"]["kind"], "bad-fen");
            assert_eq!(answer["error"]["offset"], 4096);
            assert!(answer["fen"].as_str().unwrap().starts_with(FEN));
            assert!(line.len() < 5000);
        }
        assert!(ran.lines()[2].contains(r#""category":"win""#));
    }
    let ran = probe(&[], format!("{fits} \n"));
    let told = ": at byte 4096: a FEN has at most 4096 bytes\n";
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.ends_with(told), "{}", ran.stdout);
}

#[test]
fn no_lines_no_answers() {
    let ran = probe(&["--json"], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
}

#[test]
fn answers_come_at_once() {
    let mut child = running()
        .args(["probe", "orthodox", "-", "--json", "--tables"])
        .arg(tables())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for fen in [FEN, "", FEN] {
        writeln!(stdin, "{fen}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.ends_with("}\n"), "{line}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn a_reader_who_leaves_does_no_harm() {
    let lines = format!("{FEN}\n").repeat(20_000);
    let probe = ["probe", "orthodox", "-"];
    let folder = ["--tables", tables().to_str().unwrap()];
    for args in [
        [&probe[..], &folder].concat(),
        [&probe[..], &["--json"], &folder].concat(),
        vec!["plan", "orthodox", "--men", "5"],
        vec!["plan", "orthodox", "--men", "5", "--format", "dot"],
        vec!["completions", "bash"],
        [&["stats", "orthodox", "KQvK"][..], &folder].concat(),
        [&["verify", "orthodox"][..], &folder].concat(),
        [&["check"][..], &folder].concat(),
        vec!["--help"],
    ] {
        let mut child = running().args(&args).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        if args[0] == "probe" {
            stdin.write_all(&lines.as_bytes()[..200]).unwrap();
            stdout.read_exact(&mut [0; 10]).unwrap();
        }
        drop(stdout);
        // The program may be gone before it has read everything.
        let _ = stdin.write_all(lines.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            !stderr.contains("error") && !stderr.contains("panic"),
            "{stderr}"
        );
    }
}

/// Nothing is lost by it, but callers are told.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_batch() {
    let mut child = running().args(["probe", "orthodox"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(b"8/8/8/3k4/8/8/8/K7 w - -\n").unwrap();
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.contains("draw"), "{line}");
    crate::common::interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(75));
}

/// Lists of EPD: the clocks count, and an `id` comes back.
#[test]
fn epd() {
    let queen = "8/8/8/3k4/8/8/8/KQ6 w - -";
    let list = [
        format!("{queen} hmvc 90; fmvn 3;"),
        format!("{queen} bm Qb5+; id \"KQK.1\";"),
        format!("{queen} 90 100 bm Qb5+; id two words;"),
        format!("{queen} 0 1 ;D1 20 ;D2 60"),
        "8/8/8/3k4/8/8/8/KK6 w - - id \"kings\";".to_owned(),
        format!("{queen} bm Qb5+"),
        format!("{queen} id \"open;"),
    ];
    let ran = probe(&["--json"], format!("\u{feff}{}\r\n", list.join("\r\n")));
    assert_eq!(ran.code, 2);
    let told: Vec<serde_json::Value> = ran
        .lines()
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let column = |name: &str| -> Vec<serde_json::Value> {
        told.iter().map(|line| line[name].clone()).collect()
    };
    let null = serde_json::Value::Null;
    assert_eq!(column("clock")[..4], [90, 0, 90, 0]);
    assert_eq!(
        column("category")[..4],
        ["cursed-win", "win", "cursed-win", "win"]
    );
    assert_eq!(column("fen")[0], format!("{queen} 90 3"));
    assert_eq!(column("fen")[2], format!("{queen} 90 100"));
    let ids = ["KQK.1", "two words", "kings"].map(serde_json::Value::from);
    let [one, two, five] = ids;
    assert_eq!(
        column("id"),
        [
            null.clone(),
            one,
            two,
            null.clone(),
            five,
            null.clone(),
            null
        ]
    );
    assert_eq!(told[4]["error"]["kind"], "illegal-position");
    for (line, words) in [(5, "ended by a semicolon"), (6, "no closing quote")] {
        let message = told[line]["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{message}");
    }
    // Other commands take a single FEN, and say so.
    let ran = run(&["perft", "orthodox", &list[0], "--depth", "1"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("is an operation of EPD"),
        "{}",
        ran.stderr
    );
}
