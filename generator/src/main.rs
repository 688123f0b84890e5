//! Starts the `retrograde` command.

use retrograde::cli;
use retrograde::out_of_memory::{self, Memory};

#[global_allocator]
static MEMORY: Memory = Memory;

retrograde::watch_before_main!();

fn main() -> std::process::ExitCode {
    out_of_memory::watch();
    cli::run(std::env::args_os().collect()).into()
}
