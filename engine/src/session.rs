//! What the sessions of both protocols have in common: they react to one event after the other
//! until it is time to leave.

use std::io::{self, BufRead};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::choice::Choice;
use crate::events::{self, Event};
use crate::thinker::Thinker;

/// How long `quit` waits at most for the answer to what was asked before. A thought that is
/// hurried ends much sooner.
const PARTING: Duration = Duration::from_secs(2);

/// How a session reacts.
pub(crate) trait Session {
    /// What thinks for it, and reports to it.
    fn thinker(&self) -> &Thinker;

    /// Whether it is to end.
    fn leaving(&self) -> Leaving;

    /// Reacts to a line.
    fn command(&mut self, line: &str) -> io::Result<()>;

    /// No more lines come.
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

/// Runs the session that is made with a thinker of its own, on these lines.
pub(crate) fn run<S: Session>(
    input: impl BufRead + Send + 'static,
    session: impl FnOnce(Thinker) -> S,
) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    events::read(input, sender.clone())?;
    let mut session = session(Thinker::new(sender));
    while let Some(event) = events::next(&receiver, session.leaving().until) {
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
