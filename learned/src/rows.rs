//! Placements by rows: those that differ in the square of one piece only stand side by side, so
//! that a question is asked of all of them at once.
//!
//! What one placement after the other would be asked is a column of [`Columns`] here if it is
//! the same for all of a row, and else a set of squares of the piece that moves. Squares where
//! another piece stands are left out: pieces that share a square are no position.

mod touch;

use crate::board::SLIDES;
use crate::columns::Columns;
use crate::error::LearnedError;
use crate::feature::{A_PIECE, Feature, FeatureKind, Features, MOST, Pair, Race};
use crate::masks::{Ordered, THRESHOLDS};
use crate::squares::Squares;
use touch::{Hanging, Touches};

/// Placements that differ in the square of the moving piece. They are consecutive.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The squares of the pieces; that of the moving piece is the first that it stands on.
    pub squares: [u8; MOST],
    /// How many squares from there on it stands on.
    pub len: u8,
}

/// Some placements by rows, at most [`Rows::MOST`]; the memory is reused.
#[derive(Clone, Debug)]
pub struct Rows(pub(crate) Words);

/// With the smallest words that have a bit for each square.
#[derive(Clone, Debug)]
pub(crate) enum Words {
    Small(RowsOf<u64>),
    Large(RowsOf<u128>),
}

impl Rows {
    /// The most placements at once.
    pub const MOST: usize = Columns::MOST;

    /// No rows yet, in which a piece of the material moves.
    ///
    /// # Errors
    /// [`LearnedError::Question`] if there is no such piece.
    pub fn new(features: &Features, moving: usize) -> Result<Rows, LearnedError> {
        if moving >= features.pieces() {
            return Err(LearnedError::Question("there is no such piece"));
        }
        Ok(Rows(match features.board().squares() {
            ..=64 => Words::Small(RowsOf::new(features, moving)),
            _ => Words::Large(RowsOf::new(features, moving)),
        }))
    }

    /// Takes rows, whose placements count from 0: those that `is_asked` says are looked up.
    /// `contexts` has a column for each context, of a value for each placement. Placements
    /// beyond [`Rows::MOST`] are not looked up, nor are those with a square off the board.
    pub fn fill(
        &mut self,
        features: &Features,
        rows: &[Row],
        contexts: &[u8],
        is_asked: impl Fn(usize) -> bool,
    ) {
        match &mut self.0 {
            Words::Small(words) => words.fill(features, rows, contexts, is_asked),
            Words::Large(words) => words.fill(features, rows, contexts, is_asked),
        }
    }
}

/// Some placements of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowPart<W> {
    /// The row.
    pub(crate) row: u16,
    /// The squares of the moving piece.
    pub(crate) squares: W,
}

/// How a feature is looked up.
#[derive(Clone, Copy, Debug)]
enum Look {
    /// It is the same for all of a row.
    Same,
    /// It is ordered: by the list of [`Masks::up_to`] that the value of another feature says,
    /// if it takes one.
    Ordered(Ordered, Option<u8>),
    /// The square of the moving piece.
    Square,
    /// How far it is from a piece.
    Apart(u8),
    /// How two pieces attack each other, by the number of the pair.
    Touch(u8),
    /// How many attack a piece.
    Hanging(u8),
    Context(u8),
}

#[derive(Clone, Debug)]
pub(crate) struct RowsOf<W> {
    moving: usize,
    looks: Vec<Look>,
    /// The features of each row, its moving piece on its first square.
    columns: Columns,
    /// The features that are the same for all rows.
    same: Vec<Option<u8>>,
    touches: Touches<W>,
    hanging: Vec<[Hanging<W>; MOST]>,
    /// For each context and each of its values the squares of each row.
    contexts: Vec<Vec<Vec<W>>>,
    /// How many placements there are.
    places: usize,
    /// What is looked up.
    asked: Vec<RowPart<W>>,
    /// The first placement of each row and the square of its moving piece.
    starts: Vec<(u16, u8)>,
    /// The columns of squares.
    squares: Vec<u8>,
}

impl<W: Squares> RowsOf<W> {
    fn new(features: &Features, moving: usize) -> RowsOf<W> {
        let look = |feature| look(features, moving as u8, feature);
        RowsOf {
            moving,
            looks: features.list().iter().map(look).collect(),
            columns: Columns::new(),
            same: Vec::new(),
            touches: Touches::new(features, moving),
            hanging: Vec::new(),
            contexts: Vec::new(),
            places: 0,
            asked: Vec::new(),
            starts: Vec::new(),
            squares: Vec::new(),
        }
    }

