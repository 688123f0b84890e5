//! Stops the work of a command at Ctrl-C or a signal to end, such as SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::failure::Status;
use super::progress::Progress;

/// Whether the work should stop.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts listening. `first` is printed at the first Ctrl-C; the second ends
    /// the program at once and may leave a partial file, which the next run
    /// removes.
    pub(crate) fn listen(progress: &Progress, first: &'static str) -> Interrupt {
        let progress = progress.clone();
        Interrupt::listen_while(|| true, first, move |text| progress.say(text))
    }

    /// Starts listening, for a program that the first Ctrl-C is to end as well while nothing
    /// `is_busy`; `say` prints.
    pub(crate) fn listen_while(
        is_busy: impl Fn() -> bool + Send + 'static,
        first: &'static str,
        say: impl Fn(&str) + Clone + Send + 'static,
    ) -> Interrupt {
        let interrupt = Interrupt(Arc::default());
        let (flag, print) = (Arc::clone(&interrupt.0), say.clone());
        let listening = ctrlc::set_handler(move || {
            if !is_busy() || flag.swap(true, Ordering::Relaxed) {
                std::process::exit(Status::Interrupted as i32);
            }
            print(first);
        });
        if let Err(error) = listening {
            say(&format!(
                "cannot catch Ctrl-C ({error}); it will stop the program at once"
            ));
        }
        interrupt
    }

    /// Makes it end the program at once, where nothing is lost by that.
    pub(crate) fn ends_the_program() {
        // If it cannot be caught, it ends the program too, though without the exit code.
        let _ = ctrlc::set_handler(|| std::process::exit(Status::Interrupted as i32));
    }

    /// The flag that is set when it happens.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether it has happened.
    pub(crate) fn happened(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
