//! Packs tables of orthodox chess and reports their sizes.
//!
//! ```text
//! orthodox TABLES [--metric wdl|dtz|dtm] [--side 0|1] [--samples N] [--node BITS]
//!     [--leaf BITS] [--symbol BITS] [--syzygy FOLDER] [--cache FOLDER] [MATERIAL ...]
//! ```
//!
//! Reads tables of WDL, DTZ and DTM, determines what must be stored (the values that
//! a capture or promotion does not settle), packs it, reads it all back and looks up
//! random positions. Without materials, packs all of three and four pieces.

mod settle;

use std::path::PathBuf;

use cpu_time::ProcessTime;
use retrograde_learned::{CodecBoard, CodecPiece, Features, Moves};
use retrograde_pack_learned::{Cell, LearnOptions, Packed, Source, pack};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType};

use settle::{Endgame, Endgames, Told};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut tables = None;
    let (mut syzygy, mut cache) = (None, None);
    let (mut metrics, mut names) = (Vec::new(), Vec::new());
    let mut options = LearnOptions::default();
    let mut sides = None;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut next = || words.next().ok_or("a value is missing");
        match word.as_str() {
            "--metric" => metrics.push(next()?),
            "--syzygy" => syzygy = Some(PathBuf::from(next()?)),
            "--cache" => cache = Some(PathBuf::from(next()?)),
            "--samples" => options.samples = next()?.parse()?,
            "--node" => options.node = next()?.parse()?,
            "--leaf" => options.leaf = next()?.parse()?,
            "--symbol" => options.symbol = next()?.parse()?,
            "--side" => sides = Some(next()?.parse::<usize>()?),
            _ if tables.is_none() => tables = Some(PathBuf::from(word)),
            _ => names.push(word),
        }
    }
    let tables = tables.ok_or("which folder of tables?")?;
    if metrics.is_empty() {
        metrics = ["wdl", "dtz", "dtm"].map(String::from).to_vec();
    }
    if names.is_empty() {
        names = settle::all();
    }
    let mut endgames = Endgames::new(tables, cache);
    let mut sums = vec![(0u64, 0u64, 0.0f64); metrics.len()];
    for name in &names {
        let endgame = endgames.get(&Material::parse(Game::Orthodox, name)?)?;
        for (metric, sum) in metrics.iter().zip(&mut sums) {
            let mut best: Option<u64> = None;
            let mut total = 0;
            for side in 0..2 {
                if sides.is_some_and(|only| only != side) {
                    continue;
                }
                let told = endgames.told(&endgame, side)?;
                let values = EndgameValues::new(&endgame, side, metric, &told)?;
                if metric == "dtz" || metric == "dtm" {
                    // One side is enough: the one that takes less.
                    if sides.is_none() && side != values.smaller(&endgame, &mut endgames)? {
                        continue;
                    }
                }
                let bytes = run(&values, name, side, metric, &options, sum)?;
                total += bytes;
                best = Some(best.map_or(bytes, |best| best.min(bytes)));
            }
            let bytes = if metric == "wdl" {
                total
            } else {
                best.unwrap_or(0)
            };
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

/// The values of a material for one side to move in one metric.
struct EndgameValues<'a> {
    endgame: &'a Endgame,
    features: Features,
    symbols: u32,
    cells: Vec<Cell>,
    contexts: Vec<Vec<u8>>,
    side: usize,
    metric: String,
}

impl<'a> EndgameValues<'a> {
    fn new(
        endgame: &'a Endgame,
        side: usize,
        metric: &str,
        told: &[Told],
    ) -> Result<EndgameValues<'a>, Failure> {
        let pieces: Vec<CodecPiece> = endgame
            .pieces
            .iter()
            .map(|&piece| codec_piece(piece))
            .collect();
        let colour = Colour::BOTH[side];
        let best: Vec<u8> = told.iter().map(|told| told.best()).collect();
        let won: Vec<u8> = told.iter().map(|told| told.value()).collect();
        let (cells, contexts, symbols) = match metric {
            "wdl" => {
                let cell = |told: &Told| match (told.legal(), told.best(), told.value()) {
                    (false, ..) | (_, 5, _) => Cell::FREE,
                    (_, best, value) if best == value + 1 => Cell::up_to(value.into()),
                    (_, _, value) => Cell::exact(value.into()),
                };
                (told.iter().map(cell).collect(), vec![(6, best)], 5)
            }
            _ => {
                let all = endgame.read(metric, colour)?;
                let cares = |told: &Told| {
                    told.legal()
                        && told.value() != 2
                        && !(metric == "dtz" && told.value() > 2 && told.is_zeroing())
                };
                let mut palette: Vec<i16> = told
                    .iter()
                    .zip(&all)
                    .filter(|(told, _)| cares(told))
                    .map(|(_, &value)| value)
                    .collect();
                palette.sort_unstable();
                palette.dedup();
                let cell = |(told, value): (&Told, &i16)| {
                    if cares(told) {
                        Cell::exact(palette.binary_search(value).unwrap_or(0) as u16)
                    } else {
                        Cell::FREE
                    }
                };
                let cells: Vec<Cell> = told.iter().zip(&all).map(cell).collect();
                let symbols = palette.len().max(1) as u32;
                (cells, vec![(5, won), (6, best)], symbols)
            }
        };
        let sizes: Vec<u8> = contexts.iter().map(|&(size, _)| size).collect();
        Ok(EndgameValues {
            endgame,
            features: Features::new(CodecBoard::new(8, 8)?, &pieces, &sizes)?,
            symbols,
            cells,
            contexts: contexts.into_iter().map(|(_, column)| column).collect(),
            side,
            metric: metric.to_owned(),
        })
    }

    /// The side that takes less, estimated from a sample.
    fn smaller(&self, endgame: &Endgame, endgames: &mut Endgames) -> Result<usize, Failure> {
        let told = endgames.told(endgame, 1 - self.side)?;
        let other = EndgameValues::new(endgame, 1 - self.side, &self.metric, &told)?;
        let weigh = |values: &EndgameValues| -> Result<u64, Failure> {
            Ok(retrograde_pack_learned::estimate(values)?)
        };
        let (here, there) = (weigh(self)?, weigh(&other)?);
        Ok(match (here, there).cmp(&(there, here)) {
            std::cmp::Ordering::Less => self.side,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => 1 - self.side,
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

    fn cells(&self, first: u64, cells: &mut [Cell]) {
        let first = first as usize;
        cells.copy_from_slice(&self.cells[first..first + cells.len()]);
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
    let (packed, report) = pack(values, options)?;
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
    let mut asked = Vec::new();
    for _ in 0..4_000_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let index = state % indices;
        if values.cells[index as usize] != Cell::FREE && asked.len() < 200_000 {
            let squares: Vec<u8> = values
                .endgame
                .squares
                .iter()
                .map(|column| column[index as usize])
                .collect();
            let contexts: Vec<u8> = values
                .contexts
                .iter()
                .map(|column| column[index as usize])
                .collect();
            let mut flat = [0u8; 8];
            flat[..squares.len()].copy_from_slice(&squares);
            let mut known = [0u8; 2];
            known[..contexts.len()].copy_from_slice(&contexts);
            asked.push((index, flat, known));
        }
    }
    let (pieces, known) = (values.endgame.pieces.len(), values.contexts.len());
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = ProcessTime::now();
        for (index, squares, contexts) in &asked {
            let (squares, contexts) = (&squares[..pieces], &contexts[..known]);
            let symbol = section.symbol(*index, squares, contexts, packed)?;
            if !values.cells[*index as usize].allows(symbol) {
                return Err(format!("index {index} answers {symbol}").into());
            }
        }
        let nanos = start.elapsed().as_nanos() as f64 / asked.len().max(1) as f64;
        best = best.min(nanos);
    }
    Ok(best)
}
