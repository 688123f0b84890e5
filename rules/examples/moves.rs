//! Lists the legal moves of positions in a game, from FENs on standard input.
//!
//! It writes a line for each FEN, with the way the game has ended, or a dash, and the legal moves
//! in UCI's long form, sorted. For a diagram that is not a position, the line begins with an
//! exclamation mark.
//!
//! ```sh
//! echo 'K7/8/2K5/k7/8/k7/8/R6R w - -' |
//!     cargo run --release -p retrograde-rules --example moves -- kings
//! ```

use std::error::Error;
use std::io::{self, BufRead, BufWriter, Write};

use retrograde_rules::{Game, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let id = std::env::args().nth(1).ok_or("name a game")?;
    let game = Game::parse(&id)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        match Position::from_fen(game, &line?) {
            Err(error) => writeln!(out, "! {error}")?,
            Ok(position) => {
                let moves = position.legal_moves();
                let mut names: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
                names.sort();
                let end = position.end_with(&moves);
                let end = end.map_or("-", |end| end.name());
                writeln!(out, "{end} {}", names.join(" "))?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
