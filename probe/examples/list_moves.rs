//! Lists the legal moves of a FEN, the best first, with their values for the side to move.
//!
//! ```sh
//! cargo run -p retrograde-probe --example list_moves -- \
//!     orthodox '8/8/8/3k4/8/8/8/KQ6 w - -'
//! ```

use std::error::Error;

use retrograde_probe::Tablebase;
use retrograde_rules::{Game, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = Game::parse(&arguments.next().ok_or("name a game")?)?;
    let position = Position::from_fen(game, &arguments.next().ok_or("give a FEN")?)?;
    let tables = Tablebase::open(game, ["tables"])?;
    for answer in tables.moves(&position)? {
        let san = position.san(answer.mv);
        match (answer.end, answer.value) {
            (Some(end), _) => println!("{san:8} {}", end.name()),
            (None, Some(value)) => println!("{san:8} {value}"),
            (None, None) => println!("{san:8} no table"),
        }
    }
    Ok(())
}
