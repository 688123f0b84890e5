//! Features: a placement described by a row of small numbers.
//!
//! They derive from the geometry of the board and the ways in which pieces move,
//! for every game alike. Their numbering and values are part of the format.

mod pairs;

use std::sync::Arc;

use crate::board::{CodecBoard, CodecPiece, Sights};
use crate::error::LearnedError;
pub(crate) use pairs::{Pair, Race, hanging};
use pairs::{pairs, races};

/// What a feature describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeatureKind {
    /// The square of a piece.
    Square,
    /// The file of a piece.
    File,
    /// The rank of a piece.
    Rank,
    /// How far apart two pieces are, whatever the direction:
    /// `|files| * ranks of the board + |ranks|`.
    Apart,
    /// The file of the first piece less that of the second, plus 15.
    Files,
    /// The rank of the first piece less that of the second, plus 15.
    Ranks,
    /// King steps from one piece to another.
    Steps,
    /// 1 if the first piece attacks the second, 2 if the second attacks the
    /// first, 3 if both.
    Touch,
    /// `4 * attackers + defenders` of a piece, at most 3 of each.
    Hanging,
    /// King steps of a royal piece to the square where a pawn promotes, less the
    /// steps of the pawn, plus 15.
    Race,
    /// Something that the caller knows otherwise, such as who wins.
    Context,
}

/// How a node divides the values of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// By a threshold: values up to it, and values above.
    Order,
    /// Into any two sets. The values are thought of as arranged in rows.
    Set {
        /// The values in a row.
        row: u8,
    },
}

/// A feature of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What it is about.
    pub kind: FeatureKind,
    /// The first piece, or the number of the context.
    pub first: u8,
    /// The second piece, if there is one.
    pub second: u8,
    /// Values are below this; 128 at most.
    pub size: u8,
    /// How values are divided.
    pub domain: Domain,
}

/// The values of the features of one placement, in order.
pub type FeatureRow = [u8; 256];

/// The features of a material.
#[derive(Clone, Debug)]
pub struct Features {
    board: CodecBoard,
    pieces: usize,
    contexts: Vec<u8>,
    list: Vec<Feature>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) races: Vec<Race>,
    pub(crate) sights: Arc<Sights>,
}

/// The most pieces.
pub(crate) const MOST: usize = 8;

/// How many of a kind there are for a piece, and for a pair of pieces.
pub(crate) const A_PIECE: usize = 3;
pub(crate) const A_PAIR: usize = 5;

impl Features {
    /// The features of a material: its pieces in the order in which squares will be
    /// given, and how many values each context has (1 to 64).
    ///
    /// Their order is: for each piece square, file, rank; for each pair
    /// of pieces (the second changes first) apart, files, ranks, steps, touch;
    /// for each piece hanging; for each pawn and each royal piece, pawns first,
    /// race; then the contexts.
    ///
    /// # Errors
    /// There are no pieces or more than 8, more than 256 features, or a context has no values
    /// or too many.
    pub fn new(
        board: CodecBoard,
        pieces: &[CodecPiece],
        contexts: &[u8],
    ) -> Result<Features, LearnedError> {
        Features::with_sights(board, pieces, contexts, Arc::new(Sights::new(board)))
    }

    /// The same features for another material on the same board; the tables of
    /// the board are shared.
    ///
    /// # Errors
    /// As [`Features::new`].
    pub fn of_material(
        &self,
        pieces: &[CodecPiece],
        contexts: &[u8],
    ) -> Result<Features, LearnedError> {
        Features::with_sights(self.board, pieces, contexts, Arc::clone(&self.sights))
    }

    fn with_sights(
        board: CodecBoard,
        pieces: &[CodecPiece],
        contexts: &[u8],
        sights: Arc<Sights>,
    ) -> Result<Features, LearnedError> {
        if pieces.is_empty() || pieces.len() > MOST {
            return Err(LearnedError::Material("a material has 1 to 8 pieces"));
        }
        if contexts.iter().any(|&size| size == 0 || size > 64) {
            return Err(LearnedError::Material("a context has 1 to 64 values"));
        }
        let mut features = Features {
            board,
            pieces: pieces.len(),
            contexts: contexts.to_vec(),
            list: Vec::new(),
            pairs: pairs(pieces),
            races: races(pieces),
            sights,
        };
        features.number();
        if features.list.len() > 256 {
            return Err(LearnedError::Material("it has more than 256 features"));
        }
        Ok(features)
    }

