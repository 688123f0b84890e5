//! Proves helpmate tables: which sides can be mated by some series of legal moves.
//!
//! Two things are shown. One ply deep, a side can be mated in a position if and only if it
//! is mated there or some move leads to a position in which it can be. And none of this
//! rests on itself: starting from the mates, and from the moves that leave the material for
//! one that is proved on its own, moves are taken back until nothing is added; then all
//! positions that are stored as leading to a mate have been reached.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use rayon::prelude::*;
use retrograde_folder::{ReadError, Reader, open, open_needed, read_side};
use retrograde_probe::{Helpmate, Index, Metric, Reindexing};
use retrograde_rules::{
    Colour, End, Game, Material, Move, MoveKind, MoveList, Piece, PieceType, Position, Square,
    SquareSet,
};

use super::journal::{Found, State};
use super::placements::{
    Images, each_origin, each_position, moved, place_as, position_of, successors,
};
use super::traversal::Traversal;
use super::{VerifyError, VerifyObserver, VerifyOptions, Wrong};

/// A material whose helpmate table is to be verified.
pub(super) struct HelpmateProof {
    game: Game,
    own: StoredHelpmates,
    smaller: Vec<StoredHelpmates>,
}

/// The values that the moves of a position lead to.
#[derive(Clone, Copy, Default)]
struct Derived {
    /// The sides that can be mated.
    all: Helpmate,
    /// The sides that can be mated without a move within the material: by a mate in the position
    /// itself, or by a conversion.
    at_once: Helpmate,
}

impl HelpmateProof {
    /// Opens the tables of a material and of its successors; `None` if the material has
    /// none.
    pub(super) fn open(
        game: Game,
        material: &Material,
        folders: &[&Path],
        options: &VerifyOptions,
    ) -> Result<Option<HelpmateProof>, VerifyError> {
        if !Metric::on_request(game).contains(&Metric::Helpmate) {
            return Ok(None);
        }
        let table = open(game, material, Metric::Helpmate, folders.iter().copied())?;
        let Some(table) = table else { return Ok(None) };
        let mut own = StoredHelpmates::new(game, material, table)?;
        let mut smaller = Vec::new();
        for successor in successors(game, material) {
            if game.needs_no_table(&successor) {
                continue;
            }
            let table = open_needed(game, &successor, Metric::Helpmate, folders)?;
            smaller.push(StoredHelpmates::new(game, &successor, table)?);
        }
        // As for other metrics, all blocks are unpacked once unless the sample is small.
        if options.sample.is_none_or(|n| n >= own.blocks() / 64) {
            let unpacked = smaller.iter().map(StoredHelpmates::unpacked_bytes);
            let needed = unpacked.sum::<u64>() + own.unpacked_bytes() + Reach::bytes(&own.index);
            let limit = options.memory();
            if needed > limit {
                return Err(VerifyError::Memory {
                    material: material.name(game),
                    needed,
                    limit,
                });
            }
            for values in std::iter::once(&mut own).chain(&mut smaller) {
                values.unpack()?;
            }
        }
        Ok(Some(HelpmateProof { game, own, smaller }))
    }

    /// Proves the material; returns what was found, and whether the work came to its end. A sample
    /// shows the first half of the proof only.
    pub(super) fn verify(
        &self,
        sample: Option<u64>,
        observer: &dyn VerifyObserver,
    ) -> Result<(State, bool), VerifyError> {
        let traversal = Traversal::new(self.own.index.len(), sample, self.own.is_unpacked());
        let reach = (traversal.is_complete() && self.own.is_unpacked())
            .then(|| Reach::new(self.game, &self.own));
        let mut state = State::default();
        let finished = traversal.run(&mut state, observer, &mut |_| (), |places| {
            self.verify_chunk(traversal.indices(places), reach.as_ref())
        })?;
        // What disagrees one ply deep need not be looked at again.
        let Some(reach) = reach.filter(|_| finished && state.wrong == 0) else {
            return Ok((state, finished));
        };
        if !reach.settle(observer) {
            return Ok((state, false));
        }
        state.add(reach.without());
        Ok((state, true))
    }

    fn verify_chunk(
        &self,
        indices: impl Iterator<Item = (Colour, u64)>,
        reach: Option<&Reach>,
    ) -> Result<Found, ReadError> {
        let mut found = Found::default();
        let mut moves = MoveList::new();
        each_position(
            self.game,
            &self.own.index,
            indices,
            |turn, index, position, squares| {
                found.positions += 1;
                let derived = self.derive(position, squares, &mut moves)?;
                let stored = self.own.get(turn, squares)?;
                if stored != derived.all {
                    found.push(|| wrong(position, stored, words(derived.all)));
                }
                if let Some(reach) = reach {
                    reach.note(turn, index, stored, derived.at_once);
                }
                Ok::<_, ReadError>(())
            },
        )?;
        Ok(found)
    }

