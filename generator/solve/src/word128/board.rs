//! Makes each board of up to 128 squares once, with the tables by which its words move.

use std::sync::{Mutex, PoisonError};

use retrograde_rules::{Geometry, Square, Transform};

use super::image::Image;
use super::{Step, Word128};
use crate::steps::MoveTable;
use crate::word::{BoardShape, Word};

/// A board of up to 128 squares.
#[derive(Debug)]
pub(crate) struct WideBoard {
    pub(super) geometry: Geometry,
    pawn_home: usize,
    pub(super) full: Word128,
    pub(super) holes: Word128,
    files: [u8; WideBoard::MOST],
    ranks: [u8; WideBoard::MOST],
    /// The steps by files and ranks, from -3.
    pub(super) steps: [[Step; 7]; 7],
    /// The identity, of which the images under other symmetries are made.
    pub(super) image: Image,
    /// The images of all squares under every symmetry.
    images: [[u8; WideBoard::MOST]; Transform::ALL.len()],
}

impl WideBoard {
    /// The most squares.
    pub(super) const MOST: usize = 128;

    /// The board of this size with pawns that start on this rank (from 0),
    /// made at first use.
    pub(crate) fn of(geometry: Geometry, pawn_home: u8) -> &'static WideBoard {
        static MADE: Mutex<Vec<&'static WideBoard>> = Mutex::new(Vec::new());
        let pawn_home = usize::from(pawn_home);
        let is_it =
            |board: &&&WideBoard| (board.geometry, board.pawn_home) == (geometry, pawn_home);
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(board) = made.iter().find(is_it) {
            return board;
        }
        let board: &'static WideBoard = Box::leak(Box::new(WideBoard::new(geometry, pawn_home)));
        made.push(board);
        board
    }

    fn new(geometry: Geometry, pawn_home: usize) -> WideBoard {
        let per_square = |value: &dyn Fn(Square) -> u8| {
            let mut values = [0; WideBoard::MOST];
            for square in geometry.all() {
                values[square.index()] = value(square);
            }
            values
        };
        let step =
            |files: usize, ranks: usize| Step::new(geometry, files as i8 - 3, ranks as i8 - 3);
        let mut images = [[0; WideBoard::MOST]; Transform::ALL.len()];
        for transform in geometry.transforms() {
            images[transform.index()] = per_square(&|square| geometry.apply(transform, square).0);
        }
        WideBoard {
            geometry,
            pawn_home,
            full: Word128::from_squares(Geometry::new(geometry.files, geometry.ranks).full()),
            holes: Word128::from_squares(geometry.holes),
            files: per_square(&|square| geometry.file(square)),
            ranks: per_square(&|square| geometry.rank(square)),
            steps: std::array::from_fn(|files| std::array::from_fn(|ranks| step(files, ranks))),
            image: Image::identity(geometry),
            images,
        }
    }
}

/// A board with the moves of a game's pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide {
    board: &'static WideBoard,
    moves: &'static MoveTable,
}

impl Wide {
    pub(crate) fn new(board: &'static WideBoard, moves: &'static MoveTable) -> Wide {
        Wide { board, moves }
    }
}

impl std::ops::Deref for Wide {
    type Target = WideBoard;
    #[inline(always)]
    fn deref(&self) -> &WideBoard {
        self.board
    }
}

impl BoardShape for Wide {
    #[inline(always)]
    fn moves(self) -> &'static MoveTable {
        self.moves
    }

    #[inline(always)]
    fn geometry(self) -> Geometry {
        self.board.geometry
    }

    #[inline(always)]
    fn pawn_home(self) -> usize {
        self.board.pawn_home
    }

    #[inline(always)]
    fn file(self, square: usize) -> usize {
        self.board.files[square].into()
    }

    #[inline(always)]
    fn rank(self, square: usize) -> usize {
        self.board.ranks[square].into()
    }

    #[inline(always)]
    fn is_hole(self, square: usize) -> bool {
        self.board.holes.has(square)
    }

    #[inline(always)]
    fn image(self, transform: Transform, square: usize) -> usize {
        self.board.images[transform.index()][square].into()
    }
}