    fn number(&mut self) {
        let (files, ranks, squares) =
            (self.board.files(), self.board.ranks(), self.board.squares());
        let list = &mut self.list;
        let mut add = |kind, first, second, size, domain| {
            list.push(Feature {
                kind,
                first,
                second,
                size,
                domain,
            });
        };
        let pieces = self.pieces as u8;
        for piece in 0..pieces {
            add(
                FeatureKind::Square,
                piece,
                piece,
                squares,
                Domain::Set { row: files },
            );
            add(FeatureKind::File, piece, piece, files, Domain::Order);
            add(FeatureKind::Rank, piece, piece, ranks, Domain::Order);
        }
        for pair in &self.pairs {
            let (a, b) = (pair.first, pair.second);
            add(
                FeatureKind::Apart,
                a,
                b,
                squares,
                Domain::Set { row: ranks },
            );
            add(FeatureKind::Files, a, b, 31, Domain::Order);
            add(FeatureKind::Ranks, a, b, 31, Domain::Order);
            add(FeatureKind::Steps, a, b, 16, Domain::Order);
            add(FeatureKind::Touch, a, b, 4, Domain::Set { row: 2 });
        }
        for piece in 0..pieces {
            add(
                FeatureKind::Hanging,
                piece,
                piece,
                16,
                Domain::Set { row: 4 },
            );
        }
        for race in &self.races {
            add(FeatureKind::Race, race.pawn, race.royal, 31, Domain::Order);
        }
        for (number, &size) in self.contexts.iter().enumerate() {
            let number = number as u8;
            add(
                FeatureKind::Context,
                number,
                number,
                size,
                Domain::Set { row: size },
            );
        }
    }

    /// The board.
    pub fn board(&self) -> CodecBoard {
        self.board
    }

    /// How many pieces a placement has.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// How many values each context has.
    pub fn contexts(&self) -> &[u8] {
        &self.contexts
    }

    /// The features in order.
    pub fn list(&self) -> &[Feature] {
        &self.list
    }

    /// Computes the features of a placement from the squares of the pieces, in the
    /// order of the material, and the contexts.
    ///
    /// # Errors
    /// [`LearnedError::Question`] if the number of pieces or contexts is wrong, a
    /// square is off the board, or a context is out of range.
    #[inline]
    pub fn row(
        &self,
        squares: &[u8],
        contexts: &[u8],
        row: &mut FeatureRow,
    ) -> Result<(), LearnedError> {
        self.row_without_contexts(squares, row)?;
        self.add_contexts(contexts, row)
    }

    /// Adds the contexts to the features of a placement.
    #[inline]
    pub(crate) fn add_contexts(
        &self,
        contexts: &[u8],
        row: &mut FeatureRow,
    ) -> Result<(), LearnedError> {
        let fits = |(value, size): (&u8, &u8)| value < size;
        if contexts.len() != self.contexts.len() || !contexts.iter().zip(&self.contexts).all(fits) {
            return Err(LearnedError::Question("a context is out of range"));
        }
        // They come last.
        let first = self.list.len() - self.contexts.len();
        for (place, &context) in row.iter_mut().skip(first).zip(contexts) {
            *place = context;
        }
        Ok(())
    }

    /// Computes the features that do not depend on contexts, which are the same for all
    /// sections of a material.
    #[inline]
    pub(crate) fn row_without_contexts(
        &self,
        squares: &[u8],
        row: &mut FeatureRow,
    ) -> Result<(), LearnedError> {
        let size = self.board.squares();
        if squares.len() != self.pieces || squares.iter().any(|&square| square >= size) {
            return Err(LearnedError::Question("a square is off the board"));
        }
        let sights = &*self.sights;
        let (per_piece, rest) = row.split_at_mut(A_PIECE * self.pieces);
        let mut occupied = 0u128;
        for (place, &square) in per_piece
            .as_chunks_mut::<A_PIECE>()
            .0
            .iter_mut()
            .zip(squares)
        {
            let [file, rank] = sights.file_and_rank(square);
            *place = [square, file, rank];
            occupied |= 1 << square;
        }
        // A byte for each piece.
        let mut tally = 0u64;
        let (per_pair, rest) = rest.split_at_mut(A_PAIR * self.pairs.len());
        let places = per_pair.as_chunks_mut::<A_PAIR>().0;
        let squares: [u8; MOST] = std::array::from_fn(|at| squares.get(at).copied().unwrap_or(0));
        for (place, pair) in places.iter_mut().zip(&self.pairs) {
            let (a, b) = (usize::from(pair.first & 7), usize::from(pair.second & 7));
            let (from, to) = (squares[a], squares[b]);
            let (shift, reach, blocked) = sights.near_or_blocked(from, to, occupied);
            let [apart, files, ranks, steps] = shift;
            let (there, back) = pair.attacks(reach, blocked);
            let touch = there | back << 1;
            tally += pair.adds[usize::from(touch & 3)];
            *place = [apart, files, ranks, steps, touch];
        }
        let (per_piece, rest) = rest.split_at_mut(self.pieces);
        for (place, count) in per_piece.iter_mut().zip(tally.to_le_bytes()) {
            *place = hanging(count);
        }
        for (place, race) in rest.iter_mut().zip(&self.races) {
            let at = |piece: u8| squares[usize::from(piece & 7)];
            *place = self.board.race(race.down, at(race.pawn), at(race.royal));
        }
        Ok(())
    }
}
