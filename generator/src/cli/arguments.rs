//! Takes the arguments of the command line, and says what is wrong with those that do not fit.

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use retrograde_rules::{Game, shortened};

use super::failure::{Failure, Status};
use super::terminal::{message, printable};

/// The arguments of the latest run: games are looked for while these are read.
static GIVEN: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

/// Takes the arguments of a run. Whoever asks for help on help is given help.
pub(super) fn take(mut given: Vec<OsString>) -> Vec<OsString> {
    if given.get(1).is_some_and(|command| command == "help") {
        given.retain(|argument| argument != "--help" && argument != "-h");
    }
    *GIVEN.lock().unwrap_or_else(PoisonError::into_inner) = given.clone();
    given
}

/// The arguments of the latest run.
pub(super) fn given() -> Vec<OsString> {
    let given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    given.clone()
}

/// Prints why arguments are refused, or the help or version that they ask for.
pub(super) fn refused(error: Error) -> Status {
    if !error.use_stderr() {
        let printed = error.print();
        return printed.map_or_else(|error| Failure::stdout(&error).end(), |()| Status::Fine);
    }
    let error = with_tip(error);
    let whole = error.render().to_string();
    let text = brief(&whole);
    match printable(&text) {
        // In colours.
        Cow::Borrowed(_) if text == whole => drop(error.print()),
        text => message(text.trim_end()),
    }
    Status::Usage
}

/// Adds a tip that helps to an error.
fn with_tip(mut error: Error) -> Error {
    match error.kind() {
        // No material and no FEN begins with a hyphen, so nobody is told how to write one that
        // does.
        ErrorKind::UnknownArgument => {
            let tips = error.remove(ContextKind::Suggested);
            if let Some(ContextValue::StyledStrs(mut tips)) = tips {
                tips.retain(|tip| !tip.to_string().contains("as a value"));
                if !tips.is_empty() {
                    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
                }
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = error.get(ContextKind::InvalidArg).map(ToString::to_string);
            if missing.is_some_and(|missing| missing.contains("<GAME>")) {
                let games = format!("the games are: {}", Game::names().join(", "));
                let tip = ContextValue::StyledStrs(vec![games.into()]);
                error.insert(ContextKind::Suggested, tip);
            }
        }
        _ => {}
    }
    error
}

/// A message about the arguments, in which those that are far too long are shortened.
fn brief(text: &str) -> String {
    let mut text = text.to_owned();
    for argument in given() {
        let argument = argument.to_string_lossy();
        // An option may come with its value, and the message be about either.
        let (name, value) = argument.split_once('=').unwrap_or_default();
        for part in [&argument, name, value] {
            if let Cow::Owned(short) = shortened(part) {
                text = text.replace(part, &short);
            }
        }
    }
    text
}
