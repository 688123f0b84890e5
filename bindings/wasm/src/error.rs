//! Throws JavaScript exceptions that say why there is no answer.

use retrograde_probe::advice::Advice;
use retrograde_probe::object::ErrorObject;
use retrograde_probe::{FindError, ProbeError, TableError};
use retrograde_rules::{Material, MoveError, ReadError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "./error.js")]
extern "C" {
    /// The error that is thrown, as JavaScript has it.
    type RetrogradeError;

    #[wasm_bindgen(constructor)]
    fn new(
        message: &str,
        kind: &str,
        offset: Option<u32>,
        material: Option<&str>,
    ) -> RetrogradeError;
}

/// The advice to users who have bytes and no files.
struct AddBytes;

impl Advice for AddBytes {
    fn missing(&self, game: &str, material: &Material) -> String {
        let material = material.name_in(game);
        format!("add the files {material}.*")
    }

    fn table(&self, _error: &TableError) -> String {
        "fetch the file again, or make the table again".to_owned()
    }
}

/// The error that is thrown.
pub(crate) struct Failure {
    error: ErrorObject,
    /// The material of a table that is missing.
    material: Option<String>,
}

impl Failure {
    /// A mistake in how something was called.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::of_kind("usage", message.into())
    }

    /// The module's memory is full.
    pub(crate) fn out_of_memory(message: String) -> Failure {
        Failure::of_kind("out-of-memory", message)
    }

    fn of_kind(kind: &'static str, message: String) -> Failure {
        Failure::from(ErrorObject {
            kind,
            message,
            offset: None,
        })
    }
}

/// The error of a position, with advice.
pub(crate) fn advised(error: &ProbeError) -> ErrorObject {
    ErrorObject::with_advice(error, &AddBytes)
}

impl From<ErrorObject> for Failure {
    fn from(error: ErrorObject) -> Failure {
        Failure {
            error,
            material: None,
        }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let material = match &error {
            ProbeError::Missing { game, material, .. } => Some(material.name_in(game)),
            _ => None,
        };
        Failure {
            error: advised(&error),
            material,
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::of_kind(error.kind(), error.with_advice(&AddBytes))
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::from(ErrorObject::from(&error))
    }
}

impl From<MoveError> for Failure {
    fn from(error: MoveError) -> Failure {
        Failure::usage(error.to_string())
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Failure {
        Failure::usage(error.to_string())
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> JsValue {
        let ErrorObject {
            kind,
            message,
            offset,
        } = failure.error;
        let offset = offset.and_then(|at| u32::try_from(at).ok());
        RetrogradeError::new(&message, kind, offset, failure.material.as_deref()).into()
    }
}
