//! Prints the C header of the library, `retrograde.h`, which cbindgen makes from the Rust sources.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))?;
    let mut builder = cbindgen::Builder::new().with_config(config);
    // Each file by itself, in a fixed order: nothing need be compiled for that.
    for file in [
        "error.rs",
        "handle.rs",
        "board.rs",
        "root.rs",
        "answer.rs",
        "play.rs",
    ] {
        builder = builder.with_src(folder.join("src").join(file));
    }
    let mut header = Vec::new();
    builder.generate()?.write(&mut header);
    // What is said to readers of Rust, for readers of C.
    let header = String::from_utf8(header)?
        .replace("// # Safety\n", "// What is required:\n")
        .replace("[`", "`")
        .replace("`]", "`");
    print!("{header}");
    Ok(())
}
