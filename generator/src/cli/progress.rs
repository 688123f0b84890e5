//! Progress on stderr: a bar on a terminal, plain lines in a log.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::output::message;

/// How a bar looks while it is not known how much there is to do, and then.
const SPINNER: &str = "{spinner} {prefix} {wide_msg}";
const BAR: &str = "{spinner} {prefix} {msg:<20} [{bar:30}] {percent:>3} %  {elapsed} (ETA {eta})";

/// Shows how far the work is. Clones show it in the same place.
#[derive(Clone)]
pub(crate) struct Progress {
    /// Only on a terminal.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar if people are looking at stderr.
    pub(crate) fn new() -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Progress { bar }
    }

    /// Whether there is a bar, so that no lines are needed.
    pub(crate) fn has_bar(&self) -> bool {
        self.bar.is_some()
    }

    /// Writes a line to stderr.
    pub(crate) fn say(&self, text: &str) {
        self.beside_bar(|| message(text));
    }

    /// Does something that writes to the terminal while the bar is away.
    pub(crate) fn beside_bar<T>(&self, task: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(task),
            None => task(),
        }
    }

    /// A new piece of work begins.
    pub(crate) fn begin(&self, name: String) {
        if let Some(bar) = &self.bar {
            bar.set_prefix(name);
            self.phase("");
        }
    }

    /// A new part of the work begins, of which it is not known how long it
    /// is.
    pub(crate) fn phase(&self, name: &'static str) {
        if let Some(bar) = &self.bar {
            set_style(bar, SPINNER);
            bar.set_message(name);
            bar.set_length(0);
        }
    }

    /// So much is done.
    pub(crate) fn at(&self, done: u64, total: u64) {
        if let Some(bar) = &self.bar {
            if bar.length() != Some(total) {
                bar.reset();
                bar.set_length(total);
                set_style(bar, BAR);
            }
            bar.set_position(done);
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_sound() {
        for template in [SPINNER, BAR] {
            ProgressStyle::with_template(template).unwrap();
        }
    }
}
