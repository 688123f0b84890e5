//! Opens and closes tablebases for C, which threads may share, and tells which tables they hold.
#![allow(unsafe_code, reason = "pointers come from C")]

use std::ffi::{CStr, OsString, c_char};

use retrograde_probe::{GameFinder, Tablebase, default_folders, listed_folders, set_memory_limit};

use crate::error::{Failure, RetrogradeStatus, guarded};

/// The tables of one game. Any number of threads may ask it at once.
pub struct RetrogradeTablebase {
    pub(crate) tables: Tablebase,
    largest: u32,
}

/// The text that a pointer leads to.
///
/// # Safety
/// It is null, or leads to bytes that end with a 0.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::Usage("a text is a null pointer"));
    }
    // SAFETY: the caller promises it.
    let text = unsafe { CStr::from_ptr(text) };
    let text = text.to_str();
    text.map_err(|_| Failure::Usage("a text is not UTF-8"))
}

/// A list of folders as the system has it, which need not be UTF-8 on Unix.
///
/// # Safety
/// The pointer leads to bytes that end with a 0.
unsafe fn list(list: *const c_char) -> Result<OsString, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        // SAFETY: the caller promises it.
        let list = unsafe { CStr::from_ptr(list) };
        Ok(std::ffi::OsStr::from_bytes(list.to_bytes()).to_owned())
    }
    #[cfg(not(unix))]
    // SAFETY: the caller promises it.
    Ok(unsafe { text(list) }?.into())
}

/// The tablebase that a pointer leads to.
///
/// # Safety
/// It is null, or comes from [`retrograde_open`] and has not been closed.
pub(crate) unsafe fn tablebase<'a>(
    tablebase: *const RetrogradeTablebase,
) -> Result<&'a RetrogradeTablebase, Failure> {
    // SAFETY: the caller promises it.
    let tablebase = unsafe { tablebase.as_ref() };
    tablebase.ok_or(Failure::Usage("the tablebase is a null pointer"))
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Sets how many bytes of tables that were read stay in memory, all tablebases of the
/// process together; 1 GiB unless this is called. The rest is read again whenever it is
/// asked for. What is there already stays there.
#[unsafe(no_mangle)]
pub extern "C" fn retrograde_set_memory_limit(bytes: u64) {
    set_memory_limit(bytes);
}

/// Opens the tables of a game, such as `orthodox`, in some folders. The game may also be the
/// path of a definition (it has a `/` or ends in `.toml`), the name of one in the folders that
/// the environment variable `RETROGRADE_GAMES` lists, the text of one, or, as `NAME@DIGEST`, one
/// that the folders have tables of.
///
/// The folders are a list as in `PATH`, with `:` between two, on Windows `;`. Null, or a list without folders,
/// stands for what the environment variable `RETROGRADE_TABLES` says, else `tables`.
/// On Unix folders need not be UTF-8. One that does not exist is an error, as the status
/// `Io`. Files are opened when they are first needed. Those that appear later are not
/// noticed: open the tablebase again.
///
/// Writes the tablebase to `*opened`, or null if it fails.
///
/// # Safety
/// Texts are null or end with a 0; `opened` is null or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_open(
    game: *const c_char,
    folders: *const c_char,
    opened: *mut *mut RetrogradeTablebase,
) -> RetrogradeStatus {
    guarded(|| {
        if opened.is_null() {
            return Err(Failure::Usage("the place for the tablebase is null"));
        }
        // SAFETY: the caller promises that it is a place for a pointer, which need not hold
        // one yet; here and below.
        unsafe { opened.write(std::ptr::null_mut()) };
        // SAFETY: the caller promises it.
        let game = unsafe { text(game) }?;
        let named = match folders.is_null() {
            true => None,
            // SAFETY: the caller promises it.
            false => listed_folders(&unsafe { list(folders) }?),
        };
        let folders = named.unwrap_or_else(default_folders);
        if let Some(absent) = folders.iter().find(|folder| !folder.is_dir()) {
            return Err(Failure::Folder(absent.clone()));
        }
        let finder = GameFinder {
            tables: folders.clone(),
            ..GameFinder::from_environment()
        };
        let tables = Tablebase::open(finder.find(game)?, folders)?;
        let largest = tables.tables().map(|(material, _)| material.len()).max();
        let tablebase = RetrogradeTablebase {
            largest: largest.map_or(0, |most| most as u32),
            tables,
        };
        // SAFETY: see above.
        unsafe { opened.write(Box::into_raw(Box::new(tablebase))) };
        Ok(())
    })
}

/// Closes a tablebase. Null is allowed. No other call with it may be under way, and
/// none may follow.
///
/// # Safety
/// It is null, or comes from [`retrograde_open`] and has not been closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_close(tablebase: *mut RetrogradeTablebase) {
    guarded(|| {
        if !tablebase.is_null() {
            // SAFETY: the caller promises that it was made there and is not used any
            // more.
            drop(unsafe { Box::from_raw(tablebase) });
        }
        Ok(())
    });
}

/// The most pieces that any of the tables has; 0 if there are none. With more there is
/// no need to ask.
///
/// # Safety
/// The tablebase is null, or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_largest(tablebase: *const RetrogradeTablebase) -> u32 {
    // SAFETY: the caller promises it.
    let tablebase = unsafe { self::tablebase(tablebase) };
    tablebase.map_or(0, |tablebase| tablebase.largest)
}

/// The number of open tables of one kind, such as `wdl`; of all kinds if `metric` is null. The most
/// pieces that any of them has is written to `pieces` unless that is null; 0 if there are none.
///
/// # Safety
/// The tablebase is null, or open; the text is null or ends with a 0; `pieces` is null or a place
/// for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retrograde_tables(
    tablebase: *const RetrogradeTablebase,
    metric: *const c_char,
    pieces: *mut u32,
) -> u32 {
    let (mut count, mut most) = (0, 0);
    // SAFETY: the caller promises it; here and below.
    if let Ok(RetrogradeTablebase { tables, .. }) = unsafe { self::tablebase(tablebase) } {
        guarded(|| {
            let wanted = match metric.is_null() {
                true => None,
                false => Some(unsafe { text(metric) }?),
            };
            for (material, metric) in tables.tables() {
                if wanted.is_none_or(|wanted| wanted == metric.name()) {
                    count += 1;
                    most = most.max(material.len() as u32);
                }
            }
            Ok(())
        });
    }
    if !pieces.is_null() {
        unsafe { pieces.write(most) };
    }
    count
}