    /// Derives a position without an e.p. right from its moves.
    fn derive(
        &self,
        position: &Position,
        squares: &[Square],
        moves: &mut MoveList,
    ) -> Result<Derived, ReadError> {
        moves.clear();
        position.legal_moves_into(moves);
        let mut derived = Derived::default();
        if moves.is_empty() && position.is_check() {
            let mated = Helpmate::of_mated(position.turn());
            (derived.all, derived.at_once) = (mated, mated);
        }
        for &mv in moves.iter() {
            let after = position.play(mv);
            if after.ep().is_some() {
                let next = self.with_right(&after)?;
                derived.all = derived.all.or(next.all);
                derived.at_once = derived.at_once.or(next.at_once);
            } else if mv.captured.is_none() && mv.promotion.is_none() {
                let next = self.after_quiet_move(squares, mv, &after)?;
                derived.all = derived.all.or(next);
            } else {
                let next = self.lookup(&after)?;
                derived.all = derived.all.or(next);
                derived.at_once = derived.at_once.or(next);
            }
        }
        Ok(derived)
    }

    /// Derives a position with an e.p. right (O2) from its moves; of those the
    /// captures en passant are its own, the others those of the placement without it.
    fn with_right(&self, position: &Position) -> Result<Derived, ReadError> {
        let mut derived = Derived::default();
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            let next = match after.ep() {
                Some(_) => self.with_right(&after)?.all,
                None => self.lookup(&after)?,
            };
            derived.all = derived.all.or(next);
            if mv.kind == MoveKind::EnPassant {
                derived.at_once = derived.at_once.or(next);
            }
        }
        Ok(derived)
    }

    fn after_quiet_move(
        &self,
        squares: &[Square],
        mv: Move,
        after: &Position,
    ) -> Result<Helpmate, ReadError> {
        let mut child = [Square(0); Material::MOST_PIECES];
        let child = &mut child[..squares.len()];
        moved(squares, mv, child);
        self.own.get(after.turn(), child)
    }

    /// The stored value of a position without an e.p. right.
    fn lookup(&self, position: &Position) -> Result<Helpmate, ReadError> {
        let (material, swapped) = position.material().normal(self.game);
        if self.game.needs_no_table(&material) {
            return Ok(Helpmate::DEAD);
        }
        let mut tables = std::iter::once(&self.own).chain(&self.smaller);
        let Some(table) = tables.find(|table| table.material == material) else {
            unreachable!("{material:?} is neither the material nor among its successors");
        };
        let mut buffer = [Square(0); Material::MOST_PIECES];
        let squares = &mut buffer[..table.pieces.len()];
        place_as(
            self.game,
            position,
            &material,
            swapped,
            &table.pieces,
            squares,
        );
        match swapped {
            true => Ok(table.get(position.turn().other(), squares)?.swapped()),
            false => table.get(position.turn(), squares),
        }
    }
}

/// A wrong value.
fn wrong(position: &Position, stored: Helpmate, derived: String) -> Wrong {
    Wrong {
        fen: position.fen(),
        metric: Metric::Helpmate,
        stored: words(stored),
        derived,
    }
}

/// The sides that can be mated, in words.
fn words(helpmate: Helpmate) -> String {
    match (helpmate.white, helpmate.black) {
        (true, true) => "that either side can be mated",
        (true, false) => "that White can be mated, but not Black",
        (false, true) => "that Black can be mated, but not White",
        (false, false) => "that neither side can be mated",
    }
    .to_owned()
}

/// The table of a material.
struct StoredHelpmates {
    material: Material,
    pieces: Vec<Piece>,
    /// The index of the values, groups in the order of the material.
    index: Index,
    table: Reader,
    /// The values by side to move, if unpacked.
    values: Option<[Vec<u8>; 2]>,
}

impl StoredHelpmates {
    /// The values of a helpmate table of a material.
    fn new(game: Game, material: &Material, table: Reader) -> Result<StoredHelpmates, VerifyError> {
        Ok(StoredHelpmates {
            material: *material,
            pieces: material.pieces().collect(),
            index: Index::new(game, material)?,
            table,
            values: None,
        })
    }

