//! Talking to the program as chess programs do.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::common::{running, shipped};

/// The time to wait for a line before the program is taken to hang.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program in conversation.
pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    /// Starts a command with the tables that ship.
    pub(crate) fn begin(command: &str) -> Dialogue {
        let mut child = running()
            .args([command, "--tables"])
            .arg(shipped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Dialogue {
            input: child.stdin.take(),
            child,
            lines,
        }
    }

    pub(crate) fn send(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{text}").unwrap();
    }

    /// Reads lines up to one that begins with a word, that one last.
    #[track_caller]
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("{error} waiting for {word}: {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(word)) {
                return lines;
            }
        }
    }

    /// The next line that begins with a word.
    #[track_caller]
    pub(crate) fn answer(&mut self, word: &str) -> String {
        self.until(word).pop().unwrap()
    }

    /// Sends some lines, and waits for an answer.
    #[track_caller]
    pub(crate) fn ask(&mut self, text: &str, word: &str) -> String {
        self.send(text);
        self.answer(word)
    }

    /// Presses Ctrl-C, and returns the exit code; `None` if the signal itself ended the program.
    #[cfg(unix)]
    pub(crate) fn interrupted(mut self) -> Option<i32> {
        crate::common::interrupt(&self.child);
        self.child.wait().unwrap().code()
    }

    /// Ends the input, and returns the exit code and the lines that came until then.
    #[track_caller]
    pub(crate) fn end(mut self) -> (i32, Vec<String>) {
        drop(self.input.take());
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("{error} waiting for the end: {lines:#?}"),
            }
        }
        (self.child.wait().unwrap().code().unwrap(), lines)
    }
}

/// Nothing is left running if a test fails.
impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word after another one in a line.
#[track_caller]
pub(crate) fn after<'a>(line: &'a str, word: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|&w| w != word);
    words.nth(1).unwrap_or_else(|| panic!("{word} in {line}"))
}

/// Idle or thinking, the program ends as others do.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_engine() {
    for (command, greeting, answer, think) in [
        ("uci", "uci", "uciok", "position startpos\ngo infinite"),
        ("xboard", "protover 2", "feature done=1", "new\nanalyze"),
    ] {
        for thinks in [false, true] {
            let mut engine = Dialogue::begin(command);
            engine.ask(greeting, answer);
            if thinks {
                engine.send(think);
            }
            assert_eq!(engine.interrupted(), Some(75), "{command}");
        }
    }
}
