//! Why there is no answer, as an exception of JavaScript.

use js_sys::{Error, Reflect};
use retrograde_probe::object::ErrorObject;
use retrograde_probe::{Advice, ProbeError, TableError};
use retrograde_rules::{GameError, Material, ReadError};
use wasm_bindgen::JsValue;

/// The advice to users who have bytes and no files.
struct AddBytes;

impl Advice for AddBytes {
    fn missing(&self, _game: &str, material: &Material) -> String {
        format!("add the files {material}.*")
    }

    fn table(&self, _error: &TableError) -> String {
        "fetch the file again, or make the table again".to_owned()
    }
}

/// What is thrown.
pub(crate) struct Failure {
    error: ErrorObject,
    /// Of a table that is missing.
    material: Option<String>,
}

impl Failure {
    /// A mistake in how something was called.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::from(ErrorObject {
            kind: "usage",
            message: message.into(),
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
            ProbeError::Missing { material, .. } => Some(material.to_string()),
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
        Failure::from(ErrorObject {
            kind: "corrupt-table",
            message: error.with_advice(&AddBytes),
            offset: None,
        })
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::from(ErrorObject::from(&error))
    }
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Failure {
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
        let error = Error::new(&message);
        error.set_name("RetrogradeError");
        let set = |name: &str, value: JsValue| {
            // An error is an object that takes any property.
            let _ = Reflect::set(&error, &name.into(), &value);
        };
        set("kind", kind.into());
        set(
            "offset",
            offset.map_or(JsValue::NULL, |at| (at as u32).into()),
        );
        if let Some(material) = failure.material {
            set("material", material.into());
        }
        error.into()
    }
}
