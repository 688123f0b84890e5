//! Probes a FEN in tables that are bytes in memory instead of files in a folder.
//!
//! The program has them from elsewhere: built in, sent over a network, or unpacked from an
//! archive.
//!
//! ```sh
//! cargo run -p retrograde-probe --example tables_in_memory -- \
//!     '8/8/8/3k4/8/8/8/KQ6 w - -' tables/orthodox/KQvK.*
//! ```

use std::error::Error;

use retrograde_probe::{Table, Tablebase};
use retrograde_rules::{Game, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = Game::default();
    let position = Position::from_fen(game, &arguments.next().ok_or("give a FEN")?)?;
    let mut tables = Vec::new();
    for path in arguments {
        // Here they come from files, but nothing else knows that.
        let bytes: Vec<u8> = std::fs::read(path)?;
        let table = Table::from_bytes(bytes)?;
        let header = table.header();
        println!("{} of {}", header.metric, header.material);
        tables.push(table);
    }
    // A table of another game would be an error here.
    let tables = Tablebase::from_tables(game, tables)?;
    println!("{}", tables.value(&position)?);
    Ok(())
}
