//! Computes features: a placement described by a row of small numbers.
//!
//! They derive from the geometry of the board and the ways in which pieces move,
//! for every game alike. Their numbering and values are part of the format.

use std::sync::Arc;

use crate::LearnedError;
use crate::board_and_pieces::{CodecBoard, CodecPiece, DOWN, Moves, SLIDES, UP};
use crate::square_relations::Sights;

/// The relation or property that a feature describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeatureKind {
    /// The square of a piece.
    Square,
    /// The file of a piece.
    File,
    /// The rank of a piece.
    Rank,
    /// The distance of two pieces, whatever the direction:
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
    /// A value that the caller knows otherwise, such as the result.
    Context,
}

/// The way in which a node divides the values of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Divided by a threshold: values up to it, and values above.
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
    /// The property or relation that it is about.
    pub kind: FeatureKind,
    /// The first piece, or the number of the context.
    pub first: u8,
    /// The second piece, if there is one.
    pub second: u8,
    /// Values are below this; 128 at most.
    pub size: u8,
    /// The way in which its values are divided.
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

/// The number of features of each piece, and of each pair of pieces, that stand together.
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

    /// The features of another material on the same board; the tables of
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
        let mut add = |kind, (first, second), size, domain| {
            list.push(Feature {
                kind,
                first,
                second,
                size,
                domain,
            });
        };
        let set = |row| Domain::Set { row };
        let pieces = (0..self.pieces as u8).map(|piece| (piece, piece));
        for of in pieces.clone() {
            add(FeatureKind::Square, of, squares, set(files));
            add(FeatureKind::File, of, files, Domain::Order);
            add(FeatureKind::Rank, of, ranks, Domain::Order);
        }
        for pair in &self.pairs {
            let of = (pair.first, pair.second);
            add(FeatureKind::Apart, of, squares, set(ranks));
            add(FeatureKind::Files, of, 31, Domain::Order);
            add(FeatureKind::Ranks, of, 31, Domain::Order);
            add(FeatureKind::Steps, of, 16, Domain::Order);
            add(FeatureKind::Touch, of, 4, set(2));
        }
        pieces.for_each(|of| add(FeatureKind::Hanging, of, 16, set(4)));
        for race in &self.races {
            add(
                FeatureKind::Race,
                (race.pawn, race.royal),
                31,
                Domain::Order,
            );
        }
        for (number, &size) in (0..).zip(&self.contexts) {
            add(FeatureKind::Context, (number, number), size, set(size));
        }
    }

    /// The board.
    pub fn board(&self) -> CodecBoard {
        self.board
    }

    /// The number of pieces of a placement.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The number of values of each context.
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

/// Two pieces, and the ways in which each can attack the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) first: u8,
    pub(crate) second: u8,
    /// Bits of [`Sight::reach`](crate::square_relations::Sight) from the first square to
    /// the second by which the first attacks the second.
    pub(crate) there: u8,
    /// Bits of [`Sight::reach`](crate::square_relations::Sight) by which the second attacks the
    /// first.
    pub(crate) back: u8,
    /// Whether they are of one colour, so that an attack defends.
    pub(crate) defends: bool,
    /// The addition of each value of [`FeatureKind::Touch`] to the tallies of all pieces, a byte
    /// each.
    /// None overflows: a piece is attacked by at most 7 others.
    adds: [u64; 4],
}

/// A pawn and a royal piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub(crate) pawn: u8,
    pub(crate) royal: u8,
    pub(crate) down: bool,
}

impl Pair {
    /// Whether the first piece attacks the second, and the second the first.
    #[inline]
    pub(crate) fn attacks(&self, reach: u8, blocked: bool) -> (u8, u8) {
        // Neither a blocked way nor an attack can be predicted, so this has no branches. A set of
        // the six ways is below 64, so adding 63 carries into bit 6 unless it is empty.
        let reach = reach & !(SLIDES & u8::from(blocked).wrapping_neg());
        let any = |ways: u8| ((reach & ways & 63) + 63) >> 6;
        (any(self.there), any(self.back))
    }
}

/// The feature for a tally of attackers (in the high half) and defenders.
#[inline]
fn hanging(tally: u8) -> u8 {
    (tally >> 4).min(3) * 4 + (tally & 15).min(3)
}

/// The pairs of some pieces.
fn pairs(pieces: &[CodecPiece]) -> Vec<Pair> {
    // A pawn that attacks backwards along a pair is one of the other colour
    // that attacks forwards.
    let ways = |piece: &CodecPiece, forwards: bool| {
        let moves = piece.moves.bits() & !Moves::PAWN.bits();
        let up = piece.black != forwards;
        match piece.moves.has(Moves::PAWN) {
            true if up => moves | UP,
            true => moves | DOWN,
            false => moves,
        }
    };
    let mut pairs = Vec::new();
    for (first, a) in pieces.iter().enumerate() {
        for (second, b) in pieces.iter().enumerate().skip(first + 1) {
            let defends = a.black == b.black;
            let to = |piece: usize| if defends { 1 } else { 16_u64 } << (8 * piece);
            pairs.push(Pair {
                first: first as u8,
                second: second as u8,
                there: ways(a, true),
                back: ways(b, false),
                defends,
                adds: [0, to(second), to(first), to(second) + to(first)],
            });
        }
    }
    pairs
}

/// The races of all pawns with all royal pieces.
fn races(pieces: &[CodecPiece]) -> Vec<Race> {
    let mut races = Vec::new();
    for (pawn, piece) in pieces.iter().enumerate() {
        if !piece.moves.has(Moves::PAWN) {
            continue;
        }
        for (royal, other) in pieces.iter().enumerate() {
            if other.royal && royal != pawn {
                races.push(Race {
                    pawn: pawn as u8,
                    royal: royal as u8,
                    down: piece.black,
                });
            }
        }
    }
    races
}

/// A placement of the pieces of a material. Whichever sections of the material it is looked up
/// in, its features are computed once.
#[derive(Clone, Debug)]
pub struct Placement {
    squares: [u8; MOST],
    pieces: u8,
    /// Whether the row has the features, contexts aside.
    is_ready: bool,
    row: FeatureRow,
}

/// A placement without pieces.
impl Default for Placement {
    #[inline]
    fn default() -> Placement {
        Placement {
            squares: [0; MOST],
            pieces: 0,
            is_ready: false,
            row: [0; 256],
        }
    }
}

impl Placement {
    /// The squares of its pieces.
    #[inline]
    pub fn squares(&self) -> &[u8] {
        self.squares.get(..usize::from(self.pieces)).unwrap_or(&[])
    }

    /// Sets the squares of its pieces; more than 8 are left out.
    #[inline]
    pub fn set(&mut self, squares: impl IntoIterator<Item = u8>) {
        self.pieces = 0;
        self.is_ready = false;
        for (to, square) in self.squares.iter_mut().zip(squares) {
            *to = square;
            self.pieces += 1;
        }
    }

    /// The features, with these contexts.
    ///
    /// # Errors
    /// Those of [`Features::row`].
    #[inline]
    pub(crate) fn row(
        &mut self,
        features: &Features,
        contexts: &[u8],
    ) -> Result<&FeatureRow, LearnedError> {
        if !self.is_ready {
            let squares = self.squares.get(..usize::from(self.pieces)).unwrap_or(&[]);
            features.row_without_contexts(squares, &mut self.row)?;
            self.is_ready = true;
        }
        features.add_contexts(contexts, &mut self.row)?;
        Ok(&self.row)
    }
}
