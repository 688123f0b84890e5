//! Reads little-endian fields from bytes; it is an error if the bytes end before.

use crate::error::TableFault;

const TOO_SHORT: TableFault = TableFault::Header("it is too short");

/// A position in some bytes.
pub(in crate::format) struct HeaderReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> HeaderReader<'a> {
    /// Starts at the first byte.
    pub(in crate::format) fn new(bytes: &'a [u8]) -> HeaderReader<'a> {
        HeaderReader { bytes, at: 0 }
    }

    /// Skips some bytes.
    pub(in crate::format) fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next bytes.
    pub(in crate::format) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], TableFault> {
        let bytes = self.rest().first_chunk::<N>().ok_or(TOO_SHORT)?;
        self.at += N;
        Ok(*bytes)
    }

    /// The next 16 bits.
    pub(in crate::format) fn u16(&mut self) -> Result<u16, TableFault> {
        self.bytes().map(u16::from_le_bytes)
    }

    /// The next 32 bits.
    pub(in crate::format) fn u32(&mut self) -> Result<u32, TableFault> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// The next 64 bits.
    pub(in crate::format) fn u64(&mut self) -> Result<u64, TableFault> {
        self.bytes().map(u64::from_le_bytes)
    }

    /// A length in one byte, and as many bytes of ASCII.
    pub(in crate::format) fn text(&mut self) -> Result<&'a str, TableFault> {
        let [length] = self.bytes()?;
        let text = self.rest().get(..length.into()).ok_or(TOO_SHORT)?;
        self.at += text.len();
        let text = std::str::from_utf8(text).ok().filter(|t| t.is_ascii());
        text.ok_or(TOO_SHORT)
    }

    /// A text whose length takes two bytes.
    pub(in crate::format) fn long_text(&mut self) -> Result<&'a str, TableFault> {
        let length = self.u16()?;
        let text = self.rest().get(..length.into()).ok_or(TOO_SHORT)?;
        self.at += text.len();
        let text = std::str::from_utf8(text).ok().filter(|t| t.is_ascii());
        text.ok_or(TOO_SHORT)
    }

    /// Skips to the next multiple of 8; it is an error if a skipped byte is missing or not zero.
    pub(in crate::format) fn align(&mut self) -> Result<(), TableFault> {
        let end = self.at.next_multiple_of(8);
        let padding = self.bytes.get(self.at..end);
        self.at = end;
        match padding.is_some_and(|p| p.iter().all(|&b| b == 0)) {
            true => Ok(()),
            false => Err(TableFault::Header("its padding is not zero")),
        }
    }

    /// Whether everything has been read.
    pub(in crate::format) fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }
}
