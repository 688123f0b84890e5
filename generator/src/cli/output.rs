//! Writes a command's data to stdout, whether or not anyone still reads it.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

use super::failure::Failure;
use super::terminal::printable;

/// Buffered stdout.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
}

impl Output {
    /// Buffers stdout.
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

    /// Writes text from outside as one line; see [`printable`].
    pub(crate) fn foreign_line(&mut self, text: &str) -> Result<(), Failure> {
        self.line(printable(text).replace('\n', "\\n"))
    }

    /// Writes out the buffer. To be called at the end, since dropping the buffer
    /// would hide an error.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(|e| Failure::stdout(&e))
    }
}
