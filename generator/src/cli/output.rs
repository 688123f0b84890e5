//! Writing to stdout and stderr so that a reader who leaves does no harm.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

use super::failure::Failure;

/// Writes a line to stderr. If nobody reads it, it is lost.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Buffered stdout.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
}

impl Output {
    /// Takes hold of stdout.
    pub(crate) fn new() -> Output {
        Output {
            stdout: BufWriter::new(io::stdout()),
        }
    }

    /// Writes a line of text.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        writeln!(self.stdout, "{text}").map_err(|e| Failure::stdout(&e))
    }

    /// Writes a value as JSON on one line.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|e| Failure::stdout(&e.into()))?;
        self.line(text)
    }

    /// Writes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.stdout.write_all(bytes);
        written.map_err(|e| Failure::stdout(&e))
    }

    /// Hands on what was written. To be called at the end, where an error
    /// would go unnoticed otherwise.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(|e| Failure::stdout(&e))
    }
}
