//! Reads the number of threads that a command may use, and runs its work on them.

use super::failure::{Failure, Status};
use super::numbers::whole;

/// The option for the number of threads.
#[derive(clap::Args)]
pub(crate) struct Threads {
    /// The number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    #[arg(allow_negative_numbers = true)]
    threads: Option<u16>,
}

impl Threads {
    /// The number of threads asked for; `None` if the choice is left open.
    pub(crate) fn count(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// Runs a task on a pool of that many threads.
    pub(crate) fn run<T: Send>(&self, task: impl FnOnce() -> T + Send) -> Result<T, Failure> {
        // 0 leaves the choice to the pool.
        let threads = self.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build()
            .map_err(|error| {
                let text = format!("cannot start threads: {error}; use fewer with --threads");
                Failure::new(Status::Resources, text)
            })?;
        Ok(pool.install(task))
    }
}
