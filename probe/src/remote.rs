//! Reads tables that are far away, in parts, as over HTTP: what one answer takes is fetched
//! together.
//!
//! A table is an address, and a [`Fetch`] gives parts of the file there. Every part is checked by
//! the checksums of the format. What an answer takes is not known before some of it has been
//! read, so that it is found in rounds: in each, the answer is tried, what it lacks is noted,
//! and all of that is fetched at once.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::error::TableFault;

/// The bytes of a file that are fetched when it is opened. With them come the header and, if
/// the block table is short, that as well.
const HEAD: u64 = 4 << 10;

/// The most rounds of [`together`]; what an answer still lacks then is fetched one by one.
const MOST_ROUNDS: usize = 32;

/// Parts of a file that are no farther apart are fetched as one.
const NEAR: u64 = 512;

/// Part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The bytes: those that were asked for, as far as there are any.
    pub bytes: Vec<u8>,
    /// The length of the whole file.
    pub length: u64,
    /// A name for the contents of the file, which changes with them, such as the `ETag` of HTTP.
    pub version: Option<String>,
}

/// Some bytes of the file at an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// The address.
    pub address: String,
    /// The first byte.
    pub from: u64,
    /// The byte behind the last one. The file may end before.
    pub to: u64,
}

impl Part {
    /// Some bytes of this part, which is the one that `fetched` names; `None` if it has not all of
    /// them.
    pub fn cut(&self, fetched: &Wanted, wanted: &Wanted) -> Option<Part> {
        if !fetched.covers(wanted) {
            return None;
        }
        let place = |at: u64| ((at - fetched.from) as usize).min(self.bytes.len());
        let bytes = self.bytes.get(place(wanted.from)..place(wanted.to))?;
        Some(Part {
            bytes: bytes.to_vec(),
            length: self.length,
            version: self.version.clone(),
        })
    }
}

impl Wanted {
    /// Whether other bytes are among these.
    pub fn covers(&self, other: &Wanted) -> bool {
        self.address == other.address && self.from <= other.from && other.to <= self.to
    }
}

/// A way to read parts of files at addresses.
pub trait Fetch: Send + Sync {
    /// Fetches some parts at once, and gives as many results in their order.
    ///
    /// A result is an error of [`io::ErrorKind::NotFound`] if there is no file at the address.
    fn fetch(&self, wanted: &[Wanted]) -> Vec<io::Result<Part>>;
}

/// A file far away.
pub(crate) struct RemoteFile {
    fetch: Arc<dyn Fetch>,
    address: String,
    /// The first bytes, with the length and the version of the file when it was opened.
    head: Part,
}

impl RemoteFile {
    /// Opens the file at an address.
    pub(crate) fn open(fetch: &Arc<dyn Fetch>, address: &str) -> io::Result<RemoteFile> {
        Ok(RemoteFile {
            fetch: Arc::clone(fetch),
            address: address.to_owned(),
            head: fetch_one(&**fetch, address, 0..HEAD)?,
        })
    }

    /// The number of its bytes when it was opened.
    pub(crate) fn len(&self) -> u64 {
        self.head.length
    }

    /// Reads a range of the bytes.
    pub(crate) fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, TableFault> {
        if range.end > self.len() || range.start > range.end {
            return Err(TableFault::Truncated {
                expected: range.end,
                found: self.len(),
            });
        }
        let known = self.head.bytes.len() as u64;
        let from_head = range.start.min(known) as usize..range.end.min(known) as usize;
        let mut bytes = self.head.bytes[from_head].to_vec();
        let rest = range.start.max(known)..range.end;
        if rest.is_empty() {
            return Ok(bytes);
        }
        let count = rest.end - rest.start;
        let part = fetch_one(&*self.fetch, &self.address, rest)?;
        let is_same = part.length == self.head.length && part.version == self.head.version;
        if !is_same {
            return Err(TableFault::Io(io::Error::other(
                "the file there was changed since it was opened; open the tables again",
            )));
        }
        if part.bytes.len() as u64 != count {
            return Err(TableFault::Io(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "fewer bytes came than the file has there",
            )));
        }
        bytes.extend(part.bytes);
        Ok(bytes)
    }
}

