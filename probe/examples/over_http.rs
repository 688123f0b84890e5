//! Says who wins in some positions by tables on a web server, and how long each answer took.
//!
//! ```sh
//! cargo run -p retrograde-probe --features http --example over_http -- \
//!     https://example.org/tables '8/8/8/3k4/8/8/8/KQ6 w - -'
//! ```

use std::error::Error;
use std::time::Instant;

use retrograde_probe::Tablebase;
use retrograde_rules::{Game, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("give an address of tables")?;
    let tables = Tablebase::open(Game::default(), [address])?;
    for fen in arguments {
        let position = Position::from_fen(Game::default(), &fen)?;
        let start = Instant::now();
        let wdl = tables.wdl(&position)?;
        println!("{fen}: {}, {} ms", wdl.name(), start.elapsed().as_millis());
    }
    Ok(())
}
