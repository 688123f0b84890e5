//! Tests the program: what it writes, and how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::shipped;

/// The log that the program writes.
type Log = BufReader<ChildStderr>;

/// Starts the program on a free port. Returns it with the first line that it writes, and what
/// comes after that.
fn start(folder: &Path, arguments: &[&str]) -> (Child, String, Log) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde-server"))
        .args(["--listen", "localhost:0", "--tables"])
        .arg(folder)
        .args(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut line, mut log) = (
        String::new(),
        BufReader::new(program.stderr.take().unwrap()),
    );
    log.read_line(&mut line).unwrap();
    (program, line, log)
}

/// Sends a request to a program, given the first line that it wrote, and expects a status.
fn ask(line: &str, request: &str, status: &str) -> TcpStream {
    let (_, address) = line.trim_end().split_once(" at http://").unwrap();
    let mut client = TcpStream::connect(address.trim_end_matches('/')).unwrap();
    client.write_all(request.as_bytes()).unwrap();
    let mut begin = [0; 12];
    client.read_exact(&mut begin).unwrap();
    assert_eq!(begin, format!("HTTP/1.1 {status}").as_bytes());
    client
}

#[test]
fn every_line_of_a_json_log_is_json() {
    let (mut program, line, _log) = start(&shipped(), &["--log-format", "json"]);
    program.kill().unwrap();
    program.wait().unwrap();
    let line: Value = serde_json::from_str(&line).unwrap();
    let message = line["message"].as_str().unwrap();
    assert!(message.starts_with("serving "), "{message}");
}

/// Failures are logged whatever else is not.
#[test]
fn a_log_of_errors_has_requests_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let orthodox = folder.path().join("orthodox");
    std::fs::create_dir(&orthodox).unwrap();
    let table = std::fs::read(shipped().join("orthodox/KQvK.wdl")).unwrap();
    std::fs::write(orthodox.join("KQvK.wdl"), &table[..200]).unwrap();
    let (mut program, line, mut log) = start(folder.path(), &["--log", "error"]);
    let request = "GET /api/orthodox?fen=8/8/8/3k4/8/8/8/KQ6_w_-_- HTTP/1.1\r\nHost: x\r\n\r\n";
    ask(&line, request, "500");
    // Ends the log, or a program that logs nothing would be waited for.
    std::thread::sleep(Duration::from_millis(200));
    program.kill().unwrap();
    program.wait().unwrap();
    let mut lines = String::new();
    log.read_to_string(&mut lines).unwrap();
    assert!(lines.contains("request failed"), "{lines}");
}

/// However much clients ask in vain, and however long their addresses are.
#[test]
fn mistakes_of_clients_do_not_fill_the_log() {
    let (mut program, line, mut log) = start(&shipped(), &["--log", "warn"]);
    let read = std::thread::spawn(move || {
        let mut lines = String::new();
        log.read_to_string(&mut lines).unwrap();
        lines
    });
    let request = format!(
        "GET /api/orthodox?fen={} HTTP/1.1\r\nHost: x\r\n\r\n",
        "8".repeat(8000)
    );
    let mut client = ask(&line, &request, "400");
    for _ in 0..500 {
        client.write_all(request.as_bytes()).unwrap();
    }
    client
        .write_all(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answers = String::new();
    client.read_to_string(&mut answers).unwrap();
    assert!(answers.matches("bad-fen").count() > 400);
    let long = format!(
        "{} /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "X".repeat(8000)
    );
    ask(&line, &long, "405");
    program.kill().unwrap();
    program.wait().unwrap();
    let lines = read.join().unwrap();
    assert!(lines.contains("request refused"), "{lines}");
    assert!(lines.len() < 100_000, "{}", lines.len());
}

/// The first signal lets requests finish, the second does not wait for them.
#[test]
#[cfg(unix)]
fn a_second_signal_stops_at_once() {
    let (mut program, line, _log) = start(&shipped(), &[]);
    let request = "POST /api/orthodox/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n";
    let _client = ask(&line, request, "200");
    // The rest of the batch never comes. Signals that come too soon after each other are one.
    for _ in 0..50 {
        let id = program.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        std::thread::sleep(Duration::from_millis(100));
        if let Some(ended) = program.try_wait().unwrap() {
            assert_eq!(ended.code(), Some(75));
            return;
        }
    }
    program.kill().unwrap();
    panic!("it goes on");
}
