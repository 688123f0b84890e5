//! Bytes that will be needed soon, asked for in good time.

/// Has the processor fetch the cache line in which some bytes begin, and does not wait for it.
/// Does nothing on processors other than x86-64.
#[inline]
pub(super) fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it changes nothing and cannot fault, whatever the address; this is moreover
        // that of bytes which are borrowed.
        #[expect(unsafe_code, reason = "there is no other way to ask for it")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(bytes.as_ptr().cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}