    fn fill(
        &mut self,
        features: &Features,
        rows: &[Row],
        contexts: &[u8],
        is_asked: impl Fn(usize) -> bool,
    ) {
        let board = features.board().squares();
        self.asked.clear();
        self.starts.clear();
        let mut places = 0;
        for (number, row) in rows.iter().enumerate() {
            let (start, from) = (places, row.squares[self.moving % MOST]);
            places += usize::from(row.len);
            if places > Rows::MOST {
                break;
            }
            self.starts.push((start as u16, from));
            let others = (0..features.pieces()).filter(|&piece| piece != self.moving);
            let mut taken = W::NONE;
            let mut is_placed = u16::from(from) + u16::from(row.len) <= u16::from(board);
            for piece in others {
                let square = row.squares[piece % MOST];
                is_placed &= square < board && taken & W::one(square) == W::NONE;
                taken = taken | W::one(square);
            }
            if !is_placed {
                continue;
            }
            let mut squares = W::NONE;
            for place in 0..row.len {
                let asked = u128::from(is_asked(start + usize::from(place)));
                squares = squares | W::of_bits(asked << (from + place));
            }
            let row = number as u16;
            let squares = squares & !taken;
            if squares != W::NONE {
                self.asked.push(RowPart { row, squares });
            }
        }
        let rows = &rows[..self.starts.len()];
        self.places = rows.iter().map(|row| usize::from(row.len)).sum();
        self.look_at(features, rows);
        self.sort_contexts(features, rows, contexts);
    }

    /// Works out the features.
    fn look_at(&mut self, features: &Features, rows: &[Row]) {
        let pieces = features.pieces();
        self.squares.clear();
        for piece in 0..pieces {
            let squares = rows.iter().map(|row| row.squares[piece % MOST]);
            self.squares.extend(squares);
        }
        self.columns.fill(features, rows.len(), &self.squares, &[]);
        self.same.clear();
        for (number, look) in self.looks.iter().enumerate() {
            let column = self.columns.column(number);
            let first = column.first().filter(|_| matches!(look, Look::Same));
            let same = first.filter(|&first| column.iter().all(|value| value == first));
            self.same.push(same.copied());
        }
        self.touches.fill(features, rows);
        self.touches
            .hanging(features, rows.len(), &mut self.hanging);
    }

    /// Sorts the placements by contexts.
    fn sort_contexts(&mut self, features: &Features, rows: &[Row], contexts: &[u8]) {
        self.contexts.clear();
        if self.places == 0 {
            return;
        }
        for (&size, column) in features.contexts().iter().zip(contexts.chunks(self.places)) {
            let mut sets = vec![vec![W::NONE; rows.len()]; size.into()];
            for (row, &(start, from)) in self.starts.iter().enumerate() {
                let values = column.iter().skip(start.into()).take(rows[row].len.into());
                for (square, &value) in (from..).zip(values) {
                    let value = if value < size { value } else { 0 };
                    let set = &mut sets[usize::from(value)][row];
                    *set = *set | W::one(square);
                }
            }
            self.contexts.push(sets);
        }
    }

    /// What is looked up.
    pub(crate) fn asked(&self) -> &[RowPart<W>] {
        &self.asked
    }

    /// The placements of a part.
    #[inline]
    pub(crate) fn each_place(&self, part: RowPart<W>, mut each: impl FnMut(usize)) {
        let start = self.starts.get(usize::from(part.row)).copied();
        let (start, from) = start.unwrap_or_default();
        let squares = part.squares >> u32::from(from);
        squares.each(|after| each(usize::from(start) + usize::from(after)));
    }

    /// How many placements there are.
    pub(crate) fn places(&self) -> usize {
        self.places
    }

