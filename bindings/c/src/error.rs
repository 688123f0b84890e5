//! Reports failures to C callers: a status number from each call, and the last error in words.
#![allow(
    unsafe_code,
    reason = "functions for C have names that must not be mangled"
)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use retrograde_probe::advice::{Advice, UseTheProgram, quoted};
use retrograde_probe::object::ErrorObject;
use retrograde_probe::{FindError, ProbeError, TableError, TableFault, default_folders};
use retrograde_rules::{BitboardsError, Material, MoveError, ReadError};
use thiserror::Error;

/// The status of a call. The numbers are exit codes of the program, except 70; it says 6 where
/// memory runs out, which counts as `Io` here.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetrogradeStatus {
    /// The call has succeeded.
    Ok = 0,
    /// A null pointer, a bad game or FEN, or a position that no table can have.
    Usage = 2,
    /// A table is missing.
    Missing = 3,
    /// A file is damaged, or is not the table that its name says.
    Corrupt = 4,
    /// A file or folder cannot be read.
    Io = 5,
    /// A fault in the library itself.
    Fault = 70,
}

/// The advice to use the program with the folders in which a table was looked for.
struct UseTheFolders<'a>(&'a [PathBuf]);

impl Advice for UseTheFolders<'_> {
    fn missing(&self, game: &str, material: &Material) -> String {
        let options = self
            .0
            .iter()
            .map(|folder| format!(" --tables {}", quoted(folder)));
        let options: String = options.collect();
        format!("{}{options}", UseTheProgram.missing(game, material))
    }
}

/// The reason why there is no answer, and advice on it.
pub(crate) fn advised(error: &ProbeError) -> ErrorObject {
    let folders = match error {
        // Where the program looks by itself need not be said.
        ProbeError::Missing { folders, .. } if *folders != default_folders() => folders.as_slice(),
        _ => &[],
    };
    ErrorObject::with_advice(error, &UseTheFolders(folders))
}

/// The reason why a call failed; put into words when it is asked for.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("{}", advised(.0).message)]
    Probe(#[from] ProbeError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Bitboards(#[from] BitboardsError),
    #[error("{}", .0.with_advice(&UseTheProgram))]
    Table(#[from] TableError),
    #[error(transparent)]
    Game(#[from] FindError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error("{}: there is no such folder; name one that has tables", .0.display())]
    Folder(PathBuf),
    #[error("{0}")]
    Usage(&'static str),
    #[error("a fault in the library itself: {0}")]
    Fault(String),
}

impl Failure {
    fn status(&self) -> RetrogradeStatus {
        let of_fault = |fault: &TableFault| match fault {
            TableFault::Io(_) => RetrogradeStatus::Io,
            _ => RetrogradeStatus::Corrupt,
        };
        match self {
            Failure::Probe(ProbeError::Missing { .. }) => RetrogradeStatus::Missing,
            Failure::Probe(ProbeError::Unsupported(_)) => RetrogradeStatus::Usage,
            Failure::Probe(ProbeError::Table { error, .. }) => of_fault(&error.fault),
            Failure::Probe(_) => RetrogradeStatus::Corrupt,
            Failure::Table(error) => of_fault(&error.fault),
            Failure::Folder(_) => RetrogradeStatus::Io,
            Failure::Read(_)
            | Failure::Bitboards(_)
            | Failure::Game(_)
            | Failure::Move(_)
            | Failure::Usage(_) => RetrogradeStatus::Usage,
            Failure::Fault(_) => RetrogradeStatus::Fault,
        }
    }

    /// The failure as an object of JSON.
    pub(crate) fn object(&self) -> ErrorObject {
        match self {
            Failure::Probe(error) => advised(error),
            Failure::Read(error) => ErrorObject::from(error),
            _ => ErrorObject {
                kind: match self {
                    Failure::Bitboards(BitboardsError::Position(_)) => "illegal-position",
                    Failure::Table(error) => error.kind(),
                    Failure::Folder(_) => "unreadable-table",
                    Failure::Fault(_) => "fault",
                    _ => "usage",
                },
                message: self.to_string(),
                offset: None,
            },
        }
    }
}

/// The last failure of a thread, and its words once they have been asked for.
#[derive(Default)]
struct Last {
    failure: Option<Failure>,
    message: Option<CString>,
    kind: Option<CString>,
}

thread_local! {
    static LAST: RefCell<Last> = RefCell::new(Last::default());
}

/// Does what a function is for; no panic gets past this.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> RetrogradeStatus {
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        Err(Failure::Fault(text.unwrap_or_default()))
    });
    match result {
        Ok(()) => RetrogradeStatus::Ok,
        Err(failure) => {
            let status = failure.status();
            let last = Last {
                failure: Some(failure),
                ..Last::default()
            };
            // A thread that is ending may have lost its place for this already.
            let _ = LAST.try_with(|place| place.replace(last));
            status
        }
    }
}

/// The error of the last call of this thread that failed, in words and what to do about it; empty
/// if none has. The text is valid until the next call of this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_last_error() -> *const c_char {
    last(
        |last| (&mut last.message, &last.failure),
        Failure::to_string,
    )
}

/// The kind of the last failure of this thread, as JSON has it; empty if there was none.
/// It is finer than the status: of a position with castling rights or too many pieces
/// `unsupported`, else `bad-fen`, `illegal-position`, `missing-table`, `corrupt-table`,
/// `unreadable-table`, `usage` or `fault`. The text is valid until the next call of this
/// thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_last_error_kind() -> *const c_char {
    let kind = |failure: &Failure| failure.object().kind.to_owned();
    last(|last| (&mut last.kind, &last.failure), kind)
}

/// A text about the last failure, which is kept in its place.
fn last(
    parts: impl FnOnce(&mut Last) -> (&mut Option<CString>, &Option<Failure>),
    words: impl FnOnce(&Failure) -> String,
) -> *const c_char {
    let said = |last: &RefCell<Last>| {
        let mut last = last.borrow_mut();
        let (place, failure) = parts(&mut last);
        let Some(failure) = failure else {
            return c"".as_ptr();
        };
        let text = place.get_or_insert_with(|| {
            let text = words(failure).replace('\0', " ");
            CString::new(text).unwrap_or_default()
        });
        text.as_ptr()
    };
    LAST.try_with(said).unwrap_or(c"".as_ptr())
}

/// The name of a status, such as `missing`. Any number is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_status_name(status: i32) -> *const c_char {
    const ALL: [(RetrogradeStatus, &CStr); 6] = [
        (RetrogradeStatus::Ok, c"ok"),
        (RetrogradeStatus::Usage, c"usage"),
        (RetrogradeStatus::Missing, c"missing"),
        (RetrogradeStatus::Corrupt, c"corrupt"),
        (RetrogradeStatus::Io, c"io"),
        (RetrogradeStatus::Fault, c"fault"),
    ];
    let name = ALL.into_iter().find(|&(known, _)| known as i32 == status);
    name.map_or(c"unknown", |(_, name)| name).as_ptr()
}
