//! Runs an engine session of either protocol: lines of the other program in, moves out.
//!
//! The parts that both protocols have in common are here. Sessions think in a thread of their own,
//! and react to one event after the other, lines of the other program and moves that have been
//! found, until it is time to leave.

use std::io::{self, BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::choose::{Choice, Task, choose};

/// The name and version that other programs show.
pub(crate) const NAME: &str = concat!("Retrograde ", env!("CARGO_PKG_VERSION"));

/// The longest time that `quit` waits for the answer to what was asked before. A thought that is
/// hurried ends much sooner.
const PARTING: Duration = Duration::from_secs(2);

/// The reactions of a session.
pub(crate) trait Session {
    /// The thinker that reports to it.
    fn thinker(&self) -> &Thinker;

    /// Whether it is to end.
    fn leaving(&self) -> Leaving;

    /// Reacts to a line.
    fn command(&mut self, line: &str) -> io::Result<()>;

    /// Ends the session: no more lines come.
    fn end(&mut self) -> io::Result<()>;

    /// Reacts to what is known so far of the thought in progress.
    fn progress(&mut self, choice: &Choice) -> io::Result<()>;

    /// Reacts to the end of that thought.
    fn thought(&mut self, choice: Choice) -> io::Result<()>;

    /// Takes up what had to wait, after any event.
    fn go_on(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a session is to end: not yet, when what was asked for is answered, or, by `quit`,
/// even without an answer after some time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leaving {
    pub(crate) ending: bool,
    until: Option<Instant>,
}

impl Leaving {
    /// The end that `quit` asks for.
    pub(crate) fn soon() -> Leaving {
        Leaving {
            ending: true,
            until: Some(Instant::now() + PARTING),
        }
    }
}

/// Text from outside, on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// Runs the session that is made with a thinker of its own, on these lines.
pub(crate) fn run<S: Session>(
    input: impl BufRead + Send + 'static,
    session: impl FnOnce(Thinker) -> S,
) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    read_lines(input, sender.clone())?;
    let mut session = session(Thinker::new(sender));
    while let Some(event) = next_event(&receiver, session.leaving().until) {
        match event {
            // After `quit` nothing is listened to.
            Event::Line(_) if session.leaving().until.is_some() => {}
            Event::Line(line) => session.command(&line)?,
            Event::End => session.end()?,
            Event::Progress(number, choice) if session.thinker().is_current(number) => {
                session.progress(&choice)?;
            }
            Event::Thought(number, choice) if session.thinker().is_current(number) => {
                session.thought(choice)?;
            }
            Event::Progress(..) | Event::Thought(..) => {}
        }
        session.go_on()?;
        if session.leaving().ending && !session.thinker().is_busy() {
            break;
        }
    }
    Ok(())
}

/// A thinker of one thought at a time.
pub(crate) struct Thinker {
    events: Sender<Event>,
    /// The number of the last thought.
    last: u64,
    /// Stops the thought in progress.
    current: Option<Arc<AtomicBool>>,
    /// The alarm that is to hurry that thought; it is off when this is dropped.
    alarm: Option<Sender<()>>,
}

impl Thinker {
    /// A thinker that reports to someone.
    fn new(events: Sender<Event>) -> Thinker {
        Thinker {
            events,
            last: 0,
            current: None,
            alarm: None,
        }
    }

    /// Begins a thought; one in progress is given up, and nothing more is heard of it.
    pub(crate) fn start(&mut self, task: Task) -> io::Result<()> {
        self.give_up();
        self.last += 1;
        let (number, listener) = (self.last, self.events.clone());
        let stop = Arc::new(AtomicBool::new(false));
        self.current = Some(Arc::clone(&stop));
        start(move || {
            let progress = listener.clone();
            let think = || {
                choose(&task, &stop, &mut |choice| {
                    // Nobody may be listening any more; here and below.
                    let _ = progress.send(Event::Progress(number, choice));
                })
            };
            // A fault of this program ends in no move, but is not waited for.
            let choice = catch_unwind(AssertUnwindSafe(think)).unwrap_or_else(|_| Choice {
                notes: vec!["thinking ended by a fault of this program".to_owned()],
                ..Choice::default()
            });
            let _ = listener.send(Event::Thought(number, choice));
        })
    }

    /// Whether an event is of the thought in progress.
    fn is_current(&self, number: u64) -> bool {
        self.current.is_some() && number == self.last
    }

    /// Whether a thought is in progress.
    pub(crate) fn is_busy(&self) -> bool {
        self.current.is_some()
    }

    /// Makes the thought in progress come to its end soon.
    pub(crate) fn hurry(&self) {
        if let Some(stop) = &self.current {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Makes it come to its end after some time, if it has not ended by then.
    pub(crate) fn hurry_after(&mut self, time: Duration) -> io::Result<()> {
        if let Some(stop) = self.current.clone() {
            let (alarm, dropped) = mpsc::channel();
            self.alarm = Some(alarm);
            start(move || {
                if dropped.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    stop.store(true, Ordering::Relaxed);
                }
            })?;
        }
        Ok(())
    }

    /// Takes note that the thought has ended.
    pub(crate) fn finished(&mut self) {
        (self.current, self.alarm) = (None, None);
    }

    /// Stops the thought in progress, and forgets it.
    pub(crate) fn give_up(&mut self) {
        self.hurry();
        self.finished();
    }
}

/// The most bytes of a line; more than the longest game needs.
const MOST_LINE_BYTES: u64 = 1 << 20;

/// An event that a session reacts to.
enum Event {
    /// A line without its end.
    Line(String),
    /// There are no more lines.
    End,
    /// The choice so far of a thought, by its number.
    Progress(u64, Choice),
    /// The end of a thought.
    Thought(u64, Choice),
}

/// The next event; `None` if there are no more, or if it does not come in time.
fn next_event(events: &Receiver<Event>, until: Option<Instant>) -> Option<Event> {
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
fn read_lines(mut input: impl BufRead + Send + 'static, events: Sender<Event>) -> io::Result<()> {
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
fn start(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
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
        read_lines("\u{feff}uci\n\u{feff}go".as_bytes(), sender).unwrap();
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
