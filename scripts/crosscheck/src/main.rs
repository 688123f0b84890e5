//! Compares Retrograde's tables with Syzygy's.
//!
//! Only the index and the reader of tables are Retrograde's here; legality of
//! positions and Syzygy's values come from elsewhere.

mod attacks;
mod diagram;
mod dump;
mod ours;
mod play;
mod reader;
mod rtbz;
mod sweep;
mod syzygy;
mod variants;
mod zeroing;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Compares Retrograde's tables of orthodox chess with published ones.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compare who wins, in every position of every material in a Syzygy folder.
    /// Exits with 1 if anything differs.
    Wdl {
        /// The folder with .rtbw files.
        #[arg(long)]
        syzygy: PathBuf,
        /// The folder with Retrograde's tables.
        #[arg(long)]
        tables: PathBuf,
        /// Only materials with at most this many pieces.
        #[arg(long = "men", default_value_t = 4)]
        pieces: usize,
        /// Only these materials.
        materials: Vec<String>,
    },
    /// Compare WDL and DTZ likewise, with .rtbz files.
    Dtz {
        /// The folder with .rtbw and .rtbz files.
        #[arg(long)]
        syzygy: PathBuf,
        /// The folder with Retrograde's tables.
        #[arg(long)]
        tables: PathBuf,
        /// Only materials with at most this many pieces.
        #[arg(long = "men", default_value_t = 4)]
        pieces: usize,
        /// Only these materials.
        materials: Vec<String>,
    },
    /// Write every position of a material with its depth, one per line: FEN, tab,
    /// plies if won, 0 for a draw, minus plies if lost; "mated" if the game has
    /// ended.
    Depths {
        /// The folder with Retrograde's tables.
        #[arg(long)]
        tables: PathBuf,
        /// The material, such as KQvK.
        material: String,
    },
    /// Read FENs from standard input and write what Syzygy says, one per line: WDL,
    /// -2 to 2, and the stored DTZ, or a dash if the file has none.
    Read {
        /// The folder with .rtbw and .rtbz files.
        #[arg(long)]
        syzygy: PathBuf,
    },
    /// Compare WDL and DTZ of a variant with tables that Syzygy's generators have made.
    Variant {
        /// The game: atomic, antichess, antichess:stalemate=fewer-men or shatranj.
        game: String,
        /// The folder with Syzygy's tables.
        #[arg(long)]
        syzygy: PathBuf,
        /// The folder with Retrograde's tables.
        #[arg(long)]
        tables: PathBuf,
        /// Only materials with at most this many pieces.
        #[arg(long = "men", default_value_t = 4)]
        pieces: usize,
        /// Compare one index in so many, of four pieces.
        #[arg(long, default_value_t = 1)]
        every: u64,
        /// Only these materials.
        materials: Vec<String>,
    },
    /// Read FENs of a variant from standard input and write what Syzygy says, one per line: WDL,
    /// -2 to 2, and DTZ, or a dash for draws.
    ReadVariant {
        /// The game.
        game: String,
        /// The folder with Syzygy's tables.
        #[arg(long)]
        syzygy: PathBuf,
    },
}

fn main() -> Result<ExitCode> {
    let agree = match Arguments::parse().command {
        Command::Wdl {
            syzygy,
            tables,
            pieces,
            materials,
        } => sweep::run(&syzygy, &tables, (pieces, &materials))?,
        Command::Dtz {
            syzygy,
            tables,
            pieces,
            materials,
        } => zeroing::run(&syzygy, &tables, (pieces, &materials))?,
        Command::Depths { tables, material } => {
            dump::run(&tables, &material)?;
            true
        }
        Command::Variant {
            game,
            syzygy,
            tables,
            pieces,
            every,
            materials,
        } => {
            let which = variants::Which {
                pieces,
                materials: &materials,
                every,
            };
            variants::run(&game, &syzygy, &tables, &which)?
        }
        Command::ReadVariant { game, syzygy } => {
            variants::read(&game, &syzygy)?;
            true
        }
        Command::Read { syzygy } => {
            reader::run(&syzygy)?;
            true
        }
    };
    Ok(if agree {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
