//! Fuzzes the reading of moves of positions.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retrograde_fuzz::moves(bytes));
