//! Packs tables of orthodox chess and reports their sizes.
//!
//! ```text
//! orthodox TABLES [--metric wdl|dtz|dtm] [--side 0|1] [--samples N] [--node BITS]
//!     [--leaf BITS] [--symbol BITS] [--syzygy FOLDER] [MATERIAL ...]
//! ```
//!
//! Reads tables of WDL, DTZ and DTM, packs the values of all positions, except the distances
//! of draws, reads everything back and looks up random positions. Without materials, packs
//! all of three and four pieces.

mod endgame;

use std::ops::Range;
use std::path::PathBuf;

use cpu_time::ProcessTime;
use retrograde_learned::{CodecBoard, CodecPiece, Features, Moves, Row};
use retrograde_pack_learned::{LearnOptions, Packed, Positions, Source, estimate, pack};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType};

use endgame::{DRAW, Endgame};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut tables = None;
    let mut syzygy = None;
    let (mut metrics, mut names) = (Vec::new(), Vec::new());
    let mut options = LearnOptions::default();
    let mut only = None;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or("a value is missing");
        match word.as_str() {
            "--metric" => metrics.push(next()?),
            "--syzygy" => syzygy = Some(PathBuf::from(next()?)),
            "--samples" => options.samples = next()?.parse()?,
            "--node" => options.node = next()?.parse()?,
            "--leaf" => options.leaf = next()?.parse()?,
            "--symbol" => options.symbol = next()?.parse()?,
            "--side" => only = Some(next()?.parse::<usize>()?),
            _ if tables.is_none() => tables = Some(PathBuf::from(word)),
            _ => names.push(word),
        }
    }
    let tables = tables.ok_or("which folder of tables?")?;
    if metrics.is_empty() {
        metrics = ["wdl", "dtz", "dtm"].map(String::from).to_vec();
    }
    if names.is_empty() {
        names = endgame::all();
    }
    let mut sums = vec![(0u64, 0u64, 0.0f64); metrics.len()];
    for name in &names {
        let endgame = Endgame::open(&tables, &Material::parse(Game::default(), name)?)?;
        for (metric, sum) in metrics.iter().zip(&mut sums) {
            let sides = match only {
                Some(side) => vec![side],
                None if metric == "wdl" => vec![0, 1],
                // One side is enough.
                None => vec![smaller(&endgame, metric)?],
            };
            let mut bytes = 0;
            for side in sides {
                let values = EndgameValues::new(&endgame, side, metric)?;
                bytes += run(&values, name, side, metric, &options, sum)?;
            }
            let peer = syzygy.as_ref().map_or(0, |folder| {
                let extension = if metric == "wdl" { "rtbw" } else { "rtbz" };
                std::fs::metadata(folder.join(format!("{name}.{extension}"))).map_or(0, |m| m.len())
            });
            println!("= {name} {metric}: {bytes} bytes, Syzygy {peer}");
            sum.0 += bytes;
            sum.1 += peer;
        }
    }
    for (metric, (bytes, peer, seconds)) in metrics.iter().zip(&sums) {
        println!(
            "== {metric}: {bytes} bytes, Syzygy {peer} ({:.3}), {seconds:.1} CPU s",
            *bytes as f64 / (*peer).max(1) as f64
        );
    }
    Ok(())
}

/// The side that takes less, estimated from a sample.
fn smaller(endgame: &Endgame, metric: &str) -> Result<usize, Failure> {
    let mut sizes = Vec::new();
    for side in 0..2 {
        let values = EndgameValues::new(endgame, side, metric)?;
        sizes.push((estimate(&values, &Positions::of(&values)?)?, side));
    }
    let least = sizes.into_iter().min();
    Ok(least.map_or(0, |(_, side)| side))
}

/// The values of a material for one side to move in one metric.
struct EndgameValues<'a> {
    endgame: &'a Endgame,
    features: Features,
    symbols: u32,
    cells: Vec<Option<u16>>,
    contexts: Vec<Vec<u8>>,
}

impl<'a> EndgameValues<'a> {
    fn new(endgame: &'a Endgame, side: usize, metric: &str) -> Result<EndgameValues<'a>, Failure> {
        let pieces: Vec<CodecPiece> = endgame
            .pieces
            .iter()
            .map(|&piece| codec_piece(piece))
            .collect();
        let results = &endgame.results[side];
        let (cells, contexts, symbols) = match metric {
            "wdl" => {
                let cells = results.iter().map(|result| result.map(u16::from));
                (cells.collect(), vec![], 5)
            }
            _ => {
                let all = endgame.read(metric, Colour::BOTH[side])?;
                let distances = results.iter().zip(&all).map(|(result, &value)| {
                    let is_stored = result.is_some_and(|result| result != DRAW);
                    is_stored.then_some(value)
                });
                let mut palette: Vec<i16> = distances.clone().flatten().collect();
                palette.sort_unstable();
                palette.dedup();
                let symbol = |value| palette.binary_search(&value).unwrap_or(0) as u16;
                let cells = distances.map(|value| value.map(symbol)).collect();
                let context = results.iter().map(|result| result.unwrap_or(DRAW));
                (cells, vec![context.collect()], palette.len().max(1) as u32)
            }
        };
        let sizes = vec![5; contexts.len()];
        Ok(EndgameValues {
            endgame,
            features: Features::new(CodecBoard::new(8, 8)?, &pieces, &sizes)?,
            symbols,
            cells,
            contexts,
        })
    }
}

impl Source for EndgameValues<'_> {
    fn features(&self) -> &Features {
        &self.features
    }

