//! Starts the `retrograde` command.

mod cli;

use retrograde::out_of_memory::{self, Memory};

#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> std::process::ExitCode {
    out_of_memory::watch();
    cli::main()
}
