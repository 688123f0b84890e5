//! Fuzzes the reading of definitions of games.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retrograde_fuzz::definition(bytes));
