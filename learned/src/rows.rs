//! Placements by rows: those that differ in the square of one piece only stand side by side, so
//! that a question is asked of all of them at once.
//!
//! What one placement after the other would be asked is a column of [`Columns`] here if it is
//! the same for all of a row, and else a set of squares of the piece that moves.

mod look;
mod parts;
mod touch;

use crate::columns::Columns;
use crate::error::LearnedError;
use crate::feature::{A_PIECE, Features, MOST};
use crate::masks::THRESHOLDS;
use crate::squares::Squares;
use look::{Look, look};
use parts::divide;
pub(crate) use parts::{Parts, RowPart};
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
    /// The most placements at once. What all of them that come to a node or a leaf share is
    /// worked out once, so that reading many together is quicker.
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
    /// `contexts` has a column for each context, of a value for each placement; what is missing
    /// or out of range counts as 0. Placements beyond [`Rows::MOST`] are not looked up, nor are
    /// rows with a square off the board.
    pub fn fill(&mut self, rows: &[Row], contexts: &[u8], is_asked: impl Fn(usize) -> bool) {
        match &mut self.0 {
            Words::Small(words) => words.fill(rows, contexts, is_asked),
            Words::Large(words) => words.fill(rows, contexts, is_asked),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RowsOf<W> {
    features: Features,
    moving: usize,
    looks: Vec<Look>,
    /// The features of each row, its moving piece on its first square.
    columns: Columns,
    /// The features that are the same for all rows.
    same: Vec<Option<u8>>,
    touches: Touches<W>,
    /// How many attack and defend each piece, by rows.
    hanging: Vec<[Hanging<W>; MOST]>,
    /// For each value of each context the squares that have it, by rows.
    contexts: Vec<Vec<W>>,
    /// How many placements there are.
    places: usize,
    /// The rows of which something is looked up.
    rows: Vec<Row>,
    /// What is looked up.
    asked: Vec<RowPart<W>>,
    /// The first placement of each row and the square of its moving piece.
    starts: Vec<(u16, u8)>,
    /// The squares of the other pieces.
    occupied: Vec<W>,
    /// The columns of squares.
    squares: Vec<u8>,
}

/// The most values of a context.
const CONTEXTS: usize = 64;

impl<W: Squares> RowsOf<W> {
    fn new(features: &Features, moving: usize) -> RowsOf<W> {
        let look = |feature| look(features, moving as u8, feature);
        RowsOf {
            features: features.clone(),
            moving,
            looks: features.list().iter().map(look).collect(),
            columns: Columns::new(),
            same: Vec::new(),
            touches: Touches::new(features, moving),
            hanging: Vec::new(),
            contexts: Vec::new(),
            places: 0,
            rows: Vec::new(),
            asked: Vec::new(),
            starts: Vec::new(),
            occupied: Vec::new(),
            squares: Vec::new(),
        }
    }

    fn fill(&mut self, rows: &[Row], contexts: &[u8], is_asked: impl Fn(usize) -> bool) {
        let (board, pieces) = (self.features.board().squares(), self.features.pieces());
        let moving = self.moving % MOST;
        self.rows.clear();
        self.asked.clear();
        self.starts.clear();
        self.occupied.clear();
        self.places = 0;
        for row in rows {
            let (start, from) = (self.places, row.squares[moving]);
            let places = start..start + usize::from(row.len);
            if places.end > Rows::MOST {
                break;
            }
            self.places = places.end;
            let last = usize::from(from) + places.len();
            if last > board.into() || row.squares.iter().take(pieces).any(|&at| at >= board) {
                continue;
            }
            let (mut squares, mut one) = (W::NONE, W::one(from));
            for place in places {
                squares = squares | one & W::all_if(is_asked(place));
                one = one << 1;
            }
            if squares == W::NONE {
                continue;
            }
            let others = (0..pieces).filter(|&piece| piece != moving);
            let others = others.map(|piece| row.squares[piece % MOST]);
            self.occupied
                .push(others.fold(W::NONE, |all, square| all | W::one(square)));
            self.asked.push(RowPart {
                row: self.rows.len() as u16,
                squares,
            });
            self.starts.push((start as u16, from));
            self.rows.push(*row);
        }
        self.look_at();
        self.sort_contexts(contexts);
    }

    /// Works out the features.
    fn look_at(&mut self) {
        let rows = &self.rows[..];
        self.squares.clear();
        for piece in 0..self.features.pieces() {
            let squares = rows.iter().map(|row| row.squares[piece % MOST]);
            self.squares.extend(squares);
        }
        let features = &self.features;
        self.columns.fill(features, rows.len(), &self.squares, &[]);
        self.same.clear();
        for (number, look) in self.looks.iter().enumerate() {
            let column = self.columns.column(number);
            let first = column.first().filter(|_| matches!(look, Look::Same));
            let same = first.filter(|&first| column.iter().all(|value| value == first));
            self.same.push(same.copied());
        }
        self.touches.fill(features, rows, &self.occupied);
        self.touches
            .hanging(features, rows.len(), &mut self.hanging);
    }

    /// Sorts the placements by contexts.
    fn sort_contexts(&mut self, contexts: &[u8]) {
        let sizes = self.features.contexts();
        let values = sizes.iter().map(|&size| usize::from(size)).sum();
        self.contexts.resize(values, Vec::new());
        self.contexts.iter_mut().for_each(Vec::clear);
        let mut columns = contexts.chunks((contexts.len() / sizes.len().max(1)).max(1));
        let mut sets = &mut self.contexts[..];
        for &size in sizes {
            let (those, others) = sets.split_at_mut(size.into());
            sets = others;
            let column = columns.next().unwrap_or(&[]);
            for (row, &(start, from)) in self.rows.iter().zip(&self.starts) {
                let mut squares = [W::NONE; CONTEXTS];
                let mut one = W::one(from);
                for place in usize::from(start)..usize::from(start) + usize::from(row.len) {
                    let value = column.get(place).filter(|&&value| value < size);
                    let set = &mut squares[usize::from(*value.unwrap_or(&0)) % CONTEXTS];
                    *set = *set | one;
                    one = one << 1;
                }
                let both = those.iter_mut().zip(squares);
                both.for_each(|(rows, squares)| rows.push(squares));
            }
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

    /// Of how many rows something is looked up.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Divides placements by a question: of `parts` from `from` on, those that have one of the
    /// values `left` of a feature come first, the others after them. Returns where these begin.
    #[inline]
    pub(crate) fn divide(
        &self,
        (feature, left): (usize, u128),
        Parts { all: parts, spare }: &mut Parts<W>,
        from: usize,
    ) -> usize {
        // A feature has at most as many values as there are bits.
        let values = W::of_bits(left);
        let has = |value: u8| values.has(value);
        if let Some(&Some(value)) = self.same.get(feature) {
            return if has(value) { parts.len() } else { from };
        }
        let sights = &*self.features.sights;
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
                let lists = W::masks(sights).up_to(ordered, threshold);
                let set = |list: u8| lists.get(usize::from(list)).copied().unwrap_or(W::NONE);
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
                        let is_in = has(sights.apart(from, to));
                        set = set | W::one(to) & W::all_if(is_in);
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
            Look::Context(first) => {
                let sets = self.contexts.get(usize::from(first)..).unwrap_or(&[]);
                divide(parts, from, spare, |part| {
                    let those = sets.iter().zip(0..128).filter(|&(_, value)| has(value));
                    let squares = those.filter_map(|(rows, _)| rows.get(part.row()));
                    squares.fold(W::NONE, |all, &squares| all | squares)
                })
            }
        }
    }
}

/// Up to so many squares are looked at one by one.
const FEW: u32 = 12;

#[cfg(test)]
mod tests;
