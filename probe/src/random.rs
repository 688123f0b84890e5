//! Finds random positions of a material, with a given side to move, category and distance.

use retrograde_index::{Metric, Wdl, score};
use retrograde_rules::{Colour, Material, Piece, Position, Square};

use crate::error::ProbeError;
use crate::format::Table;
use crate::store::Squares;
use crate::tablebase::Tablebase;
use crate::value::{Dtm, Dtz};

/// The number of placements that are tried: enough for a category that one position in ten thousand
/// has.
const TRIES: u32 = 100_000;

/// The number of placements that are tried for a distance, before tables are searched for it.
const TRIES_FOR_DISTANCE: u32 = 1_000;

/// The number of values that are read at a time, and the most of a side to move: of one that a
/// table has, and of one that takes a search for each value.
const CHUNK: usize = 1 << 14;
const MOST_READ: u64 = 1 << 24;
const MOST_READ_UNSTORED: u64 = 1 << 16;

/// The wishes for a random position.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The material, each side with its own pieces.
    pub material: Material,
    /// The side to move; `None` for either.
    pub turn: Option<Colour>,
    /// The category for the side to move; `None` for any.
    pub wdl: Option<Wdl>,
    /// A number of plies, and what they lead to: the end of the game ([`Metric::Dtm`]), or the next
    /// zeroing move ([`Metric::Dtz`]).
    pub distance: Option<(Metric, u32)>,
}

/// Finds a position as wished for; `None` if none was found among many. Without a distance all
/// such positions are equally likely. `below` gives random numbers below the one that it is given.
///
/// # Errors
/// A table is missing or damaged, if a category or a distance is wished for.
pub fn random(
    tables: &Tablebase,
    wish: &Wish,
    below: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<Position>, ProbeError> {
    let game = tables.game();
    let pieces: Vec<Piece> = wish.material.pieces().collect();
    let mut squares: Vec<Square> = game.geometry().all().collect();
    let tries = match wish.distance {
        Some(_) => TRIES_FOR_DISTANCE,
        None => TRIES,
    };
    for _ in 0..tries {
        let turn = wish.turn.unwrap_or_else(|| Colour::BOTH[below(2)]);
        let len = squares.len();
        for place in 0..pieces.len().min(len) {
            squares.swap(place, place + below(len - place));
        }
        let placed = pieces.iter().copied().zip(squares.iter().copied());
        let Some(position) = Position::from_pieces(game, placed, turn) else {
            continue;
        };
        if wish.is_met(tables, &position)? {
            return Ok(Some(position));
        }
    }
    match wish.distance {
        Some((metric, plies)) => searched(tables, wish, metric, plies, below),
        None => Ok(None),
    }
}

impl Wish {
    fn is_met(&self, tables: &Tablebase, position: &Position) -> Result<bool, ProbeError> {
        if let Some(wdl) = self.wdl
            && tables.wdl(position)? != wdl
        {
            return Ok(false);
        }
        Ok(match self.distance {
            None => true,
            Some((Metric::Dtz, plies)) => tables.dtz(position)? == Some(Dtz(plies)),
            Some((_, plies)) => tables.dtm(position)? == Some(Dtm(plies)),
        })
    }
}

/// Searches the values of a table for a distance, from a random place on.
fn searched(
    tables: &Tablebase,
    wish: &Wish,
    metric: Metric,
    plies: u32,
    below: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<Position>, ProbeError> {
    let game = tables.game();
    let (normal, is_swapped) = wish.material.normal(game);
    let Some(table) = tables.table(&normal, metric)? else {
        return Err(tables.missing(&normal, Some(metric)));
    };
    let first = Colour::BOTH[below(2)];
    for turn in [first, first.other()] {
        let shown = if is_swapped { turn.other() } else { turn };
        if wish.turn.is_some_and(|wanted| wanted != shown) {
            continue;
        }
        let mut search = Search::new(tables, table, turn);
        while let Some((start, values)) = search.next(below)? {
            let found = (start..).zip(values);
            let found = found.filter(|&(_, &value)| is_distance(metric, value, plies));
            let mut found: Vec<u64> = found.map(|(index, _)| index).collect();
            while !found.is_empty() {
                let index = found.swap_remove(below(found.len()));
                if let Some(position) = search.position(index, is_swapped)
                    && wish.is_met(tables, &position)?
                {
                    return Ok(Some(position));
                }
            }
        }
    }
    Ok(None)
}

/// Whether a stored value may be this distance.
fn is_distance(metric: Metric, value: i16, plies: u32) -> bool {
    match (metric, value) {
        (Metric::Dtm, score::DRAW) => false,
        (Metric::Dtm, score::WON) => plies == 0,
        (Metric::Dtm, 1..) => u32::from(value.unsigned_abs()) == plies,
        (Metric::Dtm, _) => u32::from(value.unsigned_abs()) == plies + 1,
        _ => u32::from(value.unsigned_abs()) == plies,
    }
}

/// A search through the values of a table with one side to move, from a random place on.
struct Search<'a> {
    tables: &'a Tablebase,
    table: &'a Table,
    turn: Colour,
    values: Vec<i16>,
    /// The place of the next values to read; `None` before the first.
    next: Option<u64>,
    /// The number of values that may yet be read.
    left: u64,
}

impl<'a> Search<'a> {
    fn new(tables: &'a Tablebase, table: &'a Table, turn: Colour) -> Search<'a> {
        let is_stored = table.header().section(turn).is_some();
        let most = if is_stored {
            MOST_READ
        } else {
            MOST_READ_UNSTORED
        };
        Search {
            tables,
            table,
            turn,
            values: Vec::new(),
            next: None,
            left: table.header().positions.min(most),
        }
    }

    /// Reads the next values: the index of the first, and all of them. `None` after the last.
    fn next(
        &mut self,
        below: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<(u64, &[i16])>, ProbeError> {
        let all = self.table.header().positions;
        let chunk = CHUNK as u64;
        let start = match self.next {
            Some(start) => start,
            None => {
                chunk * below(usize::try_from(all.div_ceil(chunk)).unwrap_or(usize::MAX)) as u64
            }
        };
        if self.left == 0 {
            return Ok(None);
        }
        let end = all.min(start + chunk);
        self.values.resize((end - start) as usize, 0);
        self.tables
            .read_range(self.table, self.turn, start, &mut self.values)?;
        self.left = self.left.saturating_sub(end - start);
        self.next = Some(if end < all { end } else { 0 });
        Ok(Some((start, &self.values)))
    }

    /// The position of an index, if it stands for one; the other colours have its pieces if
    /// `is_swapped`.
    fn position(&self, index: u64, is_swapped: bool) -> Option<Position> {
        let (game, index_of) = (self.tables.game(), self.table.index());
        let mut squares = Squares::default();
        let squares = &mut squares[..index_of.pieces()];
        if !index_of.decode(index, squares) {
            return None;
        }
        let (mirror, geometry) = (game.interchange(index_of.material()), game.geometry());
        let placed = index_of.material().pieces().zip(squares.iter());
        let placed = placed.map(|(piece, &square)| match is_swapped {
            true => {
                let colour = piece.colour.other();
                (Piece { colour, ..piece }, mirror.image(geometry, square))
            }
            false => (piece, square),
        });
        let turn = if is_swapped {
            self.turn.other()
        } else {
            self.turn
        };
        Position::from_pieces(game, placed, turn)
    }
}
