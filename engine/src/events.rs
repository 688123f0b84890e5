//! What a session reacts to: lines of the other program, and moves that have been found.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::Instant;

use crate::choice::Choice;

/// The most bytes of a line; more than the longest game needs.
const MOST_LINE_BYTES: u64 = 1 << 20;

/// See the module.
pub(crate) enum Event {
    /// A line without its end.
    Line(String),
    /// There are no more lines.
    End,
    /// What is known so far of a thought, by its number.
    Progress(u64, Choice),
    /// The end of a thought.
    Thought(u64, Choice),
}

/// The next event; `None` if there are no more, or if it does not come in time.
pub(crate) fn next(events: &Receiver<Event>, until: Option<Instant>) -> Option<Event> {
    match until {
        None => events.recv().ok(),
        Some(until) => {
            let left = until.saturating_duration_since(Instant::now());
            events.recv_timeout(left).ok()
        }
    }
}

/// Reads lines in a thread of their own, until there are no more or nobody listens. What
/// is no UTF-8 is replaced.
pub(crate) fn read(
    mut input: impl BufRead + Send + 'static,
    events: Sender<Event>,
) -> io::Result<()> {
    start(move || {
        let mut first = true;
        while let Ok(Some(mut line)) = read_line(&mut input) {
            if std::mem::take(&mut first) {
                // Some programs write a byte-order mark first.
                line = line.trim_start_matches('\u{feff}').trim_start().to_owned();
            }
            if events.send(Event::Line(line)).is_err() {
                return;
            }
        }
        // Nobody may be listening any more.
        let _ = events.send(Event::End);
    })
}

/// Starts a thread; the error is one of [`io::ErrorKind::OutOfMemory`], whatever is short.
pub(crate) fn start(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let started = thread::Builder::new().spawn(task);
    started.map(drop).map_err(|error| {
        let text = format!("cannot start a thread: {error}");
        io::Error::new(io::ErrorKind::OutOfMemory, text)
    })
}

/// The next line; of one far too long the beginning.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = input
        .by_ref()
        .take(MOST_LINE_BYTES)
        .read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    while !bytes.ends_with(b"\n") {
        let mut rest = Vec::new();
        if input
            .by_ref()
            .take(MOST_LINE_BYTES)
            .read_until(b'\n', &mut rest)?
            == 0
        {
            break;
        }
        if rest.ends_with(b"\n") {
            bytes.push(b'\n');
        }
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        let (sender, receiver) = std::sync::mpsc::channel();
        read("\u{feff}uci\n\u{feff}go".as_bytes(), sender).unwrap();
        let lines: Vec<String> = receiver
            .iter()
            .filter_map(|event| match event {
                Event::Line(line) => Some(line),
                _ => None,
            })
            .collect();
        assert_eq!(lines, ["uci", "\u{feff}go"]);
    }

    #[test]
    fn lines_of_all_kinds() {
        let long = "x".repeat(3 << 20);
        let text = format!("one\r\n\n two \n{long}\n\u{e9}");
        let mut input = text.as_bytes();
        for expected in ["one", "", "two", &long[..1 << 20], "\u{e9}"] {
            assert_eq!(read_line(&mut input).unwrap().as_deref(), Some(expected));
        }
        assert_eq!(read_line(&mut input).unwrap(), None);
    }
}
