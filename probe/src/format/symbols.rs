//! Packs and reads symbols of 0, 1, 2, 4, 8 or 16 bits without gaps.
//!
//! The first symbol is in the lowest bits of the first byte. Unused bits of the last byte
//! are 0. For 16-bit symbols all low bytes come first, then all high bytes: most of these
//! are 0, which makes them compress better by a tenth.

/// The possible widths.
pub(crate) const WIDTHS: [u8; 6] = [0, 1, 2, 4, 8, 16];

/// The least width for a number of different symbols.
#[cfg(any(feature = "write", test))]
pub(crate) fn width(symbols: usize) -> u8 {
    WIDTHS
        .into_iter()
        .find(|&bits| symbols <= 1 << bits)
        .unwrap_or(16)
}

/// The number of bytes that a number of symbols takes.
pub(crate) fn packed_len(symbols: usize, bits: u8) -> usize {
    (symbols * bits as usize).div_ceil(8)
}

/// The symbol at a place; 0 beyond the end.
#[inline]
pub(crate) fn get(packed: &[u8], bits: u8, place: usize) -> u16 {
    let byte = |at: usize| packed.get(at).map_or(0, |&b| u16::from(b));
    match bits {
        0 => 0,
        16 => {
            let count = packed.len() / 2;
            if place < count {
                byte(place) | byte(count + place) << 8
            } else {
                0
            }
        }
        _ => {
            let bit = place * bits as usize;
            byte(bit / 8) >> (bit % 8) & ((1 << bits) - 1)
        }
    }
}

/// Passes on the first `count` symbols in order.
#[inline]
pub(crate) fn for_each(packed: &[u8], bits: u8, count: usize, mut each: impl FnMut(u16)) {
    match bits {
        0 => (0..count).for_each(|_| each(0)),
        8 => packed.iter().take(count).for_each(|&b| each(u16::from(b))),
        16 => {
            let (low, high) = packed.split_at(packed.len() / 2);
            for (&low, &high) in low.iter().zip(high).take(count) {
                each(u16::from_le_bytes([low, high]));
            }
        }
        _ => {
            let mask = (1u16 << bits) - 1;
            let mut left = count;
            for &byte in packed {
                let mut byte = u16::from(byte);
                for _ in 0..left.min(8 / bits as usize) {
                    each(byte & mask);
                    byte >>= bits;
                    left -= 1;
                }
            }
        }
    }
}

/// Packs symbols one after another into `packed`, which is emptied first.
#[cfg(any(feature = "write", test))]
pub(crate) fn pack(symbols: impl ExactSizeIterator<Item = u16>, bits: u8, packed: &mut Vec<u8>) {
    packed.clear();
    if bits == 0 {
        return;
    }
    packed.reserve(packed_len(symbols.len(), bits));
    if bits == 16 {
        packed.resize(packed_len(symbols.len(), bits), 0);
        let (low, high) = packed.split_at_mut(symbols.len());
        for ((low, high), symbol) in low.iter_mut().zip(high).zip(symbols) {
            [*low, *high] = symbol.to_le_bytes();
        }
        return;
    }
    let (mut word, mut filled) = (0u32, 0);
    for symbol in symbols {
        word |= u32::from(symbol) << filled;
        filled += u32::from(bits);
        while filled >= 8 {
            packed.push(word as u8);
            word >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        packed.push(word as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_round_trip() {
        for bits in WIDTHS {
            for count in [0, 1, 2, 3, 7, 8, 9, 100] {
                let symbol = |i: usize| ((i * 40503) & ((1 << bits) - 1)) as u16;
                let mut packed = vec![1, 2, 3];
                pack((0..count).map(symbol), bits, &mut packed);
                assert_eq!(packed.len(), packed_len(count, bits));
                let mut read = Vec::new();
                for_each(&packed, bits, count, |s| read.push(s));
                assert_eq!(read.len(), count);
                for (i, &s) in read.iter().enumerate() {
                    assert_eq!((s, get(&packed, bits, i)), (symbol(i), symbol(i)));
                }
            }
        }
        assert_eq!(get(&[0xE4], 2, 3), 3);
        assert_eq!(get(&[0xE4], 2, 4), 0);
        assert_eq!(get(&[1, 2, 3, 4], 16, 1), 0x402);
        assert_eq!(get(&[1, 2, 3, 4], 16, 2), 0);
    }

    #[test]
    fn least_widths() {
        let widths = [1, 2, 3, 4, 5, 16, 17, 256, 257, 65536].map(width);
        assert_eq!(widths, [0, 1, 2, 2, 4, 4, 8, 8, 16, 16]);
    }
}
