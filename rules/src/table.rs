//! Flat tables of a definition's dotted keys, each with its value and where it is written.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use crate::shortened::shortened;

/// The error of a definition of a game that is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}{message}")]
pub struct DefinitionError {
    /// The place of the fault in the text.
    pub place: Place,
    /// The fault, and the remedy.
    pub message: String,
}

/// A place in a definition, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The name of the file or whatever else the text is from.
    pub source: Arc<str>,
    /// The line, counted from 1; 0 if no line is meant.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&*self.source, self.line) {
            ("", _) => Ok(()),
            (source, 0) => write!(f, "{source}: "),
            (source, line) => write!(f, "{source}:{line}:{}: ", self.column),
        }
    }
}

impl Place {
    pub(crate) fn fault(&self, message: impl Into<String>) -> DefinitionError {
        DefinitionError {
            place: self.clone(),
            message: message.into(),
        }
    }
}

/// Puts an item into a short list that is sorted by names. The library's ways to sort are a
/// thousand instructions for each type of item.
pub(crate) fn insert_sorted<T>(list: &mut Vec<T>, item: T, name: fn(&T) -> &str) {
    let place = list.partition_point(|other| name(other) < name(&item));
    list.insert(place, item);
}

/// A value that is not a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Number(i64),
    Flag(bool),
    List(Vec<Value>),
}

/// The key of the table that there may be although it says nothing.
pub(crate) const VITALITY: &str = "counters.vitality";

/// The value of a key whose table is empty.
pub(crate) const EMPTY: Value = Value::List(Vec::new());

impl Value {
    /// A value in words, for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Value::Text(text) => format!("\"{}\"", shortened(text)),
            Value::Number(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::List(_) => "a list".to_owned(),
        }
    }
}

/// A value and where it is written.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) value: Value,
    pub(crate) place: Place,
}

/// Values by dotted keys, such as `pawns.promotes-to`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table(pub(crate) BTreeMap<String, Entry>);

impl Table {
    /// Sets a key to a value as it is written.
    pub(crate) fn put(&mut self, key: &str, entry: Entry) {
        let ancestors = key.match_indices('.').map(|(dot, _)| &key[..dot]);
        for ancestor in ancestors {
            self.0.remove(ancestor);
        }
        let below = format!("{key}.");
        self.0.retain(|other, _| !other.starts_with(&below));
        self.0.insert(key.to_owned(), entry);
    }

    /// The text of a key, where it is one.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match &self.0.get(key)?.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}
