//! Fetches parts of files over HTTP, from any server that answers requests for ranges.

use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ureq::http::{Response, StatusCode, header};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::remote::{Fetch, Part, Wanted};

/// The most requests that wait for answers at once.
const AT_ONCE: usize = 8;

/// The time that a server has to answer a request, and to send what was asked for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A client of web servers, which keeps connections open.
pub(crate) struct Http {
    agent: Agent,
}

impl Http {
    pub(crate) fn new() -> Http {
        Http::with_patience(PATIENCE)
    }

    fn with_patience(patience: Duration) -> Http {
        // The certificates that the system trusts, to which users can add their own.
        let roots = RootCerts::PlatformVerifier;
        let config = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .http_status_as_error(false)
            .timeout_connect(Some(patience.min(Duration::from_secs(10))))
            .timeout_global(Some(patience))
            .max_idle_connections_per_host(AT_ONCE)
            .user_agent(concat!("retrograde/", env!("CARGO_PKG_VERSION")))
            .build();
        Http {
            agent: Agent::new_with_config(config),
        }
    }

    fn get(&self, wanted: &Wanted) -> io::Result<Part> {
        let range = format!("bytes={}-{}", wanted.from, wanted.to.saturating_sub(1));
        let request = self
            .agent
            .get(&wanted.address)
            .header(header::RANGE, range)
            // Ranges are of the file, not of what it is packed as on the way.
            .header(header::ACCEPT_ENCODING, "identity");
        let response = request.call().map_err(in_words)?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT => part(response, wanted),
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(io::ErrorKind::NotFound.into()),
            StatusCode::OK => Err(io::Error::other(
                "the server sends whole files only; tables take one that answers requests for \
                 ranges",
            )),
            StatusCode::RANGE_NOT_SATISFIABLE => Err(io::Error::other(
                "the file there is shorter than it was, or empty",
            )),
            status => Err(io::Error::other(format!("the server answers: {status}"))),
        }
    }
}

impl Fetch for Http {
    fn fetch(&self, wanted: &[Wanted]) -> Vec<io::Result<Part>> {
        if let [one] = wanted {
            return vec![self.get(one)];
        }
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::new());
        let work = || {
            while let Some((place, one)) = {
                let place = next.fetch_add(1, Ordering::Relaxed);
                wanted.get(place).map(|one| (place, one))
            } {
                let part = self.get(one);
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.push((place, part));
            }
        };
        thread::scope(|scope| {
            for _ in 1..wanted.len().min(AT_ONCE) {
                // Without another thread it takes longer.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|&(place, _)| place);
        found.into_iter().map(|(_, part)| part).collect()
    }
}

/// The part of a file that a server sends.
fn part(response: Response<Body>, wanted: &Wanted) -> io::Result<Part> {
    let text = |name| {
        let value = response.headers().get(name)?;
        Some(value.to_str().ok()?.to_owned())
    };
    let range = text(header::CONTENT_RANGE);
    let length = range.as_deref().and_then(|range| length_of(range, wanted));
    let Some(length) = length else {
        let range = range.unwrap_or_default();
        return Err(io::Error::other(format!(
            "the server sends another range than was asked for: \"{range}\""
        )));
    };
    let version = text(header::ETAG).or_else(|| text(header::LAST_MODIFIED));
    let count = wanted.to.min(length) - wanted.from;
    let mut bytes = Vec::new();
    // A byte more, so that the end is seen, after which the connection serves the next request.
    let mut body = response.into_body().into_reader().take(count + 1);
    if let Err(error) = body.read_to_end(&mut bytes) {
        let what = format!("the connection broke off: {error}");
        return Err(io::Error::new(error.kind(), what));
    }
    if bytes.len() as u64 != count {
        return Err(io::Error::other(
            "the server sends more or less than it says",
        ));
    }
    Ok(Part {
        bytes,
        length,
        version,
    })
}

/// The length of the whole file by a field such as `bytes 0-4095/78000`, if that is of the range
/// which was asked for, up to the end of the file.
fn length_of(range: &str, wanted: &Wanted) -> Option<u64> {
    let (range, length) = range.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let length: u64 = length.parse().ok()?;
    let [first, last]: [u64; 2] = [first.parse().ok()?, last.parse().ok()?];
    let is_right = first == wanted.from && Some(last) == wanted.to.min(length).checked_sub(1);
    (is_right && first <= last).then_some(length)
}

/// The error of a request that was not answered.
fn in_words(error: ureq::Error) -> io::Error {
    match error {
        // Its kind may be that of a file which is not there.
        ureq::Error::Io(error) => io::Error::other(error),
        ureq::Error::Timeout(_) => io::Error::new(
            io::ErrorKind::TimedOut,
            "the server does not answer in time",
        ),
        error => io::Error::other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn lengths_of_files() {
        let wanted = Wanted {
            address: String::new(),
            from: 10,
            to: 20,
        };
        assert_eq!(length_of("bytes 10-19/300", &wanted), Some(300));
        assert_eq!(length_of("bytes 10-14/15", &wanted), Some(15));
        for bad in [
            "bytes 10-18/300",
            "bytes 10-19/*",
            "bytes 11-19/300",
            "bytes 10-19/15",
            "bytes 10-9/10",
            "bytes 10-19/5",
            "10-19/300",
            "",
        ] {
            assert_eq!(length_of(bad, &wanted), None, "{bad}");
        }
    }

    #[test]
    fn errors_of_connections_are_no_missing_files() {
        for kind in [io::ErrorKind::NotFound, io::ErrorKind::Unsupported] {
            let error = in_words(ureq::Error::Io(kind.into()));
            assert_eq!(error.kind(), io::ErrorKind::Other);
        }
    }

    #[test]
    fn a_server_that_never_answers() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let http = Http::with_patience(Duration::from_millis(200));
        let wanted = Wanted {
            address: format!("http://{}/t", listener.local_addr().unwrap()),
            from: 0,
            to: 10,
        };
        for wanted in [vec![wanted.clone()], vec![wanted.clone(), wanted]] {
            for part in http.fetch(&wanted) {
                assert_eq!(part.unwrap_err().kind(), io::ErrorKind::TimedOut);
            }
        }
    }
}
