//! The `retrograde` command.

fn main() {}
