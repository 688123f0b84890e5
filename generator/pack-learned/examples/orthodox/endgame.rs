//! A material of orthodox chess: its positions and their values.

use std::path::{Path, PathBuf};

use retrograde_probe::{Index, Metric, Table, table_path};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square, Symmetry};

use crate::Failure;

/// The materials of three and four men.
pub(crate) fn all() -> Vec<String> {
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
pub(crate) const DRAW: u8 = 2;

/// A material and who wins in it.
pub(crate) struct Endgame {
    folder: PathBuf,
    material: Material,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) index: Index,
    /// For each piece, its square in every index.
    pub(crate) squares: Vec<Vec<u8>>,
    /// For each side to move: loss, blessed loss, draw, cursed win, win; `None` for an index
    /// that stands for no position.
    pub(crate) results: [Vec<Option<u8>>; 2],
}

impl Endgame {
    /// Reads the table of WDL of a material.
    pub(crate) fn open(folder: &Path, material: &Material) -> Result<Endgame, Failure> {
        let index = Index::new(Game::default(), material)?;
        let pieces: Vec<Piece> = material.pieces().collect();
        let mut columns = vec![Vec::with_capacity(index.len() as usize); pieces.len()];
        let mut squares = vec![Square(0); pieces.len()];
        for number in 0..index.len() {
            index.decode(number, &mut squares);
            for (column, square) in columns.iter_mut().zip(&squares) {
                column.push(square.0);
            }
        }
        let mut endgame = Endgame {
            folder: folder.to_owned(),
            material: *material,
            pieces,
            index,
            squares: columns,
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

    /// The values of a metric.
    pub(crate) fn read(&self, metric: &str, turn: Colour) -> Result<Vec<i16>, Failure> {
        let metric = match metric {
            "wdl" => Metric::Wdl,
            "dtz" => Metric::Dtz,
            _ => Metric::Dtm,
        };
        let path = table_path(&self.folder, Game::default(), &self.material, metric);
        let table = Table::open(&path)?;
        let mut values = vec![0; self.index.len() as usize];
        table.read(turn, 0, &mut values)?;
        if *table.index().groups() == *self.index.groups() {
            return Ok(values);
        }
        let mut out = Vec::with_capacity(values.len());
        for index in 0..self.index.len() {
            let index = table.index().encode(&self.placement(index));
            out.push(values[index.ok_or("no such index")? as usize]);
        }
        Ok(out)
    }

    fn placement(&self, index: u64) -> Vec<Square> {
        let columns = self.squares.iter();
        columns
            .map(|column| Square(column[index as usize]))
            .collect()
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
        let pieces = self.pieces.iter().copied().zip(placement);
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
