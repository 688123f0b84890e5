//! Writes the JavaScript and the TypeScript types around the WebAssembly module, as the
//! command `wasm-bindgen` does, which takes longer to build.

use std::path::PathBuf;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(module), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("give the module and the folder to write to".into());
    };
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        // `init()` finds the module beside the JavaScript.
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .out_name("retrograde")
        .generate(folder)?;
    Ok(())
}
