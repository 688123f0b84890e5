//! Plays the best moves of both sides from a FEN to the end, with the distance after each.
//!
//! ```sh
//! cargo run -p retrograde-probe --example best_line -- \
//!     orthodox '8/8/8/3k4/8/8/8/KQ6 w - -'
//! ```

use std::error::Error;

use retrograde_probe::Tablebase;
use retrograde_rules::{Game, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = Game::parse(&arguments.next().ok_or("name a game")?)?;
    let mut position = Position::from_fen(game, &arguments.next().ok_or("give a FEN")?)?;
    let tables = Tablebase::open(game, ["tables"])?;
    let line = tables.line(&position)?;
    for &mv in &line.moves {
        let san = position.san(mv);
        position = position.play(mv);
        println!("{san:8} {}", tables.value(&position)?);
    }
    match line.end {
        Some(end) => println!("{}", end.name()),
        None => println!("a draw"),
    }
    Ok(())
}
