//! Sets the limits on what clients may ask for: sizes, times and connections.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::statistics::MOST_WAITING;

/// Limits that keep one client, or many, from using up the machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest body of a request, in bytes.
    pub body: u64,
    /// The most positions in a batch.
    pub batch: u64,
    /// The time that a request may take, and that a client may keep the program waiting.
    pub time: Duration,
    /// The time that a whole batch may take: a client that sends a byte now and then must not be
    /// served for ever.
    pub batch_time: Duration,
    /// The number of connections that may be open at once. For another one, the connection that has
    /// stood still for the longest time is closed; if all are being answered, it waits.
    pub connections: usize,
    /// The number of connections that may be of one client, unless a proxy makes them; more are
    /// closed.
    pub client_connections: usize,
    /// The bytes of memory that counting a material may take.
    pub memory: u64,
    /// The number of questions that may be looked up at once, each in a thread.
    pub threads: usize,
    /// The number of questions that may wait for a thread; more are refused.
    pub waiting: usize,
    /// The number of requests a second that a client may send; `None` for any number. A short burst
    /// of as many is allowed at once.
    pub rate: Option<NonZeroU32>,
    /// Whether the last address in `X-Forwarded-For` is the client's, because all requests
    /// come through a proxy.
    pub behind_proxy: bool,
    /// The number of searches for a proof that may run at once, each in a thread; more are refused.
    pub searches: usize,
    /// The time that a search may take; zero if there is to be none.
    pub search_time: Duration,
    /// The seconds for which browsers and proxies may keep answers.
    pub max_age: u32,
}

impl Limits {
    /// The factor by which a batch may take longer than any other request.
    pub const PATIENCE: u32 = 30;

    /// The number of threads with which no question waits for one beyond its turn: every search,
    /// and every material that is counted, has one beside those that look up positions.
    pub fn blocking_threads(&self) -> usize {
        self.threads + self.searches + MOST_WAITING
    }
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            body: 4 << 20,
            batch: 20_000,
            time: Duration::from_secs(20),
            batch_time: Duration::from_secs(20) * Limits::PATIENCE,
            connections: 1024,
            client_connections: 256,
            memory: 1 << 30,
            threads: (2 * cores).clamp(4, 64),
            waiting: 1024,
            rate: None,
            behind_proxy: false,
            searches: cores.div_ceil(2),
            search_time: Duration::from_secs(10),
            max_age: 3600,
        }
    }
}
