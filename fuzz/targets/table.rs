//! Fuzzes the reading of table files.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retrograde_fuzz::table(bytes));
