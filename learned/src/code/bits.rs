//! A string of bits, from the lowest bit of its first byte on.

/// Adds bits behind some bytes.
pub(super) struct Bits<'b> {
    bytes: &'b mut Vec<u8>,
    /// How many bytes there were before.
    before: usize,
    /// Bits that are not whole bytes yet, and how many.
    last: u64,
    open: u32,
}

impl Bits<'_> {
    pub(super) fn behind(bytes: &mut Vec<u8>) -> Bits<'_> {
        Bits {
            before: bytes.len(),
            bytes,
            last: 0,
            open: 0,
        }
    }

    /// How many bits were added.
    pub(super) fn len(&self) -> u64 {
        8 * (self.bytes.len() - self.before) as u64 + u64::from(self.open)
    }

    /// Adds the lowest bits of a number, at most 32.
    pub(super) fn add(&mut self, number: u32, count: u32) {
        self.last |= (u64::from(number) & ((1 << count) - 1)) << self.open;
        self.open += count;
        while self.open >= 8 {
            self.bytes.push(self.last as u8);
            self.last >>= 8;
            self.open -= 8;
        }
    }

    /// Adds zeros up to so many bits.
    pub(super) fn pad(&mut self, len: u64) {
        while self.len() < len {
            self.add(0, (len - self.len()).min(32) as u32);
        }
    }

    /// Adds zeros up to a whole byte.
    pub(super) fn finish(mut self) {
        self.pad(self.len().next_multiple_of(8));
    }
}
