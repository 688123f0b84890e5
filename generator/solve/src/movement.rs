//! Computes the squares that a piece attacks, or attacks from, on a board with given blockers.

use retrograde_rules::{Colour, Piece, PieceType};

use super::squares::{beyond, forward, rank_of, room};
use super::steps::{Ride, Step, Way};
use super::vector::apart;
use super::word::{BoardShape, Word};

pub(crate) const ALL_WAYS: [Step; 8] = [
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, -1),
    (-1, 1),
];

/// The squares that a piece on `square`, which is not a pawn, reaches without a capture, if they
/// are empty.
#[inline(always)]
pub(crate) fn targets<W: Word>(board: W::Board, piece: Piece, square: usize, occupied: W) -> W {
    reach(board, piece, Way::Quiet, square, occupied)
}

/// The squares that a piece on `square` attacks.
#[inline(always)]
pub(crate) fn attacks<W: Word>(board: W::Board, piece: Piece, square: usize, occupied: W) -> W {
    reach(board, piece, Way::Capture, square, occupied)
}

/// The squares from which such a piece attacks `square`.
#[inline(always)]
pub(crate) fn attackers<W: Word>(board: W::Board, piece: Piece, square: usize, occupied: W) -> W {
    reach(board, piece, Way::Captured, square, occupied)
}

#[inline(always)]
fn reach<W: Word>(board: W::Board, piece: Piece, way: Way, square: usize, occupied: W) -> W {
    match W::VECTORS {
        true => reach_here(board, piece, way, square, occupied),
        false => apart(|| reach_here(board, piece, way, square, occupied)),
    }
}

/// Inlined, so that it becomes vector code.
#[inline(always)]
fn reach_here<W: Word>(board: W::Board, piece: Piece, way: Way, square: usize, occupied: W) -> W {
    let from = W::of(square);
    let shift = |(files, ranks): Step| from.shift(W::step(board, files, ranks));
    let own_pawns = board.moves().own_pawns.as_ref();
    if piece.piece_type == PieceType::Pawn && own_pawns.is_none() {
        let ranks = match way {
            Way::Quiet | Way::Capture => forward(piece.colour),
            Way::Retracted | Way::Captured => -forward(piece.colour),
        };
        return shift((1, ranks)) | shift((-1, ranks));
    }
    let steps = board.moves().of_piece(piece, way);
    let mut reached = W::ZERO;
    for &leap in &steps.leaps {
        reached |= shift(leap);
    }
    if piece.piece_type == PieceType::Pawn {
        return within_ranks::<W>(board, piece.colour, way, square, reached);
    }
    for &(files, ranks) in &steps.slides {
        reached |= from.slide(!occupied, W::step(board, files, ranks));
    }
    if !steps.rides.is_empty() {
        apart(|| {
            for &((files, ranks), most) in &steps.rides {
                reached |= from.ride(!occupied, W::step(board, files, ranks), most);
            }
        });
    }
    reached
}

/// Leaves what pawns of another kind than orthodox ones reach, or reach a square from: they do not
/// go behind their first rank.
#[cold]
#[inline(never)]
fn within_ranks<W: Word>(board: W::Board, side: Colour, way: Way, square: usize, reached: W) -> W {
    let Some(pawns) = &board.moves().own_pawns else {
        return reached;
    };
    let ranks = pawns.first_ranks[side.index()]..board.ranks();
    let arrives = match way {
        Way::Quiet | Way::Capture => reached,
        Way::Retracted | Way::Captured => W::of(square),
    };
    let inside = ranks.fold(W::ZERO, |set, rank| {
        set | arrives & W::rank(board, rank_of(board, side, rank))
    });
    match way {
        Way::Quiet | Way::Capture => inside,
        _ if inside.is_empty() => W::ZERO,
        _ => reached,
    }
}

/// The squares strictly between two squares on a common line, for all pairs;
/// empty where there is no common line.
pub(crate) struct Between<W: Word> {
    table: Vec<W>,
    pub(crate) board: W::Board,
}

impl<W: Word> Between<W> {
    pub(crate) fn new(board: W::Board) -> Between<W> {
        let (geometry, squares) = (board.geometry(), board.squares());
        let mut table = vec![W::ZERO; squares * squares];
        for from in geometry.all() {
            for (files, ranks) in ALL_WAYS {
                let mut between = W::ZERO;
                let mut square = from;
                while let Some(next) = geometry.offset(square, files as i8, ranks as i8) {
                    table[from.index() * squares + next.index()] = between;
                    between |= W::of(next.index());
                    square = next;
                }
            }
        }
        Between { table, board }
    }

    /// The squares that a piece passes on its way; none if it leaps. Of several ways to a
    /// square the longest steps pass fewest, and none that the others do not.
    #[inline(always)]
    pub(crate) fn passed(&self, piece: Piece, way: Way, from: usize, to: usize) -> W {
        let moves = self.board.moves();
        if !moves.jumps || piece.piece_type == PieceType::Pawn {
            return self.get(from, to);
        }
        apart(|| {
            let by = |s: usize| (self.board.file(s) as i32, self.board.rank(s) as i32);
            let ((f, r), (tf, tr)) = (by(from), by(to));
            let steps = moves.of_piece(piece, way);
            if steps.leaps.contains(&(tf - f, tr - r)) {
                return W::ZERO;
            }
            let mut ridden = steps
                .rides
                .iter()
                .filter_map(|&ride| self.ridden(from, to, ride));
            ridden.next().unwrap_or_else(|| self.get(from, to))
        })
    }

    /// The squares that are passed on a ride; `None` if it does not lead to `to`.
    fn ridden(&self, from: usize, to: usize, ((files, ranks), most): Ride) -> Option<W> {
        let (mut at, mut passed) = (from, W::ZERO);
        for _ in 0..room(self.board, from, files, ranks).min(most.into()) {
            at = beyond(self.board, at, files, ranks);
            if at == to {
                return Some(passed);
            }
            passed |= W::of(at);
        }
        None
    }

    #[inline(always)]
    pub(crate) fn get(&self, from: usize, to: usize) -> W {
        self.table[from * self.board.squares() + to]
    }
}
