//! Reads Retrograde's tables of one material: placements by index, with their values.

use std::path::Path;

use anyhow::{Context, Result, bail};
use retrograde_probe::{Index, Metric, Table, Tablebase, Value, table_path};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};

use crate::diagram::Diagram;

/// The table of a material, and its index.
pub struct Endgame {
    game: Game,
    /// The material.
    pub material: Material,
    /// The index of its placements, up to symmetry.
    pub index: Index,
    pieces: Vec<Piece>,
    tables: Tablebase,
}

/// An index as pieces on a board.
pub struct Placement {
    /// Retrograde's position; `None` if Retrograde considers it illegal.
    pub position: Option<Position>,
    /// The bitboards; `None` if two pieces share a square.
    pub diagram: Option<Diagram>,
    /// The squares, in the order of the pieces.
    pub squares: Vec<Square>,
}

impl Endgame {
    /// Opens the tables of a material in some metrics, and no others.
    pub fn open(game: Game, folder: &Path, name: &str, metrics: &[Metric]) -> Result<Endgame> {
        let material = Material::parse(game, name)?;
        let mut tables = Vec::new();
        for &metric in metrics {
            let path = table_path(folder, game, &material, metric);
            if !path.exists() {
                bail!(
                    "{} is missing; make it with: retrograde generate {} {material}",
                    path.display(),
                    game.id()
                );
            }
            tables.push(Table::open(&path)?);
        }
        Ok(Endgame {
            game,
            material,
            index: Index::new(game, &material)?,
            pieces: material.pieces().collect(),
            tables: Tablebase::from_tables(game, tables)?,
        })
    }

    /// The pieces, in the order of their squares.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The placement of an index.
    pub fn placement(&self, index: u64, turn: Colour) -> Result<Placement> {
        let mut squares = vec![Square(0); self.pieces.len()];
        if !self.index.decode(index, &mut squares) {
            bail!("{} has no index {index}", self.material);
        }
        let pieces = || self.pieces.iter().copied().zip(squares.iter().copied());
        let mut diagram = Diagram {
            turn: turn.index(),
            ..Diagram::default()
        };
        let placed =
            pieces().all(|(piece, square)| diagram.put(piece.letter() as u8, square.0.into()));
        Ok(Placement {
            position: Position::from_pieces(self.game, pieces(), turn),
            diagram: Some(diagram).filter(|_| placed),
            squares,
        })
    }

    /// The value of a position of the material, from the tables.
    pub fn value(&self, position: &Position) -> Result<Value> {
        let fen = || position.fen();
        self.tables.value(position).with_context(fen)
    }

    /// The squares of the pieces in words, for messages about placements that
    /// are no positions.
    pub fn describe(&self, squares: &[Square], turn: Colour) -> String {
        let pieces = self.pieces.iter().zip(squares);
        let words: Vec<String> = pieces
            .map(|(piece, &square)| {
                format!("{}{}", piece.letter(), self.game.geometry().name(square))
            })
            .collect();
        format!("{} to move: {}", turn.name(), words.join(" "))
    }
}
