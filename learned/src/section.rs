//! Reads a section, the values of one side to move: gives the symbols of one position or of many.

use crate::LearnedError;
use crate::code::{Code, Waiting};
use crate::feature::{FeatureRow, Features, Placement};
use crate::line::{Directory, LINE, Line};
use crate::model::Model;
use crate::row_features::{Rows, RowsOf, Words};
use crate::square_relations::Squares;
use crate::tree::TOGETHER;

/// Gives what a section does not keep.
pub trait Store {
    /// The error of a line or branch that cannot be read.
    type Error: From<LearnedError>;

    /// A line, by its number.
    ///
    /// # Errors
    /// It does not exist, or cannot be read.
    fn line(&self, number: u32) -> Result<[u8; LINE], Self::Error>;

    /// A line, if it is in memory, where it can be borrowed. It will be read only after the
    /// tree has been walked, so it may be fetched into the caches in the meantime.
    fn borrow_line(&self, _number: u32) -> Option<&[u8; LINE]> {
        None
    }

    /// The bytes of a branch of the model, by its number.
    ///
    /// # Errors
    /// It does not exist, or cannot be read.
    fn branch(&self, number: u32) -> Result<Vec<u8>, Self::Error>;
}

/// A position whose symbol is asked for.
#[derive(Debug)]
pub struct Question<'a> {
    /// The index of the position.
    pub index: u64,
    /// The placement of the pieces.
    pub placement: &'a mut Placement,
    /// The context, if the section asks for one.
    pub context: u8,
}

/// The place of the line of an index.
#[derive(Clone, Copy)]
enum Found<'s> {
    /// The section has no lines.
    Nowhere,
    /// The line has to be read by its number.
    Number(u32),
    /// The line is in memory.
    Line(&'s [u8; LINE]),
}

/// The values of one side to move, except the lines and the branches of the model, which
/// stay where they are.
#[derive(Clone, Debug)]
pub struct Section<B> {
    features: Features,
    model: Model,
    directory: Directory<B>,
}

impl<B: AsRef<[u8]>> Section<B> {
    /// A section from its parts.
    pub fn new(features: Features, model: Model, directory: Directory<B>) -> Section<B> {
        Section {
            features,
            model,
            directory,
        }
    }

    /// The features.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The tree and the codes.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The directory of lines.
    pub fn directory(&self) -> &Directory<B> {
        &self.directory
    }

    /// The symbol of a position, given its index, the squares of its pieces and the
    /// contexts.
    ///
    /// A position that the packer was told to ignore has an arbitrary symbol.
    ///
    /// # Errors
    /// Those of `store`, and any [`LearnedError`].
    #[inline]
    pub fn symbol<S: Store>(
        &self,
        index: u64,
        squares: &[u8],
        contexts: &[u8],
        store: &S,
    ) -> Result<u16, S::Error> {
        // First, so that the line is on its way while the tree is walked.
        let line = self.find(index, store)?;
        let mut row: FeatureRow = [0; 256];
        self.features.row(squares, contexts, &mut row)?;
        let load = |number| store.branch(number);
        let code = self.model.code(&self.features, &row, load)?;
        self.read(code, index, line, store)
    }

