//! The games, one file each, behind one trait.
//!
//! A new game is a file here with a type that implements [`Rules`], and its name
//! in `list.rs`.

mod chess99;
mod extinction;
mod high_chess;
mod king_of_the_hill;
mod kings;
mod list;
mod mating;
mod orthodox;

use crate::board::Board;
use crate::castling::Castling;
use crate::end::End;
use crate::fault::{EpFault, Fault};
use crate::features::{BareKings, Goal, LastOfType, Notation, Pawns, Royalty};
use crate::game::{Interchange, Symmetry};
use crate::geometry::Geometry;
use crate::material::Material;
use crate::moves::{Move, MoveList};
use crate::options::{ChosenOption, GameOption};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::powers::Powers;
use crate::reach::{EIGHT, Reach};
use crate::square::{Square, SquareSet};

pub use chess99::{CaptureInCheck, Chess99, EpBy};
pub(crate) use extinction::{Extinction, ExtinctionMating};
pub use high_chess::{HighChess, Restores, Toll};
pub(crate) use king_of_the_hill::KingOfTheHill;
pub use kings::{BlackCorner, Kings, KingsBoard, SpareKing, TieBreak};
pub use list::Game;
pub(crate) use list::with_rules;
pub(crate) use orthodox::Orthodox;

/// The definition of a game; the defaults are those of orthodox chess. Positions passed in
/// have been checked by [`Rules::faults`], and moves come from [`Rules::legal_moves`]. For
/// others the answers are meaningless, but nothing may panic as long as every piece stands
/// on the board.
pub(crate) trait Rules {
    /// The name without options.
    fn name(&self) -> &'static str;

    /// See [`Game::other_names`].
    fn other_names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The options that differ from their defaults, sorted by name.
    fn options(&self) -> Vec<ChosenOption> {
        Vec::new()
    }

