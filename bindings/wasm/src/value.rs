//! Converts JavaScript's arguments to Rust's texts and bytes, and Rust's results to objects.

use js_sys::{ArrayBuffer, JSON, Uint8Array};
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue};

use crate::error::Failure;

/// The bytes that must be left of the module's memory when a table has been added: a whole cache of
/// unpacked blocks takes 4 MiB, and a lack of memory ends the module.
const TO_SPARE: usize = 16 << 20;

/// An object with the fields that the command line prints.
pub(crate) fn object(value: &impl Serialize) -> Result<JsValue, Failure> {
    // The browser reads JSON faster than objects can be made field by field from here, and
    // with less code.
    let json = serde_json::to_string(value).map_err(|error| Failure::usage(error.to_string()))?;
    JSON::parse(&json).map_err(|_| Failure::usage("the answer is no JSON"))
}

/// A text that JavaScript gives.
pub(crate) fn text(value: &JsValue, what: &str) -> Result<String, Failure> {
    let text = value.as_string();
    text.ok_or_else(|| Failure::usage(format!("{what} is a string")))
}

/// Bytes that JavaScript gives.
pub(crate) fn bytes(value: &JsValue) -> Result<std::sync::Arc<[u8]>, Failure> {
    let view = match value.dyn_ref::<Uint8Array>() {
        Some(view) => view.clone(),
        None => match value.dyn_ref::<ArrayBuffer>() {
            Some(buffer) => Uint8Array::new(buffer),
            None => {
                let text = "the bytes of a table are a Uint8Array or an ArrayBuffer";
                return Err(Failure::usage(text));
            }
        },
    };
    let length = view.length() as usize;
    let room = Vec::<u8>::new().try_reserve_exact(length.saturating_add(TO_SPARE));
    room.map_err(|_| {
        Failure::out_of_memory(format!(
            "there is no memory left for {length} bytes of tables; free() a tablebase"
        ))
    })?;
    let mut bytes: std::sync::Arc<[u8]> = std::iter::repeat_n(0, length).collect();
    if let Some(place) = std::sync::Arc::get_mut(&mut bytes) {
        view.copy_to(place);
    }
    Ok(bytes)
}
