//! The program: what it writes, and how it ends.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::common::shipped;

/// Starts the program on a free port. Returns it with the first line that it writes.
fn start(arguments: &[&str]) -> (Child, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_retrograde-server"))
        .args(["--listen", "localhost:0", "--tables"])
        .arg(shipped())
        .args(arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let stderr = program.stderr.take().unwrap();
    BufReader::new(stderr).read_line(&mut line).unwrap();
    (program, line)
}

#[test]
fn every_line_of_a_json_log_is_json() {
    let (mut program, line) = start(&["--log-format", "json"]);
    program.kill().unwrap();
    program.wait().unwrap();
    let line: Value = serde_json::from_str(&line).unwrap();
    let message = line["message"].as_str().unwrap();
    assert!(message.starts_with("serving "), "{message}");
}

/// The first signal lets requests finish, the second does not wait for them.
#[test]
#[cfg(unix)]
fn a_second_signal_stops_at_once() {
    let (mut program, line) = start(&[]);
    let (_, address) = line.trim_end().split_once(" at http://").unwrap();
    let mut client = TcpStream::connect(address.trim_end_matches('/')).unwrap();
    let head = "POST /api/orthodox/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n";
    client.write_all(head.as_bytes()).unwrap();
    let mut status = [0; 12];
    client.read_exact(&mut status).unwrap();
    assert_eq!(&status, b"HTTP/1.1 200");
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
