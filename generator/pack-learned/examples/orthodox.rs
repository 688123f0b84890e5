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

use std::ops::Range;
use std::path::{Path, PathBuf};

use cpu_time::ProcessTime;
use retrograde_learned::{CodecBoard, CodecPiece, Features, Moves, Row};
use retrograde_pack_learned::{LearnOptions, Packed, Positions, Source, estimate, pack};
use retrograde_probe::{Index, Metric, Reindexing, Table, table_path};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType, Position, Square, Symmetry};

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
        names = all();
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
                bytes += run(&values, (name, side, metric), &options, &mut sum.2)?;
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
    /// The result of every index, if the metric says nothing of that.
    context: Option<Vec<u8>>,
}

impl<'a> EndgameValues<'a> {
    fn new(endgame: &'a Endgame, side: usize, metric: &str) -> Result<EndgameValues<'a>, Failure> {
        let pieces: Vec<CodecPiece> = endgame.material.pieces().map(codec_piece).collect();
        let results = &endgame.results[side];
        let (cells, context, symbols) = match metric {
            "wdl" => {
                let cells = results.iter().map(|result| result.map(u16::from));
                (cells.collect(), None, 5)
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
                (cells, Some(context.collect()), palette.len().max(1) as u32)
            }
        };
        let sizes: &[u8] = if context.is_some() { &[5] } else { &[] };
        Ok(EndgameValues {
            endgame,
            features: Features::new(CodecBoard::new(8, 8)?, &pieces, sizes)?,
            symbols,
            cells,
            context,
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
        if let Some(context) = &self.context {
            contexts.copy_from_slice(&context[indices.start as usize..indices.end as usize]);
        }
        rows.extend(self.endgame.index.rows(indices).map(|row| {
            let square = |piece: usize| row.squares.get(piece).map_or(0, |square| square.0);
            Row {
                squares: std::array::from_fn(square),
                len: row.len,
            }
        }));
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
        _ => Moves::default(),
    };
    CodecPiece {
        black: piece.colour == Colour::Black,
        moves,
        royal: piece.piece_type == PieceType::King,
    }
}

/// Packs values, given their material, side and metric, adds the seconds that it takes, and
/// returns the bytes.
fn run(
    values: &EndgameValues,
    (name, side, metric): (&str, usize, &str),
    options: &LearnOptions,
    sum: &mut f64,
) -> Result<u64, Failure> {
    let before = ProcessTime::now();
    let (packed, report) = pack(values, &Positions::of(values)?, options)?;
    let seconds = before.elapsed().as_secs_f64();
    *sum += seconds;
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
        if asked.len() >= 200_000 {
            break;
        }
        if let Some(symbol) = values.cells[index as usize] {
            let squares = values.endgame.placement(index);
            let squares: Vec<u8> = squares.iter().map(|square| square.0).collect();
            let context = values.context.iter().map(|of| of[index as usize]);
            asked.push((index, squares, context.collect::<Vec<u8>>(), symbol));
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

/// The materials of three and four men.
fn all() -> Vec<String> {
    let letters = "QRBNP";
    let mut names: Vec<String> = letters.chars().map(|a| format!("K{a}vK")).collect();
    for (place, a) in letters.chars().enumerate() {
        for b in letters.chars().skip(place) {
            names.push(format!("K{a}{b}vK"));
            names.push(format!("K{a}vK{b}"));
        }
    }
    names
}

/// The number of a draw among results.
const DRAW: u8 = 2;

/// A material and who wins in it.
struct Endgame {
    folder: PathBuf,
    material: Material,
    index: Index,
    /// The results for each side to move, from 0, a loss, to 4, a win; `None` for an index that
    /// stands for no position.
    results: [Vec<Option<u8>>; 2],
}

impl Endgame {
    /// Reads the table of WDL of a material.
    fn open(folder: &Path, material: &Material) -> Result<Endgame, Failure> {
        let mut endgame = Endgame {
            folder: folder.to_owned(),
            material: *material,
            index: Index::new(Game::default(), material)?,
            results: [vec![], vec![]],
        };
        for turn in Colour::BOTH {
            let values = endgame.read("wdl", turn)?;
            let results = (0..).zip(values).map(|(index, value)| {
                let is_position = endgame.is_position(index, turn);
                is_position.then(|| rank(value))
            });
            endgame.results[turn.index()] = results.collect();
        }
        Ok(endgame)
    }

    /// Reads the values of a metric.
    fn read(&self, metric: &str, turn: Colour) -> Result<Vec<i16>, Failure> {
        let metric = Metric::parse(metric).ok_or("no such metric")?;
        let path = table_path(&self.folder, Game::default(), &self.material, metric);
        let table = Table::open(&path)?;
        let mut values = vec![0; self.index.len() as usize];
        table.read(turn, 0, &mut values)?;
        let reindexing = Reindexing::new(table.index(), &self.index).ok_or("no such index")?;
        let (mut out, mut values) = (vec![0; values.len()], values.into_iter());
        reindexing.each(0..self.index.len(), |index| {
            out[index as usize] = values.next().unwrap_or_default();
        });
        Ok(out)
    }

    fn placement(&self, index: u64) -> Vec<Square> {
        let mut squares = vec![Square(0); self.index.pieces()];
        self.index.decode(index, &mut squares);
        squares
    }

    /// Whether an index stands for a position. Of two mirror images, only the one with the
    /// lower index does.
    fn is_position(&self, index: u64, turn: Colour) -> bool {
        let placement = self.placement(index);
        let mirrored = |&Square(s): &Square| Square((s & 7) << 3 | s >> 3);
        if self.index.shape().symmetry == Symmetry::Full {
            let mirror: Vec<Square> = placement.iter().map(mirrored).collect();
            if self
                .index
                .encode(&mirror)
                .is_some_and(|other| other < index)
            {
                return false;
            }
        }
        let pieces = self.material.pieces().zip(placement);
        Position::from_pieces(Game::default(), pieces, turn).is_some()
    }
}

fn rank(result: i16) -> u8 {
    match result {
        1 => 4,
        2 => 3,
        0 => DRAW,
        -2 => 1,
        _ => 0,
    }
}