    /// The available options, sorted by name.
    fn offers(&self) -> &'static [GameOption] {
        &[]
    }

    /// The revision of the rules that tables are made by.
    fn revision(&self) -> u16;

    /// The board.
    #[inline]
    fn geometry(&self) -> Geometry {
        Geometry::EIGHT
    }

    /// The tables of what pieces reach on the board.
    #[inline]
    fn reach(&self) -> &'static Reach {
        &EIGHT
    }

    /// The rank on which pawns start, counted from 0 on their own side. Unless
    /// [`Rules::pawns`] says otherwise, they make double steps only from there, and never
    /// stand behind it.
    #[inline]
    fn pawn_home(&self) -> u8 {
        1
    }

    /// The piece types, in the order of material names.
    #[inline]
    fn piece_types(&self) -> &'static [PieceType] {
        &[
            PieceType::King,
            PieceType::Queen,
            PieceType::Rook,
            PieceType::Bishop,
            PieceType::Knight,
            PieceType::Pawn,
        ]
    }

    /// The fewest and the most kings that a side may have.
    #[inline]
    fn kings_a_side(&self) -> (usize, usize) {
        (1, 1)
    }

    /// The piece types that a pawn may become.
    fn promotions(&self) -> &'static [PieceType] {
        &[
            PieceType::Queen,
            PieceType::Rook,
            PieceType::Bishop,
            PieceType::Knight,
        ]
    }

    /// See [`Game::royalty`].
    fn royalty(&self) -> Royalty {
        Royalty::King
    }

    /// See [`Game::goal`].
    #[inline]
    fn goal(&self) -> Goal {
        Goal::Mate
    }

    /// See [`Game::last_of_type`].
    fn last_of_type(&self, piece_type: PieceType) -> LastOfType {
        match piece_type {
            PieceType::King => LastOfType::Stays,
            _ => LastOfType::Free,
        }
    }

    /// See [`Game::leaders_may_touch`].
    fn leaders_may_touch(&self, _material: &Material) -> bool {
        false
    }

    /// See [`Game::bare_kings`].
    fn bare_kings(&self) -> BareKings {
        BareKings::Drawn
    }

    /// See [`Game::pawns`].
    fn pawns(&self) -> Pawns {
        Pawns::orthodox(self.geometry(), self.pawn_home())
    }

    /// See [`Game::ep_by`].
    fn ep_by(&self) -> EpBy {
        EpBy::Pawn
    }

    /// See [`Game::castles_along_first_rank`].
    fn castles_along_first_rank(&self) -> bool {
        false
    }

    /// The rules of vitality, in games that have it (H3).
    #[inline]
    fn vitality_rules(&self) -> Option<HighChess> {
        None
    }

    /// Whether a side may pass (H2).
    fn has_pass(&self) -> bool {
        false
    }

    /// The symmetries of the board that keep the values of a material.
    fn symmetry(&self, material: &Material) -> Symmetry {
        Symmetry::of_board(self.geometry(), material.has_pawns())
    }

    /// How the colours of a material may be swapped.
    fn interchange(&self, _material: &Material) -> Interchange {
        Interchange::MirrorRanks
    }

    /// The pieces of a side that decide the game; in most games they may not be attacked
    /// after its move. They depend on the placement alone.
    #[inline]
    fn royals(&self, board: &Board, colour: Colour) -> SquareSet {
        board.of(Piece::new(colour, PieceType::King))
    }

    /// How the pieces of a side attack.
    #[inline]
    fn powers(&self, board: &Board, colour: Colour) -> Powers {
        let own = board.by(colour);
        let queens = board.piece_type(PieceType::Queen);
        Powers {
            colour,
            king: own & board.piece_type(PieceType::King),
            knight: own & board.piece_type(PieceType::Knight),
            diagonal: own & (queens | board.piece_type(PieceType::Bishop)),
            straight: own & (queens | board.piece_type(PieceType::Rook)),
            pawn: own & board.piece_type(PieceType::Pawn),
        }
    }

    /// Reports every reason, except for the e.p. square, why a placement is not a position
    /// of the game. All pieces are of the game's types and stand on its board.
    #[inline]
    fn faults(&self, board: &Board, turn: Colour, report: &mut dyn FnMut(Fault)) {
        mating::report_stranded_pawns(self, board, report);
        mating::report_kings(self, board, report);
        mating::report_opposite_check(self, board, turn, report);
    }

    /// What makes an e.p. square impossible; the square is on the board.
    fn ep_fault(&self, board: &Board, turn: Colour, ep: Square) -> Option<EpFault> {
        ep_fault_from_home(self.geometry(), self.pawn_home(), board, turn, ep)
    }

    /// Whether the position's e.p. square counts (O2); true if it has none.
    fn ep_counts(&self, position: &Position) -> bool {
        mating::ep_is_legal(self, position)
    }

    /// Adds all legal moves to a list; none if the game has ended.
    fn legal_moves(&self, position: &Position, list: &mut MoveList);

    /// Whether there is a legal move that is quick to find. If not, there may be others.
    #[inline]
    fn has_quick_move(&self, _position: &Position) -> bool {
        false
    }

    /// Completes a legal move. `after` is the position after it, as far as all games
    /// agree; it gets an e.p. square if that counts, and whatever else the game tracks.
    #[inline]
    fn settle(&self, _before: &Position, mv: Move, after: &mut Position) {
        mating::settle_ep(self, mv, after);
    }

    /// Whether a side is in check, whoever is to move: one of its royal pieces is
    /// attacked. False if it has none.
    #[inline]
    fn in_check(&self, board: &Board, colour: Colour) -> bool {
        mating::in_check(self, board, colour)
    }

    /// See [`Position::finished`].
    #[inline]
    fn finished(&self, _position: &Position) -> Option<End> {
        None
    }

    /// How the game has ended in a position with these legal moves.
    fn end(&self, position: &Position, moves: &[Move]) -> Option<End> {
        let end = || mating::end(self, position, moves);
        self.finished(position).or_else(end)
    }

    /// Castling with rights, which exists in whole games but not in tables (O1, X);
    /// `None` if castling needs no rights or does not exist.
    #[inline]
    fn castling(&self) -> Option<&'static Castling> {
        Some(&Castling::ORTHODOX)
    }

    /// The array as the first four fields of a FEN.
    fn array(&self) -> &'static str {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    }

    /// How moves are written.
    fn notation(&self) -> Notation {
        Notation::Plain
    }

    /// See [`Game::zeroing_limit`](crate::Game::zeroing_limit).
    fn zeroing_limit(&self) -> Option<u32> {
        None
    }

    /// See [`Position::dead`] and [`Game::has_dead_positions`].
    fn dead(&self, _board: &Board) -> Option<bool> {
        None
    }
}

/// What makes an e.p. square impossible where pawns double-step from their
/// `home` rank only (O2).
fn ep_fault_from_home(
    geometry: Geometry,
    home: u8,
    board: &Board,
    turn: Colour,
    ep: Square,
) -> Option<EpFault> {
    let (rank, ahead) = match turn {
        Colour::White => (geometry.ranks - 2 - home, -1),
        Colour::Black => (home + 1, 1),
    };
    let (Some(arrival), Some(origin)) = (
        geometry.offset(ep, 0, ahead),
        geometry.offset(ep, 0, -ahead),
    ) else {
        return Some(EpFault::Rank);
    };
    let pusher = board.by(turn.other()) & board.piece_type(PieceType::Pawn);
    if geometry.rank(ep) != rank {
        Some(EpFault::Rank)
    } else if board.occupied().contains(ep) {
        Some(EpFault::Occupied)
    } else if board.occupied().contains(origin) {
        Some(EpFault::Origin(origin))
    } else if !pusher.contains(arrival) {
        Some(EpFault::NoPusher(arrival))
    } else {
        None
    }
}
