//! Ctrl-C, and what the system sends instead of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Status;
use super::output::message;

/// Whether somebody wants the work to stop.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen; `first` is said when the first Ctrl-C arrives. The
    /// second ends the program at once.
    pub(crate) fn listen(first: &'static str) -> Interrupt {
        let flag = Arc::new(AtomicBool::new(false));
        let interrupt = Interrupt(Arc::clone(&flag));
        let listening = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(Status::Interrupted as i32);
            }
            message(first);
        });
        if let Err(error) = listening {
            message(&format!(
                "cannot listen for Ctrl-C ({error}); it will stop the work at once"
            ));
        }
        interrupt
    }

    /// Whether it has happened.
    pub(crate) fn happened(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