    /// Unpacks all values.
    fn unpack(&mut self) -> Result<(), VerifyError> {
        let Some(reindexing) = Reindexing::new(self.table.index(), &self.index) else {
            unreachable!("tables of the material have its index");
        };
        let mut sides: [Vec<u8>; 2] = Default::default();
        for (turn, side) in Colour::BOTH.into_iter().zip(&mut sides) {
            let read = read_side(&self.table, turn)?;
            side.resize(read.len(), 0);
            let mut read = read.into_iter();
            reindexing.each(0..self.index.len(), |index| {
                side[index as usize] = read.next().unwrap_or_default() as u8;
            });
        }
        self.values = Some(sides);
        Ok(())
    }

    /// The size of the unpacked values in bytes.
    fn unpacked_bytes(&self) -> u64 {
        2 * self.index.len()
    }

    fn is_unpacked(&self) -> bool {
        self.values.is_some()
    }

    /// The number of blocks of the file.
    fn blocks(&self) -> u64 {
        self.table.header().blocks()
    }

    /// The value of a position.
    #[inline]
    fn get(&self, turn: Colour, squares: &[Square]) -> Result<Helpmate, ReadError> {
        let value = match &self.values {
            Some(values) => {
                let index = self.index.encode(squares).unwrap_or_default();
                values[turn.index()][index as usize].into()
            }
            None => {
                let index = self.table.index().encode(squares).unwrap_or_default();
                self.table.get(turn, index)?
            }
        };
        Ok(Helpmate::from_value(value))
    }
}

/// Two bits for each index, by side to move, that several threads change: see
/// [`Helpmate::to_value`].
type Bits = [Vec<AtomicU8>; 2];

/// The search for what is reached.
struct Reach<'a> {
    game: Game,
    own: &'a StoredHelpmates,
    images: Images,
    /// Stored, and not yet reached.
    pending: Bits,
    /// Just reached.
    fresh: Bits,
    next: Bits,
}

impl<'a> Reach<'a> {
    fn new(game: Game, own: &'a StoredHelpmates) -> Reach<'a> {
        let len = own.index.len();
        let bits = || [(); 2].map(|()| (0..len).map(|_| AtomicU8::new(0)).collect());
        Reach {
            game,
            own,
            images: Images::new(&own.index),
            pending: bits(),
            fresh: bits(),
            next: bits(),
        }
    }

    /// The bytes that it takes.
    fn bytes(index: &Index) -> u64 {
        3 * 2 * index.len()
    }

    /// Records what is stored of a position, and what of it is reached at once.
    #[inline]
    fn note(&self, turn: Colour, index: u64, stored: Helpmate, at_once: Helpmate) {
        let [stored, at_once] = [stored, at_once].map(|helpmate| helpmate.to_value() as u8);
        let (side, index) = (turn.index(), index as usize);
        self.fresh[side][index].store(stored & at_once, Ordering::Relaxed);
        self.pending[side][index].store(stored & !at_once, Ordering::Relaxed);
    }

    /// Takes moves back until nothing is added; `false` if the observer stopped it.
    fn settle(&self, observer: &dyn VerifyObserver) -> bool {
        let (mut fresh, mut next) = (&self.fresh, &self.next);
        loop {
            let any = AtomicBool::new(false);
            for turn in Colour::BOTH {
                if observer.interrupted() {
                    return false;
                }
                let cells = fresh[turn.index()].par_iter().enumerate();
                cells.with_min_len(1 << 12).for_each(|(index, cell)| {
                    let bits = cell.load(Ordering::Relaxed);
                    if bits != 0 {
                        cell.store(0, Ordering::Relaxed);
                        any.store(true, Ordering::Relaxed);
                        self.take_back(turn, index as u64, bits, next);
                    }
                });
            }
            if !any.into_inner() {
                return true;
            }
            (fresh, next) = (next, fresh);
        }
    }

    /// Adds to `next` what the positions before this one reach by it.
    fn take_back(&self, turn: Colour, index: u64, bits: u8, next: &Bits) {
        let mover = turn.other();
        let (pending, next) = (&self.pending[mover.index()], &next[mover.index()]);
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.own.pieces.len()];
        self.own.index.decode(index, squares);
        self.each_before(squares, turn, |before| {
            let indices = self.images.indices(&self.own.index, before);
            for before in indices.into_iter().flatten() {
                let pending = &pending[before as usize];
                if pending.load(Ordering::Relaxed) & bits != 0 {
                    let new = pending.fetch_and(!bits, Ordering::Relaxed) & bits;
                    next[before as usize].fetch_or(new, Ordering::Relaxed);
                }
            }
        });
    }

