//! Retrograde's tables, one class at a time.

use std::path::Path;

use anyhow::{Context, Result, bail};
use retrograde_probe::{Index, Metric, Table, Tablebase, Value, table_path};
use retrograde_rules::{Colour, Game, Man, Material, Position, Square};

use crate::diagram::Diagram;

/// The game of the published tables.
pub const GAME: Game = Game::Orthodox;

/// The table of a class, and its index.
pub struct Class {
    /// The class.
    pub material: Material,
    /// Its placements as numbers, up to symmetry.
    pub index: Index,
    men: Vec<Man>,
    tables: Tablebase,
}

/// A number of the index as men on a board.
pub struct Placement {
    /// Retrograde's position; `None` if it takes it for illegal.
    pub position: Option<Position>,
    /// The bit boards; `None` if two men share a square or by the laws of
    /// chess the position is illegal.
    pub diagram: Option<Diagram>,
    /// The squares, in the order of the men.
    pub squares: Vec<Square>,
}

impl Class {
    /// Opens the tables of a class in some metrics, and no others.
    pub fn open(folder: &Path, name: &str, metrics: &[Metric]) -> Result<Class> {
        let material = Material::parse(GAME, name)?;
        let mut tables = Vec::new();
        for &metric in metrics {
            let path = table_path(folder, GAME, &material, metric);
            if !path.exists() {
                bail!(
                    "{} is missing; make it with: retrograde generate {} {material}",
                    path.display(),
                    GAME.id()
                );
            }
            tables.push(Table::open(&path)?);
        }
        Ok(Class {
            material,
            index: Index::new(GAME, &material)?,
            men: material.men().collect(),
            tables: Tablebase::from_tables(GAME, tables)?,
        })
    }

    /// The men, in the order of their squares.
    pub fn men(&self) -> &[Man] {
        &self.men
    }

    /// The placement of a number.
    pub fn placement(&self, number: u64, turn: Colour) -> Result<Placement> {
        let mut squares = vec![Square(0); self.men.len()];
        if !self.index.decode(number, &mut squares) {
            bail!("{} has no number {number}", self.material);
        }
        let men = || self.men.iter().copied().zip(squares.iter().copied());
        let mut diagram = Diagram {
            turn: turn.index(),
            ..Diagram::default()
        };
        let placed = men().all(|(man, square)| diagram.put(man.letter() as u8, square.0.into()));
        Ok(Placement {
            position: Position::from_men(GAME, men(), turn),
            diagram: Some(diagram).filter(|d| placed && d.is_legal()),
            squares,
        })
    }

    /// What the table says of a position of the class.
    pub fn value(&self, position: &Position) -> Result<Value> {
        let fen = || position.fen(GAME);
        self.tables.value(position).with_context(fen)
    }

    /// The squares of the men in words, for messages about placements that
    /// are no positions.
    pub fn describe(&self, squares: &[Square], turn: Colour) -> String {
        let men = self.men.iter().zip(squares);
        let words: Vec<String> = men
            .map(|(man, &square)| format!("{}{}", man.letter(), GAME.geometry().name(square)))
            .collect();
        format!("{} to move: {}", turn.name(), words.join(" "))
    }
}
