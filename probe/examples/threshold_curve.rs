//! Prints how many points of vitality White needs to win in High Chess, for each number of Black's.
//!
//! It reads this from what the tables say about a placement, given as a FEN.
//!
//! ```sh
//! cargo run -p retrograde-probe --example threshold_curve -- \
//!     '8/8/8/3k4/8/8/8/K6R w - - 50+50'
//! ```

use std::error::Error;

use retrograde_probe::Tablebase;
use retrograde_rules::{Colour, Counters, Game, Position, VitalityRules};

fn main() -> Result<(), Box<dyn Error>> {
    let fen = std::env::args().nth(1).ok_or("give a FEN")?;
    let game = Game::parse("high-chess")?;
    let position = Position::from_fen(game, &fen)?;
    let tables = Tablebase::open(game, ["tables"])?;
    let answer = tables.vitality(&position)?;
    let full = VitalityRules::MOST;
    for (black, needed) in (1..=full).zip(answer.curve.iter()) {
        match needed {
            needed if needed > full => println!("Black {black:2}: Black wins"),
            needed => println!("Black {black:2}: White wins with {needed} or more"),
        }
    }
    // Who wins with certain counters, and how.
    let counters = position.vitality().unwrap_or(Counters::both(full));
    println!("{counters}: {} wins", answer.winner(counters).name());
    if let Some(by) = answer.win_by(counters) {
        println!("by {by}");
    }
    for (side, need) in Colour::BOTH
        .into_iter()
        .zip(answer.mates.into_iter().flatten())
    {
        match need {
            need if need > full => println!("{} cannot force mate", side.name()),
            need => println!("{} forces mate with {need}", side.name()),
        }
    }
    Ok(())
}
