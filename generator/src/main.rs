//! The `retrograde` command.

mod allocator;
mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
