//! Range coder of models: reads and writes bits with adaptive probabilities.
//!
//! [`node_coding`](crate::node_coding) describes what is coded once for both reading and writing,
//! in terms of [`Coder`].

/// The probability that a bit is set, learned from the bits seen so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chance {
    /// Out of 65536.
    set: u16,
    seen: u8,
}

/// The step of a probability towards the newest bit, out of 65536, by the number
/// of bits that it has seen.
const RATES: [u16; 32] = {
    let mut rates = [0; 32];
    let mut seen = 0;
    while seen < 32 {
        rates[seen] = (131072 / (2 * seen as u32 + 3)) as u16;
        seen += 1;
    }
    rates
};

impl Chance {
    /// The chance before any bit has been seen.
    pub const NEW: Chance = Chance {
        set: 32768,
        seen: 0,
    };

    /// The probability out of 65536, and how many bits it has seen.
    pub(crate) const fn to_parts(self) -> (u16, u8) {
        (self.set, self.seen)
    }

    /// A probability from its parts: see [`Chance::to_parts`].
    pub(crate) const fn from_parts(set: u16, seen: u8) -> Chance {
        Chance { set, seen }
    }

    /// Out of 4096, from 1 to 4095.
    #[inline]
    fn of_4096(self) -> u32 {
        (u32::from(self.set) >> 4).clamp(1, 4095)
    }

    #[inline]
    pub(crate) fn learn(&mut self, bit: bool) {
        let rate = u32::from(RATES[usize::from(self.seen & 31)]);
        // Without a branch on the bit, which is hard to predict: towards 65535 if it is set,
        // else towards 0.
        let clear = u32::from(bit).wrapping_sub(1);
        let far = u32::from(self.set ^ !(clear as u16));
        let step = (far * rate) >> 16;
        self.set = u32::from(self.set).wrapping_add((step ^ clear).wrapping_sub(clear)) as u16;
        self.seen = (self.seen + 1).min(31);
    }
}

/// A reader or a writer of bits.
pub trait Coder {
    /// Whether bits are read; then the values passed in are ignored.
    const READS: bool;

    /// Codes a bit. A writer returns the bit it was given, a reader the bit it
    /// reads.
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool;

    /// Codes a number below `2^bits`, the highest bit first; `chances` has
    /// `2^bits` places.
    #[inline]
    fn number(&mut self, chances: &mut [Chance], bits: u32, number: u32) -> u32 {
        let mut node = 1u32;
        for place in (0..bits).rev() {
            let bit = number >> place & 1 != 0;
            let bit = match chances.get_mut(node as usize) {
                Some(chance) => self.bit(chance, bit),
                None => false,
            };
            node = node << 1 | u32::from(bit);
        }
        node ^ 1 << bits
    }

    /// Codes any number below `2^16`: of number + 1, the length in bits less one,
    /// then the bits below the highest; `chances` has 64 places.
    #[inline]
    fn any(&mut self, chances: &mut [Chance; 64], number: u32) -> u32 {
        let number = number + 1;
        let (lengths, highest) = chances.split_at_mut(32);
        let length = self.number(lengths, 5, number.ilog2()).min(16);
        let mut value = 1;
        for place in (0..length).rev() {
            let bit = number >> place & 1 != 0;
            let mut even = Chance::NEW;
            // The bit below the highest is not quite random; the others are.
            let chance = match highest.get_mut(length as usize) {
                Some(chance) if place + 1 == length => chance,
                _ => &mut even,
            };
            value = value << 1 | u32::from(self.bit(chance, bit));
        }
        value - 1
    }
}

/// Reads what an encoder wrote. Past the end it reads zero bytes.
#[derive(Debug)]
pub struct Decoder<'a> {
    bytes: &'a [u8],
    read: usize,
    range: u32,
    code: u32,
}

impl<'a> Decoder<'a> {
    /// Reads from the start of some bytes.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder {
            bytes,
            read: 0,
            range: u32::MAX,
            code: 0,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    #[inline]
    fn shift(&mut self) {
        let byte = self.bytes.get(self.read).copied().unwrap_or(0);
        self.read = self.read.saturating_add(1);
        self.code = self.code << 8 | u32::from(byte);
    }

    /// Whether more bytes were read than exist, so that the last values are made
    /// up.
    pub fn is_over(&self) -> bool {
        self.read > self.bytes.len()
    }

    /// Whether exactly all bytes were read.
    pub fn is_done(&self) -> bool {
        self.read == self.bytes.len()
    }
}

impl Coder for Decoder<'_> {
    const READS: bool = true;

    #[inline]
    fn bit(&mut self, chance: &mut Chance, _: bool) -> bool {
        let bound = (self.range >> 12) * chance.of_4096();
        let bit = self.code < bound;
        // As in `learn`, without a branch.
        let clear = u32::from(bit).wrapping_sub(1);
        self.code -= bound & clear;
        self.range = bound ^ ((bound ^ (self.range - bound)) & clear);
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        chance.learn(bit);
        bit
    }
}

/// Writes what a [`Decoder`] reads.
#[derive(Debug)]
pub struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    range: u32,
    /// A byte that a carry may still change, and how many bytes of 255 follow it.
    held: Option<u8>,
    full: u64,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder::new()
    }
}

impl Encoder {
    /// An encoder that has written nothing yet.
    pub fn new() -> Encoder {
        Encoder {
            bytes: Vec::new(),
            low: 0,
            range: u32::MAX,
            held: None,
            full: 0,
        }
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let top = (self.low >> 24) as u8;
        if top != 255 || carry != 0 {
            if let Some(held) = self.held {
                self.bytes.push(held.wrapping_add(carry));
            }
            for _ in 0..self.full {
                self.bytes.push(255u8.wrapping_add(carry));
            }
            self.full = 0;
            self.held = Some(top);
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00FF_FFFF) << 8;
    }

    /// About how many bytes have been written.
    pub fn len(&self) -> usize {
        self.bytes.len() + self.full as usize
    }

    /// Whether hardly anything has been written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes, exactly as many as a decoder reads.
    pub fn finish(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    const READS: bool = false;

    #[inline]
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        let bound = (self.range >> 12) * chance.of_4096();
        if bit {
            self.range = bound;
        } else {
            self.low += u64::from(bound);
            self.range -= bound;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        chance.learn(bit);
        bit
    }
}
