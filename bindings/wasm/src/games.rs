//! Lists the games and their options, and the library's version, for JavaScript.

use retrograde_probe::object::GameObject;
use retrograde_rules::Game;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Failure;
use crate::value::object;

/// The games that exist, with their rule options.
#[wasm_bindgen(unchecked_return_type = "Game[]")]
pub fn games() -> Result<JsValue, JsValue> {
    let games: Vec<GameObject> = Game::all()
        .iter()
        .map(|&game| GameObject::new(game))
        .collect();
    object(&games).map_err(Failure::into)
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