    fn indices(&self) -> u64 {
        self.endgame.index.len()
    }

    fn symbols(&self) -> u32 {
        self.symbols
    }

    fn cells(&self, first: u64, cells: &mut [Option<u16>]) {
        let first = first as usize;
        cells.copy_from_slice(&self.cells[first..first + cells.len()]);
    }

    fn moving_piece(&self) -> usize {
        self.endgame.index.moving_piece()
    }

    fn rows(&self, indices: Range<u64>, rows: &mut Vec<Row>, contexts: &mut [u8]) {
        let places = indices.start as usize..indices.end as usize;
        for (column, out) in self.contexts.iter().zip(contexts.chunks_mut(places.len())) {
            out.copy_from_slice(&column[places.clone()]);
        }
        rows.extend(self.endgame.index.rows(indices).map(|row| {
            let square = |piece: usize| row.squares.get(piece).map_or(0, |square| square.0);
            Row {
                squares: std::array::from_fn(square),
                len: row.len,
            }
        }));
    }

    fn placements(&self, indices: &[u64], squares: &mut [u8], contexts: &mut [u8]) {
        let len = indices.len().max(1);
        let pick = |columns: &[Vec<u8>], out: &mut [u8]| {
            for (column, out) in columns.iter().zip(out.chunks_exact_mut(len)) {
                for (&index, out) in indices.iter().zip(out) {
                    *out = column[index as usize];
                }
            }
        };
        pick(&self.endgame.squares, squares);
        pick(&self.contexts, contexts);
    }
}

fn codec_piece(piece: Piece) -> CodecPiece {
    let moves = match piece.piece_type {
        PieceType::King => Moves::KING,
        PieceType::Queen => Moves::STRAIGHT | Moves::DIAGONAL,
        PieceType::Rook => Moves::STRAIGHT,
        PieceType::Bishop => Moves::DIAGONAL,
        PieceType::Knight => Moves::KNIGHT,
        PieceType::Chancellor => Moves::STRAIGHT | Moves::KNIGHT,
        PieceType::Paladin => Moves::DIAGONAL | Moves::KNIGHT,
        PieceType::Pawn => Moves::PAWN,
    };
    CodecPiece {
        black: piece.colour == Colour::Black,
        moves,
        royal: piece.piece_type == PieceType::King,
    }
}

fn run(
    values: &EndgameValues,
    name: &str,
    side: usize,
    metric: &str,
    options: &LearnOptions,
    sum: &mut (u64, u64, f64),
) -> Result<u64, Failure> {
    let before = ProcessTime::now();
    let (packed, report) = pack(values, &Positions::of(values)?, options)?;
    let seconds = before.elapsed().as_secs_f64();
    sum.2 += seconds;
    let nanos = time(values, &packed)?;
    println!(
        "{name} {} {metric}: {} bytes (trunk {}, {} branches {}, directory {}, lines {} x 64; codes {}), \
         cared {}, leaves {:?}, tries {:.2}, memory {}, {seconds:.2} CPU s, {nanos:.0} ns",
        ["w", "b"][side],
        packed.bytes(),
        packed.model.len(),
        packed.branches.len(),
        packed.branches.iter().map(Vec::len).sum::<usize>(),
        packed.directory.len(),
        packed.lines.len(),
        report.code_bits / 8,
        report.cared,
        report.leaves,
        report.tries as f64 / packed.lines.len().max(1) as f64,
        report.memory,
    );
    Ok(packed.bytes() as u64)
}

/// Nanoseconds to look up a random position with warm caches.
fn time(values: &EndgameValues, packed: &Packed) -> Result<f64, Failure> {
    let indices = values.indices();
    let section = packed.section(&values.features, indices)?;
    let mut state = 88_172_645_463_325_252u64;
    let of_index = |columns: &[Vec<u8>], index: u64| -> Vec<u8> {
        columns
            .iter()
            .map(|column| column[index as usize])
            .collect()
    };
    let mut asked = Vec::new();
    for _ in 0..4_000_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let index = state % indices;
        if asked.len() >= 200_000 {
            break;
        }
        if let Some(symbol) = values.cells[index as usize] {
            let squares = of_index(&values.endgame.squares, index);
            let contexts = of_index(&values.contexts, index);
            asked.push((index, squares, contexts, symbol));
        }
    }
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = ProcessTime::now();
        for (index, squares, contexts, packed_symbol) in &asked {
            let symbol = section.symbol(*index, squares, contexts, packed)?;
            if symbol != *packed_symbol {
                return Err(format!("index {index} answers {symbol}").into());
            }
        }
        let nanos = start.elapsed().as_nanos() as f64 / asked.len().max(1) as f64;
        best = best.min(nanos);
    }
    Ok(best)
}
