//! Fuzzes the reading of PGN.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retrograde_fuzz::pgn(bytes));
