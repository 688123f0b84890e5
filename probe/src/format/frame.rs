//! Unpacks Zstandard frames, the compressed blocks of a table.
//!
//! Two decoders read them: the library in C, and one in Rust for targets where C is a
//! burden, such as WebAssembly. With both features on, the one in C does the work.

#[cfg(not(any(feature = "zstd", feature = "ruzstd")))]
compile_error!("tables need a decoder: turn on the feature `zstd` or `ruzstd`");

/// Unpacks a frame so that it fills `unpacked` exactly; `false` if it does not.
#[cfg(feature = "zstd")]
pub(super) fn unpack(stored: &[u8], unpacked: &mut [u8]) -> bool {
    use std::cell::RefCell;

    use zstd::bulk::Decompressor;

    thread_local! {
        // A context is some 100 KiB of tables that are costly to make.
        static CONTEXT: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    CONTEXT.with_borrow_mut(|context| {
        if context.is_none() {
            *context = Decompressor::new().ok();
        }
        context.as_mut().is_some_and(|context| {
            let length = context.decompress_to_buffer(stored, unpacked);
            length.is_ok_and(|n| n == unpacked.len())
        })
    })
}

#[cfg(not(feature = "zstd"))]
pub(super) use in_rust::unpack;

#[cfg(all(feature = "ruzstd", any(test, not(feature = "zstd"))))]
mod in_rust {
    use std::cell::RefCell;
    use std::io::Read;

    use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

    /// The largest window that a frame may ask for, in bytes: what every decoder is
    /// expected to have (RFC 8878, 3.1.1.1.2).
    const MOST_WINDOW: u64 = 8 << 20;

    /// See [`super::unpack`].
    pub(in crate::format) fn unpack(stored: &[u8], unpacked: &mut [u8]) -> bool {
        thread_local! {
            // Its tables are costly to make, as in C.
            static DECODER: RefCell<FrameDecoder> = RefCell::new(FrameDecoder::new());
        }
        DECODER.with_borrow_mut(|decoder| {
            decoder.set_max_window_size(MOST_WINDOW);
            fill(decoder, stored, unpacked).is_some()
        })
    }

    /// `None` if the frame is damaged or does not fit.
    fn fill(decoder: &mut FrameDecoder, mut stored: &[u8], unpacked: &mut [u8]) -> Option<()> {
        decoder.init(&mut stored).ok()?;
        // A frame that is too long is left after a block too many.
        let most = BlockDecodingStrategy::UptoBytes(unpacked.len().saturating_add(1));
        let is_whole = decoder.decode_blocks(&mut stored, most).ok()?;
        let fits = is_whole && stored.is_empty() && decoder.can_collect() == unpacked.len();
        fits.then_some(())?;
        decoder.read_exact(unpacked).ok()
    }
}

#[cfg(all(test, feature = "zstd", feature = "ruzstd"))]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::{in_rust, unpack};

    type Unpack = fn(&[u8], &mut [u8]) -> bool;

    const BOTH: [Unpack; 2] = [unpack, in_rust::unpack];

    #[test]
    fn frames_that_do_not_fit_are_refused() {
        let frame = zstd::bulk::compress(&[7; 1000], 3).unwrap();
        for unpack in BOTH {
            for length in [0, 1, 999, 1001, 5000] {
                assert!(!unpack(&frame, &mut vec![0; length]));
            }
            let mut out = vec![0; 1000];
            assert!(unpack(&frame, &mut out));
            assert_eq!(out, [7; 1000]);
            assert!(!unpack(&frame[..frame.len() - 1], &mut out));
            assert!(!unpack(b"", &mut out));
            assert!(!unpack(b"no frame at all", &mut out));
        }
    }

    #[test]
    fn a_frame_of_many_blocks_is_left_early() {
        // 64 MiB of zeros in a few KiB, the size not being said.
        let mut frame = Vec::new();
        zstd::stream::copy_encode(std::io::repeat(0).take(64 << 20), &mut frame, 19).unwrap();
        for unpack in BOTH {
            assert!(!unpack(&frame, &mut [0; 1 << 16]));
        }
    }

    proptest! {
        #[test]
        fn both_decoders_agree(
            symbols in prop::collection::vec(0..4_u8, 1..5000),
            level in 1..20,
            spoilt in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
        ) {
            let mut frame = zstd::bulk::compress(&symbols, level).unwrap();
            if let Some((place, byte)) = spoilt {
                let place = place.index(frame.len());
                frame[place] = byte;
            }
            let mut out = [vec![0; symbols.len()], vec![0; symbols.len()]];
            let [c, rust] = [0, 1].map(|which| BOTH[which](&frame, &mut out[which]));
            if spoilt.is_none() {
                prop_assert!(c && rust);
            }
            if c && rust {
                prop_assert_eq!(&out[0], &out[1]);
            }
        }
    }
}
