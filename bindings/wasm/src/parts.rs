//! Keeps the parts of tables that JavaScript fetches, and lists those that are lacking.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use retrograde_probe::remote::{Fetch, Part, Wanted};

/// The parts of one question.
#[derive(Default)]
pub(crate) struct Parts(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The parts that were fetched; `None` where there is no file.
    fetched: Vec<(Wanted, Option<Part>)>,
    lacking: Vec<Wanted>,
}

impl Parts {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The parts that have been asked for in vain since this was called last.
    pub(crate) fn lacking(&self) -> Vec<Wanted> {
        let mut lacking = std::mem::take(&mut self.known().lacking);
        lacking.sort();
        lacking.dedup();
        lacking
    }

    /// Keeps a part, or that there is no file.
    pub(crate) fn keep(&self, wanted: Wanted, part: Option<Part>) {
        self.known().fetched.push((wanted, part));
    }

    /// Forgets all parts.
    pub(crate) fn forget(&self) {
        *self.known() = Known::default();
    }
}

impl Known {
    fn part(&mut self, wanted: &Wanted) -> io::Result<Part> {
        let mut all = self.fetched.iter();
        let found = all.find(|(fetched, _)| fetched.covers(wanted));
        let found = found.map(|(fetched, part)| match part {
            Some(part) => part
                .cut(fetched, wanted)
                .ok_or(io::ErrorKind::UnexpectedEof),
            None => Err(io::ErrorKind::NotFound),
        });
        let found = found.unwrap_or_else(|| {
            self.lacking.push(wanted.clone());
            Err(io::ErrorKind::WouldBlock)
        });
        Ok(found?)
    }
}

impl Fetch for Parts {
    fn fetch(&self, wanted: &[Wanted]) -> Vec<io::Result<Part>> {
        let mut known = self.known();
        wanted.iter().map(|wanted| known.part(wanted)).collect()
    }
}
