//! Thinking in a thread of its own, so that commands are answered meanwhile.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use crate::choice::{Choice, Task};
use crate::choose::choose;
use crate::events::{self, Event};

/// One thought at a time.
pub(crate) struct Thinker {
    events: Sender<Event>,
    /// The number of the last thought.
    last: u64,
    /// Stops the thought in progress.
    current: Option<Arc<AtomicBool>>,
    /// What waits to hurry that thought gives up when this is dropped.
    alarm: Option<Sender<()>>,
}

impl Thinker {
    /// A thinker that reports to someone.
    pub(crate) fn new(events: Sender<Event>) -> Thinker {
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
        events::start(move || {
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
    pub(crate) fn is_current(&self, number: u64) -> bool {
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

    /// The same after some time, if it has not ended by then.
    pub(crate) fn hurry_after(&mut self, time: Duration) -> io::Result<()> {
        if let Some(stop) = self.current.clone() {
            let (alarm, dropped) = mpsc::channel();
            self.alarm = Some(alarm);
            events::start(move || {
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
