//! Shows progress on stderr: a bar on a terminal, plain lines in a log.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::message;

/// The bar while the amount of work is unknown, and once it is known.
const SPINNER: &str = "{spinner} {prefix} {wide_msg}";
const BAR: &str = "{spinner} {prefix} {msg} [{wide_bar}] {percent:>3} %  {elapsed} (ETA {eta})";

/// Shows progress. Clones share one bar.
#[derive(Clone)]
pub(crate) struct Progress {
    /// The bar; `None` unless stderr is a terminal.
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Makes progress with a bar if stderr is a terminal.
    pub(crate) fn new() -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Progress::with(bar)
    }

    /// Makes progress with this bar, unless nobody would see it: a terminal that can do little
    /// (`TERM=dumb`) is written to like a log.
    fn with(bar: Option<ProgressBar>) -> Progress {
        Progress {
            bar: bar.filter(|bar| !bar.is_hidden()),
        }
    }

    /// Whether there is a bar, so that no lines are needed.
    pub(crate) fn has_bar(&self) -> bool {
        self.bar.is_some()
    }

    /// Writes a line to stderr.
    pub(crate) fn say(&self, text: &str) {
        self.beside_bar(|| message(text));
    }

    /// Hides the bar while something else writes to the terminal.
    pub(crate) fn beside_bar<T>(&self, task: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(task),
            None => task(),
        }
    }

    /// Begins a new piece of work.
    pub(crate) fn begin(&self, name: String) {
        if let Some(bar) = &self.bar {
            bar.set_prefix(name);
            self.phase("");
        }
    }

    /// Begins a new part of the work, of unknown length.
    pub(crate) fn phase(&self, name: &'static str) {
        if let Some(bar) = &self.bar {
            set_style(bar, SPINNER);
            bar.set_message(name);
            bar.set_length(0);
        }
    }

    /// Reports that `done` of `total` is done.
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

    /// Removes the bar.
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal of 80 columns that remembers the widest line.
    #[derive(Debug, Default)]
    struct Terminal(AtomicUsize);

    #[derive(Debug)]
    struct Shared(Arc<Terminal>);

    impl TermLike for Shared {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            // The bar pads its lines with spaces.
            let columns = text.trim_end().chars().count();
            self.0.0.fetch_max(columns, Ordering::Relaxed);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn bars_fit_into_80_columns() {
        let terminal = Arc::new(Terminal::default());
        let target = ProgressDrawTarget::term_like(Box::new(Shared(Arc::clone(&terminal))));
        let bar = ProgressBar::with_draw_target(None, target);
        let progress = Progress { bar: Some(bar) };
        progress.begin("[1234/1234] KQRBvKNP".to_owned());
        progress.phase("counting fifty moves");
        for done in [0, 499, 999, 1000] {
            progress.at(done, 1000);
            progress.bar.as_ref().unwrap().force_draw();
        }
        let widest = terminal.0.load(Ordering::Relaxed);
        assert!((60..=80).contains(&widest), "{widest}");
    }

    #[test]
    fn hidden_bars_are_none() {
        let target = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(None, target);
        assert!(!Progress::with(Some(bar)).has_bar());
        assert!(!Progress::with(None).has_bar());
    }

    #[test]
    fn templates_are_sound() {
        for template in [SPINNER, BAR] {
            ProgressStyle::with_template(template).unwrap();
        }
    }
}
