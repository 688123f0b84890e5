//! Finds random positions of a material, with a given side to move, category and distance,
//! or with counters on the edge between winning and losing.

use retrograde_index::{Metric, Wdl};
use retrograde_rules::{Colour, Counters, Game, Material, Piece, Position, Square};

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

/// The most positions of a side to move that are probed in a search: all of four men.
const MOST_PROBED: u64 = 1 << 23;

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
    /// Whether the winner is to have just the vitality that it needs, where a point fewer loses,
    /// in games with vitality; otherwise both counters are full. Not together with a distance.
    pub is_on_edge: bool,
}

/// Finds a position as wished for; `None` if none was found among many. Without a distance all
/// such positions are equally likely. `below` gives random numbers below the one that it is given.
///
/// # Errors
/// A table is missing or damaged, if a category, a distance or the edge is wished for; there are no
/// edges in games without vitality.
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
        let Some(mut position) = Position::from_pieces(game, placed, turn) else {
            continue;
        };
        if wish.is_on_edge {
            match on_edge(tables, &position, wish.wdl, below)? {
                Some(found) => position = found,
                None => continue,
            }
        }
        if wish.is_met(tables, &position)? {
            return Ok(Some(position));
        }
    }
    match wish.distance {
        Some(distance) => searched(tables, wish, distance, below),
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

/// Gives a position counters with which the winner would lose if it had a point fewer; `None` if
/// there are none with which the side to move has the category.
fn on_edge(
    tables: &Tablebase,
    position: &Position,
    wdl: Option<Wdl>,
    below: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<Position>, ProbeError> {
    let curve = tables.vitality(position)?.curve;
    if position.end().is_some() {
        return Ok(None);
    }
    let counters = curve.counters();
    let [whites, blacks] = Colour::BOTH.map(|side| counters.of(side));
    let white_wins = blacks.map(|black| (Colour::White, curve.white_needs(black), black));
    let black_wins = whites.map(|white| (Colour::Black, white, curve.black_needs(white)));
    let all = white_wins.chain(black_wins);
    let edge = all.filter_map(|(winner, white, black)| {
        let vitality = Counters { white, black };
        let fits = wdl.is_none_or(|wdl| Wdl::of_winner(Some(winner), position.turn()) == wdl);
        let has_fewer = vitality.of(winner) > counters.least;
        (fits && has_fewer && counters.contain(vitality)).then_some(vitality)
    });
    let edge: Vec<Counters> = edge.collect();
    if edge.is_empty() {
        return Ok(None);
    }
    Ok(position.with_vitality(edge[below(edge.len())]))
}

/// Searches the positions of a table for a distance, from a random place on. Those of one distance
/// lie together: positions are taken from everywhere.
fn searched(
    tables: &Tablebase,
    wish: &Wish,
    (metric, plies): (Metric, u32),
    below: &mut dyn FnMut(usize) -> usize,
) -> Result<Option<Position>, ProbeError> {
    let (normal, is_swapped) = wish.material.normal(tables.game());
    let Some(table) = tables.table(&normal, metric)? else {
        return Err(tables.missing(&normal, Some(metric)));
    };
    let all = table.header().positions;
    let start = below(usize::try_from(all).unwrap_or(usize::MAX).max(1)) as u64;
    let step = scattering(all);
    let first = Colour::BOTH[below(2)];
    // Where checks are counted, statistics are only of full counters.
    let statistics = match table.index().layers() {
        1 => tables.statistics(&normal, metric)?,
        _ => None,
    };
    let occurs = |turn: Colour| {
        statistics.as_ref().is_none_or(|all| {
            let mut counts = all.sides[turn.index()].counts.iter();
            counts.any(|count| u32::from(count.plies) == plies)
        })
    };
    for turn in [first, first.other()] {
        let shown = if is_swapped { turn.other() } else { turn };
        if wish.turn.is_some_and(|wanted| wanted != shown) || !occurs(turn) {
            continue;
        }
        for place in 0..all.min(MOST_PROBED) {
            let index =
                (u128::from(place) * u128::from(step) + u128::from(start)) % u128::from(all);
            if let Some(position) = position(tables.game(), table, turn, index as u64, is_swapped)
                && wish.is_met(tables, &position)?
            {
                return Ok(Some(position));
            }
        }
    }
    Ok(None)
}

/// A step by which one comes to all of some indices, each time far from where one was before.
fn scattering(all: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    // The golden section divides what is left most evenly.
    let golden = (all as f64 * 0.618_034) as u64;
    let found = (golden..all).find(|&step| gcd(step, all) == 1);
    found.unwrap_or(1)
}

/// The position of an index of a table, if it stands for one; the other colours have its pieces if
/// `is_swapped`.
fn position(
    game: Game,
    table: &Table,
    turn: Colour,
    index: u64,
    is_swapped: bool,
) -> Option<Position> {
    let material = table.index().material();
    let mut squares = Squares::default();
    let squares = &mut squares[..table.index().pieces()];
    if !table.index().decode(index, squares) {
        return None;
    }
    let (mirror, geometry) = (game.interchange(material), game.geometry());
    let placed = material.pieces().zip(squares.iter());
    let placed = placed.map(|(piece, &square)| match is_swapped {
        true => {
            let colour = piece.colour.other();
            (Piece { colour, ..piece }, mirror.image(geometry, square))
        }
        false => (piece, square),
    });
    let turn = if is_swapped { turn.other() } else { turn };
    let position = table
        .index()
        .counted(index, Position::from_pieces(game, placed, turn)?);
    match position.counters().filter(|_| is_swapped) {
        Some(counters) => position
            .with_counters(counters.swapped())
            .or(Some(position)),
        None => Some(position),
    }
}
