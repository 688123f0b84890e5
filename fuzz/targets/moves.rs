//! Fuzzes the parsers of moves, in SAN and UCI, in given positions.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retrograde_fuzz::moves(bytes));