/// Bytes that were fetched, or why they could not be.
type Fetched = Result<Part, (io::ErrorKind, String)>;

/// The parts of one answer.
#[derive(Default)]
struct Gathering {
    /// Whether parts that are not there are noted, and not fetched at once.
    notes: bool,
    wanted: Vec<Wanted>,
    fetched: Vec<(Wanted, Fetched)>,
}

impl Gathering {
    /// The bytes of a part that has been fetched.
    fn find(&self, wanted: &Wanted) -> Option<io::Result<Part>> {
        let mut all = self.fetched.iter();
        let (fetched, found) = all.find(|(fetched, _)| fetched.covers(wanted))?;
        match found {
            Ok(part) => part.cut(fetched, wanted).map(Ok),
            Err((kind, what)) => Some(Err(io::Error::new(*kind, what.clone()))),
        }
    }

    /// The parts that are lacking, those near each other as one. None is lacking afterwards.
    fn lacking(&mut self) -> Vec<Wanted> {
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.sort();
        let mut merged: Vec<Wanted> = Vec::new();
        for next in wanted {
            match merged.last_mut() {
                Some(last) if last.address == next.address && next.from <= last.to + NEAR => {
                    last.to = last.to.max(next.to);
                }
                _ => merged.push(next),
            }
        }
        merged
    }
}

thread_local! {
    static GATHERING: RefCell<Option<Gathering>> = const { RefCell::new(None) };
}

/// Fetches part of a file, unless it is there already or only noted for later.
fn fetch_one(fetch: &dyn Fetch, address: &str, range: Range<u64>) -> io::Result<Part> {
    let wanted = Wanted {
        address: address.to_owned(),
        from: range.start,
        to: range.end,
    };
    let found = GATHERING.with_borrow_mut(|gathering| {
        let gathering = gathering.as_mut()?;
        let found = gathering.find(&wanted);
        if found.is_some() || !gathering.notes {
            return found;
        }
        gathering.wanted.push(wanted.clone());
        Some(Err(io::ErrorKind::WouldBlock.into()))
    });
    found.unwrap_or_else(|| {
        let mut all = fetch.fetch(std::slice::from_ref(&wanted)).into_iter();
        all.next()
            .unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()))
    })
}

/// Fetches what `try_it` lacks, in rounds, until it lacks nothing; then answers with what was
/// fetched. What `try_it` finds does not matter, and neither do its errors.
pub(crate) fn together<T>(fetch: &dyn Fetch, try_it: impl Fn(), answer: impl FnOnce() -> T) -> T {
    let notes = GATHERING.with_borrow(|gathering| gathering.as_ref().map(|known| known.notes));
    // Noted for an answer that this one is part of.
    if notes == Some(true) {
        return answer();
    }
    let _end = notes.is_none().then(|| {
        GATHERING.set(Some(Gathering::default()));
        End
    });
    for _ in 0..MOST_ROUNDS {
        set_notes(true);
        try_it();
        set_notes(false);
        let lacking = with_gathering(Gathering::lacking);
        if lacking.is_empty() {
            break;
        }
        let parts = fetch.fetch(&lacking).into_iter();
        let parts = parts.map(|part| part.map_err(|error| (error.kind(), error.to_string())));
        let parts: Vec<_> = lacking.into_iter().zip(parts).collect();
        with_gathering(|gathering| gathering.fetched.extend(parts));
    }
    answer()
}

fn set_notes(notes: bool) {
    with_gathering(|gathering| gathering.notes = notes);
}

fn with_gathering<T: Default>(task: impl FnOnce(&mut Gathering) -> T) -> T {
    GATHERING.with_borrow_mut(|gathering| gathering.as_mut().map_or_else(T::default, task))
}

/// Ends gathering when it is dropped.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        GATHERING.with_borrow_mut(|gathering| *gathering = None);
    }
}
