//! Writes the JavaScript and the TypeScript types around the WebAssembly module.
//!
//! The command `wasm-bindgen` does the same, but takes longer to build.

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
        .generate(&folder)?;
    // How the module is started takes types of browsers, which other machines need not have:
    // index.d.ts says it without them.
    let types = folder.join("retrograde.d.ts");
    let text = std::fs::read_to_string(&types)?;
    let (tables, _) = text
        .split_once("export type InitInput")
        .ok_or("the types do not say how the module is started")?;
    std::fs::write(&types, format!("{}\n", tables.trim_end()))?;
    Ok(())
}
