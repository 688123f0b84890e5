//! Prints perft counts, legal moves or solved materials of a definition, for comparisons.
//!
//! This is the naive interpreter as a program.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use retrograde_oracle::{End, Game, Position, Solver};

const USAGE: &str =
    "usage: oracle FILE.toml[:NAME=VALUE,…] perft FEN DEPTH | moves | replies | solve MATERIAL
  perft    counts lines of play, by first move and in all
  moves    reads FENs, and writes each with its end, if there is one, and its legal moves
  replies  reads FENs, and writes the legal moves of each with the number of replies, or the winner
  solve    writes all positions of a material with their values";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [file, command, rest @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let (file, options) = file.split_once(':').unwrap_or((file, ""));
    let pairs = options.split(',').filter(|pair| !pair.is_empty());
    let options: Option<Vec<_>> = pairs.map(|pair| pair.split_once('=')).collect();
    let folder = Path::new(file)
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf);
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    // Built-in games are files beside the definition, too.
    let resolve = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path)
            .or_else(|_| std::fs::read_to_string(path.with_extension("toml")))
            .ok()
    };
    let game = Game::read(&text, &resolve, &options.ok_or(USAGE)?)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let written = match (*command, rest) {
        ("perft", [fen, depth]) => {
            let position = game.position(if *fen == "array" {
                game.array().ok_or("there is no array")?
            } else {
                fen
            })?;
            let depth: u32 = depth.parse().map_err(|_| USAGE)?;
            perft(&game, &position, depth, &mut out)
        }
        ("moves", []) => moves(&game, &mut out),
        ("replies", []) => replies(&game, &mut out),
        ("solve", [material]) => {
            let solver = Solver::new(&game);
            let table = solver.solve(material)?;
            let number =
                |plies: Option<u32>| plies.map_or_else(String::new, |plies| plies.to_string());
            table.positions().try_for_each(|(fen, value)| {
                writeln!(
                    out,
                    "{fen},{:?},{},{}",
                    value.category,
                    number(value.depth),
                    number(value.dtz)
                )
            })
        }
        _ => return Err(USAGE.into()),
    };
    written
        .and_then(|()| out.flush())
        .map_err(|error| error.to_string())
}

fn perft(
    game: &Game,
    position: &Position,
    depth: u32,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mut sum = 0;
    for (played, next) in game.moves(position) {
        let nodes = game.perft(&next, depth.saturating_sub(1));
        writeln!(out, "{} {nodes}", game.text(&played))?;
        sum += nodes;
    }
    writeln!(out, "{sum}")
}

fn replies(game: &Game, out: &mut impl Write) -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        let position = match game.position(&line?) {
            Ok(position) => position,
            Err(message) => {
                writeln!(out, "error: {message}")?;
                continue;
            }
        };
        let after = |(played, next): &(_, Position)| match game.end(next) {
            None => format!("{} {}", game.text(played), game.moves(next).len()),
            Some(End { winner, .. }) => {
                let winner = winner.map_or_else(|| "draw".into(), |side| format!("{side:?}"));
                format!("{} {winner}", game.text(played))
            }
        };
        let mut texts: Vec<_> = game.moves(&position).iter().map(after).collect();
        texts.sort();
        writeln!(out, "{}", texts.join(", "))?;
    }
    Ok(())
}

fn moves(game: &Game, out: &mut impl Write) -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        match game.position(&line?) {
            Err(message) => writeln!(out, "error: {message}")?,
            Ok(position) => {
                write!(out, "{}", game.fen(&position))?;
                if let Some(end) = game.end(&position) {
                    write!(out, " {:?} {:?}", end.reason, end.winner)?;
                }
                let mut texts: Vec<_> = game
                    .moves(&position)
                    .iter()
                    .map(|(played, _)| game.text(played))
                    .collect();
                texts.sort();
                writeln!(out, ": {}", texts.join(" "))?;
            }
        }
    }
    Ok(())
}
