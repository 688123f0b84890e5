//! Fuzzes the reading of FENs.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retrograde_fuzz::fen(bytes));