    /// The first placement of a row.
    #[inline]
    pub(crate) fn start(&self, row: usize) -> usize {
        let start = self.starts.get(row);
        start.map_or(0, |&(start, _)| start.into())
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Divides placements by a question: of `parts` from `from` on, those that have one of the
    /// values `left` of a feature come first, the others after them. Returns where these begin.
    #[inline]
    pub(crate) fn divide(
        &self,
        features: &Features,
        (feature, left): (usize, u128),
        (parts, from): (&mut Vec<RowPart<W>>, usize),
        spare: &mut Vec<RowPart<W>>,
    ) -> usize {
        let has = |value: u8| left >> (value & 127) & 1 != 0;
        if let Some(&Some(value)) = self.same.get(feature) {
            return if has(value) { parts.len() } else { from };
        }
        let sights = &*features.sights;
        let column = |number: u8| self.columns.column(number.into());
        let value = |column: &[u8], row: usize| column.get(row).copied().unwrap_or(0);
        match self.looks.get(feature).copied().unwrap_or(Look::Same) {
            Look::Same => {
                let column = self.columns.column(feature);
                divide(parts, from, spare, |part| {
                    W::all_if(has(value(column, part.row())))
                })
            }
            Look::Ordered(ordered, by) => {
                let threshold = (127 - left.leading_zeros() as usize).min(THRESHOLDS - 1);
                let lists = W::masks(sights).up_to(ordered, sights);
                let set = |list: u8| {
                    lists
                        .get(usize::from(list))
                        .map_or(W::NONE, |l| l[threshold])
                };
                match by {
                    None => {
                        let set = set(0);
                        divide(parts, from, spare, |_| set)
                    }
                    Some(by) => {
                        let column = column(by);
                        divide(parts, from, spare, |part| set(value(column, part.row())))
                    }
                }
            }
            Look::Square => {
                let set = W::of_bits(left);
                divide(parts, from, spare, |_| set)
            }
            Look::Apart(from_piece) => {
                let of = |which| {
                    self.columns
                        .column(usize::from(from_piece) * A_PIECE + which)
                };
                let (square, file, rank) = (of(0), of(1), of(2));
                let masks = W::masks(sights);
                divide(parts, from, spare, |part| {
                    let row = part.row();
                    if part.squares.count() > FEW {
                        return masks.apart(value(file, row), value(rank, row), left);
                    }
                    let (from, mut set) = (value(square, row), W::NONE);
                    part.squares.each(|to| {
                        let [apart, ..] = sights.near(from, to).0;
                        set = set | W::of_bits(u128::from(has(apart)) << to);
                    });
                    set
                })
            }
            Look::Touch(pair) => {
                let touches = self.touches.of_pair(pair.into());
                divide(parts, from, spare, |part| {
                    touches
                        .get(part.row())
                        .map_or(W::NONE, |touch| touch.among(left as u8))
                })
            }
            Look::Hanging(piece) => divide(parts, from, spare, |part| {
                let hanging = self.hanging.get(part.row());
                hanging.map_or(W::NONE, |all| {
                    all[usize::from(piece) % MOST].among(left as u16)
                })
            }),
            Look::Context(context) => {
                let sets = self
                    .contexts
                    .get(usize::from(context))
                    .map_or(&[][..], |sets| sets);
                divide(parts, from, spare, |part| {
                    let those = sets
                        .iter()
                        .enumerate()
                        .filter(|(value, _)| has(*value as u8));
                    let squares = those.filter_map(|(_, rows)| rows.get(part.row()));
                    squares.fold(W::NONE, |all, &squares| all | squares)
                })
            }
        }
    }
}

/// Up to so many squares are looked at one by one.
const FEW: u32 = 12;

impl<W> RowPart<W> {
    #[inline(always)]
    fn row(&self) -> usize {
        self.row.into()
    }
}

/// Divides parts from `from` on: first the squares that are in the sets of their parts, then
/// the others, which begin where it says.
#[inline(always)]
fn divide<W: Squares>(
    parts: &mut Vec<RowPart<W>>,
    from: usize,
    spare: &mut Vec<RowPart<W>>,
    set: impl Fn(&RowPart<W>) -> W,
) -> usize {
    let here = parts.get_mut(from..).unwrap_or(&mut []);
    // Nothing branches on whether a side is empty, which cannot be foreseen.
    spare.clear();
    spare.extend_from_slice(here);
    let (mut lefts, mut rights) = (0, 0);
    for read in 0..here.len() {
        let part = here[read];
        let set = set(&part);
        let (left, right) = (part.squares & set, part.squares & !set);
        here[lefts] = RowPart {
            squares: left,
            ..part
        };
        spare[rights] = RowPart {
            squares: right,
            ..part
        };
        lefts += usize::from(left != W::NONE);
        rights += usize::from(right != W::NONE);
    }
    parts.truncate(from + lefts);
    parts.extend_from_slice(&spare[..rights]);
    from + lefts
}

/// How a feature is looked up if a piece moves.
fn look(features: &Features, moving: u8, feature: &Feature) -> Look {
    let (first, second) = (feature.first, feature.second);
    let moves = first == moving || second == moving;
    let other = if first == moving { second } else { first };
    let [square, file, rank] = [0, 1, 2].map(|which| other * A_PIECE as u8 + which);
    let ordered = |from, to, by| {
        let ordered = if first == moving { from } else { to };
        Look::Ordered(ordered, Some(by))
    };
    match feature.kind {
        FeatureKind::Hanging => Look::Hanging(first),
        FeatureKind::Context => Look::Context(first),
        FeatureKind::Touch => {
            let is_meant = |pair: &Pair| (pair.first, pair.second) == (first, second);
            let number = features.pairs.iter().position(is_meant).unwrap_or(0);
            let ways = features
                .pairs
                .get(number)
                .map_or(0, |pair| pair.there | pair.back);
            // The moving piece may also stand in the way.
            match moves || ways & SLIDES != 0 {
                true => Look::Touch(number as u8),
                false => Look::Same,
            }
        }
        _ if !moves => Look::Same,
        FeatureKind::Square => Look::Square,
        FeatureKind::File => Look::Ordered(Ordered::File, None),
        FeatureKind::Rank => Look::Ordered(Ordered::Rank, None),
        FeatureKind::Apart => Look::Apart(other),
        FeatureKind::Files => ordered(Ordered::FilesFrom, Ordered::FilesTo, file),
        FeatureKind::Ranks => ordered(Ordered::RanksFrom, Ordered::RanksTo, rank),
        FeatureKind::Steps => ordered(Ordered::Steps, Ordered::Steps, square),
        FeatureKind::Race => {
            let race = |race: &&Race| (race.pawn, race.royal) == (first, second);
            let down = features
                .races
                .iter()
                .find(race)
                .is_some_and(|race| race.down);
            // The pawn comes first.
            ordered(Ordered::RaceOf { down }, Ordered::RaceWith { down }, square)
        }
    }
}

#[cfg(test)]
mod tests;
