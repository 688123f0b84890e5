//! Reading little-endian fields; reads past the end give `None`.

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

    /// The next bytes.
    pub(in crate::format) fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(*bytes)
    }

    /// The next 16 bits.
    pub(in crate::format) fn u16(&mut self) -> Option<u16> {
        self.bytes().map(u16::from_le_bytes)
    }

    /// The next 32 bits.
    pub(in crate::format) fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// The next 64 bits.
    pub(in crate::format) fn u64(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    /// A length in one byte, and as many bytes of ASCII.
    pub(in crate::format) fn text(&mut self) -> Option<&'a str> {
        let [length] = self.bytes()?;
        let text = self.bytes.get(self.at..)?.get(..length as usize)?;
        self.at += text.len();
        std::str::from_utf8(text).ok().filter(|t| t.is_ascii())
    }

    /// Skips to the next multiple of 8; `false` if a skipped byte is missing or not zero.
    pub(in crate::format) fn align(&mut self) -> bool {
        let end = self.at.next_multiple_of(8);
        let padding = self.bytes.get(self.at..end);
        self.at = end;
        padding.is_some_and(|p| p.iter().all(|&b| b == 0))
    }

    /// Whether everything has been read.
    pub(in crate::format) fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }
}
