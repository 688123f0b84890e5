//! The positions one quiet move further on: what is kept in memory of them is looked up by where
//! the pieces then stand, without the positions themselves.

use std::borrow::Cow;

use retrograde_index::Index;
use retrograde_rules::{Colour, Material, Move, MoveKind, Position, Square};

use crate::format::{SideValues, Table};
use crate::known::Named;
use crate::store::{MaterialTables, Squares};
use crate::tablebase::Tablebase;
use crate::{Metric, Wdl};

impl Tablebase {
    /// What is kept in memory of the positions after the quiet moves of a side to move. The
    /// values are those of the table that is asked, unless only another file of the same
    /// material keeps any.
    pub(crate) fn quiet<'a>(
        &'a self,
        material: &Material,
        turn: Colour,
        table: &'a Table,
    ) -> Quiet<'a> {
        let Some(entry) = self.store.entry(material) else {
            return Quiet::default();
        };
        let after = entry.turn(turn.other());
        let kept = |metric| {
            let table = self.store.table(entry, metric)?.ok()?;
            Some((table.index(), table.in_memory(after)?))
        };
        Quiet {
            entry: Some(entry),
            results: kept(Metric::Wdl),
            values: match table.in_memory(after) {
                Some(values) => Some((table.index(), values)),
                None => kept(table.header().metric),
            },
        }
    }
}

/// What is kept in memory of the positions after quiet moves: who wins, and the values of
/// a metric, each with the index that they are in the order of.
#[derive(Default)]
pub(crate) struct Quiet<'a> {
    entry: Option<&'a MaterialTables>,
    results: Option<Indexed<'a>>,
    values: Option<Indexed<'a>>,
}

type Indexed<'a> = (&'a Index, &'a SideValues);

impl Quiet<'_> {
    /// The surroundings of a position whose pieces are on these squares of the tables.
    pub(crate) fn near(&self, squares: &[Square]) -> Near<'_> {
        let mut all = Squares::default();
        all.iter_mut()
            .zip(squares)
            .for_each(|(to, &from)| *to = from);
        Near {
            quiet: self,
            squares: all,
            pieces: squares.len(),
        }
    }

    pub(crate) fn near_position(&self, position: &Position) -> Near<'_> {
        let mut squares = Squares::default();
        let find = |entry: &MaterialTables| entry.squares_of(position, &mut squares);
        let pieces = self.entry.and_then(find).unwrap_or(0);
        self.near(squares.get(..pieces).unwrap_or(&[]))
    }
}

/// The surroundings of a position.
pub(crate) struct Near<'a> {
    quiet: &'a Quiet<'a>,
    squares: Squares,
    pieces: usize,
}

impl Near<'_> {
    /// Who wins after a move, for the side to move there, if that is kept in memory.
    #[inline]
    pub(crate) fn result(&self, mv: Move) -> Option<Wdl> {
        self.look_up(self.quiet.results?, mv).map(Wdl::from_value)
    }

    /// The value of the metric after a move, if that is.
    #[inline]
    pub(crate) fn value(&self, mv: Move) -> Option<i16> {
        self.look_up(self.quiet.values?, mv)
    }

    #[inline]
    fn look_up(&self, (index, values): Indexed, mv: Move) -> Option<i16> {
        let mut squares = Squares::default();
        let pieces = self.after(mv, &mut squares)?;
        values.get(index.encode(squares.get(..pieces)?)?)
    }

    /// Writes the squares of all pieces after a move that only changes that of one, and says how
    /// many there are.
    #[inline]
    fn after(&self, mv: Move, squares: &mut Squares) -> Option<usize> {
        if mv.kind != MoveKind::Ordinary || mv.captured.is_some() || mv.promotion.is_some() {
            return None;
        }
        let image = |square| self.quiet.entry.map_or(square, |entry| entry.image(square));
        let from = image(mv.from);
        let before = self.squares.get(..self.pieces)?;
        let moved = before.iter().position(|&square| square == from)?;
        *squares = self.squares;
        squares[moved] = image(mv.to);
        Some(self.pieces)
    }
}

/// The positions after moves of a position, by these.
pub(crate) struct AfterMoves<'a> {
    pub(crate) position: &'a Position,
    pub(crate) near: &'a Near<'a>,
}

impl Named<Move> for AfterMoves<'_> {
    #[inline]
    fn turn(&self, _: &Move) -> Colour {
        self.position.turn().other()
    }

    fn position<'a>(&'a self, mv: &'a Move) -> Cow<'a, Position> {
        Cow::Owned(self.position.play(*mv))
    }

    #[inline]
    fn squares(&self, mv: &Move, entry: &MaterialTables, squares: &mut Squares) -> Option<usize> {
        let near = self.near.after(*mv, squares);
        near.or_else(|| entry.squares_of(&self.position.play(*mv), squares))
    }
}
