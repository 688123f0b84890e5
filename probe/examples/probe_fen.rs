//! Prints what the tables know of a FEN: everything at once, and then table by table.
//!
//! ```sh
//! cargo run -p retrograde-probe --example probe_fen -- \
//!     orthodox '8/8/8/3k4/8/8/8/KQ6 w - -'
//! ```

use std::error::Error;

use retrograde_probe::{Extra, ProbeError, Tablebase};
use retrograde_rules::{Game, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = Game::parse(&arguments.next().ok_or("name a game")?)?;
    let position = Position::from_fen(game, &arguments.next().ok_or("give a FEN")?)?;
    let tables = Tablebase::open(game, ["tables"])?;
    let answer = match tables.probe(&position) {
        Ok(answer) => answer,
        Err(ProbeError::Missing { material, .. }) => {
            println!("there is no table of {material}");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    println!("{position}: {}", answer.value);
    match answer.extra {
        Extra::Clock { wdl_at_clock_0 } => println!("with the clock at 0: {wdl_at_clock_0}"),
        Extra::Vitality {
            win_by: Some(win_by),
            ..
        } => println!("by {win_by}"),
        _ => {}
    }
    if let Some(end) = answer.facts.end {
        println!("the game has ended: {}", end.name());
    }
    // One table each, for programs that need no more.
    println!("WDL: {}", tables.wdl(&position)?);
    // Not every game has the other two.
    if let Ok(Some(dtm)) = tables.dtm(&position) {
        println!("DTM: {dtm} plies");
    }
    if let Ok(Some(dtz)) = tables.dtz(&position) {
        println!("DTZ: {dtz} plies");
    }
    Ok(())
}