    /// Finds the line of an index.
    #[inline]
    fn find<'s, S: Store>(&self, index: u64, store: &'s S) -> Result<Found<'s>, LearnedError> {
        if self.directory.lines() == 0 {
            return Ok(Found::Nowhere);
        }
        let number = self.directory.find(index)?;
        Ok(match store.borrow_line(number) {
            Some(line) => Found::Line(line),
            None => Found::Number(number),
        })
    }

    /// The symbol of an index by its code.
    #[inline]
    fn read<S: Store>(
        &self,
        code: Code,
        index: u64,
        found: Found,
        store: &S,
    ) -> Result<u16, S::Error> {
        if let Some(symbol) = code.only() {
            return Ok(symbol);
        }
        let line = match found {
            Found::Line(line) => Line::new(line)?,
            Found::Number(number) => Line::new(&store.line(number)?)?,
            Found::Nowhere => return Err(LearnedError::Line("there is none").into()),
        };
        Ok(code.read(&line, index))
    }

    /// The symbols of some positions, as [`Section::symbol`] gives them, in less time than
    /// one by one. They may be anywhere.
    ///
    /// # Errors
    /// Those of [`Section::symbol`].
    pub fn symbols_together<S: Store>(
        &self,
        questions: &mut [Question],
        symbols: &mut [u16],
        store: &S,
    ) -> Result<(), S::Error> {
        let contexts = self.features.contexts().len();
        let parts = questions.chunks_mut(TOGETHER);
        for (questions, symbols) in parts.zip(symbols.chunks_mut(TOGETHER)) {
            let count = questions.len();
            let mut lines = [Found::Nowhere; TOGETHER];
            for (line, question) in lines.iter_mut().zip(&*questions) {
                *line = self.find(question.index, store)?;
            }
            let mut rows = [&[0; 256]; TOGETHER];
            let mut indices = [0; TOGETHER];
            let all = rows.iter_mut().zip(&mut indices).zip(questions.iter_mut());
            for ((row, index), question) in all {
                let given = [question.context];
                let given = given.get(..contexts).unwrap_or(&given);
                *row = question.placement.row(&self.features, given)?;
                *index = question.index;
            }
            let load = |number| store.branch(number);
            let codes = self
                .model
                .codes_together(&self.features, &rows, count, load)?;
            for (((symbol, index), code), line) in
                symbols.iter_mut().zip(indices).zip(&codes).zip(lines)
            {
                *symbol = self.read(*code, index, line, store)?;
            }
        }
        Ok(())
    }

    /// Calls `each` with the placements of rows that are looked up and their symbols, as
    /// [`Section::symbol`] gives them; `first` is the index of the first placement, and those of
    /// the others follow it.
    ///
    /// # Errors
    /// Those of `store`, and any [`LearnedError`].
    pub fn symbols_of_rows<S: Store>(
        &self,
        first: u64,
        rows: &Rows,
        store: &S,
        each: impl FnMut(usize, u16),
    ) -> Result<(), S::Error> {
        match &rows.0 {
            Words::Small(rows) => self.read_rows(first, rows, store, each),
            Words::Large(rows) => self.read_rows(first, rows, store, each),
        }
    }

    fn read_rows<W: Squares, S: Store>(
        &self,
        first: u64,
        rows: &RowsOf<W>,
        store: &S,
        mut each: impl FnMut(usize, u16),
    ) -> Result<(), S::Error> {
        // Only if one of the codes asks for them.
        let mut lines: Option<LinesOfRows> = None;
        let (mut waiting, mut places, mut symbols) = (Vec::new(), Vec::new(), Vec::new());
        let load = |number| store.branch(number);
        self.model
            .codes_of_rows(&self.features, rows, load, |code, parts| {
                if let Some(only) = code.only() {
                    for &part in parts {
                        rows.each_place(part, |place| each(place, only));
                    }
                    return Ok(());
                }
                let lines = match &mut lines {
                    Some(lines) => lines,
                    none => none.insert(self.lines_of_rows(first, rows, store)?),
                };
                waiting.clear();
                places.clear();
                for &part in parts {
                    let mut number = lines.of_row(part.row);
                    let mut next = lines.first_of(number + 1);
                    rows.each_place(part, |place| {
                        let index = first + place as u64;
                        while index >= next {
                            number += 1;
                            next = lines.first_of(number + 1);
                        }
                        waiting.push(Waiting {
                            key: lines.line(number).key(index),
                            line: number,
                            place: places.len() as u16,
                            code: 0,
                        });
                        places.push(place);
                    });
                }
                symbols.resize(places.len(), 0);
                code.read_many(&mut waiting, |number| lines.line(number), &mut symbols);
                for (&place, &symbol) in places.iter().zip(&symbols) {
                    each(place, symbol);
                }
                Ok(())
            })
    }

    /// The lines of some rows; `first` is the index of their first placement.
    fn lines_of_rows<W: Squares, S: Store>(
        &self,
        first: u64,
        rows: &RowsOf<W>,
        store: &S,
    ) -> Result<LinesOfRows, S::Error> {
        if self.directory.lines() == 0 {
            return Err(LearnedError::Line("there is none").into());
        }
        let (mut lines, mut of_rows) = (Vec::new(), Vec::with_capacity(rows.len()));
        let (mut index, end) = (first, first + rows.places() as u64);
        while index < end {
            let (number, after) = self.directory.find_range(index)?;
            lines.push((index, Line::new(&store.line(number)?)?));
            index = after.max(index + 1);
        }
        for row in 0..rows.len() {
            let start = first + rows.start(row) as u64;
            let line = lines.partition_point(|&(from, _)| from <= start);
            of_rows.push(line.saturating_sub(1) as u32);
        }
        Ok(LinesOfRows { lines, of_rows })
    }
}

/// The lines of some rows.
struct LinesOfRows {
    /// The lines, each with its first index.
    lines: Vec<(u64, Line)>,
    /// The line of the first placement of each row.
    of_rows: Vec<u32>,
}

impl LinesOfRows {
    /// The number of the line in which a row begins.
    fn of_row(&self, row: u16) -> u32 {
        let line = self.of_rows.get(usize::from(row)).copied();
        line.unwrap_or(0)
    }

    /// The first index of a line by its number; the greatest of all if there is none.
    #[inline]
    fn first_of(&self, number: u32) -> u64 {
        let line = self.lines.get(number as usize);
        line.map_or(u64::MAX, |&(first, _)| first)
    }

    /// A line by its number, which exists.
    #[inline]
    fn line(&self, number: u32) -> &Line {
        &self.lines[number as usize].1
    }
}
