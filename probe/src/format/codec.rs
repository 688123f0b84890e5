//! Names the codecs of a table's blocks, and unpacks a block.

use super::frame;

/// A codec, by which the symbols of a block become the bytes of a file.
///
/// With every codec, a block that does not get shorter is stored as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Symbols as they are, without packing.
    Raw,
    /// A Zstandard frame.
    Zstd,
    /// A decision tree that says how likely each value is. Its remaining questions are answered in
    /// lines of 64 bytes, from which a value is read without unpacking anything, so there are no
    /// blocks of values.
    Learned,
}

impl Codec {
    /// The number that stands for the codec in a file.
    pub const fn id(self) -> u8 {
        match self {
            Codec::Raw => 0,
            Codec::Zstd => 1,
            Codec::Learned => 2,
        }
    }

    /// The codec of a number in a file.
    pub(crate) fn from_id(id: u8) -> Option<Codec> {
        let all = [Codec::Raw, Codec::Zstd, Codec::Learned];
        all.into_iter().find(|c| c.id() == id)
    }

    /// Unpacks `stored` so that it fills `unpacked` exactly; `false` if it
    /// does not.
    pub(crate) fn unpack(self, stored: &[u8], unpacked: &mut [u8]) -> bool {
        if stored.len() == unpacked.len() {
            unpacked.copy_from_slice(stored);
            return true;
        }
        match self {
            Codec::Raw | Codec::Learned => false,
            Codec::Zstd => frame::unpack(stored, unpacked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_packed_is_copied() {
        let mut out = [0; 3];
        for codec in [Codec::Raw, Codec::Zstd, Codec::Learned] {
            assert!(codec.unpack(&[1, 2, 3], &mut out));
            assert_eq!(out, [1, 2, 3]);
        }
        let frame = zstd::bulk::compress(&[7; 1000], 3).unwrap();
        let mut out = [0; 1000];
        assert!(!Codec::Raw.unpack(&frame, &mut out));
        assert!(Codec::Zstd.unpack(&frame, &mut out));
        assert_eq!(out, [7; 1000]);
    }
}
