//! Starts the `retrograde` command.

mod cli;

use retrograde::exhaustion::{self, Memory};

#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> std::process::ExitCode {
    exhaustion::watch();
    cli::main()
}