    /// Visits all placements from which the side that has just moved reaches this one, `turn` being
    /// to move, by a move within the material. Some may not be positions.
    fn each_before(&self, squares: &mut [Square], turn: Colour, mut visit: impl FnMut(&[Square])) {
        let geometry = self.own.index.shape().geometry;
        let occupied: SquareSet = squares.iter().copied().collect();
        for (place, &piece) in self.own.pieces.iter().enumerate() {
            if piece.colour == turn {
                continue;
            }
            let start = squares[place];
            if piece.piece_type == PieceType::Pawn && !self.game.has_usual_pawns() {
                self.each_own_pawn_before(squares, place, turn, &mut visit);
            } else if piece.piece_type == PieceType::Pawn {
                let back: i8 = if piece.colour == Colour::White { -1 } else { 1 };
                let free = |ranks: i8| {
                    let square = geometry.offset(start, 0, ranks * back)?;
                    (!occupied.contains(square)).then_some(square)
                };
                let rank = |square| match piece.colour {
                    Colour::White => geometry.rank(square),
                    Colour::Black => geometry.ranks - 1 - geometry.rank(square),
                };
                let twice = || self.game.double_step_ranks(piece.colour);
                let steps_twice = |rank| twice().any(|from| from == rank);
                if let Some(one) = free(1).filter(|&square| rank(square) >= self.game.pawn_home()) {
                    squares[place] = one;
                    visit(squares);
                    if let Some(two) = free(2).filter(|&square| steps_twice(rank(square))) {
                        squares[place] = two;
                        if self.keeps_value(squares, (two, start), turn) {
                            visit(squares);
                        }
                    }
                }
            } else {
                each_origin(
                    geometry,
                    self.game.mover(piece.piece_type).of_side(piece.colour),
                    start,
                    occupied,
                    |from| {
                        squares[place] = from;
                        visit(squares);
                    },
                );
            }
            squares[place] = start;
        }
    }

    /// Visits the placements from which a pawn that moves in another way than orthodox ones has come.
    fn each_own_pawn_before(
        &self,
        squares: &mut [Square],
        place: usize,
        turn: Colour,
        visit: &mut dyn FnMut(&[Square]),
    ) {
        let (geometry, colour) = (self.own.index.shape().geometry, turn.other());
        let occupied: SquareSet = squares.iter().copied().collect();
        let (start, pawn) = (squares[place], self.game.pawn_mover());
        each_origin(geometry, pawn.of_side(colour), start, occupied, |from| {
            squares[place] = from;
            visit(squares);
        });
        let back = if colour == Colour::White { -1 } else { 1 };
        for &(files, ranks) in pawn.doubled() {
            let free = |from: Square| {
                let square = geometry.offset(from, back * files, back * ranks)?;
                (!occupied.contains(square)).then_some(square)
            };
            let Some(two) = free(start).and_then(free) else {
                continue;
            };
            let rank = match colour {
                Colour::White => geometry.rank(two),
                Colour::Black => geometry.ranks - 1 - geometry.rank(two),
            };
            if self.game.double_step_ranks(colour).any(|from| from == rank) {
                squares[place] = two;
                if self.keeps_value(squares, (two, start), turn) {
                    visit(squares);
                }
            }
        }
    }

    /// Whether what holds of the placement after a double step holds of the position that
    /// the step leads to: not if the placement is mate but for a capture en passant (O2).
    fn keeps_value(&self, before: &[Square], step: (Square, Square), turn: Colour) -> bool {
        let Some(position) = position_of(self.game, &self.own.pieces, before, turn.other()) else {
            return false;
        };
        let moves = position.legal_moves();
        let Some(&mv) = moves.iter().find(|mv| (mv.from, mv.to) == step) else {
            return false;
        };
        let after = position.play(mv);
        if after.ep().is_none() {
            return true;
        }
        let pieces = after.board().pieces();
        let without = Position::from_pieces(self.game, pieces, turn);
        without.is_some_and(|without| without.end() != Some(End::Checkmate))
    }

    /// The positions that are not reached, after [`Reach::settle`].
    fn without(&self) -> Found {
        let mut found = Found::default();
        let mut squares = vec![Square(0); self.own.pieces.len()];
        for turn in Colour::BOTH {
            for (index, pending) in self.pending[turn.index()].iter().enumerate() {
                let pending = pending.load(Ordering::Relaxed);
                if pending == 0 {
                    continue;
                }
                self.own.index.decode(index as u64, &mut squares);
                let pieces = &self.own.pieces;
                let Some(position) = position_of(self.game, pieces, &squares, turn) else {
                    continue;
                };
                let stored = self.own.get(turn, &squares).unwrap_or_default();
                let reached = stored.to_value() & !i16::from(pending);
                found.push(|| {
                    let derived = words(Helpmate::from_value(reached));
                    wrong(&position, stored, format!("{derived}: no mate is reached"))
                });
            }
        }
        found
    }
}
