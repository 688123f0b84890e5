//! Lists the tables that ship, from their checksums, as an expression.

use std::path::Path;
use std::{env, error, fmt::Write, fs};

fn main() -> Result<(), Box<dyn error::Error>> {
    let mut list = String::from("&[\n");
    for sums in ["SHA256SUMS", "SHA256SUMS.four"] {
        println!("cargo::rerun-if-changed={sums}");
        for name in fs::read_to_string(sums)?
            .lines()
            .filter_map(|line| line.split("  ").nth(1))
        {
            let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{name}\")");
            writeln!(list, "    (\"{name}\", include_bytes!({path})),")?;
        }
    }
    list.push(']');
    Ok(fs::write(
        Path::new(&env::var("OUT_DIR")?).join("tables.rs"),
        list,
    )?)
}
