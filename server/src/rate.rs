//! Limits how often a client may ask.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// The number of requests that pass before clients that have been quiet are forgotten.
const ROUND: u32 = 4096;

/// The address that a connection comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client(pub IpAddr);

/// Whether a connection was counted as a request that it has not sent yet.
#[derive(Clone)]
pub(crate) struct Paid(Arc<AtomicBool>);

impl Paid {
    pub(crate) fn new(is_paid: bool) -> Paid {
        Paid(Arc::new(AtomicBool::new(is_paid)))
    }

    /// Whether this request is the one that was counted.
    pub(crate) fn spend(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// A limit for each client.
pub(crate) struct Rate {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
    asked: AtomicU32,
}

impl Rate {
    pub(crate) fn new(rate: NonZeroU32) -> Rate {
        Rate {
            limiter: RateLimiter::keyed(Quota::per_second(rate)),
            clock: DefaultClock::default(),
            asked: AtomicU32::new(0),
        }
    }

    /// Counts a request; `Err` says how long its client has to wait.
    pub(crate) fn ask(&self, client: IpAddr) -> Result<(), Duration> {
        if self.asked.fetch_add(1, Ordering::Relaxed) % ROUND == ROUND - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        let answer = self.limiter.check_key(&network(client));
        answer.map_err(|until| until.wait_time_from(self.clock.now()))
    }
}

/// The network of an address: all of its addresses count as one client.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_then_a_wait() {
        let rate = Rate::new(NonZeroU32::new(3).unwrap());
        let [a, b]: [IpAddr; 2] = ["10.0.0.1", "10.0.0.2"].map(|a| a.parse().unwrap());
        for _ in 0..3 {
            assert_eq!(rate.ask(a), Ok(()));
        }
        let wait = rate.ask(a).unwrap_err();
        assert!(wait > Duration::ZERO && wait <= Duration::from_secs(1));
        assert_eq!(rate.ask(b), Ok(()));
    }

    #[test]
    fn networks() {
        let of = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("::ffff:10.0.0.1"), "10.0.0.1");
        assert_eq!(of("10.0.0.1"), "10.0.0.1");
    }
}
